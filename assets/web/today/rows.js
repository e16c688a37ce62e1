// The rows of calendar entries on Today.

import { el, icon } from "../parts/el.js";
import { isColor } from "../parts/person.js";
import { openRoute } from "../generic/item.js";
import { upcoming } from "./schedule.js";

// scheduleRows returns the list of the day: what is over, the line of the present time, and
// what is to come.
export function scheduleRows(app, { days, past, coming, free }) {
	const { words } = app;
	const now = Date.now();
	const nowLine = el("li", { class: "now", "aria-label": words.day.now(words.time(now)) }, el("time", { text: words.time(now) }), free && el("span", { class: "quiet", text: words.day.freeUntil(words.time(free)) }));
	const timed = past.length + coming.length > 0;
	return el("ul", { class: "rows plain-rows" },
		days.map((span) => el("li", {}, entryRow(app, span))),
		past.map((span) => el("li", {}, entryRow(app, span, { isPast: true }))),
		timed && nowLine,
		coming.map((span) => el("li", {}, entryRow(app, span))));
}

// timesOf returns the two lines before an entry of today. One that has begun on an earlier day
// has that day instead of its start.
function timesOf({ first, start, end, isWhole }, words) {
	if (isWhole) return [words.day.allDay(), ""];
	return [first < words.currentDay() ? words.dayShort(first) : words.time(start), end > start ? words.time(end) : ""];
}

function entryRow(app, span, { isPast = false } = {}) {
	const { words } = app;
	const { item } = span;
	const { metadata: data = {} } = item;
	const route = openRoute(app, item);
	const alarm = data.alarms?.length > 0 && el("span", { class: "tag" }, icon("alarm", "i-s"));
	return agendaRow({ app, route, times: timesOf(span, words), title: item.title, sub: subOf(words, words.currentDay(), span.last, data), color: data.color, mark: alarm, isPast, isCancelled: data.status === "cancelled" });
}

// subOf returns the line below an entry: its last day, unless that is the one shown, its place
// and its calendar.
function subOf(words, day, last, { location, calendar_name: calendar }) {
	return [last > day && words.day.until(words.weekdayOrDay(last)), location, calendar].filter(Boolean).join(" · ");
}

// agendaRow returns a row with the time in front and the colour of the calendar. Without an
// answer of the member its colour is hatched.
export function agendaRow({ app, route, times: [first, second], title, sub, color, mark, isPast, isCancelled, isHatched }) {
	return el(route ? "a" : "div", { class: `row ag${isPast ? " past" : ""}${isHatched ? " hatched" : ""}`, href: route ? app.href(route) : null },
		el("span", { class: "ag-time num" }, el("time", { text: first }), el("span", { class: "quiet", text: second })),
		el("span", { class: `ag-bar${isColor(color) ? " own" : color ? ` c-${color}` : ""}`, vars: isColor(color) ? { "--own": color } : {} }),
		el("span", { class: "row-main" }, el("span", { class: `clip strong${isCancelled ? " struck" : ""}`, dir: "auto", text: title }), sub && el("span", { class: "row-sub clip", dir: "auto", text: sub })), mark);
}

// nextRows returns the next entries after today, as { row, title, when }.
export function nextRows(app) {
	const { words, store } = app;
	return upcoming(store.dataset.objects, { now: Date.now(), zone: words.zone }).map(({ object, start, day, last, isAllDay }) => {
		const when = words.weekdayOrDay(day);
		const { state } = object;
		const route = { kind: "at", id: object.world_object_id, query: state.occurrence ? { occurrence: state.occurrence.recurrence_id } : {} };
		const row = agendaRow({ app, route, times: [when, isAllDay ? "" : words.time(start)], title: object.title, sub: subOf(words, day, last, state), color: state.color });
		return { row, title: object.title, when: isAllDay ? when : `${when} ${words.time(start)}` };
	});
}
