// Computes with times in time zones, and with days, without DOM.
//
// An instant is a number of milliseconds since 1970-01-01T00:00:00Z. A wall time is the local time in
// a zone, represented by the instant at which UTC has the same local time. A day is a number of days
// since 1970-01-01. A weekday is a number from 1 (Monday) to 7 (Sunday). A zone is an IANA name.

// MINUTE, HOUR and DAY are durations in milliseconds.
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

// MAX_OFFSET is greater than any offset from UTC that a zone has or has had, in milliseconds.
const MAX_OFFSET = 16 * HOUR;

// CACHED_DAYS is the maximum number of UTC days per zone whose offsets are cached.
const CACHED_DAYS = 4000;

const formatters = new Map(); // zone → Intl.DateTimeFormat
const offsets = new Map(); // zone → Map of UTC day → { before, at, after }

// isZone reports whether the browser knows the name of a zone.
export function isZone(zone) {
	try {
		formatter(zone);
		return Boolean(zone);
	} catch {
		return false;
	}
}

// formatter returns the cached formatter of a zone. It throws a RangeError if the browser does not
// know the zone.
function formatter(zone) {
	let zoneFormatter = formatters.get(zone);
	if (!zoneFormatter) {
		zoneFormatter = new Intl.DateTimeFormat("en-US", {
			timeZone: zone, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23",
			year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric",
		});
		formatters.set(zone, zoneFormatter);
	}
	return zoneFormatter;
}

// readOffset returns the offset of a zone from UTC in milliseconds, without the cache.
function readOffset(zone, instant) {
	const part = {};
	for (const { type, value } of formatter(zone).formatToParts(instant)) part[type] = Number(value);
	const wall = Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second);
	return wall - Math.floor(instant / 1000) * 1000;
}

// offsetsOfDay returns the offsets of a zone during a UTC day as { before, at, after }, in
// milliseconds: the offset is `before` until the instant `at`, then `after`. Without a change, `at` is
// Infinity. It assumes that the offset changes at most once in a UTC day, which holds for all zones.
function offsetsOfDay(zone, day) {
	let days = offsets.get(zone);
	if (!days) offsets.set(zone, (days = new Map()));
	let dayOffsets = days.get(day);
	if (dayOffsets) return dayOffsets;
	if (days.size >= CACHED_DAYS) days.clear();
	let from = day * DAY;
	let to = from + DAY;
	const before = days.get(day - 1)?.after ?? readOffset(zone, from);
	const after = days.get(day + 1)?.before ?? readOffset(zone, to);
	if (before === after) {
		dayOffsets = { before, at: Infinity, after };
	} else {
		while (to - from > 1000) {
			const middle = Math.floor((from + to) / 2000) * 1000;
			if (readOffset(zone, middle) === before) from = middle;
			else to = middle;
		}
		dayOffsets = { before, at: to, after };
	}
	days.set(day, dayOffsets);
	return dayOffsets;
}

// offsetAt returns the offset of a zone from UTC in milliseconds, positive in the east.
export function offsetAt(zone, instant) {
	const { before, at, after } = offsetsOfDay(zone, Math.floor(instant / DAY));
	return instant < at ? before : after;
}

// segments divides the time from one instant to another (exclusive) where the offset changes. It
// returns a list of { from, to, offset }.
export function segments(zone, from, to) {
	const list = [{ from, to, offset: offsetAt(zone, from) }];
	for (let day = Math.floor(from / DAY); day * DAY < to; day++) {
		const { at, after } = offsetsOfDay(zone, day);
		if (at <= from || at >= to) continue;
		list.at(-1).to = at;
		list.push({ from: at, to, offset: after });
	}
	return list;
}

// wallAt returns the wall time at an instant.
export function wallAt(zone, instant) {
	return instant + offsetAt(zone, instant);
}

// instantsOf returns the instants of a wall time: none if the clocks skip it, two if the clocks are put
// back and show it twice.
export function instantsOf(zone, wall) {
	return segments(zone, wall - MAX_OFFSET, wall + MAX_OFFSET)
		.map(({ from, to, offset }) => ({ from, to, instant: wall - offset }))
		.filter(({ from, to, instant }) => instant >= from && instant < to)
		.map(({ instant }) => instant);
}

