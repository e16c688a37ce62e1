// The view of an event: its time, location and guests, the answer of the member, and its conversation.

import { button, el, icon, isComposing, isPhone } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { notice } from "../parts/notice.js";
import { colorProps } from "../parts/person.js";
import { ruleText, parseRule } from "../parts/recurrence.js";
import { textNodes } from "../parts/text.js";
import { answerControl } from "../generic/answercontrol.js";
import { bar } from "../frame/bar.js";
import { withEditor } from "../frame/editor.js";
import { carryItem } from "../frame/workspace.js";
import { problem } from "../frame/problem.js";
import { communityItemOf } from "./community.js";
import { actionOf, formOf, isClosedEvent, panelURL, routeOf, sectionOf } from "./data.js";
import { invite, moreButton, replaceChildren, showGone } from "./frame.js";
import { linkItem } from "../frame/link.js";
import { Guests, tallyTexts } from "./guests.js";
import { colorOfEvent, dateBox, dayOf } from "./colors.js";
import { lockIcon } from "./rows.js";
import { Thread } from "./thread.js";
import { nextOf } from "./times.js";

// eventView returns the view of the event with an id.
export function eventView(app, id) {
	const { words, store } = app;
	const scope = app.scope();
	const head = el("div", { class: "ev-head" });
	const body = el("div", { class: "ev-page" }, el("div", { class: "ev-main" }, skeleton({ words, rows: 5 })));
	const back = routeOf(store, { view: "events" });
	const url = panelURL(store, { view: "events", id });
	let content = null;
	let panel = null;
	let communityId = ""; // id of the community of the event, as soon as it is known
	let community = null; // panel of the community
	head.append(bar(app, { title: words.loading(), hideTitle: true, back }));
	const show = () => {
		const item = nextOf(sectionOf(panel, "event").items[0], Date.now(), words.zone);
		const isFirst = !content;
		const hadFocus = head.contains(document.activeElement);
		replaceChildren(head, eventBar(app, panel, item, back));
		content ??= new EventContent(app, scope, { id, url, body });
		content.show(panel, item);
		if (isFirst && community) content.setMembers(community);
		readCommunity(item.community?.id);
		if (isFirst && hadFocus) app.frame.focusTitle();
		app.frame.refresh();
	};
	// readCommunity reads the community of the event as soon as its id is known, and keeps it current.
	const readCommunity = (knownId) => {
		if (!knownId || communityId) return;
		communityId = knownId;
		scope.panel(panelURL(store, { view: "communities", id: knownId, sections: "about,members" }), ["social"], (newPanel) => {
			community = newPanel;
			content?.setMembers(newPanel);
		});
	};
	readCommunity(store.objectOfRecord(id)?.state.community_id);
	scope.panel(url, ["social"], (newPanel) => { panel = newPanel; show(); }, (error) => {
		if (error.status === 404) showGone(app, head, body);
		else if (!panel) body.replaceChildren(el("div", { class: "ev-main" }, problem(error, words, () => app.show())));
	}).then(() => content?.thread.markVisible());
	scope.on(["objects"], () => content?.showCalendar());
	scope.every(60_000, () => content?.showFacts());
	return {
		title: () => panel?.title ?? "", element: [head, el("div", { class: "pane flush ev-pane" }, body)],
		usesFullWidth: true, isDeep: true, close: () => scope.end(), keys: { e: () => openEditor(app, panel) },
	};
}

// openEditor opens the form that changes an event. It returns false if the member may not change it.
function openEditor(app, panel) {
	const form = formOf(panel, "update");
	return form ? void withEditor(app, ({ changeEvent }) => changeEvent(app, form, sectionOf(panel, "event").items[0]?.metadata)) : false;
}

