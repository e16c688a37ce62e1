// Texts that members have written: as plain text, with links to addresses of the web in it.

import { el } from "./el.js";

const ADDRESS = /https?:\/\/[^\s/<>"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069][^\s<>"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/giu;

// textParts splits a text into { text }, { text, href } for an address, and { text, memberId }
// for a mention. Only addresses of http and https without a user name are links. entities are
// the mentions: { start, end, member_id }, in UTF-16 code units.
export function textParts(text, entities = []) {
	const marks = [...mentions(text, entities), ...addresses(text)].sort((a, b) => a.start - b.start);
	const parts = [];
	let at = 0;
	for (const { start, end, ...mark } of marks) {
		if (start < at) continue; // it overlaps the one before
		if (start > at) parts.push({ text: text.slice(at, start) });
		parts.push({ text: text.slice(start, end), ...mark });
		at = end;
	}
	if (at < text.length) parts.push({ text: text.slice(at) });
	return parts;
}

function mentions(text, entities) {
	return entities.filter(({ start, end }) => Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end > start && end <= text.length)
		.map(({ start, end, member_id: memberId }) => ({ start, end, memberId }));
}

function addresses(text) {
	return [...text.matchAll(ADDRESS)].flatMap(({ 0: found, index: start }) => {
		const address = withoutEnd(found);
		const href = checkedAddress(address);
		return href ? [{ start, end: start + address.length, href }] : [];
	});
}

// withoutEnd removes the punctuation after an address, and brackets that were opened before it.
function withoutEnd(address) {
	const extra = {}; // closing bracket → how many have none that opens them
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

function checkedAddress(text) {
	try {
		const { protocol, username, password, hostname, href } = new URL(text);
		return ["http:", "https:"].includes(protocol) && !username && !password && hostname ? href : null;
	} catch {
		return null;
	}
}

// textNodes returns the nodes of a text. Options: entities; mention(memberId), which returns the
// address of the page of a member or undefined.
export function textNodes(text, { entities = [], mention = () => undefined } = {}) {
	return textParts(text, entities).map((part) => {
		if (part.href) return el("a", { class: "link", dir: "ltr", text: part.text, ...linkTo(part.href) });
		if (!("memberId" in part)) return document.createTextNode(part.text);
		const href = mention(part.memberId);
		return el(href ? "a" : "span", { class: "ment", dir: "ltr", href, text: part.text });
	});
}

// linkTo returns the attributes of a link to a page of the web, which opens beside the app.
export function linkTo(href) {
	return { href, target: "_blank", rel: "noopener noreferrer" };
}
