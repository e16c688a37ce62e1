// Notifications and activity, without DOM.

import { dayIn } from "../parts/day.js";

// ICONS are the icons by the kind of a notification or an activity.
export const ICONS = {
	mention: "talk", reply: "talk", "reply.posted": "talk", "conversation.started": "talk", invitation: "invite", join_request: "person", rsvp: "check", "rsvp.changed": "check",
	event_changed: "calendar", "event.created": "calendar", "event.updated": "calendar", "event.cancelled": "calendar", "community.created": "people", "member.joined": "person", dm: "message",
};

// grouped returns the entries in groups: { id, items }. New ones are in the group "new"; the
// others are in one group for each day, whose id is the day.
export function grouped(items, zone) {
	const groups = new Map();
	for (const item of items) {
		const id = item.metadata?.unread ? "new" : dayIn(zone, Date.parse(item.metadata.created_at));
		if (!groups.has(id)) groups.set(id, []);
		groups.get(id).push(item);
	}
	const fresh = groups.get("new");
	groups.delete("new");
	return [...(fresh ? [{ id: "new", items: fresh }] : []), ...[...groups].map(([id, list]) => ({ id, items: list }))];
}

// agoOf returns how long ago something was, for words: { minutes }, { hours } within today, or
// {} for a time of day.
export function agoOf(at, { now, zone }) {
	const minutes = Math.floor((now - Date.parse(at)) / 60_000);
	if (minutes < 60) return { minutes: Math.max(0, minutes) };
	if (minutes < 240 && dayIn(zone, Date.parse(at)) === dayIn(zone, now)) return { hours: Math.floor(minutes / 60) };
	return {};
}

// excerptOf returns the text of the reply that an entry is about, or "": the latest reply, if
// it is of the same member and time.
export function excerptOf({ actor, metadata, last_reply: last }) {
	if (!last || !["mention", "reply", "reply.posted"].includes(metadata.kind) || last.actor?.member_id !== actor?.member_id) return "";
	return Math.abs(Date.parse(last.created_at) - Date.parse(metadata.created_at)) < 2000 ? last.excerpt : "";
}

// sentence returns the parts of a text such as "{who} replied in {what}": { text } and, for
// names, { text, strong }.
export function sentence(template, values) {
	return template.split(/(\{\w+\})/).filter(Boolean).map((part) => {
		const name = /^\{(\w+)\}$/.exec(part)?.[1];
		return name ? { text: values[name] ?? "", strong: true } : { text: part };
	});
}

// newestOf returns the entries with the newest one of each record only.
export function newestOf(items) {
	const seen = new Set();
	return items.filter(({ id, context }) => {
		const key = context?.id ?? id;
		if (seen.has(key)) return false;
		seen.add(key);
		return true;
	});
}

