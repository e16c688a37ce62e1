// Days and times of day as members type them, without DOM.
//
// A day is a text such as "2026-12-03", a time of day a text such as "09:30". A weekday is a
// number from 1 (Monday) to 7 (Sunday). grid/zone.js computes with days, as numbers.

import { DAY, addMonths as monthsLater, formatDay, parseDay as numberOf, wallAt, weekOf as firstOfWeek, weekdayOf as weekdayOfNumber } from "../grid/zone.js";
import { fold } from "./fold.js";

// isDay reports whether a text is a day of the calendar.
export function isDay(text) {
	return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && formatDay(numberOf(text)) === text;
}

// toDate returns the start of a day in UTC, for formatters with the zone UTC.
export function toDate(day) {
	return new Date(`${day}T00:00:00Z`);
}

// makeDay returns the day of a year, a month (1 to 12) and a day of the month, or null if the
// calendar does not have it.
export function makeDay(year, month, date) {
	const text = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
	return isDay(text) ? text : null;
}

// fields returns the year, the month (1 to 12) and the day of the month.
export function fields(day) {
	return day.split("-").map(Number);
}

export function addDays(day, count) {
	return formatDay(numberOf(day) + count);
}

// daysBetween returns the number of days from one day to another.
export function daysBetween(from, to) {
	return numberOf(to) - numberOf(from);
}

// addMonths returns the same day some months later, or the last day of a shorter month.
export function addMonths(day, count) {
	return formatDay(monthsLater(numberOf(day), count));
}

