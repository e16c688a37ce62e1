// Connects the routes with the address of the page and the history of the browser.

import { DIALOG_OPENED } from "../parts/dialog.js";
import { formatRoute, parseRoute } from "./routes.js";

// Router calls show for the routes of the history. The state of a history entry is { depth, dialog }:
// depth is the number of entries of the app before it; dialog is true for the entry of a dialog.
//
// While a dialog is open, the history has one more entry, with the same address as the view, so that
// Back closes the dialog instead of leaving the view. If the dialog is closed in another way, the entry
// remains: the next route replaces it, and Back skips it.
export class Router {
	#depth = history.state?.depth ?? 0;
	#path = location.pathname + location.search;
	#isDialog = Boolean(history.state?.dialog); // whether the present entry is the entry of a dialog
	#scrolls = new Map(); // depth → { page, panes }, the scroll positions of an entry

	// root is the path of the app without a slash at the end, such as "/app". show(route, { isBack }) is
	// called after each change of the route; isBack is whether the history has caused it.
	constructor({ root, show }) {
		Object.assign(this, { root, show });
		history.scrollRestoration = "manual";
		history.replaceState({ ...history.state, depth: this.#depth }, "");
		addEventListener("popstate", ({ state }) => {
			const depth = state?.depth ?? 0;
			const isSkipped = this.#isDialog && !state?.dialog && depth === this.#depth;
			this.#isDialog = Boolean(state?.dialog);
			if (this.#closeDialog()) return;
			if (isSkipped) return void history.back();
			this.#storeScroll();
			this.#depth = depth;
			this.#path = location.pathname + location.search;
			this.show(this.route, { isBack: true });
		});
		document.addEventListener("click", (event) => this.#onClick(event));
		document.addEventListener(DIALOG_OPENED, () => this.#addDialog());
	}

	// route is the route of the present address.
	get route() {
		return parseRoute(location.pathname.slice(this.root.length) + location.search);
	}

	// href returns the path of a route, or of an address below the app such as "/in/time".
	href(route) {
		return this.root + (typeof route === "string" ? route : formatRoute(route));
	}

	// go shows a route, a parameter as for href. replace is whether it replaces the present entry of the
	// history.
	go(route, { replace = false } = {}) {
		const path = this.href(route);
		if (path === location.pathname + location.search) replace = true;
		this.#storeScroll();
		this.#write(path, replace);
		this.show(this.route, { isBack: false });
	}

	// set changes the address without a call of show, for example after the view has changed its date.
	set(route, { replace = true } = {}) {
		const path = this.href(route);
		if (path !== location.pathname + location.search) this.#write(path, replace);
	}

	// #write sets the address of the present entry, or of a new entry, which replaces the entry of a dialog.
	#write(path, replace) {
		if (replace) history.replaceState({ depth: this.#depth, dialog: this.#isDialog }, "", path);
		else history[this.#isDialog ? "replaceState" : "pushState"]({ depth: ++this.#depth }, "", path);
		this.#isDialog &&= replace;
		this.#path = path;
	}

	// #addDialog adds the entry of a dialog, unless the present entry is one.
	#addDialog() {
		if (this.#isDialog) return;
		history.pushState({ depth: this.#depth, dialog: true }, "", this.#path);
		this.#isDialog = true;
	}

	// back goes back in the history, or shows the route `instead` if the present entry is the first one
	// of the app.
	back(instead = { kind: "today" }) {
		if (this.#depth > 0) history.back();
		else this.go(instead, { replace: true });
	}

	// restoreScroll restores the scroll positions of the present entry. Its view must be in the document.
	restoreScroll() {
		const storedScroll = this.#scrolls.get(this.#depth);
		if (!storedScroll) return;
		scrollTo(0, storedScroll.page);
		const panes = scrollPanes();
		storedScroll.panes.forEach((position, i) => panes[i] && (panes[i].scrollTop = position));
	}

	// #closeDialog closes the last opened dialog after Back, and returns false if none is open. If a
	// dialog remains, because it asks for a confirmation or because it was below the closed one, or if
	// Back has left the entry of the view, #closeDialog adds the entry of a dialog again.
	#closeDialog() {
		const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
		if (!dialog) return false;
		dialog.dispatchEvent(new Event("cancel", { cancelable: true }));
		if (location.pathname + location.search !== this.#path || document.querySelector("dialog[open]")) this.#addDialog();
		return true;
	}

	// #storeScroll stores the scroll positions of the present entry, in CSS pixels.
	#storeScroll() {
		this.#scrolls.set(this.#depth, { page: scrollY, panes: scrollPanes().map((node) => node.scrollTop) });
	}

	// #onClick shows the route of a clicked link of the app without loading the page, unless the click
	// opens a new tab or window. A link with the attribute data-replace replaces the present entry of the
	// history.
	#onClick(event) {
		if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
		const link = event.target.closest?.("a[href]");
		if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
		if (link.pathname !== this.root && !link.pathname.startsWith(`${this.root}/`)) return;
		if (link.getAttribute("href").startsWith("#")) return;
		event.preventDefault();
		this.go(link.pathname.slice(this.root.length) + link.search, { replace: "replace" in link.dataset });
	}
}

// scrollPanes returns the elements of the view that have their own scroll position.
function scrollPanes() {
	return [...document.querySelectorAll("main .pane, main .split > *, main .rail")];
}
