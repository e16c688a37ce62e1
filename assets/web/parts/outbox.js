// Messages and replies of the member that the server has not returned yet.

import { newKey } from "../world/client.js";

// Outbox contains messages by threads. An entry is { key, id, body, at, state, error, action,
// queued }: key is its Idempotency-Key, which further attempts repeat; state is "sending", also
// while it waits for a connection, "sent" or "failed"; id is that of the message, as soon as the
// server has it; queued is its id in the queue of writes, if it is there.
export class Outbox {
	#entries = new Map(); // name of a thread → entries, the oldest first
	#keys = new Map(); // id of a message → key of the entry that it was
	#last = new Map(); // name of a thread → promise of its latest request
	#listeners = new Set();

	// send(action, values, { key }) sends a message and returns a promise of the data of the
	// response, or of { queued } as Queue.perform does. It is the only function that sends
	// messages. queue is the Queue, null in a page without one.
	constructor(send, queue = null) {
		Object.assign(this, { send, queue });
		queue?.subscribe((list) => this.#follow(list));
	}

	// adopt adds the messages to a thread that earlier visits have left in the queue. action is
	// that which sends messages to the thread.
	adopt(thread, action) {
		const entries = this.#entries.get(thread) ?? [];
		for (const record of (action && this.queue?.of(action)) ?? []) {
			if (entries.some(({ key, queued }) => key === record.key || queued === record.id)) continue;
			const entry = { key: record.key, id: null, body: record.values.body, at: new Date(record.time).toISOString(), action, queued: record.id };
			entries.push(Object.assign(entry, stateOf(record)));
		}
		this.#entries.set(thread, entries);
	}

	// subscribe calls a function with the name of a thread whose entries have changed. It
	// returns a function that ends the subscription.
	subscribe(listener) {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	// entries returns the messages of a thread that are not part of a history.
	entries(thread, messages = []) {
		const known = new Set(messages.map(({ id }) => id));
		return (this.#entries.get(thread) ?? []).filter(({ id }) => !known.has(id));
	}

	// keyOf returns the key of the entry that a message was, or undefined.
	keyOf(id) {
		return this.#keys.get(id);
	}

	// add sends a message after those before it.
	add(thread, action, body) {
		const entry = { key: newKey(), id: null, body, at: new Date().toISOString(), state: "sending", error: null, action, queued: null };
		this.#entries.set(thread, [...(this.#entries.get(thread) ?? []), entry]);
		return this.#run(thread, entry);
	}

	// again repeats a message that was not sent.
	again(thread, entry) {
		if (entry.state !== "failed") return Promise.resolve();
		if (entry.queued) return this.queue.retry(entry.queued);
		entry.state = "sending";
		return this.#run(thread, entry);
	}

	// remove forgets a message.
	remove(thread, entry) {
		if (entry.queued && this.queue.list.some(({ id }) => id === entry.queued)) this.queue.drop(entry.queued);
		this.#entries.set(thread, (this.#entries.get(thread) ?? []).filter((other) => other !== entry));
		this.#notify(thread);
	}

	// settle forgets the messages that a history contains.
	settle(thread, messages) {
		const known = new Set(messages.map(({ id }) => id));
		const list = this.#entries.get(thread);
		if (list?.some(({ id }) => known.has(id))) this.#entries.set(thread, list.filter(({ id }) => !known.has(id)));
	}

	#run(thread, entry) {
		const before = this.#last.get(thread) ?? Promise.resolve();
		const sent = before.then(() => this.#send(thread, entry));
		this.#last.set(thread, sent);
		this.#notify(thread);
		return sent;
	}

	async #send(thread, entry) {
		try {
			const data = await this.send(entry.action, { body: entry.body }, { key: entry.key });
			entry.queued = data?.queued?.id ?? null;
			if (entry.queued) return this.#follow(this.queue.list);
			const stored = data?.message ?? data?.reply;
			entry.id = stored?.id ?? null;
			entry.at = stored?.created_at ?? entry.at;
			entry.state = "sent";
			if (entry.id) this.#keys.set(entry.id, entry.key);
			else this.remove(thread, entry); // the next read shows it
		} catch (error) {
			entry.state = "failed";
			entry.error = error;
		}
		this.#notify(thread);
		return undefined;
	}

	// #follow gives the messages that are in the queue their state there. Those that have left
	// the queue are sent: the next read shows them.
	#follow(list) {
		for (const [thread, entries] of this.#entries) {
			for (const entry of entries.filter(({ queued }) => queued)) {
				const record = list.find(({ id }) => id === entry.queued);
				if (record) Object.assign(entry, stateOf(record));
				else this.remove(thread, entry);
			}
			if (entries.some(({ queued }) => queued)) this.#notify(thread);
		}
	}

	#notify(thread) {
		for (const listener of [...this.#listeners]) listener(thread);
	}
}

// stateOf returns the state of a message by its entry in the queue.
function stateOf({ state, error }) {
	return state === "waiting" || state === "sending" ? { state: "sending", error: null } : { state: "failed", error: error ?? { code: state, message: "" } };
}

const outboxes = new WeakMap();

// outboxOf returns the outbox of the app.
export function outboxOf(app) {
	if (!outboxes.has(app)) outboxes.set(app, new Outbox((action, values, options) => app.queue.perform(action, values, { label: values.body, ...options }), app.queue));
	return outboxes.get(app);
}
