// The pages of a list that is longer than its panel.

import { button, el, setBusy } from "../parts/el.js";
import { sectionOf } from "../parts/panel.js";

// Pages contains the items of a section: those of its panel, which may change, and those of the
// pages after it that the member has read.
export class Pages {
	#panel = null;
	#first = []; // items of the panel
	#further = []; // the items of each page after the first one
	#next = null; // path of the next page
	#reading = null; // promise of the next page, while it is being read
	#latest = 0; // number of the latest change of the first page

	// id is that of the section. Requests end with the signal of the scope. changed is called when
	// a page has arrived.
	constructor(app, id, { signal }, changed) {
		Object.assign(this, { app, id, signal, changed });
	}

	// setFirst replaces the first page by that of a panel. It also reads the pages after it again,
	// which may have changed too: changed is called when they have arrived.
	setFirst(panel) {
		if (panel === this.#panel) return; // drawn again
		this.#panel = panel;
		const { items, next } = this.#partOf(panel);
		this.#first = items;
		this.#latest++;
		if (this.#further.length > 0 && next !== null) return void this.#readAgain(next);
		this.#further = [];
		this.#next = next;
	}

	#partOf(panel) {
		const section = sectionOf(panel, this.id);
		return { items: section?.items ?? [], next: section?.page?.next ?? null };
	}

	async #read(path) {
		return this.#partOf((await this.app.client.read(path, { signal: this.signal })).data);
	}

	// #readAgain reads as many pages as are shown. If one does not arrive, those that are shown
	// stay until the next change.
	async #readAgain(path) {
		const change = this.#latest;
		const pages = [];
		let next = path;
		try {
			while (next !== null && pages.length < this.#further.length) {
				const page = await this.#read(next);
				if (change !== this.#latest) return;
				pages.push(page.items);
				({ next } = page);
			}
		} catch {
			return;
		}
		this.#further = pages;
		this.#next = next;
		this.changed();
	}

	// items are those of all pages. An item of the first page, to which it may have moved, is not
	// repeated.
	get items() {
		const known = new Set(this.#first.map(({ id }) => id));
		return [...this.#first, ...this.#further.flat().filter(({ id }) => !known.has(id) && known.add(id))];
	}

	// hasMore reports whether there is another page.
	get hasMore() {
		return this.#next !== null;
	}

	// more returns a button with a label that reads the next page, or null if there is none.
	more(label) {
		if (!this.hasMore) return null;
		const node = button({ label, kind: "s", run: async () => {
			setBusy(node, true);
			await this.readMore();
			setBusy(node, false);
		} });
		return el("p", { class: "older" }, node);
	}

	// readMore reads the next page, and returns a promise of whether it has arrived. A failure is
	// shown with a button that reads it again.
	readMore() {
		return (this.#reading ??= this.#readNext().finally(() => (this.#reading = null)));
	}

	async #readNext() {
		try {
			const { items, next } = await this.#read(this.#next);
			this.#further.push(items);
			this.#next = next;
		} catch (error) {
			if (!this.signal.aborted) this.app.acts.showError(error, () => this.readMore());
			return false;
		}
		this.changed();
		return true;
	}
}
