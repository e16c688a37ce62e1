// The invitations on Today that the member has not answered.

import { el } from "../parts/el.js";
import { answerControl } from "../generic/answercontrol.js";
import { itemsOf, openRoute } from "../generic/item.js";
import { invitationPicture } from "../social/colors.js";
import { eventOf } from "../social/times.js";

// questionsOf returns the items of the section waiting of a panel without the overdue tasks, which Today shows in the
// list of tasks.
export function questionsOf(panel) {
	return itemsOf(panel, "waiting").filter(({ metadata }) => metadata?.object_type !== "task" && !metadata?.is_overdue);
}

function card(app, { picture, title, sub, route, foot }) {
	const head = [
		picture,
		el("div", { class: "grow" },
			el("p", { class: "strong", dir: "auto", text: title }), el("p", { class: "quiet small", dir: "auto", text: sub })),
	];
	const line = el(route ? "a" : "div", { class: "line line-3 top", href: route ? app.href(route) : null }, head);
	return el("div", { class: "card wait" }, el("div", { class: "card-body stack-s" }, line, foot));
}

// invitationCard returns the card of an invitation, or of an event that the member has not answered.
// The card of an event has the control for answers, which also accept the invitation. Before the
// dataset has its actions, an empty element reserves the space of that control.
export function invitationCard(app, item) {
	const { words, store } = app;
	const { kind, object_type: type } = item.metadata ?? {};
	const eventId = type === "event" ? item.id : kind === "event" ? item.context?.id : null;
	const event = eventId && store.objectOfRecord(eventId);
	const rsvp = event && store.actionOn(event.world_object_id, "social.event.rsvp");
	const timeText = event ? words.whenEvent(eventOf(event)) : "";
	const sub = [timeText, item.actor ? words.day.asks(item.actor.display_name) : item.summary].filter(Boolean).join(" · ");
	const route = event ? { kind: "at", id: event.world_object_id } : openRoute(app, item);
	const writes = (item.actions ?? []).filter(({ method }) => method !== "GET");
	const button = (action, i) => app.actions.button(action, { kind: i === 0 ? "s primary" : "s", name: item.title });
	const buttons = () => el("div", { class: "line wrap" }, writes.map(button));
	const answers = () => answerControl(app, rsvp, { title: item.title, value: event.state.rsvp?.mine }).element;
	const foot = rsvp ? answers() : event && !store.hasActions ? el("div", { class: "answer-room" }) : buttons();
	return card(app, { picture: invitationPicture(app, item), title: item.title, sub, route, foot });
}
