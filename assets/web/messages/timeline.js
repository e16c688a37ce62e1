// The history and the timeline of a thread, without DOM. A message is { id, senderId, name, body,
// entities, at }; a message that is being sent also has the key and the state of its entry of the outbox,
// see parts/outbox.js. A history and a page are { messages, previous }: the messages, the oldest one
// first, and the path of the previous page, or null.

const MAX_GROUP_GAP = 5 * 60_000; // maximum milliseconds between consecutive messages of a group

// mergeHistory returns the history after the latest page has been read again. The page replaces the messages of
// the history from its first one on, because messages that it lacks have been deleted. If the history
// does not contain the first message of the page, messages between the two may be missing, and it returns
// the page alone.
export function mergeHistory(history, page) {
	const [first] = page.messages;
	const at = first ? history.messages.findIndex(({ id }) => id === first.id) : -1;
	if (at < 0) return page;
	return { messages: [...history.messages.slice(0, at), ...page.messages], previous: at > 0 ? history.previous : page.previous };
}

// prepend returns the history with the previous page before it.
export function prepend(history, page) {
	const knownIds = new Set(history.messages.map(({ id }) => id));
	return { messages: [...page.messages.filter(({ id }) => !knownIds.has(id)), ...history.messages], previous: page.previous };
}

// firstNew returns the id of the first message after readUpTo that another member has sent. readUpTo is
// the id of a message, or null for the start of the thread; self is the id of the member. It returns null
// if there is no such message, or if it may be in an earlier page.
export function firstNew({ messages, previous }, readUpTo, self) {
	const at = readUpTo ? messages.findIndex(({ id }) => id === readUpTo) : -1;
	if (at < 0 && previous) return null;
	return messages.slice(at + 1).find(({ senderId }) => senderId !== self)?.id ?? null;
}

// timeline returns the entries of a thread in their order. A group consists of consecutive messages of
// one sender and day that are at most MAX_GROUP_GAP milliseconds apart. The first new message begins a group, and
// a failed message ends one. Each entry is { kind, key } with further fields:
//
//   kind       fields                    position
//   "day"      day                       before the first message of a day
//   "new"                                before the first new message
//   "name"     name                      before a group of another member, if named is true
//   "message"  message, isMine, isMore   isMore is whether it is not the first message of its group
//   "meta"     message, at, isMine       after a group, with its last message and its time
//
// Options:
//
//   self   the id of the member
//   newId  the id of the first new message, or null
//   dayOf  a function that returns the day of an instant
//   named  whether groups have the names of their senders
export function timeline(messages, { self, newId = null, dayOf, named = false }) {
	const entries = [];
	const days = new Set(); // days of earlier messages
	let previous = null;
	messages.forEach((message, i) => {
		const day = dayOf(message.at);
		const isMine = message.senderId === self;
		const isNewDay = !previous || dayOf(previous.at) !== day;
		const continues = (first, second) => first.senderId === second.senderId
			&& Date.parse(second.at) - Date.parse(first.at) <= MAX_GROUP_GAP && dayOf(first.at) === dayOf(second.at)
			&& (newId === null || second.id !== newId) && first.state !== "failed";
		const isMore = Boolean(previous) && continues(previous, message);
		// A message of an earlier day that could not be sent follows the messages of today: then a day appears twice.
		if (isNewDay) entries.push({ kind: "day", key: days.has(day) ? `day ${day} ${keyOf(message)}` : `day ${day}`, day });
		days.add(day);
		if (newId !== null && message.id === newId) entries.push({ kind: "new", key: "new" });
		if (named && !isMine && !isMore) entries.push({ kind: "name", key: `name ${keyOf(message)}`, name: message.name });
		entries.push({ kind: "message", key: keyOf(message), message, isMine, isMore });
		const next = messages[i + 1];
		if (!next || !continues(message, next)) entries.push({ kind: "meta", key: `meta ${keyOf(message)}`, at: message.at, isMine, message });
		previous = message;
	});
	return entries;
}

// keyOf returns the key of a message: the key of its entry of the outbox, so that its element stays when the
// server returns the message, or else its id.
function keyOf({ key, id }) {
	return key ?? id;
}

// isAfter reports whether the message with an id is after the message with the id `other`. Unknown messages
// are before all known ones.
export function isAfter(messages, id, other) {
	const at = messages.findIndex((message) => message.id === id);
	return at > messages.findIndex((message) => message.id === other);
}
