// Stores writes that cannot be sent, and sends them when there is a connection.

import { databaseName } from "./cache.js";
import { newKey } from "./client.js";
import { Database } from "./database.js";
import { requestOf } from "./dispatch.js";
import { unsentCounts } from "./unsent.js";

// MAX_AGE is the age up to which a write is sent without a confirmation by the member, in
// milliseconds. The server remembers Idempotency-Keys for 24 hours.
const MAX_AGE = 23 * 3_600_000;
const RETRY_WAIT = 5000; // milliseconds before the first retry
const MAX_WAIT = 60_000; // maximum milliseconds before a retry
const RESPONSE_TIMEOUT = 10_000; // milliseconds that perform waits for a response

// MESSAGE_TYPES, ANSWER_TYPES and the following constants are the types and ids of the actions that may
// be queued, because they have the same meaning later: messages, answers to events, and the status of
// tasks. Forms in panels have the type submit_form and one of the ids. An answer or a status replaces
// an earlier one in the queue. mark_read is not queued: it would mark newer messages too.
const MESSAGE_TYPES = ["send_message", "social.dm.send", "social.conversation.reply", "social.event.reply"];
const ANSWER_TYPES = ["social.event.rsvp"];
const MESSAGE_FORM_IDS = ["send_message", "reply"];
const ANSWER_FORM_IDS = ["rsvp"];
const TICK_STATUSES = ["completed", "needs_action"]; // statuses that update_time_object sets

// kindOf returns the kind of a write that may be queued, "message", "answer" or "tick", or null for
// a write that needs a connection.
export function kindOf(action, values = {}, { fields = {}, etag } = {}) {
	const { type, id } = action;
	if (etag) return null;
	if (MESSAGE_TYPES.includes(type) || (type === "submit_form" && MESSAGE_FORM_IDS.includes(id))) return "message";
	if (ANSWER_TYPES.includes(type) || (type === "submit_form" && ANSWER_FORM_IDS.includes(id))) return "answer";
	const { status, etag: version } = (action.command ?? action).body ?? {};
	const isPlain = !version && [values, fields].every((list) => Object.keys(list).length === 0);
	return type === "update_time_object" && TICK_STATUSES.includes(status) && isPlain ? "tick" : null;
}

// Queue contains the unsent writes of the member. They are stored in the database, which outlives
// the page and the session; only the member who made a write sees and sends it. `list` has an
// entry for each write, the oldest first:
//
//   id, kind  a number; see kindOf
//   action, values, fields, path  the arguments and the path of the request
//   label     a text by which the member recognizes the write
//   time      the time of the write, in milliseconds since 1970
//   state     "waiting", "sending", "asks" if the write is older than MAX_AGE and needs a
//             confirmation of the member, or "failed" if the server has rejected it
//   error     { status, code, message } of the rejection, or null
//
// A lock ensures that one tab sends at a time. Browsers have locks only with HTTPS. Without them,
// every visible tab sends, and the server recognizes repeated writes by their Idempotency-Key.
export class Queue {
	list = [];
	#subscribers = new Set();
	#callers = new Map(); // id → { resolve, reject, timer, keep } of a call of perform
	#sending = null; // id of the entry that is being sent
	#flushing = null; // promise of the flush in progress
	#again = false; // whether flush was called during the flush in progress
	#retry = { timer: undefined, failures: 0 };
	#intercepted = new Map(); // id of an entry → the time at which a proxy first responded to it in place of the server
	#stop = null; // AbortController from start to stop
	#channel = null; // broadcast channel of the tabs

	// memberId returns the id of the member whose data the page shows, or null, and memberName the name. signedIn returns the
	// id of the member who has signed in to the browser, or null if it is unknown. connection is the
	// Connection. Tests replace the other options.
	constructor({
		base = "", dispatcher, connection, memberId, memberName = () => "", signedIn = () => null, database = new Database(databaseName(base)),
		page = globalThis.document, events = globalThis, locks = globalThis.navigator?.locks,
		openChannel = (name) => new BroadcastChannel(name), now = Date.now, wait = RETRY_WAIT,
		responseTimeout = RESPONSE_TIMEOUT, random = Math.random,
	}) {
		Object.assign(this, { name: `queue ${base}`, dispatcher, connection, memberId, memberName, signedIn, database });
		Object.assign(this, { page, events, locks, openChannel, now, wait, responseTimeout, random });
	}

