// Converts calendar entries and tasks of World to entries of the grid, without DOM.

import { addDays } from "../parts/day.js";
import { dayAt, formatDay, instantOf, isZone, parseDay, wallAt } from "../grid/zone.js";

// keyOf returns the id of an entry in the grid. Each occurrence of a series has a different one.
export function keyOf({ id, state }) {
	const { recurrence_id: recurrenceId } = state.occurrence ?? {};
	return recurrenceId ? `${id}@${recurrenceId}` : id;
}

// timesOf returns the times of an entry as a range of the grid, { allDay, start, end } with dates or
// instants, or null if the entry has no time. For an occurrence of a series they are the times of
// the occurrence. A time without a time zone is in zone. The range of a task is its due time or, if
// it has none, its start, and has no length.
export function timesOf(object, zone) {
	const { start, end } = worldTimes(object);
	const isTask = object.object_type === "task";
	const from = isTask ? end ?? start : start ?? end;
	if (!from) return null;
	const hasNoLength = isTask || !start;
	if (from.date && !from.date_time) {
		const endDay = !hasNoLength && end?.date > from.date ? end.date : addDays(from.date, 1);
		return { allDay: true, start: from.date, end: endDay };
	}
	const instant = instantOfTime(from, zone);
	return { allDay: false, start: instant, end: hasNoLength || !end ? instant : Math.max(instant, instantOfTime(end, zone)) };
}

// startOf returns the start of a task that also has a due time, in the form of timesOf, or null for
// other tasks.
export function startOf(task, zone) {
	const { start, end } = worldTimes(task);
	return start && end ? timesOf({ state: { start } }, zone) : null;
}

// worldTimes returns the start and the end of an entry, or of an occurrence, as World represents
// them: { date, date_time, utc } or null. The end of a task is its due time.
function worldTimes({ state }) {
	const { start, end } = state.occurrence ?? state;
	return { start, end: end ?? state.due };
}

// zonesOf returns { start, end }, the names of the time zones of the times that timesOf returns for an
// entry, or undefined for a time without a time zone. Those of a task are both that of its due time or,
// without it, of its start.
export function zonesOf(object) {
	const { start, end } = worldTimes(object);
	const isTask = object.object_type === "task";
	const [from, to] = isTask ? [end ?? start, end ?? start] : [start ?? end, end ?? start];
	return { start: from?.timezone ?? undefined, end: to?.timezone ?? undefined };
}

// instantOfTime returns the instant of a time of World. One without a time zone is in zone.
function instantOfTime({ utc, date_time: time, date }, zone) {
	return Date.parse(utc ?? "") || instantOf(zone, Date.parse(`${time ?? `${date}T00:00:00`}Z`));
}

// entryOf returns the entry of the grid for an object, or null if the object has no time. unanswered
// is the set of the ids of those events of Social that the member has not answered.
export function entryOf(object, { zone, unanswered = new Set() }) {
	const times = timesOf(object, zone);
	if (!times) return null;
	const { state, object_type: type } = object;
	const move = actionOf(object, "move");
	const done = type === "task" && state.status === "completed";
	const isOpen = state.status === "tentative" || (state.source_object_id && unanswered.has(state.source_object_id));
	return {
		...times, id: keyOf(object), title: object.title, detail: state.location || "", calendar: state.calendar_name, color: state.color, done,
		recurring: Boolean(state.recurrence?.is_recurring), zone: state.timezone || undefined,
		movable: Boolean(move), resizable: Boolean(move) && type !== "task",
		state: state.status === "cancelled" ? "cancelled" : isOpen ? "hatched" : undefined, object,
	};
}

// actionOf returns the action of an object with an id such as "move", or undefined.
export function actionOf(object, id) {
	return object.action_descriptors?.find((action) => action.id === id);
}

// invitationEntries returns entries of the grid for the events of Social to which the member is invited
// and that they have not answered: answered events have an entry in a calendar. asks returns the
// detail for the name of the host. Invitations to a series are left out.
export function invitationEntries(objects, { memberId, zone, asks }) {
	return objects.filter((object) => isUnanswered(object, memberId)).map((object) => {
		const { state } = object;
		const timeOf = (text) => ({ date: state.all_day ? text.slice(0, 10) : null, date_time: state.all_day ? null : text });
		const occurrence = { start: timeOf(state.start), end: state.end ? timeOf(state.end) : null };
		const times = timesOf({ state: { occurrence } }, isZone(state.timezone) ? state.timezone : zone);
		return {
			...times, id: object.world_object_id, title: object.title, detail: asks(state.host?.display_name ?? ""),
			color: state.color ?? "iris", zone: state.timezone || undefined, state: "hatched",
		};
	});
}

function isUnanswered({ object_type: type, state }, memberId) {
	const isInvited = type === "event" && state.visibility === "invited" && state.host?.id !== memberId;
	return isInvited && state.rsvp?.mine === "none" && state.status !== "cancelled" && Boolean(state.start) && !state.rrule;
}

// moveFields returns the fields of the action "move" for a range of the grid. A timed entry with a
// time zone gets instants, which are unambiguous also when the clocks are put back; one without a
// time zone gets local times. The start of a task moves with its due time.
export function moveFields(object, { allDay, start, end }, zone) {
	const { timezone } = object.state;
	const text = (value) => {
		if (allDay) return value;
		return timezone ? new Date(value).toISOString().replace(".000", "") : new Date(wallAt(zone, value)).toISOString().slice(0, 19);
	};
	if (object.object_type !== "task") return { start: text(start), end: text(end) };
	const taskTimes = worldTimes(object);
	if (!taskTimes.end) return { start: text(start) };
	const oldDue = timesOf(object, zone);
	if (!taskTimes.start || oldDue.allDay !== allDay) return { due: text(start) };
	const oldStart = allDay ? taskTimes.start.date : instantOfTime(taskTimes.start, zone);
	return { start: text(shift(oldStart, oldDue.start, start, { allDay, zone })), due: text(start) };
}

// shift moves a date by the difference between two dates, or an instant by the difference between the
// local times of two instants.
function shift(value, from, to, { allDay, zone }) {
	if (allDay) return addDays(value, parseDay(to) - parseDay(from));
	return instantOf(zone, wallAt(zone, value) + wallAt(zone, to) - wallAt(zone, from));
}

// daysOf returns { first, last }, the first and the last date of an entry of the grid in a time zone.
export function daysOf({ allDay, start, end }, zone) {
	if (allDay) return { first: start, last: addDays(end, -1) };
	const first = formatDay(dayAt(zone, start));
	return { first, last: end > start ? formatDay(dayAt(zone, end - 1)) : first };
}

// groupByDay groups the entries of the dates from `from` up to `to` (exclusive) by day. It returns a list
// of [day, entries] in the order of time. Each entry is only in the group of its first day in that
// period, and has the additional fields first and last of daysOf. Entries of whole or several days
// are the first ones of a group.
export function groupByDay(entries, from, to, zone) {
	const days = new Map();
	for (const entry of entries) {
		const { first, last } = daysOf(entry, zone);
		if (last < from || first >= to) continue;
		const day = first < from ? from : first;
		if (!days.has(day)) days.set(day, []);
		days.get(day).push({ ...entry, first, last });
	}
	const rank = (entry) => (entry.allDay || entry.first !== entry.last ? 0 : 1);
	const startTime = ({ allDay, start }) => (allDay ? parseDay(start) * 86_400_000 : start);
	for (const list of days.values()) list.sort((a, b) => rank(a) - rank(b) || startTime(a) - startTime(b));
	return [...days].sort(([a], [b]) => (a < b ? -1 : 1));
}
