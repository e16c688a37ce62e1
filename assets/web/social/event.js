// An event: its time, location and guests, the answer of the member, and its conversation.

import { button, el, icon, isPhone } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { notice } from "../parts/notice.js";
import { describe, parseRule } from "../parts/recurrence.js";
import { textNodes } from "../parts/text.js";
import { answerControl } from "../generic/answers.js";
import { bar } from "../frame/bar.js";
import { carryItem } from "../frame/workspace.js";
import { problem } from "../frame/problem.js";
import { aboutOf } from "./community.js";
import { actionOf, formOf, objectOf, panelURL, routeOf, sectionOf } from "./data.js";
import { change, invite, moreButton, replaceChildren, showGone } from "./frame.js";
import { linkItem } from "../frame/link.js";
import { Guests, tallyTexts } from "./guests.js";
import { dateBox, dayOf, hueOfEvent, lockIcon } from "./rows.js";
import { Thread } from "./thread.js";
import { nextOf } from "./times.js";

// eventView returns the view of an event.
export function eventView(app, id) {
	const { words, store } = app;
	const scope = app.scope();
	const head = el("div", { class: "ev-head" });
	const body = el("div", { class: "ev-page" }, el("div", { class: "ev-main" }, skeleton({ words, rows: 5 })));
	const back = routeOf(store, { view: "events" });
	const url = panelURL(store, { view: "events", id });
	let page = null;
	let panel = null;
	let communityId = "";
	let community = null; // its panel
	head.append(bar(app, { title: words.loading(), hideTitle: true, back }));
	const show = () => {
		const item = nextOf(sectionOf(panel, "event").items[0], Date.now());
		const isFirst = !page;
		const hadFocus = head.contains(document.activeElement);
		replaceChildren(head, eventBar(app, panel, item, back));
		page ??= new Page(app, scope, { id, url, body });
		page.show(panel, item);
		if (isFirst && community) page.setMembers(community);
		readCommunity(item.community?.id);
		if (isFirst && hadFocus) app.frame.focusTitle();
		app.frame.refresh();
	};
	const readCommunity = (of) => {
		if (!of || communityId) return;
		communityId = of;
		scope.panel(panelURL(store, { view: "communities", id: of, sections: "about,members" }), ["social"], (found) => { community = found; page?.setMembers(found); });
	};
	readCommunity(objectOf(store, id)?.state.community_id);
	scope.panel(url, ["social"], (found) => { panel = found; show(); }, (error) => {
		if (error.status === 404) showGone(app, head, body);
		else if (!panel) body.replaceChildren(el("div", { class: "ev-main" }, problem(error, words, () => app.show())));
	}).then(() => page?.thread.look());
	scope.on(["objects"], () => page?.showCalendar());
	scope.every(60_000, () => page?.showFacts());
	return { title: () => panel?.title ?? "", element: [head, el("div", { class: "pane flush ev-pane" }, body)], noRail: true, isDeep: true, close: () => scope.end(), keys: { e: () => changeEvent(app, panel) } };
}

function changeEvent(app, panel) {
	return change(app, formOf(panel, "update"), { group: [["start", "end"]] });
}

function eventBar(app, panel, item, back) {
	const { words, store } = app;
	const day = dayOf(item.start, words.zone);
	const crumbs = el("nav", { class: "crumbs quiet not-phone", "aria-label": words.social.whereIsThis() },
		el("a", { href: app.href(back), text: words.social.events() }), icon("right", "i-s i-flip"), el("span", { text: day ? words.relativeDay(day) : panel.title }));
	const form = formOf(panel, "update");
	const actions = ["mark_unread", "close", "reopen", "cancel"].map((name) => actionOf(item, name)).filter(Boolean);
	const object = objectOf(store, item.id);
	const invitation = formOf(panel, "invite");
	const menu = [
		form && { label: form.label, icon: "edit", keys: "e", run: () => changeEvent(app, panel) },
		invitation && { label: invitation.label, icon: "invite", run: () => invite(app, invitation) },
		object && carryItem(app, object),
		...app.acts.items(actions, { name: panel.title }),
	];
	return bar(app, {
		title: null, back, start: [crumbs], kind: "ev-bar",
		end: [button({ ...linkItem(app), only: true, kind: "plain" }), form && button({ label: form.label, icon: "edit", kind: "s not-phone", run: () => changeEvent(app, panel) }), moreButton(app, menu.filter(Boolean), words.frame.moreFor(panel.title))].filter(Boolean),
	});
}

// Page is the content of the view. Its parts stay while the panel changes, so that what the
// member writes does too.
class Page {
	#answer = null;
	#note = null;
	#noteSent = "";
	members = []; // of the community of the event, as items

