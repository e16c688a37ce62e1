// The generic views of an object of the dataset and of a surface.

import { isDay } from "../parts/day.js";
import { el } from "../parts/el.js";
import { notice } from "../parts/notice.js";
import { details } from "../parts/row.js";
import { textNodes } from "../parts/text.js";
import { bar } from "../frame/bar.js";
import { keepFocus } from "../frame/focus.js";
import { panelView } from "./panel.js";

// INSTANT matches an RFC 3339 time. The seconds may be missing.
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

// objectView returns the view of an object without a specialized view: its title, summary and fallbacks,
// the simple values of its state, and buttons for its actions.
export function objectView(app, route, match) {
	const scope = app.scope();
	const id = match.object.world_object_id;
	const head = el("div", {});
	const body = el("div", { class: "measure stack" });
	const view = {
		title: match.object.title, match, element: [head, el("div", { class: "pane" }, body)], close: () => scope.end(),
	};
	const show = () => {
		const object = app.store.object(id);
		if (!object) return app.show(); // the object was removed: App.show shows that it is missing
		view.title = object.title;
		if (app.frame.view === view) app.frame.showTitle(); // the frame has handled the change before this view
		keepFocus(head, () => head.replaceChildren(bar(app, { title: object.title, back: { kind: "today" } })));
		keepFocus(body, () => body.replaceChildren(...[
			object.summary && el("p", { dir: "auto", text: object.summary }), ...fallbackNotices(app, object),
			valuesOf(object.state, app.words), actionButtons(app, app.store.actions(object.actions), object.title),
		].filter(Boolean)));
		return undefined;
	};
	show();
	scope.on(["objects", "actions", "fallbacks"], show);
	return view;
}

// surfaceView returns the view of a surface without a specialized view: its panel or, if it has none, the
// summary, the details and the simple values of its state.
export function surfaceView(app, route, match) {
	const { surface } = match;
	if (surface.content_source?.url) return panelView(app, route, match);
	const state = surface.runtime_state ?? {};
	const lines = Array.isArray(state.details) ? state.details.filter(Array.isArray) : []; // a list of [name, value]
	const body = el("div", { class: "measure stack" },
		state.summary && el("p", { dir: "auto", text: state.summary }),
		lines.length > 0 && details(lines.map(([name, value]) => [String(name), String(value ?? "")])), valuesOf(state, app.words));
	return {
		title: surface.title, match,
		element: [bar(app, { title: surface.title, back: { kind: "today" } }), el("div", { class: "pane" }, body)],
		close: () => {},
	};
}

// valuesOf returns a description list of the simple values of a state (texts, numbers and booleans) except
// its summary, or null if there are none. state may be null or undefined.
function valuesOf(state, words) {
	const pairs = Object.entries(state ?? {})
		.filter(([name, value]) => ["string", "number", "boolean"].includes(typeof value) && value !== "" && name !== "summary")
		.map(([name, value]) => [labelOf(name), shownValue(value, words)]);
	return pairs.length > 0 ? details(pairs) : null;
}

// labelOf returns the label of a value from its field name, for example "Created at" from "created_at".
export function labelOf(name) {
	const text = name.replaceAll("_", " ").trim();
	return text.charAt(0).toUpperCase() + text.slice(1);
}

// shownValue returns a simple value as a text, or as nodes if it is a text that may contain links. Days and
// times have the format of the locale.
function shownValue(value, words) {
	if (typeof value === "boolean") return value ? words.yes() : words.no();
	if (typeof value === "number") return String(value);
	if (isDay(value)) return words.date(value);
	if (INSTANT.test(value) && !Number.isNaN(Date.parse(value))) return words.range(value, value);
	return textNodes(value);
}

// actionButtons returns a line of buttons that perform actions, without actions that only read, or null if
// there are none. name is the title of the object.
function actionButtons(app, actions, name) {
	const writeActions = actions.filter(({ command, method }) => (command?.method ?? method) !== "GET");
	const buttonOf = (action) => app.actions.button(action, { name });
	return writeActions.length > 0 ? el("div", { class: "line wrap" }, writeActions.map(buttonOf)) : null;
}

// fallbackNotices returns notices with the fallbacks of the dataset that concern an object, for example why
// a part of it is not available.
function fallbackNotices(app, object) {
	const fallbacks = (app.store.dataset.fallbacks ?? []).filter(({ scope }) => scope?.world_object_id === object.world_object_id);
	return fallbacks.map(({ message }) => notice({ kind: "warn", text: message }));
}
