// The queue of writes: writes without a connection are stored, and sent when there is one.

import { databaseName } from "./cache.js";
import { newKey } from "./client.js";
import { Database } from "./database.js";
import { requestOf } from "./dispatch.js";

const VALID = 23 * 3_600_000; // milliseconds in which a write is sent by itself: the server forgets keys after 24 hours
const WAIT = 5000; // milliseconds before the first repetition
const LONGEST = 60_000;
const PATIENCE = 10_000; // milliseconds after which a caller no longer waits for the response

// The types of actions whose writes may wait: they still mean the same later. Forms in panels
// have the type submit_form and one of the ids. An answer replaces an earlier one, and a tick
// of a task too. Marking as read is none of them: newer messages would be marked as well.
const MESSAGES = ["send_message", "social.dm.send", "social.conversation.reply", "social.event.reply"];
const ANSWERS = ["social.event.rsvp"];
const MESSAGE_FORMS = ["send_message", "reply"];
const ANSWER_FORMS = ["rsvp"];
const TICKS = ["completed", "needs_action"]; // of update_time_object

// kindOf returns the kind of a write that may wait: "message", "answer" or "tick"; or null for
// all others, which need a connection.
export function kindOf(action, values = {}, { fields = {}, etag } = {}) {
	const { type, id } = action;
	if (etag) return null;
	if (MESSAGES.includes(type) || (type === "submit_form" && MESSAGE_FORMS.includes(id))) return "message";
	if (ANSWERS.includes(type) || (type === "submit_form" && ANSWER_FORMS.includes(id))) return "answer";
	const { status, etag: version } = (action.command ?? action).body ?? {};
	const isTick = type === "update_time_object" && TICKS.includes(status) && !version && [values, fields].every((list) => Object.keys(list).length === 0);
	return isTick ? "tick" : null;
}

// Queue contains the writes of the member that have not been sent. They outlast the page and
// the session: only their own member sees and sends them. `list` has an entry for each, the
// oldest first:
//
//   id, kind  a number; see kindOf
//   action, values, fields, path  of the request
//   label     a text by which the member recognizes the write
//   time      of the write, in milliseconds since 1970
//   state     "waiting", "sending", "asks" if the member has to confirm it, because it is old,
//             or "failed" if the server has rejected it
//   error     { status, code, message } of the rejection, or null
//
// One tab at a time sends. Browsers have the locks for that only with HTTPS. Without them, the
// visible tab sends, and the Idempotency-Key keeps writes from being performed twice.
export class Queue {
	list = [];
	#subscribers = new Set();
	#callers = new Map(); // id → { resolve, reject, timer, keep } of a call of perform
	#sending = null; // id
	#flushing = null; // promise of the flush in progress
	#again = false; // whether there is more to send than this flush knows of
	#retry = { timer: undefined, failures: 0 };
	#stop = null; // AbortController from start to stop
	#channel = null; // to the other tabs

	// memberId returns the id of the member whose page this is, or null; signedIn that of the
	// member who has signed in to the browser, or null if it is unknown. connection is the
	// Connection. The others are replaced in tests.
	constructor({
		base = "", dispatcher, connection, memberId, signedIn = () => null, database = new Database(databaseName(base)),
		page = globalThis.document, events = globalThis, locks = globalThis.navigator?.locks,
		openChannel = (name) => new BroadcastChannel(name), now = Date.now, wait = WAIT, patience = PATIENCE, random = Math.random,
	}) {
		Object.assign(this, { name: `queue ${base}`, dispatcher, connection, memberId, signedIn, database, page, events, locks, openChannel, now, wait, patience, random });
	}