	constructor(app, scope, { id, url, body }) {
		const { words } = app;
		Object.assign(this, { app, scope, id });
		this.title = el("div", { class: "ev-title" });
		this.status = el("div", {});
		this.answerBox = el("div", {});
		this.facts = el("dl", { class: "facts" });
		this.text = el("div", { class: "read said", dir: "auto" });
		this.count = el("span", { class: "quiet small" });
		this.thread = new Thread(app, scope, { id, url, label: words.social.conversation(), replyLabel: words.social.replyToAll(), kind: "ev-composer", scroller: () => (isPhone() ? document.scrollingElement : body.closest(".pane")) });
		this.guests = new Guests(app, { remind: (usernames) => this.thread.address(usernames) });
		this.talk = el("section", { "aria-label": words.social.conversation() }, el("div", { class: "section-head" }, el("h2", { text: words.social.conversation() }), this.count), this.thread.element);
		body.replaceChildren(
			el("div", { class: "ev-col" }, el("div", { class: "ev-main" }, this.status, this.title, this.answerBox, this.facts, this.text), el("div", { class: "ev-talk" }, this.talk), this.thread.foot),
			this.guests.element,
		);
	}

	show(panel, item) {
		const { app } = this;
		const { words } = app;
		Object.assign(this, { panel, item });
		this.#showTitle();
		this.#showStatus();
		this.#showAnswer();
		this.showFacts();
		replaceChildren(this.text, ...textNodes(item.description ?? ""));
		this.text.hidden = !item.description;
		this.count.textContent = item.reply_count ? words.social.replies(item.reply_count) : words.social.noReplies();
		const hasTalk = panel.sections.some(({ id }) => id === "replies");
		this.talk.hidden = !hasTalk;
		if (hasTalk) this.thread.show(withHost(panel, item, words), { item });
		this.guests.show(panel, item, { canRemind: item.host?.member_id === app.store.memberId && !item.is_over && this.thread.canReply });
		this.#showTally();
		this.#showActors();
	}

	// setMembers takes the panel of the community of the event, with its members: for those who
	// have not answered, and for mentions.
	setMembers(panel) {
		const { items, page } = sectionOf(panel, "members");
		this.members = items;
		this.guests.setMembers(items, page?.next ? aboutOf(panel).metadata.member_count : 0);
		this.#showTally();
		this.#showActors();
	}

