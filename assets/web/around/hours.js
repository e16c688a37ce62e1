// Weekly opening hours, without DOM. A week is a list of seven days, Monday first. A day is a list of
// ranges, texts such as "08:00–18:00"; it is empty if the place is closed, and null if the hours are
// unknown. The range "00:00–24:00" is a whole day. A range whose end is before its start ends on the
// next day.

import { listOf, plainText } from "../read/untrusted.js";

const OSM_DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const PAGE_DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const RANGE = /^([01]?\d|2[0-4]):([0-5]\d)-([01]?\d|2\d):([0-5]\d)\+?$/;

// parseHours returns the week of a value of the tag opening_hours of OpenStreetMap, such as
// "Mo-Fr 08:00-18:00; Su off". It supports only days, times, "off", "closed" and "24/7", and ignores
// holidays ("PH", "SH"). For other texts it returns null.
export function parseHours(text) {
	const source = String(text ?? "").trim();
	if (!source) return null;
	if (source === "24/7") return PAGE_DAYS.map(() => ["00:00–24:00"]);
	const week = PAGE_DAYS.map(() => []);
	for (const rule of source.split(";").map((part) => part.trim()).filter(Boolean)) {
		const [, days = "Mo-Su", times] = /^(?:([A-Z][A-Za-z,\s-]*?)\s+)?(off|closed|[\d:,\s+-]+)$/.exec(rule) ?? [];
		const indexes = times && daysOf(days);
		const ranges = times && rangesOf(times);
		if (!indexes || !ranges) return null;
		for (const index of indexes) week[index] = ranges;
	}
	return week;
}

// daysOf returns the indexes of the days in a text such as "Mo,We-Fr", from 0 for Monday, without holidays,
// or null if the text contains anything else.
function daysOf(text) {
	const indexes = [];
	for (const part of text.split(",").map((day) => day.trim())) {
		if (part === "PH" || part === "SH") continue;
		const [first, last = first, ...rest] = part.split("-").map((day) => OSM_DAYS.indexOf(day.trim()));
		if (first < 0 || last < 0 || rest.length > 0) return null;
		for (let day = first; ; day = (day + 1) % 7) {
			indexes.push(day);
			if (day === last) break;
		}
	}
	return indexes;
}

// rangesOf returns the ranges in a text such as "08:00-12:00, 13:00-18:00", none for "off" and "closed", or
// null if the text contains anything else. It converts hours of the next day, such as 26:00, to the time
// of day.
function rangesOf(text) {
	if (text === "off" || text === "closed") return [];
	const ranges = text.split(",").map((range) => RANGE.exec(range.replaceAll(" ", "")));
	if (ranges.some((range) => !range)) return null;
	return ranges.map(([, openHour, openMinute, closeHour, closeMinute]) => {
		const endHour = String(closeHour > 24 ? closeHour - 24 : closeHour);
		return `${openHour.padStart(2, "0")}:${openMinute}–${endHour.padStart(2, "0")}:${closeMinute}`;
	});
}

// weekOfPage returns the week of the opening hours that were read from a web page: weekly has the periods
// { open, close } by day, closed_days the closed days. It returns null if no day is known. If there are
// closed_days, a day without periods that is not among them is unknown; otherwise it is closed.
export function weekOfPage({ weekly = {}, closed_days: closed = [], always_open: always } = {}) {
	if (always) return PAGE_DAYS.map(() => ["00:00–24:00"]);
	const isKnown = PAGE_DAYS.some((day) => listOf(weekly?.[day]).length > 0 || closed?.includes?.(day));
	if (!isKnown) return null;
	return PAGE_DAYS.map((day) => {
		const periods = listOf(weekly?.[day]);
		if (periods.length > 0) return periods.map(({ open, close }) => `${plainText(open)}–${plainText(close)}`);
		return closed?.length > 0 && !closed.includes(day) ? null : [];
	});
}

// groupDays groups consecutive days with the same ranges, for the rows of a table: { days, ranges }. days
// are weekdays, numbers from 1 for Monday to 7. first is the first weekday of the table.
export function groupDays(week, first = 1) {
	const rows = [];
	for (let i = 0; i < 7; i++) {
		const day = ((first - 1 + i) % 7) + 1;
		const ranges = week[day - 1];
		const last = rows.at(-1);
		if (last && String(last.ranges) === String(ranges) && (last.ranges === null) === (ranges === null)) last.days.push(day);
		else rows.push({ days: [day], ranges });
	}
	return rows;
}