// instantOf returns the instant of a wall time. If there are two instants, it returns the first one. If
// there is none, it uses the offset before the gap (RFC 5545, section 3.3.5).
export function instantOf(zone, wall) {
	const [first] = instantsOf(zone, wall);
	if (first !== undefined) return first;
	const list = segments(zone, wall - MAX_OFFSET, wall + MAX_OFFSET);
	const next = list.findIndex(({ from, offset }) => wall - offset < from);
	return wall - list[next - 1].offset;
}

// nextHour returns the next instant at which the clocks of a zone show a full hour, after an instant.
// Offsets such as +05:30 are not full hours, so full hours of UTC are not full hours of the zone.
export function nextHour(zone, instant) {
	const sinceFullHour = wallAt(zone, instant) % HOUR;
	return instant + HOUR - (sinceFullHour < 0 ? sinceFullHour + HOUR : sinceFullHour);
}

// isAmbiguous reports whether the wall time of an instant is also that of another instant.
export function isAmbiguous(zone, instant) {
	return instantsOf(zone, wallAt(zone, instant)).length > 1;
}

// dayStart returns the first instant of a day. A day that a zone has skipped (Apia, 2011-12-30) has no
// length and starts at the same instant as the next day.
export function dayStart(zone, day) {
	const wall = day * DAY;
	for (const { from, to, offset } of segments(zone, wall - MAX_OFFSET, wall + MAX_OFFSET)) {
		const instant = Math.max(from, wall - offset);
		if (instant < to) return instant;
	}
	throw new RangeError(`day ${day} has no start in ${zone}`);
}

// dayAt returns the day of an instant, so that dayStart(dayAt(t)) <= t < dayStart(dayAt(t) + 1). If the
// clocks are put back across midnight after a day has begun (St. John's until 2011), that day
// continues, although the date of the wall time is the previous day.
export function dayAt(zone, instant) {
	const day = Math.floor(wallAt(zone, instant) / DAY);
	return instant >= dayStart(zone, day + 1) ? day + 1 : day;
}

// parseDay returns the day of a date such as "2026-11-26".
export function parseDay(date) {
	const [year, month, day] = date.slice(0, 10).split("-").map(Number);
	return Date.UTC(year, month - 1, day) / DAY;
}

// formatDay returns the date of a day, such as "2026-11-26".
export function formatDay(day) {
	return new Date(day * DAY).toISOString().slice(0, 10);
}

// parseInstant returns the instant of a number or of a text such as "2026-11-26T12:30:00Z".
export function parseInstant(value) {
	return typeof value === "number" ? value : Date.parse(value);
}

// weekdayOf returns the weekday of a day.
export function weekdayOf(day) {
	return ((((day + 3) % 7) + 7) % 7) + 1;
}

// weekOf returns the first day of the week that contains a day.
export function weekOf(day, weekStart) {
	return day - ((weekdayOf(day) - weekStart + 7) % 7);
}

// weekNumber returns the number of the week that starts on firstDay. Week 1 of a year is the first week
// with at least `fewest` days in that year: 4 by ISO 8601, 1 for the week with 1 January.
export function weekNumber(firstDay, fewest = 4) {
	const pivot = firstDay + 7 - fewest;
	const newYear = Date.UTC(new Date(pivot * DAY).getUTCFullYear(), 0, 1) / DAY;
	return Math.floor((pivot - newYear) / 7) + 1;
}

// monthOf returns { first, next }: the first day of the month of a day, and the first day of the next month.
export function monthOf(day) {
	const date = new Date(day * DAY);
	const first = (months) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / DAY;
	return { first: first(0), next: first(1) };
}

// addMonths returns the same day some months later, or the last day of a shorter month.
export function addMonths(day, months) {
	const date = new Date(day * DAY);
	const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / DAY;
	const { next } = monthOf(first);
	return Math.min(first + date.getUTCDate() - 1, next - 1);
}

// monthWeeks returns the first days of the weeks that contain days of the month of a day.
export function monthWeeks(day, weekStart) {
	const { first, next } = monthOf(day);
	const weeks = [];
	for (let week = weekOf(first, weekStart); week < next; week += 7) weeks.push(week);
	return weeks;
}
