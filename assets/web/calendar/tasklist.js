// The view of tasks: a list in groups by due date, and a form for new tasks.

import { button, el, icon, uid } from "../parts/el.js";
import { emptyView } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { chips } from "../parts/tabs.js";
import { keepFocus } from "../frame/focus.js";
import { makeKeys } from "../world/client.js";
import { actionOf, keyOf, timesOf } from "./entries.js";
import { dueOf, groupTasks, isDone } from "./duetasks.js";
import { remove, withForms } from "./writes.js";
import { colorProps } from "../parts/person.js";

const TICK_DELAY = 350; // milliseconds before a task moves to another group, so that the member sees the changed checkbox

// LATEST_TIME is the time of completion of a ticked task until the panel contains it: the latest one. With the
// present time, the list would differ, and be rendered again, after each change of the queue.
const LATEST_TIME = "9999-12-31T00:00:00Z";

// createTaskList returns { element, update({ panel, weekStart, url, routeOf }), focus(), destroy() }.
// update shows the tasks of the panel with the path url; routeOf(task) returns the route of a task.
// focus focuses the form for new tasks. destroy ends the subscription to the queue.
export function createTaskList(app) {
	const { words } = app;
	const text = words.calendar;
	const input = el("input", {
		class: "input", type: "text", "aria-label": text.newTask(), placeholder: text.newTask(), maxlength: 200, dir: "auto", autocomplete: "off",
	});
	const form = el("form", { class: "new-task", on: { submit: add } }, icon("plus"), input);
	const filter = el("div", {});
	const list = el("div", { class: "stack-l" });
	const element = el("div", { class: "agenda tasks" }, el("div", { class: "stack" }, form, filter, list));
	const ticks = new Map(); // key of a task → { done, action, queueId } of a changed checkbox, until the panel contains the change
	let moveTimer = 0; // timer of draw after a change of a checkbox, or 0
	let latestOptions = null; // the argument of the latest call of update
	let keyFor = makeKeys();
	let adding = Promise.resolve(); // resolved when all entered tasks have been created
	let selected = []; // ids of the calendars whose tasks are visible; empty for all
	let filterKey = ""; // identifies the calendars that the filter offers
	let drawnKey = ""; // identifies the data that the list shows

	function update(next) {
		latestOptions = next;
		const { panel } = next;
		form.hidden = !createAction(panel);
		drawFilter(panel);
		draw();
	}

	const createAction = (panel) => panel?.action_descriptors?.find(({ id }) => id === "create_task");

	// drawFilter draws the filter by calendar, if there are tasks of more than one.
	function drawFilter({ calendars, tasks }) {
		const usedCalendars = calendars.filter(({ id }) => tasks.some(({ state }) => state.calendar_id === id));
		const key = JSON.stringify(usedCalendars.map(({ id, name }) => [id, name]));
		if (key === filterKey) return;
		filterKey = key;
		selected = selected.filter((id) => usedCalendars.some((calendar) => calendar.id === id));
		const change = (values) => {
			selected = values;
			draw();
		};
		const options = usedCalendars.map(({ id, name }) => ({ value: id, label: name }));
		const group = usedCalendars.length > 1 && chips(options, { label: text.calendars(), values: selected, change }).element;
		filter.replaceChildren(...[group].filter(Boolean));
	}

	function draw() {
		const { panel, weekStart, routeOf } = latestOptions;
		const tasks = panel.tasks.filter(({ state }) => selected.length === 0 || selected.includes(state.calendar_id)).map(withTick);
		const key = JSON.stringify([words.currentDay(), weekStart, tasks]);
		if (key === drawnKey) return;
		drawnKey = key;
		const groups = groupTasks(tasks, { today: words.currentDay(), zone: words.zone, weekStart });
		const sections = () => groups.map((group) => groupSection(group, routeOf));
		keepFocus(list, () => list.replaceChildren(...(groups.length > 0 ? sections() : [emptyView({ art: "cup", title: text.nothingToDo() })])));
	}

	// tickAction returns the action of a task of the panel that completes it or opens it again.
	const tickAction = (task) => actionOf(task, isDone(task) ? "reopen" : "complete");

	// allAction returns the action of a task of the panel that completes all occurrences up to today, or
	// undefined.
	const allAction = (task) => actionOf(task, "complete_up_to_today");

	// withTick returns a task with the state of its checkbox as the member last set it. The write may
	// still be in the queue, also from an earlier visit.
	function withTick(task) {
		const done = ticks.get(keyOf(task))?.done ?? app.actions.isTicked(tickAction(task), allAction(task));
		if (done === undefined || done === isDone(task)) return task;
		const stateChange = { status: done ? "completed" : "needs_action", completed_at: done ? LATEST_TIME : null };
		return { ...task, state: { ...task.state, ...stateChange } };
	}

	// groupSection returns the section of a group of groupTasks. The section of completed tasks can be
	// closed, and is open at first if it has at most three tasks.
	function groupSection({ id, tasks }, routeOf) {
		const titleId = uid("group");
		const items = tasks.map((task) => el("li", { "data-id": keyOf(task) }, taskRow(task, id, routeOf)));
		const rows = el("ul", { class: "rows flat", "aria-labelledby": titleId }, items);
		const heading = el("h2", { id: titleId, text: text.taskGroup(id) });
		if (id !== "done") return el("section", { class: `task-group ${id}` }, heading, rows);
		const count = el("span", { class: "quiet small num", text: words.number(tasks.length) });
		return el("details", { class: "task-group done", open: tasks.length < 4 }, el("summary", {}, heading, count), rows);
	}

	// taskRow returns the row of a task of withTick. The actions of the row are the actions of the task in
	// the panel.
	function taskRow(task, group, routeOf) {
		const done = isDone(task);
		const original = latestOptions.panel.tasks.find((other) => keyOf(other) === keyOf(task));
		const tick = tickAction(original);
		const color = colorProps(task.state.color);
		const check = el("input", {
			type: "checkbox", checked: done, disabled: !tick, "aria-label": text.complete(task.title),
			on: { change: () => onTick(original, tick, check) },
		});
		const day = dueOf(task, words.zone);
		const times = timesOf(task, words.zone);
		const time = times && !times.allDay && words.time(times.start);
		const due = day && [group !== "today" && words.dueText(day), time].filter(Boolean).join(", ");
		const sub = [due, task.state.calendar_name, task.state.recurrence?.text].filter(Boolean).join(" · ");
		const deletion = actionOf(original, "delete");
		const items = [
			actionOf(original, "update") && { label: words.change(), icon: "edit", run: () => openTaskForm(original) },
			deletion && { label: text.erase(), icon: "trash", bad: deletion.destructive, run: () => remove(app, original) },
		].filter(Boolean);
		const moreButton = () => button({ label: words.frame.moreFor(task.title), icon: "more", iconOnly: true, kind: "plain s" });
		const more = items.length > 0 && menuButton(moreButton(), () => items, { label: task.title, end: true });
		const title = el("span", { class: `clip${done ? " struck quiet" : ""}`, dir: "auto", text: task.title });
		const details = sub && el("span", { class: `row-sub clip${group === "overdue" ? " late" : ""}`, text: sub });
		const link = el("a", { class: "row-main", href: app.href(routeOf(task)) }, title, details);
		return el("div", { class: "row task-row" }, el("span", { class: `check round ${color.class}`, vars: color.vars }, check, link), more);
	}

	// onTick sends the change of a checkbox with an action that completes or reopens the task.
	async function onTick(task, action, check) {
		const key = keyOf(task);
		const done = check.checked;
		const chosen = (!done && ticks.get(key)?.action) || (await app.actions.tickAction(action, allAction(task), done, task.title));
		if (!chosen) return void (check.checked = false);
		const tick = { done, action: chosen, queueId: null };
		ticks.set(key, tick);
		clearTimeout(moveTimer);
		moveTimer = setTimeout(() => {
			moveTimer = 0;
			draw();
		}, TICK_DELAY);
		const data = await app.actions.tickBox(chosen, check, task.title);
		if (!data?.queued) return endTick(key, tick, data !== null);
		tick.queueId = data.queued.id;
		return onQueue(); // the write may have left the queue already
	}

	// onQueue ends the ticks whose writes have left the queue: they have been sent or discarded. It draws
	// the ticks that the queue contains since an earlier visit.
	function onQueue() {
		const unsent = new Set(app.queue.list.filter(({ state }) => state !== "failed").map(({ id }) => id));
		for (const [key, tick] of ticks) if (tick.queueId !== null && !unsent.has(tick.queueId)) endTick(key, tick, true);
		if (latestOptions && !moveTimer) draw();
	}

	// endTick shows the state of the panel for a task again, which it first reads if hasChanged is true.
	async function endTick(key, tick, hasChanged) {
		if (hasChanged) await app.reader.read(latestOptions.url).catch(() => {});
		if (ticks.get(key) === tick) ticks.delete(key); // otherwise the member has changed the checkbox again
		draw();
	}

	// openTaskForm opens the form of a task.
	function openTaskForm(task) {
		return withForms(app, async ({ editEntry, readEntry }) => editEntry(app, await readEntry(app, task)));
	}

	// add creates a task with the title in the form. Tasks are created one after the other; meanwhile,
	// the member can enter further titles.
	function add(event) {
		event.preventDefault();
		const title = input.value.trim();
		const action = createAction(latestOptions?.panel);
		if (!title || !action) return;
		input.value = "";
		adding = adding.then(() => addTask(action, title));
	}

	async function addTask(action, title) {
		form.setAttribute("aria-busy", "true");
		try {
			const values = { title, ...(selected.length === 1 && { calendar_id: selected[0] }) };
			await app.dispatcher.perform(action, values, { key: keyFor(values) });
			keyFor = makeKeys(); // a second task may have the same title
			app.say(text.created(title));
			await app.reader.read(latestOptions.url).catch(() => {});
		} catch (error) {
			input.value = [title, input.value].filter(Boolean).join(", ");
			app.actions.showError(error);
		} finally {
			form.removeAttribute("aria-busy");
		}
	}
	const unsubscribe = app.queue.subscribe(onQueue);
	return {
		element, update, focus: () => input.focus(),
		destroy: () => {
			clearTimeout(moveTimer);
			unsubscribe();
		},
	};
}
