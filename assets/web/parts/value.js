// Values of controls, without DOM.
//
// A control is one of World's: { id, type, label, required, default, multiple, max_length,
// options, options_url, accept, max_bytes }. The value of a field is the text, the boolean,
// the number or the object that World expects for the type; null or "" if the field is empty;
// a list if the control has `multiple`. A file is a File of the browser.

import { instantOf, wallAt } from "../grid/zone.js";
import { addDays, isDay } from "./day.js";

const NUMBERS = new Set(["number", "duration"]);

// isList reports whether the value of a control is a list.
export function isList(control) {
	return Boolean(control.multiple) || control.type === "members";
}

// initialValue returns the value of a field before the member changes it.
export function initialValue(control) {
	const value = control.default ?? null;
	if (control.type === "file") return null;
	if (isList(control)) return Array.isArray(value) ? value : value === null || value === "" ? [] : [value];
	if (control.type === "checkbox") return value === true || value === "true" || value === "on";
	if (control.type === "hidden") return value;
	if (NUMBERS.has(control.type)) return value === null || value === "" ? null : Number(value);
	if (control.type === "alarm") return value || null;
	return value === null ? "" : String(value);
}

export function isEmpty(value) {
	return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

export function isEqual(a, b) {
	return a === b || JSON.stringify(a) === JSON.stringify(b);
}

// parseNumber returns the number of a text that may have a decimal comma, null for an empty
// text, and NaN for another one.
export function parseNumber(text) {
	const plain = text.trim().replace(/\s/g, "").replace(",", ".").replace("\u2212", "-");
	if (plain === "") return null;
	return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : NaN;
}

// bodyOf returns the part of a request that has the values of the controls, by their ids.
// values maps ids to values of fields. An empty field is left out if it was empty before;
// otherwise "" or null or an empty list removes the former value. Files are left out: they
// are the body themselves.
export function bodyOf(controls, values) {
	const body = {};
	for (const control of controls) {
		if (control.type === "file") continue;
		const before = initialValue(control);
		const value = control.id in values ? values[control.id] : before;
		if (!isEmpty(value)) body[control.id] = value;
		else if (!isEmpty(before)) body[control.id] = isList(control) ? [] : typeof before === "string" ? "" : null;
	}
	return body;
}

// WHOLE_DAYS are the ids of the fields of a form with the checkbox `all_day` whose values have
// no time while it is checked. The `end` of whole days is the day after the last one; forms
// show the last one.
const WHOLE_DAYS = ["start", "end", "due"];

// hasWholeDays reports whether the times of a form depend on the checkbox `all_day`.
export function hasWholeDays(controls) {
	return controls.some(({ id, type }) => id === "all_day" && type === "checkbox") && controls.some(({ id, type }) => WHOLE_DAYS.includes(id) && type === "datetime");
}

// startsOnADay reports whether a form without the checkbox `all_day` is that of a record of whole
// days: its start has no time.
function startsOnADay(controls) {
	return !hasWholeDays(controls) && controls.some(({ id, type, default: value }) => id === "start" && type === "datetime" && isDay(value));
}

// isExclusive reports whether the value of a control of whole days is the day after the one
// that a form shows.
export function isExclusive(control, controls) {
	return control.id === "end" && (control.type === "date" || hasWholeDays(controls) || startsOnADay(controls)) && controls.some(({ id }) => id === "start");
}

// shownTime returns the value that a form shows for one of World.
export function shownTime(control, controls, value) {
	return isDay(value) && isExclusive(control, controls) ? addDays(value, -1) : value;
}

// sentTime returns the value of World for one that a form shows. wholeDays says whether
// the checkbox `all_day` is checked.
export function sentTime(control, controls, value, wholeDays) {
	if (!value) return value;
	const day = value.slice(0, 10);
	const hasNoTime = control.type === "date" || (wholeDays && hasWholeDays(controls) && WHOLE_DAYS.includes(control.id)) || (isDay(value) && startsOnADay(controls));
	if (!hasNoTime) return value;
	return isExclusive(control, controls) ? addDays(day, 1) : day;
}

// splitTime returns the day and the time of day, or "", of a text of the type datetime. An
// instant, which ends with Z, is shown in a time zone.
export function splitTime(text, zone) {
	const match = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d)?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text ?? "");
	if (!match) return { day: "", time: "" };
	const [, day, time = ""] = match[3] ? /^(.{10})T(.{5})/.exec(new Date(wallAt(zone || "UTC", Date.parse(text))).toISOString()) : match;
	return { day, time };
}

// isInstant reports whether a text of the type datetime has an offset from UTC.
export function isInstant(text) {
	return /T.*(Z|[+-]\d\d:?\d\d)$/.test(text ?? "");
}

// instantText returns the instant of a day and a time of day in a time zone.
export function instantText(day, time, zone) {
	return new Date(instantOf(zone || "UTC", Date.parse(`${joinTime(day, time)}Z`))).toISOString();
}

// joinTime returns the text of the type datetime of a day and a time of day.
export function joinTime(day, time) {
	if (!day) return "";
	return time ? `${day}T${time}:00` : day;
}

