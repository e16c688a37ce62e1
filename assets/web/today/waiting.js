// What waits for an answer of the member.

import { avatar } from "../parts/avatar.js";
import { el } from "../parts/el.js";
import { segmented } from "../parts/tabs.js";
import { openPlace } from "../generic/item.js";
import { sectionOf } from "./today.js";

// waitingCards returns a card for each invitation, and for each event without an answer.
export function waitingCards(app, panel) {
	const { words, store } = app;
	const items = sectionOf(panel, "waiting").filter(({ metadata }) => metadata?.object_type !== "task" && !metadata?.is_overdue);
	const invited = new Set(items.map(({ context }) => context?.id));
	const events = (store.dataset.objects ?? []).filter((object) => object.object_type === "event" && !invited.has(object.source?.resource_id) && isUnanswered(store, object));
	return [...items.map((item) => invitationCard(app, item)), ...events.slice(0, 5).map((object) => eventCard(app, object, words))];
}

// isUnanswered reports whether an event waits for the answer of the member: it has not ended,
// they are invited or the host has asked, and they have not answered.
function isUnanswered(store, object) {
	const { state } = object;
	const start = Date.parse(state.start?.utc ?? "");
	return state.rsvp === "none" && state.is_invited === true && state.status !== "cancelled" && start > Date.now() && Boolean(store.actionOn(object.world_object_id, "social.event.rsvp"));
}

function card(app, { title, sub, actor, square, place, foot }) {
	const head = [
		avatar({ name: square ? title : actor?.display_name, id: square ? title : actor?.member_id, color: square ? undefined : actor?.color, image: square ? undefined : actor?.avatar?.url, square }),
		el("div", { class: "grow" }, el("p", { class: "strong", dir: "auto", text: title }), el("p", { class: "quiet small", dir: "auto", text: sub })),
	];
	return el("div", { class: "card wait" }, el("div", { class: "card-body stack-s" }, place ? el("a", { class: "line line-3 top", href: app.href(place) }, head) : el("div", { class: "line line-3 top" }, head), foot));
}

// invitationCard returns the card of an invitation with its answers. The one to an event has
// the answers of events, which also accept the invitation.
function invitationCard(app, item) {
	const { words, store } = app;
	const event = item.metadata?.kind === "event" ? store.dataset.objects?.find(({ source }) => source?.resource_id === item.context?.id) : null;
	const rsvp = event && store.actionOn(event.world_object_id, "social.event.rsvp");
	const when = event?.state?.start?.utc ? words.whenEvent(event.state) : "";
	const sub = [when, item.actor ? words.day.asks(item.actor.display_name) : item.summary].filter(Boolean).join(" · ");
	const place = event ? { kind: "at", id: event.world_object_id } : openPlace(app, item);
	const foot = rsvp ? answers(app, rsvp, item.title) : el("div", { class: "line wrap" }, (item.actions ?? []).filter(({ method }) => method !== "GET").map((action, i) => app.acts.button(action, { kind: i === 0 ? "s primary" : "s plain", name: item.title })));
	return card(app, { title: item.title, sub, actor: item.actor, square: true, place, foot });
}

function eventCard(app, object, words) {
	const rsvp = app.store.actionOn(object.world_object_id, "social.event.rsvp");
	return card(app, { title: object.title, sub: words.whenEvent(object.state), square: true, place: { kind: "at", id: object.world_object_id }, foot: answers(app, rsvp, object.title) });
}

// answers returns the control for the answer to an event, without "No answer".
function answers(app, action, title) {
	const { words } = app;
	const control = action.controls.find(({ type }) => type === "selector");
	const options = (control?.options ?? []).filter(({ value }) => value !== "none");
	const chosen = segmented(options, {
		label: words.day.willYouCome(title), full: true, answer: true,
		choose: async (value) => {
			const label = options.find((option) => option.value === value)?.label ?? value;
			const values = { ...Object.fromEntries(action.controls.map((other) => [other.id, other.default])), [control.id]: value };
			if ((await app.acts.act(action, { values, done: words.day.answered(label) })) === null) chosen.set(null);
		},
	});
	return chosen.element;
}
