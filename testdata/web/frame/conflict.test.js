import assert from "node:assert/strict";
import { test } from "node:test";
import { etagOf, versions } from "../../../assets/web/frame/conflict.js";

const controls = [
	{ id: "title", label: "Title", type: "text" }, { id: "start", label: "Starts", type: "datetime" }, { id: "rrule", label: "Repeats", type: "recurrence" },
	{ id: "status", label: "Status", type: "selector", options: [{ value: "open", label: "Open" }, { value: "done", label: "Done" }] }, { id: "password", label: "Password", type: "password" },
	{ id: "note", label: "Note", type: "text" },
];
const current = { state: { etag: "\"2\"", title: "Supper", start: { date_time: "2026-11-28T19:00:00", date: null }, recurrence: { rrule: "FREQ=WEEKLY" }, status: "done", password: "x" } };

test("only fields that differ are shown, in words", () => {
	const values = { title: "Supper", start: "2026-11-28T18:00:00", rrule: "FREQ=WEEKLY", status: "open", password: "y", note: "new" };
	assert.deepEqual(versions(controls, values, current), [
		{ label: "Starts", mine: "2026-11-28T18:00:00", theirs: "2026-11-28T19:00:00" }, { label: "Status", mine: "Open", theirs: "Done" },
	]);
});

test("the present version has an ETag where World gives one", () => {
	assert.equal(etagOf(current), "\"2\"");
	assert.equal(etagOf({ etag: "\"1\"" }), "\"1\"");
	assert.equal(etagOf(null), undefined);
});
