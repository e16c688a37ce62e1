// Days and times of the calendar in the locale of the member, beyond those of words.js.

import { addDays, daysBetween, toDate } from "../parts/day.js";

// formatter returns a format for days. Each one is made once per locale.
function formatter({ locale }, options) {
	const key = locale + JSON.stringify(options);
	if (!formatters.has(key)) formatters.set(key, new Intl.DateTimeFormat(locale, { timeZone: "UTC", calendar: "gregory", ...options }));
	return formatters.get(key);
}

const formatters = new Map();

// yearOf returns how the year of days is shown: not at all if it is the present one.
function yearOf(words, ...days) {
	return days.every((day) => day.slice(0, 4) === words.currentDay().slice(0, 4)) ? undefined : "numeric";
}

// rangeOfDays returns two days as a range without weekdays: 23–29 November, or with a short month.
export function rangeOfDays(words, first, last, month = "long") {
	return formatter(words, { day: "numeric", month, year: yearOf(words, first, last) }).formatRange(toDate(first), toDate(last));
}

// nameOfDay returns a day as { strong, rest }: today, tomorrow, yesterday or the weekday, and the
// rest of the date.
export function nameOfDay(words, day) {
	if (Math.abs(daysBetween(words.currentDay(), day)) < 2) return { strong: words.relativeDay(day), rest: words.dayAndWeekday(day) };
	return { strong: formatter(words, { weekday: "long" }).format(toDate(day)), rest: words.date(day) };
}

// monthAndYear returns the month of a day, short: Nov 2026.
export function monthAndYear(words, day) {
	return formatter(words, { month: "short", year: "numeric" }).format(toDate(day));
}

export function monthShort(words, day) {
	return formatter(words, { month: "short" }).format(toDate(day));
}

// daysText returns the time of an entry of whole days; its end is the day after the last one.
export function daysText(words, start, end) {
	const last = addDays(end, -1);
	return last > start ? words.dayRange(start, last) : words.dayAndWeekday(start);
}

// dayAndTimes returns a day with the times from and to, or only one: Thursday, 26 November,
// 19:00–20:30.
export function dayAndTimes(words, day, from, to) {
	return `${words.dayAndWeekday(day)}, ${to ? `${from}–${to}` : from}`;
}

// distance returns how far a day is from the present one: in 2 days.
export function distance(words, day) {
	return new Intl.RelativeTimeFormat(words.language, { numeric: "auto" }).format(daysBetween(words.currentDay(), day), "day");
}
