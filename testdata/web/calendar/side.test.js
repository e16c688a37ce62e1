import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { createSide } from "../../../assets/web/calendar/side.js";

test("the checkboxes beside the calendar show the unsent ticks, without new elements", async () => {
	const command = { method: "PATCH", url: "/t1", body: { status: "completed" } };
	const action = { action_id: "a1", type: "update_time_object", command };
	const task = { object_type: "task", title: "Bins", world_object_id: "wo_1", actions: ["a1"], state: { status: "needs_action" } };
	const { app, main } = await openApp({ areas: ["calendar"], dataset: { objects: [task], actions: [action] } });
	const queue = (status, state = "waiting") => {
		const entry = { id: 7, kind: "tick", path: "/t1", state, action: { ...action, command: { ...command, body: { status } } } };
		app.queue.set(status ? [entry] : []);
	};
	queue("completed"); // since an earlier visit
	const side = createSide(app, { tasksRoute: () => ({ kind: "today" }) });
	main.append(side.element);
	const [box] = main.querySelectorAll(".cal-todo input");
	assert.equal(box.checked, true);
	for (const [status, state, want] of [["needs_action", "waiting", false], ["completed", "sending", true], ["completed", "failed", false]]) {
		queue(status, state);
		side.showTicks();
		assert.equal(box.checked, want, state);
	}
	box.checked = true; // pressed: the queue does not contain the tick yet
	queue();
	side.showTicks();
	assert.equal(box.checked, true);
	assert.equal(main.querySelector(".cal-todo input"), box);
});
