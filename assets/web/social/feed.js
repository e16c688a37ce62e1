// Notifications and activity, without DOM.

import { dayIn } from "../parts/day.js";

// ICONS are the names of the icons by the kind of a notification or an activity.
export const ICONS = {
	mention: "talk", reply: "talk", "reply.posted": "talk", "conversation.started": "talk", dm: "message",
	invitation: "invite", join_request: "person", "member.joined": "person", "community.created": "people",
	rsvp: "check", "rsvp.changed": "check",
	event_changed: "calendar", "event.created": "calendar", "event.updated": "calendar", "event.cancelled": "calendar",
};

// groupItems returns the items in groups, as { id, items }: the unread items in the group "new", then the
// others in a group for each day, whose id is the day.
export function groupItems(items, zone) {
	const groups = new Map();
	for (const item of items) {
		const id = item.metadata?.unread ? "new" : dayIn(zone, Date.parse(item.metadata.created_at));
		if (!groups.has(id)) groups.set(id, []);
		groups.get(id).push(item);
	}
	const unread = groups.get("new");
	groups.delete("new");
	return [...(unread ? [{ id: "new", items: unread }] : []), ...[...groups].map(([id, list]) => ({ id, items: list }))];
}

// agoOf returns the age of an entry: { minutes } below an hour, { hours } below four hours on the same
// day, or else {}, for which the time of day is shown.
export function agoOf(at, { now, zone }) {
	const minutes = Math.floor((now - Date.parse(at)) / 60_000);
	if (minutes < 60) return { minutes: Math.max(0, minutes) };
	if (minutes < 240 && dayIn(zone, Date.parse(at)) === dayIn(zone, now)) return { hours: Math.floor(minutes / 60) };
	return {};
}

// excerptOf returns the excerpt of the reply that an entry reports, or "". An entry contains only the
// latest reply; it is the reported one if it has the same author and time.
export function excerptOf({ actor, metadata, last_reply: last }) {
	if (!last || !["mention", "reply", "reply.posted"].includes(metadata.kind)) return "";
	if (last.actor?.member_id !== actor?.member_id) return "";
	return Math.abs(Date.parse(last.created_at) - Date.parse(metadata.created_at)) < 2000 ? last.excerpt : "";
}

// sentence returns the parts of a template such as "{actor} replied in {title}": { text } for its text,
// and { text, name, strong: true } for each value.
export function sentence(template, values) {
	return template.split(/(\{\w+\})/).filter(Boolean).map((part) => {
		const name = /^\{(\w+)\}$/.exec(part)?.[1];
		return name ? { text: values[name] ?? "", name, strong: true } : { text: part };
	});
}

// newestOf returns the first item of each context. The items are sorted, the newest first.
export function newestOf(items) {
	const seenIds = new Set();
	return items.filter(({ id, context }) => {
		const key = context?.id ?? id;
		if (seenIds.has(key)) return false;
		seenIds.add(key);
		return true;
	});
}

