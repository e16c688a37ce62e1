// Reads the stream of World's changes (server-sent events).

import { RequestError } from "./errors.js";
import { Waiter, linkedController } from "./signals.js";
import { EventParser } from "./sse.js";

// Stream reads the stream, and reconnects whenever it ends.
export class Stream {
	lastEvent = ""; // id of the latest event; a new connection begins with the changes since it
	#retry = 3000; // milliseconds before a reconnection; the server can change it
	#waiter = new Waiter();

	// url is the path of the stream. onEvent is called with { sections, services } for each event,
	// or with {} if everything may have changed. onState is called with true after a connection and
	// after each chunk, and with false after an end. times are the times of the Follower.
	constructor({ client, url, onEvent, onState, times, random = Math.random }) {
		Object.assign(this, { client, url, onEvent, onState, times, random });
	}

	// wake reconnects at once if the stream waits to do so.
	wake() {
		this.#waiter.wake();
	}

	// run reads the stream until the signal is aborted or the session has ended. It returns whether
	// the session has ended.
	async run(signal) {
		for (let failures = 0; !signal.aborted; ) {
			let problem;
			try {
				await this.#listen(signal, () => (failures = 0));
			} catch (error) {
				problem = error;
			}
			if (signal.aborted) break;
			this.onState(false);
			if (problem?.status === 401) return true;
			const wait = Math.min(this.#retry * 2 ** failures++ * (0.75 + this.random() / 2), this.times.longest);
			await this.#waiter.wait(Math.max(wait, (problem?.retryAfter ?? 0) * 1000), signal);
		}
		return false;
	}

	// #listen reads one connection until it ends, or until no octet arrives for times.silence.
	// connected is called when the response has begun.
	async #listen(signal, connected) {
		const connection = linkedController(signal);
		let timer;
		const restartTimer = () => {
			clearTimeout(timer);
			timer = setTimeout(() => connection.abort(), this.times.silence);
		};
		try {
			restartTimer();
			const headers = { Accept: "text/event-stream", ...(this.lastEvent && { "Last-Event-ID": this.lastEvent }) };
			const response = await this.client.open(this.url, { headers, signal: connection.signal });
			if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) throw new RequestError({ code: "not_stream" });
			connected();
			this.onState(true);
			if (!this.lastEvent) this.onEvent({});
			const [parser, decoder, body] = [new EventParser(), new TextDecoder(), response.body.getReader()];
			for (let part; !(part = await body.read()).done; ) {
				restartTimer();
				for (const event of parser.push(decoder.decode(part.value, { stream: true }))) this.#receive(event);
				this.onState(true);
			}
		} finally {
			clearTimeout(timer);
			connection.abort();
		}
	}

	#receive({ type, data, id, retry }) {
		if (retry) this.#retry = retry;
		if (id) this.lastEvent = id;
		if (type === "changed" && data) this.onEvent(eventOf(data));
	}
}

// eventOf returns the { sections, services } in the data of an event, or {} if the data is invalid.
function eventOf(data) {
	try {
		const { sections, services } = JSON.parse(data);
		if (Array.isArray(sections) && Array.isArray(services)) return { sections, services };
	} catch {
		// {}
	}
	return {};
}
