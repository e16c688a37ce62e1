// The list of threads.

import { avatar } from "../parts/avatar.js";
import { draftText } from "../parts/composer.js";
import { button, el, icon, setBusy } from "../parts/el.js";
import { empty, skeleton } from "../parts/empty.js";
import { keyed } from "../parts/keyed.js";
import { row } from "../parts/row.js";
import { selfButton } from "../frame/bar.js";
import { keepFocus } from "../frame/focus.js";
import { Pages } from "../frame/pages.js";
import { routeOfPanel } from "../frame/routes.js";
import { problem } from "../frame/problem.js";
import { openRoute } from "../generic/item.js";
import { SECTIONS, SERVICE_OF, draftKeyOf, keyOf, matching, panelsOf, sorted, threadOfItem } from "./model.js";

const DELAY = 300; // milliseconds after typing before a search
const FEWEST = 2; // characters of a search

// Inbox shows the threads of both kinds in one list.
export class Inbox {
	#lists = new Map(); // kind → { pages, threads }
	#awaited = new Set(); // kinds whose panel has neither arrived nor failed
	#failures = new Map(); // kind → { error, again } of its panel, which could not be read
	#read = new Map(); // names of threads that were read → time of their last message then
	#current = "";
	#query = "";
	#found = null; // results of the search, or null
	#running = null;
	#timer = 0;

