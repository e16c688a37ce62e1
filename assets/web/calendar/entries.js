// Calendar entries and tasks of World as entries of the grid, without DOM.

import { addDays } from "../parts/day.js";
import { HOUR, dayAt, formatDay, instantOf, isZone, parseDay, wallAt } from "../grid/zone.js";

// keyOf returns the id of an entry: each occurrence of a series has its own.
export function keyOf({ id, state }) {
	const { recurrence_id: recurrenceId } = state.occurrence ?? {};
	return recurrenceId ? `${id}@${recurrenceId}` : id;
}

// timesOf returns the times of an entry as the grid expects them, { allDay, start, end } with
// dates or instants, or null without a time. Of a series they are those of the occurrence. A
// time without a zone is one of the shown zone. A task has the time at which it is due, or without
// one the time at which it starts, and no length.
export function timesOf(object, zone) {
	const { start, end } = ownTimes(object);
	const isTask = object.object_type === "task";
	const from = isTask ? end ?? start : start ?? end;
	if (!from) return null;
	const isDue = isTask || !start;
	if (from.date && !from.date_time) {
		const after = !isDue && end?.date > from.date ? end.date : addDays(from.date, 1);
		return { allDay: true, start: from.date, end: after };
	}
	const at = instantOfTime(from, zone);
	return { allDay: false, start: at, end: isDue || !end ? at : Math.max(at, instantOfTime(end, zone)) };
}

// startOf returns the time at which a task with a due time starts, or null.
export function startOf(task, zone) {
	const { start, end } = ownTimes(task);
	return start && end ? timesOf({ state: { start } }, zone) : null;
}

// ownTimes returns the start and the end, of a task the due time, as World gives them.
function ownTimes({ state }) {
	const { start, end } = state.occurrence ?? state;
	return { start, end: end ?? state.due };
}

function instantOfTime({ utc, date_time: time, date }, zone) {
	return Date.parse(utc ?? "") || instantOf(zone, Date.parse(`${time ?? `${date}T00:00:00`}Z`));
}

// entryOf returns the entry of the grid for an object, or null without a time. unanswered has the
// ids of social events without an answer of the member.
export function entryOf(object, { zone, unanswered = new Set() }) {
	const times = timesOf(object, zone);
	if (!times) return null;
	const { state, object_type: type } = object;
	const move = actionOf(object, "move");
	const done = type === "task" && state.status === "completed";
	const isOpen = state.status === "tentative" || (state.source_object_id && unanswered.has(state.source_object_id));
	return {
		...times, id: keyOf(object), title: object.title, detail: state.location || "", color: state.color, done, recurring: Boolean(state.recurrence?.is_recurring), zone: state.timezone || undefined,
		movable: Boolean(move), resizable: Boolean(move) && type !== "task", state: state.status === "cancelled" ? "cancelled" : isOpen ? "hatched" : undefined, object,
	};
}

// actionOf returns the action of an entry with an id, such as "move", or undefined.
export function actionOf(object, id) {
	return object.action_descriptors?.find((action) => action.id === id);
}

// invitations returns the entries of the social events that have no answer of the member and
// therefore no entry in a calendar. Only events to which the member is invited are shown.
export function invitations(objects, { memberId, zone, asks }) {
	return objects.filter((object) => isUnanswered(object, memberId)).map((object) => {
		const { state } = object;
		const from = { date: state.all_day ? state.start.slice(0, 10) : null, date_time: state.all_day ? null : state.start };
		const to = state.end ? { date: state.all_day ? state.end.slice(0, 10) : null, date_time: state.all_day ? null : state.end } : null;
		const own = isZone(state.timezone) ? state.timezone : zone;
		const times = timesOf({ state: { occurrence: { start: from, end: to } } }, own);
		return { ...times, id: object.world_object_id, title: object.title, detail: asks(state.host?.display_name ?? ""), color: state.color ?? "iris", zone: state.timezone || undefined, state: "hatched" };
	});
}

