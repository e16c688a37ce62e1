// The search field for the messages of a thread.

import { button, el, icon, isComposing } from "../parts/el.js";
import { patternOf } from "./matches.js";

const SEARCH_DELAY = 200; // milliseconds after typing before a search

// Finder searches the messages of a thread. `element` contains the search field, the number of results
// and the buttons for the previous and the next result.
export class Finder {
	pattern = null; // regular expression of the text, null for no text
	id = null; // id of the message that is the present result, or null
	#timer = 0; // delay of the search after an input
	#search = 0; // number of the latest search or step, to ignore the results of earlier ones

	// Options:
	//
	//   words     the texts
	//   history   a function that returns the history of the thread, see timeline.js
	//   readBack  a function that reads earlier messages until the function that it receives returns true
	//   show      called when pattern or id has changed
	//   closed    called when the element is closed while it contains the focus
	constructor({ words, history, readBack, show, closed }) {
		Object.assign(this, { words, history, readBack, show, closed });
		const text = words.messages;
		this.input = el("input", {
			class: "bare-input", type: "search", "aria-label": text.find(), placeholder: text.find(), autocomplete: "off",
			enterkeyhint: "search", dir: "auto",
		});
		this.note = el("span", { class: "quiet small num", role: "status" });
		const stepButton = (name, label, count) => button({ label, icon: name, iconOnly: true, kind: "plain s", run: () => this.#step(count) });
		this.element = el("div", { class: "thread-find", role: "search", "aria-label": text.find(), hidden: true },
			el("div", { class: "input" }, icon("search"), this.input), this.note,
			stepButton("up", text.foundBefore(), -1), stepButton("down", text.foundAfter(), 1),
			button({ label: words.close(), icon: "close", iconOnly: true, kind: "plain s", run: () => this.close() }));
		this.element.addEventListener("keydown", (event) => this.#onKey(event));
		this.input.addEventListener("input", () => this.#onInput());
	}

	// open shows the element and focuses the field.
	open() {
		this.element.hidden = false;
		this.input.focus();
		this.input.select();
	}

	// close hides the element and resets the search.
	close() {
		if (this.element.hidden) return;
		const hadFocus = this.element.contains(document.activeElement);
		this.element.hidden = true;
		this.input.value = "";
		this.#start();
		if (hadFocus) this.closed();
	}

	// end cancels the present search.
	end() {
		clearTimeout(this.#timer);
		this.#search++;
	}

	#onInput() {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#start(), SEARCH_DELAY);
	}

	#onKey(event) {
		if (isComposing(event)) return;
		const count = event.target === this.input && { Enter: event.shiftKey ? 1 : -1, ArrowUp: -1, ArrowDown: 1 }[event.key];
		if (!count && event.key !== "Escape") return;
		event.preventDefault();
		if (count) this.#step(count);
		else this.close();
	}

	// #start searches the text of the field, and shows the newest result.
	#start() {
		this.end();
		this.pattern = patternOf(this.input.value.trim());
		this.id = null;
		if (this.pattern) return this.#step(-1);
		this.note.textContent = "";
		return this.show();
	}

	// #step shows the result before (-1) or after (1) the present one. Before the first result, it reads
	// earlier messages. If the text has changed, it starts a new search instead.
	async #step(count) {
		if (this.pattern?.source !== patternOf(this.input.value.trim())?.source) return this.#start();
		if (!this.pattern) return undefined;
		const search = ++this.#search;
		const next = () => {
			const ids = this.#ids();
			return ids[(this.id ? ids.indexOf(this.id) : ids.length) + count];
		};
		if (count < 0 && !next()) {
			if (this.history().previous) this.note.textContent = this.words.loading();
			await this.readBack(() => next() || search !== this.#search);
		}
		if (search !== this.#search) return undefined;
		this.id = next() ?? this.id;
		this.#showCount();
		return this.show();
	}

	// #ids returns the ids of the messages that match the pattern, the oldest first.
	#ids() {
		return this.history().messages.filter(({ body }) => body.match(this.pattern)).map(({ id }) => id);
	}

	// #showCount shows the position of the present result and the number of results so far, counted from
	// the newest one.
	#showCount() {
		const ids = this.#ids();
		const { words } = this;
		const hasAll = !this.history().previous;
		this.note.textContent = ids.length === 0 ? words.noOptions()
			: words.messages.foundAt(ids.length - ids.indexOf(this.id), ids.length, hasAll);
	}
}
