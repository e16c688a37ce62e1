// Rows and cards of communities, conversations and events.

import { avatar } from "../parts/avatar.js";
import { dayIn } from "../parts/day.js";
import { el, icon } from "../parts/el.js";
import { hueOf } from "../parts/person.js";
import { row, sectionHead } from "../parts/row.js";
import { answerControl } from "../generic/answers.js";
import { isUnread, objectOf, routeOf } from "./data.js";
import { eventOf, inOrder, nextOf } from "./times.js";

// section returns a part of a page with its title and the nodes at its end.
export function section(title, end, ...content) {
	const head = sectionHead(title, ...[end].flat().filter(Boolean));
	return el("section", { "aria-label": title }, head, content);
}

// list returns rows as a list.
export function list(nodes, kind = "", label) {
	return el("ul", { class: `rows ${kind}`, "aria-label": label }, nodes.map((node) => el("li", {}, node)));
}

// conversationRow returns the row of a conversation: the latest reply. current is the id of
// the conversation that is shown; where adds its community.
export function conversationRow(app, item, { current, where = false } = {}) {
	const { words, store } = app;
	const { metadata: data, last_reply: last } = item;
	const actor = last?.actor ?? item.actor;
	const name = actor?.member_id === store.memberId ? words.social.you() : actor?.display_name;
	const said = last ? last.excerpt : item.body;
	const replies = item.reply_count > 0 ? words.social.replies(item.reply_count) : words.social.noReplies();
	const parts = data.state === "closed" ? [words.social.closed(), replies] : [said ? words.social.says(name, said) : name, !last && replies];
	const at = last?.created_at ?? data.last_reply_at ?? data.created_at;
	return row({
		words, title: item.title, sub: [where && item.context?.type === "community" && item.context.title, ...parts].filter(Boolean).join(" · "), time: words.when(at), dateTime: at,
		picture: avatar({ name: actor?.display_name ?? item.title, id: actor?.member_id, color: actor?.color, image: thumb(actor), presence: actor?.presence?.state }),
		href: app.href(routeOf(store, { view: "conversations", id: item.id })), unread: isUnread(item), count: data.unread_count ?? 0, current: item.id === current,
	});
}

// thumb returns the URL of the small picture of a member or a community, or undefined.
export function thumb(actor) {
	return actor?.avatar?.thumb_url ?? actor?.avatar?.url;
}

// communityRow returns the row of a community. unread is the number of its conversations with
// new replies.
export function communityRow(app, { id, title, color, picture, sub, unread = 0, mark }) {
	return row({
		words: app.words, title, sub, picture: avatar({ name: title, id, color, image: picture?.thumb_url ?? picture?.url, square: true }),
		href: app.href(routeOf(app.store, { view: "communities", id })), count: unread, mark,
	});
}

// dateBox returns the day on which something starts.
export function dateBox(app, start, { hue = "", small = false } = {}) {
	const { words } = app;
	const day = dayOf(start, words.zone);
	if (!day) return null;
	const [year, month, date] = day.split("-").map(Number);
	const name = new Intl.DateTimeFormat(words.locale, { month: "short", timeZone: "UTC", calendar: "gregory" }).format(Date.UTC(year, month - 1, date));
	return el("span", { class: `datebox${small ? " s" : ""}${hue ? ` c-${hue}` : ""}`, "aria-hidden": "true" }, el("span", { text: name }), el("b", { text: words.number(date) }));
}

// dayOf returns the day of a time of World in a zone, or "".
export function dayOf(time, zone) {
	if (!time) return "";
	return time.utc ? dayIn(zone, Date.parse(time.utc)) : time.date ?? "";
}

// hueOfEvent returns the colour of an event: the one of its community, or of its host.
export function hueOfEvent(app, item) {
	const community = item.community && objectOf(app.store, item.community.id);
	return community ? hueOf(community.state.color, community.state.id) : hueOf(item.host?.color, item.host?.member_id);
}

// shortWhen returns when an event starts: the day and the time.
export function shortWhen(app, { start }) {
	const { words } = app;
	const day = dayOf(start, words.zone);
	if (!day) return "";
	return start.utc ? words.social.dayTime(words.dueText(day), words.time(start.utc)) : words.social.dayTime(words.dueText(day), words.social.allDay());
}

// eventRoute returns the route of an event.
export function eventRoute(app, item) {
	return routeOf(app.store, { view: "events", id: item.id });
}

// ownAnswer returns the answer of the member to an event in words, "" for none.
export function ownAnswer(app, item) {
	const { words } = app;
	return { going: words.social.youGo(), maybe: words.social.youMaybe(), declined: words.social.youDecline() }[item.metadata?.rsvp] ?? "";
}

