// Links the fields start, end, due and all_day of a form.

import { addMinutes, hasWholeDays, minutesBetween } from "./value.js";

// DEFAULT_TIMES are the times that an entry gets when all_day is switched off.
const DEFAULT_TIMES = { start: "09:00", end: "10:00", due: "18:00" };

// linkTimes hides the time of day of the fields while all_day is checked, and moves the end or the due
// time with the start, so that the duration stays. The start moves with an equal due time of a recurring
// task, which has only this one date. entries maps the ids of controls to the results of makeEntry.
// zoneOf returns the time zone of the field with an id. onMove is called when the day of startDay may
// have changed. linkTimes returns a function that must be called after the form has set other values.
export function linkTimes(entries, controls, zoneOf, onMove) {
	if (hasWholeDays(controls)) linkWholeDays(entries);
	const due = entries.get("due");
	due?.wrapper.addEventListener("change", onMove);
	const start = entries.get("start");
	if (!start) return () => {};
	let previousStart;
	let previousDue;
	const remember = () => ([previousStart, previousDue] = [start.field.get(), due?.field.get()]);
	const followStart = () => {
		const presentStart = start.field.get();
		if (presentStart === previousStart || start.field.problem() || !presentStart) return;
		const end = (entries.get("end") ?? due)?.field;
		const zones = [zoneOf("start"), zoneOf("end")];
		const length = minutesBetween(previousStart, end?.get(), ...zones);
		if (length !== null && length >= 0 && presentStart.length === previousStart.length) end.set(addMinutes(presentStart, length, ...zones));
		remember();
		onMove();
	};
	const followDue = () => {
		const presentDue = due.field.get();
		const isOnlyDate = previousDue === previousStart && entries.get("rrule")?.field.get();
		if (isOnlyDate && presentDue && !due.field.problem()) start.field.set(presentDue);
		remember();
	};
	remember();
	entries.get("all_day")?.field.input.addEventListener("change", remember);
	start.wrapper.addEventListener("change", followStart);
	start.wrapper.addEventListener("focusout", followStart);
	due?.wrapper.addEventListener("change", followDue);
	return remember;
}

// linkWholeDays shows the time of day of the fields only while all_day is not checked.
function linkWholeDays(entries) {
	const allDay = entries.get("all_day").field;
	const update = (proposals = {}) => {
		for (const id of ["start", "end", "due"]) entries.get(id)?.field.showTime?.(!allDay.get(), proposals[id]);
	};
	allDay.input.addEventListener("change", () => {
		if (allDay.get()) endOnLastDay(entries);
		update(DEFAULT_TIMES);
	});
	update();
}

// endOnLastDay moves an end at midnight to the minute before: the entry takes place on the days
// until then, and the day that begins at midnight is not one of them.
function endOnLastDay(entries) {
	const start = entries.get("start")?.field.get() ?? "";
	const end = entries.get("end")?.field;
	const text = end?.get() ?? "";
	if (/T00:00(:00)?$/.test(text) && text.slice(0, 10) > start.slice(0, 10)) end.set(addMinutes(text, -1));
}

// startDay returns the day on which an entry starts or a task is due, or "".
export function startDay(entries) {
	const dayOf = (id) => entries.get(id)?.field.get()?.slice(0, 10);
	return dayOf("start") || dayOf("due") || "";
}
