// The address of the page and the history of the browser.

import { DIALOG_OPENED } from "../parts/dialog.js";
import { formatRoute, parseRoute } from "./routes.js";

// Router shows the route of the address. root is the path of the app, such as "/app".
//
// Dialogs have an entry of the history above that of their screen, so that Back closes them, also
// on the first screen. It remains when a dialog is closed in another way: the next route replaces
// it, and Back skips it.
export class Router {
	#depth = history.state?.depth ?? 0; // entries of this app before the present one
	#path = location.pathname + location.search;
	#isDialog = Boolean(history.state?.dialog); // whether the present entry is one of dialogs
	#scrolls = new Map(); // depth → positions of the scrolled parts, to return to

	// show(route, { isBack }) is called for each new route.
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
			this.#keepScroll();
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

	// href returns the path of a route, or of its address below the app.
	href(route) {
		return this.root + (typeof route === "string" ? route : formatRoute(route));
	}

	// go shows a route. `replace` replaces the current entry of the history.
	go(route, { replace = false } = {}) {
		const path = this.href(route);
		if (path === location.pathname + location.search) replace = true;
		this.#keepScroll();
		this.#write(path, replace);
		this.show(this.route, { isBack: false });
	}

	// set changes the address without showing anything, such as for a new date in the same view.
	set(route, { replace = true } = {}) {
		const path = this.href(route);
		if (path !== location.pathname + location.search) this.#write(path, replace);
	}

	#write(path, replace) {
		if (replace) history.replaceState({ depth: this.#depth, dialog: this.#isDialog }, "", path);
		else history[this.#isDialog ? "replaceState" : "pushState"]({ depth: ++this.#depth }, "", path);
		this.#isDialog &&= replace;
		this.#path = path;
	}

	#addDialog() {
		if (this.#isDialog) return;
		history.pushState({ depth: this.#depth, dialog: true }, "", this.#path);
		this.#isDialog = true;
	}

	// back undoes the last opening; if the app began here, it shows a route instead.
	back(instead = { kind: "today" }) {
		if (this.#depth > 0) history.back();
		else this.go(instead, { replace: true });
	}

	// restoreScroll returns the scrolled parts of the page to where they were.
	restoreScroll() {
		const kept = this.#scrolls.get(this.#depth);
		if (!kept) return;
		scrollTo(0, kept.page);
		const panes = scrolled();
		kept.panes.forEach((top, i) => panes[i] && (panes[i].scrollTop = top));
	}

	// #closeDialog closes the uppermost dialog instead of going back, and returns false if
	// there is none. The dialog may ask before, and others may be open.
	#closeDialog() {
		const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
		if (!dialog) return false;
		dialog.dispatchEvent(new Event("cancel", { cancelable: true }));
		if (location.pathname + location.search !== this.#path || document.querySelector("dialog[open]")) this.#addDialog();
		return true;
	}

	#keepScroll() {
		this.#scrolls.set(this.#depth, { page: scrollY, panes: scrolled().map((node) => node.scrollTop) });
	}

	// #onClick opens links of the app without a new page, unless the member wants a new tab. Those with
	// data-replace replace the current entry of the history.
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

function scrolled() {
	return [...document.querySelectorAll("main .pane, main .split > *, main .rail")];
}
