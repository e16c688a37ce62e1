// Messages: the list of threads and the open thread.

import { el, isTouch } from "../parts/el.js";
import { empty } from "../parts/empty.js";
import { placeOfPanel } from "../frame/places.js";
import { Inbox } from "./inbox.js";
import { keyOf, threadOfPlace } from "./model.js";
import { Thread } from "./thread.js";

// open returns the view of the list or of a thread.
export function open(app, place, located) {
	return new MessagesView(app, place, located);
}

class MessagesView {
	noRail = true;
	element = el("div", { class: "split" });
	keys = { n: () => this.inbox.startAction && void this.inbox.start(), e: () => this.thread?.focus() };
	#listScroll = 0; // position of the page with the list, on a phone

	constructor(app, place, located) {
		this.app = app;
		this.inbox = new Inbox(app);
		this.element.addEventListener("keydown", (event) => this.#onKey(event));
		this.#show(threadOfPlace(place, located), place);
	}

	// #onKey returns from the composer to the list.
	#onKey(event) {
		if (event.key !== "Escape" || event.defaultPrevented || !event.target.closest(".composer")) return;
		const row = this.inbox.list.querySelector("a[aria-current]");
		if (!row?.offsetParent) return;
		event.preventDefault();
		row.focus();
	}

	// isDeep hides the dock of a phone while a thread is open.
	get isDeep() {
		return Boolean(this.thread);
	}

	title = () => this.thread?.title || this.app.words.messages.title();

	// update shows another thread beside the same list.
	update(place, located) {
		const wasThread = Boolean(this.thread);
		if (!wasThread) this.#listScroll = scrollY;
		this.#show(threadOfPlace(place, located), place);
		const isPhone = matchMedia("(max-width: 47.99rem)").matches;
		if (this.thread) this.thread.focus({ title: isPhone || isTouch() });
		else if (wasThread) this.#returnToList(isPhone);
		return true;
	}

	#show(named, place) {
		const { app, inbox } = this;
		const key = named ? keyOf(named) : "";
		const foundId = place.query?.message;
		if (this.thread?.key !== key || this.thread?.foundId !== foundId) {
			this.thread?.end();
			const known = inbox.threads.find((thread) => keyOf(thread) === key);
			this.thread = named ? new Thread(app, named, { back: listPlace(app), known, foundId, read: () => inbox.setRead(key) }) : null;
			this.element.className = `split ${named ? "thread-first" : "inbox-first"}`;
			this.element.replaceChildren(inbox.element, this.thread?.element ?? this.#nothing());
			this.thread?.start();
		}
		this.lastKey = key || this.lastKey;
		inbox.show(key, { isTitle: !named });
	}

	// #returnToList puts the focus on the thread that was open.
	#returnToList(isPhone) {
		if (isPhone) scrollTo(0, this.#listScroll);
		const { list } = this.inbox;
		const index = this.inbox.threads.findIndex((thread) => keyOf(thread) === this.lastKey);
		(list.children[index]?.querySelector("a.row") ?? this.element.querySelector("h1"))?.focus({ preventScroll: true });
	}

	#nothing() {
		const { words } = this.app;
		return el("section", { class: "col thread no-thread" }, empty({ art: "lamp", title: words.messages.choose(), level: 2 }));
	}

	close() {
		this.thread?.end();
		this.inbox.end();
	}
}

// listPlace returns the place of the list.
function listPlace(app) {
	const { store } = app;
	const url = store.service("messages")?.content_source;
	const place = url && placeOfPanel(store.session, url);
	if (place) return place;
	return { ...placeOfPanel(store.session, store.service("social").content_source), query: { view: "dms" } };
}
