// Parses text/event-stream, the format of server-sent events in the HTML standard.

// EventParser parses a stream in chunks of any length.
export class EventParser {
	#text = ""; // the beginning of a line whose end has not arrived yet
	#event = { type: "message", data: "" }; // the fields of the event so far

	// push returns the events that the next chunk completes, as { type, data, id, retry }. Unlike a
	// browser's EventSource it also returns those without data, because they can set the id.
	push(chunk) {
		const events = [];
		const lines = (this.#text + chunk).split(/\r\n|\n|\r(?!$)/); // a CR at the end may be the first half of a line end
		this.#text = lines.pop();
		for (const line of lines) {
			if (line !== "") this.#field(line);
			else {
				events.push({ ...this.#event, data: this.#event.data.slice(0, -1) });
				this.#event = { type: "message", data: "" };
			}
		}
		return events;
	}

	#field(line) {
		const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line); // a comment has an empty name
		if (name === "event") this.#event.type = value;
		if (name === "data") this.#event.data += `${value}\n`;
		if (name === "id" && !value.includes("\0")) this.#event.id = value;
		if (name === "retry" && /^\d+$/.test(value)) this.#event.retry = Number(value);
	}
}
