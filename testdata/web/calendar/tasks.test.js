import assert from "node:assert/strict";
import { test } from "node:test";
import { dueOf, groupTasks } from "../../../assets/web/calendar/duetasks.js";

const task = (title, due, more = {}) => ({ title, state: { status: "needs_action", due, ...more } });
const day = (date) => ({ date });
const context = { today: "2026-11-25", zone: "Europe/Berlin", weekStart: 1 };
const namesOf = (groups) => groups.map(({ id, tasks }) => [id, tasks.map(({ title }) => title)]);

test("tasks are in groups by the day on which they are due", () => {
	const tasks = [task("later", day("2026-11-30")), task("never", null), task("today", day("2026-11-25")), task("late", day("2026-11-24")), task("sunday", day("2026-11-29")), task("done", day("2026-11-20"), { status: "completed" })];
	assert.deepEqual(namesOf(groupTasks(tasks, context)), [["overdue", ["late"]], ["today", ["today"]], ["week", ["sunday"]], ["later", ["later"]], ["never", ["never"]], ["done", ["done"]]]);
});

test("the week ends with the member's last day of the week", () => {
	assert.deepEqual(namesOf(groupTasks([task("sunday", day("2026-11-29"))], { ...context, weekStart: 7 })), [["later", ["sunday"]]]);
});

test("a task of today whose time has passed is overdue", () => {
	assert.deepEqual(namesOf(groupTasks([task("noon", { utc: "2026-11-25T11:00:00Z" }, { is_overdue: true })], context)), [["overdue", ["noon"]]]);
});

test("the day of an instant is that of the zone of the member", () => {
	assert.equal(dueOf(task("x", { utc: "2026-11-25T23:30:00Z" }), "Europe/Berlin"), "2026-11-26");
	assert.equal(dueOf(task("x", { utc: "2026-11-25T13:30:00Z" }), "Australia/Lord_Howe"), "2026-11-26");
});

test("more urgent tasks of a day are first", () => {
	assert.deepEqual(namesOf(groupTasks([task("b", day("2026-11-25")), task("a", day("2026-11-25")), task("c", day("2026-11-25"), { priority: 1 })], context)), [["today", ["c", "a", "b"]]]);
});
