// The layout of entries in the grids, without DOM: lanes of bars and chips in weeks, and
// lanes of slots in days.

import { DAY, HOUR, dayAt, formatDay, instantOf, parseDay, parseInstant, wallAt } from "./zone.js";
import { positionOf } from "./axis.js";

// SHORTEST is the least height of a slot, in hours: one line of text and a target of 24 px.
const SHORTEST = 0.5;

// prepare returns the items of entries in the order of layout. The fields of an item:
//   entry, id, allDay
//   start, end   instants, end exclusive; of all-day entries those of their days in UTC
//   first, last  days in the shown zone, last inclusive
//   long         whether it is drawn as a bar: all-day, or at least 24 hours on the clock
// Long items are first, by start and then by length; then timed ones, by start and then
// by length. Entries without a valid start are left out.
export function prepare(entries, zone) {
	const items = entries.map((entry) => prepareOne(entry, zone)).filter((item) => Number.isFinite(item.start));
	items.forEach((item, index) => (item.index = index));
	return items.sort((a, b) =>
		Number(b.long) - Number(a.long) ||
		(a.long ? a.first - b.first : a.start - b.start) ||
		(a.long ? b.last - a.last : b.end - a.end) ||
		a.start - b.start || a.index - b.index);
}

function prepareOne(entry, zone) {
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
	// By the clock, since a day has 23 to 25 hours; but the clock may skip a whole day.
	const long = wallAt(zone, end) - wallAt(zone, start) >= DAY && end - start >= DAY - 2 * HOUR;
	return { entry, id, allDay: false, start, end, first, last, long };
}

// stackWeek puts items into lanes of consecutive days. Each item is in the first lane that
// is free in all of its days; a short timed item is only in its first day. Capacity is the
// number of lanes that fit; a day with more gives its last lane to "n more". Returns:
//   bars  { item, column, span, lane, before, after }; before and after report whether the
//         item continues outside of the days
//   more  { column, count, lane } for days with hidden items
export function stackWeek(items, firstDay, count, capacity = Infinity) {
	const lanes = []; // for each lane a bit mask of its days
	const depth = new Array(count).fill(0);
	const placed = [];
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
		placed.push({ item, column, span, lane, before: item.first < firstDay, after: last >= firstDay + count });
	}
	return hideBeyond(placed, depth, capacity);
}

