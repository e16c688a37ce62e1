// The views of the calendar and their periods, without DOM.

import { addDays, addMonths, isDay, weekOf } from "../parts/day.js";
import { monthAndYear, rangeOfDays, rangeOfMonths } from "./dates.js";

// VIEWS are the ids of the views, in the order of their keyboard shortcuts.
export const VIEWS = ["day", "week", "month", "agenda", "tasks"];

// AGENDA_DAYS is the number of days that the agenda shows.
export const AGENDA_DAYS = 30;

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

// weekdayNumber returns the number of an English weekday from 1 for "monday" to 7, or 0.
export function weekdayNumber(name) {
	return WEEKDAYS.indexOf(name) + 1;
}

// anchorOf returns the day that identifies the panel of a view: the first day of its period.
export function anchorOf(view, day, weekStart) {
	if (view === "month") return `${day.slice(0, 7)}-01`;
	return view === "week" ? weekOf(day, weekStart) : day;
}

// stepDay returns the day that is a number of periods of a view after a day.
export function stepDay(view, day, count) {
	if (view === "month") return addMonths(day, count);
	return addDays(day, count * ({ week: 7, agenda: AGENDA_DAYS }[view] ?? 1));
}

// viewOf returns the { view, date } of the query of a route. Invalid values are replaced by the usual
// view and by today.
export function viewOf({ view, date }, { today, usual }) {
	return { view: VIEWS.includes(view) ? view : usual, date: isDay(date ?? "") ? date : today };
}

// titleOf returns the title of a period. isShort selects a shorter form for narrow windows, isPhone
// the shortest one. visibleDays is the number of days that a week shows at a time, and labels has the names of the
// views without a period, such as the tasks.
export function titleOf(view, day, { words, weekStart, visibleDays = 7, labels = {}, isShort = false, isPhone = false }) {
	if (view === "week" && visibleDays > 1 && visibleDays < 7) {
		const first = firstVisible(day, weekStart, visibleDays);
		return rangeOfDays(words, first, addDays(first, visibleDays - 1), "short");
	}
	if (view === "week" && visibleDays === 1 || view === "day" && isShort) return words.dayRange(day, day);
	if (view === "day") return day.slice(0, 4) === words.currentDay().slice(0, 4) ? words.dayAndWeekday(day) : words.dayFull(day);
	if (view === "week") {
		const [first, last] = [weekOf(day, weekStart), addDays(weekOf(day, weekStart), 6)];
		const isInOneMonth = first.slice(0, 7) === last.slice(0, 7);
		if (isPhone && !isInOneMonth) return rangeOfMonths(words, first, last);
		return rangeOfDays(words, first, last, isShort ? "short" : "long");
	}
	if ((view === "month" || view === "agenda") && isShort) return monthAndYear(words, day);
	if (view === "agenda") return rangeOfDays(words, day, addDays(day, AGENDA_DAYS - 1), "short");
	return view === "month" ? words.month(day) : labels[view] ?? "";
}

// firstVisible returns the first of the days that a week shows at a time: those from a day on, within its week.
function firstVisible(day, weekStart, visibleDays) {
	const last = addDays(weekOf(day, weekStart), 7 - visibleDays);
	return day < last ? day : last;
}
