import assert from "node:assert/strict";
import { test } from "node:test";
import { Actions } from "../../../assets/web/frame/actions.js";
import { taskRows } from "../../../assets/web/today/tasks.js";
import { openPage } from "../dom.js";

test("a task that was completed without a connection remains checked when Today is rendered again", () => {
	openPage();
	const complete = { id: "complete", type: "update_time_object", method: "PATCH", url: "/tasks/1", body: { status: "completed" } };
	const list = [];
	const app = {
		words: { zone: "UTC", day: { complete: String } }, store: { session: {} },
		queue: { entriesOf: ({ url }) => list.filter(({ path }) => path === url) },
	};
	app.actions = new Actions(app);
	const items = [{ id: "1", title: "Water the plants", metadata: {}, actions: [complete] }];
	const box = () => taskRows(app, items).querySelector("input");
	assert.ok(!box().checked);
	list.push({ kind: "tick", state: "waiting", path: "/tasks/1", action: complete });
	assert.equal(box().checked, true);
});
