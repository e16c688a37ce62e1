// The rows of calendar entries on Today and in the agenda.

import { el, icon } from "../parts/el.js";
import { colorProps } from "../parts/person.js";
import { openRoute } from "../generic/item.js";
import { upcomingEntries } from "./schedule.js";

// scheduleRows returns the list of the entries of today, in the groups of groupSchedule. The line of the
// present time is between the entries that have begun and the later ones.
export function scheduleRows(app, { days, begun, coming, free }) {
	const { words } = app;
	const now = Date.now();
	const nowLine = el("li", { class: "now", "aria-label": words.day.now(words.time(now)) },
		el("time", { text: words.time(now) }), free && el("span", { class: "quiet", text: words.day.freeUntil(words.time(free)) }));
	const isTimed = begun.length + coming.length > 0;
	return el("ul", { class: "rows plain-rows" },
		days.map((span) => el("li", {}, entryRow(app, span))),
		begun.map((span) => el("li", {}, entryRow(app, span, { isPast: span.end <= now }))),
		isTimed && nowLine,
		coming.map((span) => el("li", {}, entryRow(app, span))));
}

// timesOf returns the start and the end of an entry of groupSchedule as texts. If the entry has begun on an
// earlier day, that day replaces the start.
function timesOf({ first, start, end, isWhole }, words) {
	if (isWhole) return [words.day.allDay(), ""];
	return [first < words.currentDay() ? words.dayShort(first) : words.time(start), end > start ? words.time(end) : ""];
}

// entryRow returns the row of an entry of groupSchedule.
function entryRow(app, span, { isPast = false } = {}) {
	const { words } = app;
	const { item } = span;
	const { metadata: data = {} } = item;
	const route = openRoute(app, item);
	const alarm = data.alarms?.length > 0 && el("span", { class: "tag" }, icon("alarm", "i-s"));
	return agendaRow({
		app, route, times: timesOf(span, words), title: item.title, sub: subOf(words, words.currentDay(), span.last, data),
		color: data.color, mark: alarm, isPast, isCancelled: data.status === "cancelled",
	});
}

// subOf returns the text below the title of an entry: the name of its calendar, its location, and its
// last day if that is after the shown day.
function subOf(words, day, last, { location, calendar_name: calendar }) {
	return [calendar, location, last > day && words.day.until(words.weekdayOrDay(last))].filter(Boolean).join(" · ");
}

// agendaRow returns the row of an entry. Options:
//
//   app
//   route        the route of the entry; without one, the row is not a link
//   times        two texts at the start of the row
//   title, sub   the two lines
//   color        the color of the calendar, as #rrggbb or a name
//   mark         a node at the end
//   isPast       whether the entry is over
//   isCancelled  whether the title is crossed out
//   isHatched    whether the color is hatched, because the entry is not confirmed
export function agendaRow({ app, route, times: [first, second], title, sub, color, mark, isPast, isCancelled, isHatched }) {
	const bar = color ? colorProps(color) : { class: "", vars: {} };
	return el(
		route ? "a" : "div",
		{ class: `row ag${isPast ? " past" : ""}${isHatched ? " hatched" : ""}`, href: route ? app.href(route) : null },
		el("span", { class: "ag-time num" }, el("time", { text: first }), el("span", { class: "quiet", text: second })),
		el("span", { class: `ag-bar ${bar.class}`, vars: bar.vars }),
		el("span", { class: "row-main" },
			el("span", { class: `clip strong${isCancelled ? " struck" : ""}`, dir: "auto", text: title }),
			sub && el("span", { class: "row-sub clip", dir: "auto", text: sub })),
		mark,
	);
}

// nextRows returns the rows of the next entries after today, as a list of { row, title, when }. when is
// the day and the start as text.
export function nextRows(app) {
	const { words, store } = app;
	return upcomingEntries(store.dataset.objects, { now: Date.now(), zone: words.zone }).map(({ object, start, day, last, isAllDay }) => {
		const dayText = words.weekdayOrDay(day);
		const { state } = object;
		const route = {
			kind: "at", id: object.world_object_id,
			query: state.occurrence ? { occurrence: state.occurrence.recurrence_id } : {},
		};
		const row = agendaRow({
			app, route, times: [dayText, isAllDay ? "" : words.time(start)], title: object.title, sub: subOf(words, day, last, state),
			color: state.color,
		});
		return { row, title: object.title, when: isAllDay ? dayText : `${dayText} ${words.time(start)}` };
	});
}
