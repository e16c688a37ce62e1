// Mentions while they are typed, without DOM. A mention is an @ with a user name after it.

import { fold } from "./fold.js";

// mentionAt returns what is typed between an @ and a position of a text, or null if there is no
// mention at it.
export function mentionAt(text, at) {
	return /(?:^|[^\p{L}\p{N}._@-])@([\p{L}\p{N}._-]*)$/u.exec(text.slice(0, at))?.[1] ?? null;
}

// withMention completes the mention at a position of a text. It returns { text, at }: at is the
// position after it. Without a mention, nothing changes.
export function withMention(text, at, username) {
	const typed = mentionAt(text, at);
	if (typed === null) return { text, at };
	const start = at - typed.length;
	const rest = text.slice(at);
	const before = `${text.slice(0, start)}${username}${/^\s/.test(rest) ? "" : " "}`;
	return { text: before + rest, at: before.length + (/^\s/.test(rest) ? 1 : 0) };
}

// matchingActors returns the members whose user name or a word of whose name begins with a text,
// each one once and without the member self, by name.
export function matchingActors(actors, text, self) {
	const wanted = fold(text);
	const found = new Map();
	for (const actor of actors) {
		if (!actor?.username || actor.member_id === self) continue;
		const names = [actor.username, ...actor.display_name.split(/\s+/)];
		if (names.some((name) => fold(name).startsWith(wanted))) found.set(actor.member_id, actor);
	}
	return [...found.values()].sort((a, b) => a.display_name.localeCompare(b.display_name));
}
