// Finds emoji and matches of a search in the text of a message, without DOM.

// EMOJI matches one to three emoji: flags, keycaps, and pictographs joined by ZERO WIDTH JOINER.
const FLAG = /\p{Regional_Indicator}{2}/u.source;
const KEYCAP = /[#*0-9]\ufe0f?\u20e3/u.source;
const PICTOGRAPH = /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?/u.source;
const EMOJI = new RegExp(`^(?:(?:${FLAG}|${KEYCAP}|${PICTOGRAPH}(?:\\u200d${PICTOGRAPH})*)\\s*){1,3}$`, "u");

// isEmoji reports whether a text consists of one to three emoji, which the page shows enlarged.
export function isEmoji(text) {
	return text.length < 100 && EMOJI.test(text);
}

// patternOf returns the regular expression that finds a text case-insensitively; null for "".
export function patternOf(text) {
	return text ? new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&"), "giu") : null;
}

// split returns the parts of a text, as { text, isMatch }: the matches of a pattern and the texts
// between them.
export function split(text, pattern) {
	const parts = [];
	let at = 0;
	for (const { 0: found, index } of text.matchAll(pattern)) {
		if (index > at) parts.push({ text: text.slice(at, index), isMatch: false });
		parts.push({ text: found, isMatch: true });
		at = index + found.length;
	}
	if (at < text.length) parts.push({ text: text.slice(at), isMatch: false });
	return parts;
}