// minutesBetween returns the minutes between two texts of the type datetime in one zone,
// without regard to changes of clocks, or null if one is empty or an instant.
export function minutesBetween(start, end) {
	const [from, to] = [start, end].map((text) => (text && !text.endsWith("Z") ? Date.parse(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`) : NaN));
	return Number.isNaN(from) || Number.isNaN(to) ? null : Math.round((to - from) / 60_000);
}

// addMinutes returns a text of the type datetime some minutes later. A whole day stays one.
export function addMinutes(text, minutes) {
	if (text.length === 10) return addDays(text, Math.round(minutes / 1440));
	return new Date(Date.parse(`${text}Z`) + minutes * 60_000).toISOString().slice(0, 19);
}

// validate returns why the value of a field is wrong, or "". Fields check themselves what
// they cannot read, such as a day.
export function validate(control, value, words) {
	if (control.type === "checkbox") return control.required && !value ? words.confirmField() : "";
	if (isEmpty(value)) {
		return control.required && control.type !== "hidden" ? words.requiredField(control.label) : "";
	}
	if (NUMBERS.has(control.type) && !isList(control) && !Number.isFinite(value)) return words.notANumber();
	if (control.max_length) {
		for (const text of Array.isArray(value) ? value : [value]) {
			const length = typeof text === "string" ? [...text].length : 0;
			if (length > control.max_length) return words.tooLong(control.max_length, length - control.max_length);
		}
	}
	if (control.type === "color" && !control.options?.length && !/^#[0-9a-f]{6}$/i.test(value)) return words.notAColor();
	if (control.type === "file") return validateFile(control, value, words);
	return "";
}

function validateFile(control, file, words) {
	if (control.max_bytes && file.size > control.max_bytes) return words.fileTooLarge(words.bytes(control.max_bytes));
	if (control.accept?.length && file.type && !control.accept.some((type) => matchesType(file.type, type))) return words.fileType(control.accept.map(typeName));
	return "";
}

function matchesType(type, pattern) {
	return pattern.endsWith("/*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

// typeName returns the short name of a media type: JPEG of image/jpeg.
export function typeName(type) {
	return type.split("/").at(-1).split(/[+;]/)[0].toUpperCase();
}

// validateOrder returns why the end of a form is wrong with regard to its start, by the id of
// the field, or {}. The values are those that the form shows.
export function validateOrder(values, words) {
	const minutes = minutesBetween(values.start, values.end);
	return minutes !== null && minutes < 0 ? { end: words.endsBeforeStart() } : {};
}

// errorsByField divides the `fields` of an error by the ids of the controls. It returns
// { byId, others }: the first message for each control, and the messages of other fields.
export function errorsByField(fields, controls) {
	const byId = {};
	const others = [];
	const ids = new Set(controls.filter(({ type }) => type !== "hidden").map(({ id }) => id));
	for (const { name, pointer, message } of fields ?? []) {
		const id = [name, ...(pointer ?? "").split("/"), (name ?? "").split(/[.[]/)[0]].find((part) => ids.has(part));
		if (!id) others.push(message);
		else byId[id] ??= message;
	}
	return { byId, others };
}

// Alarms: { trigger, related, action }. A trigger is a duration such as -PT15M, before or
// after the start or the end, or an instant.

// alarmMinutes returns the minutes before the start or the end, negative after it, of a
// trigger that is a duration, or null for another trigger.
export function alarmMinutes(trigger) {
	const match = /^([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(trigger ?? "");
	if (!match || Number(match[6] ?? 0) % 60) return null;
	const [weeks, days, hours, minutes, seconds] = match.slice(2).map((text) => Number(text ?? 0));
	const total = ((weeks * 7 + days) * 24 + hours) * 60 + minutes + seconds / 60;
	return match[1] === "-" ? total : -total || 0;
}

// alarmTrigger returns the duration of a trigger some minutes before.
export function alarmTrigger(minutes) {
	const size = Math.abs(minutes);
	const [days, hours, rest] = [Math.floor(size / 1440), Math.floor(size / 60) % 24, size % 60];
	const time = (hours ? `${hours}H` : "") + (rest ? `${rest}M` : "");
	return `${minutes > 0 ? "-" : ""}P${days ? `${days}D` : ""}${time || !days ? `T${time || "0M"}` : ""}`;
}

// ALARM_MINUTES are the reminders that a form offers.
export const ALARM_MINUTES = [0, 5, 10, 15, 30, 60, 120, 1440, 2880, 10080];

// DURATION_MINUTES are the durations that a form offers.
export const DURATION_MINUTES = [15, 30, 45, 60, 90, 120, 180, 240];

// parseDuration returns the minutes of a text, null for an empty one, or NaN: "90", "1:30",
// "1.5 h", "1h30", "45 min", "2 days".
export function parseDuration(text) {
	const plain = text.trim().toLowerCase().replace(",", ".");
	if (plain === "") return null;
	const clock = /^(\d+):([0-5]\d)$/.exec(plain);
	if (clock) return Number(clock[1]) * 60 + Number(clock[2]);
	const factor = { m: 1, h: 60, s: 60, d: 1440, t: 1440 }; // minutes, hours, Stunden, days, Tage
	let total = 0;
	let unit = "m";
	const rest = plain.replace(/(\d+(?:\.\d+)?)\s*([a-zäöü]*)\.?\s*/g, (_, number, name) => {
		unit = name ? name[0] : unit === "h" ? "m" : unit;
		total += unit in factor ? Number(number) * factor[unit] : NaN;
		return "";
	});
	return rest ? NaN : Math.round(total);
}
