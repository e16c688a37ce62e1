// Converts and validates the values of controls, without DOM.
//
// A control describes a field of a form. It is an object of World with the members id, type, label,
// required, default, multiple, max_length, options, options_url, accept and max_bytes. The value of
// a field is the text, boolean, number or object that World expects for the type, or a File for the
// type file. It is null or "" if the field is empty, and a list if isList returns true.
//
// A datetime value is a local time such as "2026-12-03T09:30:00", an instant such as
// "2026-12-03T08:30:00Z", or a day, if the entry is all-day.

import { instantOf, wallAt } from "../grid/zone.js";
import { addDays, isDay, toASCIIDigits } from "./day.js";
import { isColor } from "./person.js";

const NUMBER_TYPES = new Set(["number", "duration"]); // types with numbers as values

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
	if (NUMBER_TYPES.has(control.type)) return value === null || value === "" ? null : Number(value);
	if (control.type === "alarm") return value || null;
	return value === null ? "" : String(value);
}

// isEmpty reports whether a value is the value of an empty field.
export function isEmpty(value) {
	return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

// isEqual reports whether two values are equal as JSON.
export function isEqual(a, b) {
	return a === b || JSON.stringify(a) === JSON.stringify(b);
}

// parseNumber returns the number of a text with a decimal point or comma (also the Arabic one), null if the
// text is empty, or NaN.
export function parseNumber(text) {
	const plain = toASCIIDigits(text).replace(/\s/g, "").replace(/[,\u066b]/, ".").replace("\u2212", "-");
	if (plain === "") return null;
	return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : NaN;
}

// bodyOf returns the values of controls for the JSON body of a request, by the ids of the controls.
// values maps ids to values of fields; a control without a value there has its initial value.
// Fields that are still empty are omitted. A field that has become empty has the value "", null or
// [], which removes the old value. Files are omitted, because they are not sent as JSON.
export function bodyOf(controls, values) {
	const body = {};
	for (const control of controls) {
		if (control.type === "file") continue;
		const initial = initialValue(control);
		const value = control.id in values ? values[control.id] : initial;
		if (!isEmpty(value)) body[control.id] = value;
		else if (!isEmpty(initial)) body[control.id] = isList(control) ? [] : typeof initial === "string" ? "" : null;
	}
	return body;
}

// TIME_IDS are the ids of the datetime controls whose values are days while the control all_day of
// the form is checked. The value of an end that is a day is the day after the last day of the
// entry, but forms display the last day.
const TIME_IDS = ["start", "end", "due"];

// hasWholeDays reports whether a form has the checkbox all_day and a control that depends on it.
export function hasWholeDays(controls) {
	return controls.some(({ id, type }) => id === "all_day" && type === "checkbox")
		&& controls.some(({ id, type }) => TIME_IDS.includes(id) && type === "datetime");
}

// isAllDay reports whether a form without the checkbox all_day describes an all-day entry: the
// default value of start is a day.
function isAllDay(controls) {
	return !hasWholeDays(controls) && controls.some(({ id, type, default: value }) => id === "start" && type === "datetime" && isDay(value));
}

// isExclusive reports whether a control is an end for which a form displays the day before the
// value, if the value is a day.
export function isExclusive(control, controls) {
	return control.id === "end" && (control.type === "date" || hasWholeDays(controls) || isAllDay(controls))
		&& controls.some(({ id }) => id === "start");
}

// shownTime returns the value that a form displays for a value of World.
export function shownTime(control, controls, value) {
	return isDay(value) && isExclusive(control, controls) ? addDays(value, -1) : value;
}

// sentTime returns the value of World for a value that a form displays. wholeDays is whether the
// checkbox all_day is checked.
export function sentTime(control, controls, value, wholeDays) {
	if (!value) return value;
	const day = value.slice(0, 10);
	const hasNoTime = control.type === "date" || (wholeDays && hasWholeDays(controls) && TIME_IDS.includes(control.id))
		|| (isDay(value) && isAllDay(controls));
	if (!hasNoTime) return value;
	return isExclusive(control, controls) ? addDays(day, 1) : day;
}

// splitTime returns { day, time } of a datetime value. time is "" if the value is a day, and both
// are "" if it is invalid. An instant is converted to the time zone.
export function splitTime(text, zone) {
	const match = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d)?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text ?? "");
	if (!match) return { day: "", time: "" };
	const [, day, time = ""] = match[3] ? /^(.{10})T(.{5})/.exec(new Date(wallAt(zone || "UTC", Date.parse(text))).toISOString()) : match;
	return { day, time };
}

// isInstant reports whether a datetime value has an offset from UTC.
export function isInstant(text) {
	return /T.*(Z|[+-]\d\d:?\d\d)$/.test(text ?? "");
}

// instantText returns the instant of a day and a time of day in a time zone, as a datetime value.
export function instantText(day, time, zone) {
	return new Date(instantOf(zone || "UTC", Date.parse(`${joinTime(day, time)}Z`))).toISOString();
}

// joinTime returns the datetime value of a day and a time of day. Both may be "".
export function joinTime(day, time) {
	if (!day) return "";
	return time ? `${day}T${time}:00` : day;
}

