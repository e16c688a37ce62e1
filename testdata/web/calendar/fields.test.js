import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFields, conflicts, scopesFor } from "../../../assets/web/calendar/fields.js";
import { arrangeControls, shortFormControls, withDefaults } from "../../../assets/web/editor/controls.js";

const controls = ["title", "start", "end", "timezone", "all_day", "description", "rrule", "status", "calendar_id", "scope"].map((id) => ({ id, type: "text" }));

test("a form has the frequent fields in order, the rest under More, and no scope", () => {
	const { controls: shown, more } = arrangeControls([...controls, { id: "object_type", type: "hidden" }]);
	assert.deepEqual(shown.map(({ id }) => id), ["title", "start", "end", "all_day", "timezone", "rrule", "calendar_id", "description", "status", "object_type"]);
	assert.deepEqual(more, ["status"]);
});

test("the short form keeps the values of hidden fields", () => {
	assert.deepEqual(shortFormControls([...controls, { id: "object_type", type: "hidden" }]).map(({ id }) => id), ["title", "start", "end", "all_day", "calendar_id", "object_type"]);
});

test("values without a control are left out", () => {
	assert.deepEqual(withDefaults([{ id: "title", default: "" }], { title: "Choir", due: "2026-11-26" }), [{ id: "title", default: "Choir" }]);
});

test("only changed fields are sent, times together", () => {
	const before = { title: "Choir", start: "2026-11-26T19:00:00", end: "2026-11-26T20:30:00", timezone: "Europe/Berlin", all_day: false, alarms: [] };
	assert.deepEqual(changedFields(before, { ...before }), {});
	assert.deepEqual(changedFields(before, { ...before, title: "Singing" }), { title: "Singing" });
	assert.deepEqual(changedFields(before, { ...before, end: "2026-11-26T21:00:00" }), { end: "2026-11-26T21:00:00", start: "2026-11-26T19:00:00", all_day: false, timezone: "Europe/Berlin" });
});

test("a field that was emptied is sent as empty", () => {
	assert.deepEqual(changedFields({ location: "Hall" }, { location: "" }), { location: "" });
});

test("a change of the rule is not for one occurrence", () => {
	const action = { scopes: [{ value: "this" }, { value: "this_and_future" }, { value: "all" }] };
	assert.equal(scopesFor(action, { title: "x" }).length, 3);
	assert.deepEqual(scopesFor(action, { rrule: "FREQ=DAILY" }).map(({ value }) => value), ["this_and_future", "all"]);
	assert.deepEqual(scopesFor({}, { title: "x" }), []);
});

test("a conflict names only the fields that differ", () => {
	const current = [{ id: "title", type: "text", default: "Singing" }, { id: "location", type: "text", default: "Hall" }];
	assert.deepEqual(conflicts(current, { title: "Choir", location: "Hall", scope: "this" }).map(({ control, mine, theirs }) => [control.id, mine, theirs]), [["title", "Choir", "Singing"]]);
});

test("a conflict names the last day of an all-day entry, as its form does", () => {
	const control = (id, type, value) => ({ id, type, default: value });
	const current = [
		control("start", "datetime", "2026-11-26"), control("end", "datetime", "2026-11-28"), control("all_day", "checkbox", true),
	];
	const fields = { start: "2026-11-26", end: "2026-11-29", all_day: true };
	assert.deepEqual(conflicts(current, fields).map(({ mine, theirs }) => [mine, theirs]), [["2026-11-28", "2026-11-27"]]);
});