	// start reads the list and sends what waits. It is called when the member is known.
	async start() {
		if (this.#stop) return;
		this.#stop = new AbortController();
		const { signal } = this.#stop;
		this.#channel = this.openChannel(this.name);
		this.#channel.onmessage = () => this.#update();
		const release = this.connection.subscribe(({ state }) => state === "online" && this.flush());
		signal.addEventListener("abort", release);
		this.events.addEventListener("online", () => this.flush(), { signal });
		this.page.addEventListener("visibilitychange", () => !this.page.hidden && this.flush(), { signal });
		await this.#update();
		await this.flush();
	}

	// stop ends the sending, such as after a sign-out. The entries stay in the database.
	stop() {
		this.#stop?.abort();
		this.#stop = null;
		this.#channel?.close();
		this.#channel = null;
		clearTimeout(this.#retry.timer);
		this.list = [];
		this.#notify();
	}

	// subscribe calls `listener` with the list after each change, and returns a function that
	// ends that.
	subscribe(listener) {
		this.#subscribers.add(listener);
		return () => this.#subscribers.delete(listener);
	}

	// of returns the entries with the same path as an action, such as the messages of a thread
	// that have not been sent.
	of(action) {
		const { url } = action.command ?? action;
		return this.list.filter(({ path }) => path === url);
	}

	// perform performs an action as Dispatcher.perform does. If it may wait, it is put into the
	// queue first, so that it is not lost with the page, and sent after those before it. The
	// result is then the data of the response, or { queued: entry } if there is none for now; an
	// error means that the server has rejected it. `label` is that of the entry. `stored` is called
	// as soon as the write is in the queue or has been performed. With `keep`, a write that the
	// server rejects stays in the queue: the result is { queued: entry } with the state "failed".
	async perform(action, values = {}, { label = "", stored = () => {}, keep = false, ...options } = {}) {
		const kind = this.#stop && kindOf(action, values, options);
		if (!kind || !this.dispatcher.expectMember()) return this.#performNow(action, values, options, stored);
		const { fields = {}, key = newKey() } = options;
		const { path } = requestOf(action, values, fields);
		const entry = { memberId: this.memberId(), key, kind, action, values, fields, path, label, time: this.now(), state: "waiting", error: null };
		if (!(await this.#add(entry))) return this.#performNow(action, values, options, stored);
		stored();
		const result = this.connection.state === "online" ? this.#awaitResponse(entry, keep) : { queued: entry };
		this.#again = true; // a flush in progress may be about to end
		await this.#changed();
		this.flush();
		return result;
	}

	async #performNow(action, values, options, stored) {
		const data = await this.dispatcher.perform(action, values, options);
		stored();
		return data;
	}

	#awaitResponse(entry, keep) {
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => this.#takeCaller(entry.id)?.resolve({ queued: entry }), this.patience);
			this.#callers.set(entry.id, { resolve, reject, timer, keep });
		});
	}

