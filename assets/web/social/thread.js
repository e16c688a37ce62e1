// A conversation: its posts, the unsent replies, and the field for a reply.

import { avatar, presenceText } from "../parts/avatar.js";
import { composer } from "../parts/composer.js";
import { button, el, icon } from "../parts/el.js";
import { keyed } from "../parts/keyed.js";
import { outboxOf } from "../parts/outbox.js";
import { textNodes } from "../parts/text.js";
import { dayIn } from "../parts/day.js";
import { reasonOf } from "../frame/problem.js";
import { actionOf, formOf, routeOf, sectionOf } from "./data.js";
import { firstNew, isFollowing, mergePosts } from "./posts.js";

const SEEN_AFTER = 700; // milliseconds until posts in view are marked as read
const NEAR_END = 120; // pixels from the end at which the list follows new posts

// Thread shows the conversation of a panel. Options: id, of the conversation or event; url, of the
// panel; label, of the list; replyLabel, of the field; kind, a class of the field; scroll, whether
// the view begins at the first new post; scroller, which returns the element that scrolls.
export class Thread {
	element = el("div", { class: "talk" });
	foot = el("div", { class: "talk-foot" });
	actors = []; // members besides those of the posts that a mention can name
	#posts = [];
	#earlier = null; // path of the page before the first post
	#item = null;
	#reply = null; // the form
	#unread = null; // what firstNew takes, for the line "New"
	#isCurrent = false; // whether the panel is that of the server, not only that of an earlier visit
	#own = new Set(); // keys of the shown posts that the server does not have
	#startedAt; // position to which the list was scrolled when it was opened
	#seen = ""; // id of the last post that was in view
	#told = "";
	#timer = 0;

