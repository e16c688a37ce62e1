// Recurrence rules (RFC 5545, section 3.3.10) as far as a form shows them, without DOM.
//
// A rule is an object { freq, interval, weekdays, monthly, until, count, weekStart }:
//   freq       "DAILY", "WEEKLY", "MONTHLY" or "YEARLY"
//   interval   every so many days, weeks, months or years
//   weekdays   of WEEKLY: numbers from 1 (Monday) to 7 (Sunday), sorted; empty for that of the start
//   monthly    of MONTHLY: null for the day of the month of the start, { nth, weekday } for
//              such as the second Tuesday (nth 1 to 5, or -1 for the last), { date } for a
//              day of the month, -1 for the last
//   until      the last day, or null
//   count      the number of occurrences, or null
//   weekStart  the first day of the week, which matters if the interval is not 1
// Days are texts such as "2026-12-03".

import { addDays, addMonths, dayIn, daysBetween, daysInMonth, fields, isDay, makeDay, weekOf, weekdayOf } from "./day.js";

const CODES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

export const FREQUENCIES = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"];

// newRule returns a rule without an end.
export function newRule(freq, more = {}) {
	return { freq, interval: 1, weekdays: [], monthly: null, until: null, count: null, weekStart: 1, ...more };
}

// parseRule returns the rule of a text, or null if a form cannot show it. The start is the
// day of the first occurrence: parts that only repeat it are left out. UNTIL as an instant is
// a day in the zone.
export function parseRule(text, start, zone = "UTC") {
	const parts = {};
	for (const part of text.replace(/^RRULE:/i, "").toUpperCase().split(";")) {
		const [name, value] = part.split("=");
		if (!value || name in parts) return null;
		parts[name] = value;
	}
	const { FREQ, INTERVAL = "1", COUNT, UNTIL, BYDAY, BYMONTHDAY, BYMONTH, WKST = "MO", ...others } = parts;
	if (!FREQUENCIES.includes(FREQ) || Object.keys(others).length > 0 || (COUNT && UNTIL)) return null;
	const rule = newRule(FREQ, { interval: positive(INTERVAL), count: COUNT ? positive(COUNT) : null, weekStart: CODES.indexOf(WKST) + 1 });
	if (UNTIL) rule.until = untilDay(UNTIL, zone);
	const valid = rule.interval && rule.weekStart && (!COUNT || rule.count) && (!UNTIL || isDay(rule.until));
	return valid && readBy(rule, { BYDAY, BYMONTHDAY, BYMONTH }, start) ? rule : null;
}

// untilDay returns the day of a value of UNTIL, or "" for a wrong one.
function untilDay(text, zone) {
	const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text);
	if (!match) return "";
	const [, year, month, date, hour, minute, second, utc] = match;
	const day = `${year}-${month}-${date}`;
	if (!utc) return day;
	const instant = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
	return Number.isNaN(instant) ? "" : dayIn(zone, instant);
}

function positive(text) {
	return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
}

// readBy reads the parts that start with BY, and reports whether a form can show them.
function readBy(rule, { BYDAY, BYMONTHDAY, BYMONTH }, start) {
	const [, month, date] = fields(start);
	if (rule.freq === "YEARLY") return !BYDAY && (!BYMONTH || Number(BYMONTH) === month) && (!BYMONTHDAY || (BYMONTH && Number(BYMONTHDAY) === date));
	if (BYMONTH || (BYDAY && BYMONTHDAY)) return false;
	if (rule.freq === "WEEKLY" && BYDAY) {
		rule.weekdays = BYDAY.split(",").map((code) => CODES.indexOf(code) + 1).sort();
		return rule.weekdays.every(Boolean) && !BYMONTHDAY;
	}
	if (rule.freq !== "MONTHLY") return !BYDAY && !BYMONTHDAY;
	if (BYDAY) {
		const match = /^([1-5]|-1)([A-Z]{2})$/.exec(BYDAY);
		if (!match || !CODES.includes(match[2])) return false;
		rule.monthly = { nth: Number(match[1]), weekday: CODES.indexOf(match[2]) + 1 };
	} else if (BYMONTHDAY) {
		const value = Number(BYMONTHDAY);
		if (!Number.isInteger(value) || value === 0 || value < -1 || value > 31) return false;
		if (value !== date) rule.monthly = { date: value };
	}
	return true;
}

// formatRule returns the text of a rule. UNTIL is a date: the server adds the time that the
// start of the series requires.
export function formatRule(rule) {
	const parts = [`FREQ=${rule.freq}`];
	if (rule.interval > 1) parts.push(`INTERVAL=${rule.interval}`);
	if (rule.freq === "WEEKLY" && rule.weekdays.length > 0) parts.push(`BYDAY=${rule.weekdays.map((weekday) => CODES[weekday - 1]).join(",")}`);
	if (rule.freq === "MONTHLY" && rule.monthly?.nth) parts.push(`BYDAY=${rule.monthly.nth}${CODES[rule.monthly.weekday - 1]}`);
	if (rule.freq === "MONTHLY" && rule.monthly?.date) parts.push(`BYMONTHDAY=${rule.monthly.date}`);
	if (rule.count) parts.push(`COUNT=${rule.count}`);
	else if (rule.until) parts.push(`UNTIL=${rule.until.replaceAll("-", "")}`);
	if (rule.freq === "WEEKLY" && rule.interval > 1 && rule.weekStart !== 1) parts.push(`WKST=${CODES[rule.weekStart - 1]}`);
	return parts.join(";");
}

// nthOf returns the position of a day among the same weekdays of its month: 1 to 5.
export function nthOf(day) {
	return Math.ceil(fields(day)[2] / 7);
}

