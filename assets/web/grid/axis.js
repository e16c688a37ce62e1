// The vertical axis of the week and of the day, without DOM. Positions on the axis are numbers of
// hours from its start. The axis of one day is the time that passes in it: 23, 24 or 25 hours. The
// axis of several days has one row for each hour on the clock, so that the same wall time has the same
// position in all days. If the clocks are put back in one of the days, the axis contains the repeated
// time twice, and the other days have a void at its second occurrence.

import { DAY, HOUR, dayStart, segments } from "./zone.js";

// createAxis returns the axis of days (numbers of days, see zone.js) as { total, labels, days }:
//
//   total   the length of the axis in hours
//   labels  the labels of full hours and of repeated times, as { at, minute, again }: the position, the
//           minutes after midnight of the wall time, and whether it is its second occurrence
//   days    { day, start, end, pieces, voids } for each day, with the instants start and end
//     pieces  parts of the day in the order of time, as { from, to, at }: the time from the instant
//             `from` to the instant `to` starts at the position `at`
//     voids   parts of the axis without time in this day, as { at, length } in hours
export function createAxis(zone, days) {
	const spans = days.map((day) => readDay(zone, day));
	const axis = spans.length === 1 ? axisOfOne(spans[0]) : axisOfMany(spans);
	for (const day of axis.days) day.voids = findVoids(day.pieces, axis.total);
	return axis;
}

// readDay returns a day with its segments, as { from, to, wall, until }: wall and until are the wall
// times at the start and the end of a segment, in hours after midnight.
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
	let latestWall = -Infinity;
	for (const { from, to, wall, until } of list) {
		const at = (from - start) / HOUR;
		pieces.push({ from, to, at });
		for (const hour of labelHours(wall, until, pieces.length > 1)) {
			labels.push({ at: at + hour - wall, minute: minuteOf(hour), again: hour < latestWall });
		}
		latestWall = Math.max(latestWall, until);
	}
	return { total: (end - start) / HOUR, labels, days: [{ day, start, end, pieces }] };
}

function axisOfMany(spans) {
	const repeats = findRepeats(spans);
	const total = 24 + repeats.reduce((sum, { length }) => sum + length, 0);
	const labels = labelHours(0, 24).map((hour) => ({ at: shiftWall(hour, repeats), minute: minuteOf(hour), again: false }));
	for (const { until, length } of repeats) {
		const at = until + repeats.reduce((sum, other) => (other.until < until ? sum + other.length : sum), 0);
		for (const hour of labelHours(until - length, until, true)) {
			labels.push({ at: at + hour - until + length, minute: minuteOf(hour), again: true });
		}
	}
	labels.sort((a, b) => a.at - b.at);
	const days = spans.map((span) => ({ day: span.day, start: span.start, end: span.end, pieces: makePieces(span, repeats) }));
	return { total, labels, days };
}

// findRepeats returns the repeated times of days, in order, as { until, length } in hours: until is the
// wall time at which the clocks are put back by length.
function findRepeats(spans) {
	const repeats = new Map();
	for (const { segments: list } of spans) {
		for (let i = 1; i < list.length; i++) {
			const length = list[i - 1].until - list[i].wall;
			if (length > 0) repeats.set(list[i - 1].until, Math.max(length, repeats.get(list[i - 1].until) ?? 0));
		}
	}
	return [...repeats].map(([until, length]) => ({ until, length })).sort((a, b) => a.until - b.until);
}

// shiftWall returns the position of a wall time on the axis, for a day without repeated times: it adds the
// length of each repeated time of another day that ends by then.
function shiftWall(wall, repeats) {
	return repeats.reduce((at, { until, length }) => (wall >= until ? at + length : at), wall);
}

// makePieces returns the pieces of a day on an axis that contains the repeated times of all its days.
// A segment is cut where the axis contains a repeated time of another day.
function makePieces({ segments: list }, repeats) {
	// putBackAt has the wall time at which the clocks are put back after each segment, or undefined.
	const putBackAt = list.slice(1).map(({ wall }, i) => (wall < list[i].until ? list[i].until : undefined));
	const otherRepeats = repeats.filter(({ until }) => !putBackAt.includes(until));
	const pieces = [];
	list.forEach(({ from, to, wall, until }, index) => {
		const earlierRepeats = repeats.filter((repeat) => putBackAt.indexOf(repeat.until) > -1 && putBackAt.indexOf(repeat.until) < index);
		const addedHours = earlierRepeats.reduce((sum, { length }) => sum + length, 0);
		const cuts = otherRepeats.map((repeat) => repeat.until).filter((cut) => cut > wall && cut < until);
		[wall, ...cuts].forEach((start, i) => {
			pieces.push({
				from: from + (start - wall) * HOUR,
				to: i < cuts.length ? from + (cuts[i] - wall) * HOUR : to,
				at: shiftWall(start, otherRepeats) + addedHours,
			});
		});
	});
	return pieces;
}

// labelHours returns the full hours from one wall time to another (exclusive). If withStart, the list
// starts with `from`, also if that is no full hour.
function labelHours(from, to, withStart) {
	const list = withStart && from % 1 !== 0 ? [from] : [];
	for (let hour = Math.ceil(from); hour < to; hour++) list.push(hour);
	return list;
}

// minuteOf returns the minutes after midnight of a wall time in hours, from 0 to 1439.
function minuteOf(hour) {
	return ((Math.round(hour * 60) % 1440) + 1440) % 1440;
}

// findVoids returns the parts of an axis that no piece covers.
function findVoids(pieces, total) {
	const voids = [];
	let at = 0;
	for (const piece of [...pieces, { at: total, from: 0, to: 0 }]) {
		if (piece.at > at) voids.push({ at, length: piece.at - at });
		at = Math.max(at, piece.at + (piece.to - piece.from) / HOUR);
	}
	return voids;
}

// positionOf returns the position of an instant in a day of an axis. At a boundary between two pieces,
// it is the end of the first piece if isEnd, and otherwise the start of the second piece.
export function positionOf({ pieces }, instant, isEnd = false) {
	let position = pieces[0]?.at ?? 0;
	for (const { from, to, at } of pieces) {
		if (isEnd ? instant <= from : instant < from) break;
		position = at + (Math.min(instant, to) - from) / HOUR;
	}
	return position;
}

// instantAt returns the instant at a position in a day of an axis. In a void, it is the start of the
// next piece or, after the last one, the end of the day.
export function instantAt({ start, end, pieces }, position) {
	for (const { from, to, at } of pieces) {
		if (position < at) return from;
		const instant = from + Math.round((position - at) * HOUR);
		if (instant < to) return instant;
	}
	return pieces.length ? end : start;
}
