// Reports changes of World's data: from the stream of the server, or by polling.

import { Election } from "./election.js";
import { Waiter, whenAborted, linkedController } from "./signals.js";
import { Stream } from "./stream.js";

// TIMES are the intervals and timeouts of a Follower, in milliseconds.
const TIMES = {
	silence: 60_000, // timeout of the stream; the server sends a comment every 25 seconds
	leader: 75_000, // timeout of the messages of the leader
	answer: 3000, // timeout of a reply of the leader
	poll: 20_000, // polling interval without a stream
	hiddenPoll: 120_000, // the polling interval while the page is hidden
	longest: 60_000, // maximum wait after repeated failures
};

// Follower reports changes. One tab of a browser, the leader, reads the stream and sends messages
// to the other tabs: { kind: "event", event, id } for each event, { kind: "alive", id } while the
// stream is connected, and { kind: "down", id } while it is not.
//
// The election of the leader needs locks, which browsers have only with HTTPS. Without them, each
// visible tab reads the stream. Hidden tabs do not, because browsers limit the connections to a
// server.
export class Follower {
	isLive = false; // whether the stream reports changes, so that no polling is needed
	#run = null; // AbortController from start to stop
	#pollWaiter = new Waiter();

	// name is the name of the lock and the broadcast channel, unique for a member and base-url. url
	// is the path of the stream, undefined if the server has none. onEvent is called with
	// { sections, services } for an event, or with {} if everything may have changed. onLive is
	// called with isLive when it changes.
	constructor({
		client, name, url, onEvent, onLive = () => {}, times = {}, random = Math.random,
		page = globalThis.document, locks = globalThis.navigator?.locks, openChannel = (name) => new BroadcastChannel(name),
	}) {
		Object.assign(this, { url, onEvent, onLive, page, locks, times: { ...TIMES, ...times } });
		this.stream = new Stream({
			client, url, random, times: this.times,
			onEvent: (event) => this.#report(event),
			onState: (isConnected) => this.#setStreamState(isConnected),
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
		globalThis.addEventListener?.("online", () => {
			this.#catchUp();
			if (this.isLive) this.onEvent({}); // the stream may be broken; and a response shows that the server is reachable
		}, { signal });
		this.#poll(signal);
		if (!this.url) return;
		if (this.election) this.election.start();
		else this.#readWhileVisible(signal);
	}

	// stop ends the reports, for example after a sign-out, or before the browser puts the page into
	// its back/forward cache. start may be called again.
	stop() {
		this.#run?.abort();
		this.#run = null;
		this.election?.stop();
		this.#setLive(false);
	}

	// #lead reads the stream as the leader. If the session has ended, it makes the other tabs read,
	// so that they notice the end too.
	async #lead(signal) {
		if (await this.stream.run(signal)) this.election.send({ kind: "event", event: {}, id: "" });
		await whenAborted(signal);
	}

	// #readWhileVisible reads the stream without an election.
	async #readWhileVisible(signal) {
		while (!signal.aborted) {
			const visit = linkedController(signal);
			const change = new Promise((resolve) => this.page.addEventListener("visibilitychange", resolve, { signal: visit.signal, once: true }));
			change.then(() => visit.abort());
			if (!this.page.hidden) await this.stream.run(visit.signal);
			await whenAborted(visit.signal);
			this.#setLive(false);
		}
	}

	// #catchUp ends all waits, so that changes are reported at once if the stream does not work. It is called when
	// the page becomes visible and when the device is back online.
	#catchUp() {
		this.election?.pingLeader();
		this.stream.wake();
		this.#pollWaiter.wake();
	}

	// #poll reports at intervals that everything may have changed, unless the stream works.
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

	#setStreamState(isConnected) {
		this.#setLive(isConnected);
		this.election?.send(this.#state());
	}

	// #state returns the message that describes the state of the stream.
	#state() {
		return { kind: this.isLive ? "alive" : "down", id: this.stream.lastEvent };
	}

	// #receive handles a message of the leader.
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
