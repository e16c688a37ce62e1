// A part of a page that shows one panel. It fails alone.

import { button, el, setBusy } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { returnFocus } from "../frame/focus.js";
import { problem } from "../frame/problem.js";
import { withQuery } from "../world/dispatch.js";
import { mergePages } from "./pages.js";
import { Slots } from "./slots.js";

// Block reads a panel, keeps it current and shows parts of it.
export class Block {
	panel = null; // the panel with all pages that are shown
	#later = []; // the pages after the first one
	#first = null;
	#source = null; // the scope of the panel that is read at present

	// scope is that of the view; url the path of the panel; services are those whose changes
	// it shows; parts(panel, block) returns the parts for Slots; lists are the names of the
	// lists that are in pages; hasMore whether the next page can be shown; gone(error) is called if there is no such panel.
	constructor(app, scope, { url, services = [], parts, lists = [], hasMore = true, isPage = false, gone, settled }) {
		Object.assign(this, { app, scope, url, services, parts, lists, hasMore, isPage, gone, settled });
		this.words = app.words;
		this.element = el("div", { class: "stack-l block" }, skeleton({ words: app.words }));
		this.slots = new Slots(this.element);
		let hasEnded = false;
		scope.add(() => { hasEnded = true; this.#source?.end(); });
		// A panel in the cache is shown at once: only after the constructor, because parts() uses what the caller makes after it.
		queueMicrotask(() => hasEnded || this.#source || this.#open());
	}

	// setQuery shows the same panel with other parameters, such as those of a search.
	setQuery(values) {
		this.url = withQuery(this.url, values);
		this.#later = [];
		this.#open();
	}

	// reload reads the panel again, such as after an action.
	async reload() {
		try {
			await this.app.reader.read(this.url);
			if (this.#later.length > 0) await this.#readLater();
		} catch (error) {
			if (error.status !== 401) this.#fail(error);
		}
	}

	// show shows the parts again, such as after a change of what is not in the panel.
	show() {
		if (!this.panel) return;
		this.slots.show([...this.parts(this.panel, this), this.#more()]);
		if (!this.isPage) return;
		for (const heading of this.element.querySelectorAll("section > h2")) heading.classList.toggle("sr", heading.textContent === this.panel.title); // the bar shows it
	}

	// act performs an action and reads the panel again. Options: those of Acts.act. It
	// returns the data of the response, or null.
	async act(action, { name = "", ...options } = {}) {
		const opener = document.activeElement;
		const about = action.label?.includes(name) ? "" : name; // "Remove Phone" names it already
		return this.#after(await this.app.acts.act(action, { name: about, ...options }), opener);
	}

	// form shows the form of an action, performs it and reads the panel again. Options:
	// those of Acts.form. What the member enters into a form with a password is no draft.
	async form(action, options = {}) {
		const keep = !(options.controls ?? action.controls ?? []).some(({ type }) => type === "password");
		const opener = document.activeElement;
		return this.#after(await this.app.acts.form(action, { submit: this.words.save(), keep, ...options }), opener);
	}

	// #after reads the panel again after an action. The focus returns to the button that began
	// it, although a change may have replaced it.
	async #after(data, opener) {
		if (data !== null) await this.reload();
		const { activeElement: active } = document;
		if (!active || active === document.body || active.matches("main")) returnFocus(this.element, opener);
		return data;
	}

	#open() {
		this.#source?.end();
		this.#source = this.app.scope();
		this.#source.panel(this.url, this.services, (panel) => this.#show(panel), (error) => this.#fail(error));
	}

	#show(panel) {
		this.#first = panel;
		this.panel = mergePages([panel, ...this.#later], this.lists);
		this.show();
		this.settled?.();
	}

	#fail(error) {
		this.settled?.();
		if (error.status === 404 && this.gone) return this.gone(error);
		if (this.panel && error.retryable) return undefined; // what was last read stays
		const retry = error.status === 403 ? undefined : () => this.reload();
		return this.slots.show([{ key: "problem", data: Math.random(), make: () => problem(error, this.words, retry) }]);
	}

	// #more returns the part with the button that shows the next page, if there is one.
	#more() {
		const next = this.panel.page?.next;
		return this.hasMore && next && { key: "more", data: next, make: () => this.#moreButton(next) };
	}

	#moreButton(next) {
		const node = button({
			label: this.words.frame.more(), kind: "more-btn", run: async () => {
				if (node.getAttribute("aria-busy") === "true") return;
				setBusy(node, true);
				const { url } = this;
				try {
					const { data } = await this.app.client.read(next, { signal: this.scope.signal });
					if (url !== this.url) return; // the results of another search
					this.#later.push(data);
					this.#show(this.#first);
				} catch (error) {
					if (!this.scope.signal.aborted) this.app.acts.showError(error);
				} finally {
					setBusy(node, false);
				}
			},
		});
		return el("div", {}, node);
	}

	// #readLater reads the later pages again, as many as are shown.
	async #readLater() {
		const pages = [this.#first];
		while (pages.length <= this.#later.length && pages.at(-1).page?.next) pages.push((await this.app.client.read(pages.at(-1).page.next, { signal: this.scope.signal })).data);
		this.#later = pages.slice(1);
		this.#show(this.#first);
	}
}
