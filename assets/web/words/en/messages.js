// English texts of Messages.

// catalog returns words.messages as functions that return texts, see loadWords in words.js.
export const catalog = ({ number, plural }) => ({
	title: () => "Messages",
	find: () => "Find in this thread",
	foundAt: (position, count, isAll) => (isAll
		? `${number(position)} of ${number(count)}`
		: `${number(position)} of at least ${number(count)}`),
	foundBefore: () => "Earlier message found",
	foundAfter: () => "Later message found",
	threads: () => "Threads",
	search: () => "Search your messages",
	searchShort: () => "Search",
	found: (count) => plural(count, { one: "1 message", other: `${number(count)} messages` }),
	none: () => "No messages yet",
	noneText: () => "Write to a member of this server.",
	choose: () => "Choose a thread",
	older: () => "Older threads",
	earlier: () => "Earlier messages",
	newest: () => "Go to the newest message",
	// twoPeople returns the texts before, of and after a link.
	twoPeople: () => ["A thread has exactly two people. To talk with more, ", "start a conversation", "."],
	you: () => "You",
	draft: (text) => `Draft: ${text}`,
	direct: (text) => `Direct message · ${text}`,
	log: (name) => `Messages with ${name}`,
	to: (name) => `Message to ${name}`,
	send: () => "Send",
	sending: () => "Sending",
	sendAgain: () => "Send again",
	noReply: () => "You cannot reply in this thread.",
	profile: () => "Profile",
	markUnread: () => "Mark as unread",
	blocked: (name) => `${name} is blocked.`,
});
