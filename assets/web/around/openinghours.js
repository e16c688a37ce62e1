// Elements that show opening hours. zone is the time zone of a place, "" if it is unknown.

import { el } from "../parts/el.js";
import { dayIn, weekdayOf } from "../parts/day.js";
import { groupDays, parseHours } from "./hours.js";
import { openState } from "./items.js";

// openTag returns a tag that shows whether the place of an item is open, or null if this is unknown. now is
// in milliseconds since 1970.
export function openTag(item, words, now = Date.now()) {
	const { state, change } = openState(item, now);
	const text = words.around;
	if (state === "unknown") return null;
	const changeTime = change && changeText(change, item.zone, words, now);
	if (state === "open") return el("span", { class: "tag good", text: text.open() });
	if (state === "closing") return el("span", { class: "tag warn", text: text.until(changeTime) });
	const opensToday = changeTime && isToday(change, item.zone, words, now);
	return el("span", { class: "tag", text: opensToday ? text.opens(changeTime) : text.closed() });
}

// openLine returns a line that shows whether the place of an item is open and its next change, as a list of nodes
// and texts, or null if this is unknown.
export function openLine(item, words, now = Date.now()) {
	const { state, change } = openState(item, now);
	const text = words.around;
	if (state === "unknown") return null;
	const changeTime = change && changeText(change, item.zone, words, now);
	const isClosed = state === "closed";
	const label = isClosed ? el("span", { class: "strong", text: text.closed() }) : el("span", { class: "good-t", text: text.open() });
	return [label, changeTime ? isClosed ? ` · ${text.opensLater(changeTime)}` : ` ${text.until(changeTime)}` : ""];
}

// changeText returns the time of a change in the zone of the place, with the weekday if it is not today.
export function changeText(instant, zone, words, now = Date.now()) {
	const timeZone = supportedZone(zone, words);
	const format = (options) => new Intl.DateTimeFormat(words.locale, { ...options, timeZone }).format(new Date(instant));
	const time = format({ timeStyle: "short" });
	return isToday(instant, zone, words, now) ? time : `${format({ weekday: "short" })} ${time}`;
}

// isToday reports whether an instant is on the present day at the place.
function isToday(instant, zone, words, now) {
	const timeZone = supportedZone(zone, words);
	return dayIn(timeZone, new Date(instant)) === dayIn(timeZone, now);
}

// supportedZone returns a time zone, or the zone of the member if it is unknown or the browser does not support
// it.
function supportedZone(zone, words) {
	try {
		new Intl.DateTimeFormat("en", { timeZone: zone || words.zone });
		return zone || words.zone;
	} catch {
		return words.zone;
	}
}

// hoursTable returns the table of a week, see hours.js. The row of today, in the zone of the place, is marked.
export function hoursTable(week, words, zone) {
	const today = weekdayOf(dayIn(supportedZone(zone, words)));
	return el("table", { class: "hours-t" }, el("tbody", {}, groupDays(week, words.weekStart).map(({ days, ranges }) => {
		const hasToday = days.includes(today);
		const name = daysText(days, words);
		return el("tr", { class: hasToday ? "on" : null },
			el("th", { scope: "row", text: hasToday ? words.around.withToday(name) : name }), el("td", { text: rangesText(ranges, words) }));
	})));
}

// rangesText returns the text for the ranges of a day.
function rangesText(ranges, words) {
	if (ranges === null) return words.around.unknownHours();
	if (ranges.length === 0) return words.around.closedDay();
	return ranges[0] === "00:00–24:00" ? words.around.allDay() : ranges.join(", ");
}

// daysText returns the names of consecutive weekdays from 1 for Monday to 7, such as "Mon–Fri".
function daysText(days, words) {
	const name = (day) => words.weekday(day % 7, "short");
	return days.length === 1 ? name(days[0]) : words.around.dayRange(name(days[0]), name(days.at(-1)));
}

// hoursDetails returns an element with the opening hours of an item: openLine, which expands to the table
// of the week. If parseHours does not support the hours, it shows their text. It returns null if
// nothing is known.
export function hoursDetails(item, words) {
	const line = openLine(item, words);
	const week = parseHours(item.hours);
	if (!week) {
		if (!item.hours && !line) return null;
		const rules = item.hours.split(";").map((rule) => el("span", { class: "quiet block", dir: "auto", text: rule.trim() }));
		return el("span", {}, line ?? "", line && item.hours ? el("br") : "", rules);
	}
	return el("details", { class: "hours" }, el("summary", {}, line ?? words.around.hours()), hoursTable(week, words, item.zone));
}
