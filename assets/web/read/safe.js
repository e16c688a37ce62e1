// Values of pages that others have written. Texts become text nodes; this module decides what
// may be a link or a picture.

const LONGEST = 2000; // characters of a link
const LONGEST_TITLE = 300; // characters

// webURL returns an address with http or https, normalized, or "" for everything else, such as
// scripts, data, files, and addresses with a user name, which can imitate another site.
export function webURL(text) {
	const url = parsed(text);
	if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.password || !url.hostname) return "";
	return url.href;
}

// hostOf returns the host of an address, without "www.", or "".
export function hostOf(text) {
	const url = parsed(text);
	return url ? url.host.replace(/^www\./, "") : "";
}

// phoneURL returns the link that calls a telephone number, or "" if it is none.
export function phoneURL(text) {
	const value = String(text ?? "").trim();
	const digits = value.replace(/[^\d]/g, "");
	if (!/^\+?[\d\s()./-]+$/.test(value) || digits.length < 3 || digits.length > 15) return "";
	return `tel:${value.startsWith("+") ? "+" : ""}${digits}`;
}

// mailURL returns the link that writes to an e-mail address, or "" if it is none. It has no
// subject and no other recipients, whatever the text contains.
export function mailURL(text) {
	const value = String(text ?? "").trim();
	if (!/^[^\s@,;:<>?&#%"'()[\]\\/]+@[^\s@,;:<>?&#%"'()[\]\\/]+\.[^\s@,;:<>?&#%"'()[\]\\/]+$/.test(value) || value.length > 254) return "";
	return `mailto:${value}`;
}

// pictureURL returns the address of a picture that the server provides, or "" for one of
// another server. address is Client.address; session is the path of the session, whose first
// part all paths of the server have.
export function pictureURL(path, address, session) {
	const root = /^\/[^/]+\//.exec(session ?? "")?.[0];
	if (typeof path !== "string" || !root || !path.startsWith(root) || path.includes("..") || path.includes("\\")) return "";
	try {
		return address(path);
	} catch {
		return "";
	}
}

// plain returns a value of a page as a text without control characters, which could reverse
// what follows it. Anything but texts and numbers is "".
export function plain(value) {
	if (typeof value === "number") return String(value);
	if (typeof value !== "string") return "";
	return value.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, "");
}

// short returns a value of a page as a text that is no longer than a title.
export function short(value) {
	const text = plain(value).trim();
	return text.length > LONGEST_TITLE ? `${text.slice(0, LONGEST_TITLE)}…` : text;
}

// list returns a value as a list without null, [] if it is none.
export function list(value) {
	return Array.isArray(value) ? value.filter((item) => item !== null && item !== undefined) : [];
}

function parsed(text) {
	if (typeof text !== "string" || text.length > LONGEST) return null;
	const value = text.trim();
	if (!/^https?:\/\//i.test(value)) return null;
	try {
		return new URL(value);
	} catch {
		return null;
	}
}
