// Forms of World's controls.

import { alarmField } from "./alarm.js";
import { button, el, icon, isTouch, setBusy, uid } from "./el.js";
import { areaField, checkField, checksField, colorField, durationField, fileField, numberField, passwordField, selectField, textField } from "./fields.js";
import { loadDraft, removeDraft, saveDraft } from "./draft.js";
import { notice } from "./notice.js";
import { listField, memberField, membersField, placeField, zoneField } from "./pick.js";
import { repeatField } from "./repeat.js";
import { bodyOf, addMinutes, errorsByField, hasWholeDays, initialValue, isEmpty, isEqual, isList, minutesBetween, sentTime, shownTime, typeName, validate, validateOrder } from "./value.js";
import { dateField, dateTimeField, timeField } from "./when.js";

// FIELDS are the functions that make the field of each type; all other types are a text.
const FIELDS = {
	text: textField, textarea: areaField, selector: selectField, checkbox: checkField, date: dateField, datetime: dateTimeField, time: timeField, number: numberField, password: passwordField,
	timezone: zoneField, color: colorField, member: memberField, members: membersField, recurrence: repeatField, duration: durationField, alarm: alarmField, location: placeField, file: fileField,
};

// DRAFT_DELAY is how long after a change a draft is stored, in milliseconds.
const DRAFT_DELAY = 400;

// TIMES are the times of day of an entry that is no longer of whole days.
const TIMES = { start: "09:00", end: "10:00", due: "18:00" };

// CLOSE_TO_LIMIT is the number of characters left from which on a field says it.
const CLOSE_TO_LIMIT = 50;

