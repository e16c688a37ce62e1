import assert from "node:assert/strict";
import { test } from "node:test";
import { withDefaults } from "../../../assets/web/editor/controls.js";

test("values of another form do not replace the hidden controls of an action", () => {
	const task = [
		{ id: "title", type: "text", default: "" }, { id: "due", type: "datetime", default: "" },
		{ id: "object_type", type: "hidden", default: "task" },
	];
	const values = { title: "Buy milk", start: "2026-12-03T09:00:00", object_type: "calendar_event" };
	assert.deepEqual(withDefaults(task, values).map((control) => control.default), ["Buy milk", "", "task"]);
});
