// Leader election among the tabs of a browser: the leader works for all of them.

import { linkedController } from "./signals.js";

// Election makes the tab that holds the lock `name` the leader. The leader sends messages to the
// other tabs on the broadcast channel `name`, and replies to { kind: "ask" }. If it does not reply,
// for example because the system has suspended its tab, a visible tab steals the lock.
export class Election {
	isLeader = false;
	#run = null; // AbortController from start to stop
	#term = null; // AbortController of the present request for the lock
	#steals = false; // whether the next request steals the lock
	#channel = null;
	#timer; // timeout of the next message of the leader

	// lead is called with a signal when this tab becomes the leader, and must not return before the
	// signal is aborted. onMessage is called with each message of the leader, onSilence when one is
	// overdue. answer returns the reply of the leader to { kind: "ask" }. times.answer and
	// times.leader are the timeouts of a reply and of the next message, in milliseconds.
	constructor({ name, lead, onMessage, onSilence, answer, times, page, locks, openChannel }) {
		Object.assign(this, { name, lead, onMessage, onSilence, answer, times, page, locks, openChannel });
	}

	// start joins the election.
	start() {
		this.#run = new AbortController();
		this.#channel = this.openChannel(this.name);
		this.#channel.onmessage = ({ data }) => this.#receive(data);
		this.#elect(this.#run.signal);
		this.pingLeader();
	}

	// stop leaves the election, and gives up the lock.
	stop() {
		this.#run?.abort();
		this.#channel?.close();
		this.#channel = null;
		clearTimeout(this.#timer);
		this.isLeader = false;
	}

	// send sends a message to the other tabs.
	send(message) {
		this.#channel?.postMessage(message);
	}

	// pingLeader requests a message of the leader. A leader that does not reply is replaced.
	pingLeader() {
		if (this.isLeader || !this.#channel) return;
		this.#expect(this.times.answer);
		this.send({ kind: "ask" });
	}

	// #elect requests the lock, and again whenever another tab has stolen it.
	async #elect(signal) {
		while (!signal.aborted) {
			const term = (this.#term = linkedController(signal));
			const options = this.#steals ? { steal: true } : { signal: term.signal };
			this.#steals = false;
			try {
				await this.locks.request(this.name, options, () => this.#lead(term.signal));
			} catch (error) {
				if (error?.name !== "AbortError") await this.#lead(signal); // locks are not available: each tab is a leader
			}
			term.abort();
			this.isLeader = false;
			if (!signal.aborted) this.pingLeader(); // finds out whether there is a new leader
		}
	}

	// #lead makes this tab the leader until the signal is aborted.
	async #lead(signal) {
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

	// #expect sets the timeout of the next message of the leader. When it expires, a visible tab
	// steals the lock; a hidden one only calls onSilence, and asks when it becomes visible.
	#expect(time) {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			if (this.isLeader) return;
			this.onSilence();
			if (this.page.hidden) return;
			this.#steals = true;
			this.#term.abort();
		}, time);
	}
}
