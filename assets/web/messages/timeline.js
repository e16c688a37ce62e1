// The order of messages in a thread, without DOM. A message is { id, senderId, name, body,
// entities, at }; one that is being sent also has key and state, see parts/outbox.js.

const GROUP = 5 * 60_000; // milliseconds between messages of one group

// merge returns the history whose end a newer page replaces. A history is { messages,
// previous }: the oldest message first, and the address of the page before, or null. Messages
// that the page lacks have been deleted. If there may be messages between both, such as after a
// long time without a connection, it returns the page.
export function merge(history, page) {
	const [first] = page.messages;
	const at = first ? history.messages.findIndex(({ id }) => id === first.id) : -1;
	if (at < 0) return page;
	return { messages: [...history.messages.slice(0, at), ...page.messages], previous: at > 0 ? history.previous : page.previous };
}

// prepend returns the history with an older page before it.
export function prepend(history, page) {
	const known = new Set(history.messages.map(({ id }) => id));
	return { messages: [...page.messages.filter(({ id }) => !known.has(id)), ...history.messages], previous: page.previous };
}

// firstNew returns the id of the first message of another member after the one with the id
// readUpTo; null stands for the beginning of the thread. It returns null if there is none, or
// if the message is in a page that is not read yet.
export function firstNew({ messages, previous }, readUpTo, self) {
	const at = readUpTo ? messages.findIndex(({ id }) => id === readUpTo) : -1;
	if (at < 0 && previous) return null;
	return messages.slice(at + 1).find(({ senderId }) => senderId !== self)?.id ?? null;
}

// timeline returns what a thread shows, in its order: { kind, key } and
//
//   day      day, at the first message of a day
//   new      before the first new message
//   name     name, above a group of another member if there are several others
//   message  message, isMine, isMore: it continues a group
//   meta     at, isMine, message: below a group, the last of which it is
//
// Options: self, the id of the member; newId, of the first new message; dayOf(at), which
// returns the day of an instant; named, to show names.
export function timeline(messages, { self, newId = null, dayOf, named = false }) {
	const entries = [];
	let before = null;
	messages.forEach((message, i) => {
		const day = dayOf(message.at);
		const isMine = message.senderId === self;
		const isNewDay = !before || dayOf(before.at) !== day;
		const continues = (one, other) => one.senderId === other.senderId && Date.parse(other.at) - Date.parse(one.at) <= GROUP && dayOf(one.at) === dayOf(other.at)
			&& (newId === null || other.id !== newId) && one.state !== "failed";
		const isMore = Boolean(before) && continues(before, message);
		if (isNewDay) entries.push({ kind: "day", key: `day ${day}`, day });
		if (newId !== null && message.id === newId) entries.push({ kind: "new", key: "new" });
		if (named && !isMine && !isMore) entries.push({ kind: "name", key: `name ${keyOf(message)}`, name: message.name });
		entries.push({ kind: "message", key: keyOf(message), message, isMine, isMore });
		const next = messages[i + 1];
		if (!next || !continues(message, next)) entries.push({ kind: "meta", key: `meta ${keyOf(message)}`, at: message.at, isMine, message });
		before = message;
	});
	return entries;
}

function keyOf({ key, id }) {
	return key ?? id;
}

// isAfter reports whether a message is after another one, which may be unknown.
export function isAfter(messages, id, other) {
	const at = messages.findIndex((message) => message.id === id);
	return at > messages.findIndex((message) => message.id === other);
}
