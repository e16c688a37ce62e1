// One field of a form with its label, its hint and its error.

import { alarmField } from "./alarm.js";
import { el, icon } from "./el.js";
import { areaField, checkField, checksField, colorField, durationField, fileField, numberField, passwordField, selectField, textField } from "./fields.js";
import { listField, memberField, membersField, placeField, zoneField } from "./pick.js";
import { repeatField } from "./repeat.js";
import { isList, typeName } from "./value.js";
import { dateField, dateTimeField, timeField } from "./when.js";

// FIELDS are the functions that make the field of each type; all other types are a text.
const FIELDS = {
	text: textField, textarea: areaField, selector: selectField, checkbox: checkField, date: dateField, datetime: dateTimeField, time: timeField, number: numberField, password: passwordField,
	timezone: zoneField, color: colorField, member: memberField, members: membersField, recurrence: repeatField, duration: durationField, alarm: alarmField, location: placeField, file: fileField,
};

// CLOSE_TO_LIMIT is the number of characters left from which on a field says it.
const CLOSE_TO_LIMIT = 50;

function makeField(control, context) {
	if (control.type === "members" || (control.type === "member" && control.multiple)) return membersField(control, context);
	if (!isList(control)) return (FIELDS[control.type] ?? textField)(control, context);
	if (control.type === "selector") return checksField(control, context);
	return listField(control, context, FIELDS[control.type] ?? textField);
}

// makeEntry returns { control, field, wrapper, touched, isWrong(), setError(message),
// showLength() }. Context is that of fields.js. reason says whose the field is if the member
// cannot change it.
export function makeEntry(control, context, { hint = hintOf(control, context.words), reason } = {}) {
	const { id, words } = context;
	const field = makeField(control, context);
	const label = field.ownLabel ? null : el(field.group ? "span" : "label", { class: "label", id: `${id}-label`, for: field.group ? null : id, dir: "auto" },
		control.label, reason && [" ", el("span", { class: "quiet", text: reason })]);
	const note = el("p", { class: "hint", id: `${id}-hint`, text: hint, hidden: !hint });
	const error = el("p", { class: "wrong", id: `${id}-error`, hidden: true }, icon("warning", "i-s"), el("span", { dir: "auto" }));
	const wrapper = el("div", { class: "field", "data-field": control.id, role: field.group ? "group" : null, "aria-labelledby": field.group ? label.id : null }, label, field.element, note, error);
	if (control.required && !field.group) field.input.setAttribute("aria-required", "true");
	if (reason) for (const node of wrapper.querySelectorAll("input, select, textarea, button")) node.disabled = true;

	// describe names the hint and the error as the description of the field.
	function describe() {
		const ids = [!note.hidden && note.id, !error.hidden && error.id].filter(Boolean).join(" ");
		set(field.group ? wrapper : field.input, "aria-describedby", ids);
	}

	function setError(message) {
		error.lastChild.textContent = message;
		error.hidden = !message;
		if (!field.group) set(field.input, "aria-invalid", message ? "true" : "");
		wrapper.classList.toggle("is-wrong", Boolean(message));
		describe();
	}

	// showLength says how many characters are left if there are few.
	function showLength() {
		if (!control.max_length || isList(control) || !["text", "textarea", "location"].includes(control.type)) return;
		const left = control.max_length - [...field.get()].length;
		const isNear = left >= 0 && left < Math.min(CLOSE_TO_LIMIT, control.max_length / 2);
		note.textContent = isNear ? words.charactersLeft(left) : hint;
		note.hidden = !note.textContent;
		describe();
	}

	describe();
	return { control, field, wrapper, touched: false, isWrong: () => !error.hidden, setError, showLength };
}

function set(node, name, value) {
	if (value) node.setAttribute(name, value);
	else node.removeAttribute(name);
}

function hintOf(control, words) {
	if (control.type !== "file") return "";
	return words.fileLimit((control.accept ?? []).map(typeName), control.max_bytes ? words.bytes(control.max_bytes) : "");
}
