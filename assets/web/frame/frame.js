// The frame of the app: the navigation, the view, the side column, and the notices above the view.

import { el } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { notice } from "../parts/notice.js";
import { countText } from "../parts/person.js";
import { surfaceSection } from "./surfacesection.js";
import { keepFocus } from "./focus.js";
import { Side } from "./side.js";
import { rightContextSurfaces } from "./workspace.js";

// Frame puts views into the page. A view is an object with these properties; only title and element are
// required:
//
//   title      the title of the page, or a function that returns it
//   element    the content of <main>: a node or a list of nodes
//   match    the result of matchRoute, which App sets; it decides which item of the navigation is current
//   sideNodes  the nodes of the view in the side column; the surfaces of the right context are above them
//   usesFullWidth  true if the view uses the whole width, without the surfaces of the right context
//   isDeep     true if a phone hides the dock, for example for a composer
//   kind       a class of <body> while the view is shown
//   update(route, match)  shows another route in the same view; returns false if it cannot
//   focus()    focuses an element when the view is shown; without it, the title gets the focus
//   isMissing  true if the route does not exist; App shows the route as soon as it exists
//   isTemporary  true if the surface of the view is about to be replaced; App does not focus it in World
//   close()    ends the view
//   keys       shortcuts of the view: name of a key → function
export class Frame {
	main = el("main", { class: "main", id: "main", tabindex: "-1" });
	sideColumn = el("aside", { class: "rail" }); // the side column
	notices = el("div", { class: "frame-notes" });
	#polite = el("div", { class: "sr", role: "status" });
	#assertive = el("div", { class: "sr", role: "alert" });
	isLoading = false; // whether a skeleton replaces the view
	#sideColumnScope = null;
	#sideColumnContent = []; // the content of the side column: the view, its nodes, and a text for each surface
	#kind = "";

	constructor(app) {
		this.app = app;
		this.side = new Side(app);
	}

	// open puts the frame into the page.
	open() {
		const { words } = this.app;
		this.sideColumn.setAttribute("aria-label", words.frame.beside());
		document.body.replaceChildren(
			el("a", {
				class: "skip", href: "#main", text: words.frame.skip(),
				on: { click: (event) => { event.preventDefault(); this.main.focus(); } },
			}),
			this.side.element, this.main, this.sideColumn, this.side.dock, this.#polite, this.#assertive, this.app.toasts.element,
		);
		document.body.className = "app no-rail";
	}

	// show shows a view in place of the present one. It moves the focus to the title, or calls
	// view.focus, unless keepFocus is true.
	show(view, { keepFocus = false } = {}) {
		this.view = view;
		this.isLoading = false;
		const nodes = [view.element].flat();
		this.main.replaceChildren(this.notices, ...nodes);
		if (this.#kind) document.body.classList.remove(this.#kind);
		this.#kind = view.kind ?? "";
		if (this.#kind) document.body.classList.add(this.#kind);
		this.refresh();
		if (keepFocus) return;
		if (view.focus) view.focus();
		else this.focusTitle();
	}

	// refresh renders the navigation, the title and the side column again, for example after a change of
	// the session.
	refresh() {
		const { view } = this;
		if (!view) return;
		this.showTitle();
		document.body.classList.toggle("deep", Boolean(view.isDeep));
		keepFocus(this.side.element, () => keepFocus(this.side.dock, () => this.side.show(view.match ?? {})));
		this.#showSideColumn(view);
	}

	// showTitle sets the title of the document to the title of the view and the name of the server, after the
	// number of unread items in the badges of the dock.
	showTitle() {
		const { view } = this;
		const title = typeof view.title === "function" ? view.title() : view.title;
		const { server, dock } = this.app.store.session?.shell ?? {};
		const unread = (dock?.items ?? []).reduce((sum, { badge }) => sum + (badge?.kind === "unread" ? badge.count : 0), 0);
		document.title = `${unread > 0 ? `(${countText(unread)}) ` : ""}${[title, server?.name].filter(Boolean).join(" · ")}`;
	}

	// focusTitle moves the focus to the title of the view, or to <main> if it has none.
	focusTitle() {
		(this.main.querySelector("h1[tabindex]") ?? this.main.querySelector("h1") ?? this.main).focus({ preventScroll: true });
	}

	// showLoading shows a skeleton in place of the view, until the next call of show.
	showLoading() {
		this.isLoading = true;
		this.main.replaceChildren(
			this.notices,
			el("div", { class: "pane" }, el("div", { class: "measure" }, skeleton({ words: this.app.words, rows: 5 }))),
		);
	}

	// say announces a text to screen readers. urgent is whether it interrupts other announcements.
	say(text, { urgent = false } = {}) {
		const region = urgent ? this.#assertive : this.#polite;
		region.textContent = "";
		requestAnimationFrame(() => (region.textContent = text));
	}

	// note shows a notice above all views, in place of the earlier notice with the same name. options are
	// those of notice; null only removes the earlier notice. A notice with the same texts remains, with the
	// focus of its buttons, and screen readers do not present it again.
	note(name, options) {
		const presentNote = this.notices.querySelector(`[data-note="${name}"]`);
		const texts = JSON.stringify(options);
		if (presentNote?.dataset.texts === texts) return;
		presentNote?.remove();
		if (!options) return;
		const node = notice({ words: this.app.words, ...options });
		Object.assign(node.dataset, { note: name, texts });
		this.notices.append(node);
	}

	// #showSideColumn shows the side column of a view, unless its content is the same as before.
	#showSideColumn(view) {
		const isToday = view.match?.area === "today";
		const surfaces = view.usesFullWidth ? [] : rightContextSurfaces(this.app.store, isToday ? null : view.match?.surface ?? {});
		const content = [view, view.sideNodes, ...surfaces.map(({ surface_id: id, title, placement }) => (
			`${id} ${title} ${placement?.metadata?.stack_id}`
		))];
		if (content.length === this.#sideColumnContent.length && content.every((part, i) => part === this.#sideColumnContent[i])) return;
		this.#sideColumnContent = content;
		this.#sideColumnScope?.end();
		this.#sideColumnScope = this.app.scope();
		const nodes = [
			...surfaces.map((surface) => surfaceSection(this.app, surface, this.#sideColumnScope)), ...[view.sideNodes ?? []].flat(),
		].filter(Boolean);
		this.sideColumn.replaceChildren(...nodes);
		document.body.classList.toggle("no-rail", nodes.length === 0);
	}
}
