// A thread: its messages and the composer.

import { avatar } from "../parts/avatar.js";
import { composer } from "../parts/composer.js";
import { button, el, icon, isTouch } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { dayIn } from "../parts/day.js";
import { outboxOf } from "../parts/outbox.js";
import { countText } from "../parts/person.js";
import { presenceLine, profileOf } from "../frame/person.js";
import { problem } from "../frame/problem.js";
import { withQuery } from "../world/dispatch.js";
import { bubbles } from "./bubbles.js";
import { Finder } from "./find.js";
import { SERVICE_OF, draftKeyOf, keyOf, pageOf, panelOf, threadOfPanel } from "./model.js";
import { Scroller } from "./scroll.js";
import { firstNew, isAfter, merge, prepend, timeline } from "./timeline.js";

const SEEN = 600; // milliseconds after which a visible message counts as read
const EARLIER = 600; // pixels from the start at which earlier messages are read
const PAGES = 40; // that are read to find one message

// isLooking reports whether the member can see what arrives: the page is visible and, where there
// are windows, in front.
function isLooking() {
	return !document.hidden && (isTouch() || document.hasFocus());
}

// Thread shows a thread, { kind, id }. Options: back, the route of the list; known, the thread of
// the list, if it has it; foundId, the id of a message to show; read(), called when the member
// has read everything. The caller puts the element into the page and calls start.
export class Thread {
	#thread = null; // what threadOfPanel returns
	#history = { messages: [], previous: null };
	#readUpTo; // the read cursor when the thread was opened, after which "New" stands; undefined for none
	#seen = null; // id of the last message that was marked as read
	#isMarked = false; // whether it was marked as unread when it was opened, and still is
	#reading = null; // promise of the page before, while it is being read
	#isCurrent = false; // whether the panel is that of the server, not only that of an earlier visit
	#wasAtEnd = true;
	#startedAt; // position to which the thread was scrolled when it was opened
	#days = new Map(); // instant → its day
	#timer = 0;