function hideBeyond(placed, depth, capacity) {
	const limits = depth.map((lanes) => (lanes > capacity ? capacity - 1 : capacity));
	const counts = depth.map(() => 0);
	const ends = depth.map(() => 0);
	const bars = placed.filter(({ column, span, lane }) => {
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

// stackDay returns the slots of timed items in a day of an axis:
// { item, at, length, lane, lanes, wide, before, after }. At and length are in hours, length
// at least SHORTEST; see spread for the lanes.
export function stackDay(items, day, total) {
	const slots = [];
	if (day.start === day.end) return slots;
	for (const item of items) {
		if (item.long || item.start >= day.end || (item.end <= day.start && item.start < day.start)) continue;
		const from = positionOf(day, Math.max(item.start, day.start));
		const to = Math.max(from, positionOf(day, Math.min(item.end, day.end), true));
		const length = Math.max(to - from, SHORTEST);
		slots.push({ item, at: Math.max(0, Math.min(from, total - length)), length, before: item.start < day.start, after: item.end > day.end });
	}
	return spread(slots);
}

// spread puts overlapping slots side by side. Slots that overlap directly or through others
// are a cluster with the same number of lanes. Each slot takes the first free lane, by start
// and longer ones first, and is as many lanes wide as are free during all of it.
export function spread(slots) {
	slots.sort((a, b) => a.at - b.at || b.length - a.length || a.item.index - b.item.index);
	let cluster = [];
	let end = -Infinity;
	for (const slot of slots) {
		if (slot.at >= end) {
			widen(cluster);
			cluster = [];
		}
		const taken = new Set();
		for (const other of cluster) if (overlap(other, slot)) taken.add(other.lane);
		slot.lane = 0;
		while (taken.has(slot.lane)) slot.lane++;
		cluster.push(slot);
		end = Math.max(end, slot.at + slot.length);
	}
	widen(cluster);
	return slots;
}

function overlap(a, b) {
	return a.at < b.at + b.length && b.at < a.at + a.length;
}

// widen sets lanes and wide of the slots of a cluster.
function widen(cluster) {
	const lanes = cluster.reduce((most, { lane }) => Math.max(most, lane + 1), 0);
	for (const slot of cluster) {
		let limit = lanes;
		for (const other of cluster) {
			if (other.lane > slot.lane && other.lane < limit && overlap(slot, other)) limit = other.lane;
		}
		slot.lanes = lanes;
		slot.wide = limit - slot.lane;
	}
}

// onDay returns the items of a day in the order of a list: long ones first, then by start.
export function onDay(items, day) {
	return items.filter(({ first, last }) => first <= day && last >= day);
}

// A range is the time of an item, as callbacks receive it: { allDay, start, end } with
// instants, or with dates (end exclusive) if allDay.

// rangeOf returns the range of an item.
export function rangeOf({ allDay, start, end }) {
	return allDay ? rangeOfDays(start / DAY, end / DAY - 1) : { allDay, start, end };
}

// isSameRange reports whether an item has a range already.
export function isSameRange(item, range) {
	const { allDay, start, end } = rangeOf(item);
	return allDay === range.allDay && start === range.start && end === range.end;
}

// rangeOfDays returns the all-day range from one day to another, inclusive, in any order.
export function rangeOfDays(a, b) {
	return { allDay: true, start: formatDay(Math.min(a, b)), end: formatDay(Math.max(a, b) + 1) };
}

// itemOf returns an item for a range, to lay it out.
export function itemOf(range, zone, entry = {}) {
	return { ...prepareOne({ ...entry, ...range }, zone), entry, id: entry.id, index: -1 };
}

// moveDays returns the range of an item some days later, at the same wall time. A short
// timed item keeps its duration, a long one its wall times.
export function moveDays(item, days, zone) {
	if (item.allDay) return rangeOfDays(item.first + days, item.last + days);
	if (days === 0) return rangeOf(item);
	const later = (instant) => instantOf(zone, wallAt(zone, instant) + days * DAY);
	const start = later(item.start);
	return { allDay: false, start, end: item.long ? Math.max(start, later(item.end)) : start + item.end - item.start };
}

// moveBy returns the range of a timed item some milliseconds later, rounded to steps.
export function moveBy(item, milliseconds, step) {
	const delta = Math.round(milliseconds / step) * step;
	return { allDay: false, start: item.start + delta, end: item.end + delta };
}

// resizeBy returns the range of a timed item whose end is some milliseconds later, rounded to
// steps; it is at least one step long.
export function resizeBy(item, milliseconds, step) {
	const delta = Math.round(milliseconds / step) * step;
	return { allDay: false, start: item.start, end: Math.max(item.end + delta, item.start + step) };
}

// resizeTo returns the range of a long item whose last day is another one.
export function resizeTo(item, day, zone) {
	const last = Math.max(item.first, day);
	if (item.allDay) return rangeOfDays(item.first, last);
	const end = instantOf(zone, wallAt(zone, item.end) + (last - item.last) * DAY);
	return { allDay: false, start: item.start, end: Math.max(end, item.start + DAY) };
}

// createBetween returns the timed range between two instants in any order, extended to whole
// steps on the clock.
export function createBetween(a, b, step, zone) {
	const [from, to] = a <= b ? [a, b] : [b, a];
	const down = (instant) => instant - (((wallAt(zone, instant) % step) + step) % step);
	const start = down(from);
	return { allDay: false, start, end: Math.max(start + step, down(to + step - 1)) };
}

// createAt returns the timed range of a length (ms) that starts with the step around an instant.
export function createAt(instant, length, step, zone) {
	const { start } = createBetween(instant, instant, step, zone);
	return { allDay: false, start, end: start + length };
}
