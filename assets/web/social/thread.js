// A conversation: its posts, the replies that the server does not have yet, and the field for a reply.

import { avatar, presenceText } from "../parts/avatar.js";
import { composer } from "../parts/composer.js";
import { button, el, icon } from "../parts/el.js";
import { createKeyedList } from "../parts/keyedlist.js";
import { outboxOf } from "../parts/outbox.js";
import { textNodes } from "../parts/text.js";
import { dayIn } from "../parts/day.js";
import { reasonOf } from "../frame/problem.js";
import { actionOf, formOf, routeOf, sectionOf } from "./data.js";
import { firstNew, isFollowing, mergePosts } from "./posts.js";

const READ_DELAY = 700; // milliseconds until posts in view are marked as read
const END_DISTANCE = 120; // pixels from the end at which the list follows new posts

// Thread shows the conversation of a panel: `element` contains the posts, `foot` the field for a reply.
export class Thread {
	element = el("div", { class: "talk" });
	foot = el("div", { class: "talk-foot" });
	actors = []; // members that a reply can mention besides the authors of posts
	#posts = []; // items of the posts that were read, without the opening post
	#earlierPath = null; // path of the page before the first post, null for none
	#item = null; // item of the conversation
	#reply = null; // the form of a reply, null if the member may not reply
	#readState = null; // options of firstNew, which determine the position of the line "New"
	#isCurrent = false; // whether the panel has been read from the server in this visit
	#unsentKeys = new Set(); // keys of the visible replies that the server does not have yet
	composer = null; // the field for a reply, if the member may reply
	#startScroll; // scroll position after #scrollToNew
	#seenId = ""; // id of the last post that was in view
	#markedId = ""; // id of the last post that was marked as read
	#timer = 0; // delay of the next mark_read

