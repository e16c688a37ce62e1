// Groups tasks by their due dates, without DOM.

import { addDays, dayIn, weekOf } from "../parts/day.js";

// dueOf returns the day on which a task is due in a time zone, or "".
export function dueOf({ state }, zone) {
	const due = state.occurrence?.end ?? state.due;
	if (!due) return "";
	return due.utc ? dayIn(zone, Date.parse(due.utc)) : due.date ?? due.date_time?.slice(0, 10) ?? "";
}

// isDone reports whether a task is completed or cancelled.
export function isDone({ state }) {
	return state.status === "completed" || state.status === "cancelled";
}

// groupTasks returns the groups that have tasks, as { id, tasks }, in the order of the list: overdue,
// today, week (the rest of the week), later, never (without a due date), done. Tasks are sorted by
// due date, priority and title, those in done by the time of their completion, the latest first.
export function groupTasks(tasks, { today, zone, weekStart }) {
	const nextWeek = addDays(weekOf(today, weekStart), 7);
	const groups = { overdue: [], today: [], week: [], later: [], never: [], done: [] };
	for (const task of tasks) {
		const day = dueOf(task, zone);
		if (isDone(task)) groups.done.push(task);
		else if (!day) groups.never.push(task);
		else if (day < today || task.state.is_overdue) groups.overdue.push(task);
		else if (day === today) groups.today.push(task);
		else groups[day < nextWeek ? "week" : "later"].push(task);
	}
	const sortKey = (task) => `${dueOf(task, zone)} ${String(task.state.priority || 10).padStart(2, "0")} ${task.title}`;
	for (const [id, list] of Object.entries(groups)) {
		if (id === "done") list.sort((a, b) => (b.state.completed_at ?? "").localeCompare(a.state.completed_at ?? ""));
		else list.sort((a, b) => sortKey(a).localeCompare(sortKey(b)));
	}
	return Object.entries(groups).filter(([, list]) => list.length > 0).map(([id, list]) => ({ id, tasks: list }));
}
