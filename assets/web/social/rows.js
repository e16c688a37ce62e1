// Rows and cards of communities, conversations and events.

import { avatar } from "../parts/avatar.js";
import { dayIn, daysBetween } from "../parts/day.js";
import { el, icon } from "../parts/el.js";
import { row, sectionHead } from "../parts/row.js";
import { answerControl } from "../generic/answercontrol.js";
import { isUnread, routeOf } from "./data.js";
import { colorOfEvent, dateBox, dayOf, invitationPicture } from "./colors.js";
import { eventOf, sortByNext, nextOf } from "./times.js";

// section returns a section with a heading. end is a node or a list of nodes in the line of the
// heading; falsy ones are left out.
export function section(title, end, ...content) {
	const head = sectionHead(title, ...[end].flat().filter(Boolean));
	return el("section", { "aria-label": title }, head, content);
}

// list returns a list of rows. className contains further CSS classes, label is the label for screen readers.
export function list(nodes, className = "", label) {
	return el("ul", { class: `rows ${className}`, "aria-label": label }, nodes.map((node) => el("li", {}, node)));
}

// conversationRow returns the row of a conversation, with its latest reply. Options: current, the id of
// the conversation that is open; where, whether the row names the community.
export function conversationRow(app, item, { current, where = false } = {}) {
	const { words, store } = app;
	const { metadata: data, last_reply: last } = item;
	const actor = last?.actor ?? item.actor;
	const name = actor?.member_id === store.memberId ? words.social.you() : actor?.display_name;
	const text = last ? last.excerpt : item.body;
	const replies = item.reply_count > 0 ? words.social.replies(item.reply_count) : words.social.noReplies();
	const parts = data.state === "closed" ? [words.social.closed(), replies]
		: [text ? words.social.says(name, text) : name, !last && replies];
	const community = where && item.context?.type === "community" && item.context.title;
	const at = last?.created_at ?? data.last_reply_at ?? data.created_at;
	return row({
		words, title: item.title, sub: [community, ...parts].filter(Boolean).join(" · "), time: words.when(at), dateTime: at,
		picture: avatar({
			name: actor?.display_name ?? item.title, id: actor?.member_id, color: actor?.color, image: thumbURL(actor),
			presence: actor?.presence?.state,
		}),
		href: app.href(routeOf(store, { view: "conversations", id: item.id })),
		unread: isUnread(item), count: data.unread_count ?? 0, current: item.id === current,
	});
}

// thumbURL returns the URL of the thumbnail of a member or a community, or the URL of the picture if it
// has no thumbnail, or undefined.
export function thumbURL(actor) {
	return actor?.avatar?.thumb_url ?? actor?.avatar?.url;
}

// startText returns the day and the time of the start of an event, or "" if it has no start. A day within a week has no
// date.
export function startText(app, { start }) {
	const { words } = app;
	const day = dayOf(start, words.zone);
	if (!day) return "";
	const offset = daysBetween(words.currentDay(), day);
	const dayText = offset < -1 || offset > 6 ? words.dayRange(day, day) : words.dueText(day);
	return words.social.dayTime(dayText, start.utc ? words.time(start.utc) : words.social.allDay());
}

// eventRoute returns the route of an event.
export function eventRoute(app, item) {
	return routeOf(app.store, { view: "events", id: item.id });
}

// ownAnswerText returns a text for the answer of the member to an event, or "" for no answer.
export function ownAnswerText(app, item) {
	const { words } = app;
	const texts = { going: words.social.youGo(), maybe: words.social.youMaybe(), declined: words.social.youDecline() };
	return texts[item.metadata?.rsvp] ?? "";
}

// eventRow returns the row of the next occurrence of an event.
export function eventRow(app, event) {
	const { words } = app;
	const item = nextOf(event, Date.now(), words.zone);
	const isCancelled = item.metadata?.status === "cancelled";
	const state = isCancelled ? words.social.cancelled() : words.social.going(item.counts?.going ?? 0);
	const sub = [startText(app, item), state, !isCancelled && ownAnswerText(app, item)].filter(Boolean).join(" · ");
	return el("a", { class: "row", href: app.href(eventRoute(app, item)) },
		dateBox(app, item.start, { color: colorOfEvent(app, item), small: true }),
		el("span", { class: "row-main" },
			el("span", { class: `clip${isCancelled ? " struck" : ""}`, dir: "auto", text: item.title }),
			el("span", { class: "row-sub clip", dir: "auto", text: sub })));
}

