// Initials and colors of members and communities, without DOM.

// HUES are the names of the colors in tokens.css.
export const HUES = ["harbour", "sea", "pine", "moss", "straw", "clay", "brick", "rose", "plum", "iris", "slate", "bark"];

// initials returns one or two letters of a name: those of the first and the last word. Titles
// of communities have one.
export function initials(name, count = 2) {
	const words = (name ?? "").trim().split(/[\s\u00a0]+/).map(firstLetter).filter(Boolean);
	if (words.length === 0) return "?";
	return (count === 1 || words.length === 1 ? words[0] : words[0] + words.at(-1)).toLocaleUpperCase();
}

function firstLetter(word) {
	return [...word.normalize("NFC")].find((character) => /[\p{L}\p{N}]/u.test(character));
}

// hueOf returns the name of a color, or "" for a color such as #3b82f6: the given one, or one
// of the twelve by the id.
export function hueOf(color, id) {
	if (HUES.includes(color)) return color;
	if (isColor(color)) return "";
	return HUES[hash(String(id ?? "")) % HUES.length];
}

// isColor reports whether a text is a color such as #3b82f6.
export function isColor(text) {
	return /^#[0-9a-f]{6}$/i.test(text ?? "");
}

// hash returns the number of a text of digits, or a number for another one.
function hash(text) {
	if (/^\d{1,15}$/.test(text)) return Number(text);
	let sum = 0;
	for (const character of text) sum = (sum * 31 + character.codePointAt(0)) % 1_000_003;
	return sum;
}

// PRESENCES are the presences with a shape of their own.
export const PRESENCES = ["online", "away", "busy", "offline"];

// countText returns the text of a badge: at most 99.
export function countText(count) {
	return count > 99 ? "99+" : String(count);
}
