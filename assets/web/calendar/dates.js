// Formats days and times of the calendar in the locale of the member. See words.js for the other
// formats.

import { addDays, daysBetween, toDate } from "../parts/day.js";

// formatter returns the Intl.DateTimeFormat for days with the options. It is cached.
function formatter({ locale }, options) {
	const key = locale + JSON.stringify(options);
	if (!formatters.has(key)) formatters.set(key, new Intl.DateTimeFormat(locale, { timeZone: "UTC", calendar: "gregory", ...options }));
	return formatters.get(key);
}

const formatters = new Map();

// yearOf returns the option year of a format: undefined if all days are in the present year.
function yearOf(words, ...days) {
	return days.every((day) => day.slice(0, 4) === words.currentDay().slice(0, 4)) ? undefined : "numeric";
}

// rangeOfDays returns a range of days, such as "23–29 November". month is the style of the month,
// "long" or "short".
export function rangeOfDays(words, first, last, month = "long") {
	return formatter(words, { day: "numeric", month, year: yearOf(words, first, last) }).formatRange(toDate(first), toDate(last));
}

// rangeOfMonths returns the short months of a range of days, such as "Nov – Dec".
export function rangeOfMonths(words, first, last) {
	return formatter(words, { month: "short" }).formatRange(toDate(first), toDate(last));
}

// nameOfDay returns a day as { strong, rest }: "Today", "Tomorrow", "Yesterday" or the weekday, and
// the date.
export function nameOfDay(words, day) {
	if (Math.abs(daysBetween(words.currentDay(), day)) < 2) return { strong: words.relativeDay(day), rest: words.dayAndWeekday(day) };
	return { strong: formatter(words, { weekday: "long" }).format(toDate(day)), rest: words.date(day) };
}

// monthAndYear returns the short month and the year of a day, such as "Nov 2026".
export function monthAndYear(words, day) {
	return formatter(words, { month: "short", year: "numeric" }).format(toDate(day));
}

// monthShort returns the short month of a day, such as "Nov".
export function monthShort(words, day) {
	return formatter(words, { month: "short" }).format(toDate(day));
}

// daysText returns the days of an all-day entry. end is the day after the last one.
export function daysText(words, start, end) {
	const last = addDays(end, -1);
	return last > start ? words.dayRange(start, last) : words.dayAndWeekday(start);
}

// dayAndTimes returns a day with its times, such as "Thursday, 26 November, 19:00–20:30". to may be
// empty.
export function dayAndTimes(words, day, from, to) {
	return `${words.dayAndWeekday(day)}, ${to ? `${from}–${to}` : from}`;
}

// distanceText returns the distance of a day from the present one, such as "in 2 days".
export function distanceText(words, day) {
	return new Intl.RelativeTimeFormat(words.language, { numeric: "auto" }).format(daysBetween(words.currentDay(), day), "day");
}
