// Holds the messages and replies that the member has sent, until the server returns them.

import { newKey } from "../world/client.js";

// Outbox contains the sent messages of each thread. A thread is identified by a string, its name. An
// entry of the outbox has:
//
//   key      the Idempotency-Key of the first attempt, which identifies the entry
//   id       the id of the message, or null until the server has replied
//   queueId  the id of the message in the Queue, if it is there
//   body     the text of the message
//   at       the time of the message, in the format of RFC 3339
//   state    "sending", "sent", "waiting" for a connection, or "failed"
//   error    the error of a failed message; null if the message has become too old in the queue, so
//            that the member must confirm that it is sent
//   action   the action that sends the message
//   stored   see add
export class Outbox {
	#entries = new Map(); // name of a thread → entries, the oldest first
	#keys = new Map(); // id of a message → key of its entry, which may be removed
	#latest = new Map(); // name of a thread → promise, resolved when its latest message is queued or sent
	#listeners = new Set();

	// send(action, values, { key, stored }) sends a message and returns a promise of the data of
	// the response. queue is the Queue, or undefined. With a queue, send calls stored when the
	// message is in the queue, and the result is { queued }, the entry of the queue, if the message
	// stays there.
	constructor(send, queue) {
		this.send = send;
		this.queue = queue;
		queue?.subscribe(() => this.#updateFromQueue());
	}

	// addQueued adds entries for the messages of a thread that are in the queue since an earlier visit.
	// action is the action that sends them. adopt does not call the listeners.
	addQueued(thread, action) {
		if (!this.queue || !action) return;
		const knownEntries = this.#entries.get(thread) ?? [];
		const newEntries = this.queue.entriesOf(action)
			.filter(({ id, key }) => !knownEntries.some((entry) => entry.queueId === id || entry.key === key))
			.map((queued) => ({
				key: queued.key, id: null, queueId: queued.id, body: queued.values.body ?? "", at: new Date(queued.time).toISOString(),
				...stateOf(queued), action,
			}));
		if (newEntries.length > 0) this.#entries.set(thread, [...newEntries, ...knownEntries]);
	}

	// subscribe calls a listener with the name of each thread whose entries change. It returns a
	// function that ends the subscription.
	subscribe(listener) {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	// entries returns the entries of a thread except those whose messages are in a list.
	entries(thread, messages = []) {
		const receivedIds = new Set(messages.map(({ id }) => id));
		return (this.#entries.get(thread) ?? []).filter(({ id }) => !receivedIds.has(id));
	}

	// keyOf returns the key of the entry of a message with an id, also after the entry has been
	// removed. The result is undefined if this page has not sent the message.
	keyOf(id) {
		return this.#keys.get(id);
	}

	// add adds an entry, and sends its message when the earlier messages of the thread are queued
	// or sent. stored is called when the message is queued, sent or removed, possibly more than
	// once. The result is a promise that is resolved after the attempt, also if it fails.
	add(thread, action, body, stored = () => {}) {
		const entry = { key: newKey(), id: null, body, at: new Date().toISOString(), state: "sending", error: null, action, stored };
		this.#entries.set(thread, [...(this.#entries.get(thread) ?? []), entry]);
		return this.#sendInOrder(thread, entry);
	}

	// resend sends a failed message again. It ignores entries in other states.
	resend(thread, entry) {
		if (entry.state !== "failed") return Promise.resolve();
		if (entry.queueId) return this.queue.retry(entry.queueId);
		entry.state = "sending";
		return this.#sendInOrder(thread, entry);
	}

	// remove removes an entry, and its message from the queue.
	remove(thread, entry) {
		if (entry.queueId) this.queue.drop(entry.queueId);
		entry.stored?.();
		this.#entries.set(thread, (this.#entries.get(thread) ?? []).filter((other) => other !== entry));
		this.#notify(thread);
	}

	// settle removes the entries of the messages in a list that the server has returned. It does not
	// call the listeners.
	removeReceived(thread, messages) {
		const receivedIds = new Set(messages.map(({ id }) => id));
		const list = this.#entries.get(thread);
		if (list?.some(({ id }) => receivedIds.has(id))) this.#entries.set(thread, list.filter(({ id }) => !receivedIds.has(id)));
	}

	// #sendInOrder sends the message of an entry when the earlier messages of the thread are queued
	// or sent.
	#sendInOrder(thread, entry) {
		const earlier = this.#latest.get(thread) ?? Promise.resolve();
		let release;
		this.#latest.set(thread, new Promise((done) => (release = done)));
		const sending = earlier.then(() => this.#send(thread, entry, () => { entry.stored(); release(); }));
		sending.then(release);
		this.#notify(thread);
		return sending;
	}

	// #send sends the message of an entry, and updates the entry.
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
			else this.remove(thread, entry); // the next read returns the message
		} catch (error) {
			entry.state = "failed";
			entry.error = error;
		}
		return this.#notify(thread);
	}

	// #updateFromQueue updates the states of the queued messages. It removes the entries of messages
	// that are no longer in the queue: they have been sent, and the next read returns them, or the
	// member has discarded them.
	#updateFromQueue() {
		for (const [thread, entries] of this.#entries) {
			for (const entry of entries.filter(({ queueId }) => queueId)) {
				const queueEntry = this.queue.list.find(({ id }) => id === entry.queueId);
				if (!queueEntry) {
					entry.queueId = null;
					this.remove(thread, entry);
					continue;
				}
				if (stateOf(queueEntry).state === entry.state) continue;
				Object.assign(entry, stateOf(queueEntry));
				this.#notify(thread);
			}
		}
	}

	#notify(thread) {
		for (const listener of [...this.#listeners]) listener(thread);
	}
}

// stateOf returns the state and the error of an entry of the outbox from an entry of the queue.
function stateOf({ state, error = null }) {
	return { state: state === "waiting" || state === "sending" ? state : "failed", error };
}

const outboxes = new WeakMap(); // app → its Outbox

// outboxOf returns the Outbox of the app, the same for each call.
export function outboxOf(app) {
	if (!outboxes.has(app)) {
		outboxes.set(app, new Outbox((action, values, options) => (
			app.queue.perform(action, values, { label: values.body, keep: true, ...options })), app.queue));
	}
	return outboxes.get(app);
}