	constructor(app, scope, { id, url, label, replyLabel, kind = "", scroll = false, scroller }) {
		Object.assign(this, { app, scope, id, url, replyLabel, kind, scroll, scroller });
		this.outbox = outboxOf(app);
		this.list = el("ul", { class: "posts" });
		this.more = el("li", { class: "older" }, button({ label: app.words.social.older(), kind: "s", run: () => this.#readEarlier() }));
		this.showRecords = keyed(this.list, { key: (record) => record.key, signature: (record) => record.mark, make: (record) => this.#node(record) });
		this.element.append(el("div", { role: "log", "aria-label": label }, this.list));
		this.observer = new IntersectionObserver((entries) => this.#onVisible(entries), { rootMargin: "0px 0px -32px 0px" });
		scope.add(() => { this.observer.disconnect(); clearTimeout(this.#timer); });
		scope.add(this.outbox.subscribe((target) => target === id && this.#show()));
		document.addEventListener("visibilitychange", () => this.#onSeen(), { signal: scope.signal });
	}

	// show shows a panel of the conversation. opening is the item of its first post, if it
	// belongs to the list; item has the state of the conversation and its actions. After the panel of
	// an earlier visit, the first one of the server is shown as if it opened the conversation.
	show(panel, { item, opening = null }) {
		const { items, page } = sectionOf(panel, "replies");
		const isFirst = this.#item === null;
		const wasUnread = this.#item?.metadata.unread_count > 0;
		this.#item = item;
		this.opening = opening;
		const merged = mergePosts(this.#posts, items);
		if (merged.length <= items.length || isFirst) this.#earlier = page?.previous ?? null;
		this.#posts = merged;
		this.outbox.settle(this.id, items);
		this.#setLine(wasUnread);
		this.#showFoot(formOf(panel, "reply"));
		this.#show({ isOpening: !this.#isCurrent });
		this.look();
	}

	// look marks what the member sees as read, if the panel is that of the server: that of an earlier
	// visit may lack posts. It is also called after the first read, which calls show only if the
	// panel of an earlier visit has changed.
	look() {
		const isOpening = !this.#isCurrent;
		this.#isCurrent = this.app.reader.isCurrent(this.url);
		const { marked_unread: isMarked, unread_count: unread } = this.#item?.metadata ?? {};
		if (this.#isCurrent && isOpening && isMarked && !(unread > 0)) this.#read();
		else this.#onSeen();
	}

	// #setLine remembers what was unread when the view was opened, so that reading does not move
	// the line "New", and again if all was read and there are new posts while the page is hidden.
	#setLine(wasUnread) {
		const { unread_count: unread = 0, read_up_to: readUpTo } = this.#item.metadata;
		const isAgain = document.hidden && unread > 0 && !wasUnread;
		if (this.#isCurrent && this.#unread && !isAgain) return;
		this.#unread = { readUpTo, unread, self: this.app.store.memberId };
	}

	#show({ isOpening = false } = {}) {
		const scroller = this.scroller?.();
		const own = new Set(this.outbox.entries(this.id, this.#posts).map(({ key }) => key));
		const isOwn = [...own].some((key) => !this.#own.has(key)); // the member has just sent it
		this.#own = own;
		const stays = !scroller || this.#startedAt === undefined || this.#startedAt === scroller.scrollTop; // the member has not scrolled
		const follows = isOwn || (scroller && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END);
		this.showRecords(this.#records());
		this.observer.disconnect();
		const from = this.#indexOfSeen();
		const nodes = [...this.list.querySelectorAll("[data-id]")].slice(this.opening ? from + 1 : from);
		for (const node of nodes) this.observer.observe(node);
		if (!this.scroll || !scroller) return;
		if (isOpening && (stays || follows)) requestAnimationFrame(() => this.#begin(scroller));
		else if (follows) scroller.scrollTop = scroller.scrollHeight;
	}

	// #begin scrolls to the line "New", or to the end.
	#begin(scroller) {
		const line = this.list.querySelector(".new-line");
		if (line) scroller.scrollTop += line.getBoundingClientRect().top - scroller.clientHeight / 2;
		else scroller.scrollTop = scroller.scrollHeight;
		this.#startedAt = scroller.scrollTop;
	}

	// #records returns the records of the list.
	#records() {
		const { words } = this.app;
		const posts = this.opening ? [this.opening, ...this.#posts] : this.#posts;
		const line = this.#posts[firstNew(this.#posts, this.#unread)]?.id;
		const records = [];
		posts.forEach((post, i) => {
			const before = posts[i - 1];
			if (post === this.#posts[0] && this.#earlier) records.push({ key: "more", mark: "", more: true });
			if (post.id === line) records.push({ key: "new", mark: words.language, line: true });
			const follows = post.id !== line && !(post === this.#posts[0] && this.#earlier) && isFollowing(post, before);
			const mark = JSON.stringify([post.body, post.entities, post.actor?.display_name, post.actor?.color, post.actor?.avatar?.url, post.actor?.presence?.state, follows, before?.metadata.created_at, words.currentDay()]);
			records.push({ key: post.id, mark, post, before, follows });
		});
		this.outbox.adopt(this.id, this.#reply);
		for (const entry of this.outbox.entries(this.id, this.#posts)) records.push({ key: entry.key, mark: entry.state, entry });
		return records;
	}

	#node({ more, line, post, before, follows, entry }) {
		const { words } = this.app;
		if (more) return this.more;
		if (line) return el("li", { class: "new-line" }, el("span", { text: words.isNew() }));
		return entry ? this.#pendingNode(entry) : this.#postNode(post, before, follows);
	}

	#postNode(post, before, follows) {
		const { words } = this.app;
		const { actor } = post;
		const at = post.metadata.created_at;
		const name = actor?.display_name ?? post.title;
		const time = el("time", { class: "quiet tiny", datetime: at, title: words.dayFull(dayIn(words.zone, Date.parse(at))), text: timeOf(at, before?.metadata.created_at, words) });
		const text = el("p", { class: "said", dir: "auto" }, textNodes(post.body ?? post.summary ?? "", { entities: post.entities ?? [], mention: (id) => this.#member(id) }));
		const node = follows
			? el("li", { class: "post follows" }, el("span", { class: "post-gap" }), el("div", {}, el("span", { class: "sr", text: `${name} ` }), text))
			: el("li", { class: "post" }, picture(actor, name), el("div", {},
				el("p", { class: "post-by" }, el("bdi", { class: "strong", text: name }), actor?.presence && presenceText(actor.presence.state, words), post.mark && el("span", { class: "tag", text: post.mark }), " ", time), text));
		node.dataset.id = post.id;
		return node;
	}

	// #member returns the address of the profile of a member.
	#member(id) {
		const route = routeOf(this.app.store, { view: "people", id: String(id) });
		return route ? this.app.href(route) : undefined;
	}

	#pendingNode(entry) {
		const { app, outbox, id } = this;
		const { words } = app;
		const me = app.self();
		const state = entry.state !== "failed"
			? el("span", { class: "quiet tiny", text: entry.state === "waiting" ? words.frame.pendingWaits() : entry.state === "sending" ? words.social.sending() : words.social.sent() })
			: el("span", { class: "line wrap unsent" }, el("span", { class: "wrong tiny" }, icon("warning", "i-s"), words.notSent()), el("span", { class: "quiet tiny", dir: "auto", text: reasonOf(entry.error, words) }),
				this.#reply && button({ label: words.social.sendAgain(), kind: "s", run: () => outbox.again(id, entry) }),
				button({ label: words.discard(), kind: "s plain", run: () => outbox.remove(id, entry) }));
		return el("li", { class: `post pending${entry.state === "failed" ? " failed" : ""}` }, avatar({ ...me, presence: null }),
			el("div", {}, el("p", { class: "post-by" }, el("bdi", { class: "strong", text: me.name }), " ", entry.state !== "failed" && state), el("p", { class: "said", dir: "auto", text: entry.body }), entry.state === "failed" && state));
	}

	// address begins a reply to members, after what is written already.
	address(usernames) {
		const text = this.composer.input.value.trimEnd();
		this.composer.fill(`${text}${text ? " " : ""}${usernames.map((name) => `@${name} `).join("")}`);
		this.composer.focus();
	}

	get canReply() {
		return this.#reply !== null;
	}

	// #showFoot shows the field, or why there is none. A field that is there stays.
	#showFoot(form) {
		const { app } = this;
		const { words } = app;
		const had = Boolean(this.#reply);
		this.#reply = form ?? null;
		if (form && had) return;
		const closed = this.#item.metadata.state === "closed";
		if (!form) return this.foot.replaceChildren(...(closed ? [el("p", { class: "quiet small talk-closed" }, icon("lock", "i-s in"), ` ${words.social.closedText()}`)] : []));
		const control = form.controls.find(({ id }) => id === "body");
		this.composer = composer({
			words, label: this.replyLabel ?? form.label, sendLabel: words.social.send(), storage: app.drafts, draftKey: `reply ${this.id}`, limit: control?.max_length, kind: this.kind,
			send: (text, stored) => this.outbox.add(this.id, this.#reply, text, stored),
			mentions: { label: words.social.members(), self: app.store.memberId, actors: () => [...this.actors, this.#item.actor, ...this.#posts.map(({ actor }) => actor)] },
		});
		this.scope.add(() => this.composer.end());
		this.foot.replaceChildren(this.composer.element);
	}

	async #readEarlier() {
		const { app } = this;
		const scroller = this.scroller?.();
		const path = this.#earlier;
		try {
			const { data } = await app.client.read(path, { signal: this.scope.signal });
			if (path !== this.#earlier) return;
			const { items, page } = sectionOf(data, "replies");
			const height = scroller?.scrollHeight;
			const hadFocus = this.more.contains(document.activeElement);
			const known = new Set(this.#posts.map(({ id }) => id));
			this.#posts = [...items.filter(({ id }) => !known.has(id)), ...this.#posts];
			this.#earlier = page?.previous ?? null;
			this.#show();
			if (scroller) scroller.scrollTop += scroller.scrollHeight - height;
			if (hadFocus && !this.more.isConnected) this.composer?.focus();
			app.say(app.words.social.olderShown(items.length));
		} catch (error) {
			if (!this.scope.signal.aborted) app.acts.showError(error, () => this.#readEarlier());
		}
	}

	#indexOfSeen() {
		return Math.max(0, this.#posts.findIndex(({ id }) => id === this.#seen));
	}

	#onVisible(entries) {
		for (const { isIntersecting, target } of entries) {
			const { id } = target.dataset;
			const at = this.#posts.findIndex((post) => post.id === id);
			if (isIntersecting && at >= this.#indexOfSeen()) this.#seen = id;
		}
		this.#onSeen();
	}

	// #onSeen marks the posts that were in view as read, a moment later.
	#onSeen() {
		const { metadata } = this.#item ?? {};
		if (!metadata || !this.#isCurrent || document.hidden || !(metadata.unread_count > 0) || !this.#seen || this.#told === this.#seen) return;
		const at = this.#posts.findIndex(({ id }) => id === this.#seen);
		if (at <= this.#posts.findIndex(({ id }) => id === metadata.read_up_to)) return;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => !document.hidden && this.#read(this.#seen), SEEN_AFTER);
	}

	#read(upTo) {
		const action = actionOf(this.#item, "mark_read");
		if (!action) return;
		this.#told = upTo;
		this.app.dispatcher.perform(action, {}, { fields: upTo ? { last_read_reply_id: upTo } : {} }).catch(() => (this.#told = "")); // the next post in view repeats it
	}
}

function picture(actor, name) {
	return avatar({ name, id: actor?.member_id, color: actor?.color, image: actor?.avatar?.thumb_url ?? actor?.avatar?.url, presence: actor?.presence?.state });
}

// timeOf returns the time of a post, with its day unless the one before is of the same day.
function timeOf(at, before, words) {
	const day = dayIn(words.zone, Date.parse(at));
	const isSame = before && dayIn(words.zone, Date.parse(before)) === day;
	return isSame ? words.time(at) : words.social.dayTime(words.relativeDay(day), words.time(at));
}
