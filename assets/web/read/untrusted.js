// Validates values from pages of the web, which are untrusted. Views show their texts as text nodes;
// this module accepts their links and pictures.

const MAX_LINK_LENGTH = 2000; // maximum length of a link
const MAX_SHORT_LENGTH = 300; // maximum length of a short text

// webURL returns a normalized http or https URL, or "" for all other values. It rejects URLs with a
// user name, which can imitate another site.
export function webURL(text) {
	const url = parseURL(text);
	if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.password || !url.hostname) return "";
	return url.href;
}

// hostOf returns the host of a URL without "www.", or "".
export function hostOf(text) {
	const url = parseURL(text);
	return url ? url.host.replace(/^www\./, "") : "";
}

// phoneURL returns the tel: URL of a telephone number, or "" if the text is not a number.
export function phoneURL(text) {
	const value = String(text ?? "").trim();
	const digits = value.replace(/[^\d]/g, "");
	if (!/^\+?[\d\s()./-]+$/.test(value) || digits.length < 3 || digits.length > 15) return "";
	return `tel:${value.startsWith("+") ? "+" : ""}${digits}`;
}

// mailURL returns the mailto: URL of an e-mail address, or "" if the text is not one. The URL never
// contains a subject or other recipients.
export function mailURL(text) {
	const value = String(text ?? "").trim();
	if (!/^[^\s@,;:<>?&#%"'()[\]\\/]+@[^\s@,;:<>?&#%"'()[\]\\/]+\.[^\s@,;:<>?&#%"'()[\]\\/]+$/.test(value) || value.length > 254) return "";
	return `mailto:${value}`;
}

// pictureURL returns the URL of a picture on this server, or "" for any other path. address is
// Client.address. session is the path of the session; all paths of the server have the same first
// segment.
export function pictureURL(path, address, session) {
	const root = /^\/[^/]+\//.exec(session ?? "")?.[0];
	if (typeof path !== "string" || !root || !path.startsWith(root) || path.includes("..") || path.includes("\\")) return "";
	try {
		return address(path);
	} catch {
		return "";
	}
}

// plainText returns a text or a number as text, without control characters and characters that change the
// direction of the text. It returns "" for all other values.
export function plainText(value) {
	if (typeof value === "number") return String(value);
	if (typeof value !== "string") return "";
	return value.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, "");
}

// shortText returns a value as plain does, truncated to MAX_SHORT_LENGTH characters.
export function shortText(value) {
	const text = plainText(value).trim();
	return text.length > MAX_SHORT_LENGTH ? `${text.slice(0, MAX_SHORT_LENGTH)}…` : text;
}

// listOf returns a list without null and undefined; [] for a value that is not a list.
export function listOf(value) {
	return Array.isArray(value) ? value.filter((item) => item !== null && item !== undefined) : [];
}

function parseURL(text) {
	if (typeof text !== "string" || text.length > MAX_LINK_LENGTH) return null;
	const value = text.trim();
	if (!/^https?:\/\//i.test(value)) return null;
	try {
		return new URL(value);
	} catch {
		return null;
	}
}
