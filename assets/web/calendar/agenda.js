// The agenda: the days on which something is planned.

import { addDays, weekOf, weekdayOf } from "../parts/day.js";
import { el, icon } from "../parts/el.js";
import { empty } from "../parts/empty.js";
import { alarmMinutes } from "../parts/value.js";
import { keepFocus } from "../frame/focus.js";
import { agendaRow } from "../today/rows.js";
import { byDay, daysOf } from "./entries.js";
import { AGENDA_DAYS } from "./ranges.js";
import { nameOfDay, rangeOfDays } from "./dates.js";

// createAgenda returns { element, update({ entries, date, weekStart, canCreate }) }. The functions
// of on: go(date), create().
export function createAgenda(app, on) {
	const { words } = app;
	const strip = el("div", { class: "strip only-phone", role: "group" });
	const list = el("div", {});
	const element = el("div", { class: "agenda" }, strip, list);
	let drawn = "";

	function update({ entries, date, weekStart, canCreate }) {
		const today = words.currentDay();
		const end = addDays(date, AGENDA_DAYS);
		const days = byDay(entries, date, end, words.zone);
		drawStrip(entries, date, weekStart, today);
		const now = Date.now();
		const key = JSON.stringify([date, today, Math.floor(now / 60_000), entries.map(({ object: _, ...entry }) => entry)]);
		if (key === drawn) return;
		drawn = key;
		const sections = days.map(([day, items]) => daySection(day, items, today, now));
		keepFocus(list, () => list.replaceChildren(...(sections.length > 0 ? sections : [nothing(end, canCreate)])));
	}

	function nothing(end, canCreate) {
		return empty({ art: "chair", title: words.calendar.nothingUntil(words.date(addDays(end, -1))), action: canCreate ? { label: words.isNew(), icon: "plus", run: on.create } : undefined });
	}

	// drawStrip shows the week of the first day, on a phone.
	function drawStrip(entries, date, weekStart, today) {
		const first = weekOf(date, weekStart);
		const taken = new Set();
		for (const entry of entries) {
			const { first: from, last } = daysOf(entry, words.zone);
			for (let i = 0; i < 7; i++) if (addDays(first, i) >= from && addDays(first, i) <= last) taken.add(i);
		}
		strip.setAttribute("aria-label", rangeOfDays(words, first, addDays(first, 6)));
		keepFocus(strip, () => strip.replaceChildren(...Array.from({ length: 7 }, (_, i) => {
			const day = addDays(first, i);
			return el("button", { type: "button", class: day === today ? "today" : "", "aria-current": day === date ? "date" : null, on: { click: () => on.go(day) } },
				el("span", { class: "sr", text: words.weekday(weekdayOf(day)) }), el("span", { "aria-hidden": "true", text: words.weekday(weekdayOf(day), "narrow") }), el("b", { text: words.number(Number(day.slice(8))) }), el("i", { class: taken.has(i) ? "has" : "" }));
		})));
	}

	function daySection(day, items, today, now) {
		const name = nameOfDay(words, day);
		const rows = items.map((entry) => el("li", {}, entryRow(entry, day, now)));
		if (day === today) {
			const at = items.findIndex((entry) => !entry.allDay && entry.first === entry.last && entry.end > now);
			rows.splice(at < 0 ? rows.length : at, 0, el("li", { class: "now", "aria-label": words.calendar.grid.now(words.time(now)) }, el("time", { text: words.time(now) })));
		}
		return el("section", { class: "ag-day", "data-date": day }, el("h2", {}, el("span", { text: name.strong }), " ", el("span", { class: "quiet", text: name.rest })), el("ul", { class: "rows plain-rows" }, rows));
	}

	function entryRow(entry, day, now) {
		const { allDay, start, end, first, last, object, done, state } = entry;
		const isLong = allDay || first !== last;
		const begin = first < day ? words.dayShort(first) : words.time(start);
		const times = allDay ? [words.calendar.allDay(), ""] : [begin, end > start && !isLong ? words.time(end) : ""];
		const until = first !== last && words.calendar.until(words.dayShort(last));
		const sub = [entry.detail, object && !entry.detail && object.state.calendar_name, until, object?.state.recurrence?.text].filter(Boolean).join(" · ");
		return agendaRow({ app, route: entry.route, times, title: entry.title, sub, color: entry.color, mark: markOf(object, done), isPast: !allDay && end <= now && !isTask(object), isCancelled: state === "cancelled" || done, isHatched: state === "hatched" });
	}

	function markOf(object, done) {
		if (isTask(object)) return el("span", { class: "tag" }, icon(done ? "check" : "task", "i-s"), words.calendar.due());
		const [alarm] = object?.state.alarms ?? [];
		const minutes = alarm ? alarmMinutes(alarm.trigger) : null;
		return alarm && el("span", { class: "tag" }, icon("alarm", "i-s"), minutes > 0 ? words.minutes(minutes) : "");
	}
	return { element, update };
}

function isTask(object) {
	return object?.object_type === "task";
}