// eventBar returns the bar of an event: the link to the list of events, the button that changes the
// event, and a menu. back is the route of the list.
function eventBar(app, panel, item, back) {
	const { words, store } = app;
	const day = dayOf(item.start, words.zone);
	const crumbs = el("nav", { class: "crumbs quiet not-phone", "aria-label": words.social.whereIsThis() },
		el("a", { href: app.href(back), text: words.social.events() }), icon("right", "i-s i-flip"),
		el("span", { text: day ? words.relativeDay(day) : panel.title }));
	const form = formOf(panel, "update");
	const actions = ["mark_unread", "close", "reopen", "cancel"].map((name) => actionOf(item, name)).filter(Boolean);
	const object = store.objectOfRecord(item.id);
	const invitation = formOf(panel, "invite");
	const menu = [
		form && { label: form.label, icon: "edit", keys: "e", run: () => openEditor(app, panel) },
		invitation && { label: invitation.label, icon: "invite", run: () => invite(app, invitation) },
		object && carryItem(app, object),
		...app.actions.items(actions, { name: panel.title }),
	];
	return bar(app, {
		title: null, back, start: [crumbs], kind: "ev-bar",
		end: [
			button({ ...linkItem(app), iconOnly: true, kind: "plain" }),
			form && button({ label: form.label, icon: "edit", kind: "s not-phone", run: () => openEditor(app, panel) }),
			moreButton(app, menu.filter(Boolean), words.frame.moreFor(panel.title)),
		].filter(Boolean),
	});
}

// EventContent is the content of the view. It keeps the note and the reply that the member writes
// when the panel changes.
class EventContent {
	#answer = null; // answerControl, as soon as it is shown
	#note = null; // input element of the note to the host
	#sentNote = ""; // the note that the server has or is receiving
	members = []; // items of the members of the community

	// url is the path of the panel of the event.
	constructor(app, scope, { id, url, body }) {
		const { words } = app;
		Object.assign(this, { app, scope, id, body });
		this.title = el("div", { class: "ev-title" });
		this.status = el("div", {});
		this.answerBox = el("div", {});
		this.facts = el("dl", { class: "facts" });
		this.text = el("div", { class: "read said", dir: "auto" });
		this.count = el("span", { class: "quiet small" });
		this.thread = new Thread(app, scope, {
			id, url, label: words.social.conversation(), replyLabel: words.social.replyToAll(), fieldClass: "ev-composer",
			scroller: () => (isPhone() ? document.scrollingElement : body.closest(".pane")),
		});
		this.guests = new Guests(app, { remind: (usernames) => this.thread.mentionMembers(usernames) });
		this.conversation = el("section", { "aria-label": words.social.conversation() },
			el("div", { class: "section-head" }, el("h2", { text: words.social.conversation() }), this.count), this.thread.element);
		this.nodes = [
			el("div", { class: "ev-col" },
				el("div", { class: "ev-main" }, this.status, this.title, this.answerBox, this.facts, this.text),
				el("div", { class: "ev-talk" }, this.conversation), this.thread.foot),
			this.guests.element,
		];
	}

	// show shows a panel of the event in the body. item is its item, at its next occurrence.
	show(panel, item) {
		const { app } = this;
		const { words } = app;
		Object.assign(this, { panel, item });
		if (this.guests.element.parentNode !== this.body) this.body.replaceChildren(...this.nodes); // also after an error
		this.#showTitle();
		this.#showStatus();
		this.#showAnswer();
		this.showFacts();
		replaceChildren(this.text, ...textNodes(item.description ?? ""));
		this.text.hidden = !item.description;
		this.count.textContent = item.reply_count ? words.social.replies(item.reply_count) : words.social.noReplies();
		const hasReplies = panel.sections.some(({ id }) => id === "replies");
		this.conversation.hidden = !hasReplies;
		if (hasReplies) this.thread.show(markHostPosts(panel, item, words), { item });
		const isHost = item.host?.member_id === app.store.memberId;
		const answer = this.answerBox.hidden ? item.metadata.rsvp : this.#answer.value;
		this.guests.show(panel, item, { canRemind: isHost && !item.is_over && this.thread.canReply, answer: answer ?? "none" });
		this.#showTally();
		this.#updateActors();
	}

