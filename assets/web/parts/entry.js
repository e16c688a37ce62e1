// Combines a field of a form with its label, its hint and its error message.

import { alarmField } from "./alarm.js";
import { el, icon } from "./el.js";
import {
	areaField, checkField, checksField, colorField, durationField, fileField, numberField, passwordField, selectField, textField,
} from "./fields.js";
import { listField, memberField, membersField, placeField, zoneField } from "./pick.js";
import { repeatField } from "./repeat.js";
import { isList, typeName } from "./value.js";
import { dateField, dateTimeField, timeField } from "./when.js";

// FIELDS maps the types of controls to the functions that return their fields. Controls of other
// types have a textField.
const FIELDS = {
	text: textField, textarea: areaField, selector: selectField, checkbox: checkField, date: dateField, datetime: dateTimeField,
	time: timeField, number: numberField, password: passwordField, timezone: zoneField, color: colorField, member: memberField,
	members: membersField, recurrence: repeatField, duration: durationField, alarm: alarmField, location: placeField, file: fileField,
};

const CLOSE_TO_LIMIT = 50; // number of remaining characters below which an entry shows it

// makeField returns the field for a control, see fields.js.
function makeField(control, context) {
	if (control.type === "members" || (control.type === "member" && control.multiple)) return membersField(control, context);
	if (!isList(control)) return (FIELDS[control.type] ?? textField)(control, context);
	if (control.type === "selector") return checksField(control, context);
	return listField(control, context, FIELDS[control.type] ?? textField);
}

// makeEntry returns an entry, { control, field, wrapper, isTouched, isWrong(), setError(message),
// showLength() }:
//
//   field         the field for the control; context is described in fields.js
//   wrapper       the element with the label, the field, the hint and the error message
//   isTouched       false; the form sets it to true when the member has changed the field
//   isWrong()     whether there is an error message
//   setError()    shows an error message, or removes it if the message is ""
//   showLength()  shows the number of remaining characters in place of the hint if few are left
//
// Options: hint, a text below the field; reason, a text beside the label that explains why the
// member cannot change the field, which is then disabled.
export function makeEntry(control, context, { hint = defaultHint(control, context.words), reason } = {}) {
	const { id, words } = context;
	const field = makeField(control, context);
	const label = field.hasOwnLabel ? null : el(field.group ? "span" : "label",
		{ class: "label", id: `${id}-label`, for: field.group ? null : id, dir: "auto" },
		control.label, reason && [" ", el("span", { class: "quiet", text: reason })]);
	const note = el("p", { class: "hint", id: `${id}-hint`, text: hint, hidden: !hint });
	const error = el("p", { class: "wrong", id: `${id}-error`, hidden: true }, icon("warning", "i-s"), el("span", { dir: "auto" }));
	const wrapper = el("div", {
		class: "field", "data-field": control.id, role: field.group ? "group" : null, "aria-labelledby": field.group ? label.id : null,
	}, label, field.element, note, error);
	if (control.required && !field.group) field.input.setAttribute("aria-required", "true");
	if (reason) for (const node of wrapper.querySelectorAll("input, select, textarea, button")) node.disabled = true;

	// updateDescription makes the visible hint and error message the description of the field.
	function updateDescription() {
		const ids = [!note.hidden && note.id, !error.hidden && error.id].filter(Boolean).join(" ");
		setAttribute(field.group ? wrapper : field.input, "aria-describedby", ids);
	}

	function setError(message) {
		error.lastChild.textContent = message;
		error.hidden = !message;
		if (!field.group) setAttribute(field.input, "aria-invalid", message ? "true" : "");
		wrapper.classList.toggle("is-wrong", Boolean(message));
		updateDescription();
	}

	function showLength() {
		if (!control.max_length || isList(control) || !["text", "textarea", "location"].includes(control.type)) return;
		const remainingCount = control.max_length - [...field.get()].length;
		const isNear = remainingCount >= 0 && remainingCount < Math.min(CLOSE_TO_LIMIT, control.max_length / 2);
		note.textContent = isNear ? words.charactersLeft(remainingCount) : hint;
		note.hidden = !note.textContent;
		updateDescription();
	}

	updateDescription();
	return { control, field, wrapper, isTouched: false, isWrong: () => !error.hidden, setError, showLength };
}

// setAttribute sets an attribute, or removes it if the value is "".
function setAttribute(node, name, value) {
	if (value) node.setAttribute(name, value);
	else node.removeAttribute(name);
}

// defaultHint returns the permitted types and size of a file, or "" for other controls.
function defaultHint(control, words) {
	if (control.type !== "file") return "";
	return words.fileLimit((control.accept ?? []).map(typeName), control.max_bytes ? words.bytes(control.max_bytes) : "");
}
