// Computes with days and times of day, and parses texts that members type, without DOM.
//
// A day is a text such as "2026-12-03", a time of day a text such as "09:30". A weekday is a
// number from 1 (Monday) to 7 (Sunday). In grid/zone.js, a day is a number.

import {
	DAY, addMonths as addMonthsToNumber, formatDay, parseDay as dayNumber, wallAt, weekOf as weekOfNumber, weekdayOf as weekdayOfNumber,
} from "../grid/zone.js";
import { fold } from "./fold.js";

// isDay reports whether a text is a day such as "2026-12-03" that exists in the calendar.
export function isDay(text) {
	return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && formatDay(dayNumber(text)) === text;
}

// toDate returns the start of a day in UTC, a Date, for formatters with the time zone UTC.
export function toDate(day) {
	return new Date(`${day}T00:00:00Z`);
}

// makeDay returns the day of a year, a month (1 to 12) and a day of the month, or null if it does
// not exist in the calendar.
export function makeDay(year, month, date) {
	const text = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
	return isDay(text) ? text : null;
}

// splitDay returns the year, the month (1 to 12) and the day of the month, a list of numbers.
export function splitDay(day) {
	return day.split("-").map(Number);
}

// addDays returns the day that is a number of days later, or earlier if count is negative.
export function addDays(day, count) {
	return formatDay(dayNumber(day) + count);
}

// daysBetween returns the number of days from one day to another.
export function daysBetween(from, to) {
	return dayNumber(to) - dayNumber(from);
}

// addMonths returns the same day of the month a number of months later, or the last day of a
// shorter month.
export function addMonths(day, count) {
	return formatDay(addMonthsToNumber(dayNumber(day), count));
}

// daysInMonth returns the number of days of a month (1 to 12).
export function daysInMonth(year, month) {
	return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

// weekdayOf returns the weekday of a day.
export function weekdayOf(day) {
	return weekdayOfNumber(dayNumber(day));
}

// weekOf returns the first day of the week that contains a day. weekStart is a weekday.
export function weekOf(day, weekStart) {
	return formatDay(weekOfNumber(dayNumber(day), weekStart));
}

// monthGrid returns six weeks, each a list of seven days. The first week contains the first day of
// the month of a day.
export function monthGrid(day, weekStart) {
	const first = weekOf(`${day.slice(0, 8)}01`, weekStart);
	return Array.from({ length: 6 }, (_, week) => Array.from({ length: 7 }, (_, i) => addDays(first, week * 7 + i)));
}

// dayIn returns the day of an instant, a Date or milliseconds since 1970, in a time zone.
export function dayIn(zone, instant = Date.now()) {
	return formatDay(Math.floor(wallAt(zone, Number(instant)) / DAY));
}

const dateNamesByLocale = new Map(); // locale → catalog

// dateNames returns the names and the order of the dates of a locale:
//
//   months, weekdays  normalized names → numbers from 1 on; English names are included
//   relative          normalized names such as "tomorrow" → numbers of days from today
//   dayFirst          whether numeric dates begin with the day of the month
//   dayFirstWithDots  the same for dates with full stops
function dateNames(locale) {
	let names = dateNamesByLocale.get(locale);
	if (!names) dateNamesByLocale.set(locale, (names = readDateNames(locale)));
	return names;
}

function readDateNames(locale) {
	const names = { months: new Map(), weekdays: new Map(), relative: new Map() };
	for (const language of [locale, "en"]) {
		const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
		for (const offset of [-2, -1, 0, 1, 2]) addName(names.relative, relative.format(offset, "day"), offset);
		for (const width of ["long", "short"]) {
			for (let i = 0; i < 12; i++) {
				// Languages such as Polish inflect the name of the month after a day.
				addName(names.months, formatDate(language, { month: width }, Date.UTC(2026, i, 15)), i + 1);
				addName(names.months, formatDate(language, { month: width, day: "numeric" }, Date.UTC(2026, i, 15), "month"), i + 1);
			}
			for (let i = 0; i < 7; i++) addName(names.weekdays, formatDate(language, { weekday: width }, Date.UTC(2026, 0, 5 + i)), i + 1);
		}
	}
	const parts = new Intl.DateTimeFormat(locale, { day: "numeric", month: "numeric", calendar: "gregory" }).formatToParts(0);
	const order = parts.map((part) => part.type);
	const dayFirst = order.indexOf("day") < order.indexOf("month");
	const hasDots = parts.some(({ type, value }) => type === "literal" && value.includes("."));
	return { ...names, dayFirst, dayFirstWithDots: dayFirst || !hasDots };
}

// addName adds a normalized name to a map, unless the name begins with a digit or is in the map.
function addName(map, name, value) {
	const key = normalize(name);
	if (key && !/^\d/.test(key) && !map.has(key)) map.set(key, value);
}

// formatDate returns the date of an instant in UTC, or only its part with a type of formatToParts.
function formatDate(locale, options, instant, type) {
	const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC", calendar: "gregory" });
	return type ? format.formatToParts(instant).find((part) => part.type === type)?.value ?? "" : format.format(instant);
}

// normalize returns a text in lower case, without diacritics and without a full stop at the end.
function normalize(text) {
	return fold(text).replace(/\.$/, "").trim();
}

// findName returns the value of the name that equals a word. A word of minLength or more letters may
// also be the beginning of names, if all of them have the same value. Otherwise the result is null.
function findName(map, word, minLength) {
	if (map.has(word)) return map.get(word);
	if (word.length < minLength) return null;
	const values = new Set();
	for (const [name, value] of map) if (name.startsWith(word)) values.add(value);
	return values.size === 1 ? [...values][0] : null;
}

// parseDay returns the day of a text that a member has typed, or null. It accepts texts such as
// "2026-12-03", "3.12.", "3/12/26" in the order of the locale, "3 Dec", "Dec 3, 2026", "fri",
// "today", "3" for a day of the month and "+3" for a number of days from today, with names in the
// language of the locale or in English. A weekday, or a date without a year, is the first such day
// that is not before the day `today`.
export function parseDay(text, { locale = "en", today }) {
	const names = dateNames(locale);
	const numeric = toASCIIDigits(text).replace(/(\d)\s*[年月日년월일]/g, "$1 "); // as in 2026年12月3日
	const plain = normalize(numeric).replace(/[\u200e\u200f\u061c]/g, "").replace(/\s+/g, " ");
	if (!plain) return null;
	if (/^\d{4}-\d\d?-\d\d?$/.test(plain)) return makeDay(...splitDay(plain));
	const offset = /^([+-])\s?(\d{1,4})$/.exec(plain);
	if (offset) return addDays(today, Number(offset[1] + offset[2]));
	const relative = findName(names.relative, plain, 4);
	if (relative !== null) return addDays(today, relative);
	return parseParts(plain, names, today);
}

// toASCIIDigits replaces the decimal digits of other scripts, such as the digits of Arabic and
// Persian locales, with the digits 0 to 9. The ten digits of a script have consecutive code points.
export function toASCIIDigits(text) {
	const isDigit = (code) => /\p{Nd}/u.test(String.fromCodePoint(code));
	return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
		const code = digit.codePointAt(0);
		let zero = code;
		while (code - zero < 9 && isDigit(zero - 1)) zero--;
		return code - zero;
	});
}

