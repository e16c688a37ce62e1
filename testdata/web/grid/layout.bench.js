// Measures the layout of a month and of a week with 500 entries (budget: 50 ms for a month,
// with the elements): node layout.bench.js

import { createAxis } from "../../../assets/web/grid/axis.js";
import { itemsOf, stackDay, stackWeek } from "../../../assets/web/grid/layout.js";
import { DAY, HOUR, formatDay, monthWeeks, parseDay } from "../../../assets/web/grid/zone.js";

const ZONE = "Europe/Berlin";
const ROUNDS = 50;
const first = parseDay("2026-10-26");

// Every fifth entry is all-day, of one to five days; the others last up to four hours.
const entries = Array.from({ length: 500 }, (_, id) => {
	const start = first * DAY + ((id * 7919) % (42 * 96)) * (HOUR / 4);
	if (id % 5) return { id, start, end: start + (1 + (id % 16)) * (HOUR / 4) };
	const day = Math.floor(start / DAY);
	return { id, allDay: true, start: formatDay(day), end: formatDay(day + 1 + (id % 3) * 2) };
});

function month() {
	const items = itemsOf(entries, ZONE);
	return monthWeeks(first + 31, 1).map((week) => stackWeek(items, week, 7, 4));
}

function week() {
	const items = itemsOf(entries, ZONE);
	const axis = createAxis(ZONE, Array.from({ length: 7 }, (_, index) => first + 7 + index));
	return axis.days.map((day) => stackDay(items, day, axis.total));
}

for (const measured of [month, week]) {
	const times = Array.from({ length: ROUNDS }, () => {
		const start = performance.now();
		measured();
		return performance.now() - start;
	});
	const text = (time) => `${time.toFixed(2)} ms`;
	console.log(`${measured.name}: first ${text(times[0])}, median ${text(times.sort((a, b) => a - b)[ROUNDS >> 1])}`);
}