	constructor(app, named, { back, known, foundId, read = () => {} }) {
		Object.assign(this, { app, named, back, known, foundId, read, title: known?.title ?? "", key: keyOf(named), scope: app.scope(), outbox: outboxOf(app) });
		const { words } = app;
		this.head = el("div", { class: "col-head" });
		this.find = button({ label: words.messages.find(), icon: "search", only: true, kind: "plain", run: () => this.finder.open() });
		this.finder = new Finder({ words, history: () => this.#history, readBack: (isFound) => this.#readBack(isFound), show: () => this.#showFound(), closed: () => this.find.focus({ preventScroll: true }) });
		const top = el("div", { class: "thread-top" }, this.head, this.finder.element);
		this.slot = el("div", {}); // of the composer
		this.earlier = button({ label: words.messages.earlier(), kind: "s plain earlier gone", run: () => this.#readEarlier() });
		this.body = el("div", { class: "thread-body" }, skeleton({ words, rows: 4 }));
		this.jump = button({ label: words.messages.newest(), icon: "down", only: true, kind: "jump", hidden: true, run: () => this.scroller.toEnd({ smooth: true }) });
		this.foot = el("div", { class: "thread-foot" }, el("div", { class: "jump-line" }, this.jump), this.slot);
		this.element = el("section", { class: "col thread" }, top, this.earlier, this.body, this.foot);
		this.scroller = new Scroller(this.element, { head: top, foot: () => this.composer?.element ?? this.foot });
		this.#showHead();
	}

	get url() {
		return panelOf(this.app.store, this.named);
	}

	// start reads the thread and keeps it current.
	start() {
		const { app, scope } = this;
		const { url } = this;
		const fail = (error, wasShown, again) => {
			if (wasShown) return;
			this.title ||= app.words.error();
			this.#showHead();
			this.#showProblem(error, again);
		};
		if (url) scope.panel(url, [SERVICE_OF[this.named.kind]], (panel) => this.#showPanel(panel), fail).then(() => this.#onRead());
		scope.add(this.outbox.subscribe((key) => key === this.key && this.log && this.#draw()));
		const { signal } = scope;
		const look = () => this.#look();
		this.element.addEventListener("scroll", look, { signal, passive: true });
		document.addEventListener("scroll", look, { signal, passive: true });
		document.addEventListener("visibilitychange", look, { signal });
		addEventListener("resize", () => { if (this.#wasAtEnd) this.scroller.toEnd(); look(); }, { signal });
		addEventListener("focus", look, { signal });
		const observer = new ResizeObserver(() => this.#wasAtEnd && this.log && this.scroller.toEnd()); // the composer grows
		observer.observe(this.foot);
		scope.add(() => observer.disconnect());
		scope.add(() => clearTimeout(this.#timer));
		scope.every(60_000, () => this.log && this.#draw()); // the names of the days
	}

	#showProblem(error, again) {
		const { words } = this.app;
		const retry = () => {
			this.body.replaceChildren(skeleton({ words, rows: 4 }));
			again();
		};
		this.body.replaceChildren(problem(error, words, error.retryable ? retry : undefined));
	}

	// #onRead is called after the first read, which calls #showPanel only if the panel of an earlier
	// visit has changed.
	#onRead() {
		this.#isCurrent = this.app.reader.isCurrent(this.url);
		this.#look();
	}

	// #showPanel shows the latest messages, which may have changed. After the panel of an earlier
	// visit, the first one of the server is shown as if it opened the thread.
	#showPanel(panel) {
		const { app, named } = this;
		const thread = threadOfPanel(panel, named.kind);
		if (!thread) return;
		const isFirst = !this.#thread;
		const isOpening = !this.#isCurrent;
		this.#isCurrent = app.reader.isCurrent(this.url);
		const before = this.#history.messages.at(-1)?.id;
		this.#thread = thread;
		this.title = thread.title;
		this.#history = merge(this.#history, thread.page);
		this.outbox.settle(this.key, this.#history.messages);
		this.outbox.adopt(this.key, thread.send);
		if (isFirst) this.#makeLog();
		else if (!this.log.element.isConnected) this.body.replaceChildren(this.log.element); // in place of an error
		if (isOpening) this.#setNew();
		else this.#markArrived(before);
		if (isAfter(this.#history.messages, thread.readUpTo, this.#seen)) this.#seen = thread.readUpTo; // read elsewhere
		this.#showHead();
		this.#showFoot();
		this.#draw();
		if (isFirst) this.#begin();
		else if (isOpening && !this.#found && (this.#wasAtEnd || this.scroller.fromStart === this.#startedAt)) this.#showNew();
		app.frame.refresh();
		this.#look();
	}

	// #setNew sets what is new when the thread is opened.
	#setNew() {
		this.#readUpTo = this.#thread.count > 0 ? this.#thread.readUpTo : undefined;
		this.#seen = this.#thread.readUpTo;
		this.#isMarked = this.#thread.isMarked;
	}

	// #makeLog makes the log when the thread is known.
	#makeLog() {
		const { app } = this;
		const { words } = app;
		this.log = bubbles({
			words, label: words.messages.log(this.title), mention: (memberId) => { const route = profileOf(app.store, memberId); return route ? app.href(route) : undefined; },
			again: ({ entry }) => this.outbox.again(this.key, entry), takeBack: ({ entry }) => this.#takeBack(entry),
		});
		this.body.replaceChildren(this.log.element);
	}

	// #markArrived puts "New" before messages that have arrived while the member did not look,
	// unless it stands before others that they have not seen.
	#markArrived(before) {
		const arrived = this.#countAfter(before);
		const isKnown = this.#history.messages.some(({ id }) => id === before);
		if (!isKnown || arrived === 0 || (this.#wasAtEnd && isLooking())) return;
		if (this.#readUpTo === undefined || this.#countAfter(this.#seen) === arrived) this.#readUpTo = before;
	}

	// #countAfter returns the number of messages of others after one.
	#countAfter(last) {
		const { messages } = this.#history;
		const at = messages.findIndex(({ id }) => id === last);
		return messages.slice(at + 1).filter(({ senderId }) => senderId !== this.app.store.memberId).length;
	}

	// #begin scrolls to the first new message, or to the end.
	#begin() {
		if (this.foundId) return this.#readBack(() => this.#bubble(this.foundId)).then(() => this.#showFound());
		this.#showNew();
		return undefined;
	}

	// #showNew scrolls to the end, but not beyond the first new message.
	#showNew() {
		this.scroller.toEnd();
		const line = this.log.element.querySelector(".new-line");
		if (line) this.scroller.showAtTop(line);
		this.#startedAt = this.scroller.fromStart;
	}

	// #readBack reads earlier messages until isFound returns true. The browser has drawn them when
	// it returns, so that a scroll to one of them is no shift of the layout.
	async #readBack(isFound) {
		for (let page = 0; !isFound() && this.#history.previous && page < PAGES; page++) {
			if (!(await this.#readEarlier())) return;
			await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
		}
	}

	// #showFound shows the message that was found, if there is one, in the middle.
	#showFound() {
		if (!this.log) return;
		this.#draw({ isQuiet: true });
		const node = this.#found && this.#bubble(this.#found);
		if (node) this.scroller.showInMiddle(node);
		else if (this.#found) this.scroller.toEnd();
	}

	get #found() {
		return this.finder.id ?? this.foundId;
	}

	#bubble(id) {
		return this.log.element.querySelector(`[data-message="${CSS.escape(id)}"]`);
	}

	// #draw shows the messages. isQuiet says that none of them is new: it does not scroll.
	#draw({ isQuiet = false } = {}) {
		const { app, outbox, key } = this;
		const self = app.store.memberId;
		const stay = this.#wasAtEnd;
		const { messages } = this.#history;
		const own = outbox.entries(key, messages).map((entry) => ({ ...entry, senderId: self, name: app.self().name, entities: [], entry }));
		const all = [...messages.map((message) => ({ ...message, key: outbox.keyOf(message.id) })), ...own];
		const newId = this.#readUpTo === undefined ? null : firstNew(this.#history, this.#readUpTo, self);
		this.log.show(timeline(all, { self, newId, dayOf: (at) => this.#dayOf(at), named: this.#thread.others.length > 1 }), { isQuiet, foundId: this.#found, pattern: this.finder.pattern });
		this.earlier.classList.toggle("gone", !this.#history.previous);
		if (stay && !isQuiet && !this.#found) {
			if (isLooking()) this.scroller.toEnd();
			else this.#showNew();
		}
		this.#showJump();
	}

	// #dayOf returns the day of an instant, of which there are many.
	#dayOf(at) {
		if (!this.#days.has(at)) this.#days.set(at, dayIn(this.app.words.zone, Date.parse(at) || Date.now()));
		return this.#days.get(at);
	}

	// #look marks the visible messages as read, and reads earlier ones.
	#look() {
		if (!this.log || !this.element.isConnected) return;
		this.#wasAtEnd = this.scroller.isAtEnd;
		this.#showJump();
		if (this.scroller.fromStart < EARLIER && this.#history.previous) this.#readEarlier();
		if (this.#timer || !isLooking()) return;
		this.#timer = setTimeout(() => {
			this.#timer = 0;
			this.#markSeen();
		}, SEEN);
	}

	#showJump() {
		const { words } = this.app;
		this.jump.hidden = this.#wasAtEnd;
		if (this.#wasAtEnd) return; // scrolling calls this often
		const count = this.#countAfter(this.#seen);
		this.jump.setAttribute("aria-label", count > 0 ? `${words.messages.newest()}, ${words.newCount(count)}` : words.messages.newest());
		this.jump.replaceChildren(...[icon("down"), count > 0 && el("span", { class: "badge", "aria-hidden": "true", text: countText(count) })].filter(Boolean));
	}

	// #markSeen marks the messages that were visible as read, as soon as it is known which of them
	// were unread.
	#markSeen() {
		if (!this.#isCurrent || !isLooking() || !this.element.isConnected || !this.#thread?.markRead) return;
		const node = this.scroller.last([...this.log.element.querySelectorAll(".bub")].filter(({ dataset }) => dataset.message));
		const id = node?.dataset.message;
		const { messages } = this.#history;
		if (!id || !(isAfter(messages, id, this.#seen) || (this.#isMarked && this.#thread.count === 0))) return;
		const before = [this.#seen, this.#isMarked];
		[this.#seen, this.#isMarked] = [id, false];
		this.#showJump();
		if (id === messages.at(-1)?.id) this.read();
		this.app.dispatcher.perform(this.#thread.markRead, {}, { fields: { last_read_message_id: id } }).catch(() => ([this.#seen, this.#isMarked] = before)); // the next look repeats it
	}

	// #readEarlier reads the page before, and returns a promise of whether that was successful.
	#readEarlier() {
		return (this.#reading ??= this.#readPage(this.#history.previous).finally(() => (this.#reading = null)));
	}

	async #readPage(previous) {
		this.earlier.setAttribute("aria-busy", "true");
		const sections = this.named.kind === "messages" ? "messages" : "direct_message,messages";
		try {
			const { data } = await this.app.client.request("GET", withQuery(previous, { sections }), { signal: this.scope.signal });
			const { id } = this.#history.messages[0] ?? {};
			this.#history = prepend(this.#history, pageOf(data));
			this.scroller.keep(() => this.#bubble(id), () => this.#draw({ isQuiet: true }));
			return true;
		} catch (error) {
			if (!this.scope.signal.aborted) this.app.acts.showError(error, () => this.#readEarlier());
			return false;
		} finally {
			this.earlier.removeAttribute("aria-busy");
		}
	}

	#send(text, stored) {
		this.#readUpTo = undefined;
		this.#wasAtEnd = true;
		this.foundId = undefined;
		this.finder.close();
		this.outbox.add(this.key, this.#thread.send, text, stored);
	}

	// #takeBack puts a message that was not sent into the composer.
	#takeBack(entry) {
		const { input } = this.composer ?? {};
		const { body } = entry;
		this.outbox.remove(this.key, entry);
		if (input) this.composer.fill(input.value.trim() ? `${body}\n${input.value}` : body);
		this.composer?.focus();
	}

	#showHead() {
		const { app } = this;
		const { words } = app;
		const actor = (this.#thread ?? this.known)?.actor;
		const profile = actor && profileOf(app.store, actor.member_id);
		const hadFocus = this.head.contains(document.activeElement);
		const text = [this.title, presenceLine(actor, words), profile, this.#thread?.markUnread?.url].map(String).join("\n");
		if (this.headText === text) return;
		this.headText = text;
		const heading = el("h1", { class: "clip", tabindex: "-1", dir: "auto", text: this.title || words.loading() });
		const names = el("div", { class: "grow" }, heading, el("p", { class: "quiet tiny clip", dir: "auto", text: presenceLine(actor, words) }));
		const person = [actor && avatar({ name: actor.display_name, id: actor.member_id, color: actor.color, image: actor.avatar?.url, presence: actor.presence?.state }), names];
		this.head.replaceChildren(...[
			button({ label: words.frame.back(), icon: "back", only: true, kind: "plain s only-phone", run: () => app.router.back(this.back) }),
			el("div", { class: "line line-3 grow" }, person), this.find, this.#moreButton(profile),
		].filter(Boolean));
		if (hadFocus) heading.focus({ preventScroll: true });
	}

	#moreButton(profile) {
		const { app } = this;
		const { words } = app;
		const items = () => {
			const block = profile && app.store.actionOn(profile.id, "social.block");
			const unread = this.#thread?.markUnread;
			return [
				profile && { label: words.messages.profile(), icon: "person", href: app.href(profile) },
				unread && { label: words.messages.markUnread(), icon: "message", run: () => this.#markUnread(unread) },
				block && { label: block.label, icon: "block", bad: true, run: () => app.acts.act(block, { done: words.messages.blocked(this.title) }) },
			].filter(Boolean);
		};
		if (items().length === 0) return null;
		return menuButton(button({ label: words.frame.moreFor(this.title), icon: "more", only: true, kind: "plain" }), items, { label: words.frame.moreFor(this.title), end: true });
	}

	// #markUnread leaves the thread, which would be read at once otherwise.
	async #markUnread(action) {
		if ((await this.app.acts.act(action)) !== null) this.app.go(this.back);
	}

	#showFoot() {
		const { app } = this;
		const { words } = app;
		const { send, reason } = this.#thread;
		if (!send) {
			this.composer?.end();
			this.composer = null;
			return this.slot.replaceChildren(el("p", { class: "no-reply quiet small" }, icon("info", "i-s"), el("span", { dir: "auto", text: reason || words.messages.noReply() })));
		}
		if (this.composer) return undefined;
		const control = send.controls?.find(({ id }) => id === "body");
		this.composer = composer({ words, label: words.messages.to(this.title), sendLabel: words.messages.send(), limit: control?.max_length, storage: app.drafts, draftKey: draftKeyOf(this.named), send: (text, stored) => this.#send(text, stored) });
		this.slot.replaceChildren(this.composer.element);
		this.composer.grow();
		if (this.wantsFocus) this.focus();
		return undefined;
	}

	// focus puts the focus into the composer, as soon as there is one, or on the title where
	// the keyboard would cover the screen.
	focus({ title = false } = {}) {
		this.wantsFocus = !title && !this.composer && !this.#thread;
		if (title || !this.composer) this.head.querySelector("h1")?.focus({ preventScroll: true });
		else this.composer.focus();
	}

	end() {
		this.finder.end();
		this.composer?.end();
		this.scope.end();
	}
}
