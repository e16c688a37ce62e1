// The column beside the calendar: a small month, the calendars and the open tasks.

import { openDialog } from "../parts/dialog.js";
import { button, el, uid } from "../parts/el.js";
import { menuButton } from "../parts/menu.js";
import { colorProps } from "../parts/person.js";
import { keepFocus } from "../frame/focus.js";
import { createMini } from "../grid/mini.js";
import { withDefaults } from "../editor/controls.js";
import { dueOf, isDone } from "./duetasks.js";
import { reorder } from "./order.js";

const MAX_TASKS = 6; // maximum number of visible tasks

// createSide returns { element, update({ panel, date, shown, weekStart, hasTasks }), showTasks(), showTicks(),
// openCalendars() }. update shows the month of date, in which it marks the period shown, { start, end }
// or undefined, and the calendars of the panel, which may be null; hasTasks is whether the tasks are shown.
// showTasks shows the tasks of the dataset, and must be called when they have changed. showTicks shows their unsent ticks, and must be
// called when the queue has changed. on has the functions:
//
//   go(date)      shows a day
//   show(calendar, visible)  shows or hides a calendar
//   tasksRoute()  returns the route of the view of tasks
export function createSide(app, on) {
	const { words } = app;
	const text = words.calendar;
	const host = el("div", {});
	const titles = { calendars: uid("calendars"), tasks: uid("tasks") };
	const add = el("span", {});
	const calendars = el("ul", { class: "stack-s callist", "aria-labelledby": titles.calendars });
	const tasks = el("div", {});
	const tasksLink = el("a", { href: app.href(on.tasksRoute()), text: words.toDo() });
	const tasksHead = el("div", { class: "rail-head" }, el("h2", { id: titles.tasks }, tasksLink));
	const tasksSection = el("section", { class: "cal-todo", hidden: true }, tasksHead, tasks);
	const calendarsHead = el("div", { class: "rail-head" }, el("h2", { id: titles.calendars, text: text.calendars() }), add);
	const calendarsSection = el("section", {}, calendarsHead, calendars);
	const element = el("aside", { class: "cal-side", "aria-label": text.calendars() }, host, calendarsSection, tasksSection);
	let mini = null; // the small month, from the first call of update
	let drawnKey = ""; // identifies the data that the list of calendars shows
	let boxes = []; // { input, action, allAction, isQueued } of the visible tasks: isQueued is whether the queue has ticked the input

	function update({ panel, date, shown, weekStart, hasTasks }) {
		const options = { day: date, today: words.currentDay(), shown, locale: words.locale, weekStart };
		if (mini) mini.update(options);
		else mini = createMini(host, { ...options, go: on.go });
		if (panel) drawCalendars(panel);
		tasksSection.hidden = !drawnKey || !hasTasks; // without the calendars above it, it would move
	}

	function drawCalendars(panel) {
		const key = JSON.stringify(panel.calendars) + panel.action_descriptors?.length;
		if (key === drawnKey) return;
		drawnKey = key;
		const create = panel.action_descriptors?.find(({ id }) => id === "create_calendar");
		const openForm = () => app.actions.openForm(create);
		add.replaceChildren(...(create ? [button({ label: create.label, icon: "plus", iconOnly: true, kind: "plain s", run: openForm })] : []));
		const lines = () => panel.calendars.map((calendar, i) => calendarLine(calendar, i, panel.calendars, create));
		keepFocus(calendars, () => calendars.replaceChildren(...lines()));
	}

	// calendarLine returns the list item of the calendar with the index i among all calendars. create
	// is the action that creates a calendar, or undefined.
	function calendarLine(calendar, i, calendars, create) {
		const { actions } = calendar;
		const color = colorProps(calendar.color);
		const input = el("input", {
			type: "checkbox", checked: calendar.visible, disabled: !actions.arrange,
			on: { change: () => on.show(calendar, input.checked) },
		});
		const name = el("span", { class: "clip", dir: "auto", text: calendar.name });
		const items = calendarItems(app, calendar, i, calendars, create);
		const moreButton = () => button({ label: words.frame.moreFor(calendar.name), icon: "more", iconOnly: true, kind: "plain s cal-more" });
		const more = items.length > 0 && menuButton(moreButton(), () => items, { label: calendar.name, end: true });
		return el("li", { class: "line between", "data-id": calendar.id },
			el("label", { class: `check ${color.class}`, vars: color.vars }, input, name),
			calendar.read_only && el("span", { class: "tag", text: text.readOnly() }), more);
	}

	// showTasks shows the first open tasks of the dataset in the order of their due dates. Tasks
	// without a due date come last.
	function showTasks() {
		const zone = words.zone;
		const isOpen = (object) => object.object_type === "task" && !isDone(object) && object.state.local_visibility !== "hidden";
		const open = app.store.dataset.objects.filter(isOpen)
			.sort((a, b) => (dueOf(a, zone) || "9999").localeCompare(dueOf(b, zone) || "9999"));
		boxes = [];
		if (open.length === 0) return tasks.replaceChildren(el("p", { class: "quiet small", text: text.nothingToDo() }));
		const lines = () => open.slice(0, MAX_TASKS).map((object) => el("li", {}, taskLine(app, object, (box) => boxes.push(box))));
		keepFocus(tasks, () => tasks.replaceChildren(el("ul", { class: "stack-s callist", "aria-labelledby": titles.tasks }, lines())));
		return showTicks();
	}

	// showTicks changes only the checkboxes, because the member may be pressing one of them.
	function showTicks() {
		for (const box of boxes) {
			const tick = app.actions.isTicked(box.action, box.allAction);
			if (tick !== undefined || box.isQueued) box.input.checked = tick ?? false;
			box.isQueued = tick !== undefined;
		}
	}

	// openCalendars shows the list of calendars in a dialog, for windows that are too narrow for this
	// column.
	function openCalendars() {
		openDialog({ words, title: text.calendars(), body: [calendars], kind: "ask", onClose: () => calendarsSection.append(calendars) });
	}
	showTasks();
	return { element, update, showTasks, showTicks, openCalendars };
}