export function daysInMonth(year, month) {
	return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export function weekdayOf(day) {
	return weekdayOfNumber(numberOf(day));
}

// weekOf returns the first day of the week of a day.
export function weekOf(day, weekStart) {
	return formatDay(firstOfWeek(numberOf(day), weekStart));
}

// monthGrid returns six weeks, each a list of seven days, that contain the month of a day.
export function monthGrid(day, weekStart) {
	const first = weekOf(`${day.slice(0, 8)}01`, weekStart);
	return Array.from({ length: 6 }, (_, week) => Array.from({ length: 7 }, (_, i) => addDays(first, week * 7 + i)));
}

// dayIn returns the day of an instant in a time zone.
export function dayIn(zone, instant = Date.now()) {
	return formatDay(Math.floor(wallAt(zone, Number(instant)) / DAY));
}

const catalogs = new Map(); // locale → catalog

// catalog returns the names of a locale, and the English ones, in the form of normalize.
function catalog(locale) {
	let known = catalogs.get(locale);
	if (!known) catalogs.set(locale, (known = makeCatalog(locale)));
	return known;
}

function makeCatalog(locale) {
	const names = { months: new Map(), weekdays: new Map(), relative: new Map() };
	const digits = new Intl.NumberFormat(locale, { useGrouping: false, numberingSystem: numberingOf(locale) }).format(9876543210);
	for (const language of [locale, "en"]) {
		const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
		for (const offset of [-2, -1, 0, 1, 2]) add(names.relative, relative.format(offset, "day"), offset);
		for (const width of ["long", "short"]) {
			for (let i = 0; i < 12; i++) {
				// With a day, languages such as Polish inflect the name of the month.
				add(names.months, named(language, { month: width }, Date.UTC(2026, i, 15)), i + 1);
				add(names.months, named(language, { month: width, day: "numeric" }, Date.UTC(2026, i, 15), "month"), i + 1);
			}
			for (let i = 0; i < 7; i++) add(names.weekdays, named(language, { weekday: width }, Date.UTC(2026, 0, 5 + i)), i + 1);
		}
	}
	const parts = new Intl.DateTimeFormat(locale, { day: "numeric", month: "numeric", calendar: "gregory" }).formatToParts(0);
	const order = parts.map((part) => part.type);
	const dayFirst = order.indexOf("day") < order.indexOf("month");
	const dotted = parts.some(({ type, value }) => type === "literal" && value.includes("."));
	return { ...names, digits: [...digits].reverse(), dayFirst, dayFirstWithDots: dayFirst || !dotted };
}

function numberingOf(locale) {
	return new Intl.DateTimeFormat(locale).resolvedOptions().numberingSystem;
}

function add(map, name, value) {
	const key = normalize(name);
	if (key && !/^\d/.test(key) && !map.has(key)) map.set(key, value);
}

function named(locale, options, instant, type) {
	const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC", calendar: "gregory" });
	return type ? format.formatToParts(instant).find((part) => part.type === type)?.value ?? "" : format.format(instant);
}

// normalize removes case, accents and full stops at the end.
function normalize(text) {
	return fold(text).replace(/\.$/, "").trim();
}

// find returns the value of the name that equals a word or, from `fewest` letters on, is
// the only one that starts with it.
function find(map, word, fewest) {
	if (map.has(word)) return map.get(word);
	if (word.length < fewest) return null;
	const found = new Set();
	for (const [name, value] of map) if (name.startsWith(word)) found.add(value);
	return found.size === 1 ? [...found][0] : null;
}

// parseDay returns the day that a text names, or null. It understands days such as
// 2026-12-03, "3.12.", "3/12/26" in the order of the locale, "3 Dec", "Dec 3, 2026", "fri",
// "today", "3" and "+3", with names in the language of the locale or in English. A text
// without a year is the first such day from today on, a weekday too.
export function parseDay(text, { locale = "en", today }) {
	const names = catalog(locale);
	const numeric = toASCIIDigits(text, names.digits).replace(/(\d)\s*[年月日년월일]/g, "$1 "); // as in 2026年12月3日
	const plain = normalize(numeric).replace(/[\u200e\u200f\u061c]/g, "").replace(/\s+/g, " ");
	if (!plain) return null;
	if (/^\d{4}-\d\d?-\d\d?$/.test(plain)) return makeDay(...fields(plain));
	const offset = /^([+-])\s?(\d{1,4})$/.exec(plain);
	if (offset) return addDays(today, Number(offset[1] + offset[2]));
	const relative = find(names.relative, plain, 4);
	if (relative !== null) return addDays(today, relative);
	return parseParts(plain, names, today);
}

function toASCIIDigits(text, digits) {
	return [...text].map((character) => (digits.includes(character) ? digits.indexOf(character) : character)).join("");
}

// FILLERS are words beside a day that mean nothing here.
const FILLERS = new Set(["of", "the", "st", "nd", "rd", "th", "de", "den", "der", "le", "er", "г", "р", "g", "a", "ta’"]);

// parseParts reads a day of numbers, a month and a weekday in any order.
function parseParts(plain, names, today) {
	const numbers = plain.match(/\d+/g) ?? [];
	const words = (plain.match(/\p{L}[\p{L}'’\u200c]*/gu) ?? []).filter((word) => !FILLERS.has(word));
	const months = words.map((word) => find(names.months, word, 3));
	const weekdays = words.map((word) => find(names.weekdays, word, 2));
	if (words.length > 2) return null;
	if (numbers.length === 0) return words.length === 1 && weekdays[0] !== null ? addDays(today, (weekdays[0] - weekdayOf(today) + 7) % 7) : null;
	const dayFirst = plain.includes(".") ? names.dayFirstWithDots : names.dayFirst;
	if (words.length === 2) {
		// A word such as "mar" in French can be both.
		const at = months[1] !== null && weekdays[0] !== null ? 1 : 0;
		return months[at] !== null && weekdays[1 - at] !== null ? combine(numbers, months[at], dayFirst, today) : null;
	}
	if (words.length === 1 && months[0] === null && weekdays[0] === null) return null;
	return combine(numbers, months[0] ?? null, dayFirst, today);
}

// combine returns the day of up to three numbers, which are texts, and a month or null.
function combine(numbers, month, dayFirst, today) {
	const yearAt = numbers.findIndex((number) => number.length === 4);
	const year = yearAt >= 0 ? numbers[yearAt] : numbers.length === (month === null ? 3 : 2) ? numbers.at(-1) : null;
	const rest = numbers.filter((_, i) => (yearAt >= 0 ? i !== yearAt : year === null || i < numbers.length - 1)).map(Number);
	if (rest.length !== (month === null ? 2 : 1)) {
		return month === null && year === null && rest.length === 1 ? nextDate(today, null, rest[0]) : null;
	}
	let [date, second] = rest;
	if (month === null) {
		month = second;
		if (yearAt === 0 || (!dayFirst && date <= 12) || month > 12) [date, month] = [month, date];
	}
	if (year === null) return nextDate(today, month, date);
	return makeDay(year.length === 4 ? Number(year) : 2000 + Number(year), month, date);
}

// nextDate returns the first day from today on with a day of the month, in a month if that
// is not null. It looks eight years ahead, for 29 February.
function nextDate(today, month, date) {
	const [year, thisMonth] = fields(today);
	for (let i = 0; i <= 96; i++) {
		const index = year * 12 + thisMonth - 1 + i;
		const [y, m] = [Math.floor(index / 12), (index % 12) + 1];
		const day = month === null || m === month ? makeDay(y, m, date) : null;
		if (day && day >= today) return day;
	}
	return null;
}

// parseTime returns the time of day that a text names, or null: "9", "930", "9:30", "9.30",
// "9h30", "9pm", "9:30 p.m.". Names of the halves of the day are English or of the locale.
export function parseTime(text, { locale = "en" } = {}) {
	const { digits } = catalog(locale);
	const plain = normalize(toASCIIDigits(text, digits)).replace(/[\s\u202f\u00a0]+/g, " ").replace(/ ?uhr$/, "");
	const match = /^(\d{1,2})(?: ?[:.h ] ?(\d{2})|(\d{2}))?(?: ?[h:])?(?: ?(\D+))?$/.exec(plain.replace(/^(\D+) (?=\d)(.*)$/, "$2 $1"));
	if (!match) return null;
	let hour = Number(match[1]);
	const minute = Number(match[2] ?? match[3] ?? 0);
	if (match[4]) {
		const half = halfOfDay(match[4], locale);
		if (half === null || hour < 1 || hour > 12) return null;
		hour = (hour % 12) + half * 12;
	}
	return hour < 24 && minute < 60 ? `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}` : null;
}

// halfOfDay returns 0 for a name of the morning, 1 for one of the afternoon, or null.
function halfOfDay(name, locale) {
	const word = name.replace(/[.\s]/g, "");
	if (/^am?$/.test(word)) return 0;
	if (/^pm?$/.test(word)) return 1;
	for (const half of [0, 1]) {
		const parts = new Intl.DateTimeFormat(locale, { hour: "numeric", hour12: true, timeZone: "UTC" }).formatToParts(Date.UTC(2026, 0, 1, 9 + half * 6));
		const local = parts.find((part) => part.type === "dayPeriod")?.value ?? "";
		if (local && normalize(local).replace(/[.\s]/g, "") === word) return half;
	}
	return null;
}

// quarterHours returns the times of a day in steps of a quarter of an hour, from a time on
// and through midnight if it is given.
export function quarterHours(from = "00:00") {
	const first = Math.ceil(minutesOf(from) / 15);
	return Array.from({ length: 96 }, (_, i) => timeOf(((first + i) % 96) * 15));
}

// minutesOf returns the minutes since midnight.
export function minutesOf(time) {
	const [hour, minute] = time.split(":").map(Number);
	return hour * 60 + minute;
}

// timeOf returns the time of day of a number of minutes since midnight.
export function timeOf(minutes) {
	return `${String(Math.floor(minutes / 60) % 24).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
