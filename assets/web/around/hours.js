// Opening hours of a week, without DOM. A week is a list of seven lists of texts such as
// "08:00–18:00", Monday first; null stands for an unknown day.

import { list, plain } from "../read/safe.js";

const OSM_DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const TIME = /^([01]?\d|2[0-4]):([0-5]\d)-([01]?\d|2\d):([0-5]\d)\+?$/;

// parseHours returns the week of a text of OpenStreetMap, such as "Mo-Fr 08:00-18:00; Su off",
// or null if the text has more than days and times.
export function parseHours(text) {
	const trimmed = String(text ?? "").trim();
	if (!trimmed) return null;
	if (trimmed === "24/7") return DAYS.map(() => ["00:00–24:00"]);
	const week = DAYS.map(() => []);
	for (const rule of trimmed.split(";").map((part) => part.trim()).filter(Boolean)) {
		const [, days = "Mo-Su", times] = /^(?:([A-Z][A-Za-z,\s-]*?)\s+)?(off|closed|[\d:,\s+-]+)$/.exec(rule) ?? [];
		const indexes = times && daysOf(days);
		const ranges = times && rangesOf(times);
		if (!indexes || !ranges) return null;
		for (const index of indexes) week[index] = ranges;
	}
	return week;
}

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

function rangesOf(text) {
	if (text === "off" || text === "closed") return [];
	const ranges = text.split(",").map((range) => TIME.exec(range.replaceAll(" ", "")));
	if (ranges.some((range) => !range)) return null;
	return ranges.map(([, openHour, openMinute, closeHour, closeMinute]) => `${openHour.padStart(2, "0")}:${openMinute}–${String(closeHour > 24 ? closeHour - 24 : closeHour).padStart(2, "0")}:${closeMinute}`);
}

// weekOfPage returns the week of the hours that a page describes, or null if it names no day.
export function weekOfPage({ weekly = {}, closed_days: closed = [], always_open: always } = {}) {
	if (always) return DAYS.map(() => ["00:00–24:00"]);
	const known = DAYS.some((day) => list(weekly?.[day]).length > 0 || closed?.includes?.(day));
	if (!known) return null;
	return DAYS.map((day) => {
		const periods = list(weekly?.[day]);
		if (periods.length > 0) return periods.map(({ open, close }) => `${plain(open)}–${plain(close)}`);
		return closed?.length > 0 && !closed.includes(day) ? null : [];
	});
}

// groupDays returns the rows of a table: consecutive days with the same hours, as { days,
// ranges }. days are numbers from 1 for Monday to 7; first is the first day of the week.
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
