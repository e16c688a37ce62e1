// Opening hours as members see them.

import { el } from "../parts/el.js";
import { dayIn, weekdayOf } from "../parts/day.js";
import { groupDays, parseHours } from "./hours.js";
import { openState } from "./items.js";

// openTag returns the mark of a row that says whether a place is open, or null.
export function openTag(item, words, now = Date.now()) {
	const { state, change } = openState(item, now);
	const text = words.around;
	if (state === "unknown") return null;
	const when = change && changeText(change, item.zone, words, now);
	if (state === "open") return el("span", { class: "tag good", text: text.open() });
	if (state === "closing") return el("span", { class: "tag warn", text: text.until(when) });
	return el("span", { class: "tag", text: when && isToday(change, item.zone, words, now) ? text.opens(when) : text.closed() });
}

// openLine returns a sentence on the opening hours, or null if nothing is known.
export function openLine(item, words, now = Date.now()) {
	const { state, change } = openState(item, now);
	const text = words.around;
	if (state === "unknown") return null;
	const when = change && changeText(change, item.zone, words, now);
	const word = state === "closed" ? el("span", { class: "strong", text: text.closed() }) : el("span", { class: "good-t", text: text.open() });
	return [word, when ? state === "closed" ? ` · ${text.opensLater(when)}` : ` ${text.until(when)}` : ""];
}

// changeText returns a time in the zone of a place; a time that is not today has its weekday.
export function changeText(instant, zone, words, now = Date.now()) {
	const timeZone = checkedZone(zone, words);
	const format = (options) => new Intl.DateTimeFormat(words.locale, { ...options, timeZone }).format(new Date(instant));
	const time = format({ timeStyle: "short" });
	return isToday(instant, zone, words, now) ? time : `${format({ weekday: "short" })} ${time}`;
}

function isToday(instant, zone, words, now) {
	const timeZone = checkedZone(zone, words);
	return dayIn(timeZone, new Date(instant)) === dayIn(timeZone, now);
}

// checkedZone returns a time zone, or that of the member if the browser does not know it.
function checkedZone(zone, words) {
	try {
		new Intl.DateTimeFormat("en", { timeZone: zone || words.zone });
		return zone || words.zone;
	} catch {
		return words.zone;
	}
}

// hoursTable returns the table of a week. zone is that of the place, for the row of today.
export function hoursTable(week, words, zone) {
	const today = weekdayOf(dayIn(checkedZone(zone, words)));
	return el("table", { class: "hours-t" }, el("tbody", {}, groupDays(week, words.weekStart).map(({ days, ranges }) => {
		const isToday = days.includes(today);
		return el("tr", { class: isToday ? "on" : null }, el("th", { scope: "row", text: isToday ? words.around.withToday(daysText(days, words)) : daysText(days, words) }),
			el("td", { text: ranges === null ? words.around.unknownHours() : ranges.length === 0 ? words.around.closedDay() : ranges[0] === "00:00–24:00" ? words.around.allDay() : ranges.join(", ") }));
	})));
}

function daysText(days, words) {
	const name = (day) => words.weekday(day % 7, "short");
	return days.length === 1 ? name(days[0]) : words.around.dayRange(name(days[0]), name(days.at(-1)));
}

// hoursDetails returns the opening hours of a place: a sentence that opens the table, or the
// text of the hours if it cannot be shown as one.
export function hoursDetails(item, words) {
	const line = openLine(item, words);
	const week = parseHours(item.hours);
	if (!week) return item.hours || line ? el("span", {}, line ?? "", line && item.hours ? el("br") : "", item.hours.split(";").map((rule) => el("span", { class: "quiet block", dir: "auto", text: rule.trim() }))) : null;
	return el("details", { class: "hours" }, el("summary", {}, line ?? words.around.hours()), hoursTable(week, words, item.zone));
}