	constructor(app) {
		const { words } = app;
		Object.assign(this, { app, scope: app.scope() });
		this.heading = el("div", {});
		this.input = el("input", { class: "bare-input", type: "search", "aria-label": words.messages.search(), placeholder: words.messages.searchShort(), autocomplete: "off", enterkeyhint: "search" });
		this.list = el("ul", { class: "rows inbox-list", "aria-label": words.messages.threads() });
		this.rest = el("div", { class: "inbox-rest" });
		this.head = el("div", { class: "col-head" });
		this.note = this.#makeNote() ?? el("p", {});
		this.note.hidden = true; // until the list is there
		this.element = el("section", { class: "col inbox", "aria-label": words.messages.title() }, this.head,
			el("div", { class: "inbox-search" }, el("div", { class: "input" }, icon("search"), this.input)), this.list, this.rest, this.note);
		this.update = keyed(this.list, { key: keyOf, signature: (thread) => JSON.stringify(this.#shown(thread)), make: (thread) => el("li", {}, this.#row(thread)) });
		this.input.addEventListener("input", () => this.#onSearch());
		this.input.addEventListener("keydown", (event) => this.#onKey(event));
		this.rest.append(skeleton({ words, rows: 5 }));
		this.#follow();
		this.scope.every(60_000, () => this.#draw()); // the times
		addEventListener("storage", ({ key }) => key === app.drafts.name && this.#draw(), { signal: this.scope.signal }); // drafts of other tabs
	}

	#follow() {
		const { app, scope } = this;
		const panels = panelsOf(app.store);
		this.#awaited = new Set(Object.keys(panels));
		for (const [kind, url] of Object.entries(panels)) scope.panel(url, [SERVICE_OF[kind]], (panel) => this.#setPanel(kind, panel), (error, wasShown, again) => this.#fail(kind, { error, again }));
	}

	#fail(kind, failure) {
		this.#awaited.delete(kind);
		if (!this.#lists.has(kind)) this.#failures.set(kind, failure); // what was last read stays
		this.#draw();
	}

	// #problem says that threads are missing, or returns undefined. "Try again" reads all that are.
	#problem() {
		const failures = [...this.#failures.values()];
		return failures[0] && problem(failures[0].error, this.app.words, () => failures.forEach(({ again }) => again()));
	}

	#setPanel(kind, panel) {
		this.#awaited.delete(kind);
		this.#failures.delete(kind);
		if (!this.#lists.has(kind)) this.#lists.set(kind, { pages: new Pages(this.app, SECTIONS[kind], this.scope, () => this.#setThreads(kind)), threads: [] });
		this.#lists.get(kind).pages.setFirst(panel);
		this.#setThreads(kind);
	}

	#setThreads(kind) {
		const list = this.#lists.get(kind);
		list.threads = list.pages.items.map((item) => threadOfItem(item, kind));
		for (const thread of list.threads) if (thread.count === 0 && !thread.isMarked) this.#read.delete(keyOf(thread)); // it may be marked as unread later
		this.#draw();
	}

	// threads returns the threads that are known, the latest first.
	get threads() {
		return sorted([...this.#lists.values()].flatMap(({ threads }) => threads));
	}

	// show shows which thread is open: its name, or "". isTitle says that the list has the
	// title of the page.
	show(current, { isTitle }) {
		this.#current = current;
		const { app } = this;
		const { words, store } = app;
		const start = this.startAction;
		const hadFocus = this.head.contains(document.activeElement) ? [...this.head.querySelectorAll("button")].indexOf(document.activeElement) : -1;
		this.head.replaceChildren(...[
			el(isTitle ? "h1" : "h2", { text: words.messages.title(), tabindex: isTitle ? "-1" : null }), el("span", { class: "grow" }),
			start && button({ label: start.label, icon: "edit", only: true, kind: "plain s", run: () => this.start() }), selfButton(app, avatar({ ...app.self(), size: "s" })),
		].filter(Boolean));
		if (hadFocus >= 0) this.head.querySelectorAll("button")[hadFocus]?.focus({ preventScroll: true });
		if (store.dataset) this.#draw();
	}

	// setRead shows a thread as read before the server confirms it.
	setRead(key) {
		this.#read.set(key, this.threads.find((thread) => keyOf(thread) === key)?.at);
		this.#draw();
	}

	// startAction is the action for a new thread, or undefined.
	get startAction() {
		return this.app.store.dataset?.actions?.find(({ type }) => type === "start_thread");
	}

	// start asks for the recipient and the message, and opens the thread.
	async start() {
		const { app } = this;
		const data = await app.acts.form(this.startAction, { submit: app.words.messages.send() });
		const id = data?.thread?.id;
		if (id) app.go(this.routeOf({ kind: "messages", id }));
	}

	// routeOf returns the route of a thread.
	routeOf({ kind, id, item }, query = {}) {
		const route = item && openRoute(this.app, item);
		if (route && Object.keys(query).length === 0) return route;
		const { store } = this.app;
		const panel = routeOfPanel(store.session, store.service(SERVICE_OF[kind]).content_source);
		return { ...panel, query: { ...(kind === "messages" ? { thread: id } : { view: "dms", id }), ...query } };
	}

	#shown({ title, excerpt, at, count, isMarked, actor, senderId, ...thread }) {
		const { words, store } = this.app;
		const key = keyOf(thread);
		const isRead = Boolean(at) && this.#read.get(key) === at;
		const isDouble = thread.kind === "dms" && this.threads.some((other) => other.kind === "messages" && other.actor?.member_id === actor?.member_id);
		const draft = key === this.#current ? "" : draftText(this.app.drafts, draftKeyOf(thread)); // the open one has it in its field
		const text = draft ? words.messages.draft(draft) : senderId === store.memberId ? words.messages.own(excerpt) : excerpt;
		return { key, title, sub: isDouble ? words.messages.direct(text) : text, time: at ? words.when(at) : "", at, count: isRead ? 0 : count, isMarked: isMarked && !isRead, isCurrent: key === this.#current, person: [actor?.display_name, actor?.color, actor?.avatar?.url, actor?.presence?.state], acts: thread.actions.map(({ id }) => id) };
	}

	#row(thread) {
		const { app } = this;
		const { words } = app;
		const { actor } = thread;
		const { title, sub, time, at, count, isMarked, isCurrent } = this.#shown(thread);
		const acts = thread.actions.filter(({ id }) => id === "mark_read" || id === "mark_unread");
		return row({
			words, title, sub, time, dateTime: at, count, unread: isMarked, current: isCurrent, href: app.href(this.routeOf(thread)), picture: pictureOf(actor, title),
			actions: acts.length > 0 ? () => app.acts.items(acts) : undefined, actionsLabel: words.frame.moreFor(title),
		});
	}

	#draw() {
		const { app } = this;
		const { words } = app;
		if (this.#awaited.size > 0 || this.#lists.size + this.#failures.size === 0) return; // both kinds come together, so that nothing moves
		this.note.hidden = false;
		const all = this.threads;
		const shown = this.#query ? matching(all, this.#query) : all;
		this.update(shown);
		this.list.hidden = shown.length === 0;
		const more = [...this.#lists.values()].filter(({ pages }) => pages.hasMore);
		keepFocus(this.rest, () => this.rest.replaceChildren(...[
			this.#problem() ?? (all.length === 0 && this.#emptyList()),
			this.#query && this.#results(shown.length),
			more.length > 0 && !this.#query && button({ label: words.messages.older(), kind: "s plain full", run: (event) => this.#readOlder(more, event.currentTarget) }),
		].filter(Boolean)));
	}

	#emptyList() {
		const { words } = this.app;
		const start = this.startAction;
		return empty({ art: "chair", title: words.messages.none(), text: words.messages.noneText(), action: start && { label: start.label, icon: "edit", run: () => this.start() } });
	}

	// #results returns the messages that a search has found.
	#results(count) {
		const { app } = this;
		const { words } = app;
		if (!this.#found) return count === 0 ? el("p", { class: "quiet small inbox-none", role: "status", text: this.#running ? words.loading() : words.noOptions() }) : null;
		if (this.#found.length === 0) return count === 0 ? el("p", { class: "quiet small inbox-none", role: "status", text: words.noOptions() }) : null;
		return el("section", {}, el("h2", { class: "group-head", text: words.messages.found(this.#found.length) }), el("ul", { class: "rows inbox-list" }, this.#found.map(({ thread, message, excerpt }) => {
			const other = thread.participants?.find((person) => !person.is_self);
			const actor = other && { ...other, member_id: other.id };
			const href = app.href(this.routeOf({ kind: "messages", id: thread.id }, { message: message.id }));
			return el("li", {}, row({ words, title: thread.title, sub: message.sender_identity_user_id === app.store.memberId ? words.messages.own(excerpt) : excerpt, time: words.when(message.created_at), dateTime: message.created_at, href, picture: pictureOf(actor, thread.title) }));
		})));
	}

	#onSearch() {
		this.#query = this.input.value.trim();
		clearTimeout(this.#timer);
		this.#running?.abort();
		this.#running = null;
		this.#found = this.#query.length >= FEWEST ? this.#found : null;
		const search = this.app.store.dataset?.actions?.find(({ type }) => type === "search_messages");
		if (this.#query.length >= FEWEST && search) {
			const { signal } = (this.#running = new AbortController());
			this.#timer = setTimeout(() => this.#search(search, signal), DELAY);
		}
		this.#draw();
	}

	async #search(search, signal) {
		const control = search.controls?.find(({ type }) => type === "text");
		try {
			const data = await this.app.dispatcher.perform(search, { [control?.id ?? "q"]: this.#query }, { signal });
			if (signal.aborted) return;
			this.#found = data?.results ?? [];
		} catch (error) {
			if (signal.aborted) return;
			this.#found = null;
			this.app.acts.showError(error);
		}
		this.#running = null;
		this.#draw();
	}

	#onKey(event) {
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

	async #readOlder(lists, node) {
		setBusy(node, true);
		await Promise.all(lists.map(({ pages }) => pages.readMore()));
		setBusy(node, false);
	}

	#makeNote() {
		const { app } = this;
		const { words, store } = app;
		const social = store.service("social")?.content_source;
		const route = social && routeOfPanel(store.session, social);
		if (!route) return null;
		const [before, link, after] = words.messages.twoPeople();
		return el("p", { class: "quiet tiny inbox-foot" }, before, el("a", { class: "link", href: app.href({ ...route, query: { view: "conversations" } }), text: link }), after);
	}

	end() {
		clearTimeout(this.#timer);
		this.#running?.abort();
		this.scope.end();
	}
}

function pictureOf(actor, title) {
	return avatar({ name: actor?.display_name ?? title, id: actor?.member_id, color: actor?.color, image: actor?.avatar?.url, presence: actor?.presence?.state });
}
