// The format of a stream: text/event-stream, as the HTML standard defines it.

// EventParser turns the text of a stream, in parts of any length, into events.
export class EventParser {
	#text = ""; // of the last line, whose end has not arrived yet
	#event = { type: "message", data: "" };

	// push returns the events that end in a part of the text: { type, data, id, retry }. It
	// also returns those without data, because they can set the id of the stream.
	push(part) {
		const events = [];
		const lines = (this.#text + part).split(/\r\n|\n|\r(?!$)/); // a CR at the end may be the first half of a line end
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
