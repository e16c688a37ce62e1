// The vertical axis of the week and of the day, without DOM. Positions are hours from its
// top. The axis of one day is the time that passes in it: 23, 24 or 25 hours. The axis of
// several days has one row per hour on the clock, so that the same time is at the same
// height in all of them; where the clocks are put back in one of the days, the repeated
// time is inserted, and the other days have a void there.

import { DAY, HOUR, dayStart, segments } from "./zone.js";

// createAxis returns the axis of days (numbers of days, see zone.js):
//   total   its length
//   labels  of hours and of repeated times: { at, minute, again }; minute is that of the
//           wall time in its day, again is true for the second occurrence
//   days    { day, start, end, pieces, voids } for each day, with instants start and end
//     pieces  { from, to, at } in the order of time: the time between two instants is
//             drawn from the position `at` on
//     voids   { at, length }: parts of the axis without time in this day
export function createAxis(zone, days) {
	const spans = days.map((day) => readDay(zone, day));
	const axis = spans.length === 1 ? axisOfOne(spans[0]) : axisOfMany(spans);
	for (const day of axis.days) day.voids = findVoids(day.pieces, axis.total);
	return axis;
}

// readDay returns a day with its segments { from, to, wall, until }: wall and until are
// hours from midnight on the clock.
function readDay(zone, day) {
	const start = dayStart(zone, day);
	const end = dayStart(zone, day + 1);
	const list = end === start ? [] : segments(zone, start, end);
	return {
		day, start, end,
		segments: list.map(({ from, to, offset }) => ({
			from, to, wall: (from + offset - day * DAY) / HOUR, until: (to + offset - day * DAY) / HOUR,
		})),
	};
}

function axisOfOne({ day, start, end, segments: list }) {
	const labels = [];
	const pieces = [];
	let latest = -Infinity;
	for (const { from, to, wall, until } of list) {
		const at = (from - start) / HOUR;
		pieces.push({ from, to, at });
		for (const hour of marks(wall, until, pieces.length > 1)) {
			labels.push({ at: at + hour - wall, minute: minuteOf(hour), again: hour < latest });
		}
		latest = Math.max(latest, until);
	}
	return { total: (end - start) / HOUR, labels, days: [{ day, start, end, pieces }] };
}

function axisOfMany(spans) {
	const repeats = findRepeats(spans);
	const total = 24 + repeats.reduce((sum, { length }) => sum + length, 0);
	const labels = marks(0, 24).map((hour) => ({ at: shiftWall(hour, repeats), minute: minuteOf(hour), again: false }));
	for (const { until, length } of repeats) {
		const at = until + repeats.reduce((sum, other) => (other.until < until ? sum + other.length : sum), 0);
		for (const hour of marks(until - length, until, true)) {
			labels.push({ at: at + hour - until + length, minute: minuteOf(hour), again: true });
		}
	}
	labels.sort((a, b) => a.at - b.at);
	return { total, labels, days: spans.map((span) => ({ day: span.day, start: span.start, end: span.end, pieces: placeDay(span, repeats) })) };
}

// findRepeats returns the repeated times { until, length } of days, in order. Until is the
// wall time at which clocks are put back.
function findRepeats(spans) {
	const found = new Map();
	for (const { segments: list } of spans) {
		for (let i = 1; i < list.length; i++) {
			const length = list[i - 1].until - list[i].wall;
			if (length > 0) found.set(list[i - 1].until, Math.max(length, found.get(list[i - 1].until) ?? 0));
		}
	}
	return [...found].map(([until, length]) => ({ until, length })).sort((a, b) => a.until - b.until);
}

// shiftWall returns the position of a wall time in a day without repeated times.
function shiftWall(wall, repeats) {
	return repeats.reduce((at, { until, length }) => (wall >= until ? at + length : at), wall);
}

// placeDay returns the pieces of a day on an axis with inserted repeated times.
function placeDay({ segments: list }, repeats) {
	const own = list.slice(1).map(({ wall }, i) => (wall < list[i].until ? list[i].until : undefined));
	const others = repeats.filter(({ until }) => !own.includes(until));
	const pieces = [];
	list.forEach(({ from, to, wall, until }, index) => {
		const passed = repeats.filter((repeat) => own.indexOf(repeat.until) > -1 && own.indexOf(repeat.until) < index);
		const added = passed.reduce((sum, { length }) => sum + length, 0);
		const cuts = others.map((repeat) => repeat.until).filter((cut) => cut > wall && cut < until);
		[wall, ...cuts].forEach((start, i) => {
			pieces.push({
				from: from + (start - wall) * HOUR,
				to: i < cuts.length ? from + (cuts[i] - wall) * HOUR : to,
				at: shiftWall(start, others) + added,
			});
		});
	});
	return pieces;
}

// marks returns the full hours in a range, and its start if withStart.
function marks(from, to, withStart) {
	const list = withStart && from % 1 !== 0 ? [from] : [];
	for (let hour = Math.ceil(from); hour < to; hour++) list.push(hour);
	return list;
}

function minuteOf(hour) {
	return ((Math.round(hour * 60) % 1440) + 1440) % 1440;
}

function findVoids(pieces, total) {
	const voids = [];
	let at = 0;
	for (const piece of [...pieces, { at: total, from: 0, to: 0 }]) {
		if (piece.at > at) voids.push({ at, length: piece.at - at });
		at = Math.max(at, piece.at + (piece.to - piece.from) / HOUR);
	}
	return voids;
}

// positionOf returns the position of an instant in a day of an axis. At a boundary between
// pieces it is the end of the first one if isEnd, else the start of the second one.
export function positionOf({ pieces }, instant, isEnd = false) {
	let position = pieces[0]?.at ?? 0;
	for (const { from, to, at } of pieces) {
		if (isEnd ? instant <= from : instant < from) break;
		position = at + (Math.min(instant, to) - from) / HOUR;
	}
	return position;
}

// instantAt returns the instant at a position in a day of an axis, and for a void the next
// instant after it.
export function instantAt({ start, end, pieces }, position) {
	for (const { from, to, at } of pieces) {
		if (position < at) return from;
		const instant = from + Math.round((position - at) * HOUR);
		if (instant < to) return instant;
	}
	return pieces.length ? end : start;
}
