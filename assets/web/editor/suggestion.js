// Suggests the times of a new entry, without DOM.

import { HOUR, dayAt, formatDay, instantOf, nextHour, wallAt } from "../grid/zone.js";

// formTimes returns the initial values of a form for a range of the grid, as dates or local times.
export function formTimes({ allDay, start, end }, zone) {
	const text = (value) => (allDay ? value : new Date(wallAt(zone, value)).toISOString().slice(0, 19));
	return { start: text(start), end: text(end), all_day: allDay };
}

// suggestRange returns the range of a new entry on a day, of one hour. It starts at the next full hour
// if that is on the present day and day is the present day, and otherwise at dayStart, a local time
// such as "08:00", or at 09:00 if dayStart is empty.
export function suggestRange(day, { now, zone, dayStart }) {
	const next = nextHour(zone, now);
	const isToday = day === formatDay(dayAt(zone, now)) && day === formatDay(dayAt(zone, next));
	const start = isToday ? next : instantOf(zone, Date.parse(`${day}T${dayStart || "09:00"}:00Z`));
	return { allDay: false, start, end: start + HOUR };
}
