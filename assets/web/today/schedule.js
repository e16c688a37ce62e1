// Computes with the times of the calendar entries and tasks on Today, without DOM.

import { addDays, dayIn, daysBetween } from "../parts/day.js";

const DAY = 86_400_000; // milliseconds

// spanOf returns the times of an item as { start, end, isAllDay }. start and end are milliseconds since
// 1970, NaN without a start; end is the start if the item has no end. The days of an all-day item begin
// at midnight UTC, and its end is exclusive.
export function spanOf({ metadata: { start, end } = {} }) {
	const isAllDay = Boolean(start?.date && !start?.date_time);
	const from = instantOf(start);
	const to = instantOf(end);
	return { start: from, end: Number.isNaN(to) ? from : to, isAllDay };
}

// daysOf returns the first and the last day of the result of spanOf, as { first, last }. zone is the time
// zone of the member.
export function daysOf({ start, end, isAllDay }, zone) {
	const first = dayIn(isAllDay ? "UTC" : zone, start);
	const last = isAllDay ? addDays(dayIn("UTC", end), -1) : dayIn(zone, end - 1);
	return { first, last: last > first ? last : first };
}

// instantOf returns a time of World in milliseconds since 1970; NaN without one. A date is midnight UTC.
function instantOf(time) {
	return Date.parse(time?.utc ?? (time?.date ? `${time.date}T00:00:00Z` : time?.date_time ?? ""));
}

// groupSchedule returns the items of today in three lists, each in the order of the start: days, the items of
// the whole day; begun, the timed items that have begun; and coming, the other timed items. free is the
// start of the next timed item, or null if there is none or a timed item has begun and not ended. Each
// item of the lists is { item, start, end, isAllDay, first, last, isWhole }: the result of spanOf, the
// first and last day, and whether it takes the whole day. now is in milliseconds since 1970.
export function groupSchedule(items, { now, zone }) {
	const today = dayIn(zone, now);
	const spans = items.map((item) => {
		const span = spanOf(item);
		const { first, last } = daysOf(span, zone);
		return { item, ...span, first, last, isWhole: span.isAllDay || (first < today && last > today) };
	}).sort((a, b) => a.start - b.start);
	const timed = spans.filter(({ isWhole }) => !isWhole);
	const isBusy = timed.some(({ start, end }) => start <= now && now < end);
	const next = timed.find(({ start }) => start > now);
	return {
		days: spans.filter(({ isWhole }) => isWhole),
		begun: timed.filter(({ start }) => start <= now),
		coming: timed.filter(({ start }) => start > now),
		free: !isBusy && next ? next.start : null,
	};
}

// upcomingEntries returns up to `limit` calendar entries of the next 60 days that begin after today, the next
// first, as { object, start, day, last, isAllDay }; day and last are the first and the last day. It
// leaves out cancelled and hidden entries. Of a series, it returns the occurrence in the dataset.
export function upcomingEntries(objects, { now, zone, limit = 4 }) {
	const today = dayIn(zone, now);
	return objects
		.filter(({ object_type: type, state }) => (
			type === "calendar_event" && state?.start && state.status !== "cancelled" && state.local_visibility !== "hidden"
		))
		.map((object) => {
			const span = spanOf({ metadata: object.state.occurrence ?? object.state });
			const isValid = !Number.isNaN(span.start);
			const { first: day, last } = isValid ? daysOf(span, zone) : {};
			return { object, start: span.start, day, last, isAllDay: span.isAllDay };
		})
		.filter(({ day, start }) => !Number.isNaN(start) && day > today && start - now < 60 * DAY)
		.sort((a, b) => a.start - b.start)
		.slice(0, limit);
}

// isLate reports whether a task is overdue, according to the server or because its day has passed.
export function isLate(item, { now, zone }) {
	const due = item.metadata?.end;
	if (item.metadata?.is_overdue || !due) return Boolean(item.metadata?.is_overdue);
	return daysBetween(dayIn(zone, now), due.date ?? dayIn(zone, instantOf(due))) < 0;
}

// dueDay returns the day on which a task is due in the time zone of the member, or null.
export function dueDay(item, zone) {
	const due = item.metadata?.end;
	if (!due) return null;
	return due.date ?? dayIn(zone, instantOf(due));
}
