// Parses, formats and evaluates those recurrence rules of RFC 5545, section 3.3.10, that a form can
// show, without DOM.
//
// A rule is an object:
//
//   freq       "DAILY", "WEEKLY", "MONTHLY" or "YEARLY"
//   interval   the number of days, weeks, months or years between periods with occurrences, from 1 on
//   weekdays   with WEEKLY: a sorted list of weekdays, or [] for the weekday of the start
//   monthly    with MONTHLY: null for the day of the month of the start; { nth, weekday } for the nth
//              such weekday of a month, from 1 to 5, or from -1, the last one, to -5; or { date } for a
//              day of the month, from 1 to 31, or -1 for the last day
//   until      the last day of the series, or null
//   count      the number of occurrences, or null
//   weekStart  the first weekday of a week, which matters only if the interval is greater than 1
//
// Days and weekdays have the formats of day.js. The start of a series is the day of its first occurrence.

import { addDays, addMonths, dayIn, daysBetween, daysInMonth, isDay, makeDay, splitDay, weekOf, weekdayOf } from "./day.js";

const WEEKDAY_CODES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]; // the weekdays from 1 to 7 in BYDAY and WKST

// FREQUENCIES are the values of freq.
export const FREQUENCIES = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"];

// newRule returns a rule with a frequency and the members of `more`. The defaults of the other
// members are an interval of 1 and no end.
export function newRule(freq, more = {}) {
	return { freq, interval: 1, weekdays: [], monthly: null, until: null, count: null, weekStart: 1, ...more };
}

// parseRule returns the rule of a text, or null if a form cannot show it. The rule does not contain
// the parts that only repeat the month or the day of the month of the start. If UNTIL is an instant,
// the rule has its day in the time zone.
export function parseRule(text, start, zone = "UTC") {
	const parts = {};
	for (const part of text.replace(/^RRULE:/i, "").toUpperCase().split(";")) {
		const [name, value] = part.split("=");
		if (!value || name in parts) return null;
		parts[name] = value;
	}
	const { FREQ, INTERVAL = "1", COUNT, UNTIL, BYDAY, BYMONTHDAY, BYMONTH, WKST = "MO", ...others } = parts;
	if (!FREQUENCIES.includes(FREQ) || Object.keys(others).length > 0 || (COUNT && UNTIL)) return null;
	const rule = newRule(FREQ, {
		interval: parsePositive(INTERVAL), count: COUNT ? parsePositive(COUNT) : null, weekStart: WEEKDAY_CODES.indexOf(WKST) + 1,
	});
	if (UNTIL) rule.until = untilDay(UNTIL, zone);
	const isValid = rule.interval && rule.weekStart && (!COUNT || rule.count) && (!UNTIL || isDay(rule.until));
	return isValid && readByParts(rule, { BYDAY, BYMONTHDAY, BYMONTH }, start) ? rule : null;
}

// untilDay returns the day of a value of UNTIL, or "" if the value is invalid.
function untilDay(text, zone) {
	const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text);
	if (!match) return "";
	const [, year, month, date, hour, minute, second, utc] = match;
	const day = `${year}-${month}-${date}`;
	if (!utc) return day;
	const instant = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
	return Number.isNaN(instant) ? "" : dayIn(zone, instant);
}

// parsePositive returns the number of a text if it is an integer from 1 to 99,999, or else 0.
function parsePositive(text) {
	return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
}

// readByParts sets weekdays and monthly of a rule, and reports whether a form can show the parts.
function readByParts(rule, { BYDAY, BYMONTHDAY, BYMONTH }, start) {
	const [, month, date] = splitDay(start);
	if (rule.freq === "YEARLY") {
		return !BYDAY && (!BYMONTH || Number(BYMONTH) === month) && (!BYMONTHDAY || (BYMONTH && Number(BYMONTHDAY) === date));
	}
	if (BYMONTH || (BYDAY && BYMONTHDAY)) return false;
	if (rule.freq === "WEEKLY" && BYDAY) {
		rule.weekdays = BYDAY.split(",").map((code) => WEEKDAY_CODES.indexOf(code) + 1).sort();
		return rule.weekdays.every(Boolean) && !BYMONTHDAY;
	}
	if (rule.freq !== "MONTHLY") return !BYDAY && !BYMONTHDAY;
	if (BYDAY) {
		const match = /^(-?[1-5])([A-Z]{2})$/.exec(BYDAY);
		if (!match || !WEEKDAY_CODES.includes(match[2])) return false;
		rule.monthly = { nth: Number(match[1]), weekday: WEEKDAY_CODES.indexOf(match[2]) + 1 };
	} else if (BYMONTHDAY) {
		const value = Number(BYMONTHDAY);
		if (!Number.isInteger(value) || value === 0 || value < -1 || value > 31) return false;
		if (value !== date) rule.monthly = { date: value };
	}
	return true;
}

