// Election of the one tab of a browser that does something for all: the leader.

import { linked } from "./signals.js";

// Election makes the tab that holds the lock `name` the leader. The leader sends messages to
// the others through the channel `name`, and answers { kind: "ask" }. If it is silent, such
// as a tab that the system has suspended, a visible tab takes the lock from it.
export class Election {
	isLeader = false;
	#run = null; // AbortController from start to stop
	#term = null; // AbortController of the present request for the lock
	#takes = false; // whether the next request takes the lock from its holder
	#channel = null;
	#timer; // limits the wait for a message of the leader

	// lead is called with a signal when the tab has become the leader; it must not return
	// before the signal is aborted. onMessage is called with the messages of the leader,
	// onSilence when it sends none. answer returns the message for a tab that asks.
	constructor({ name, lead, onMessage, onSilence, answer, times, page, locks, openChannel }) {
		Object.assign(this, { name, lead, onMessage, onSilence, answer, times, page, locks, openChannel });
	}

	start() {
		this.#run = new AbortController();
		this.#channel = this.openChannel(this.name);
		this.#channel.onmessage = ({ data }) => this.#receive(data);
		this.#elect(this.#run.signal);
		this.ask();
	}

	stop() {
		this.#run?.abort();
		this.#channel?.close();
		this.#channel = null;
		clearTimeout(this.#timer);
		this.isLeader = false;
	}

	// send sends a message of the leader to the other tabs.
	send(message) {
		this.#channel?.postMessage(message);
	}

	// ask makes the leader send a message soon, or be replaced.
	ask() {
		if (this.isLeader || !this.#channel) return;
		this.#expect(this.times.answer);
		this.send({ kind: "ask" });
	}

	// #elect requests the lock again and again: it is lost if another tab takes it.
	async #elect(signal) {
		while (!signal.aborted) {
			const term = (this.#term = linked(signal));
			const options = this.#takes ? { steal: true } : { signal: term.signal };
			this.#takes = false;
			try {
				await this.locks.request(this.name, options, () => this.#beLeader(term.signal));
			} catch (error) {
				if (error?.name !== "AbortError") await this.#beLeader(signal); // no locks in this page: every tab leads
			}
			term.abort();
			this.isLeader = false;
			if (!signal.aborted) this.ask(); // whether there is a new leader
		}
	}

	// #beLeader makes this tab the leader until the signal is aborted.
	async #beLeader(signal) {
		if (signal.aborted) return;
		clearTimeout(this.#timer);
		this.isLeader = true;
		await this.lead(signal);
	}

	#receive(message) {
		if (message.kind === "ask") {
			if (this.isLeader) this.send(this.answer());
		} else if (!this.isLeader) {
			this.#expect(this.times.leader);
			this.onMessage(message);
		}
	}

	// #expect waits for a message of the leader. A hidden tab only notes the silence: it asks
	// when it becomes visible.
	#expect(time) {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			if (this.isLeader) return;
			this.onSilence();
			if (this.page.hidden) return;
			this.#takes = true;
			this.#term.abort();
		}, time);
	}
}