	#showActors() {
		const items = [...sectionOf(this.panel, "guests").items, ...this.members];
		this.thread.actors = [this.item.host, ...items.map(({ actor }) => actor)];
	}

	#showTitle() {
		const { app, item, panel } = this;
		const { words, store } = app;
		const { context, host } = item;
		const audience = item.community
			? el("a", { href: app.href(routeOf(store, { view: "communities", id: item.community.id })), dir: "auto", text: item.community.title })
			: el("span", { dir: "auto", text: context?.title ?? "" });
		const isOpen = context?.type === "open";
		const heading = this.title.querySelector("h1");
		const isFocused = heading && heading === document.activeElement;
		this.title.replaceChildren(dateBox(app, item.start, { hue: hueOfEvent(app, item) }) ?? "", el("div", { class: "grow" },
			el("h1", { tabindex: "-1", dir: "auto", class: item.metadata.status === "cancelled" ? "struck" : null, text: panel.title }),
			el("p", { class: "quiet" }, words.social.invites(host?.display_name ?? item.title), " · ", audience, !isOpen && [" ", el("span", { class: "tag" }, lockIcon(), words.social.notPublic())])));
		if (isFocused) this.title.querySelector("h1").focus({ preventScroll: true });
	}

	#showStatus() {
		const { item } = this;
		const { words } = this.app;
		const text = item.metadata.status === "cancelled" ? words.social.isCancelled(item.host?.display_name ?? "") : item.is_over ? words.social.isOver() : "";
		this.status.replaceChildren(...(text ? [notice({ kind: item.metadata.status === "cancelled" ? "warn" : "info", text })] : []));
		this.status.hidden = !text;
	}

	// #showAnswer shows the control for the answer and the note to the host. Those that are
	// there stay, with what the member has written.
	#showAnswer() {
		const { app, panel, item } = this;
		const { words, store } = app;
		const form = formOf(panel, "rsvp");
		const value = item.metadata.rsvp ?? "none";
		this.answerBox.hidden = !form || item.metadata.status === "cancelled";
		if (this.answerBox.hidden) return this.answerBox.replaceChildren();
		const note = form.controls.find(({ id }) => id === "note");
		this.form = form;
		if (this.#answer && this.answerBox.firstChild) {
			this.#answer.set(value);
			return undefined;
		}
		const isHost = item.host?.member_id === store.memberId;
		this.#noteSent = note?.default ?? "";
		const label = words.social.noteTo(item.host?.display_name ?? "");
		this.#note = note && !isHost ? el("input", { class: "input", value: this.#noteSent, maxlength: note.max_length, placeholder: label, "aria-label": label, dir: "auto", autocomplete: "off", on: { change: () => this.#sendNote() } }) : null;
		this.#note?.addEventListener("keydown", (event) => event.key === "Enter" && !event.isComposing && this.#note.blur());
		this.#answer = answerControl(app, form, {
			title: panel.title, label: words.social.willYouCome(), value, note: note && (() => (this.#noteSent = this.#note?.value ?? this.#noteSent)), changed: (next) => { this.guests.answered(next); this.#showTally(); },
		});
		return this.answerBox.replaceChildren(el("div", { class: "answer-box" }, el("p", { class: "strong", "aria-hidden": "true", text: words.social.willYouCome() }), this.#answer.element, this.#note ?? ""));
	}

	// #sendNote sends a changed note with the answer that is shown, if there is one: the server may
	// not have received it yet.
	async #sendNote() {
		const { value } = this.#answer;
		const note = this.#note.value.trim();
		if (value === "none" || note === this.#noteSent) return;
		const before = this.#noteSent;
		this.#noteSent = note;
		if ((await this.app.acts.act(this.form, { values: { response: value, note }, done: this.app.words.social.noteSent() })) === null) this.#noteSent = before;
	}

	showFacts() {
		const { app, item } = this;
		const { words } = app;
		const { location: where, metadata: data } = item;
		const day = dayOf(item.start, words.zone);
		const zone = item.start?.timezone;
		const first = data.start.slice(0, 10);
		const parsed = data.rrule && parseRule(data.rrule, first, zone ?? "UTC");
		const rule = data.rrule && (parsed ? describe(parsed, first, words) : words.social.repeats());
		const isOther = zone && zone !== words.zone && item.start.utc;
		const there = isOther ? words.range(item.start.utc, item.end?.utc ?? item.start.utc, zone) : "";
		const facts = [
			["clock", words.social.when(), el("span", { class: "strong", text: words.whenEvent(item) }), [relative(day, words), there].filter(Boolean).join(" · ")],
			rule && ["repeat", words.social.repeatsLabel(), el("span", { text: rule })],
			where?.label && ["pin", words.social.where(), el("a", { class: "link", href: app.href({ kind: "find", query: { q: where.label } }), dir: "auto", text: where.label })],
		].filter(Boolean);
		this.calendarFact = el("div", {});
		this.tallyFact = el("div", { class: "only-phone" });
		replaceChildren(this.facts, facts.map(([name, label, value, more]) => fact(name, label, value, more)), this.tallyFact, this.calendarFact);
		this.showCalendar();
		this.#showTally();
	}

	// #showTally shows the numbers of the answers on a phone, where the column of answers is
	// further down.
	#showTally() {
		const { words } = this.app;
		const { tally } = this.guests;
		this.tallyFact.hidden = !tally;
		if (!tally) return;
		const text = tallyTexts(tally, words).join(" · ");
		const show = el("button", { type: "button", class: "link", text, on: { click: () => this.guests.element.scrollIntoView({ block: "start" }) } });
		const capacity = this.item.capacity;
		replaceChildren(this.tallyFact, ...fact("people", words.social.whoComes(), show, capacity > 0 && words.social.places(tally.going, capacity)).childNodes);
	}

	// showCalendar shows the entry of the event in the member's calendar.
	showCalendar() {
		const { app, id, item } = this;
		const { words, store } = app;
		if (!this.calendarFact) return;
		const entry = store.dataset.objects?.find(({ object_type: type, state }) => type === "calendar_event" && state?.source_object_id === id);
		this.calendarFact.hidden = !entry;
		if (!entry) return;
		const link = el("a", { class: "link", href: app.href({ kind: "at", id: entry.world_object_id }), dir: "auto", text: entry.state.calendar_name });
		const isHost = item.host?.member_id === store.memberId;
		const next = fact("calendar", words.social.inCalendar(), el("span", {}, el("span", { class: "dot sq", vars: /^#[0-9a-f]{6}$/i.test(entry.state.color) ? { "--c": entry.state.color } : {} }), " ", link), isHost ? "" : words.social.inCalendarText(item.host?.display_name ?? ""));
		if (next.textContent !== this.calendarFact.textContent || this.calendarFact.childElementCount === 0) replaceChildren(this.calendarFact, ...next.childNodes);
	}
}

function fact(name, label, value, more) {
	return el("div", {}, el("dt", {}, icon(name), el("span", { class: "sr", text: label })), el("dd", {}, value, more && el("span", { class: "quiet", dir: "auto", text: more })));
}

// relative returns when a day is from today, such as "in 3 days".
function relative(day, words) {
	if (!day) return "";
	const days = Math.round((Date.parse(day) - Date.parse(words.currentDay())) / 86_400_000);
	return new Intl.RelativeTimeFormat(words.language, { numeric: "auto" }).format(days, "day");
}

// withHost returns the panel with the posts of the host marked.
function withHost(panel, item, words) {
	const host = item.host?.member_id;
	return { ...panel, sections: panel.sections.map((part) => (part.id === "replies" ? { ...part, items: part.items.map((post) => (host && post.actor?.member_id === host ? { ...post, mark: words.social.host() } : post)) } : part)) };
}
