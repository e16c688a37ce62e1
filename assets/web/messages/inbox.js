// The list of threads, with a search for threads and messages.

import { avatar } from "../parts/avatar.js";
import { draftText } from "../parts/composer.js";
import { button, el, icon, isComposing, setBusy } from "../parts/el.js";
import { emptyView, skeleton } from "../parts/empty.js";
import { createKeyedList } from "../parts/keyedlist.js";
import { row } from "../parts/row.js";
import { selfButton } from "../frame/bar.js";
import { keepFocus } from "../frame/focus.js";
import { Pages } from "../frame/pages.js";
import { routeOfPanel } from "../frame/routes.js";
import { problem } from "../frame/problem.js";
import { openRoute } from "../generic/item.js";
import { SECTIONS, SERVICE_OF, draftKeyOf, keyOf, matchingThreads, panelsOf, sortThreads, threadOfItem } from "./model.js";

const SEARCH_DELAY = 300; // milliseconds after typing before a search of messages
const MIN_SEARCH_LENGTH = 2; // minimum number of characters for a search of messages

// Inbox shows the threads of both kinds in one list, see model.js. A search filters the known threads, and
// the server searches the messages.
export class Inbox {
	#lists = new Map(); // kind → { pages, threads }
	#awaitedKinds = new Set(); // kinds whose panel has neither arrived nor failed
	#failures = new Map(); // kind → { error, retry } of a panel that could not be read
	#readTimes = new Map(); // key of a thread that was read → time of its last message then
	#shownThreads = []; // the threads that the list shows
	#currentKey = ""; // key of the open thread, or ""
	#query = ""; // text of the search
	#searchResults = null; // results of the latest search of messages, or null
	#hasFailed = false; // whether the latest search has failed, until the text is empty: each letter would show the error
	#searchController = null; // AbortController of the search of messages
	#timer = 0; // delay of the search of messages

