import assert from "node:assert/strict";
import { test } from "node:test";
import { groupByDay, daysOf, entryOf, invitationEntries, keyOf, moveFields, timesOf } from "../../../assets/web/calendar/entries.js";
import { formTimes, suggestRange } from "../../../assets/web/editor/suggestion.js";

const timed = (start, end, more = {}) => ({
	id: "tob_1", object_type: "calendar_event", title: "Choir",
	state: { start: { utc: start }, end: { utc: end }, timezone: "Europe/Berlin", status: "confirmed", color: "#8a4fb0", recurrence: { is_recurring: false }, ...more },
	action_descriptors: [{ id: "move" }],
});
const options = { zone: "Europe/Berlin" };

test("each occurrence of a series has an id and times of its own", () => {
	const object = timed("2026-10-01T17:00:00Z", "2026-10-01T18:30:00Z", { occurrence: { recurrence_id: "2026-11-26T19:00:00", start: { utc: "2026-11-26T18:00:00Z" }, end: { utc: "2026-11-26T19:30:00Z" } } });
	assert.equal(keyOf(object), "tob_1@2026-11-26T19:00:00");
	assert.deepEqual(timesOf(object, "Europe/Berlin"), { allDay: false, start: Date.parse("2026-11-26T18:00:00Z"), end: Date.parse("2026-11-26T19:30:00Z") });
});

test("a whole day ends with the day after it, also without an end", () => {
	const object = { state: { start: { date: "2026-11-29" }, end: null } };
	assert.deepEqual(timesOf(object, "UTC"), { allDay: true, start: "2026-11-29", end: "2026-11-30" });
	object.state.end = { date: "2026-12-02" };
	assert.deepEqual(timesOf(object, "UTC"), { allDay: true, start: "2026-11-29", end: "2026-12-02" });
});

test("a task is at the time at which it is due, and cannot be resized", () => {
	const task = { id: "t", object_type: "task", title: "Taxes", state: { start: null, occurrence: { start: null, end: { date: "2026-12-24" } }, status: "needs_action" }, action_descriptors: [{ id: "move" }] };
	const entry = entryOf(task, options);
	assert.deepEqual([entry.start, entry.end, entry.movable, entry.resizable, entry.done], ["2026-12-24", "2026-12-25", true, false, false]);
	assert.equal(entryOf({ ...task, state: { ...task.state, occurrence: { start: null, end: null } } }, options), null);
});

test("a time without a zone is one of the shown zone", () => {
	const object = { state: { start: { date_time: "2026-07-01T09:00:00", utc: null }, end: { date_time: "2026-07-01T10:00:00", utc: null } } };
	assert.equal(timesOf(object, "Australia/Lord_Howe").start, Date.parse("2026-06-30T22:30:00Z"));
});

test("an entry without the action to move stays where it is", () => {
	const entry = entryOf({ ...timed("2026-11-26T18:00:00Z", "2026-11-26T19:00:00Z"), action_descriptors: [{ id: "update" }] }, options);
	assert.deepEqual([entry.movable, entry.resizable], [false, false]);
});

test("an entry has the name of its calendar beside its location", () => {
	const entry = entryOf(timed("2026-11-26T18:00:00Z", "2026-11-26T19:00:00Z", { calendar_name: "Family", location: "Pembroke" }), options);
	assert.deepEqual([entry.calendar, entry.detail], ["Family", "Pembroke"]);
});

test("a cancelled entry is struck, a tentative one and one without an answer are hatched", () => {
	const state = (more, unanswered) => entryOf(timed("2026-11-26T18:00:00Z", "2026-11-26T19:00:00Z", more), { ...options, unanswered }).state;
	assert.equal(state({ status: "cancelled" }), "cancelled");
	assert.equal(state({ status: "tentative" }), "hatched");
	assert.equal(state({ source_object_id: "evt_1" }, new Set(["evt_1"])), "hatched");
	assert.equal(state({ source_object_id: "evt_1" }, new Set()), undefined);
});

test("invitations without an answer are entries of their own, but not other events", () => {
	const event = (more) => ({ object_type: "event", world_object_id: "wo_1", title: "Supper", state: { visibility: "invited", rsvp: { mine: "none" }, host: { id: 4, display_name: "Bea" }, status: "scheduled", start: "2026-11-28T18:00:00", end: "2026-11-28T22:00:00", timezone: "Europe/Berlin", all_day: false, ...more } });
	const context = { memberId: 1, zone: "UTC", asks: (name) => `${name} asks` };
	const [entry] = invitationEntries([event()], context);
	assert.deepEqual([entry.start, entry.state, entry.detail], [Date.parse("2026-11-28T17:00:00Z"), "hatched", "Bea asks"]);
	assert.deepEqual(invitationEntries([event({ rsvp: { mine: "going" } }), event({ visibility: "public" }), event({ host: { id: 1 } }), event({ status: "cancelled" })], context), []);
});

