// The next occurrences of events, without DOM.

import { instantOf } from "../grid/zone.js";
import { addDays, dayIn, daysBetween } from "../parts/day.js";
import { nextDates, parseRule } from "../parts/recurrence.js";

// eventOf converts an event of the dataset, whose start and end are local times of its time zone, to
// the form of an item of a panel, and returns its next occurrence. now and memberZone are those of nextOf.
export function eventOf({ title, state }, now = Date.now(), memberZone = "UTC") {
	const { timezone, all_day: isAllDay, rrule } = state;
	const [start, end] = [state.start, state.end].map((time) => timeOf(time, timezone, isAllDay));
	return nextOf({ title, start, end, all_day: isAllDay, metadata: { rrule } }, now, memberZone);
}

// nextOf returns an event with the start and end of its first occurrence that has not ended. It
// returns an event unchanged that does not recur or has ended, or whose rule parseRule does not
// support. The days of an all-day event are days in memberZone, the time zone of the member.
export function nextOf(item, now, memberZone = "UTC") {
	const { start, end, metadata: data = {} } = item;
	const localTime = start?.date_time ?? start?.date;
	if (!data.rrule || !localTime) return item;
	const zone = start.timezone ?? memberZone;
	const first = localTime.slice(0, 10);
	const rule = parseRule(data.rrule, first, zone);
	if (!rule) return item;
	const length = end ? daysBetween(first, (end.date_time ?? end.date).slice(0, 10)) : 0;
	const from = addDays(dayIn(zone, now), -length - 1);
	const occurrences = nextDates(rule, first, length + 3, from > first ? from : first).map((day) => {
		const days = daysBetween(first, day);
		return { ...item, start: moveDays(start, days), end: end && moveDays(end, days) };
	});
	return occurrences.find((event) => endsAfter(event.end ?? event.start, now, zone)) ?? item;
}

// moveDays returns a time that is moved by a number of days.
function moveDays(time, days) {
	if (!time.date_time) return { ...time, date: addDays(time.date, days) };
	return timeOf(addDays(time.date_time.slice(0, 10), days) + time.date_time.slice(10), time.timezone, false);
}

// endsAfter reports whether an end is later than an instant. The end of an all-day event is the day
// after its last one, in a time zone.
export function endsAfter(time, now, zone) {
	return time.utc ? Date.parse(time.utc) > now : time.date > dayIn(zone, now);
}

// sortByNext returns the next occurrences of events, sorted by their start. now and memberZone are those of
// nextOf.
export function sortByNext(items, now, memberZone) {
	const at = ({ start }) => Date.parse(start?.utc ?? start?.date ?? "") || 0;
	return items.map((item) => nextOf(item, now, memberZone)).sort((a, b) => at(a) - at(b));
}

// nextEvents returns the next event of each community as eventOf does, with its id, by the id of the community.
// Events that are over or cancelled are left out. now and memberZone are those of nextOf.
export function nextEvents(objects, now, memberZone) {
	const isNext = ({ object_type: type, state }) => type === "event" && state.community_id && state.status === "scheduled";
	const events = objects.filter(isNext).map((object) => (
		{ ...eventOf(object, now, memberZone), id: object.source.resource_id, community: object.state.community_id }));
	const next = new Map();
	for (const event of sortByNext(events, now, memberZone)) {
		const isOver = !endsAfter(event.end ?? event.start, now, memberZone);
		if (!isOver && !next.has(event.community)) next.set(event.community, event);
	}
	return next;
}

// timeOf converts a local time of a time zone, or a day, to the form of times in panels.
function timeOf(localTime, timezone, isAllDay) {
	if (!localTime) return null;
	if (isAllDay || localTime.length <= 10) return { date: localTime.slice(0, 10), date_time: null, timezone: null, utc: null };
	const utc = instantOf(timezone || "UTC", Date.parse(`${localTime.slice(0, 19)}Z`));
	return { date: null, date_time: localTime, timezone, utc: new Date(utc).toISOString() };
}