	constructor(app) {
		const { words } = app;
		Object.assign(this, { app, scope: app.scope() });
		this.heading = el("div", {});
		this.input = el("input", {
			class: "bare-input", type: "search", "aria-label": words.messages.search(), placeholder: words.messages.searchShort(),
			autocomplete: "off", enterkeyhint: "search",
		});
		this.list = el("ul", { class: "rows inbox-list", "aria-label": words.messages.threads() });
		this.rest = el("div", { class: "inbox-rest" });
		this.head = el("div", { class: "col-head" });
		this.note = this.#makeNote() ?? el("p", {});
		this.note.hidden = true; // #draw shows it with the list
		this.element = el("section", { class: "col inbox", "aria-label": words.messages.title() }, this.head,
			el("div", { class: "inbox-search" }, el("div", { class: "input" }, icon("search"), this.input)), this.list, this.rest, this.note);
		this.update = createKeyedList(this.list, {
			key: keyOf, signature: (thread) => JSON.stringify(this.#contentOf(thread)), make: (thread) => el("li", {}, this.#row(thread)),
		});
		this.input.addEventListener("input", () => this.#onSearch());
		this.input.addEventListener("keydown", (event) => this.#onKey(event));
		this.rest.append(skeleton({ words, rows: 5 }));
		this.#readPanels();
		this.scope.every(60_000, () => this.#draw()); // updates the times
		// Another tab has changed a draft.
		addEventListener("storage", ({ key }) => key === app.drafts.name && this.#draw(), { signal: this.scope.signal });
	}

	// #readPanels reads the panels with the lists of threads, and keeps them current.
	#readPanels() {
		const { app, scope } = this;
		const panels = panelsOf(app.store);
		this.#awaitedKinds = new Set(Object.keys(panels));
		for (const [kind, url] of Object.entries(panels)) {
			const fail = (error, wasShown, retry) => this.#fail(kind, { error, retry });
			scope.panel(url, [SERVICE_OF[kind]], (panel) => this.#setPanel(kind, panel), fail);
		}
	}

	// #fail handles a panel that could not be read. The threads of an earlier read remain.
	#fail(kind, failure) {
		this.#awaitedKinds.delete(kind);
		if (!this.#lists.has(kind)) this.#failures.set(kind, failure);
		this.#draw();
	}

	// #problem returns the notice that panels could not be read, or undefined. Its button reads all of
	// them again.
	#problem() {
		const failures = [...this.#failures.values()];
		return failures[0] && problem(failures[0].error, this.app.words, () => failures.forEach(({ retry }) => retry()));
	}

	#setPanel(kind, panel) {
		this.#awaitedKinds.delete(kind);
		this.#failures.delete(kind);
		if (!this.#lists.has(kind)) {
			const pages = new Pages(this.app, SECTIONS[kind], this.scope, () => this.#setThreads(kind));
			this.#lists.set(kind, { pages, threads: [] });
		}
		this.#lists.get(kind).pages.setFirst(panel);
		this.#setThreads(kind);
	}

	// #setThreads sets the threads of a kind from its pages. It forgets that a thread was read as soon as
	// the server reports so, because the member may mark it as unread later.
	#setThreads(kind) {
		const list = this.#lists.get(kind);
		list.threads = list.pages.items.map((item) => threadOfItem(item, kind));
		for (const thread of list.threads) if (thread.count === 0 && !thread.isMarked) this.#readTimes.delete(keyOf(thread));
		this.#draw();
	}

	// threads are the known threads of both kinds, the latest first.
	get threads() {
		return sortThreads([...this.#lists.values()].flatMap(({ threads }) => threads));
	}

	// show renders the list. currentKey is the key of the open thread, or "". isTitle is whether the heading
	// of the list is the title of the page.
	show(currentKey, { isTitle }) {
		this.#currentKey = currentKey;
		const { app } = this;
		const { words, store } = app;
		const start = this.startAction;
		const hadFocus = this.head.contains(document.activeElement);
		const focusedIndex = hadFocus ? [...this.head.querySelectorAll("button")].indexOf(document.activeElement) : -1;
		this.head.replaceChildren(...[
			el(isTitle ? "h1" : "h2", { text: words.messages.title(), tabindex: isTitle ? "-1" : null }), el("span", { class: "grow" }),
			start && button({ label: start.label, icon: "edit", iconOnly: true, kind: "plain s", run: () => this.start() }),
			selfButton(app, avatar({ ...app.signedInMember(), size: "s" })),
		].filter(Boolean));
		if (focusedIndex >= 0) this.head.querySelectorAll("button")[focusedIndex]?.focus({ preventScroll: true });
		if (store.dataset) this.#draw();
	}

	// rowOf returns the link of the visible row of the thread with a key, or null or undefined if there is none.
	rowOf(key) {
		return this.list.children[this.#shownThreads.findIndex((thread) => keyOf(thread) === key)]?.querySelector("a.row");
	}

	// setRead shows the thread with a key as read until the server confirms it or a new message arrives.
	setRead(key) {
		this.#readTimes.set(key, this.threads.find((thread) => keyOf(thread) === key)?.at);
		this.#draw();
	}

	// startAction is the action that starts a thread, or undefined.
	get startAction() {
		return this.app.store.dataset?.actions?.find(({ type }) => type === "start_thread");
	}

	// start opens the form with the recipient and the first message, and then the new thread.
	async start() {
		const { app } = this;
		const data = await app.actions.openForm(this.startAction, { submit: app.words.messages.send() });
		const id = data?.thread?.id;
		if (id) app.go(this.routeOf({ kind: "messages", id }));
	}

	// routeOf returns the route of a thread. query contains further parameters of its panel. Without them,
	// a thread of the list has the route that its item opens.
	routeOf({ kind, id, item }, query = {}) {
		const route = item && openRoute(this.app, item);
		if (route && Object.keys(query).length === 0) return route;
		const { store } = this.app;
		const panel = routeOfPanel(store.session, store.service(SERVICE_OF[kind]).content_source);
		return { ...panel, query: { ...(kind === "messages" ? { thread: id } : { view: "dms", id }), ...query } };
	}

	// #contentOf returns the content of the row of a thread, which is its signature for createKeyedList. The text is
	// a draft or else the excerpt of the last message. Direct messages have a prefix if there is also a
	// thread of Messages with the same member.
	#contentOf({ title, excerpt, at, count, isMarked, actor, senderId, ...thread }) {
		const { words, store } = this.app;
		const key = keyOf(thread);
		const isRead = Boolean(at) && this.#readTimes.get(key) === at;
		const isSameMember = (other) => other.kind === "messages" && other.actor?.member_id === actor?.member_id;
		const isDouble = thread.kind === "dms" && this.threads.some(isSameMember);
		const isCurrent = key === this.#currentKey;
		const draft = isCurrent ? "" : draftText(this.app.drafts, draftKeyOf(thread)); // the composer shows the draft of the open thread
		const text = draft ? words.messages.draft(draft) : senderId === store.memberId ? words.own(excerpt) : excerpt;
		return {
			key, title, sub: isDouble ? words.messages.direct(text) : text, time: at ? words.when(at) : "", at,
			count: isRead ? 0 : count, isMarked: isMarked && !isRead, isCurrent,
			person: [actor?.display_name, actor?.color, actor?.avatar?.url, actor?.presence?.state],
			actionIds: thread.actions.map(({ id }) => id),
		};
	}

	#row(thread) {
		const { app } = this;
		const { words } = app;
		const { actor } = thread;
		const { title, sub, time, at, count, isMarked, isCurrent } = this.#contentOf(thread);
		const actions = thread.actions.filter(({ id }) => id === "mark_read" || id === "mark_unread");
		return row({
			words, title, sub, time, dateTime: at, count, unread: isMarked, current: isCurrent,
			href: app.href(this.routeOf(thread)), picture: pictureOf(actor, title),
			actions: actions.length > 0 ? () => app.actions.items(actions) : undefined, actionsLabel: words.frame.moreFor(title),
		});
	}

	// #draw renders the list as soon as the panels of both kinds have arrived or failed, so that rows do
	// not move.
	#draw() {
		const { app } = this;
		const { words } = app;
		if (this.#awaitedKinds.size > 0 || this.#lists.size + this.#failures.size === 0) return;
		this.note.hidden = false;
		const allThreads = this.threads;
		const visibleThreads = this.#query ? matchingThreads(allThreads, this.#query) : allThreads;
		this.#shownThreads = visibleThreads;
		this.update(visibleThreads);
		this.list.hidden = visibleThreads.length === 0;
		const withMore = [...this.#lists.values()].filter(({ pages }) => pages.hasMore);
		const olderButton = () => button({
			label: words.messages.older(), kind: "s plain full", run: (event) => this.#readOlder(withMore, event.currentTarget),
		});
		keepFocus(this.rest, () => this.rest.replaceChildren(...[
			this.#problem() ?? (allThreads.length === 0 && this.#emptyList()),
			this.#query && this.#results(visibleThreads.length),
			withMore.length > 0 && !this.#query && olderButton(),
		].filter(Boolean)));
	}

	// #emptyList returns the node that replaces an empty list.
	#emptyList() {
		const { words } = this.app;
		const start = this.startAction;
		const action = start && { label: start.label, icon: "edit", run: () => this.start() };
		return emptyView({ art: "chair", title: words.messages.none(), text: words.messages.noneText(), action });
	}

	// #results returns the list of the messages that the search has found. Without messages, it returns a
	// text if no threads match either, or else null. count is the number of matching threads.
	#results(count) {
		const { app } = this;
		const { words } = app;
		if (!this.#searchResults?.length) {
			const text = !this.#searchResults && this.#searchController ? words.loading() : words.noOptions();
			return count === 0 ? el("p", { class: "quiet small inbox-none", role: "status", text }) : null;
		}
		const rowOf = ({ thread, message, excerpt }) => {
			const other = thread.participants?.find((person) => !person.is_self);
			const actor = other && { ...other, member_id: other.id };
			const isOwn = message.sender_identity_user_id === app.store.memberId;
			return row({
				words, title: thread.title, sub: isOwn ? words.own(excerpt) : excerpt,
				time: words.when(message.created_at), dateTime: message.created_at,
				href: app.href(this.routeOf({ kind: "messages", id: thread.id }, { message: message.id })),
				picture: pictureOf(actor, thread.title),
			});
		};
		return el("section", {},
			el("h2", { class: "group-head", text: words.messages.found(this.#searchResults.length) }),
			el("ul", { class: "rows inbox-list" }, this.#searchResults.map((result) => el("li", {}, rowOf(result)))));
	}

	// #onSearch renders the threads that match the search, and begins a search of messages after SEARCH_DELAY
	// milliseconds.
	#onSearch() {
		this.#query = this.input.value.trim();
		if (!this.#query) this.#hasFailed = false;
		clearTimeout(this.#timer);
		this.#searchController?.abort();
		this.#searchController = null;
		this.#searchResults = this.#query.length >= MIN_SEARCH_LENGTH ? this.#searchResults : null;
		const search = this.app.store.dataset?.actions?.find(({ type }) => type === "search_messages");
		if (this.#query.length >= MIN_SEARCH_LENGTH && search) {
			const { signal } = (this.#searchController = new AbortController());
			this.#timer = setTimeout(() => this.#search(search, signal), SEARCH_DELAY);
		}
		this.#draw();
	}

	// #search searches messages with an action.
	async #search(search, signal) {
		const control = search.controls?.find(({ type }) => type === "text");
		try {
			const data = await this.app.dispatcher.perform(search, { [control?.id ?? "q"]: this.#query }, { signal });
			if (signal.aborted) return;
			this.#searchResults = data?.results ?? [];
			this.#hasFailed = false;
		} catch (error) {
			if (signal.aborted) return;
			this.#searchResults = null;
			if (!this.#hasFailed) this.app.actions.showError(error);
			this.#hasFailed = true;
		}
		this.#searchController = null;
		this.#draw();
	}

	#onKey(event) {
		if (isComposing(event)) return;
		if (event.key === "Escape" && this.input.value) {
			event.preventDefault();
			event.stopPropagation();
			this.input.value = "";
			this.#onSearch();
		} else if (event.key === "ArrowDown") {
			event.preventDefault();
			this.element.querySelector("a.row")?.focus();
		} else if (event.key === "Enter" && this.#query) {
			this.element.querySelector("a.row")?.click();
		}
	}

	// #readOlder reads the next page of lists. node is the button, which is busy meanwhile.
	async #readOlder(lists, node) {
		setBusy(node, true);
		await Promise.all(lists.map(({ pages }) => pages.readMore()));
		setBusy(node, false);
	}

	// #makeNote returns the note that links to the conversations of Social, or null if the panel of
	// Social has no route.
	#makeNote() {
		const { app } = this;
		const { words, store } = app;
		const social = store.service("social")?.content_source;
		const route = social && routeOfPanel(store.session, social);
		if (!route) return null;
		const [before, link, after] = words.messages.twoPeople();
		const href = app.href({ ...route, query: { view: "conversations" } });
		return el("p", { class: "quiet tiny inbox-foot" }, before, el("a", { class: "link", href, text: link }), after);
	}

	// end ends the subscriptions and the search.
	end() {
		clearTimeout(this.#timer);
		this.#searchController?.abort();
		this.scope.end();
	}
}

function pictureOf(actor, title) {
	return avatar({
		name: actor?.display_name ?? title, id: actor?.member_id, color: actor?.color, image: actor?.avatar?.url,
		presence: actor?.presence?.state,
	});
}
