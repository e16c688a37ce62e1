// The search for a text in the messages of a thread.

import { button, el, icon } from "../parts/el.js";
import { patternOf } from "./matches.js";

const DELAY = 200; // milliseconds after typing before a search

// Finder is a field with the number of messages that have its text. Options: words; history(),
// which returns the history of the thread, see timeline.js; readBack(isFound), which reads
// earlier messages until isFound returns true; show(), which shows the pattern and the message
// found; closed(), called when the field is closed and has had the focus.
export class Finder {
	pattern = null; // of the text, or null
	id = null; // of the message found, or null
	#timer = 0;
	#search = 0; // number of the latest search

	constructor({ words, history, readBack, show, closed }) {
		Object.assign(this, { words, history, readBack, show, closed });
		const text = words.messages;
		this.input = el("input", { class: "bare-input", type: "search", "aria-label": text.find(), placeholder: text.find(), autocomplete: "off", enterkeyhint: "search", dir: "auto" });
		this.note = el("span", { class: "quiet small num", role: "status" });
		const step = (name, label, by) => button({ label, icon: name, only: true, kind: "plain s", run: () => this.#step(by) });
		this.element = el("div", { class: "thread-find", role: "search", "aria-label": text.find(), hidden: true },
			el("div", { class: "input" }, icon("search"), this.input), this.note, step("up", text.foundBefore(), -1), step("down", text.foundAfter(), 1),
			button({ label: words.close(), icon: "close", only: true, kind: "plain s", run: () => this.close() }));
		this.element.addEventListener("keydown", (event) => this.#onKey(event));
		this.input.addEventListener("input", () => this.#onInput());
	}

	open() {
		this.element.hidden = false;
		this.input.focus();
		this.input.select();
	}

	close() {
		if (this.element.hidden) return;
		const hadFocus = this.element.contains(document.activeElement);
		this.element.hidden = true;
		this.input.value = "";
		this.#start();
		if (hadFocus) this.closed();
	}

	end() {
		clearTimeout(this.#timer);
		this.#search++;
	}

	#onInput() {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#start(), DELAY);
	}

	#onKey(event) {
		const by = event.target === this.input && { Enter: event.shiftKey ? 1 : -1, ArrowUp: -1, ArrowDown: 1 }[event.key];
		if (!by && event.key !== "Escape") return;
		event.preventDefault();
		if (by) this.#step(by);
		else this.close();
	}

	// #start searches the present text from the newest message on.
	#start() {
		this.end();
		this.pattern = patternOf(this.input.value.trim());
		this.id = null;
		if (this.pattern) return this.#step(-1);
		this.note.textContent = "";
		return this.show();
	}

	// #step shows the message with the text before (-1) or after (1) the present one.
	async #step(by) {
		if (this.pattern?.source !== patternOf(this.input.value.trim())?.source) return this.#start(); // typed just now
		if (!this.pattern) return undefined;
		const search = ++this.#search;
		const next = () => { const ids = this.#ids(); return ids[(this.id ? ids.indexOf(this.id) : ids.length) + by]; };
		if (by < 0 && !next()) {
			if (this.history().previous) this.note.textContent = this.words.loading();
			await this.readBack(() => next() || search !== this.#search);
		}
		if (search !== this.#search) return undefined;
		this.id = next() ?? this.id;
		this.#showCount();
		return this.show();
	}

	// #ids returns the ids of the messages with the text, the oldest first.
	#ids() {
		return this.history().messages.filter(({ body }) => body.match(this.pattern)).map(({ id }) => id);
	}

	#showCount() {
		const ids = this.#ids();
		const text = this.words.messages;
		this.note.textContent = ids.length === 0 ? this.words.noOptions() : text.foundAt(ids.length - ids.indexOf(this.id), ids.length, !this.history().previous);
	}
}
