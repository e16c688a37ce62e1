// The times of a form that depend on one another: start, end, due and all_day.

import { addMinutes, hasWholeDays, minutesBetween } from "./value.js";

// PROPOSALS are the times of day of an entry that is no longer of whole days.
const PROPOSALS = { start: "09:00", end: "10:00", due: "18:00" };

// linkTimes hides the times of whole days, moves the end with the start, and calls moved when
// the day on which a series starts may have changed. entries maps ids to what makeEntry
// returns. It returns a function to call after other values have been set.
export function linkTimes(entries, controls, moved) {
	if (hasWholeDays(controls)) linkWholeDays(entries);
	entries.get("due")?.wrapper.addEventListener("change", moved);
	const start = entries.get("start");
	if (!start) return () => {};
	let before = start.field.get();
	const follow = () => {
		const now = start.field.get();
		if (now === before || start.field.problem() || !now) return;
		const end = entries.get("end")?.field;
		const length = minutesBetween(before, end?.get());
		if (length !== null && length >= 0 && now.length === before.length) end.set(addMinutes(now, length));
		before = now;
		moved();
	};
	entries.get("all_day")?.field.input.addEventListener("change", () => (before = start.field.get()));
	start.wrapper.addEventListener("change", follow);
	start.wrapper.addEventListener("focusout", follow);
	return () => (before = start.field.get());
}

function linkWholeDays(entries) {
	const allDay = entries.get("all_day").field;
	const update = (proposals = {}) => {
		for (const id of ["start", "end", "due"]) entries.get(id)?.field.showTime?.(!allDay.get(), proposals[id]);
	};
	allDay.input.addEventListener("change", () => update(PROPOSALS));
	update();
}

// startDay returns the day on which an entry starts, or a task is due, or "".
export function startDay(entries) {
	const dayOf = (id) => entries.get(id)?.field.get()?.slice(0, 10);
	return dayOf("start") || dayOf("due") || "";
}