// isLastOf reports whether a day is the last such weekday of its month.
export function isLastOf(day) {
	const [year, month, date] = fields(day);
	return date + 7 > daysInMonth(year, month);
}

// PRESETS are the names of the frequent rules, in the order of a form.
export const PRESETS = ["daily", "weekdays", "weekly", "fortnightly", "monthly", "monthly_nth", "yearly"];

// presetRule returns the rule of a preset for a series that starts on a day.
export function presetRule(name, start, weekStart = 1) {
	switch (name) {
	case "daily": return newRule("DAILY", { weekStart });
	case "weekdays": return newRule("WEEKLY", { weekdays: [1, 2, 3, 4, 5], weekStart });
	case "weekly": return newRule("WEEKLY", { weekdays: [weekdayOf(start)], weekStart });
	case "fortnightly": return newRule("WEEKLY", { interval: 2, weekdays: [weekdayOf(start)], weekStart });
	case "monthly": return newRule("MONTHLY", { weekStart });
	case "monthly_nth": return newRule("MONTHLY", { monthly: { nth: isLastOf(start) ? -1 : nthOf(start), weekday: weekdayOf(start) }, weekStart });
	case "yearly": return newRule("YEARLY", { weekStart });
	}
	return null;
}

// presetOf returns the name of the preset that equals a rule, or "custom".
export function presetOf(rule, start) {
	const weekdays = rule.freq === "WEEKLY" && rule.weekdays.length === 0 ? [weekdayOf(start)] : rule.weekdays;
	const text = formatRule({ ...rule, weekdays, weekStart: 1 });
	return PRESETS.find((name) => formatRule(presetRule(name, start)) === text) ?? "custom";
}

// LIMIT bounds the periods of a rule that are looked at, for rules that match no day, such as
// the 31st every 12 months from February on.
const LIMIT = 3000;

// occurrences yields the days of a series that starts on a day, in order. The start is the
// first one, as calendars show it even if the rule does not match it.
export function* occurrences(rule, start) {
	let count = 0;
	let last = "";
	for (const day of candidates(rule, start)) {
		if (rule.until && day > rule.until) return;
		if (day === last || day < start) continue;
		yield (last = day);
		if (rule.count && ++count >= rule.count) return;
	}
}

function* candidates(rule, start) {
	yield start;
	for (let i = 0; i < LIMIT; i++) yield* period(rule, start, i * rule.interval);
}

// period returns the days of a rule in the day, week, month or year that is `steps` later than
// that of the start.
function period(rule, start, steps) {
	const [year, month, date] = fields(start);
	switch (rule.freq) {
	case "DAILY": return [addDays(start, steps)];
	case "WEEKLY": {
		const first = addDays(weekOf(start, rule.weekStart), steps * 7);
		const weekdays = rule.weekdays.length > 0 ? rule.weekdays : [weekdayOf(start)];
		return weekdays.map((weekday) => addDays(first, (weekday - rule.weekStart + 7) % 7)).sort();
	}
	case "YEARLY": return [makeDay(year + steps, month, date)].filter(Boolean);
	}
	const first = addMonths(makeDay(year, month, 1), steps);
	return [dayOfMonth(rule.monthly ?? { date }, first)].filter(Boolean);
}

// dayOfMonth returns the day that a monthly rule selects in the month of a first day, or null.
function dayOfMonth({ nth, weekday, date }, first) {
	const [year, month] = fields(first);
	const length = daysInMonth(year, month);
	if (date) return makeDay(year, month, date === -1 ? length : date);
	const offset = (weekday - weekdayOf(first) + 7) % 7; // of the first such weekday
	const found = nth > 0 ? offset + 7 * (nth - 1) : offset + 7 * Math.floor((length - 1 - offset) / 7);
	return found < length ? addDays(first, found) : null;
}

// nextDates returns the first days of a series from a day on, at most `limit`.
export function nextDates(rule, start, limit, from = start) {
	const days = [];
	for (const day of occurrences(rule, start)) {
		if (day < from) continue;
		if (days.length === limit) break;
		days.push(day);
	}
	return days;
}

// total returns the number of occurrences of a rule with an end, or null for one without and
// for more than 1,000.
export function total(rule, start) {
	if (rule.count) return rule.count;
	if (!rule.until || daysBetween(start, rule.until) > 366_000) return null;
	let count = 0;
	for (const _ of occurrences(rule, start)) if (++count > 1000) return null;
	return count;
}

// describe returns a rule in words: such as "Every 2 weeks on Monday and Friday, until 3
// December". Words is the catalogue of the member's language.
export function describe(rule, start, words) {
	let when = "";
	if (rule.freq === "WEEKLY") {
		const weekdays = rule.weekdays.length > 0 ? rule.weekdays : [weekdayOf(start)];
		when = weekdays.join() === "1,2,3,4,5" ? words.repeatOnWeekdays() : words.repeatOn(weekdays.map((weekday) => words.weekday(weekday)));
	} else if (rule.freq === "MONTHLY") {
		const monthly = rule.monthly ?? { date: fields(start)[2] };
		when = monthly.nth ? words.repeatOnNth(monthly.nth, words.weekday(monthly.weekday))
			: monthly.date === -1 ? words.repeatOnLastDay() : words.repeatOnDate(monthly.date);
	} else if (rule.freq === "YEARLY") {
		when = words.repeatOnDay(words.dayAndMonth(start));
	}
	const end = rule.count ? words.repeatCount(rule.count) : rule.until ? words.repeatUntil(words.date(rule.until)) : "";
	return [[words.repeatEvery(rule.interval, rule.freq), when].filter(Boolean).join(" "), end].filter(Boolean).join(", ");
}
