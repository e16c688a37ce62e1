// The area Messages: the list of threads and the open thread.

import { el, isPhone, isTouch } from "../parts/el.js";
import { emptyView } from "../parts/empty.js";
import { routeOfPanel } from "../frame/routes.js";
import { Inbox } from "./inbox.js";
import { keyOf, panelsOf, threadOfRoute } from "./model.js";
import { Thread } from "./thread.js";

// open returns the view of a route: the list of threads, with the open thread beside it. match is the
// result of matchRoute for the route.
export function open(app, route, match) {
	return new MessagesView(app, route, match);
}

// panels returns the paths of the panels that are stored for a visit without a connection.
export function panels({ store }) {
	return Object.values(panelsOf(store));
}

// MessagesView is the view of the list of threads and of the open thread. A phone shows one of them.
class MessagesView {
	usesFullWidth = true;
	element = el("div", { class: "split" });
	keys = { n: () => this.inbox.startAction && void this.inbox.start(), e: () => this.thread?.focus() };
	#listScroll = 0; // scroll position of the page when it showed the list, on a phone

	constructor(app, route, match) {
		this.app = app;
		this.inbox = new Inbox(app);
		this.element.addEventListener("keydown", (event) => this.#onKey(event));
		this.#show(threadOfRoute(route, match), route);
	}

	// #onKey moves the focus from the composer to the row of the thread when the member presses Escape.
	#onKey(event) {
		if (event.key !== "Escape" || event.defaultPrevented || !event.target.closest(".composer")) return;
		const row = this.inbox.list.querySelector("a[aria-current]");
		if (!row?.offsetParent) return;
		event.preventDefault();
		row.focus();
	}

	// isDeep reports whether a thread is open. A phone then hides the dock.
	get isDeep() {
		return Boolean(this.thread);
	}

	title = () => this.thread?.title || this.app.words.messages.title();

	// update shows another route with the same list.
	update(route, match) {
		const wasThread = Boolean(this.thread);
		if (!wasThread) this.#listScroll = scrollY;
		this.#show(threadOfRoute(route, match), route);
		const onPhone = isPhone();
		if (this.thread) this.thread.focus({ title: onPhone || isTouch() });
		else if (wasThread) this.#returnToList(onPhone);
		return true;
	}

	// #show shows a thread, { kind, id }, or only the list if it is null.
	#show(thread, route) {
		const { app, inbox } = this;
		const key = thread ? keyOf(thread) : "";
		const foundId = route.query?.message;
		if (this.thread?.key !== key || this.thread?.foundId !== foundId) {
			this.thread?.end();
			const knownThread = inbox.threads.find((other) => keyOf(other) === key);
			this.thread = thread ? new Thread(app, thread, {
				back: listRoute(app), known: knownThread, foundId, onRead: () => inbox.setRead(key),
			}) : null;
			this.element.className = `split ${thread ? "thread-first" : "inbox-first"}`;
			this.element.replaceChildren(inbox.element, this.thread?.element ?? this.#emptyColumn());
			this.thread?.start();
		}
		this.lastKey = key || this.lastKey;
		inbox.show(key, { isTitle: !thread });
	}

	// #returnToList focuses the row of the thread that was open, and restores the scroll position of the
	// list on a phone.
	#returnToList(onPhone) {
		if (onPhone) scrollTo(0, this.#listScroll);
		(this.inbox.rowOf(this.lastKey) ?? this.element.querySelector("h1"))?.focus({ preventScroll: true });
	}

	// #emptyColumn returns the column that a large screen shows beside the list while no thread is open.
	#emptyColumn() {
		const { words } = this.app;
		return el("section", { class: "col thread no-thread" }, emptyView({ art: "lamp", title: words.messages.choose(), level: 2 }));
	}

	close() {
		this.thread?.end();
		this.inbox.end();
	}
}

// listRoute returns the route of the list of threads. Without Messages, it is the route of the direct messages.
function listRoute(app) {
	const { store } = app;
	const url = store.service("messages")?.content_source;
	const route = url && routeOfPanel(store.session, url);
	if (route) return route;
	return { ...routeOfPanel(store.session, store.service("social").content_source), query: { view: "dms" } };
}
