// Initials and colors of members and communities, and colors of calendars, without DOM.

// HUES are the names of the colors that tokens.css defines.
export const HUES = ["harbour", "sea", "pine", "moss", "straw", "clay", "brick", "rose", "plum", "iris", "slate", "bark"];

// initials returns the initials of a name: the first letters of the first and the last word, or one
// letter if count is 1; "?" if the name has none.
export function initials(name, count = 2) {
	const words = (name ?? "").trim().split(/[\s\u00a0]+/).map(firstLetter).filter(Boolean);
	if (words.length === 0) return "?";
	return (count === 1 || words.length === 1 ? words[0] : words[0] + words.at(-1)).toLocaleUpperCase();
}

// firstLetter returns the first letter or digit of a word, or undefined.
function firstLetter(word) {
	return [...word.normalize("NFC")].find((character) => /[\p{L}\p{N}]/u.test(character));
}

// hueOf returns the name of a color: color itself if it is one of HUES, "" if it is a hexadecimal
// color, or else one of HUES that depends on the id.
export function hueOf(color, id) {
	if (HUES.includes(color)) return color;
	if (isColor(color)) return "";
	return HUES[hash(String(id ?? "")) % HUES.length];
}

// isColor reports whether a text is a hexadecimal color such as #3b82f6.
export function isColor(text) {
	return /^#[0-9a-f]{6}$/i.test(text ?? "");
}

// PALETTE has the colors of calendars in the light theme, and the names that tokens.css gives them for
// both themes.
const PALETTE = new Map([
	["#4e7cfe", "blue"],
	["#b18216", "gold"],
	["#212e42", "ink"],
	["#7c000d", "wine"],
	["#25706e", "teal"],
	["#3b9c6f", "green"],
	["#7722a6", "violet"],
	["#e9529e", "pink"],
	["#5e4e41", "brown"],
	["#a54c04", "rust"],
]);

// colorProps returns the class and the custom properties of an element with the color of a calendar,
// for el. A color is "#rrggbb" or the name of a hue.
export function colorProps(color) {
	const name = PALETTE.get(color?.toLowerCase());
	if (name) return { class: `k-${name}`, vars: {} };
	if (isColor(color)) return { class: "c-own", vars: { "--own": color } };
	return { class: `c-${HUES.includes(color) ? color : "slate"}`, vars: {} };
}

// hash returns a number that depends on a text: the value of a short decimal number, or a hash code.
function hash(text) {
	if (/^\d{1,15}$/.test(text)) return Number(text);
	let sum = 0;
	for (const character of text) sum = (sum * 31 + character.codePointAt(0)) % 1_000_003;
	return sum;
}

// PRESENCES are the presence states that avatars show.
export const PRESENCES = ["online", "away", "busy", "offline"];

// countText returns the text of a badge, which is "99+" above 99.
export function countText(count) {
	return count > 99 ? "99+" : String(count);
}