	// retry sends an entry that waits, or one that was old or rejected as a new write.
	async retry(id) {
		const entry = (await this.#own()).find((entry) => entry.id === id);
		if (!entry) return;
		if (entry.state !== "waiting") await this.#put({ ...entry, key: newKey(), time: this.now(), state: "waiting", error: null });
		await this.#changed();
		await this.flush();
	}

	// drop removes an entry. One that has been sent without a response may have been performed.
	async drop(id) {
		await this.database.remove("writes", [id]);
		await this.#changed();
		this.#takeCaller(id)?.resolve({});
	}

	// clear removes all entries of the member, such as after a sign-out.
	async clear() {
		await this.database.remove("writes", (await this.#own()).map(({ id }) => id));
		await this.#changed();
	}

	// flush sends what waits, in order, until there is no response.
	flush() {
		this.#again = true;
		this.#flushing ??= this.#flush();
		return this.#flushing;
	}

	async #flush() {
		clearTimeout(this.#retry.timer);
		while (this.#again && this.#stop) {
			this.#again = false;
			try {
				if (this.locks) await this.locks.request(this.name, { signal: this.#stop.signal }, () => this.#sendAll());
				else if (!this.page.hidden) await this.#sendAll();
			} catch (error) {
				if (error?.name !== "AbortError") this.#scheduleRetry(0); // no database, or no locks
			}
			await this.#settleCallers();
		}
		this.#flushing = null;
	}

	async #sendAll() {
		for (let entry; (entry = (await this.#own()).find(({ state }) => state === "waiting")); ) {
			if (!this.#stop) return;
			let answerCall = () => {};
			if (this.now() - entry.time > VALID) await this.#put({ ...entry, state: "asks" });
			else answerCall = await this.#send(entry);
			if (!answerCall) return;
			await this.#changed();
			answerCall();
		}
	}

	// #send sends an entry. It returns a function that answers the call of perform, or null if
	// the entry has to be sent again later.
	async #send(entry) {
		const { id, action, values, fields, key } = entry;
		this.#sending = id;
		this.#notify();
		try {
			const data = await this.dispatcher.perform(action, values, { fields, key, attempts: 1 });
			await this.database.remove("writes", [id]);
			this.#retry.failures = 0;
			return () => this.#takeCaller(id)?.resolve(data);
		} catch (error) {
			if (error.hasResponse === false || error.retryable || error.status === 401) {
				if (error.status !== 401) this.#scheduleRetry(error.retryAfter ?? 0);
				return null;
			}
			if (this.#callers.get(id)?.keep === false) {
				await this.database.remove("writes", [id]);
				return () => this.#takeCaller(id)?.reject(error);
			}
			const queued = { ...entry, state: "failed", error: { status: error.status ?? 0, code: error.code ?? "", message: error.message } };
			await this.#put(queued);
			return () => this.#takeCaller(id)?.resolve({ queued });
		} finally {
			this.#sending = null;
			this.#notify();
		}
	}

	#scheduleRetry(seconds) {
		const wait = Math.min(this.wait * 2 ** this.#retry.failures++ * (0.75 + this.random() / 2), LONGEST);
		clearTimeout(this.#retry.timer);
		this.#retry.timer = setTimeout(() => this.flush(), Math.max(wait, seconds * 1000));
	}

	// #add puts an entry into the database, and removes those that it replaces. It returns
	// false if the browser stores nothing.
	async #add(entry) {
		try {
			const own = entry.kind === "message" ? [] : await this.database.all("writes");
			const replaced = own.filter(({ id, memberId, kind, path }) => memberId === entry.memberId && kind === entry.kind && path === entry.path && id !== this.#sending);
			entry.id = await this.database.put("writes", entry);
			await this.database.remove("writes", replaced.map(({ id }) => id));
			return true;
		} catch {
			return false;
		}
	}

	// #put replaces an entry, unless it has been removed meanwhile.
	async #put(entry) {
		if (await this.database.get("writes", entry.id)) await this.database.put("writes", entry);
	}

	// #own returns the entries of the member, unless another one has signed in to the browser.
	async #own() {
		const member = this.memberId();
		const signedIn = this.signedIn();
		if (member === null || (signedIn !== null && String(signedIn) !== String(member))) return [];
		return (await this.database.all("writes").catch(() => [])).filter(({ memberId }) => memberId === member);
	}

	#takeCaller(id) {
		const caller = this.#callers.get(id);
		clearTimeout(caller?.timer);
		this.#callers.delete(id);
		return caller;
	}

	// #settleCallers answers the calls of perform whose writes wait, or are not in the queue any
	// more because another tab has sent them or they have been replaced.
	async #settleCallers() {
		const entries = await this.#own();
		if (this.#again && this.#stop) return; // there may be calls whose writes are still to be sent
		for (const id of [...this.#callers.keys()]) {
			const queued = entries.find((entry) => entry.id === id);
			this.#takeCaller(id).resolve(queued ? { queued } : {});
		}
	}

	// #changed makes the list current in all tabs.
	async #changed() {
		this.#channel?.postMessage("changed");
		await this.#update();
	}

	async #update() {
		this.list = await this.#own();
		this.#notify();
	}

	#notify() {
		this.list = this.list.map((entry) => (entry.state === "waiting" || entry.state === "sending" ? { ...entry, state: entry.id === this.#sending ? "sending" : "waiting" } : entry));
		for (const listener of [...this.#subscribers]) listener(this.list);
	}
}
