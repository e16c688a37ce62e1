// The frame of the app: the side, the content and the column beside it.

import { el } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { notice } from "../parts/notice.js";
import { countText } from "../parts/person.js";
import { besideSurface } from "./beside.js";
import { keepFocus } from "./focus.js";
import { Side } from "./side.js";
import { besides } from "./workspace.js";

// Frame puts views into the page. A view is an object with:
//
//   title      the title of the page, or a function that returns it
//   element    the content of <main>: a node or a list of nodes
//   located    what locate returned, for the present items of the side
//   beside     nodes for the column at the end; besides them stand the surfaces of the right context
//   noRail     true if the view uses the whole width
//   isDeep     true if a phone hides the dock, such as for a composer
//   kind       a class of <body> while the view is shown
//   update(route)  shows another route in the same view; returns false if it cannot
//   focus()    focuses another part than the title; without it, the title gets the focus
//   isMissing  true if the content of the route does not exist: it is shown as soon as it does
//   isTemporary  true if the surface of the view is about to be replaced: it is not focused in World
//   close()    ends the view
//   keys       shortcuts: names of keys → functions
export class Frame {
	main = el("main", { class: "main", id: "main", tabindex: "-1" });
	rail = el("aside", { class: "rail" });
	notices = el("div", { class: "frame-notes" });
	#polite = el("div", { class: "sr", role: "status" });
	#assertive = el("div", { class: "sr", role: "alert" });
	isLoading = false; // whether the skeleton stands in the place of the view
	#railScope = null;
	#railOf = []; // view and surfaces of which the rail is
	#kind = "";

	constructor(app) {
		this.app = app;
		this.side = new Side(app);
	}

	// open puts the frame into the page.
	open() {
		const { words } = this.app;
		this.rail.setAttribute("aria-label", words.frame.beside());
		document.body.replaceChildren(
			el("a", { class: "skip", href: "#main", text: words.frame.skip(), on: { click: (event) => { event.preventDefault(); this.main.focus(); } } }),
			this.side.element, this.main, this.rail, this.side.dock, this.#polite, this.#assertive, this.app.toasts.element,
		);
		document.body.className = "app no-rail";
	}

	// show shows a view. The focus goes to its title, except at the start and when `keepFocus`.
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

	// refresh shows the present side, title and rail again, such as after a change of the session.
	refresh() {
		const { view } = this;
		if (!view) return;
		this.showTitle();
		document.body.classList.toggle("deep", Boolean(view.isDeep));
		keepFocus(this.side.element, () => keepFocus(this.side.dock, () => this.side.show(view.located ?? {})));
		this.#showRail(view);
	}

	// showTitle shows the present title of the view as that of the page, after the number of what
	// the member has not read.
	showTitle() {
		const { view } = this;
		const title = typeof view.title === "function" ? view.title() : view.title;
		const { server, dock } = this.app.store.session?.shell ?? {};
		const unread = (dock?.items ?? []).reduce((sum, { badge }) => sum + (badge?.kind === "unread" ? badge.count : 0), 0);
		document.title = `${unread > 0 ? `(${countText(unread)}) ` : ""}${[title, server?.name].filter(Boolean).join(" · ")}`;
	}

	focusTitle() {
		(this.main.querySelector("h1[tabindex]") ?? this.main.querySelector("h1") ?? this.main).focus({ preventScroll: true });
	}

	// showLoading shows a skeleton in the place of the view, until the next call of show.
	showLoading() {
		this.isLoading = true;
		this.main.replaceChildren(this.notices, el("div", { class: "pane" }, el("div", { class: "measure" }, skeleton({ words: this.app.words, rows: 5 }))));
	}

	// say announces a text to screen readers; `urgent` interrupts them.
	say(text, { urgent = false } = {}) {
		const region = urgent ? this.#assertive : this.#polite;
		region.textContent = "";
		requestAnimationFrame(() => (region.textContent = text));
	}

	// note shows a notice above all views, or removes it with null: one for each name.
	note(name, options) {
		this.notices.querySelector(`[data-note="${name}"]`)?.remove();
		if (!options) return;
		const node = notice({ words: this.app.words, ...options });
		node.dataset.note = name;
		this.notices.append(node);
	}

	// #showRail shows what stands beside a view, unless that is the same as before.
	#showRail(view) {
		const isToday = view.located?.area === "today";
		const surfaces = view.noRail ? [] : besides(this.app.store, isToday ? null : view.located?.surface ?? {});
		const shown = [view, view.beside, ...surfaces.map(({ surface_id: id, title, placement }) => `${id} ${title} ${placement?.metadata?.stack_id}`)];
		if (shown.length === this.#railOf.length && shown.every((part, i) => part === this.#railOf[i])) return;
		this.#railOf = shown;
		this.#railScope?.end();
		this.#railScope = this.app.scope();
		const nodes = [...surfaces.map((surface) => besideSurface(this.app, surface, this.#railScope)), ...[view.beside ?? []].flat()].filter(Boolean);
		this.rail.replaceChildren(...nodes);
		document.body.classList.toggle("no-rail", nodes.length === 0);
	}
}
