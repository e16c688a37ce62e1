// The column beside the grid: a small month, the calendars, the open tasks.

import { openDialog } from "../parts/dialog.js";
import { button, el, uid } from "../parts/el.js";
import { menuButton } from "../parts/menu.js";
import { isColor } from "../parts/person.js";
import { keepFocus } from "../frame/focus.js";
import { createMini } from "../grid/mini.js";
import { withDefaults } from "./fields.js";
import { dueOf, isDone } from "./duetasks.js";
import { reorder } from "./order.js";

const TASKS = 6; // tasks that are shown

// colorProps returns the class and the custom property of a color of a calendar.
export function colorProps(color) {
	return isColor(color) ? { class: "c-own", vars: { "--own": color } } : { class: `c-${color || "slate"}`, vars: {} };
}

// createSide returns { element, update({ panel, date, shown, weekStart }), showTasks(), openCalendars() }.
// The functions of on: go(date), show(calendar, visible), tasksRoute().
export function createSide(app, on) {
	const { words } = app;
	const text = words.calendar;
	const host = el("div", {});
	const titles = { calendars: uid("calendars"), tasks: uid("tasks") };
	const add = el("span", {});
	const calendars = el("ul", { class: "stack-s callist", "aria-labelledby": titles.calendars });
	const tasks = el("div", {});
	const todo = el("section", { class: "cal-todo", hidden: true }, el("div", { class: "rail-head" }, el("h2", { id: titles.tasks }, el("a", { href: app.href(on.tasksRoute()), text: words.toDo() }))), tasks);
	const list = el("section", {}, el("div", { class: "rail-head" }, el("h2", { id: titles.calendars, text: text.calendars() }), add), calendars);
	const element = el("aside", { class: "cal-side", "aria-label": text.calendars() }, host, list, todo);
	let mini = null;
	let drawn = "";

	function update({ panel, date, shown, weekStart }) {
		const options = { day: date, today: words.currentDay(), shown, locale: words.locale, weekStart };
		if (mini) mini.update(options);
		else mini = createMini(host, { ...options, go: on.go });
		if (panel) drawCalendars(panel);
	}

	function drawCalendars(panel) {
		const key = JSON.stringify(panel.calendars) + panel.action_descriptors?.length;
		if (key === drawn) return;
		drawn = key;
		todo.hidden = false; // below the calendars
		const create = panel.action_descriptors?.find(({ id }) => id === "create_calendar");
		add.replaceChildren(...(create ? [button({ label: create.label, icon: "plus", only: true, kind: "plain s", run: () => app.acts.form(create) })] : []));
		keepFocus(calendars, () => calendars.replaceChildren(...panel.calendars.map((calendar, i) => calendarLine(calendar, i, panel.calendars, create))));
	}

	function calendarLine(calendar, i, all, create) {
		const { actions } = calendar;
		const color = colorProps(calendar.color);
		const input = el("input", { type: "checkbox", checked: calendar.visible, disabled: !actions.arrange, on: { change: () => on.show(calendar, input.checked, () => (input.checked = !input.checked)) } });
		const items = calendarItems(app, calendar, i, all, create);
		const more = items.length > 0 && menuButton(button({ label: words.frame.moreFor(calendar.name), icon: "more", only: true, kind: "plain s cal-more" }), () => items, { label: calendar.name, end: true });
		return el("li", { class: "line between", "data-id": calendar.id }, el("label", { class: `check ${color.class}`, vars: color.vars }, input, el("span", { class: "clip", dir: "auto", text: calendar.name })),
			calendar.read_only && el("span", { class: "tag", text: text.readOnly() }), more);
	}

	// showTasks shows the open tasks of the dataset, the first ones by the time at which they are due.
	function showTasks() {
		const zone = words.zone;
		const open = app.store.dataset.objects.filter((object) => object.object_type === "task" && !isDone(object) && object.state.local_visibility !== "hidden")
			.sort((a, b) => (dueOf(a, zone) || "9999").localeCompare(dueOf(b, zone) || "9999"));
		if (open.length === 0) return tasks.replaceChildren(el("p", { class: "quiet small", text: text.nothingToDo() }));
		return keepFocus(tasks, () => tasks.replaceChildren(el("ul", { class: "stack-s callist", "aria-labelledby": titles.tasks }, open.slice(0, TASKS).map((object) => el("li", {}, taskLine(app, object))))));
	}

	// openCalendars shows the calendars in a dialog, where there is no room for this column.
	function openCalendars() {
		openDialog({ words, title: text.calendars(), body: [calendars], kind: "ask", onClose: () => list.append(calendars) });
	}
	showTasks();
	return { element, update, showTasks, openCalendars };
}

// taskLine returns a task of the dataset with its tick.
function taskLine(app, object) {
	const { words, store } = app;
	const complete = store.actions(object.actions).find(({ command }) => command?.body?.status === "completed");
	const color = colorProps(object.state.color);
	const input = el("input", { type: "checkbox", disabled: !complete, "aria-label": words.calendar.complete(object.title), on: { change: () => app.acts.tickBox(complete, input, object.title) } });
	return el("span", { class: `check round ${color.class}`, vars: color.vars }, input, el("a", { class: "clip", href: app.href({ kind: "at", id: object.world_object_id }), dir: "auto", text: object.title }));
}

// moveCalendar moves a calendar to another position of the list.
async function moveCalendar(app, all, from, to) {
	try {
		await reorder(all.map(({ order }) => order), from, to, async (i, order) => {
			const { arrange } = all[i].actions;
			if (arrange) await app.dispatcher.post(arrange, { order });
		});
	} catch (error) {
		app.acts.showError(error);
	}
}

// changeCalendar shows the form of a calendar, which has the same fields as that of a new one.
function changeCalendar(app, { name, color, etag, actions }, create) {
	const { words, acts } = app;
	const action = { label: words.calendar.changeCalendar(), method: "POST", url: actions.update, body: {}, controls: withDefaults(create.controls, { name, color }) };
	return acts.form(action, { submit: words.save(), keep: false, etag });
}

// calendarItems returns the items of the menu of a calendar.
function calendarItems(app, calendar, i, all, create) {
	const { words, acts } = app;
	const { actions } = calendar;
	const text = words.calendar;
	return [
		actions.update && create && { label: words.change(), icon: "edit", run: () => changeCalendar(app, calendar, create) },
		actions.arrange && i > 0 && { label: text.moveUp(), icon: "up", run: () => moveCalendar(app, all, i, i - 1) },
		actions.arrange && i < all.length - 1 && { label: text.moveDown(), icon: "down", run: () => moveCalendar(app, all, i, i + 1) },
		actions.delete && { label: text.erase(), icon: "trash", bad: true, run: () => acts.act({ type: "delete_calendar", label: text.deleteCalendar(), method: "POST", url: actions.delete, body: {} }, { name: calendar.name, ask: true, done: text.deleted(calendar.name) }) },
	].filter(Boolean);
}
