// A part of a page that shows one panel. If the panel cannot be read, only this part shows the error.

import { button, el, setBusy } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { problem } from "../frame/problem.js";
import { withQuery } from "../world/dispatch.js";
import { mergePages } from "./pages.js";
import { Slots } from "./slots.js";

// Block reads a panel, keeps it current and renders it as parts, see Slots. element contains them.
export class Block {
	panel = null; // the panel with the items of all pages that are shown
	#laterPages = []; // the pages after the first one
	#firstPage = null;
	#panelScope = null; // the scope that keeps the first page current

	// scope is the scope of the view. Options:
	//
	//   url          the path of the panel
	//   services     the ids of the services whose changes cause another read
	//   parts(panel, block)  returns the parts for Slots
	//   lists        the names of the paginated lists of the panel, see mergePages
	//   hasMore      whether the block has a button for the next page
	//   isPage       whether the block is the whole page, whose bar shows the title of the panel
	//   gone(error)  called instead of showing the error if the panel does not exist
	//   acted()      called after an action, when the panel was read again
	//   settled()    called after each time that the panel was shown or could not be read
	constructor(app, scope, { url, services = [], parts, lists = [], hasMore = true, isPage = false, gone, acted, settled }) {
		Object.assign(this, { app, scope, url, services, parts, lists, hasMore, isPage, gone, acted, settled });
		this.words = app.words;
		this.element = el("div", { class: "stack-l set-block" }, skeleton({ words: app.words }));
		this.slots = new Slots(this.element);
		let hasEnded = false;
		scope.add(() => { hasEnded = true; this.#panelScope?.end(); });
		// A known panel is shown during the call of #open, and parts may use variables to which the
		// caller assigns the new block. Therefore #open is called after the constructor.
		queueMicrotask(() => hasEnded || this.#panelScope || this.#open());
	}

	// setQuery replaces parameters of the panel, for example the parameters of a search, and shows its first page.
	setQuery(values) {
		this.url = withQuery(this.url, values);
		this.#laterPages = [];
		this.#open();
	}

	// reload reads all shown pages of the panel again, for example after an action.
	async reload() {
		try {
			await this.app.reader.read(this.url);
			if (this.#laterPages.length > 0) await this.#readLaterPages();
		} catch (error) {
			if (error.status !== 401 && !this.scope.signal.aborted) this.#fail(error);
		}
	}

	// show renders the parts of the present panel again, for example after a change of the dataset.
	show() {
		if (!this.panel) return;
		this.slots.show([...this.parts(this.panel, this), this.#more()]);
		if (!this.isPage) return;
		for (const heading of this.element.querySelectorAll("section > h2")) {
			heading.classList.toggle("sr", heading.textContent === this.panel.title); // the bar shows the same title
		}
	}

	// perform performs an action and reads the panel again. Options: those of Actions.perform. It returns the
	// data of the response, or null.
	async perform(action, { name = "", ...options } = {}) {
		const about = action.label?.includes(name) ? "" : name; // the label of "Remove Phone" contains the name
		return this.#reloadAfter(await this.app.actions.perform(action, { name: about, ...options }));
	}

	// openForm shows the form of an action, performs it and reads the panel again. Options: those of
	// Actions.openForm. A form with a password is not stored as a draft.
	async openForm(action, options = {}) {
		const savesDraft = !(options.controls ?? action.controls ?? []).some(({ type }) => type === "password");
		return this.#reloadAfter(await this.app.actions.openForm(action, { submit: this.words.save(), savesDraft, ...options }));
	}

	// #reloadAfter reads the panel again after an action, unless data is null, and returns data.
	async #reloadAfter(data) {
		if (data === null) return data;
		await this.reload();
		this.acted?.();
		return data;
	}

	#open() {
		this.#panelScope?.end();
		this.#panelScope = this.app.scope();
		const { url } = this;
		this.#panelScope.panel(url, this.services, (panel) => this.#show(panel), (error, wasShown) => {
			// The known panel belongs to the values before setQuery: it must not be shown as the result.
			if (this.panel && error.retryable && wasShown === false) this.app.actions.showError(error, () => url === this.url && this.reload());
			else this.#fail(error);
		});
	}

	// #show shows the panel with a new first page.
	#show(panel) {
		this.#firstPage = panel;
		this.panel = mergePages([panel, ...this.#laterPages], this.lists);
		this.show();
		this.settled?.();
	}

	// #fail shows an error in place of the panel. After a temporary error, a known panel remains.
	#fail(error) {
		this.settled?.();
		if (error.status === 404 && this.gone) return this.gone(error);
		if (this.panel && error.retryable) return undefined;
		const retry = error.status === 403 ? undefined : () => this.reload();
		return this.slots.show([{ key: "problem", data: Math.random(), make: () => problem(error, this.words, retry) }]);
	}

	// #more returns the part with the button for the next page, or a falsy value if there is none.
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
					if (url !== this.url) return; // setQuery was called: the page belongs to another search
					this.#laterPages.push(data);
					this.#show(this.#firstPage);
				} catch (error) {
					if (!this.scope.signal.aborted) this.app.actions.showError(error);
				} finally {
					setBusy(node, false);
				}
			},
		});
		return el("div", {}, node);
	}

	// #readLaterPages reads the later pages again, at most as many as are shown.
	async #readLaterPages() {
		const { url } = this;
		const pages = [this.#firstPage];
		while (pages.length <= this.#laterPages.length && pages.at(-1).page?.next) {
			pages.push((await this.app.client.read(pages.at(-1).page.next, { signal: this.scope.signal })).data);
		}
		if (url !== this.url) return; // setQuery was called: the pages belong to another search
		this.#laterPages = pages.slice(1);
		this.#show(this.#firstPage);
	}
}