	// Options:
	//
	//   id          the id of the conversation or event
	//   url         the path of the panel
	//   label       the label of the list of posts
	//   replyLabel  the label of the field, by default the label of the form
	//   fieldClass  a CSS class of the field
	//   scroll      whether it scrolls to the first new post, and to posts that are added at the end
	//   scroller    a function that returns the element that scrolls
	//   isPreview   whether the app has chosen the conversation: then posts are marked as read only after
	//               startReading
	constructor(app, scope, { id, url, label, replyLabel, fieldClass = "", scroll = false, scroller, isPreview = false }) {
		Object.assign(this, { app, scope, id, url, replyLabel, fieldClass, scroll, scroller, isPreview });
		this.outbox = outboxOf(app);
		this.list = el("ul", { class: "posts" });
		this.more = el("li", { class: "older" }, button({ label: app.words.social.older(), kind: "s", run: () => this.#readEarlier() }));
		this.showRecords = createKeyedList(this.list, {
			key: (record) => record.key, signature: (record) => record.signature, make: (record) => this.#node(record),
		});
		this.element.append(el("div", { role: "log", "aria-label": label }, this.list));
		this.observer = new IntersectionObserver((entries) => this.#onVisible(entries), { rootMargin: "0px 0px -32px 0px" });
		scope.add(() => { this.observer.disconnect(); clearTimeout(this.#timer); this.composer?.end(); });
		scope.add(this.outbox.subscribe((target) => target === id && this.#show()));
		document.addEventListener("visibilitychange", () => this.#scheduleMarkRead(), { signal: scope.signal });
		for (const node of isPreview ? [this.element, this.foot] : []) {
			for (const type of ["pointerdown", "focusin", "wheel"]) {
				node.addEventListener(type, () => this.startReading(), { passive: true, signal: scope.signal });
			}
		}
	}

	// startReading ends the preview: the member has chosen the conversation, or uses it.
	startReading() {
		if (!this.isPreview) return;
		this.isPreview = false;
		this.#mark({ isOpening: true });
	}

	// show shows a panel of the conversation. item is the item of the conversation or event, with its
	// state and actions. opening is the item of the opening post, null if the list does not contain it.
	// The first panel from the server scrolls like the first panel, if that was stored in an earlier
	// visit.
	show(panel, { item, opening = null }) {
		const { items, page } = sectionOf(panel, "replies");
		const isFirst = this.#item === null;
		const wasUnread = this.#item?.metadata.unread_count > 0;
		this.#item = item;
		this.opening = opening;
		const posts = mergePosts(this.#posts, items);
		if (posts.length <= items.length || isFirst) this.#earlierPath = page?.previous ?? null;
		this.#posts = posts;
		this.outbox.removeReceived(this.id, items);
		this.#updateReadState(wasUnread);
		this.#showFoot(formOf(panel, "reply"));
		this.#show({ isOpening: !this.#isCurrent });
		this.markVisible();
	}

	// markVisible marks the visible posts as read after a delay, if the panel has been read from the
	// server in this visit: a stored panel may lack posts. It also resets the mark "unread" of the
	// conversation when the first panel from the server arrives. The owner calls it after the first read
	// of the panel, because show is not called if the stored panel has not changed.
	markVisible() {
		const isOpening = !this.#isCurrent;
		this.#isCurrent = this.app.reader.isCurrent(this.url);
		this.#mark({ isOpening });
	}

	// #mark marks the visible posts as read after a delay, and with isOpening resets the mark "unread" if there are
	// no unread posts.
	#mark({ isOpening }) {
		if (this.isPreview) return;
		const { marked_unread: isMarked, unread_count: unread } = this.#item?.metadata ?? {};
		if (this.#isCurrent && isOpening && isMarked && !(unread > 0)) this.#markRead();
		else this.#scheduleMarkRead();
	}

	// #updateReadState sets the position of the line "New" from the item. It does so until the panel has
	// been read from the server, so that marking posts as read does not move the line, and again for
	// posts that arrive while the page is hidden after all posts were read.
	#updateReadState(wasUnread) {
		const { unread_count: unread = 0, read_up_to: readUpTo } = this.#item.metadata;
		const isAgain = document.hidden && unread > 0 && !wasUnread;
		if (this.#isCurrent && this.#readState && !isAgain) return;
		this.#readState = { readUpTo, unread, self: this.app.store.memberId };
	}

	// #show renders the posts. isOpening is whether it scrolls to the first new post, unless the member
	// has scrolled to earlier posts.
	#show({ isOpening = false } = {}) {
		const scroller = this.scroller?.();
		const unsentKeys = new Set(this.outbox.entries(this.id, this.#posts).map(({ key }) => key));
		const hasSent = [...unsentKeys].some((key) => !this.#unsentKeys.has(key));
		this.#unsentKeys = unsentKeys;
		const isUnscrolled = !scroller || this.#startScroll === undefined || this.#startScroll === scroller.scrollTop;
		const follows = hasSent || (scroller && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < END_DISTANCE);
		this.showRecords(this.#records());
		this.observer.disconnect();
		const from = this.#indexOfSeen();
		const nodes = [...this.list.querySelectorAll("[data-id]")].slice(this.opening ? from + 1 : from);
		for (const node of nodes) this.observer.observe(node);
		if (!this.scroll || !scroller) return;
		if (isOpening && (isUnscrolled || follows)) requestAnimationFrame(() => this.#scrollToNew(scroller));
		else if (follows && document.hidden) this.#scrollToNew(scroller); // the member has not seen the new posts
		else if (follows) scroller.scrollTop = scroller.scrollHeight;
	}

	// #scrollToNew scrolls the line "New" to the middle, or to the end if there is none.
	#scrollToNew(scroller) {
		const line = this.list.querySelector(".new-line");
		if (line) scroller.scrollTop += line.getBoundingClientRect().top - scroller.clientHeight / 2;
		else scroller.scrollTop = scroller.scrollHeight;
		this.#startScroll = scroller.scrollTop;
	}

	// #records returns the records of the list, { key, signature } with the fields that #node takes. A
	// record is a post, an entry of the outbox, the line "New", or the button for earlier posts.
	#records() {
		const { words } = this.app;
		const posts = this.opening ? [this.opening, ...this.#posts] : this.#posts;
		const newId = this.#posts[firstNew(this.#posts, this.#readState)]?.id;
		const records = [];
		posts.forEach((post, i) => {
			const previous = posts[i - 1];
			const isAfterButton = post === this.#posts[0] && this.#earlierPath;
			if (isAfterButton) records.push({ key: "more", signature: "", more: true });
			if (post.id === newId) records.push({ key: "new", signature: words.language, line: true });
			const follows = post.id !== newId && !isAfterButton && isFollowing(post, previous);
			const { body, entities, actor } = post;
			const signature = JSON.stringify([
				body, entities, actor?.display_name, actor?.color, actor?.avatar?.url, actor?.presence?.state,
				follows, previous?.metadata.created_at, words.currentDay(),
			]);
			records.push({ key: post.id, signature, post, previous, follows });
		});
		this.outbox.addQueued(this.id, this.#reply);
		for (const entry of this.outbox.entries(this.id, this.#posts)) records.push({ key: entry.key, signature: entry.state, entry });
		return records;
	}

	// #node returns the element of a record.
	#node({ more, line, post, previous, follows, entry }) {
		const { words } = this.app;
		if (more) return this.more;
		if (line) return el("li", { class: "new-line" }, el("span", { text: words.isNew() }));
		return entry ? this.#pendingNode(entry) : this.#postNode(post, previous, follows);
	}

	// #postNode returns the element of a post. previous is the post before it, if there is one; follows
	// is whether the author is left out, see isFollowing.
	#postNode(post, previous, follows) {
		const { words } = this.app;
		const { actor } = post;
		const at = post.metadata.created_at;
		const name = actor?.display_name ?? post.title;
		const time = el("time", {
			class: "quiet tiny", datetime: at, title: words.dayFull(dayIn(words.zone, Date.parse(at))),
			text: timeOf(at, previous?.metadata.created_at, words),
		});
		const options = { entities: post.entities ?? [], mention: (id) => this.#profileAddress(id) };
		const text = el("p", { class: "said", dir: "auto" }, textNodes(post.body ?? post.summary ?? "", options));
		const author = () => el("p", { class: "post-by" },
			el("bdi", { class: "strong", text: name }), actor?.presence && presenceText(actor.presence.state, words),
			post.mark && el("span", { class: "tag", text: post.mark }), " ", time);
		const node = follows
			? el("li", { class: "post follows" },
				el("span", { class: "post-gap" }), el("div", {}, el("span", { class: "sr", text: `${name} ` }), text))
			: el("li", { class: "post" }, picture(actor, name), el("div", {}, author(), text));
		node.dataset.id = post.id;
		return node;
	}

	// #profileAddress returns the address of the profile of a member, or undefined.
	#profileAddress(id) {
		const route = routeOf(this.app.store, { view: "people", id: String(id) });
		return route ? this.app.href(route) : undefined;
	}

	// #pendingNode returns the element of an entry of the outbox: its text and its state, and buttons to
	// repeat or discard it if it has failed.
	#pendingNode(entry) {
		const { app, outbox, id } = this;
		const { words } = app;
		const self = app.signedInMember();
		const hasFailed = entry.state === "failed";
		const progress = entry.state === "waiting" ? words.frame.pendingWaits()
			: entry.state === "sending" ? words.social.sending() : words.social.sent();
		const state = !hasFailed
			? el("span", { class: "quiet tiny", text: progress })
			: el("span", { class: "line wrap unsent" },
				el("span", { class: "wrong tiny" }, icon("warning", "i-s"), words.notSent()),
				el("span", { class: "quiet tiny", dir: "auto", text: reasonOf(entry.error, words) }),
				this.#reply && button({ label: words.social.sendAgain(), kind: "s", run: () => outbox.resend(id, entry) }),
				button({ label: words.discard(), kind: "s plain", run: () => outbox.remove(id, entry) }));
		return el("li", { class: `post pending${hasFailed ? " failed" : ""}` }, avatar({ ...self, presence: null }),
			el("div", {},
				el("p", { class: "post-by" }, el("bdi", { class: "strong", text: self.name }), " ", !hasFailed && state),
				el("p", { class: "said", dir: "auto", text: entry.body }), hasFailed && state));
	}

	// mentionMembers appends mentions of members to the text of the field, and focuses it.
	mentionMembers(usernames) {
		const text = this.composer.input.value.trimEnd();
		this.composer.fill(`${text}${text ? " " : ""}${usernames.map((name) => `@${name} `).join("")}`);
		this.composer.focus();
	}

	// canReply reports whether the member may reply.
	get canReply() {
		return this.#reply !== null;
	}

	// #showFoot shows the field for a reply, or a notice if the conversation is closed. It keeps a field
	// that is visible. form is the form of a reply, or undefined if the member may not reply.
	#showFoot(form) {
		const { app } = this;
		const { words } = app;
		this.#reply = form ?? null;
		if (form && this.composer) return;
		this.composer?.end();
		this.composer = null;
		const isClosed = this.#item.metadata.state === "closed";
		if (!form) {
			const text = () => el("p", { class: "quiet small talk-closed" }, icon("lock", "i-s in"), ` ${words.social.closedText()}`);
			return this.foot.replaceChildren(...(isClosed ? [text()] : []));
		}
		const control = form.controls.find(({ id }) => id === "body");
		this.composer = composer({
			words, label: this.replyLabel ?? form.label, sendLabel: words.social.send(), storage: app.drafts,
			draftKey: `reply ${this.id}`, limit: control?.max_length, kind: this.fieldClass,
			send: (text, stored) => this.outbox.add(this.id, this.#reply, text, stored),
			mentions: {
				label: words.social.members(), self: app.store.memberId,
				actors: () => [...this.actors, this.#item.actor, ...this.#posts.map(({ actor }) => actor)],
			},
		});
		this.foot.replaceChildren(this.composer.element);
	}

	// #readEarlier reads the page before the first post. The visible posts keep their position.
	async #readEarlier() {
		const { app } = this;
		const scroller = this.scroller?.();
		const path = this.#earlierPath;
		try {
			const { data } = await app.client.read(path, { signal: this.scope.signal });
			if (path !== this.#earlierPath) return;
			const { items, page } = sectionOf(data, "replies");
			const height = scroller?.scrollHeight;
			const hadFocus = this.more.contains(document.activeElement);
			const knownIds = new Set(this.#posts.map(({ id }) => id));
			this.#posts = [...items.filter(({ id }) => !knownIds.has(id)), ...this.#posts];
			this.#earlierPath = page?.previous ?? null;
			this.#show();
			if (scroller) scroller.scrollTop += scroller.scrollHeight - height;
			if (hadFocus && !this.more.isConnected) this.composer?.focus();
			app.say(app.words.social.olderShown(items.length));
		} catch (error) {
			if (!this.scope.signal.aborted) app.actions.showError(error, () => this.#readEarlier());
		}
	}

	// #indexOfSeen returns the index of the last post that was in view, 0 if there is none.
	#indexOfSeen() {
		return Math.max(0, this.#posts.findIndex(({ id }) => id === this.#seenId));
	}

	// #onVisible updates #seenId. It is called with entries of the IntersectionObserver.
	#onVisible(entries) {
		for (const { isIntersecting, target } of entries) {
			const { id } = target.dataset;
			const at = this.#posts.findIndex((post) => post.id === id);
			if (isIntersecting && at >= this.#indexOfSeen()) this.#seenId = id;
		}
		this.#scheduleMarkRead();
	}

	// #scheduleMarkRead marks the posts up to #seenId as read in READ_DELAY milliseconds, if some of
	// them are unread and the page is visible then.
	#scheduleMarkRead() {
		const { metadata } = this.#item ?? {};
		if (this.isPreview || !metadata || !this.#isCurrent || document.hidden || !(metadata.unread_count > 0)) return;
		if (!this.#seenId || this.#markedId === this.#seenId) return;
		const at = this.#posts.findIndex(({ id }) => id === this.#seenId);
		if (at <= this.#posts.findIndex(({ id }) => id === metadata.read_up_to)) return;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => !document.hidden && this.#markRead(this.#seenId), READ_DELAY);
	}

	// #markRead marks the posts up to the post with an id as read, or all posts without an id.
	#markRead(upTo) {
		const action = actionOf(this.#item, "mark_read");
		if (!action) return;
		this.#markedId = upTo;
		const fields = upTo ? { last_read_reply_id: upTo } : {};
		// After a failure, the next post in view repeats the write.
		this.app.dispatcher.perform(action, {}, { fields }).catch(() => (this.#markedId = ""));
	}
}

function picture(actor, name) {
	const image = actor?.avatar?.thumb_url ?? actor?.avatar?.url;
	return avatar({ name, id: actor?.member_id, color: actor?.color, image, presence: actor?.presence?.state });
}

// timeOf returns the time of a post, with the day unless the previous post has the same day. at and
// previous are the instants of the two posts.
function timeOf(at, previous, words) {
	const day = dayIn(words.zone, Date.parse(at));
	const isSame = previous && dayIn(words.zone, Date.parse(previous)) === day;
	return isSame ? words.time(at) : words.social.dayTime(words.relativeDay(day), words.time(at));
}
