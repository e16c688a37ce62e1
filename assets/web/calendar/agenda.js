// The agenda: a list of the entries of the coming days, with a section for each day.

import { addDays, weekOf, weekdayOf } from "../parts/day.js";
import { el, icon } from "../parts/el.js";
import { emptyView } from "../parts/empty.js";
import { alarmMinutes } from "../parts/value.js";
import { keepFocus } from "../frame/focus.js";
import { agendaRow } from "../today/rows.js";
import { groupByDay, daysOf } from "./entries.js";
import { AGENDA_DAYS } from "./ranges.js";
import { nameOfDay, rangeOfDays } from "./dates.js";

// createAgenda returns { element, update({ entries, date, weekStart, canCreate }) }. update shows
// the entries of AGENDA_DAYS days from date on. canCreate is whether an empty agenda offers to
// create an entry. on has the functions go(date), which shows the days from another date on, and
// create(), which opens the form for a new entry.
export function createAgenda(app, on) {
	const { words } = app;
	const strip = el("div", { class: "strip only-phone", role: "group" });
	const list = el("div", {});
	const element = el("div", { class: "agenda" }, strip, list);
	let drawnKey = ""; // identifies the data that the list shows

	function update({ entries, date, weekStart, canCreate }) {
		const today = words.currentDay();
		const end = addDays(date, AGENDA_DAYS);
		const days = groupByDay(entries, date, end, words.zone);
		drawStrip(entries, date, weekStart, today);
		const now = Date.now();
		const key = JSON.stringify([date, today, Math.floor(now / 60_000), entries.map(({ object: _, ...entry }) => entry)]);
		if (key === drawnKey) return;
		drawnKey = key;
		const sections = days.map(([day, items]) => daySection(day, items, today, now));
		keepFocus(list, () => list.replaceChildren(...(sections.length > 0 ? sections : [emptyAgenda(end, canCreate)])));
	}

	function emptyAgenda(end, canCreate) {
		const title = words.calendar.nothingUntil(words.date(addDays(end, -1)));
		return emptyView({ art: "chair", title, action: canCreate ? { label: words.isNew(), icon: "plus", run: on.create } : undefined });
	}

	// drawStrip draws the buttons for the days of the week that contains date. Only phones show them.
	// Days with entries have a mark.
	function drawStrip(entries, date, weekStart, today) {
		const first = weekOf(date, weekStart);
		const daysWithEntries = new Set(); // indexes of days in the week, from 0 to 6
		for (const entry of entries) {
			const { first: firstDay, last } = daysOf(entry, words.zone);
			for (let i = 0; i < 7; i++) if (addDays(first, i) >= firstDay && addDays(first, i) <= last) daysWithEntries.add(i);
		}
		strip.setAttribute("aria-label", rangeOfDays(words, first, addDays(first, 6)));
		keepFocus(strip, () => strip.replaceChildren(...Array.from({ length: 7 }, (_, i) => {
			const day = addDays(first, i);
			const attributes = { class: day === today ? "today" : "", "aria-current": day === date ? "date" : null };
			return el("button", { type: "button", ...attributes, on: { click: () => on.go(day) } },
				el("span", { class: "sr", text: words.weekday(weekdayOf(day)) }),
				el("span", { "aria-hidden": "true", text: words.weekday(weekdayOf(day), "narrow") }),
				el("b", { text: words.number(Number(day.slice(8))) }), el("i", { class: daysWithEntries.has(i) ? "has" : "" }));
		})));
	}

	// daySection returns the section of a day. That of today has a line at the present time, above
	// the first entry that has not begun.
	function daySection(day, items, today, now) {
		const name = nameOfDay(words, day);
		const rows = items.map((entry) => el("li", {}, entryRow(entry, day, now)));
		if (day === today) {
			const index = items.findIndex((entry) => !entry.allDay && entry.first === entry.last && entry.start > now);
			const label = words.calendar.grid.now(words.time(now));
			const nowLine = el("li", { class: "now", "aria-label": label }, el("time", { text: words.time(now) }));
			rows.splice(index < 0 ? rows.length : index, 0, nowLine);
		}
		const heading = el("h2", {}, el("span", { text: name.strong }), " ", el("span", { class: "quiet", text: name.rest }));
		return el("section", { class: "ag-day", "data-date": day }, heading, el("ul", { class: "rows plain-rows" }, rows));
	}

	// entryRow returns the row of an entry in the section of a day. An entry that began on an earlier
	// day shows that day instead of its start time.
	function entryRow(entry, day, now) {
		const { allDay, start, end, first, last, object, done, state } = entry;
		const isLong = allDay || first !== last;
		const begin = first < day ? words.dayShort(first) : words.time(start);
		const times = allDay ? [words.calendar.allDay(), ""] : [begin, end > start && !isLong ? words.time(end) : ""];
		const until = first !== last && words.calendar.until(words.dayShort(last));
		return agendaRow({
			app, times, route: entry.route, title: entry.title, color: entry.color, mark: markOf(object, done),
			sub: [entry.calendar, entry.detail, until, object?.state.recurrence?.text].filter(Boolean).join(" · "),
			isPast: !allDay && end <= now && !isTask(object), isCancelled: state === "cancelled" || done, isHatched: state === "hatched",
		});
	}

	// markOf returns the mark at the end of a row: of a task, that it is due; of another entry, its
	// first reminder.
	function markOf(object, done) {
		if (isTask(object)) return el("span", { class: "tag" }, icon(done ? "check" : "task", "i-s"), words.calendar.due());
		const [alarm] = object?.state.alarms ?? [];
		const minutes = alarm ? alarmMinutes(alarm.trigger) : null;
		return alarm && el("span", { class: "tag" }, icon("alarm", "i-s"), minutes > 0 ? words.minutes(minutes) : "");
	}
	return { element, update };
}

// isTask reports whether an object is a task. The entry of an invitation has no object.
function isTask(object) {
	return object?.object_type === "task";
}