// eventRow returns the row of an event.
export function eventRow(app, event) {
	const { words } = app;
	const item = nextOf(event, Date.now());
	const isCancelled = item.metadata?.status === "cancelled";
	const sub = [shortWhen(app, item), isCancelled ? words.social.cancelled() : words.social.going(item.counts?.going ?? 0), !isCancelled && ownAnswer(app, item)].filter(Boolean).join(" · ");
	return el("a", { class: "row", href: app.href(eventRoute(app, item)) }, dateBox(app, item.start, { hue: hueOfEvent(app, item), small: true }),
		el("span", { class: "row-main" }, el("span", { class: `clip${isCancelled ? " struck" : ""}`, dir: "auto", text: item.title }), el("span", { class: "row-sub clip", dir: "auto", text: sub })));
}

// eventCard returns the card of an event with the answers, or null if the member cannot answer.
export function eventCard(app, event) {
	const { words, store } = app;
	const item = nextOf(event, Date.now());
	const object = objectOf(store, item.id);
	const action = object && store.actionOn(object.world_object_id, "social.event.rsvp");
	if (!action || item.metadata?.status === "cancelled") return null;
	const sub = [shortWhen(app, item), words.social.going(item.counts?.going ?? 0)].join(" · ");
	const head = el("a", { class: "line line-3", href: app.href(eventRoute(app, item)) }, dateBox(app, item.start, { hue: hueOfEvent(app, item), small: true }),
		el("span", { class: "grow" }, el("span", { class: "strong", dir: "auto", text: item.title }), el("br"), el("span", { class: "quiet small", dir: "auto", text: sub })));
	return el("div", { class: "card wait" }, el("div", { class: "card-body stack-s" }, head, answersOf(app, item, action)));
}

function answersOf(app, item, action) {
	return answerControl(app, action, { title: item.title, value: item.metadata?.rsvp ?? "none" }).element;
}

// nextEvents returns the nodes of the next events in their order. The first one that waits for
// an answer, or the first one at all, is a card, unless it can be answered elsewhere on the page:
// answered has the ids of these.
export function nextEvents(app, events, answered = new Set()) {
	const items = inOrder(events, Date.now());
	const open = items.filter(({ id, metadata }) => metadata?.status !== "cancelled" && !answered.has(id));
	const chosen = open.find(({ metadata }) => metadata?.rsvp === "none") ?? open[0];
	const card = chosen && eventCard(app, chosen);
	const at = card ? items.indexOf(chosen) : items.length;
	const rows = (some) => some.length > 0 && list(some.map((item) => eventRow(app, item)));
	return el("div", { class: "stack-s" }, rows(items.slice(0, at)), card, rows(items.slice(at + 1)));
}

// invitationCard returns the card of an invitation with its answers. The one to an event has
// the answers of events, which also accept the invitation.
export function invitationCard(app, item) {
	const { words, store } = app;
	const object = item.context && objectOf(store, item.context.id);
	const rsvp = item.metadata.kind === "event" && object && store.actionOn(object.world_object_id, "social.event.rsvp");
	const state = object?.state ?? {};
	const about = rsvp ? words.whenEvent(eventOf(object)) : state.visibility ? words.social.communityFacts(state.visibility, state.member_count) : "";
	const who = item.actor ? words.social.invitedBy(item.actor.display_name) : "";
	const until = !rsvp && item.metadata.expires_at ? words.social.until(words.dayShort(dayIn(words.zone, Date.parse(item.metadata.expires_at)))) : "";
	const route = object && (item.metadata.kind === "event" ? { view: "events", id: item.context.id } : { view: "communities", id: item.context.id });
	const head = [avatar({ name: item.title, id: item.context?.id, color: state.color, image: thumb(state), square: true }),
		el("span", { class: "grow" }, el("span", { class: "strong", dir: "auto", text: item.title }), el("br"), el("span", { class: "quiet small", dir: "auto", text: [who, about, until].filter(Boolean).join(" · ") }))];
	return el("div", { class: "card wait" }, el("div", { class: "card-body stack-s" },
		route ? el("a", { class: "line line-3 top", href: app.href(routeOf(store, route)) }, head) : el("div", { class: "line line-3 top" }, head),
		rsvp ? answerControl(app, rsvp, { title: item.title, value: state.rsvp?.mine ?? "none" }).element : invitationButtons(app, item)));
}

// invitationButtons returns the buttons of an invitation, or null if it is over.
export function invitationButtons(app, item) {
	const actions = (item.actions ?? []).filter(({ method }) => method !== "GET");
	const done = { accept: app.words.social.accepted(), decline: app.words.social.declined() };
	return actions.length > 0 ? el("div", { class: "line wrap act-b" }, actions.map((action, i) => app.acts.button(action, { kind: i === 0 ? "s primary" : "s", name: item.title, done: done[action.id] }))) : null;
}

// lockIcon returns the icon of records that only some members see.
export function lockIcon() {
	return icon("lock", "i-s in");
}

