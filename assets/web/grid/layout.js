// The layout of entries in the grid, without DOM: the lanes of bars and chips in weeks and of slots in
// days. It also computes the ranges of moved, resized and new entries.
//
// A bar is the element of an all-day or long entry. Any other entry has a chip in a month, and a slot
// in the hours of a day. Elements in the same lane do not overlap.

import { DAY, HOUR, dayAt, formatDay, instantOf, parseDay, parseInstant, wallAt } from "./zone.js";
import { positionOf } from "./axis.js";

// MIN_LENGTH is the minimum height of a slot, in hours: enough for one line of text.
const MIN_LENGTH = 25 / 60;

// itemsOf returns the items of entries in the order of layout. An item has:
//
//   entry, id, allDay
//   start, end   instants, end exclusive; for all-day entries the start and end of their days in UTC
//   first, last  days in the zone of the grid, last inclusive
//   long         whether it is drawn as a bar: all-day, or at least 24 hours on the clock
//   index        the index of the entry in the list
//
// Long items come first, sorted by first day; the others are sorted by start. Of items with the
// same first day or start, longer ones come first. Entries without a valid start are left out.
export function itemsOf(entries, zone) {
	const items = entries.map((entry) => itemOfEntry(entry, zone)).filter((item) => Number.isFinite(item.start));
	items.forEach((item, index) => (item.index = index));
	return items.sort((a, b) =>
		Number(b.long) - Number(a.long) ||
		(a.long ? a.first - b.first : a.start - b.start) ||
		(a.long ? b.last - a.last : b.end - a.end) ||
		a.start - b.start || a.index - b.index);
}

function itemOfEntry(entry, zone) {
	const { id } = entry;
	if (entry.allDay) {
		const first = parseDay(String(entry.start));
		const last = Math.max(first, parseDay(String(entry.end ?? entry.start)) - 1 || first);
		return { entry, id, allDay: true, start: first * DAY, end: (last + 1) * DAY, first, last, long: true };
	}
	const start = parseInstant(entry.start);
	const end = Math.max(start, parseInstant(entry.end ?? entry.start) || start);
	if (!Number.isFinite(start)) return { start };
	const first = dayAt(zone, start);
	const last = end > start ? dayAt(zone, end - 1) : first;
	// A day has 23 to 25 hours, so the length is that on the clock. The second condition excludes
	// short entries across a day that the clock skips.
	const long = wallAt(zone, end) - wallAt(zone, start) >= DAY && end - start >= DAY - 2 * HOUR;
	return { entry, id, allDay: false, start, end, first, last, long };
}

// stackWeek assigns items to lanes of `count` consecutive days from firstDay on. Each item gets the
// first lane that is free in all of its days. An item that is not long is only in its first day.
// capacity is the number of lanes that fit: a day that needs more uses its last lane for the button
// "n more". stackWeek returns { bars, more }:
//
//   bars  { item, column, span, lane, before, after } for each visible item: the index of its first
//         day, its number of days, and whether it continues before and after the days
//   more  { column, count, lane } for each day with hidden items
export function stackWeek(items, firstDay, count, capacity = Infinity) {
	const lanes = []; // for each lane, a bit mask of the days in which it is occupied
	const depth = new Array(count).fill(0); // number of lanes of each day
	const bars = [];
	for (const item of items) {
		const last = item.long ? item.last : item.first;
		const column = Math.max(item.first - firstDay, 0);
		const span = Math.min(last - firstDay, count - 1) - column + 1;
		if (span < 1) continue;
		const mask = ((1 << span) - 1) << column;
		let lane = 0;
		while (lanes[lane] & mask) lane++;
		lanes[lane] |= mask;
		for (let i = column; i < column + span; i++) depth[i] = Math.max(depth[i], lane + 1);
		bars.push({ item, column, span, lane, before: item.first < firstDay, after: last >= firstDay + count });
	}
	return hideBeyond(bars, depth, capacity);
}

// hideBeyond returns the result of stackWeek: it hides the items that do not fit in all of their days.
function hideBeyond(barList, depth, capacity) {
	const limits = depth.map((lanes) => (lanes > capacity ? capacity - 1 : capacity));
	const counts = depth.map(() => 0); // number of hidden items of each day
	const ends = depth.map(() => 0); // the lane after the visible items of each day
	const bars = barList.filter(({ column, span, lane }) => {
		const isShown = limits.slice(column, column + span).every((limit) => lane < limit);
		for (let i = column; i < column + span; i++) {
			if (isShown) ends[i] = Math.max(ends[i], lane + 1);
			else counts[i]++;
		}
		return isShown;
	});
	const more = counts.map((count, column) => ({ column, count, lane: ends[column] })).filter(({ count }) => count > 0);
	return { bars, more };
}

// stackDay returns the slots of the items that are not long in a day of an axis, as
// { item, at, length, lane, lanes, wide, before, after }: the position and the length in hours, at
// least MIN_LENGTH, the lanes of spread, and whether the item continues before and after the day.
// total is the length of the axis.
export function stackDay(items, day, total) {
	const slots = [];
	if (day.start === day.end) return slots;
	for (const item of items) {
		if (item.long || item.start >= day.end || (item.end <= day.start && item.start < day.start)) continue;
		const from = positionOf(day, Math.max(item.start, day.start));
		const to = Math.max(from, positionOf(day, Math.min(item.end, day.end), true));
		const length = Math.max(to - from, MIN_LENGTH);
		slots.push({ item, at: Math.max(0, Math.min(from, total - length)), length, before: item.start < day.start, after: item.end > day.end });
	}
	return spread(slots);
}

