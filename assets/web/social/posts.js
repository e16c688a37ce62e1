// The posts of a conversation, without DOM. A post is an item of World's panel: its id, actor,
// body, entities and metadata.created_at.

// mergePosts returns the posts that are known and those of the latest page, which replaces what
// it has. If posts are missing between the two, only the page remains.
export function mergePosts(known, page) {
	if (page.length === 0) return [];
	const at = known.findIndex(({ id }) => id === page[0].id);
	return at < 0 ? [...page] : [...known.slice(0, at), ...page];
}

// firstNew returns the index of the first post that the member has not read, or -1. readUpTo
// is the id of the last post they have read, null for none; own posts are not new.
export function firstNew(posts, { readUpTo, unread, self }) {
	if (!unread) return -1;
	const after = posts.findIndex(({ id }) => id === readUpTo) + 1;
	return posts.findIndex(({ actor }, i) => i >= after && actor?.member_id !== self);
}

// isFollowing reports whether a post continues the one before it: the same author within five
// minutes.
export function isFollowing(post, before) {
	if (!before || !post.actor || post.actor.member_id !== before.actor?.member_id) return false;
	return Date.parse(post.metadata.created_at) - Date.parse(before.metadata.created_at) < 300_000;
}

// Outbox has the replies that are being sent, or were not sent, by the conversation to which
// they belong. A reply that is sent again has the same key, so that the server stores it once.
export class Outbox {
	#lists = new Map(); // target → list of { key, text, at, state, id, error }
	#listeners = new Set();

	// perform(action, text, key) returns a promise of the id of the stored reply.
	constructor(perform, makeKey) {
		Object.assign(this, { perform, makeKey });
	}

	// listen calls a function with the target after each change, and returns a function that
	// ends that.
	listen(listener) {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	// list returns the replies of a conversation that are not among its posts yet.
	list(target) {
		return this.#lists.get(target) ?? [];
	}

	// send sends a text. state is "sending", then "sent" or "failed".
	async send(target, action, text, entry = { key: this.makeKey(), text, at: Date.now() }) {
		Object.assign(entry, { state: "sending", error: null });
		if (!this.list(target).includes(entry)) this.#set(target, [...this.list(target), entry]);
		else this.#tell(target);
		try {
			entry.id = await this.perform(action, entry.text, entry.key);
			entry.state = "sent";
		} catch (error) {
			Object.assign(entry, { state: "failed", error });
		}
		this.#tell(target);
	}

	// drop removes a reply that was not sent.
	drop(target, entry) {
		this.#set(target, this.list(target).filter((other) => other !== entry));
	}

	// settle removes the replies that are among the posts now.
	settle(target, posts) {
		const list = this.list(target);
		const ids = new Set(posts.map(({ id }) => id));
		const left = list.filter(({ state, id }) => state !== "sent" || (id && !ids.has(id)));
		if (left.length < list.length) this.#set(target, left, { silent: true });
	}

	#set(target, list, { silent = false } = {}) {
		if (list.length > 0) this.#lists.set(target, list);
		else this.#lists.delete(target);
		if (!silent) this.#tell(target);
	}

	#tell(target) {
		for (const listener of [...this.#listeners]) listener(target);
	}
}
