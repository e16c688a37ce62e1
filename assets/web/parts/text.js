// Renders the texts that members have written, with links for URLs and mentions.

import { el } from "./el.js";

// WEB_URL matches an http or https URL and punctuation marks after it. It excludes the control
// characters for bidirectional text, which could make a URL look like another URL.
const WEB_URL = /https?:\/\/[^\s/<>"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069][^\s<>"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/giu;

// textParts splits a text into a list of { text, href } for URLs, { text, memberId } for mentions
// and { text } for the other parts. entities are the mentions, { start, end, member_id }, with
// positions in UTF-16 code units. A URL with a user name or a password is not recognized.
export function textParts(text, entities = []) {
	const ranges = [...mentionRanges(text, entities), ...urlRanges(text)].sort((a, b) => a.start - b.start);
	const parts = [];
	let position = 0; // end of the latest part
	for (const { start, end, ...attributes } of ranges) {
		if (start < position) continue; // the range overlaps the previous one
		if (start > position) parts.push({ text: text.slice(position, start) });
		parts.push({ text: text.slice(start, end), ...attributes });
		position = end;
	}
	if (position < text.length) parts.push({ text: text.slice(position) });
	return parts;
}

// mentionRanges returns the ranges { start, end, memberId } of the entities with valid positions.
function mentionRanges(text, entities) {
	return entities
		.filter(({ start, end }) => Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end > start && end <= text.length)
		.map(({ start, end, member_id: memberId }) => ({ start, end, memberId }));
}

// urlRanges returns the ranges { start, end, href } of the URLs of a text.
function urlRanges(text) {
	return [...text.matchAll(WEB_URL)].flatMap(({ 0: found, index: start }) => {
		const address = withoutPunctuation(found);
		const href = checkedAddress(address);
		return href ? [{ start, end: start + address.length, href }] : [];
	});
}

// withoutPunctuation removes the punctuation marks at the end of a URL that belong to the sentence,
// and closing brackets without an opening one in the URL.
function withoutPunctuation(address) {
	const extra = {}; // closing bracket → number of those without an opening one
	for (const [open, close] of ["()", "[]", "{}"]) extra[close] = count(address, close) - count(address, open);
	let length = address.length;
	for (; length > 0; length--) {
		const last = address[length - 1];
		if (!(last in extra ? extra[last]-- > 0 : /[.,;:!?'"’”»…*_~]/u.test(last))) break;
	}
	return address.slice(0, length);
}

function count(text, character) {
	return text.split(character).length - 1;
}

// checkedAddress returns the normalized URL of a text, or null if the URL must not be a link.
function checkedAddress(text) {
	try {
		const { protocol, username, password, hostname, href } = new URL(text);
		return ["http:", "https:"].includes(protocol) && !username && !password && hostname ? href : null;
	} catch {
		return null;
	}
}

// textNodes returns the nodes of a text. Options: entities, see textParts; mention(memberId), which
// returns the URL of the page of a member, or undefined.
export function textNodes(text, { entities = [], mention = () => undefined } = {}) {
	return textParts(text, entities).map((part) => {
		if (part.href) return el("a", { class: "link", dir: "ltr", text: part.text, ...externalLink(part.href) });
		if (!("memberId" in part)) return document.createTextNode(part.text);
		const href = mention(part.memberId);
		return el(href ? "a" : "span", { class: "ment", dir: "ltr", href, text: part.text });
	});
}

// externalLink returns the attributes of a link to another website. The page opens in a new tab, and gets
// neither a reference to the window of the app nor its URL.
export function externalLink(href) {
	return { href, target: "_blank", rel: "noopener noreferrer" };
}