	// start reads the list and sends the waiting entries. It must be called when the member is known.
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

	// stop stops sending, for example after a sign-out. The entries stay in the database.
	stop() {
		this.#stop?.abort();
		this.#stop = null;
		this.#channel?.close();
		this.#channel = null;
		clearTimeout(this.#retry.timer);
		this.list = [];
		this.#notify();
	}

	// subscribe calls `listener` with the list after each change. It returns a function that ends
	// the subscription.
	subscribe(listener) {
		this.#subscribers.add(listener);
		return () => this.#subscribers.delete(listener);
	}

	// entriesOf returns the entries with the path of an action, such as the unsent messages of a
	// thread.
	entriesOf(action) {
		const { url } = action.command ?? action;
		return this.list.filter(({ path }) => path === url);
	}

	// perform performs an action as Dispatcher.perform does. If its write may be queued, it is stored
	// first, so that it is not lost with the page, and sent after the earlier entries. The result is
	// the data of the response, or { queued: entry } if there is no response yet; an error means
	// that the server has rejected the write. Options, besides the options of Dispatcher.perform:
	//
	//   label   the label of the entry
	//   stored  called when the write is in the queue or has been performed
	//   keep    whether a rejected write stays in the queue: the result is then { queued: entry }
	//           with the state "failed"
	async perform(action, values = {}, { label = "", stored = () => {}, keep = false, ...options } = {}) {
		const kind = this.#stop && kindOf(action, values, options);
		if (!kind || !this.dispatcher.expectMember()) return this.#performNow(action, values, options, stored);
		const { fields = {}, key = newKey() } = options;
		const { path } = requestOf(action, values, fields);
		const entry = {
			memberId: this.memberId(), memberName: this.memberName(), key, kind, action, values, fields, path, label,
			time: this.now(), state: "waiting", error: null,
		};
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

	// #awaitResponse returns the promise of perform, which the flush that sends the entry settles.
	#awaitResponse(entry, keep) {
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => this.#takeCaller(entry.id)?.resolve({ queued: entry }), this.responseTimeout);
			this.#callers.set(entry.id, { resolve, reject, timer, keep });
		});
	}

	// retry sends an entry again: a waiting one with its key, another one as a new write.
	async retry(id) {
		const entry = (await this.#ownEntries()).find((entry) => entry.id === id);
		if (!entry) return;
		if (entry.state !== "waiting") await this.#put({ ...entry, key: newKey(), time: this.now(), state: "waiting", error: null });
		await this.#changed();
		await this.flush();
	}

	// drop removes an entry. If it has been sent without a response, the server may have performed it.
	async drop(id) {
		await this.database.remove("writes", [id]);
		await this.#changed();
		this.#takeCaller(id)?.resolve({});
	}

	// clear removes all entries of the member.
	async clear() {
		await this.database.remove("writes", (await this.#ownEntries()).map(({ id }) => id));
		await this.#changed();
	}

	// othersUnsent returns a promise of the counts of the unsent writes of other members in this browser, see
	// unsentCounts.
	async othersUnsent() {
		return (await unsentCounts(this.database)).filter(({ memberId }) => memberId !== this.memberId());
	}

	// flush sends the waiting entries in order, until one gets no response.
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
				if (error?.name !== "AbortError") this.#scheduleRetry(0); // the database or the lock has failed
			}
			await this.#settleCallers();
		}
		this.#flushing = null;
	}

	// #sendAll sends the waiting entries until one gets no response.
	async #sendAll() {
		for (let entry; (entry = (await this.#ownEntries()).find(({ state }) => state === "waiting")); ) {
			if (!this.#stop) return;
			let settle = () => {};
			if (this.now() - entry.time > MAX_AGE) await this.#put({ ...entry, state: "asks" });
			else settle = await this.#send(entry);
			if (!settle) return;
			await this.#changed();
			settle();
		}
	}

	// #send sends an entry. It returns a function that settles the call of perform, or null if the
	// entry must be sent again later.
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
			const isTemporary = error.hasResponse === false || error.retryable || error.status === 401;
			if (isTemporary && !this.#isRefusedByProxy(id, error)) {
				if (error.status !== 401) this.#scheduleRetry(error.retryAfter ?? 0);
				return null;
			}
			if (this.#callers.get(id)?.keep === false) {
				await this.database.remove("writes", [id]);
				return () => this.#takeCaller(id)?.reject(error);
			}
			const rejection = { status: error.status ?? 0, code: error.code ?? "", message: error.message };
			const failedEntry = { ...entry, state: "failed", error: rejection };
			await this.#put(failedEntry);
			return () => this.#takeCaller(id)?.resolve({ queued: failedEntry });
		} finally {
			this.#sending = null;
			this.#notify();
		}
	}

	// #isRefusedByProxy reports whether a proxy, such as a firewall, has repeatedly responded to an entry in place
	// of the server, although the server has been reached meanwhile: it lets other requests pass, so that this
	// one would wait for ever.
	#isRefusedByProxy(id, { code }) {
		if (code !== "intercepted") return false;
		const firstTime = this.#intercepted.get(id);
		if (firstTime === undefined) this.#intercepted.set(id, this.now());
		if (!(this.connection.lastContact >= firstTime)) return false;
		return this.#intercepted.delete(id);
	}

	// #scheduleRetry schedules a flush after a growing wait, but not before the Retry-After of the
	// server, in seconds.
	#scheduleRetry(seconds) {
		const wait = Math.min(this.wait * 2 ** this.#retry.failures++ * (0.75 + this.random() / 2), MAX_WAIT);
		clearTimeout(this.#retry.timer);
		this.#retry.timer = setTimeout(() => this.flush(), Math.max(wait, seconds * 1000));
	}

	// #add puts an entry into the database, and removes the entries that it replaces. It returns false if
	// the database is not available.
	async #add(entry) {
		try {
			const storedEntries = entry.kind === "message" ? [] : await this.database.all("writes");
			const isSame = (other) => ["memberId", "kind", "path"].every((field) => other[field] === entry[field]);
			const replaced = storedEntries.filter((other) => isSame(other) && other.id !== this.#sending);
			entry.id = await this.database.put("writes", entry);
			await this.database.remove("writes", replaced.map(({ id }) => id));
			return true;
		} catch {
			return false;
		}
	}

	// #put updates an entry, unless it has been removed meanwhile.
	async #put(entry) {
		if (await this.database.get("writes", entry.id)) await this.database.put("writes", entry);
	}

	// #ownEntries returns the entries of the member, or none if another member has signed in to the
	// browser.
	async #ownEntries() {
		const member = this.memberId();
		const signedIn = this.signedIn();
		if (member === null || (signedIn !== null && String(signedIn) !== String(member))) return [];
		return (await this.database.all("writes").catch(() => [])).filter(({ memberId }) => memberId === member);
	}

	// #takeCaller returns the call of perform that waits for an entry, and removes it.
	#takeCaller(id) {
		const caller = this.#callers.get(id);
		clearTimeout(caller?.timer);
		this.#callers.delete(id);
		return caller;
	}

	// #settleCallers settles the calls of perform after a flush: their entries wait for a retry, or
	// another tab has sent them, or they have been replaced.
	async #settleCallers() {
		const entries = await this.#ownEntries();
		if (this.#again && this.#stop) return; // the next round may send their entries
		for (const id of [...this.#callers.keys()]) {
			const queued = entries.find((entry) => entry.id === id);
			this.#takeCaller(id).resolve(queued ? { queued } : {});
		}
	}

	// #changed updates the list in all tabs.
	async #changed() {
		this.#channel?.postMessage("changed");
		await this.#update();
	}

	async #update() {
		this.list = await this.#ownEntries();
		this.#notify();
	}

	// #notify updates the states "waiting" and "sending" and calls the subscribers.
	#notify() {
		this.list = this.list.map((entry) => {
			if (entry.state !== "waiting" && entry.state !== "sending") return entry;
			return { ...entry, state: entry.id === this.#sending ? "sending" : "waiting" };
		});
		for (const listener of [...this.#subscribers]) listener(this.list);
	}
}
