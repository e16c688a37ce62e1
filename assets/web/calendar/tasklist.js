// The list of tasks, by the time at which they are due.

import { button, el, icon, uid } from "../parts/el.js";
import { empty } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { chips } from "../parts/tabs.js";
import { keepFocus } from "../frame/focus.js";
import { makeKeys } from "../world/client.js";
import { actionOf, keyOf } from "./entries.js";
import { dueOf, groupTasks, isDone } from "./duetasks.js";
import { remove, withEditor } from "./writes.js";
import { colorProps } from "./side.js";

// createTaskList returns { element, update({ panel, weekStart, routeOf }) }.
export function createTaskList(app) {
	const { words } = app;
	const text = words.calendar;
	const input = el("input", { class: "input", type: "text", "aria-label": text.newTask(), placeholder: text.newTask(), maxlength: 200, dir: "auto", autocomplete: "off" });
	const form = el("form", { class: "new-task", on: { submit: add } }, icon("plus"), input);
	const filter = el("div", {});
	const list = el("div", { class: "stack-l" });
	const element = el("div", { class: "agenda tasks" }, el("div", { class: "stack" }, form, filter, list));
	const ticked = new Map(); // key of a task → whether it is done, until the panel says so
	let latest = null;
	let keyFor = makeKeys();
	let adding = Promise.resolve(); // to the tasks entered so far
	let chosen = [];
	let filters = "";
	let drawn = "";

	function update(next) {
		latest = next;
		const { panel } = next;
		form.hidden = !create(panel);
		drawFilter(panel);
		draw();
	}

	const create = (panel) => panel?.action_descriptors?.find(({ id }) => id === "create_task");

	function drawFilter({ calendars, tasks }) {
		const used = calendars.filter(({ id }) => tasks.some(({ state }) => state.calendar_id === id));
		const key = JSON.stringify(used.map(({ id, name }) => [id, name]));
		if (key === filters) return;
		filters = key;
		chosen = chosen.filter((id) => used.some((calendar) => calendar.id === id));
		filter.replaceChildren(...(used.length > 1 ? [chips(used.map(({ id, name }) => ({ value: id, label: name })), { label: text.calendars(), values: chosen, change: (values) => { chosen = values; draw(); } }).element] : []));
	}

	function draw() {
		const { panel, weekStart, routeOf } = latest;
		const tasks = panel.tasks.filter(({ state }) => chosen.length === 0 || chosen.includes(state.calendar_id)).map(withTick);
		const key = JSON.stringify([words.currentDay(), weekStart, tasks]);
		if (key === drawn) return;
		drawn = key;
		const groups = groupTasks(tasks, { today: words.currentDay(), zone: words.zone, weekStart });
		keepFocus(list, () => list.replaceChildren(...(groups.length > 0 ? groups.map((group) => section(group, routeOf)) : [empty({ art: "cup", title: text.nothingToDo() })])));
	}

	function withTick(task) {
		const done = ticked.get(keyOf(task));
		if (done === undefined || done === isDone(task)) return task;
		return { ...task, state: { ...task.state, status: done ? "completed" : "needs_action", completed_at: done ? new Date().toISOString() : null } };
	}

	function section({ id, tasks }, routeOf) {
		const title = uid("group");
		const rows = el("ul", { class: "rows flat", "aria-labelledby": title }, tasks.map((task) => el("li", { "data-id": keyOf(task) }, taskRow(task, id, routeOf))));
		if (id !== "done") return el("section", { class: `task-group ${id}` }, el("h2", { id: title, text: text.taskGroup(id) }), rows);
		return el("details", { class: "task-group done", open: tasks.length < 4 }, el("summary", {}, el("h2", { id: title, text: text.taskGroup(id) }), el("span", { class: "quiet small num", text: words.number(tasks.length) })), rows);
	}

	function taskRow(task, group, routeOf) {
		const done = isDone(task);
		const original = latest.panel.tasks.find((other) => keyOf(other) === keyOf(task));
		const can = actionOf(original, isDone(original) ? "reopen" : "complete");
		const color = colorProps(task.state.color);
		const check = el("input", { type: "checkbox", checked: done, disabled: !can, "aria-label": text.complete(task.title), on: { change: () => onTick(original, can, check) } });
		const day = dueOf(task, words.zone);
		const { utc } = task.state.occurrence?.end ?? task.state.due ?? {};
		const time = utc && words.time(utc);
		const due = day && [group !== "today" && words.dueText(day), time].filter(Boolean).join(", ");
		const sub = [due, task.state.calendar_name, task.state.recurrence?.text].filter(Boolean).join(" · ");
		const items = [
			actionOf(original, "update") && { label: words.change(), icon: "edit", run: () => change(original) },
			actionOf(original, "delete") && { label: text.erase(), icon: "trash", bad: true, run: () => remove(app, original) },
		].filter(Boolean);
		const more = items.length > 0 && menuButton(button({ label: words.frame.moreFor(task.title), icon: "more", only: true, kind: "plain s" }), () => items, { label: task.title, end: true });
		const route = routeOf(task);
		return el("div", { class: "row task-row" }, el("span", { class: `check round ${color.class}`, vars: color.vars }, check,
			el("a", { class: "row-main", href: app.href(route) }, el("span", { class: `clip${done ? " struck quiet" : ""}`, dir: "auto", text: task.title }), sub && el("span", { class: `row-sub clip${group === "overdue" ? " late" : ""}`, text: sub }))), more);
	}

	async function onTick(task, action, check) {
		const key = keyOf(task);
		const done = check.checked;
		ticked.set(key, done);
		setTimeout(draw, 350); // the tick is seen before the task moves to its group
		const data = await app.acts.tickBox(action, check, task.title);
		if (data?.queued) return; // shown as the member left it, until it is sent
		if (data) await app.reader.read(latest.url).catch(() => {});
		if (ticked.get(key) === done) ticked.delete(key); // else there is a later tick
		draw();
	}

	function change(task) {
		return withEditor(app, async ({ editEntry, readEntry }) => editEntry(app, await readEntry(app, task)));
	}

	// add makes a task of each title that is entered, one after the other. The member can enter the
	// next one meanwhile.
	function add(event) {
		event.preventDefault();
		const title = input.value.trim();
		const action = create(latest?.panel);
		if (!title || !action) return;
		input.value = "";
		adding = adding.then(() => addTask(action, title));
	}

	async function addTask(action, title) {
		form.setAttribute("aria-busy", "true");
		try {
			const values = { title, ...(chosen.length === 1 && { calendar_id: chosen[0] }) };
			await app.dispatcher.perform(action, values, { key: keyFor(values) });
			keyFor = makeKeys(); // the same title again is another task
			app.say(text.created(title));
			await app.reader.read(latest.url).catch(() => {});
		} catch (error) {
			input.value = [title, input.value].filter(Boolean).join(", ");
			app.acts.showError(error);
		} finally {
			form.removeAttribute("aria-busy");
		}
	}
	return { element, update, focus: () => input.focus() };
}
