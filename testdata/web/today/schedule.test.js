import assert from "node:assert/strict";
import { test } from "node:test";
import { groupSchedule, daysOf, dueDay, isLate, spanOf, upcomingEntries } from "../../../assets/web/today/schedule.js";

const NOW = Date.parse("2026-11-26T12:42:00Z");
const at = (title, start, end) => ({ title, metadata: { start: { utc: start, date_time: "x" }, end: end && { utc: end, date_time: "x" } } });
const titles = (spans) => spans.map(({ item }) => item.title);

test("whole days come first, then entries that have begun and later ones", () => {
	const { days, begun, coming, free } = groupSchedule([
		at("choir", "2026-11-26T18:00:00Z", "2026-11-26T19:30:00Z"), at("stand-up", "2026-11-26T08:00:00Z", "2026-11-26T08:30:00Z"),
		{ title: "bins", metadata: { start: { date: "2026-11-26", date_time: null, utc: null } } }, at("swimming", "2026-11-26T14:30:00Z"),
	], { now: NOW, zone: "Europe/Berlin" });
	assert.deepEqual([titles(days), titles(begun), titles(coming)], [["bins"], ["stand-up"], ["swimming", "choir"]]);
	assert.equal(free, Date.parse("2026-11-26T14:30:00Z"));
});

test("an entry that has begun before today and ends after it is one of the whole day", () => {
	const { days, begun, coming } = groupSchedule([
		at("night", "2026-11-25T21:00:00Z", "2026-11-26T05:15:00Z"), at("fair", "2026-11-25T09:00:00Z", "2026-11-27T17:00:00Z"), at("party", "2026-11-26T20:00:00Z", "2026-11-27T01:00:00Z"),
	], { now: NOW, zone: "Europe/Berlin" });
	assert.deepEqual([titles(days), titles(begun), titles(coming)], [["fair"], ["night"], ["party"]]);
	assert.deepEqual([...days, ...begun, ...coming].map(({ first, last }) => `${first.slice(-2)}–${last.slice(-2)}`), ["25–27", "25–26", "26–27"]);
});

test("during an entry, there is no free time", () => {
	const { begun, coming, free } = groupSchedule([at("lunch", "2026-11-26T12:00:00Z", "2026-11-26T13:00:00Z"), at("choir", "2026-11-26T18:00:00Z")], { now: NOW, zone: "Europe/Berlin" });
	assert.deepEqual([titles(begun), titles(coming), free], [["lunch"], ["choir"], null]);
});

test("the last day of an entry is the one on which it ends", () => {
	const days = (start, end) => { const { first, last } = daysOf(spanOf({ metadata: { start, end } }), "Europe/Berlin"); return `${first.slice(-2)} ${last.slice(-2)}`; };
	const date = (day) => ({ date: `2026-11-${day}`, date_time: null, utc: null });
	const time = (utc) => ({ utc, date_time: "x" });
	assert.equal(days(date("26"), date("29")), "26 28");
	assert.equal(days(date("26"), date("27")), "26 26");
	assert.equal(days(date("26"), null), "26 26");
	assert.equal(days(time("2026-11-26T21:40:00Z"), time("2026-11-27T06:15:00Z")), "26 27");
	assert.equal(days(time("2026-11-26T18:00:00Z"), time("2026-11-26T23:00:00Z")), "26 26", "it ends at midnight");
	assert.equal(days(time("2026-11-26T18:00:00Z"), null), "26 26");
});

const entry = (title, start, more = {}) => ({ title, object_type: "calendar_event", state: { start, status: "confirmed", local_visibility: "visible", ...more } });

test("the next entries begin after today in the zone of the member", () => {
	const objects = [
		entry("late", { utc: "2026-11-28T17:00:00Z", date_time: "x" }), entry("tonight in Berlin", { utc: "2026-11-26T22:30:00Z", date_time: "x" }),
		entry("after midnight in Berlin", { utc: "2026-11-26T23:30:00Z", date_time: "x" }), entry("whole day", { date: "2026-11-27", date_time: null, utc: null }),
		entry("cancelled", { utc: "2026-11-27T10:00:00Z" }, { status: "cancelled" }), entry("hidden", { utc: "2026-11-27T10:00:00Z" }, { local_visibility: "hidden" }),
		entry("weekly", { utc: "2026-11-01T10:00:00Z" }, { occurrence: { start: { utc: "2026-11-29T10:00:00Z", date_time: "x" } } }), { title: "task", object_type: "task", state: {} },
	];
	assert.deepEqual(upcomingEntries(objects, { now: NOW, zone: "Europe/Berlin" }).map(({ object }) => object.title), ["after midnight in Berlin", "whole day", "late", "weekly"]);
});

test("a task is late from the day after it is due", () => {
	const due = (end, more) => ({ metadata: { end, ...more } });
	const options = { now: NOW, zone: "Europe/Berlin" };
	assert.deepEqual([due({ date: "2026-11-25" }), due({ date: "2026-11-26" }), due(null), due({ date: "2026-12-01" }, { is_overdue: true })].map((item) => isLate(item, options)), [true, false, false, true]);
	assert.equal(dueDay(due({ date_time: "x", utc: "2026-11-26T23:30:00Z" }), "Europe/Berlin"), "2026-11-27");
});
