// An open thread: its messages and the composer.

import { avatar } from "../parts/avatar.js";
import { addToDraft, composer } from "../parts/composer.js";
import { button, el, icon, isTouch } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { dayIn } from "../parts/day.js";
import { outboxOf } from "../parts/outbox.js";
import { countText } from "../parts/person.js";
import { presenceLine, profileRoute } from "../frame/person.js";
import { problem } from "../frame/problem.js";
import { withQuery } from "../world/dispatch.js";
import { createLog } from "./bubbles.js";
import { Finder } from "./find.js";
import { SERVICE_OF, draftKeyOf, keyOf, pageOf, panelOf, threadOfPanel } from "./model.js";
import { Scroller } from "./scroll.js";
import { firstNew, isAfter, mergeHistory, prepend, timeline } from "./timeline.js";

const READ_DELAY = 600; // milliseconds until visible messages are marked as read
const EARLIER_DISTANCE = 600; // distance from the start, in pixels, at which earlier messages are read
const MAX_PAGES = 40; // maximum number of pages that are read to find a message

// isPageActive reports whether the member can see new messages: the page is visible and, on a device with
// windows, has the focus.
function isPageActive() {
	return !document.hidden && (isTouch() || document.hasFocus());
}

// Thread shows a thread. The caller puts `element` into the page and then calls start.
export class Thread {
	#thread = null; // the latest result of threadOfPanel
	#history = { messages: [], previous: null }; // the messages that were read, see timeline.js
	#readUpTo; // id of the message before the line "New", null for the start of the thread, undefined for no line
	#seenId = null; // id of the last message that was marked as read
	#isMarked = false; // whether the member had marked the thread as unread before it was opened, and it still is
	#pageRead = null; // promise of the previous page, while it is being read
	#hasFailed = false; // whether the latest read of a previous page has failed, until the panel arrives again
	#isCurrent = false; // whether the panel has been read from the server in this visit
	#wasAtEnd = true; // whether the end was visible before the latest change
	#startScroll; // scroll position after #showNew
	#days = new Map(); // instant → its day
	#drawnDay = ""; // the present day at the latest call of #draw
	#timer = 0; // delay of #markSeen

