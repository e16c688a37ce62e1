// Following the changes of World: by the stream, or by asking at intervals.

import { Election } from "./election.js";
import { Waiter, ended, linked } from "./signals.js";
import { Stream } from "./stream.js";

// TIMES are in milliseconds.
const TIMES = {
	silence: 60_000, // after which a stream is given up: the server sends a comment every 25 seconds
	leader: 75_000, // after which the tab that reads the stream is given up
	answer: 3000, // in which that tab answers a question
	poll: 20_000, // between two reads without a stream
	hiddenPoll: 120_000, // the same while the page is hidden
	longest: 60_000, // limit of the wait after repeated failures
};

// Follower reports changes. One tab of a browser reads the stream and tells the others by
// messages: { kind: "event", event, id }, { kind: "alive", id } while the stream works, and
// { kind: "down" } while it does not.
//
// Browsers have locks, which elect the tab, only with HTTPS. Without them, each tab reads the
// stream while it is visible, because a browser has few connections to a server.
export class Follower {
	isLive = false; // whether changes are reported without asking
	#run = null; // AbortController from start to stop
	#pollWaiter = new Waiter();

	// name is that of the lock and the channel: one for each member and path of base-url. url
	// is the path of the stream, undefined if the server has none. onEvent is called with the
	// { sections, services } of an event, or with {} if everything may have changed; onLive
	// when isLive has changed.
	constructor({
		client, name, url, onEvent, onLive = () => {}, times = {}, random = Math.random,
		page = globalThis.document, locks = globalThis.navigator?.locks, openChannel = (name) => new BroadcastChannel(name),
	}) {
		Object.assign(this, { url, onEvent, onLive, page, locks, times: { ...TIMES, ...times } });
		this.stream = new Stream({
			client, url, random, times: this.times,
			onEvent: (event) => this.#report(event),
			onState: (works) => this.#streamWorks(works),
		});
		this.election = locks && new Election({
			name, page, locks, openChannel, times: this.times,
			lead: (signal) => this.#lead(signal),
			onMessage: (message) => this.#receive(message),
			onSilence: () => this.#setLive(false),
			answer: () => this.#state(),
		});
	}

	// start begins to report changes.
	start() {
		if (this.#run) return;
		this.#run = new AbortController();
		const { signal } = this.#run;
		this.page.addEventListener("visibilitychange", () => !this.page.hidden && this.#catchUp(), { signal });
		globalThis.addEventListener?.("online", () => this.#catchUp(), { signal });
		this.#poll(signal);
		if (!this.url) return;
		if (this.election) this.election.start();
		else this.#readWhileVisible(signal);
	}

	// stop ends everything, such as after a sign-out or before the browser keeps the page for
	// the way back. start begins again.
	stop() {
		this.#run?.abort();
		this.#run = null;
		this.election?.stop();
		this.#setLive(false);
	}

	// #lead reads the stream as the leader. After the end of the session, the other tabs find
	// that out by their next read.
	async #lead(signal) {
		if (await this.stream.run(signal)) this.election.send({ kind: "event", event: {}, id: "" });
		await ended(signal);
	}

	async #readWhileVisible(signal) {
		while (!signal.aborted) {
			const visit = linked(signal);
			const change = new Promise((resolve) => this.page.addEventListener("visibilitychange", resolve, { signal: visit.signal, once: true }));
			change.then(() => visit.abort());
			if (!this.page.hidden) await this.stream.run(visit.signal);
			await ended(visit.signal);
			this.#setLive(false);
		}
	}

	// #catchUp makes the data current at once, such as when the member looks at it again.
	#catchUp() {
		this.election?.ask();
		this.stream.wake();
		this.#pollWaiter.wake();
	}

	async #poll(signal) {
		while (!signal.aborted) {
			await this.#pollWaiter.wait(this.page.hidden ? this.times.hiddenPoll : this.times.poll, signal);
			if (!signal.aborted && !this.isLive) this.onEvent({});
		}
	}

	// #report reports an event of the stream to this tab and the others.
	#report(event) {
		this.election?.send({ kind: "event", event, id: this.stream.lastEvent });
		this.onEvent(event);
	}

	#streamWorks(works) {
		this.#setLive(works);
		this.election?.send(this.#state());
	}

	#state() {
		return { kind: this.isLive ? "alive" : "down", id: this.stream.lastEvent };
	}

	#receive({ kind, event, id }) {
		if (id) this.stream.lastEvent = id;
		this.#setLive(kind !== "down");
		if (kind === "event") this.onEvent(event);
	}

	#setLive(isLive) {
		if (this.isLive === isLive) return;
		this.isLive = isLive;
		this.onLive(isLive);
	}
}
