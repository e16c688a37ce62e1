// The state of the connection to the server.

const UNREACHABLE_DELAY = 3000; // milliseconds from a failed request to the state "unreachable"

// Connection contains the state of the connection to the server. The Client reports the result of
// each request to it, and the Follower the result of the stream.
export class Connection {
	// "offline": the device has no network; "unreachable": the server does not respond; "intercepted": a proxy
	// in front of it requires a sign-in of its own
	state = "online";
	since = 0; // the time of the latest change from or to "online", in milliseconds since 1970
	lastContact = 0; // the time of the latest response, in this visit or an earlier one; 0 if unknown
	#subscribers = new Set();
	#timer;
	#failure = "unreachable"; // the state after the latest failure, if the device has a network

	// memberCache is the MemberCache. Tests replace the other options.
	constructor({
		memberCache = null, unreachableDelay = UNREACHABLE_DELAY, now = Date.now, events = globalThis,
		hasNetwork = () => globalThis.navigator?.onLine !== false,
	} = {}) {
		Object.assign(this, { memberCache, unreachableDelay, now, events, hasNetwork });
	}

	// start subscribes to the network state of the device, and loads lastContact from the cache.
	async start() {
		this.events.addEventListener?.("offline", () => this.setContact(false));
		if (!this.hasNetwork()) this.setContact(false);
		this.lastContact = Math.max(this.lastContact, (await this.memberCache?.lastContact()) ?? 0);
		if (this.state !== "online") this.#notify();
	}

	// subscribe calls `listener` with the Connection after each change of the state or of
	// lastContact by start. It returns a function that ends the subscription.
	subscribe(listener) {
		this.#subscribers.add(listener);
		return () => this.#subscribers.delete(listener);
	}

	// setContact sets the state after a request: reached is whether the server has responded, code the code of
	// the error. After a failure, the state changes if there is no response within `unreachableDelay`
	// milliseconds, or at once if the device has no network.
	setContact(reached, code = "") {
		this.#failure = code === "intercepted" ? code : "unreachable";
		if (reached) {
			clearTimeout(this.#timer);
			this.#timer = undefined;
			this.lastContact = this.now();
			this.memberCache?.setContact(this.lastContact);
			this.#set("online");
		} else if (this.state !== "online" || !this.hasNetwork()) {
			this.#setDisconnected();
		} else {
			this.#timer ??= setTimeout(() => this.#setDisconnected(), this.unreachableDelay);
		}
	}

	// #setDisconnected sets the state to "unreachable" or "offline".
	#setDisconnected() {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#set(this.hasNetwork() ? this.#failure : "offline");
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
