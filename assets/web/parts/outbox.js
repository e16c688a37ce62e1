// Messages and replies that have been sent from this page, until the server returns them.

import { newKey } from "../world/client.js";

// Outbox contains messages by threads. An entry is { key, id, body, at, state, error, action }:
// key is its Idempotency-Key, which further attempts repeat; state is "sending", "sent",
// "waiting" for a connection, or "failed", with the error, or null for a message that is too old
// to be sent by itself; id is that of the message, as soon as the server has it.
export class Outbox {
	#entries = new Map(); // name of a thread → entries, the oldest first
	#keys = new Map(); // id of a message → key of the entry that it was
	#last = new Map(); // name of a thread → promise that its latest message is stored or sent
	#listeners = new Set();

	// send(action, values, { key, stored }) sends a message and returns a promise of the data of the
	// response. It is the only function that sends messages. queue is the Queue, if there is one:
	// then send calls stored as soon as the message is in the queue, and the result is { queued },
	// the entry of the queue, if the message stays there.
	constructor(send, queue) {
		this.send = send;
		this.queue = queue;
		queue?.subscribe(() => this.#followQueue());
	}

	// adopt shows the messages of a thread that wait in the queue since an earlier visit. action
	// is the one that sends them.
	adopt(thread, action) {
		if (!this.queue || !action) return;
		const known = this.#entries.get(thread) ?? [];
		const found = this.queue.of(action).filter(({ id, key }) => !known.some((entry) => entry.queueId === id || entry.key === key)).map((queued) => (
			{ key: queued.key, id: null, queueId: queued.id, body: queued.values.body ?? "", at: new Date(queued.time).toISOString(), ...stateOf(queued), action }));
		if (found.length > 0) this.#entries.set(thread, [...found, ...known]);
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

	// add sends a message after those before it. stored is called as soon as the message outlasts
	// the page, or is forgotten.
	add(thread, action, body, stored = () => {}) {
		const entry = { key: newKey(), id: null, body, at: new Date().toISOString(), state: "sending", error: null, action, stored };
		this.#entries.set(thread, [...(this.#entries.get(thread) ?? []), entry]);
		return this.#run(thread, entry);
	}

	// again repeats a message that was not sent.
	again(thread, entry) {
		if (entry.state !== "failed") return Promise.resolve();
		if (entry.queueId) return this.queue.retry(entry.queueId);
		entry.state = "sending";
		return this.#run(thread, entry);
	}

	// remove forgets a message.
	remove(thread, entry) {
		if (entry.queueId) this.queue.drop(entry.queueId);
		entry.stored?.();
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
		let release;
		this.#last.set(thread, new Promise((done) => (release = done)));
		const sent = before.then(() => this.#send(thread, entry, () => { entry.stored(); release(); }));
		sent.then(release);
		this.#notify(thread);
		return sent;
	}

	async #send(thread, entry, stored) {
		try {
			const data = await this.send(entry.action, { body: entry.body }, { key: entry.key, stored });
			if (data?.queued) Object.assign(entry, { queueId: data.queued.id, ...stateOf(data.queued) });
			if (data?.queued) return this.#notify(thread);
			const message = data?.message ?? data?.reply;
			entry.id = message?.id ?? null;
			entry.at = message?.created_at ?? entry.at;
			entry.state = "sent";
			if (entry.id) this.#keys.set(entry.id, entry.key);
			else this.remove(thread, entry); // the next read shows it
		} catch (error) {
			entry.state = "failed";
			entry.error = error;
		}
		return this.#notify(thread);
	}

	// #followQueue shows what has become of the messages in the queue. One that is no longer in
	// it has been sent: the next read shows it.
	#followQueue() {
		for (const [thread, entries] of this.#entries) {
			for (const entry of entries.filter(({ queueId }) => queueId)) {
				const queued = this.queue.list.find(({ id }) => id === entry.queueId);
				if (!queued) {
					entry.queueId = null;
					this.remove(thread, entry);
					continue;
				}
				if (stateOf(queued).state === entry.state) continue;
				Object.assign(entry, stateOf(queued));
				this.#notify(thread);
			}
		}
	}

	#notify(thread) {
		for (const listener of [...this.#listeners]) listener(thread);
	}
}

// stateOf returns the state and the error of a message in the queue.
function stateOf({ state, error = null }) {
	return { state: state === "waiting" || state === "sending" ? state : "failed", error };
}

const outboxes = new WeakMap();

// outboxOf returns the outbox of the app.
export function outboxOf(app) {
	if (!outboxes.has(app)) outboxes.set(app, new Outbox((action, values, options) => app.queue.perform(action, values, { label: values.body, keep: true, ...options }), app.queue));
	return outboxes.get(app);
}
