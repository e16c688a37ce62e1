import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { atEnd, later } from "../dom.js";
import { createTaskList } from "../../../assets/web/calendar/tasklist.js";

// openTasks shows a task whose writes wait in the queue. queue(state) sets the state of the write, or
// removes it without a state.
async function openTasks() {
	const task = { id: "t1", object_type: "task", title: "Bins", state: { status: "needs_action", calendar_id: "c1" } };
	const request = (id, status) => ({ id, type: "update_time_object", method: "PATCH", url: "/t1", body: { status } });
	task.action_descriptors = [request("complete", "completed"), request("reopen", "needs_action")];
	const panel = () => ({ calendars: [], tasks: [{ ...task, state: { ...task.state } }], action_descriptors: [] });
	const opened = await openApp({ areas: ["calendar"], read: panel, perform: () => (queue("waiting"), { queued: { id: 7 } }) });
	const { app, main } = opened;
	const queue = (state) => app.queue.set(state ? [{ id: 7, kind: "tick", path: "/t1", state, action: task.action_descriptors[0] }] : []);
	const show = () => {
		const tasks = createTaskList(app);
		atEnd(() => tasks.destroy());
		main.replaceChildren(tasks.element);
		tasks.update({ panel: panel(), weekStart: 1, url: "/tasks", routeOf: () => ({ kind: "today" }) });
		app.reader.watch("/tasks", [], (next) => tasks.update({ panel: next, weekStart: 1, url: "/tasks", routeOf: () => ({ kind: "today" }) }));
		return tasks;
	};
	return { ...opened, task, queue, show, box: () => main.querySelector("input[type=checkbox]") };
}

test("a task that was completed without a connection stays completed until its write is sent", async () => {
	const { task, queue, show, box } = await openTasks();
	show();
	box().tick();
	await later(400);
	assert.equal(box().checked, true);
	task.state.status = "completed";
	queue();
	await later();
	assert.equal(box().checked, true);
	task.state.status = "needs_action"; // another client has opened the task again
	show();
	assert.equal(box().checked, false);
});

test("a task is open again when its unsent write is discarded or rejected", async () => {
	for (const state of [undefined, "failed"]) {
		const { queue, show, box } = await openTasks();
		show();
		box().tick();
		await later(400);
		queue(state);
		await later();
		assert.equal(box().checked, false, state);
	}
});

test("another client can open a task again that was completed without a connection", async () => {
	const { app, task, queue, show, box } = await openTasks();
	show();
	box().tick();
	await later();
	task.state.status = "completed";
	queue();
	await later(400);
	task.state.status = "needs_action";
	await app.reader.read("/tasks");
	assert.equal(box().checked, false);
});

test("a task whose write waits since an earlier visit is completed", async () => {
	const { queue, show, box } = await openTasks();
	show();
	assert.equal(box().checked, false);
	queue("waiting");
	assert.equal(box().checked, true);
});

test("a task whose due time has no time zone shows that time", async () => {
	const { task, show, main } = await openTasks();
	task.state.due = { date: null, date_time: "2026-12-24T18:00:00", utc: null };
	show();
	assert.match(main.querySelector(".row-sub").textContent, /18:00/);
});

test("the list of tasks is not made again by changes of the queue that do not change a task", async () => {
	const { queue, show, box } = await openTasks();
	show();
	queue("waiting");
	const node = box();
	await later(2);
	queue("sending");
	assert.equal(box(), node);
});
