// The pages of a list that is longer than the first page in its panel.

import { button, el, setBusy } from "../parts/el.js";
import { sectionOf } from "../parts/panel.js";

// Pages contains the items of a section: the items of the first page, which is in the panel, and of
// the later pages that have been read.
export class Pages {
	#panel = null;
	#firstItems = []; // items of the first page
	#laterPages = []; // the items of each later page, a list of lists
	#next = null; // path of the next page, or null
	#reading = null; // promise of readMore while it reads
	#changes = 0; // number of changes of the first page

	// id is the id of the section. Requests are aborted by the signal of the third parameter, a Scope.
	// onChange is called after a later page has been read.
	constructor(app, id, { signal }, onChange) {
		Object.assign(this, { app, id, signal, onChange });
	}

	// setFirst replaces the first page by the first page of a panel. The later pages may have changed too: it reads
	// them again in the background, and onChange is called afterwards. It does nothing if the panel is the
	// same object as before.
	setFirst(panel) {
		if (panel === this.#panel) return;
		this.#panel = panel;
		const { items, next } = this.#pageOf(panel);
		this.#firstItems = items;
		this.#changes++;
		if (this.#laterPages.length > 0 && next !== null) return void this.#readAgain(next);
		this.#laterPages = [];
		this.#next = next;
	}

	// #pageOf returns the page of the section in a panel, and the path of the page after it or null.
	#pageOf(panel) {
		const section = sectionOf(panel, this.id);
		return { items: section?.items ?? [], next: section?.page?.next ?? null };
	}

	async #read(path) {
		return this.#pageOf((await this.app.client.read(path, { signal: this.signal })).data);
	}

	// #readAgain reads the later pages again, as many as are shown. path is that of the second page. If
	// a request fails, the shown pages remain until the next change of the first page.
	async #readAgain(path) {
		const change = this.#changes;
		const pages = [];
		let next = path;
		try {
			while (next !== null && pages.length < this.#laterPages.length) {
				const page = await this.#read(next);
				if (change !== this.#changes) return;
				pages.push(page.items);
				({ next } = page);
			}
		} catch {
			return;
		}
		this.#laterPages = pages;
		this.#next = next;
		this.onChange();
	}

	// items is the list of the items of all pages, without duplicates: an item may have moved to another
	// page between two requests.
	get items() {
		const knownIds = new Set(this.#firstItems.map(({ id }) => id));
		return [...this.#firstItems, ...this.#laterPages.flat().filter(({ id }) => !knownIds.has(id) && knownIds.add(id))];
	}

	// hasMore reports whether there is another page.
	get hasMore() {
		return this.#next !== null;
	}

	// more returns a paragraph with a button that reads the next page, or null if there is none.
	more(label) {
		if (!this.hasMore) return null;
		const node = button({ label, kind: "s", run: async () => {
			setBusy(node, true);
			await this.readMore();
			setBusy(node, false);
		} });
		return el("p", { class: "older" }, node);
	}

	// readMore reads the next page, and returns a promise of whether that succeeded. A toast shows an
	// error. Calls during the request return the same promise.
	readMore() {
		return (this.#reading ??= this.#readNext().finally(() => (this.#reading = null)));
	}

	// #readNext reads the next page. If the first page has changed during the request, the page after it may begin
	// elsewhere: then #readNext reads this other page, so that no item is missing.
	async #readNext() {
		const path = this.#next;
		try {
			const { items, next } = await this.#read(path);
			if (path !== this.#next) return this.#next === null || this.#readNext();
			this.#laterPages.push(items);
			this.#next = next;
		} catch (error) {
			if (!this.signal.aborted) this.app.actions.showError(error, () => this.readMore());
			return false;
		}
		this.onChange();
		return true;
	}
}