// formatRule returns the text of a rule. UNTIL is a date, to which the server adds the time that the
// start of the series requires.
export function formatRule(rule) {
	const parts = [`FREQ=${rule.freq}`];
	if (rule.interval > 1) parts.push(`INTERVAL=${rule.interval}`);
	if (rule.freq === "WEEKLY" && rule.weekdays.length > 0) {
		parts.push(`BYDAY=${rule.weekdays.map((weekday) => WEEKDAY_CODES[weekday - 1]).join(",")}`);
	}
	if (rule.freq === "MONTHLY" && rule.monthly?.nth) parts.push(`BYDAY=${rule.monthly.nth}${WEEKDAY_CODES[rule.monthly.weekday - 1]}`);
	if (rule.freq === "MONTHLY" && rule.monthly?.date) parts.push(`BYMONTHDAY=${rule.monthly.date}`);
	if (rule.count) parts.push(`COUNT=${rule.count}`);
	else if (rule.until) parts.push(`UNTIL=${rule.until.replaceAll("-", "")}`);
	if (rule.freq === "WEEKLY" && rule.interval > 1 && rule.weekStart !== 1) parts.push(`WKST=${WEEKDAY_CODES[rule.weekStart - 1]}`);
	return parts.join(";");
}

// nthOf returns the position, 1 to 5, of a day among the days of its month with the same weekday.
export function nthOf(day) {
	return Math.ceil(splitDay(day)[2] / 7);
}

// nthLastOf returns the position of a day among the days of its month with the same weekday, counted
// from the end: from -1, the last one, to -5.
function nthLastOf(day) {
	const [year, month, date] = splitDay(day);
	return -1 - Math.floor((daysInMonth(year, month) - date) / 7);
}

// isLastOf reports whether a day is the last day of its month with the same weekday.
export function isLastOf(day) {
	return nthLastOf(day) === -1;
}

// followRule returns the rule of a series of which a date moves from one day to another. It is the
// rule that the server gives the series: weekdays move by the same number of days, and the position of
// a weekday in the month becomes that of the new day. A position that is counted from the end still is,
// unless the beginning of the month is nearer.
export function followRule(rule, from, to) {
	const { nth, weekday } = rule.monthly ?? {};
	if (rule.freq === "WEEKLY") {
		const days = daysBetween(from, to) % 7;
		return { ...rule, weekdays: rule.weekdays.map((n) => ((n + days + 6) % 7) + 1).sort() };
	}
	if (rule.freq !== "MONTHLY" || weekday !== weekdayOf(from) || ![nthOf(from), nthLastOf(from)].includes(nth)) return rule;
	const isFromEnd = nth < 0 && -nthLastOf(to) <= nthOf(to);
	return { ...rule, monthly: { nth: isFromEnd ? nthLastOf(to) : nthOf(to), weekday: weekdayOf(to) } };
}

// PRESETS are the names of common rules, in the order in which a form offers them.
export const PRESETS = ["daily", "weekdays", "weekly", "fortnightly", "monthly", "monthly_nth", "yearly"];

// presetRule returns the rule of a preset for a series with a start, or null for another name.
export function presetRule(name, start, weekStart = 1) {
	switch (name) {
	case "daily": return newRule("DAILY", { weekStart });
	case "weekdays": return newRule("WEEKLY", { weekdays: [1, 2, 3, 4, 5], weekStart });
	case "weekly": return newRule("WEEKLY", { weekdays: [weekdayOf(start)], weekStart });
	case "fortnightly": return newRule("WEEKLY", { interval: 2, weekdays: [weekdayOf(start)], weekStart });
	case "monthly": return newRule("MONTHLY", { weekStart });
	case "monthly_nth":
		return newRule("MONTHLY", { monthly: { nth: isLastOf(start) ? -1 : nthOf(start), weekday: weekdayOf(start) }, weekStart });
	case "yearly": return newRule("YEARLY", { weekStart });
	}
	return null;
}

// presetOf returns the name of the preset whose rule is equal to a rule, or "custom".
export function presetOf(rule, start) {
	const weekdays = rule.freq === "WEEKLY" && rule.weekdays.length === 0 ? [weekdayOf(start)] : rule.weekdays;
	const text = formatRule({ ...rule, weekdays, weekStart: 1 });
	return PRESETS.find((name) => formatRule(presetRule(name, start)) === text) ?? "custom";
}

