// The parts of a message that the page shows in another way, without DOM.

const EMOJI = /^(?:(?:\p{Regional_Indicator}{2}|[#*0-9]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*)\s*){1,3}$/u;

// isEmoji reports whether a text is one to three emoji.
export function isEmoji(text) {
	return text.length < 100 && EMOJI.test(text);
}

// patternOf returns the expression that finds a text, without regard to case; null for "".
export function patternOf(text) {
	return text ? new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&"), "giu") : null;
}

// split returns the parts of a text that match a pattern and those between: { text, isMatch }.
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