// taskLine returns the checkbox of a task of the dataset, and its title as a link. It calls add with the
// checkbox as { input, action, allAction }, those of tickBox.
function taskLine(app, object, add) {
	const { words, store } = app;
	const completions = store.actions(object.actions).filter(({ command }) => command?.body?.status === "completed");
	const isForAll = ({ command }) => command.body.scope === "up_to_today";
	const completeAction = completions.find((action) => !isForAll(action));
	const allAction = completions.find(isForAll);
	const color = colorProps(object.state.color);
	const input = el("input", {
		type: "checkbox", disabled: !completeAction, "aria-label": words.calendar.complete(object.title),
		on: { change: () => app.actions.tickBox(completeAction, input, object.title, allAction) },
	});
	add({ input, action: completeAction, allAction });
	const href = app.href({ kind: "at", id: object.world_object_id });
	const link = el("a", { class: "clip", href, dir: "auto", text: object.title });
	return el("span", { class: `check round ${color.class}`, vars: color.vars }, input, link);
}

// moveCalendar moves a calendar in the list of all calendars from one index to another.
async function moveCalendar(app, calendars, from, to) {
	try {
		await reorder(calendars.map(({ order }) => order), from, to, async (i, order) => {
			const { arrange } = calendars[i].actions;
			if (arrange) await app.dispatcher.post(arrange, { order });
		});
	} catch (error) {
		app.actions.showError(error);
	}
}

// changeCalendar shows the form that changes a calendar. Its controls are the controls of create, the
// action that creates a calendar, because the calendars of the panel have no controls.
function changeCalendar(app, { name, color, etag, actions }, create) {
	const { words } = app;
	const controls = withDefaults(create.controls, { name, color });
	const action = { label: words.calendar.changeCalendar(), method: "POST", url: actions.update, body: {}, controls };
	return app.actions.openForm(action, { submit: words.save(), savesDraft: false, etag });
}

// calendarItems returns the items of the menu of a calendar. The parameters are those of
// calendarLine.
function calendarItems(app, calendar, i, calendars, create) {
	const { words } = app;
	const { actions } = calendar;
	const text = words.calendar;
	const deletion = { type: "delete_calendar", label: text.deleteCalendar(), method: "POST", url: actions.delete, body: {} };
	const deleteCalendar = () => app.actions.perform(deletion, { doneText: text.deleted(calendar.name) });
	return [
		actions.update && create && { label: words.change(), icon: "edit", run: () => changeCalendar(app, calendar, create) },
		actions.arrange && i > 0 && { label: text.moveUp(), icon: "up", run: () => moveCalendar(app, calendars, i, i - 1) },
		actions.arrange && i < calendars.length - 1 && {
			label: text.moveDown(), icon: "down", run: () => moveCalendar(app, calendars, i, i + 1),
		},
		actions.delete && { label: text.erase(), icon: "trash", bad: true, run: deleteCalendar },
	].filter(Boolean);
}
