// The pieces of a text: mentions, addresses and what is between them. Without DOM.

const ADDRESS = /\bhttps?:\/\/[^\s<>"']+/gi;
const TRAILING = /[.,;:!?)\]}…»”’]+$/; // marks that end a sentence rather than an address

// pieces returns the pieces of a text in its order: { text }, { text, member } for a mention,
// { text, href } for an address. entities are those of World: start and end count UTF-16 code
// units. Entities that overlap or are outside of the text are left out.
export function pieces(text, entities = []) {
	const result = [];
	let at = 0;
	for (const { start, end, member_id: member } of [...entities].sort((a, b) => a.start - b.start)) {
		if (!(start >= at && end > start && end <= text.length)) continue;
		result.push(...withAddresses(text.slice(at, start)), { text: text.slice(start, end), member });
		at = end;
	}
	result.push(...withAddresses(text.slice(at)));
	return result;
}

function withAddresses(text) {
	const result = [];
	let at = 0;
	for (const { 0: found, index } of text.matchAll(ADDRESS)) {
		const address = found.replace(TRAILING, "");
		if (!isAddress(address)) continue;
		if (index > at) result.push({ text: text.slice(at, index) });
		result.push({ text: address, href: new URL(address).href });
		at = index + address.length;
	}
	if (at < text.length) result.push({ text: text.slice(at) });
	return result;
}

function isAddress(text) {
	try {
		return /^https?:$/.test(new URL(text).protocol);
	} catch {
		return false; // URL.canParse is missing in Safari 16
	}
}