	// target identifies the thread, { kind, id }. Options:
	//
	//   back     the route of the list of threads
	//   known    the thread of the list, undefined if the list does not contain it
	//   foundId  the id of a message to which the thread scrolls
	//   onRead   called when the member has seen the last message
	constructor(app, target, { back, known, foundId, onRead = () => {} }) {
		Object.assign(this, { app, target, back, known, foundId, onRead });
		Object.assign(this, { title: known?.title ?? "", key: keyOf(target), scope: app.scope(), outbox: outboxOf(app) });
		const { words } = app;
		this.head = el("div", { class: "col-head" });
		this.findButton = button({ label: words.messages.find(), icon: "search", iconOnly: true, kind: "plain", run: () => this.finder.open() });
		this.finder = new Finder({
			words, history: () => this.#history, readBack: (isFound) => this.#readBack(isFound), show: () => this.#showFound(),
			closed: () => this.findButton.focus({ preventScroll: true }),
		});
		const header = el("div", { class: "thread-top" }, this.head, this.finder.element);
		this.composerSlot = el("div", {});
		this.earlierButton = button({ label: words.messages.earlier(), kind: "s plain earlier gone", run: () => this.#readEarlier() });
		this.body = el("div", { class: "thread-body" }, skeleton({ words, rows: 4 }));
		this.jumpButton = button({
			label: words.messages.newest(), icon: "down", iconOnly: true, kind: "jump", hidden: true,
			run: () => this.scroller.toEnd({ smooth: true }),
		});
		this.foot = el("div", { class: "thread-foot" }, el("div", { class: "jump-line" }, this.jumpButton), this.composerSlot);
		this.element = el("section", { class: "col thread" }, header, this.earlierButton, this.body, this.foot);
		this.scroller = new Scroller(this.element, { head: header, foot: () => this.composer?.element ?? this.foot });
		this.#showHead();
	}

	// url is the path of the panel of the thread, or null.
	get url() {
		return panelOf(this.app.store, this.target);
	}

	// start reads the thread and keeps it current.
	start() {
		const { app, scope } = this;
		const { url } = this;
		const fail = (error, wasShown, retry) => {
			if (wasShown) return;
			this.title ||= app.words.error();
			this.#showHead();
			this.#showProblem(error, retry);
		};
		const show = (panel) => this.#showPanel(panel);
		if (url) scope.panel(url, [SERVICE_OF[this.target.kind]], show, fail).then(() => this.#onFirstRead());
		scope.add(this.outbox.subscribe((key) => key === this.key && this.log && this.#draw()));
		const { signal } = scope;
		const onViewChange = () => this.#onViewChange();
		this.element.addEventListener("scroll", onViewChange, { signal, passive: true });
		document.addEventListener("scroll", onViewChange, { signal, passive: true });
		document.addEventListener("visibilitychange", onViewChange, { signal });
		addEventListener("resize", () => { if (this.#wasAtEnd) this.scroller.toEnd(); onViewChange(); }, { signal });
		addEventListener("focus", onViewChange, { signal });
		// The end stays visible when the composer grows.
		const observer = new ResizeObserver(() => this.#wasAtEnd && this.log && this.scroller.toEnd());
		observer.observe(this.foot);
		scope.add(() => observer.disconnect());
		scope.add(() => clearTimeout(this.#timer));
		const isNewDay = () => this.log && this.#drawnDay !== app.words.currentDay();
		scope.every(60_000, () => isNewDay() && this.#draw({ isQuiet: true })); // updates the names of the days
	}

	// #showProblem shows the error of a panel that could not be read.
	#showProblem(error, retry) {
		const { words } = this.app;
		const retryVisibly = () => {
			this.body.replaceChildren(skeleton({ words, rows: 4 }));
			this.focus({ title: true }); // the button has been removed
			retry();
		};
		this.body.replaceChildren(problem(error, words, error.retryable ? retryVisibly : undefined));
	}

	// #onFirstRead is called after the first read, because #showPanel is not called if the stored panel has
	// not changed.
	#onFirstRead() {
		this.#isCurrent = this.app.reader.isCurrent(this.url);
		this.#onViewChange();
	}

	// #showPanel shows a panel with the latest messages. The first panel from the server opens the thread
	// again, if the first one was stored in an earlier visit.
	#showPanel(panel) {
		const { app, target } = this;
		const thread = threadOfPanel(panel, target.kind);
		if (!thread) return;
		const isFirst = !this.#thread;
		const isOpening = !this.#isCurrent;
		this.#isCurrent = app.reader.isCurrent(this.url);
		const lastId = this.#history.messages.at(-1)?.id;
		this.#hasFailed = false;
		this.#thread = thread;
		this.title = thread.title;
		this.#history = mergeHistory(this.#history, thread.page);
		this.outbox.removeReceived(this.key, this.#history.messages);
		this.outbox.addQueued(this.key, thread.send);
		if (isFirst) this.#makeLog();
		else if (!this.log.element.isConnected) this.body.replaceChildren(this.log.element); // replaces an error
		if (isOpening) this.#setReadState();
		else this.#moveNewLine(lastId);
		// Another device of the member may have marked messages as read.
		if (isAfter(this.#history.messages, thread.readUpTo, this.#seenId)) this.#seenId = thread.readUpTo;
		this.#showHead();
		this.#showFoot();
		this.#draw();
		const isUnscrolled = () => this.#wasAtEnd || this.scroller.fromStart === this.#startScroll;
		if (isFirst) this.#scrollToStart();
		else if (isOpening && !this.#foundMessageId && isUnscrolled()) this.#showNew();
		app.frame.refresh();
		this.#onViewChange();
	}

	// #setReadState sets the position of the line "New" and the read cursor when the thread is opened.
	#setReadState() {
		this.#readUpTo = this.#thread.count > 0 ? this.#thread.readUpTo : undefined;
		this.#seenId = this.#thread.readUpTo;
		this.#isMarked = this.#thread.isMarked;
	}

	// #makeLog creates the log, when the first panel has arrived.
	#makeLog() {
		const { app } = this;
		const { words } = app;
		const mention = (memberId) => {
			const route = profileRoute(app.store, memberId);
			return route ? app.href(route) : undefined;
		};
		this.log = createLog({
			words, label: words.messages.log(this.title), mention,
			sendAgain: ({ entry }) => this.outbox.resend(this.key, entry), takeBack: ({ entry }) => this.#takeBack(entry),
		});
		this.body.replaceChildren(this.log.element);
	}

	// #moveNewLine moves the line "New" to the messages that have arrived after the message with lastId, if the
	// member could not see them arrive. It does not move the line if earlier messages are unseen.
	#moveNewLine(lastId) {
		const count = this.#countAfter(lastId);
		const isKnown = this.#history.messages.some(({ id }) => id === lastId);
		if (!isKnown || count === 0 || (this.#wasAtEnd && isPageActive())) return;
		if (this.#readUpTo === undefined || this.#countAfter(this.#seenId) === count) this.#readUpTo = lastId;
	}

	// #countAfter returns the number of messages of other members after the message with lastId.
	#countAfter(lastId) {
		const { messages } = this.#history;
		const at = messages.findIndex(({ id }) => id === lastId);
		return messages.slice(at + 1).filter(({ senderId }) => senderId !== this.app.store.memberId).length;
	}

	// #scrollToStart scrolls to the message foundId, or else as #showNew does.
	#scrollToStart() {
		if (this.foundId) return this.#readBack(() => this.#bubble(this.foundId)).then(() => this.#showFound());
		this.#showNew();
		return undefined;
	}

	// #showNew scrolls to the end, but not beyond the first new message.
	#showNew() {
		this.scroller.toEnd();
		const line = this.log.element.querySelector(".new-line");
		if (line) this.scroller.showAtTop(line);
		this.#startScroll = this.scroller.fromStart;
	}

	// #readBack reads earlier messages until isFound returns true. It waits until the browser has rendered
	// them, so that a scroll to one of them does not count as a layout shift.
	async #readBack(isFound) {
		for (let page = 0; !isFound() && this.#history.previous && page < MAX_PAGES; page++) {
			if (!(await this.#readEarlier())) return;
			await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
		}
	}

	// #showFound scrolls to the message that a search has found, if there is one.
	#showFound() {
		if (!this.log) return;
		this.#draw({ isQuiet: true });
		const node = this.#foundMessageId && this.#bubble(this.#foundMessageId);
		if (node) this.scroller.showInMiddle(node);
		else if (this.#foundMessageId) this.scroller.toEnd();
	}

	// #foundMessageId is the id of the message that a search in the thread or in the list has found, or a
	// falsy value.
	get #foundMessageId() {
		return this.finder.id ?? this.foundId;
	}

	// #bubble returns the element of the message with an id, or null.
	#bubble(id) {
		return this.log.element.querySelector(`[data-message="${CSS.escape(id)}"]`);
	}

	// #draw renders the messages. If the end was visible, it scrolls to new ones. isQuiet is whether no
	// message is new: then it does not scroll, and screen readers announce nothing.
	#draw({ isQuiet = false } = {}) {
		const { app, outbox, key } = this;
		const self = app.store.memberId;
		this.#drawnDay = app.words.currentDay();
		const wasAtEnd = this.#wasAtEnd;
		const { messages } = this.#history;
		const messageOf = (entry) => ({ ...entry, senderId: self, name: app.signedInMember().name, entities: [], entry });
		const unsent = outbox.entries(key, messages).map(messageOf);
		const allMessages = [...messages.map((message) => ({ ...message, key: outbox.keyOf(message.id) })), ...unsent];
		const newId = this.#readUpTo === undefined ? null : firstNew(this.#history, this.#readUpTo, self);
		const entries = timeline(allMessages, { self, newId, dayOf: (at) => this.#dayOf(at), named: this.#thread.others.length > 1 });
		this.log.show(entries, { isQuiet, foundId: this.#foundMessageId, pattern: this.finder.pattern });
		this.earlierButton.classList.toggle("gone", !this.#history.previous);
		if (wasAtEnd && !isQuiet && !this.#foundMessageId) {
			if (isPageActive()) this.scroller.toEnd();
			else this.#showNew();
		}
		this.#showJump();
	}

	// #dayOf returns the day of an instant. It caches the days, because #draw requires those of all
	// messages.
	#dayOf(at) {
		if (!this.#days.has(at)) this.#days.set(at, dayIn(this.app.words.zone, Date.parse(at) || Date.now()));
		return this.#days.get(at);
	}

	// #onViewChange is called when the scroll position or the visibility of the page may have changed. It
	// reads earlier messages near the start, and marks visible messages as read after READ_DELAY.
	#onViewChange() {
		if (!this.log || !this.element.isConnected) return;
		this.#wasAtEnd = this.scroller.isAtEnd;
		this.#showJump();
		const isNearStart = this.scroller.fromStart < EARLIER_DISTANCE && this.#history.previous;
		if (isNearStart && !this.#hasFailed) this.#readEarlier(); // after a failure, each scroll would show an error
		if (this.#timer || !isPageActive()) return;
		this.#timer = setTimeout(() => {
			this.#timer = 0;
			this.#markSeen();
		}, READ_DELAY);
	}

	// #showJump shows the button that scrolls to the end, with the number of unread messages, unless the
	// end is visible.
	#showJump() {
		const { words } = this.app;
		this.jumpButton.hidden = this.#wasAtEnd;
		if (this.#wasAtEnd) return; // returns early, because scrolling calls it often
		const count = this.#countAfter(this.#seenId);
		const label = count > 0 ? `${words.messages.newest()}, ${words.newCount(count)}` : words.messages.newest();
		this.jumpButton.setAttribute("aria-label", label);
		const badge = count > 0 && el("span", { class: "badge", "aria-hidden": "true", text: countText(count) });
		this.jumpButton.replaceChildren(...[icon("down"), badge].filter(Boolean));
	}

	// #markSeen marks the messages up to the last visible one as read, if the panel has been read from the
	// server in this visit: a stored panel may lack messages.
	#markSeen() {
		if (!this.#isCurrent || !isPageActive() || !this.element.isConnected || !this.#thread?.markRead) return;
		const nodes = [...this.log.element.querySelectorAll(".bub")].filter(({ dataset }) => dataset.message);
		const id = this.scroller.lastVisible(nodes)?.dataset.message;
		const { messages } = this.#history;
		if (!id || !(isAfter(messages, id, this.#seenId) || (this.#isMarked && this.#thread.count === 0))) return;
		const previousState = [this.#seenId, this.#isMarked];
		[this.#seenId, this.#isMarked] = [id, false];
		this.#showJump();
		if (id === messages.at(-1)?.id) this.onRead();
		const fields = { last_read_message_id: id };
		// After a failure, the next call repeats the write.
		this.app.dispatcher.perform(this.#thread.markRead, {}, { fields }).catch(() => ([this.#seenId, this.#isMarked] = previousState));
	}

	// #readEarlier reads the previous page. It returns a promise of whether the page has arrived.
	#readEarlier() {
		return (this.#pageRead ??= this.#readPage(this.#history.previous).finally(() => (this.#pageRead = null)));
	}

	// #readPage reads the page with a path and adds it before the history, unless the history has changed
	// so that another page precedes it. The visible messages do not move.
	async #readPage(previous) {
		this.earlierButton.setAttribute("aria-busy", "true");
		const sections = this.target.kind === "messages" ? "messages" : "direct_message,messages";
		try {
			const { data } = await this.app.client.request("GET", withQuery(previous, { sections }), { signal: this.scope.signal });
			this.#hasFailed = false;
			if (previous !== this.#history.previous) return true; // meanwhile, the latest page has replaced the history
			const { id } = this.#history.messages[0] ?? {};
			this.#history = prepend(this.#history, pageOf(data));
			this.scroller.keepPosition(() => this.#bubble(id), () => this.#draw({ isQuiet: true }));
			return true;
		} catch (error) {
			this.#hasFailed = true;
			if (!this.scope.signal.aborted) this.app.actions.showError(error, () => this.#readEarlier());
			return false;
		} finally {
			this.earlierButton.removeAttribute("aria-busy");
		}
	}

	// #send sends a message, scrolls to the end and resets the search. stored is passed to Outbox.add.
	#send(text, stored) {
		this.#readUpTo = undefined;
		this.#wasAtEnd = true;
		this.foundId = undefined;
		this.finder.close();
		this.outbox.add(this.key, this.#thread.send, text, stored);
	}

	// #takeBack removes a failed message and puts its text into the composer, before the text there. If the
	// member can no longer reply, it puts the text into the draft.
	#takeBack(entry) {
		const { body } = entry;
		this.outbox.remove(this.key, entry);
		if (!this.composer) return addToDraft(this.app.drafts, draftKeyOf(this.target), body);
		this.composer.add(body);
		return this.composer.focus();
	}

	// #showHead renders the head if it has changed: the title, the presence, and the buttons.
	#showHead() {
		const { app } = this;
		const { words } = app;
		const actor = (this.#thread ?? this.known)?.actor;
		const profile = actor && profileRoute(app.store, actor.member_id);
		const hadFocus = this.head.contains(document.activeElement);
		const signature = [this.title, presenceLine(actor, words), profile, this.#thread?.markUnread?.url].map(String).join("\n");
		if (this.headSignature === signature) return;
		this.headSignature = signature;
		const heading = el("h1", { class: "clip", tabindex: "-1", dir: "auto", text: this.title || words.loading() });
		const names = el("div", { class: "grow" }, heading, el("p", { class: "quiet tiny clip", dir: "auto", text: presenceLine(actor, words) }));
		const picture = actor && avatar({
			name: actor.display_name, id: actor.member_id, color: actor.color, image: actor.avatar?.url, presence: actor.presence?.state,
		});
		this.head.replaceChildren(...[
			button({ label: words.frame.back(), icon: "back", iconOnly: true, kind: "plain s only-phone", run: () => app.router.back(this.back) }),
			el("div", { class: "line line-3 grow" }, [picture, names]), this.findButton, this.#moreButton(profile),
		].filter(Boolean));
		if (hadFocus) heading.focus({ preventScroll: true });
	}

	// #moreButton returns the button of the menu of the thread, or null if the menu is empty. profile is the
	// route of the profile of the other member, if it is known.
	#moreButton(profile) {
		const { app } = this;
		const { words } = app;
		const items = () => {
			const block = profile && app.store.actionOn(profile.id, "social.block");
			const unread = this.#thread?.markUnread;
			return [
				profile && { label: words.messages.profile(), icon: "person", href: app.href(profile) },
				unread && { label: words.messages.markUnread(), icon: "message", run: () => this.#markUnread(unread) },
				block && {
					label: block.label, icon: "block", bad: block.destructive,
					run: () => app.actions.perform(block, { doneText: words.messages.blocked(this.title) }),
				},
			].filter(Boolean);
		};
		if (items().length === 0) return null;
		const label = words.frame.moreFor(this.title);
		return menuButton(button({ label, icon: "more", iconOnly: true, kind: "plain" }), items, { label, end: true });
	}

	// #markUnread marks the thread as unread, and shows the list, because the open thread would be marked as
	// read at once.
	async #markUnread(action) {
		if ((await this.app.actions.perform(action)) !== null) this.app.go(this.back);
	}

	// #showFoot shows the composer, or the reason why the member cannot reply. It keeps a composer that is
	// visible.
	#showFoot() {
		const { app } = this;
		const { words } = app;
		const { send, reason } = this.#thread;
		if (!send) {
			this.composer?.end();
			this.composer = null;
			const text = el("span", { dir: "auto", text: reason || words.messages.noReply() });
			return this.composerSlot.replaceChildren(el("p", { class: "no-reply quiet small" }, icon("info", "i-s"), text));
		}
		if (this.composer) return undefined;
		const control = send.controls?.find(({ id }) => id === "body");
		this.composer = composer({
			words, label: words.messages.to(this.title), sendLabel: words.messages.send(), limit: control?.max_length,
			storage: app.drafts, draftKey: draftKeyOf(this.target), send: (text, stored) => this.#send(text, stored),
		});
		this.composerSlot.replaceChildren(this.composer.element);
		this.composer.grow();
		if (this.wantsFocus) this.focus();
		return undefined;
	}

	// focus focuses the composer, or the title until there is a composer. title is whether it focuses only
	// the title, because the on-screen keyboard would cover the messages.
	focus({ title = false } = {}) {
		this.wantsFocus = !title && !this.composer && !this.#thread;
		if (title || !this.composer) this.head.querySelector("h1")?.focus({ preventScroll: true });
		else this.composer.focus();
	}

	// end ends the subscriptions and the search, and stores the draft.
	end() {
		this.finder.end();
		this.composer?.end();
		this.scope.end();
	}
}