test("a move sends instants for an entry with a zone, and times on the clock without one", () => {
	const range = { allDay: false, start: Date.parse("2026-10-25T01:30:00Z"), end: Date.parse("2026-10-25T02:30:00Z") };
	assert.deepEqual(moveFields(timed("", ""), range, "Europe/Berlin"), { start: "2026-10-25T01:30:00Z", end: "2026-10-25T02:30:00Z" });
	assert.deepEqual(moveFields(timed("", "", { timezone: null }), range, "Europe/Berlin"), { start: "2026-10-25T02:30:00", end: "2026-10-25T03:30:00" });
	const task = (state) => ({ object_type: "task", state });
	const day = { allDay: true, start: "2026-11-27", end: "2026-11-28" };
	assert.deepEqual(moveFields(task({ due: { date: "2026-11-25" } }), day, "UTC"), { due: "2026-11-27" });
	assert.deepEqual(moveFields(task({ start: { date: "2026-11-25" } }), day, "UTC"), { start: "2026-11-27" });
});

test("a task with a start is at its due time, and both move together", () => {
	const days = { id: "t", object_type: "task", title: "Paint", state: { start: { date: "2026-11-26" }, due: { date: "2026-11-28" }, status: "needs_action" }, action_descriptors: [{ id: "move" }] };
	assert.deepEqual(timesOf(days, "UTC"), { allDay: true, start: "2026-11-28", end: "2026-11-29" });
	assert.deepEqual(moveFields(days, { allDay: true, start: "2026-11-27", end: "2026-11-28" }, "UTC"), { start: "2026-11-25", due: "2026-11-27" });
	const timed = { ...days, state: { start: { utc: "2026-10-23T07:00:00Z" }, due: { utc: "2026-10-24T15:00:00Z" }, timezone: "Europe/Berlin" } };
	const later = Date.parse("2026-10-25T16:00:00Z"); // the clocks have changed since the day before
	assert.deepEqual(moveFields(timed, { allDay: false, start: later, end: later }, "Europe/Berlin"), { start: "2026-10-24T07:00:00Z", due: "2026-10-25T16:00:00Z" });
});

test("a form begins with the time on the clock of the zone", () => {
	assert.deepEqual(formTimes({ allDay: false, start: Date.parse("2026-11-26T18:00:00Z"), end: Date.parse("2026-11-26T19:00:00Z") }, "Europe/Berlin"), { start: "2026-11-26T19:00:00", end: "2026-11-26T20:00:00", all_day: false });
	assert.deepEqual(formTimes({ allDay: true, start: "2026-11-26", end: "2026-11-28" }, "UTC"), { start: "2026-11-26", end: "2026-11-28", all_day: true });
});

test("an entry until midnight does not reach the next day", () => {
	assert.deepEqual(daysOf({ allDay: false, start: Date.parse("2026-11-26T20:00:00Z"), end: Date.parse("2026-11-27T00:00:00Z") }, "UTC"), { first: "2026-11-26", last: "2026-11-26" });
});

test("an agenda has each entry once, on its first day in the range, whole days first", () => {
	const entries = [
		{ id: "b", allDay: false, start: Date.parse("2026-11-26T08:00:00Z"), end: Date.parse("2026-11-26T09:00:00Z") },
		{ id: "a", allDay: true, start: "2026-11-20", end: "2026-11-28" }, { id: "old", allDay: true, start: "2026-11-01", end: "2026-11-02" },
		{ id: "c", allDay: false, start: Date.parse("2026-11-27T08:00:00Z"), end: Date.parse("2026-11-27T09:00:00Z") },
	];
	const days = groupByDay(entries, "2026-11-26", "2026-12-26", "UTC").map(([day, list]) => [day, list.map(({ id }) => id)]);
	assert.deepEqual(days, [["2026-11-26", ["a", "b"]], ["2026-11-27", ["c"]]]);
});

test("a new entry begins with the next full hour today, and with the day on other days", () => {
	const context = { now: Date.parse("2026-11-25T10:20:00Z"), zone: "Europe/Berlin", dayStart: "08:00" };
	assert.equal(suggestRange("2026-11-25", context).start, Date.parse("2026-11-25T11:00:00Z"));
	assert.equal(suggestRange("2026-11-27", context).start, Date.parse("2026-11-27T07:00:00Z"));
	assert.equal(suggestRange("2026-11-25", { ...context, now: Date.parse("2026-11-25T22:30:00Z") }).start, Date.parse("2026-11-25T07:00:00Z"));
	const kolkata = { ...context, zone: "Asia/Kolkata" };
	assert.equal(suggestRange("2026-11-25", kolkata).start, Date.parse("2026-11-25T10:30:00Z"), "16:00, with half an hour in the offset");
});