// FILLERS are the words in dates that parseParts ignores, such as "of" in "3rd of December".
const FILLERS = new Set(["of", "the", "st", "nd", "rd", "th", "de", "den", "der", "le", "er", "г", "р", "g", "a", "ta’"]);

// parseParts returns the day of a text of numbers, the name of a month and the name of a weekday, in
// any order, or null. It ignores the weekday if there is a number.
function parseParts(plain, names, today) {
	const numbers = plain.match(/\d+/g) ?? [];
	const words = (plain.match(/\p{L}[\p{L}'’\u200c]*/gu) ?? []).filter((word) => !FILLERS.has(word));
	const months = words.map((word) => findName(names.months, word, 3));
	const weekdays = words.map((word) => findName(names.weekdays, word, 2));
	if (words.length > 2) return null;
	if (numbers.length === 0) {
		return words.length === 1 && weekdays[0] !== null ? addDays(today, (weekdays[0] - weekdayOf(today) + 7) % 7) : null;
	}
	const dayFirst = plain.includes(".") ? names.dayFirstWithDots : names.dayFirst;
	if (words.length === 2) {
		// Some words are both a month and a weekday, such as "mar" in French.
		const monthAt = months[1] !== null && weekdays[0] !== null ? 1 : 0;
		return months[monthAt] !== null && weekdays[1 - monthAt] !== null ? dayOfNumbers(numbers, months[monthAt], dayFirst, today) : null;
	}
	if (words.length === 1 && months[0] === null && weekdays[0] === null) return null;
	return dayOfNumbers(numbers, months[0] ?? null, dayFirst, today);
}

// dayOfNumbers returns the day of a list of numbers, as texts of digits, and a month, or null if they are
// no day. month is null if the numbers may contain it.
function dayOfNumbers(numbers, month, dayFirst, today) {
	const yearAt = numbers.findIndex((number) => number.length === 4);
	const year = yearAt >= 0 ? numbers[yearAt] : numbers.length === (month === null ? 3 : 2) ? numbers.at(-1) : null;
	const dayNumbers = numbers.filter((_, i) => (yearAt >= 0 ? i !== yearAt : year === null || i < numbers.length - 1)).map(Number);
	if (dayNumbers.length !== (month === null ? 2 : 1)) {
		return month === null && year === null && dayNumbers.length === 1 ? nextDate(today, null, dayNumbers[0]) : null;
	}
	let [date, secondNumber] = dayNumbers;
	if (month === null) {
		month = secondNumber;
		if (yearAt === 0 || (!dayFirst && date <= 12) || month > 12) [date, month] = [month, date];
	}
	if (year === null) return nextDate(today, month, date);
	return makeDay(year.length === 4 ? Number(year) : 2000 + Number(year), month, date);
}

// nextDate returns the first day from today on with the day of the month `date`, in any month if
// month is null. It searches eight years, because 29 February may be as far away. The result is null
// if there is no such day.
function nextDate(today, month, date) {
	const [year, thisMonth] = splitDay(today);
	for (let i = 0; i <= 96; i++) {
		const index = year * 12 + thisMonth - 1 + i;
		const [y, m] = [Math.floor(index / 12), (index % 12) + 1];
		const day = month === null || m === month ? makeDay(y, m, date) : null;
		if (day && day >= today) return day;
	}
	return null;
}

// parseTime returns the time of day of a text that a member has typed, or null. It accepts texts
// such as "9", "930", "9:30", "9.30", "9h30", "9pm" and "9:30 p.m.", with a day period in the
// language of the locale or in English.
export function parseTime(text, { locale = "en" } = {}) {
	const plain = normalize(toASCIIDigits(text)).replace(/[\s\u202f\u00a0]+/g, " ").replace(/ ?uhr$/, "");
	const match = /^(\d{1,2})(?: ?[:.h ] ?(\d{2})|(\d{2}))?(?: ?[h:])?(?: ?(\D+))?$/.exec(plain.replace(/^(\D+) (?=\d)(.*)$/, "$2 $1"));
	if (!match) return null;
	let hour = Number(match[1]);
	const minute = Number(match[2] ?? match[3] ?? 0);
	if (match[4]) {
		const period = dayPeriodOf(match[4], locale);
		if (period === null || hour < 1 || hour > 12) return null;
		hour = (hour % 12) + period * 12;
	}
	return hour < 24 && minute < 60 ? `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}` : null;
}

// CONNECTORS are the words between a day and a time of day, such as "at" in "tomorrow at 7".
const CONNECTORS = new Set(["at", "um", "@"]);

// parseDayTime returns { day, time } of a text with a day and a time of day, in any order, such as "tomorrow 7pm" or
// "morgen um 19 Uhr", or null. The parameters are those of parseDay. A time without a unit must follow a connector
// or a day without numbers: "3 Dec 19" is a day of the year 2019.
export function parseDayTime(text, { locale = "en", today }) {
	const parts = text.trim().split(/[\s,]+/);
	for (let i = 1; i < parts.length; i++) {
		for (const [dayParts, timeParts] of [[parts.slice(0, i), parts.slice(i)], [parts.slice(i), parts.slice(0, i)]]) {
			const isConnected = timeParts.length > 1 && CONNECTORS.has(timeParts[0].toLowerCase());
			const timeText = timeParts.slice(isConnected ? 1 : 0).join(" ");
			const dayText = dayParts.join(" ");
			const day = parseDay(dayText, { locale, today });
			const time = parseTime(timeText, { locale });
			const isClear = isConnected || /[:\p{L}]/u.test(timeText) || !/\d/.test(toASCIIDigits(dayText));
			if (day && time && isClear) return { day, time };
		}
	}
	return null;
}

// dayPeriodOf returns 0 for a.m., 1 for p.m., and null for other names.
function dayPeriodOf(name, locale) {
	const word = name.replace(/[.\s]/g, "");
	if (/^am?$/.test(word)) return 0;
	if (/^pm?$/.test(word)) return 1;
	for (const period of [0, 1]) {
		const parts = new Intl.DateTimeFormat(locale, { hour: "numeric", hour12: true, timeZone: "UTC" })
			.formatToParts(Date.UTC(2026, 0, 1, 9 + period * 6));
		const local = parts.find((part) => part.type === "dayPeriod")?.value ?? "";
		if (local && normalize(local).replace(/[.\s]/g, "") === word) return period;
	}
	return null;
}

// quarterHours returns 96 times of day in steps of 15 minutes, the first one not before `from`. They
// continue after midnight.
export function quarterHours(from = "00:00") {
	const first = Math.ceil(minutesOf(from) / 15);
	return Array.from({ length: 96 }, (_, i) => timeOf(((first + i) % 96) * 15));
}

// minutesOf returns the minutes since midnight.
export function minutesOf(time) {
	const [hour, minute] = time.split(":").map(Number);
	return hour * 60 + minute;
}

// timeOf returns the time of day of a number of minutes since midnight, which may be 1440 or more.
export function timeOf(minutes) {
	return `${String(Math.floor(minutes / 60) % 24).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