	// setMembers sets the members of the community of the event, from the panel of the community. The
	// guests include them, without an answer, and replies can mention them.
	setMembers(panel) {
		const { items, page } = sectionOf(panel, "members");
		this.members = items;
		this.guests.setMembers(items, page?.next ? communityItemOf(panel).metadata.member_count : 0);
		this.#showTally();
		this.#updateActors();
	}

	// #updateActors sets the members that a reply can mention.
	#updateActors() {
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
		const isClosed = isClosedEvent(item, store.objectOfRecord(item.community?.id));
		const heading = this.title.querySelector("h1");
		const isFocused = heading && heading === document.activeElement;
		this.title.replaceChildren(dateBox(app, item.start, { color: colorOfEvent(app, item) }) ?? "", el("div", { class: "grow" },
			el("h1", { tabindex: "-1", dir: "auto", class: item.metadata.status === "cancelled" ? "struck" : null, text: panel.title }),
			el("p", { class: "quiet" }, words.social.invites(host?.display_name ?? item.title), " · ", audience,
				isClosed && [" ", el("span", { class: "tag" }, lockIcon(), words.social.notPublic())])));
		if (isFocused) this.title.querySelector("h1").focus({ preventScroll: true });
	}

	#showStatus() {
		const { item } = this;
		const { words } = this.app;
		const isCancelled = item.metadata.status === "cancelled";
		const text = isCancelled ? words.social.isCancelled(item.host?.display_name ?? "") : item.is_over ? words.social.isOver() : "";
		this.status.replaceChildren(...(text ? [notice({ kind: isCancelled ? "warn" : "info", text })] : []));
		this.status.hidden = !text;
	}

	// #showAnswer shows the control for the answer and, unless the member is the host, the field for
	// the note to the host. It keeps the elements when the panel changes, so that a note that the
	// member writes is not lost.
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
		this.#sentNote = note?.default ?? "";
		const label = words.social.noteTo(item.host?.display_name ?? "");
		this.#note = note && !isHost ? el("input", {
			class: "input", value: this.#sentNote, maxlength: note.max_length, placeholder: label, "aria-label": label,
			dir: "auto", autocomplete: "off", on: { change: () => this.#sendNote() },
		}) : null;
		this.#note?.addEventListener("keydown", (event) => event.key === "Enter" && !isComposing(event) && this.#note.blur());
		this.#answer = answerControl(app, form, {
			title: panel.title, label: words.social.willYouCome(), value,
			note: note && (() => (this.#sentNote = this.#note?.value ?? this.#sentNote)),
			changed: (next) => { this.guests.setAnswer(next); this.#showTally(); },
		});
		const question = el("p", { class: "strong", "aria-hidden": "true", text: words.social.willYouCome() });
		return this.answerBox.replaceChildren(el("div", { class: "answer-box" }, question, this.#answer.element, this.#note ?? ""));
	}

	// #sendNote sends a changed note together with the visible answer, which the server may not have
	// received yet. Without an answer, the note is sent with the first one.
	async #sendNote() {
		const { value } = this.#answer;
		const note = this.#note.value.trim();
		if (value === "none" || note === this.#sentNote) return;
		const previousNote = this.#sentNote;
		this.#sentNote = note;
		const data = await this.app.actions.perform(this.form, { values: { response: value, note }, doneText: this.app.words.social.noteSent() });
		if (data === null) this.#sentNote = previousNote;
	}

	// showFacts shows the time, the recurrence and the location of the event, the numbers of the answers,
	// and the entry in a calendar.
	showFacts() {
		const { app, item } = this;
		const { words } = app;
		const { location: where, metadata: data } = item;
		const day = dayOf(item.start, words.zone);
		const zone = item.start?.timezone;
		const first = data.start.slice(0, 10);
		const parsedRule = data.rrule && parseRule(data.rrule, first, zone ?? "UTC");
		const rule = data.rrule && (parsedRule ? ruleText(parsedRule, first, words) : words.social.repeats());
		const isOther = zone && zone !== words.zone && item.start.utc;
		const there = isOther ? words.range(item.start.utc, item.end?.utc ?? item.start.utc, zone) : "";
		const timeText = el("span", { class: "strong", text: words.whenEvent(item) });
		const mapRoute = { kind: "find", query: { q: where?.label } };
		const facts = [
			["clock", words.social.when(), timeText, [dayDistance(day, words), there].filter(Boolean).join(" · ")],
			rule && ["repeat", words.social.repeatsLabel(), el("span", { text: rule })],
			where?.label && ["pin", words.social.where(), el("a", { class: "link", href: app.href(mapRoute), dir: "auto", text: where.label })],
		].filter(Boolean);
		this.calendarFact = el("div", {});
		this.tallyFact = el("div", { class: "only-phone" });
		replaceChildren(this.facts, facts.map(([name, label, value, more]) => fact(name, label, value, more)), this.tallyFact, this.calendarFact);
		this.showCalendar();
		this.#showTally();
	}

	// #showTally shows the numbers of the answers among the facts on a phone, where the column of the
	// guests is below the facts and the description.
	#showTally() {
		const { words } = this.app;
		const { tally } = this.guests;
		this.tallyFact.hidden = !tally;
		if (!tally) return;
		const text = tallyTexts(tally, words).join(" · ");
		const showGuests = () => this.guests.element.scrollIntoView({ block: "start" });
		const link = el("button", { type: "button", class: "link", text, on: { click: showGuests } });
		const capacity = this.item.capacity;
		const places = capacity > 0 && words.social.places(tally.going, capacity);
		replaceChildren(this.tallyFact, ...fact("people", words.social.whoComes(), link, places).childNodes);
	}

	// showCalendar shows the link to the entry of the event in a calendar of the member.
	showCalendar() {
		const { app, id, item } = this;
		const { words, store } = app;
		if (!this.calendarFact) return;
		const isEntry = ({ object_type: type, state }) => type === "calendar_event" && state?.source_object_id === id;
		const entry = store.dataset.objects?.find(isEntry);
		this.calendarFact.hidden = !entry;
		if (!entry) return;
		const color = colorProps(entry.state.color);
		const name = entry.state.calendar_name;
		const link = el("a", { class: "link", href: app.href({ kind: "at", id: entry.world_object_id }), dir: "auto", text: name });
		const isHost = item.host?.member_id === store.memberId;
		const dot = el("span", { class: `dot sq ${color.class}`, vars: color.vars });
		const text = isHost ? "" : words.social.inCalendarText(item.host?.display_name ?? "");
		const next = fact("calendar", words.social.inCalendar(), el("span", {}, dot, " ", link), text);
		const hasChanged = next.textContent !== this.calendarFact.textContent || this.calendarFact.childElementCount === 0;
		if (hasChanged) replaceChildren(this.calendarFact, ...next.childNodes);
	}
}

// fact returns an entry of the description list: an icon with a label for screen readers, a node, and
// a further text or a falsy value.
function fact(name, label, value, more) {
	return el("div", {},
		el("dt", {}, icon(name), el("span", { class: "sr", text: label })),
		el("dd", {}, value, more && el("span", { class: "quiet", dir: "auto", text: more })));
}

// dayDistance returns the distance of a day from today, such as "in 3 days"; "" for no day.
function dayDistance(day, words) {
	if (!day) return "";
	const days = Math.round((Date.parse(day) - Date.parse(words.currentDay())) / 86_400_000);
	return new Intl.RelativeTimeFormat(words.language, { numeric: "auto" }).format(days, "day");
}

// markHostPosts returns a copy of the panel in which the posts of the host have a mark.
function markHostPosts(panel, item, words) {
	const host = item.host?.member_id;
	const marked = (post) => (host && post.actor?.member_id === host ? { ...post, mark: words.social.host() } : post);
	const withMarks = (part) => (part.id === "replies" ? { ...part, items: part.items.map(marked) } : part);
	return { ...panel, sections: panel.sections.map(withMarks) };
}