// MAX_PERIODS is the number of periods that occurrences examines. It bounds the search for rules that
// match no day, such as the 31st every 12 months from February on.
const MAX_PERIODS = 3000;

// occurrences yields the days of a series in ascending order. The first day is the start, because
// calendars show it even if the rule does not match it. Days before the day `from` may be omitted.
export function* occurrences(rule, start, from = start) {
	// Of a daily rule, MAX_PERIODS are only eight years. Each of its periods has one occurrence.
	const skippedPeriods = rule.freq === "DAILY" ? Math.max(0, Math.floor(daysBetween(start, from) / rule.interval)) : 0;
	let count = skippedPeriods;
	let last = "";
	if (rule.count && count >= rule.count) return;
	for (const day of candidateDays(rule, start, skippedPeriods)) {
		if (rule.until && day > rule.until) return;
		if (day === last || day < start) continue;
		yield (last = day);
		if (rule.count && ++count >= rule.count) return;
	}
}

// candidateDays yields the start and the days that a rule without its end matches, in ascending
// order except days of the first period before the start. It may yield a day twice. skipped is the
// number of the first periods whose days it omits.
function* candidateDays(rule, start, skipped) {
	if (skipped === 0) yield start;
	for (let i = skipped; i < skipped + MAX_PERIODS; i++) yield* daysOfPeriod(rule, start, i * rule.interval);
}

// daysOfPeriod returns the days that a rule matches in a period: the day, week, month or year that
// is a number of steps after the period of the start.
function daysOfPeriod(rule, start, steps) {
	const [year, month, date] = splitDay(start);
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

// dayOfMonth returns the day that a value of monthly selects in the month with a first day, or null
// if the month does not have it.
function dayOfMonth({ nth, weekday, date }, first) {
	const [year, month] = splitDay(first);
	const length = daysInMonth(year, month);
	if (date) return makeDay(year, month, date === -1 ? length : date);
	const offset = (weekday - weekdayOf(first) + 7) % 7; // days until the first day with the weekday
	const last = offset + 7 * Math.floor((length - 1 - offset) / 7);
	const dayNumber = nth > 0 ? offset + 7 * (nth - 1) : last + 7 * (nth + 1);
	return dayNumber >= 0 && dayNumber < length ? addDays(first, dayNumber) : null;
}

// nextDates returns the first days of a series that are not before the day `from`, at most `limit`.
export function nextDates(rule, start, limit, from = start) {
	const days = [];
	for (const day of occurrences(rule, start, from)) {
		if (day < from) continue;
		if (days.length === limit) break;
		days.push(day);
	}
	return days;
}

// countOccurrences returns the number of occurrences of a rule. It returns null if the rule has no end, or ends
// with UNTIL after more than 1,000 occurrences or 366,000 days.
export function countOccurrences(rule, start) {
	if (rule.count) return rule.count;
	if (!rule.until || daysBetween(start, rule.until) > 366_000) return null;
	let count = 0;
	for (const _ of occurrences(rule, start)) if (++count > 1000) return null;
	return count;
}

// ruleText returns the text of a rule in the language of words, such as "Every 2 weeks on Monday and
// Friday, until 3 December".
export function ruleText(rule, start, words) {
	let dayText = "";
	if (rule.freq === "WEEKLY") {
		const weekdays = rule.weekdays.length > 0 ? rule.weekdays : [weekdayOf(start)];
		dayText = weekdays.join() === "1,2,3,4,5" ? words.repeatOnWeekdays() : words.repeatOn(weekdays.map((weekday) => words.weekday(weekday)));
	} else if (rule.freq === "MONTHLY") {
		const monthly = rule.monthly ?? { date: splitDay(start)[2] };
		dayText = monthly.nth ? words.repeatOnNth(monthly.nth, words.weekday(monthly.weekday))
			: monthly.date === -1 ? words.repeatOnLastDay() : words.repeatOnDate(monthly.date);
	} else if (rule.freq === "YEARLY") {
		dayText = words.repeatOnDay(words.dayAndMonth(start));
	}
	const end = rule.count ? words.repeatCount(rule.count) : rule.until ? words.repeatUntil(words.date(rule.until)) : "";
	return [[words.repeatEvery(rule.interval, rule.freq), dayText].filter(Boolean).join(" "), end].filter(Boolean).join(", ");
}