// createForm returns a form.
//
// Options:
//   controls      World's controls
//   words         of words.js
//   submit        the label of its button, such as "Save"; bad, whether it destroys
//   cancel()      adds a button Cancel
//   send(body, file)  sends the values; body is the part of the request that has them, file the
//                 chosen File or null. A promise that is rejected with { message, fields } keeps
//                 the form and shows both
//   options(control, text, signal)  returns a promise of the options that contain a text
//   storage, draftKey  where drafts are stored
//   locked        texts by the ids of fields that belong to another member
//   hints         texts by the ids of fields, shown below them
//   group         ids of fields that stand side by side, as lists of ids
//   extra         nodes before the buttons, such as Delete
//   changed(values)   called after each change
//
// It returns { element, body, foot, values(), file(), isChanged(), validate(), setErrors(error),
// discardDraft(), focus() }. The element is a <form>; body and foot are lists of nodes, for
// openDialog. values has the values as World wants them, by the ids of the controls.
export function createForm(options) {
	const { controls, words, submit = words.save(), bad = false, cancel, send = async () => {}, storage, draftKey, locked = {}, hints = {}, group = [], extra = [], changed = () => {} } = options;
	const visible = controls.filter(({ type }) => type !== "hidden");
	const entries = new Map(); // id → { control, field, wrapper, … }
	const startListeners = [];
	let draftTimer = 0;
	const initial = {}; // id → the value that the form shows first

	const alert = el("div", { class: "form-alert", hidden: true });
	const list = el("div", { class: "fields" }, alert);
	for (const control of visible) entries.set(control.id, makeEntry(control));
	arrange();

	const save = el("button", { type: "submit", class: `btn primary${bad ? " bad" : ""}`, text: submit });
	const foot = [...extra, extra.length > 0 && el("span", { class: "grow" }), cancel && button({ label: words.cancel(), run: () => cancel() }), save].filter(Boolean);
	const element = el("form", { class: "form", novalidate: true, on: { submit: onSubmit } }, list, el("div", { class: "form-foot line wrap" }, foot));

	linkTimes();
	for (const id of entries.keys()) initial[id] = entries.get(id).field.get();
	restoreDraft();

	function context(control) {
		return {
			words, id: uid("field"), value: shownTime(control, controls, initialValue(control)), isNative: isTouch(),
			changed: () => onChange(control.id), options: options.options ?? (async () => []),
			zone: () => entries.get("timezone")?.field.get() || controls.find(({ id }) => id === "timezone")?.default || words.zone,
			start: () => (entries.size > 0 ? (entries.get("start") ?? entries.get("due"))?.field.get()?.slice(0, 10) ?? "" : ""),
			onStart: (listener) => startListeners.push(listener),
		};
	}

	function makeField(control, given) {
		if (control.type === "members") return membersField(control, given);
		if (isList(control)) {
			if (control.type === "selector") return checksField(control, given);
			if (control.type === "member") return membersField(control, given);
			return listField(control, given, FIELDS[control.type] ?? textField);
		}
		return (FIELDS[control.type] ?? textField)(control, given);
	}

	// makeEntry returns a field with its label, its hint and the place of its error.
	function makeEntry(control) {
		const given = context(control);
		const field = makeField(control, given);
		const reason = locked[control.id];
		const label = field.ownLabel ? null : el(field.group ? "span" : "label", { class: "label", id: `${given.id}-label`, for: field.group ? null : given.id, dir: "auto" }, control.label, reason && [" ", el("span", { class: "quiet", text: reason })]);
		const hint = el("p", { class: "hint", id: `${given.id}-hint`, text: hintOf(control, hints[control.id], words) });
		hint.hidden = !hint.textContent;
		const error = el("p", { class: "wrong", id: `${given.id}-error`, hidden: true }, icon("warning", "i-s"), el("span", { dir: "auto" }));
		const wrapper = el("div", { class: "field", "data-field": control.id, role: field.group ? "group" : null, "aria-labelledby": field.group ? label.id : null }, label, field.element, hint, error);
		const entry = { control, field, wrapper, hint, error, touched: false };
		if (control.required && !field.group) field.input.setAttribute("aria-required", "true");
		if (reason) for (const node of wrapper.querySelectorAll("input, select, textarea, button")) node.disabled = true;
		wrapper.addEventListener("focusout", (event) => onLeave(entry, event));
		describe(entry);
		return entry;
	}

	// describe names the hint and the error of a field as its description.
	function describe({ field, wrapper, hint, error }) {
		const ids = [!hint.hidden && hint.id, !error.hidden && error.id].filter(Boolean).join(" ");
		const node = field.group ? wrapper : field.input;
		if (ids) node.setAttribute("aria-describedby", ids);
		else node.removeAttribute("aria-describedby");
	}

	function arrange() {
		for (const [id, { wrapper }] of entries) {
			const ids = group.find((wanted) => wanted.includes(id) && wanted.every((other) => entries.has(other)));
			if (!ids) list.append(wrapper);
			else if (ids[0] === id) list.append(el("div", { class: "fields-2" }, ids.map((other) => entries.get(other).wrapper)));
		}
	}

	// linkTimes hides the times of whole days, moves the end with the start, and tells the
	// recurrence about the start.
	function linkTimes() {
		const allDay = hasWholeDays(controls) ? entries.get("all_day") : null;
		const update = (proposals = {}) => {
			for (const id of ["start", "end", "due"]) entries.get(id)?.field.showTime?.(!allDay.field.get(), proposals[id]);
		};
		if (allDay) {
			allDay.field.input.addEventListener("change", () => update(TIMES));
			update();
		}
		const [first, last] = [entries.get("start"), entries.get("end")];
		let before = first?.field.get() ?? "";
		first?.wrapper.addEventListener("change", follow);
		first?.wrapper.addEventListener("focusout", follow);
		entries.get("due")?.wrapper.addEventListener("change", () => startListeners.forEach((listener) => listener()));
		function follow() {
			const now = first.field.get();
			if (now === before || first.field.problem() || !now) return;
			const length = minutesBetween(before, last?.field.get());
			if (length !== null && length >= 0 && now.length === before.length) last.field.set(addMinutes(now, length));
			before = now;
			startListeners.forEach((listener) => listener());
		}
	}

	// shownValues returns the values as the form shows them.
	function shownValues() {
		return Object.fromEntries([...entries].map(([id, { field }]) => [id, field.get()]));
	}

	function values() {
		const shown = shownValues();
		const sent = {};
		for (const control of visible) {
			const value = shown[control.id];
			const given = initialValue(control);
			if (isEqual(value, initial[control.id]) && !(hasWholeDays(controls) && shown.all_day !== initial.all_day)) sent[control.id] = given;
			else sent[control.id] = typeof value === "string" ? sentTime(control, controls, value, shown.all_day === true) : value;
		}
		return bodyOf(controls, sent);
	}

	function file() {
		return visible.filter(({ type }) => type === "file").map(({ id }) => entries.get(id).field.get())[0] ?? null;
	}

	function isChanged() {
		return Object.entries(shownValues()).some(([id, value]) => !isEqual(value, initial[id]) && !(isEmpty(value) && isEmpty(initial[id])));
	}

	function onChange(id) {
		const entry = entries.get(id);
		if (!entry) return; // the field is being made
		entry.touched = true;
		if (entry.control.type === "file") setError(entry, problemOf(entry)); // chosen, not typed
		else if (!entry.error.hidden && !problemOf(entry)) setError(entry, "");
		showLength(entry);
		if (draftKey) {
			clearTimeout(draftTimer);
			draftTimer = setTimeout(storeDraft, DRAFT_DELAY);
		}
		changed(shownValues());
	}

	function showLength({ control, field, hint }) {
		if (!control.max_length || isList(control) || !["text", "textarea", "location"].includes(control.type)) return;
		const left = control.max_length - [...field.get()].length;
		const near = left >= 0 && left < Math.min(CLOSE_TO_LIMIT, control.max_length / 2);
		hint.textContent = near ? words.charactersLeft(left) : hintOf(control, hints[control.id], words);
		hint.hidden = !hint.textContent;
		describe(entries.get(control.id));
	}

	function onLeave(entry, event) {
		const to = event.relatedTarget;
		if (!entry.touched || entry.wrapper.contains(to) || to?.closest?.(".popup")) return;
		// An error that appears between press and release would move what is pressed.
		afterPress(() => entry.wrapper.isConnected && !entry.wrapper.contains(document.activeElement) && setError(entry, problemOf(entry)));
	}

	function problemOf({ control, field }) {
		if (control.id in locked) return "";
		const value = field.get();
		return field.problem() || validate(control, value, words) || (control.id === "end" ? validateOrder(shownValues(), words).end ?? "" : "");
	}

	function setError(entry, message) {
		const { field, error } = entry;
		error.lastChild.textContent = message;
		error.hidden = !message;
		for (const node of field.group ? [] : [field.input]) {
			if (message) node.setAttribute("aria-invalid", "true");
			else node.removeAttribute("aria-invalid");
		}
		entry.wrapper.classList.toggle("is-wrong", Boolean(message));
		describe(entry);
	}

	// check shows all errors, and focuses the first wrong field.
	function check() {
		let first = null;
		for (const entry of entries.values()) {
			const message = problemOf(entry);
			setError(entry, message);
			if (message) first ??= entry;
		}
		first?.field.input.focus();
		return first === null;
	}

	// setErrors shows an error of the server: { message, fields }.
	function setErrors(error) {
		const { byId, others } = errorsByField(error?.fields, controls);
		let first = null;
		for (const [id, entry] of entries) {
			setError(entry, byId[id] ?? "");
			if (byId[id]) first ??= entry;
		}
		for (const { name, candidates, value } of error?.fields ?? []) {
			if (candidates?.length) entries.get(name)?.field.offer?.(candidates.map((person) => ({ value: String(person.id), label: `${person.display_name} (${person.username})` })), value);
		}
		const text = others.join(" ") || (first ? "" : error?.message ?? "");
		alert.hidden = !text;
		alert.replaceChildren(...(text ? [notice({ kind: "bad", text, requestID: first ? null : error?.request_id, words })] : []));
		if (first) first.field.input.focus();
		else if (text) alert.scrollIntoView?.({ block: "nearest" });
	}

	async function onSubmit(event) {
		event.preventDefault();
		if (save.getAttribute("aria-busy") === "true" || !check()) return;
		alert.hidden = true;
		setBusy(save, true);
		try {
			await send(values(), file());
			discardDraft();
		} catch (error) {
			setErrors(error);
		} finally {
			setBusy(save, false);
		}
	}

	function storeDraft() {
		const shown = shownValues();
		const drafted = visible.map((control) => ({ ...control, default: initial[control.id] }));
		if (storage && draftKey) saveDraft(storage, draftKey, drafted, shown);
	}

	function restoreDraft() {
		const draft = storage && draftKey ? loadDraft(storage, draftKey, visible) : null;
		if (!draft) return;
		for (const [id, value] of Object.entries(draft)) {
			const entry = entries.get(id);
			if (entry && !(id in locked)) entry.field.set(value);
		}
		entries.get("all_day")?.field.input.dispatchEvent(new Event("change"));
		alert.hidden = false;
		alert.replaceChildren(notice({ text: words.draftRestored(), actions: [{ label: words.discardDraft(), run: reset }] }));
	}

	// reset shows the first values again.
	function reset() {
		for (const [id, entry] of entries) {
			entry.field.set(initial[id]);
			setError(entry, "");
		}
		entries.get("all_day")?.field.input.dispatchEvent(new Event("change"));
		alert.hidden = true;
		discardDraft();
		focus();
	}

	function discardDraft() {
		clearTimeout(draftTimer);
		if (storage && draftKey) removeDraft(storage, draftKey);
	}

	function focus() {
		[...entries.values()].find(({ control }) => !(control.id in locked))?.field.input.focus();
	}

	return { element, body: [list], foot, values, file, isChanged, validate: check, setErrors, discardDraft, focus };
}

function hintOf(control, hint, words) {
	if (hint) return hint;
	if (control.type !== "file") return "";
	return words.fileLimit((control.accept ?? []).map(typeName), control.max_bytes ? words.bytes(control.max_bytes) : "");
}

let pressed = false;
if (typeof document !== "undefined") {
	document.addEventListener("pointerdown", () => (pressed = true), true);
	for (const type of ["pointerup", "pointercancel"]) document.addEventListener(type, () => (pressed = false), true);
}

// afterPress runs a function now, or after the click if a pointer is pressed.
function afterPress(run) {
	if (!pressed) return setTimeout(run);
	document.addEventListener("pointerup", () => setTimeout(run), { once: true });
}
