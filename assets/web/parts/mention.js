// Completes mentions during typing, without DOM. A mention is an @ followed by a user name.

import { fold } from "./fold.js";

// mentionAt returns the beginning of a user name before a position of a text, without its @, or null
// if there is no mention.
export function mentionAt(text, at) {
	return /(?:^|[^\p{L}\p{N}._@-])@([\p{L}\p{N}._-]*)$/u.exec(text.slice(0, at))?.[1] ?? null;
}

// withMention completes the mention before a position of a text with a user name and a space. It
// returns { text, at }, where at is the position after the space. Without a mention, both are
// unchanged.
export function withMention(text, at, username) {
	const prefix = mentionAt(text, at);
	if (prefix === null) return { text, at };
	const start = at - prefix.length;
	const rest = text.slice(at);
	const newText = `${text.slice(0, start)}${username}${/^\s/.test(rest) ? "" : " "}`;
	return { text: newText + rest, at: newText.length + (/^\s/.test(rest) ? 1 : 0) };
}

// matchingActors returns the actors with the prefix text in their user name or in a word of their
// display name, without the member with the id self and without duplicates, sorted by display name.
export function matchingActors(actors, text, self) {
	const searchText = fold(text);
	const actorsById = new Map();
	for (const actor of actors) {
		if (!actor?.username || actor.member_id === self) continue;
		const names = [actor.username, ...actor.display_name.split(/\s+/)];
		if (names.some((name) => fold(name).startsWith(searchText))) actorsById.set(actor.member_id, actor);
	}
	return [...actorsById.values()].sort((a, b) => a.display_name.localeCompare(b.display_name));
}
