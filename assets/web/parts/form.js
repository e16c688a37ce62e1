// Forms of World's controls.

import { loadDraft, removeDraft, saveDraft } from "./draft.js";
import { button, el, isTouch, setBusy, uid } from "./el.js";
import { makeEntry } from "./entry.js";
import { notice } from "./notice.js";
import { linkTimes, startDay } from "./times.js";
import { bodyOf, errorsByField, hasWholeDays, initialValue, isEmpty, isEqual, sentTime, shownTime, validate, validateOrder } from "./value.js";

// DRAFT_DELAY is the time between a change and the storing of the draft, in milliseconds.
const DRAFT_DELAY = 400;

// createForm returns a form.
//
// Options:
//   controls      World's controls
//   words         of words.js
//   submit        the label of its button, such as "Save"; bad, whether it destroys
//   cancel()      adds a button Cancel
//   send(body, file)  sends the values; body is the part of the request that has them, file the
//                 chosen File or null. A promise that is rejected with { message, fields } keeps
//                 the form and shows both; one of false says that nothing was sent, and the draft stays
//   options(control, text, signal)  returns a promise of the options that contain a text
//   storage, draftKey  where drafts are stored
//   locked        texts by the ids of fields that belong to another member
//   hints         texts by the ids of fields, shown below them
//   group         ids of fields that stand side by side, as lists of ids
//   extra         nodes before the buttons, such as Delete
//   guide(error)  returns what to offer after an error, as a list of { label, run }
//   changed(values)   called after each change, with the values as the form shows them
//
// It returns { element, body, foot, values(), file(), isChanged(), follows(id), validate(),
// setErrors(error), discardDraft(), focus() }. The element is a <form>; body and foot are lists of
// nodes, for openDialog. values has the values as World wants them, by the ids of the controls.
// follows reports whether a value has changed only because that of another field has.
export function createForm(options) {
	const { controls, words, submit = words.save(), bad = false, cancel, send = async () => {}, storage, draftKey, locked = {}, hints = {}, group = [], extra = [], guide = () => [], changed = () => {} } = options;
	const visible = controls.filter(({ type }) => type !== "hidden");
	const entries = new Map(); // id → what makeEntry returns
	const startListeners = [];
	const initial = {}; // id → the value that the form shows first
	let draftTimer = 0; // until the draft is stored; 0 if it is

	const alert = el("div", { class: "form-alert", hidden: true });
	const list = el("div", { class: "fields" }, alert);
	for (const control of visible) {
		const entry = makeEntry(control, contextOf(control), { hint: hints[control.id], reason: locked[control.id] });
		entry.wrapper.addEventListener("focusout", (event) => onLeave(entry, event));
		entries.set(control.id, entry);
	}
	arrange();

	const save = el("button", { type: "submit", class: `btn primary${bad ? " bad" : ""}`, text: submit });
	const foot = [...extra, extra.length > 0 && el("span", { class: "grow" }), cancel && button({ label: words.cancel(), run: () => cancel() }), save].filter(Boolean);
	const element = el("form", { class: "form", novalidate: true, on: { submit: onSubmit } }, list, el("div", { class: "form-foot line wrap" }, foot));

	list.addEventListener("keydown", (event) => {
		if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
		event.preventDefault();
		element.requestSubmit(save);
	});
	element.addEventListener("focusout", () => draftTimer && storeDraft()); // the form may be opened again at once
	const timesSet = linkTimes(entries, controls, () => startListeners.forEach((listener) => listener()));
	Object.assign(initial, shownValues());
	restoreDraft();

	function contextOf(control) {
		return {
			words, id: uid("field"), value: shownTime(control, controls, initialValue(control)), isNative: isTouch(),
			changed: () => onChange(control.id), options: options.options ?? (async () => []),
			zone: () => entries.get("timezone")?.field.get() || controls.find(({ id }) => id === "timezone")?.default || words.zone,
			start: () => startDay(entries), onStart: (listener) => startListeners.push(listener),
		};
	}

	function arrange() {
		for (const [id, { wrapper }] of entries) {
			const ids = group.find((wanted) => wanted.includes(id) && wanted.every((other) => entries.has(other)));
			if (!ids) list.append(wrapper);
			else if (ids[0] === id) list.append(el("div", { class: "fields-2" }, ids.map((other) => entries.get(other).wrapper)));
		}
	}

	function shownValues() {
		return Object.fromEntries([...entries].map(([id, { field }]) => [id, field.get()]));
	}

	function values() {
		const shown = shownValues();
		const wholeDaysChanged = hasWholeDays(controls) && shown.all_day !== initial.all_day;
		const sent = {};
		for (const control of visible) {
			const value = shown[control.id];
			if (isEqual(value, initial[control.id]) && !wholeDaysChanged) sent[control.id] = initialValue(control);
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
		if (entry.control.type === "file") entry.setError(problemOf(entry)); // chosen, not typed
		else if (entry.isWrong() && !problemOf(entry)) entry.setError("");
		entry.showLength();
		if (draftKey) {
			clearTimeout(draftTimer);
			draftTimer = setTimeout(storeDraft, DRAFT_DELAY);
		}
		changed(shownValues());
	}

	function onLeave(entry, event) {
		const { wrapper } = entry;
		const to = event.relatedTarget;
		if (!entry.touched || wrapper.contains(to) || to?.closest?.(".popup")) return;
		// An error that appears between press and release would move what is pressed.
		afterPress(() => wrapper.isConnected && !wrapper.contains(document.activeElement) && entry.setError(problemOf(entry)));
	}

	function problemOf({ control, field }) {
		if (control.id in locked) return "";
		return field.problem() || validate(control, field.get(), words) || (control.id === "end" ? validateOrder(shownValues(), words).end ?? "" : "");
	}

	// show shows the messages of all fields, and focuses the first wrong one, which it returns.
	function show(messageOf) {
		let first = null;
		for (const entry of entries.values()) {
			const message = messageOf(entry);
			entry.setError(message);
			if (message) first ??= entry;
		}
		first?.field.input.focus();
		return first;
	}

	// setErrors shows an error of the server: { message, fields, request_id }.
	function setErrors(error) {
		const { byId, others } = errorsByField(error?.fields, controls);
		const first = show(({ control }) => byId[control.id] ?? "");
		for (const { name, candidates, value } of error?.fields ?? []) {
			if (candidates?.length) entries.get(name)?.field.offer?.(candidates.map((person) => ({ value: String(person.id), label: `${person.display_name} (${person.username})` })), value);
		}
		const text = others.join(" ") || (first ? "" : error?.message ?? "");
		const actions = error ? guide(error) : [];
		showAlert((text || actions.length > 0) && notice({ kind: "bad", text: text || error.message, actions, requestID: first ? null : error?.requestId, words }));
		if (text && !first) alert.scrollIntoView({ block: "nearest" });
	}

	function showAlert(node) {
		alert.hidden = !node;
		alert.replaceChildren(...(node ? [node] : []));
	}

	async function onSubmit(event) {
		event.preventDefault();
		if (save.getAttribute("aria-busy") === "true" || show(problemOf)) return;
		showAlert(null);
		setBusy(save, true);
		try {
			if ((await send(values(), file())) !== false) discardDraft();
		} catch (error) {
			setErrors(error);
		} finally {
			setBusy(save, false);
		}
	}

	function storeDraft() {
		clearTimeout(draftTimer);
		draftTimer = 0;
		const drafted = visible.map((control) => ({ ...control, default: initial[control.id] }));
		if (storage) saveDraft(storage, draftKey, drafted, shownValues());
	}

	function restoreDraft() {
		const draft = storage && draftKey ? loadDraft(storage, draftKey, visible) : null;
		if (!draft) return;
		fill(draft);
		showAlert(notice({ text: words.draftRestored(), actions: [{ label: words.discardDraft(), run: reset }] }));
	}

	function fill(shown) {
		for (const [id, value] of Object.entries(shown)) {
			if (!(id in locked)) entries.get(id)?.field.set(value);
		}
		entries.get("all_day")?.field.input.dispatchEvent(new Event("change"));
		timesSet();
	}

	// reset shows the first values again.
	function reset() {
		fill(initial);
		show(() => "");
		showAlert(null);
		discardDraft();
		focus();
	}

	function discardDraft() {
		clearTimeout(draftTimer);
		draftTimer = 0;
		if (storage && draftKey) removeDraft(storage, draftKey);
	}

	function focus() {
		[...entries.values()].find(({ control }) => !(control.id in locked))?.field.input.focus();
	}

	return { element, body: [list], foot, values, file, isChanged, follows: (id) => entries.get(id)?.field.follows?.() ?? false, validate: () => show(problemOf) === null, setErrors, discardDraft, focus };
}

let isPressed = false;
if (typeof document !== "undefined") {
	document.addEventListener("pointerdown", () => (isPressed = true), true);
	for (const type of ["pointerup", "pointercancel"]) document.addEventListener(type, () => (isPressed = false), true);
}

// afterPress runs a function soon, or after the click if a pointer is pressed.
function afterPress(run) {
	if (isPressed) document.addEventListener("pointerup", () => setTimeout(run), { once: true });
	else setTimeout(run);
}