// eventCard returns the card of the next occurrence of an event, with the control that answers it, or
// null if the event is cancelled or the member may not answer it.
export function eventCard(app, event) {
	const { words, store } = app;
	const item = nextOf(event, Date.now(), words.zone);
	const object = store.objectOfRecord(item.id);
	const action = object && store.actionOn(object.world_object_id, "social.event.rsvp");
	if (!action || item.metadata?.status === "cancelled") return null;
	const sub = [startText(app, item), words.social.going(item.counts?.going ?? 0)].join(" · ");
	const head = el("a", { class: "line line-3", href: app.href(eventRoute(app, item)) },
		dateBox(app, item.start, { color: colorOfEvent(app, item), small: true }),
		el("span", { class: "grow" },
			el("span", { class: "strong", dir: "auto", text: item.title }), el("br"),
			el("span", { class: "quiet small", dir: "auto", text: sub })));
	return el("div", { class: "card wait" }, el("div", { class: "card-body stack-s" }, head, answersOf(app, item, action)));
}

// waitingCards returns the cards of the items that wait for an answer of the member: events, and invitations.
export function waitingCards(app, items) {
	const eventNode = (item) => eventCard(app, item) ?? el("div", { class: "card wait" }, eventRow(app, item));
	return items.map((item) => (item.metadata?.object_type === "event" ? eventNode(item) : invitationCard(app, item)));
}

function answersOf(app, item, action) {
	return answerControl(app, action, { title: item.title, value: item.metadata?.rsvp ?? "none" }).element;
}

// nextEvents returns the rows of events, sorted by their next occurrences. The first event that the
// member has not answered, or else the first one, is a card with the control that answers it.
export function nextEvents(app, events) {
	const items = sortByNext(events, Date.now(), app.words.zone);
	const candidates = items.filter(({ metadata }) => metadata?.status !== "cancelled");
	const cardEvent = candidates.find(({ metadata }) => metadata?.rsvp === "none") ?? candidates[0];
	const card = cardEvent && eventCard(app, cardEvent);
	const at = card ? items.indexOf(cardEvent) : items.length;
	const rowsOf = (part) => part.length > 0 && list(part.map((item) => eventRow(app, item)));
	return el("div", { class: "stack-s" }, rowsOf(items.slice(0, at)), card, rowsOf(items.slice(at + 1)));
}

// invitationCard returns the card of an invitation, with the controls that answer it. For an event that
// the member can answer, it is the answer control of the event: the server updates the invitation with
// the answer.
export function invitationCard(app, item) {
	const { words, store } = app;
	const object = item.context && store.objectOfRecord(item.context.id);
	const rsvp = item.metadata.kind === "event" && object && store.actionOn(object.world_object_id, "social.event.rsvp");
	const state = object?.state ?? {};
	const about = rsvp ? words.whenEvent(eventOf(object, Date.now(), words.zone))
		: state.visibility ? words.social.communityFacts(state.visibility, state.member_count) : "";
	const inviter = item.actor ? words.social.invitedBy(item.actor.display_name) : "";
	const expires = item.metadata.expires_at;
	const until = !rsvp && expires ? words.social.until(words.dayShort(dayIn(words.zone, Date.parse(expires)))) : "";
	const view = item.metadata.kind === "event" ? "events" : "communities";
	const head = [
		invitationPicture(app, item),
		el("span", { class: "grow" },
			el("span", { class: "strong", dir: "auto", text: item.title }), el("br"),
			el("span", { class: "quiet small", dir: "auto", text: [inviter, about, until].filter(Boolean).join(" · ") })),
	];
	const linkedHead = object
		? el("a", { class: "line line-3 top", href: app.href(routeOf(store, { view, id: item.context.id })) }, head)
		: el("div", { class: "line line-3 top" }, head);
	const answers = rsvp
		? answerControl(app, rsvp, { title: item.title, value: state.rsvp?.mine ?? "none" }).element
		: invitationButtons(app, item);
	return el("div", { class: "card wait" }, el("div", { class: "card-body stack-s" }, linkedHead, answers));
}

// invitationButtons returns the buttons that answer an invitation, or null if it has no actions.
export function invitationButtons(app, item) {
	const actions = (item.actions ?? []).filter(({ method }) => method !== "GET");
	if (actions.length === 0) return null;
	const doneTexts = { accept: app.words.social.accepted(), decline: app.words.social.declined() };
	const buttonOf = (action, i) => (
		app.actions.button(action, { kind: i === 0 ? "s primary" : "s", name: item.title, doneText: doneTexts[action.id] }));
	return el("div", { class: "line wrap" }, actions.map(buttonOf));
}

// lockIcon returns the icon of records that are not visible to all members.
export function lockIcon() {
	return icon("lock", "i-s in");
}

