import assert from "node:assert/strict";
import { test } from "node:test";
import { entryOf, timesOf, wallTime } from "../../../assets/web/read/events.js";

test("times are those at the place", () => {
	assert.deepEqual(timesOf({ start: "2026-12-12T08:30:00Z", end: "2026-12-12T14:00:00Z", utc_offset: "+01:00" }), { day: "2026-12-12", time: "09:30", endDay: "2026-12-12", endTime: "15:00", offset: "+01:00" });
	assert.deepEqual(timesOf({ start: "2026-12-12T23:30:00Z", utc_offset: "+01:00" }), { day: "2026-12-13", time: "00:30", endDay: "", endTime: "", offset: "+01:00" });
	assert.equal(timesOf({ start: "2026-12-12T09:30:00" }).time, "09:30");
	assert.deepEqual(timesOf({ start: "2026-12-12", end: "2026-12-14" }), { day: "2026-12-12", time: "", endDay: "2026-12-14", endTime: "", offset: "" });
	for (const start of ["", "soon", "2026-13-45", null, 7, {}]) assert.equal(timesOf({ start }), null, String(start));
});

test("an event becomes a calendar entry at the same instant in the zone of the member", () => {
	const values = entryOf({ name: "Shanty", start: "2026-11-27T19:00:00Z", end: "2026-11-27T21:00:00Z", utc_offset: "+01:00" }, { zone: "America/New_York", where: "Quay" });
	assert.deepEqual(values, { title: "Shanty", location: "Quay", description: "", all_day: false, start: "2026-11-27T14:00:00", end: "2026-11-27T16:00:00", timezone: "America/New_York" });
});

test("an event without an end takes an hour, one that ends before it starts none", () => {
	const entry = (more) => entryOf({ name: "x", start: "2026-11-27T19:00:00", ...more }, { zone: "Europe/Berlin" });
	assert.equal(entry({}).end, "2026-11-27T20:00:00");
	assert.equal(entry({ end: "2026-11-27T18:00:00" }).end, "2026-11-27T19:00:00");
	assert.equal(entryOf({ name: "x", start: "someday" }, { zone: "UTC" }), null);
});

test("an event with a time and a day as its end is over at the end of a later day, or after an hour", () => {
	const entry = (more) => entryOf({ name: "x", start: "2026-11-27T19:00:00", ...more }, { zone: "Europe/Berlin" });
	assert.equal(entry({ end: "2026-11-27" }).end, "2026-11-27T20:00:00");
	assert.equal(entry({ end: "2026-11-29" }).end, "2026-11-30T00:00:00");
	assert.equal(entry({ start: "2026-11-27T23:30:00Z", utc_offset: "+01:00", end: "2026-11-28" }).end, "2026-11-28T01:30:00");
});

test("the end of whole days is the day after the last one", () => {
	assert.deepEqual(entryOf({ name: "Fair", start: "2026-12-30", end: "2026-12-31" }, { zone: "UTC" }), { title: "Fair", location: "", description: "", all_day: true, start: "2026-12-30", end: "2027-01-01" });
	assert.equal(entryOf({ name: "Day", start: "2026-12-30" }, { zone: "UTC" }).end, "2026-12-31");
});

test("wall times follow changes of clocks", () => {
	assert.equal(wallTime(Date.parse("2026-03-29T00:59:00Z"), "Europe/Berlin"), "2026-03-29T01:59:00");
	assert.equal(wallTime(Date.parse("2026-03-29T01:00:00Z"), "Europe/Berlin"), "2026-03-29T03:00:00");
});
