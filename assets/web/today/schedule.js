// The times of calendar entries on Today, without DOM.

import { addDays, dayIn, daysBetween } from "../parts/day.js";

// DAY is the length of a day in milliseconds.
const DAY = 86_400_000;

// spanOf returns the start and end of an item in milliseconds, and whether it is a whole day:
// { start, end, isAllDay }. A day begins at midnight UTC there.
export function spanOf({ metadata: { start, end } = {} }) {
	const isAllDay = Boolean(start?.date && !start?.date_time);
	const from = instantOf(start);
	const to = instantOf(end);
	return { start: from, end: Number.isNaN(to) ? from : to, isAllDay };
}

// daysOf returns the first and the last day of what spanOf returns.
export function daysOf({ start, end, isAllDay }, zone) {
	const first = dayIn(isAllDay ? "UTC" : zone, start);
	const last = isAllDay ? addDays(dayIn("UTC", end), -1) : dayIn(zone, end - 1);
	return { first, last: last > first ? last : first };
}

function instantOf(time) {
	return Date.parse(time?.utc ?? (time?.date ? `${time.date}T00:00:00Z` : time?.date_time ?? ""));
}

// arrange returns the items of a day in the order of their times: those of the whole day first,
// then those that are over, and those that are still to come. `free` is the start of the next
// one if none is going on, or null. Each item is { item, first, last, isWhole } with what spanOf
// returns; first and last are its days.
export function arrange(items, { now, zone }) {
	const today = dayIn(zone, now);
	const spans = items.map((item) => {
		const span = spanOf(item);
		const { first, last } = daysOf(span, zone);
		return { item, ...span, first, last, isWhole: span.isAllDay || (first < today && last > today) };
	}).sort((a, b) => a.start - b.start);
	const timed = spans.filter(({ isWhole }) => !isWhole);
	const isGoingOn = timed.some(({ start, end }) => start <= now && now < end);
	const next = timed.find(({ start }) => start > now);
	return {
		days: spans.filter(({ isWhole }) => isWhole),
		past: timed.filter(({ end, start }) => start <= now && end <= now),
		coming: timed.filter(({ end, start }) => !(start <= now && end <= now)),
		free: !isGoingOn && next ? next.start : null,
	};
}

// upcoming returns up to `most` calendar entries that begin after today, the next first, as
// { object, start, day, last, isAllDay }; day and last are their first and last day.
export function upcoming(objects, { now, zone, most = 4 }) {
	const today = dayIn(zone, now);
	return objects
		.filter(({ object_type: type, state }) => type === "calendar_event" && state?.start && state.status !== "cancelled" && state.local_visibility !== "hidden")
		.map((object) => {
			const span = spanOf({ metadata: object.state.occurrence ?? object.state });
			const isValid = !Number.isNaN(span.start);
			const { first: day, last } = isValid ? daysOf(span, zone) : {};
			return { object, start: span.start, day, last, isAllDay: span.isAllDay };
		})
		.filter(({ day, start }) => !Number.isNaN(start) && day > today && start - now < 60 * DAY)
		.sort((a, b) => a.start - b.start)
		.slice(0, most);
}

// isLate reports whether the day on which a task is due has passed.
export function isLate(item, { now, zone }) {
	const due = item.metadata?.end;
	if (item.metadata?.is_overdue || !due) return Boolean(item.metadata?.is_overdue);
	return daysBetween(dayIn(zone, now), due.date ?? dayIn(zone, instantOf(due))) < 0;
}

// dueDay returns the day on which a task is due, or null.
export function dueDay(item, zone) {
	const due = item.metadata?.end;
	if (!due) return null;
	return due.date ?? dayIn(zone, instantOf(due));
}
