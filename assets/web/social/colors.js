// The colors and the pictures of events and invitations, which are the same in all views.

import { avatar } from "../parts/avatar.js";
import { dayIn } from "../parts/day.js";
import { el } from "../parts/el.js";
import { colorProps, hueOf } from "../parts/person.js";
import { eventOf } from "./times.js";

// colorOfEvent returns the color of the item of an event, see colorProps: that of its entry in the member's
// calendar, or else of its community or its host.
export function colorOfEvent({ store }, item) {
	const isEntry = ({ object_type: type, state }) => type === "calendar_event" && state?.source_object_id === item.id;
	const entry = item.id && store.dataset?.objects?.find(isEntry);
	if (entry) return entry.state.color;
	const community = store.objectOfRecord(item.community?.id);
	return community ? hueOf(community.state.color, community.state.id) : hueOf(item.host?.color, item.host?.member_id);
}

// dateBox returns the month and the day of the month of a time, or null for no time. Options: color,
// see colorProps; small, whether the box is small.
export function dateBox(app, start, { color, small = false } = {}) {
	const { words } = app;
	const day = dayOf(start, words.zone);
	if (!day) return null;
	const { class: className, vars } = color ? colorProps(color) : { class: "", vars: {} };
	return el("span", { class: `datebox${small ? " s" : ""} ${className}`, vars, "aria-hidden": "true" },
		el("span", { text: words.monthShort(day) }), el("b", { text: words.number(Number(day.slice(8))) }));
}

// dayOf returns the day of a time of World in a time zone, such as "2025-03-01", or "" for no time.
export function dayOf(time, zone) {
	if (!time) return "";
	return time.utc ? dayIn(zone, Date.parse(time.utc)) : time.date ?? "";
}

// invitationPicture returns the picture of an invitation, or of an event that the member has not answered: that of the
// community, or the date of the event, or its first letter if the member cannot see the date.
export function invitationPicture(app, item) {
	const isEvent = item.metadata?.object_type === "event";
	const id = isEvent ? item.id : item.context?.id;
	const record = app.store.objectOfRecord(id);
	const state = record?.state ?? {};
	if (!isEvent && item.metadata?.kind !== "event") {
		const image = state.avatar?.thumb_url ?? state.avatar?.url;
		return avatar({ name: item.title, id, color: state.color, image, square: true });
	}
	const host = { ...state.host, member_id: state.host?.id };
	const color = colorOfEvent(app, { id, community: { id: state.community_id }, host });
	const start = record && eventOf(record, Date.now(), app.words.zone).start;
	return dateBox(app, start, { color, small: true }) ?? avatar({ name: item.title, id, color, square: true });
}