// spread places overlapping slots beside each other: it sorts the slots by start and then by length,
// the longest first, and sets their lane, lanes and wide. Slots that overlap, directly or through
// other slots, are a cluster with a common number of lanes. Each slot gets the first lane that is free,
// and is as many lanes wide as are free during all of its time.
export function spread(slots) {
	slots.sort((a, b) => a.at - b.at || b.length - a.length || a.item.index - b.item.index);
	let cluster = [];
	let end = -Infinity;
	for (const slot of slots) {
		if (slot.at >= end) {
			widen(cluster);
			cluster = [];
		}
		const takenLanes = new Set();
		for (const other of cluster) if (overlaps(other, slot)) takenLanes.add(other.lane);
		slot.lane = 0;
		while (takenLanes.has(slot.lane)) slot.lane++;
		cluster.push(slot);
		end = Math.max(end, slot.at + slot.length);
	}
	widen(cluster);
	return slots;
}

function overlaps(a, b) {
	return a.at < b.at + b.length && b.at < a.at + a.length;
}

// widen sets lanes, the number of lanes, and wide, the width in lanes, of the slots of a cluster.
function widen(cluster) {
	const lanes = cluster.reduce((maxLane, { lane }) => Math.max(maxLane, lane + 1), 0);
	for (const slot of cluster) {
		let limit = lanes;
		for (const other of cluster) {
			if (other.lane > slot.lane && other.lane < limit && overlaps(slot, other)) limit = other.lane;
		}
		slot.lanes = lanes;
		slot.wide = limit - slot.lane;
	}
}

// itemsOnDay returns the items that are on a day, in the same order.
export function itemsOnDay(items, day) {
	return items.filter(({ first, last }) => first <= day && last >= day);
}

// A range is the time of an entry for the callers of the grid: { allDay, start, end } with instants or,
// if allDay, with dates; end is exclusive.

// rangeOf returns the range of an item.
export function rangeOf({ allDay, start, end }) {
	return allDay ? rangeOfDays(start / DAY, end / DAY - 1) : { allDay, start, end };
}

// isSameRange reports whether a range is that of an item.
export function isSameRange(item, range) {
	const { allDay, start, end } = rangeOf(item);
	return allDay === range.allDay && start === range.start && end === range.end;
}

// rangeOfDays returns the all-day range between two days, inclusive, which may be in any order.
export function rangeOfDays(a, b) {
	return { allDay: true, start: formatDay(Math.min(a, b)), end: formatDay(Math.max(a, b) + 1) };
}

// itemOf returns the item of an entry with another range, or of a new entry.
export function itemOf(range, zone, entry = {}) {
	return { ...itemOfEntry({ ...entry, ...range }, zone), entry, id: entry.id, index: -1 };
}

// moveDays returns the range of an item a number of days later, at the same wall time. A timed item
// keeps its duration or, if it is long, the wall time of its end.
export function moveDays(item, days, zone) {
	if (item.allDay) return rangeOfDays(item.first + days, item.last + days);
	if (days === 0) return rangeOf(item);
	const later = (instant) => instantOf(zone, wallAt(zone, instant) + days * DAY);
	const start = later(item.start);
	return { allDay: false, start, end: item.long ? Math.max(start, later(item.end)) : start + item.end - item.start };
}

// moveBy returns the range of a timed item a number of milliseconds later, rounded to steps.
export function moveBy(item, milliseconds, step) {
	const delta = Math.round(milliseconds / step) * step;
	return { allDay: false, start: item.start + delta, end: item.end + delta };
}

// resizeBy returns the range of a timed item with an end a number of milliseconds later, rounded to
// steps. The range is at least one step long.
export function resizeBy(item, milliseconds, step) {
	const delta = Math.round(milliseconds / step) * step;
	return { allDay: false, start: item.start, end: Math.max(item.end + delta, item.start + step) };
}

// resizeTo returns the range of a long item with another last day, which is not before its first day. A
// timed range is at least 24 hours long.
export function resizeTo(item, day, zone) {
	const last = Math.max(item.first, day);
	if (item.allDay) return rangeOfDays(item.first, last);
	const end = instantOf(zone, wallAt(zone, item.end) + (last - item.last) * DAY);
	return { allDay: false, start: item.start, end: Math.max(end, item.start + DAY) };
}

// createBetween returns the timed range between two instants, which may be in any order, extended to
// whole steps on the clock. It is at least one step long.
export function createBetween(a, b, step, zone) {
	const [from, to] = a <= b ? [a, b] : [b, a];
	const down = (instant) => instant - (((wallAt(zone, instant) % step) + step) % step);
	const start = down(from);
	return { allDay: false, start, end: Math.max(start + step, down(to + step - 1)) };
}

// createAt returns the timed range of a length in milliseconds that starts with the step that contains
// an instant.
export function createAt(instant, length, step, zone) {
	const { start } = createBetween(instant, instant, step, zone);
	return { allDay: false, start, end: start + length };
}
