// The views of the calendar and the days that they show, without DOM.

import { addDays, addMonths, isDay, weekOf } from "../parts/day.js";
import { monthAndYear, rangeOfDays } from "./dates.js";

// VIEWS are the views in the order of their keys.
export const VIEWS = ["day", "week", "month", "agenda", "tasks"];

// AGENDA_DAYS is the number of days of an agenda.
export const AGENDA_DAYS = 30;

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

// weekdayNumber returns the number of a weekday of World, 1 for Monday to 7, or 0.
export function weekdayNumber(name) {
	return WEEKDAYS.indexOf(name) + 1;
}

// anchorOf returns the day that stands for all days with the same panel: the first one of the
// month or of the week.
export function anchorOf(view, day, weekStart) {
	if (view === "month") return `${day.slice(0, 7)}-01`;
	return view === "week" ? weekOf(day, weekStart) : day;
}

// stepped returns the day that a view shows some steps later.
export function stepped(view, day, count) {
	if (view === "month") return addMonths(day, count);
	return addDays(day, count * ({ week: 7, agenda: AGENDA_DAYS }[view] ?? 1));
}

// viewOf returns the view and the day of the parameters of an address.
export function viewOf({ view, date }, { today, usual }) {
	return { view: VIEWS.includes(view) ? view : usual, date: isDay(date ?? "") ? date : today };
}

// titleOf returns the title of a view, short where there is little room, and shorter on a phone.
// labels has the names of the views by World.
export function titleOf(view, day, { words, weekStart, labels = {}, isShort = false, isPhone = false }) {
	if (view === "day" && isShort) return words.dayRange(day, day);
	if (view === "day") return day.slice(0, 4) === words.currentDay().slice(0, 4) ? words.dayAndWeekday(day) : words.dayFull(day);
	if (view === "week") {
		const [first, last] = [weekOf(day, weekStart), addDays(weekOf(day, weekStart), 6)];
		return rangeOfDays(words, first, last, isPhone && first.slice(0, 7) !== last.slice(0, 7) ? "numeric" : isShort ? "short" : "long");
	}
	if ((view === "month" || view === "agenda") && isShort) return monthAndYear(words, day);
	if (view === "agenda") return rangeOfDays(words, day, addDays(day, AGENDA_DAYS - 1), "short");
	return view === "month" ? words.month(day) : labels[view] ?? "";
}