function isUnanswered({ object_type: type, state }, memberId) {
	return type === "event" && state.visibility === "invited" && state.rsvp?.mine === "none" && state.host?.id !== memberId && state.status !== "cancelled" && Boolean(state.start) && !state.rrule;
}

// moveFields returns the fields of the action "move" for a range of the grid. A timed entry with
// a zone of its own gets instants, which also name the second of two equal times on the clock; one
// without a zone gets the time on the clock. The start of a task moves with its due time.
export function moveFields(object, { allDay, start, end }, zone) {
	const { timezone } = object.state;
	const text = (value) => {
		if (allDay) return value;
		return timezone ? new Date(value).toISOString().replace(".000", "") : new Date(wallAt(zone, value)).toISOString().slice(0, 19);
	};
	if (object.object_type !== "task") return { start: text(start), end: text(end) };
	const own = ownTimes(object);
	if (!own.end) return { start: text(start) };
	const old = timesOf(object, zone);
	if (!own.start || old.allDay !== allDay) return { due: text(start) };
	const begins = allDay ? own.start.date : instantOfTime(own.start, zone);
	return { start: text(shift(begins, old.start, start, { allDay, zone })), due: text(start) };
}

// takenBack returns a range of the grid after the change from one range to another has been taken
// back: of a series, the response to a move has another occurrence than the one that was moved.
export function takenBack(range, from, to, zone) {
	const { allDay } = range;
	if (from.allDay !== to.allDay || from.allDay !== allDay) return from;
	const context = { allDay, zone };
	return { allDay, start: shift(range.start, to.start, from.start, context), end: shift(range.end, to.end, from.end, context) };
}

// shift returns a date, or an instant on the clock of the zone, as much later as `to` is than
// `from`.
function shift(value, from, to, { allDay, zone }) {
	if (allDay) return addDays(value, parseDay(to) - parseDay(from));
	return instantOf(zone, wallAt(zone, value) + wallAt(zone, to) - wallAt(zone, from));
}

// formTimes returns the values of a form for a range of the grid, as times on the clock of a zone.
export function formTimes({ allDay, start, end }, zone) {
	const text = (value) => (allDay ? value : new Date(wallAt(zone, value)).toISOString().slice(0, 19));
	return { start: text(start), end: text(end), all_day: allDay };
}

// suggested returns the range of a new entry on a day: one hour from the next full hour of the
// present day, or from the start of another day.
export function suggested(day, { now, zone, dayStart }) {
	const next = Math.ceil((now + 1) / HOUR) * HOUR;
	const isToday = day === formatDay(dayAt(zone, now)) && day === formatDay(dayAt(zone, next));
	const start = isToday ? next : instantOf(zone, Date.parse(`${day}T${dayStart || "09:00"}:00Z`));
	return { allDay: false, start, end: start + HOUR };
}

// daysOf returns the first and the last day of an entry of the grid.
export function daysOf({ allDay, start, end }, zone) {
	if (allDay) return { first: start, last: addDays(end, -1) };
	const first = formatDay(dayAt(zone, start));
	return { first, last: end > start ? formatDay(dayAt(zone, end - 1)) : first };
}

// byDay returns the entries of an agenda as [day, entries] in the order of time: each one on its
// first day in the range from one day to another (exclusive).
export function byDay(entries, from, to, zone) {
	const days = new Map();
	for (const entry of entries) {
		const { first, last } = daysOf(entry, zone);
		if (last < from || first >= to) continue;
		const day = first < from ? from : first;
		if (!days.has(day)) days.set(day, []);
		days.get(day).push({ ...entry, first, last });
	}
	const rank = (entry) => (entry.allDay || entry.first !== entry.last ? 0 : 1);
	const startOf = ({ allDay, start }) => (allDay ? parseDay(start) * 86_400_000 : start);
	for (const list of days.values()) list.sort((a, b) => rank(a) - rank(b) || startOf(a) - startOf(b));
	return [...days].sort(([a], [b]) => (a < b ? -1 : 1));
}
