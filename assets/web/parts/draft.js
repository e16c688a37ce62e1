// Stores drafts of forms, without DOM. A draft contains the values that differ from the initial
// ones, as JSON in a storage with the methods of Web Storage. Secrets and files are never stored.

import { initialValue, isEqual } from "./value.js";

// UNSTORED_TYPES has the types of controls whose values are not stored.
const UNSTORED_TYPES = new Set(["password", "file", "hidden"]);

// changedValues returns the values that differ from the initial values of the controls.
function changedValues(controls, values) {
	const result = {};
	for (const control of controls) {
		if (control.id in values && !isEqual(values[control.id], initialValue(control))) result[control.id] = values[control.id];
	}
	return result;
}

// saveDraft stores the changed values of a form, or removes the draft if there are none. It ignores
// errors of the storage: the form then has no draft.
export function saveDraft(storage, key, controls, values) {
	const storable = controls.filter(({ type }) => !UNSTORED_TYPES.has(type));
	const draft = changedValues(storable, values);
	try {
		if (Object.keys(draft).length === 0) storage.removeItem(key);
		else storage.setItem(key, JSON.stringify(draft));
	} catch {
		// The storage is full (QuotaExceededError) or disabled (SecurityError).
	}
}

// loadDraft returns the stored values of those controls that the form still has, or null.
export function loadDraft(storage, key, controls) {
	try {
		const storedValues = JSON.parse(storage.getItem(key));
		const draft = {};
		for (const control of controls) {
			const { id, type } = control;
			if (!storedValues || !(id in storedValues) || UNSTORED_TYPES.has(type)) continue;
			if (hasSameType(storedValues[id], initialValue(control))) draft[id] = storedValues[id];
		}
		return Object.keys(draft).length > 0 ? draft : null;
	} catch {
		return null;
	}
}

// hasSameType reports whether a stored value is an array exactly if the initial value of its control is
// one, and a boolean if the initial value is one. An earlier version of the form may have stored another
// type.
function hasSameType(storedValue, initial) {
	return Array.isArray(storedValue) === Array.isArray(initial) && (typeof initial !== "boolean" || typeof storedValue === "boolean");
}

// removeDraft removes the draft of a form.
export function removeDraft(storage, key) {
	try {
		storage.removeItem(key);
	} catch {
		// The storage is disabled.
	}
}
