// Forms for the controls of actions, with validation, errors of the server and drafts.

import { loadDraft, removeDraft, saveDraft } from "./draft.js";
import { button, el, isComposing, isTouch, setBusy, uid } from "./el.js";
import { makeEntry } from "./entry.js";
import { isZone } from "../grid/zone.js";
import { notice } from "./notice.js";
import { linkTimes, startDay } from "./times.js";
import {
	bodyOf, errorsByField, hasWholeDays, initialValue, isEmpty, isEqual, sentTime, shownTime, validate, validateOrder,
} from "./value.js";

const DRAFT_DELAY = 400; // milliseconds between a change and the storing of the draft

// createForm returns a form. Options:
//
//   controls           the controls of an action, see value.js
//   submit             the label of the submit button, such as "Save"
//   bad                whether the action is destructive
//   cancel()           the listener of a Cancel button, which is missing without it
//   send(body, file)   sends the values, see bodyOf, and the chosen File, or null, and returns a
//                      promise. If it is rejected with { message, fields, requestId }, the form
//                      shows this error. If it is resolved, the draft is removed, unless the result
//                      is false, which means that the values have not been sent
//   options(control, text, signal)  returns a promise of the options of options_url for a text
//   storage, draftKey  where the draft is stored, see draft.js; without them there is no draft
//   restoresDraft      whether the form begins with its draft, by default true
//   locked             ids of fields that the member cannot change → texts that explain it
//   hints              ids of fields → texts below the fields
//   group              lists of ids of fields in the same line
//   extra              nodes before the buttons, such as a Delete button
//   guide(error)       returns the actions that the form offers after an error, { label, run }
//   changed(values)    called after each change, with the displayed values by the ids of controls
//
// The result has these members:
//
//   element            the form element
//   body, foot         the lists of nodes in the form, for openDialog
//   values(), file()   the arguments of send
//   isChanged()        whether a value differs from the initial one
//   follows(id)        whether a field has changed only because another field has
//   validate()         shows the errors of the values, and returns whether there are none
//   setErrors(error)   shows an error of the server
//   discardDraft()     removes the draft
//   focus(id)          focuses the field with an id or, without it, the first one that the member can change
export function createForm(options) {
	const {
		controls, words, submit = words.save(), bad = false, cancel, send = async () => {}, storage, draftKey, restoresDraft = true, locked = {},
		hints = {}, group = [], extra = [], guide = () => [], changed = () => {},
	} = options;
	const visible = controls.filter(({ type }) => type !== "hidden");
	const entries = new Map(); // id of a control → entry of makeEntry
	const startListeners = []; // called when the result of startDay may have changed
	const initialValues = {}; // id of a control → displayed initial value
	let isRestored = false; // whether the form displays a draft of an earlier form
	let draftTimer = 0; // timer of storeDraft, or 0 if the draft has no unstored changes

	const alertBox = el("div", { class: "form-alert", hidden: true });
	const list = el("div", { class: "fields" }, alertBox);
	for (const control of visible) {
		const entry = makeEntry(control, contextOf(control), { hint: hints[control.id], reason: locked[control.id] });
		entry.wrapper.addEventListener("focusout", (event) => onFocusOut(entry, event));
		entries.set(control.id, entry);
	}
	appendEntries();

	const submitButton = el("button", { type: "submit", class: `btn primary${bad ? " bad" : ""}`, text: submit });
	const foot = [
		...extra, extra.length > 0 && el("span", { class: "grow" }), cancel && button({ label: words.cancel(), run: () => cancel() }),
		submitButton,
	].filter(Boolean);
	const element = el("form", { class: "form", novalidate: true, on: { submit: onSubmit } },
		list, el("div", { class: "form-foot line wrap" }, foot));

	list.addEventListener("keydown", (event) => {
		if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || isComposing(event)) return;
		event.preventDefault();
		element.requestSubmit(submitButton);
	});
	// A form that the member opens next may read the draft before the timer expires.
	element.addEventListener("focusout", () => draftTimer && storeDraft());
	const timesReplaced = linkTimes(entries, controls, zoneOf, () => startListeners.forEach((listener) => listener()));
	Object.assign(initialValues, shownValues());
	restoreDraft();

	// contextOf returns the context of a field, see fields.js.
	function contextOf(control) {
		return {
			words, id: uid("field"), value: shownTime(control, controls, initialValue(control)), isNative: isTouch(),
			changed: () => onChange(control.id), options: options.options ?? (async () => []),
			zone: () => zoneOf(control.id),
			start: () => startDay(entries), onStart: (listener) => startListeners.push(listener),
		};
	}

	// zoneOf returns the time zone of the times of a control.
	function zoneOf(id) {
		const zoneIn = (zoneId) => {
			const control = controls.find((other) => other.id === zoneId);
			return entries.get(zoneId)?.field.get() ?? control?.default;
		};
		const names = [["end", "due"].includes(id) && zoneIn("end_timezone"), zoneIn("timezone")];
		return names.find((name) => name && isZone(name)) ?? words.zone;
	}

	// appendEntries appends the entries to the list, the entries of a group in one line.
	function appendEntries() {
		for (const [id, { wrapper }] of entries) {
			const ids = group.find((groupIds) => groupIds.includes(id) && groupIds.every((other) => entries.has(other)));
			if (!ids) list.append(wrapper);
			else if (ids[0] === id) list.append(el("div", { class: "fields-2" }, ids.map((other) => entries.get(other).wrapper)));
		}
	}

	// shownValues returns the displayed values by the ids of controls.
	function shownValues() {
		return Object.fromEntries([...entries].map(([id, { field }]) => [id, field.get()]));
	}

	// values returns the values for a request, see bodyOf. Values that the member has not changed
	// stay as the server has sent them.
	function values() {
		const displayed = shownValues();
		const wholeDaysChanged = hasWholeDays(controls) && displayed.all_day !== initialValues.all_day;
		const body = {};
		for (const control of visible) {
			const value = displayed[control.id];
			if (isEqual(value, initialValues[control.id]) && !wholeDaysChanged) body[control.id] = initialValue(control);
			else body[control.id] = typeof value === "string" ? sentTime(control, controls, value, displayed.all_day === true) : value;
		}
		return bodyOf(controls, body);
	}

	function file() {
		return visible.filter(({ type }) => type === "file").map(({ id }) => entries.get(id).field.get())[0] ?? null;
	}

	function isChanged() {
		return Object.entries(shownValues()).some(([id, value]) => (
			!isEqual(value, initialValues[id]) && !(isEmpty(value) && isEmpty(initialValues[id]))
		));
	}

	function onChange(id) {
		const entry = entries.get(id);
		if (!entry) return; // makeEntry has not returned yet
		entry.isTouched = true;
		if (entry.control.type === "file") entry.setError(problemOf(entry)); // a chosen file is complete, unlike a text during typing
		else if (entry.isWrong() && !problemOf(entry)) entry.setError("");
		entry.showLength();
		if (draftKey) {
			clearTimeout(draftTimer);
			draftTimer = setTimeout(storeDraft, DRAFT_DELAY);
		}
		changed(shownValues());
	}

	// onFocusOut validates a changed field when the focus leaves it.
	function onFocusOut(entry, event) {
		const { wrapper } = entry;
		const to = event.relatedTarget;
		if (!entry.isTouched || wrapper.contains(to) || to?.closest?.(".popup")) return;
		// An error message between pointerdown and pointerup would move the pressed element.
		afterPress(() => wrapper.isConnected && !wrapper.contains(document.activeElement) && entry.setError(problemOf(entry)));
	}

	// problemOf returns the error message of the value of an entry, or "".
	function problemOf({ control, field }) {
		if (control.id in locked) return "";
		return field.problem() || validate(control, field.get(), words)
			|| (control.id === "end" ? validateOrder(shownValues(), words, zoneOf("start"), zoneOf("end")).end ?? "" : "");
	}

	// showMessages sets the error message of each entry to the result of messageOf. It focuses the
	// first entry with a message, and returns it, or null.
	function showMessages(messageOf) {
		let firstWrong = null;
		for (const entry of entries.values()) {
			const message = messageOf(entry);
			entry.setError(message);
			if (message) firstWrong ??= entry;
		}
		firstWrong?.field.input.focus();
		return firstWrong;
	}

	function setErrors(error) {
		const { byId, others } = errorsByField(error?.fields, controls);
		const firstWrong = showMessages(({ control }) => byId[control.id] ?? "");
		for (const { name, candidates, value } of error?.fields ?? []) {
			if (candidates?.length) {
				entries.get(name)?.field.offer?.(candidates.map((person) => (
					{ value: String(person.id), label: `${person.display_name} (${person.username})` })), value);
			}
		}
		const text = others.join(" ") || (firstWrong ? "" : error?.message ?? "");
		const actions = error ? guide(error) : [];
		showAlert((text || actions.length > 0) && notice({
			kind: "bad", text: text || error.message, actions, requestID: firstWrong ? null : error?.requestId, words,
		}));
		if (text && !firstWrong) alertBox.scrollIntoView({ block: "nearest" });
	}

	function showAlert(node) {
		alertBox.hidden = !node;
		alertBox.replaceChildren(...(node ? [node] : []));
	}

	async function onSubmit(event) {
		event.preventDefault();
		if (submitButton.getAttribute("aria-busy") === "true" || showMessages(problemOf)) return;
		showAlert(null);
		setBusy(submitButton, true);
		try {
			if ((await send(values(), file())) !== false) discardDraft();
		} catch (error) {
			setErrors(error);
		} finally {
			setBusy(submitButton, false);
		}
	}

	function storeDraft() {
		clearTimeout(draftTimer);
		draftTimer = 0;
		const draftControls = visible.map((control) => ({ ...control, default: initialValues[control.id] }));
		if (storage) saveDraft(storage, draftKey, draftControls, shownValues());
	}

	function restoreDraft() {
		const draft = storage && draftKey && restoresDraft ? loadDraft(storage, draftKey, visible) : null;
		if (!draft) return;
		isRestored = true;
		fill(draft);
		showAlert(notice({ text: words.draftRestored(), actions: [{ label: words.discardDraft(), run: reset }] }));
	}

	// fill displays values by the ids of controls, except values of locked fields.
	function fill(displayedValues) {
		for (const [id, value] of Object.entries(displayedValues)) {
			if (!(id in locked)) entries.get(id)?.field.set(value);
		}
		entries.get("all_day")?.field.input.dispatchEvent(new Event("change"));
		timesReplaced();
	}

	// reset displays the initial values, and removes the errors and the draft.
	function reset() {
		isRestored = false;
		fill(initialValues);
		showMessages(() => "");
		showAlert(null);
		discardDraft();
		focus();
	}

	function discardDraft() {
		clearTimeout(draftTimer);
		draftTimer = 0;
		if (storage && draftKey) removeDraft(storage, draftKey);
	}

	// focus selects a restored text, so that typing replaces it.
	function focus(id) {
		const entry = entries.get(id) ?? [...entries.values()].find(({ control }) => !(control.id in locked));
		entry?.field.input.focus();
		if (isRestored) entry?.field.input.select?.();
	}

	return {
		element, body: [list], foot, values, file, isChanged, follows: (id) => entries.get(id)?.field.follows?.() ?? false,
		validate: () => showMessages(problemOf) === null, setErrors, discardDraft, focus,
	};
}

let isPressed = false; // whether a pointer is pressed
if (typeof document !== "undefined") {
	document.addEventListener("pointerdown", () => (isPressed = true), true);
	for (const type of ["pointerup", "pointercancel"]) document.addEventListener(type, () => (isPressed = false), true);
}

// afterPress calls a function after the current event or, if a pointer is pressed, after the click.
function afterPress(run) {
	if (isPressed) document.addEventListener("pointerup", () => setTimeout(run), { once: true });
	else setTimeout(run);
}