// minutesBetween returns the minutes between two datetime values, or null if a value is empty or an
// instant. The values are in the time zones startZone and endZone; days are those of UTC.
export function minutesBetween(start, end, startZone = "UTC", endZone = startZone) {
	const hasDay = [start, end].some((text) => text?.length === 10);
	const [from, to] = [[start, startZone], [end, endZone]].map(([text, zone]) => {
		if (!text || text.endsWith("Z")) return NaN;
		return instantOf(hasDay ? "UTC" : zone, Date.parse(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`));
	});
	return Number.isNaN(from) || Number.isNaN(to) ? null : Math.round((to - from) / 60_000);
}

// addMinutes returns the datetime value that is a number of minutes later than a local time in zone or
// a day, as a local time in endZone. The result for a day is a day.
export function addMinutes(text, minutes, zone = "UTC", endZone = zone) {
	if (text.length === 10) return addDays(text, Math.round(minutes / 1440));
	const instant = instantOf(zone, Date.parse(`${text}Z`)) + minutes * 60_000;
	return new Date(wallAt(endZone, instant)).toISOString().slice(0, 19);
}

// hasNamedColors reports whether the options of a control for a color are names; otherwise its value can
// be any color such as #4e7cfe.
export function hasNamedColors({ options }) {
	return Boolean(options?.length) && !isColor(options[0].value);
}

// validate returns an error message if the value of a field violates its control, or "". The method
// problem of a field reports texts that are not a value of the type, such as invalid days.
export function validate(control, value, words) {
	if (control.type === "checkbox") return control.required && !value ? words.confirmField() : "";
	if (isEmpty(value)) {
		return control.required && control.type !== "hidden" ? words.requiredField(control.label) : "";
	}
	if (NUMBER_TYPES.has(control.type) && !isList(control) && !Number.isFinite(value)) return words.notANumber();
	if (control.max_length) {
		for (const text of Array.isArray(value) ? value : [value]) {
			const length = typeof text === "string" ? [...text].length : 0;
			if (length > control.max_length) return words.tooLong(control.max_length, length - control.max_length);
		}
	}
	if (control.type === "color" && !hasNamedColors(control) && !isColor(value)) return words.notAColor();
	if (control.type === "file") return validateFile(control, value, words);
	return "";
}

function validateFile(control, file, words) {
	if (control.max_bytes && file.size > control.max_bytes) return words.fileTooLarge(words.bytes(control.max_bytes));
	if (control.accept?.length && file.type && !control.accept.some((type) => matchesType(file.type, type))) {
		return words.fileType(control.accept.map(typeName));
	}
	return "";
}

// matchesType reports whether a media type matches a pattern such as image/png or image/*.
function matchesType(type, pattern) {
	return pattern.endsWith("/*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

// typeName returns a short name of a media type, such as JPEG for image/jpeg.
export function typeName(type) {
	return type.split("/").at(-1).split(/[+;]/)[0].toUpperCase();
}

// validateOrder returns { end }, an error message, if the end is before the start, or {}. values are
// the displayed values of a form by the ids of controls, in the time zones startZone and endZone.
export function validateOrder(values, words, startZone, endZone) {
	const minutes = minutesBetween(values.start, values.end, startZone, endZone);
	return minutes !== null && minutes < 0 ? { end: words.endsBeforeStart() } : {};
}

// errorsByField groups the messages of the fields of an error. It returns { byId, others }: byId
// maps the ids of the visible controls to their first message, and others are the other messages.
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

// An alarm value is { trigger, related, action }. trigger is an instant or a duration such as -PT15M,
// which is added to the start or the end of the entry, depending on related.

// alarmMinutes returns the minutes from a trigger to the start or the end, negative if the trigger
// is after it. It returns null if the trigger is not a duration in full minutes.
export function alarmMinutes(trigger) {
	const match = /^([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(trigger ?? "");
	if (!match || Number(match[6] ?? 0) % 60) return null;
	const [weeks, days, hours, minutes, seconds] = match.slice(2).map((text) => Number(text ?? 0));
	const total = ((weeks * 7 + days) * 24 + hours) * 60 + minutes + seconds / 60;
	return match[1] === "-" ? total : -total || 0;
}

// alarmTrigger returns the trigger with a number of minutes before the start or the end.
export function alarmTrigger(minutes) {
	const size = Math.abs(minutes);
	const [days, hours, rest] = [Math.floor(size / 1440), Math.floor(size / 60) % 24, size % 60];
	const time = (hours ? `${hours}H` : "") + (rest ? `${rest}M` : "");
	return `${minutes > 0 ? "-" : ""}P${days ? `${days}D` : ""}${time || !days ? `T${time || "0M"}` : ""}`;
}

// ALARM_MINUTES are the minutes of the reminders that a form offers.
export const ALARM_MINUTES = [0, 5, 10, 15, 30, 60, 120, 1440, 2880, 10080];

// DURATION_MINUTES are the minutes of the durations that a form offers.
export const DURATION_MINUTES = [15, 30, 45, 60, 90, 120, 180, 240];

// parseDuration returns the minutes of a text such as "90", "1:30", "1.5 h", "1h30", "45 min" or
// "2 days". It returns null if the text is empty, and NaN if it is not a duration.
export function parseDuration(text) {
	const plain = toASCIIDigits(text).trim().toLowerCase().replace(",", ".");
	if (plain === "") return null;
	const clock = /^(\d+):([0-5]\d)$/.exec(plain);
	if (clock) return Number(clock[1]) * 60 + Number(clock[2]);
	const factor = { m: 1, h: 60, s: 60, d: 1440, t: 1440 }; // first letters of minutes, hours, Stunden, days and Tage
	let total = 0;
	let unit = "m";
	const rest = plain.replace(/(\d+(?:\.\d+)?)\s*([a-zäöü]*)\.?\s*/g, (_, number, name) => {
		unit = name ? name[0] : unit === "h" ? "m" : unit;
		total += unit in factor ? Number(number) * factor[unit] : NaN;
		return "";
	});
	return rest ? NaN : Math.round(total);
}
