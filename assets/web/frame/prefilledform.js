// Opens the form of an action with values that a view proposes.

import { createsEntry, openEditor } from "./editor.js";

// openWith opens the form of an action. values are the defaults of some of its controls, by id; values
// without a control are ignored. Texts are truncated to the maximum length of the control.
export function openWith(app, action, values) {
	if (createsEntry(action)) return openEditor(app, action, values);
	const withDefault = (control) => ({ ...control, default: truncate(values[control.id], control.max_length) });
	const controls = action.controls.map((control) => (values[control.id] !== undefined ? withDefault(control) : control));
	return app.actions.openForm({ ...action, controls }, { savesDraft: false, doneText: app.words.frame.done() });
}

// truncate returns a text with at most length characters, if length is defined, and other values unchanged.
const truncate = (text, length) => (length && typeof text === "string" ? text.slice(0, length) : text);
