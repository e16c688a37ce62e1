// The state of the connection to the server.

const PATIENCE = 3000; // milliseconds without a response after a failure, before it counts

// Connection contains the state of the connection to the server. The Client reports each request
// to it, and the Follower the stream. Subscribers are called after each change of `state`.
export class Connection {
	state = "online"; // "offline": the device has no network; "unreachable": the server does not respond
	since = 0; // the time at which the state began, in milliseconds since 1970
	lastContact = 0; // the time of the latest response, also one in an earlier visit; 0 if unknown
	#subscribers = new Set();
	#timer;

	// stored is the MemberCache. The others are replaced in tests.
	constructor({ stored = null, patience = PATIENCE, now = Date.now, events = globalThis, hasNetwork = () => globalThis.navigator?.onLine !== false } = {}) {
		Object.assign(this, { stored, patience, now, events, hasNetwork });
	}

	// start begins to follow the network of the device, and finds out the time of the latest
	// response in an earlier visit.
	async start() {
		this.events.addEventListener?.("offline", () => this.setContact(false));
		if (!this.hasNetwork()) this.setContact(false);
		this.lastContact = Math.max(this.lastContact, (await this.stored?.lastContact()) ?? 0);
		if (this.state !== "online") this.#notify();
	}

	// subscribe calls `listener` after each change of the state, and returns a function that
	// ends that.
	subscribe(listener) {
		this.#subscribers.add(listener);
		return () => this.#subscribers.delete(listener);
	}

	// setContact notes that the server has responded, or that it has not. A failure counts if
	// there is no response in the next seconds, or at once if the device has no network.
	setContact(reached) {
		if (reached) {
			clearTimeout(this.#timer);
			this.#timer = undefined;
			this.lastContact = this.now();
			this.stored?.setContact(this.lastContact);
			this.#set("online");
		} else if (this.state !== "online" || !this.hasNetwork()) {
			this.#lose();
		} else {
			this.#timer ??= setTimeout(() => this.#lose(), this.patience);
		}
	}

	#lose() {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#set(this.hasNetwork() ? "unreachable" : "offline");
	}

	#set(state) {
		if (this.state === state) return;
		const wasOnline = this.state === "online";
		this.state = state;
		if (wasOnline || state === "online") this.since = this.now();
		this.#notify();
	}

	#notify() {
		for (const listener of [...this.#subscribers]) listener(this);
	}
}
