// The times of events, without DOM.

import { instantOf } from "../grid/zone.js";
import { addDays, dayIn, daysBetween } from "../parts/day.js";
import { nextDates, parseRule } from "../parts/recurrence.js";

// eventOf returns an object of an event as the item of a panel has it, at its next occurrence.
// The dataset has the start and the end as the clocks of the zone show them.
export function eventOf({ title, state }, now = Date.now()) {
	const { timezone, all_day: isAllDay, rrule } = state;
	return nextOf({ title, start: moment(state.start, timezone, isAllDay), end: moment(state.end, timezone, isAllDay), all_day: isAllDay, metadata: { rrule } }, now);
}

// nextOf returns an event with the start and end of its next occurrence that is not over yet. An
// event that does not repeat, or whose rule the app cannot follow, stays as it is.
export function nextOf(item, now) {
	const { start, end, metadata: data = {} } = item;
	const wall = start?.date_time ?? start?.date;
	if (!data.rrule || !wall) return item;
	const zone = start.timezone ?? "UTC";
	const first = wall.slice(0, 10);
	const rule = parseRule(data.rrule, first, zone);
	if (!rule) return item;
	const length = end ? daysBetween(first, (end.date_time ?? end.date).slice(0, 10)) : 0;
	const from = addDays(dayIn(zone, now), -length - 1);
	const moved = nextDates(rule, first, length + 3, from > first ? from : first).map((day) => {
		const days = daysBetween(first, day);
		return { ...item, start: movedBy(start, days), end: end && movedBy(end, days) };
	});
	return moved.find((event) => endsAfter(event.end ?? event.start, now, zone)) ?? item;
}

function movedBy(time, days) {
	if (!time.date_time) return { ...time, date: addDays(time.date, days) };
	return moment(addDays(time.date_time.slice(0, 10), days) + time.date_time.slice(10), time.timezone, false);
}

// endsAfter reports whether a time is later than an instant. The end of whole days is the day
// after the last one.
function endsAfter(time, now, zone) {
	return time.utc ? Date.parse(time.utc) > now : time.date > dayIn(zone, now);
}

// inOrder returns events at their next occurrences, the next first.
export function inOrder(items, now) {
	const at = ({ start }) => Date.parse(start?.utc ?? start?.date ?? "") || 0;
	return items.map((item) => nextOf(item, now)).sort((a, b) => at(a) - at(b));
}

// moment returns a wall time of a zone, or a day, as World has it in panels.
function moment(wall, timezone, isAllDay) {
	if (!wall) return null;
	if (isAllDay || wall.length <= 10) return { date: wall.slice(0, 10), date_time: null, timezone: null, utc: null };
	const utc = instantOf(timezone || "UTC", Date.parse(`${wall.slice(0, 19)}Z`));
	return { date: null, date_time: wall, timezone, utc: new Date(utc).toISOString() };
}
