// The open tasks on Today.

import { el } from "../parts/el.js";
import { colorProps } from "../parts/person.js";
import { openRoute } from "../generic/item.js";
import { dueDay, isLate } from "./schedule.js";

const MAX_TASKS = 8; // maximum number of tasks

// taskRows returns the list of open tasks. Each has a checkbox that completes it.
export function taskRows(app, items) {
	const { words } = app;
	if (items.length === 0) return el("p", { class: "quiet", text: words.day.nothingToDo() });
	return el("ul", { class: "rows flat" }, items.slice(0, MAX_TASKS).map((item) => el("li", {}, taskRow(app, item))));
}

function taskRow(app, item) {
	const { words } = app;
	const { metadata: data = {} } = item;
	const [completeAction, allAction] = ["complete", "complete_up_to_today"].map((id) => item.actions?.find((action) => action.id === id));
	const route = openRoute(app, item);
	const isTicked = app.actions.isTicked(completeAction, allAction);
	const input = el("input", {
		type: "checkbox", disabled: !completeAction, checked: isTicked, "aria-label": words.day.complete(item.title),
		on: { change: () => app.actions.tickBox(completeAction, input, item.title, allAction) },
	});
	const day = dueDay(item, words.zone);
	const isOverdue = isLate(item, { now: Date.now(), zone: words.zone });
	const label = el(route ? "a" : "span", { class: "clip", href: route ? app.href(route) : null, dir: "auto", text: item.title });
	const color = colorProps(data.color);
	return el("div", { class: "row" },
		el("span", { class: `check round ${color.class}`, vars: color.vars }, input, label),
		el("span", { class: `tag end-x${isOverdue ? " bad" : ""}`, text: day ? words.dueText(day) : data.calendar_name }));
}
