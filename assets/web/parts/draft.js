// Drafts of forms, without DOM. A draft has the values that differ from those with which a
// form begins, as JSON in a storage with the methods of Web Storage. Secrets and files are
// never stored.

import { initialValue, isEqual } from "./value.js";

const SECRET = new Set(["password", "file", "hidden"]);

// changedValues returns the values that differ from the defaults of the controls.
function changedValues(controls, values) {
	const changed = {};
	for (const control of controls) {
		if (control.id in values && !isEqual(values[control.id], initialValue(control))) changed[control.id] = values[control.id];
	}
	return changed;
}

// saveDraft stores the changed values of a form, or removes the draft if there are none. A
// storage that is full or forbidden is no error: the form goes on without a draft.
export function saveDraft(storage, key, controls, values) {
	const shown = controls.filter(({ type }) => !SECRET.has(type));
	const changed = changedValues(shown, values);
	try {
		if (Object.keys(changed).length === 0) storage.removeItem(key);
		else storage.setItem(key, JSON.stringify(changed));
	} catch {
		// QuotaExceededError, SecurityError
	}
}

// loadDraft returns the stored values of controls that still exist, or null.
export function loadDraft(storage, key, controls) {
	try {
		const stored = JSON.parse(storage.getItem(key));
		const draft = {};
		for (const control of controls) {
			const { id, type } = control;
			if (stored && id in stored && !SECRET.has(type) && isSameKind(stored[id], initialValue(control))) draft[id] = stored[id];
		}
		return Object.keys(draft).length > 0 ? draft : null;
	} catch {
		return null;
	}
}

function isSameKind(stored, initial) {
	return Array.isArray(stored) === Array.isArray(initial) && (typeof initial !== "boolean" || typeof stored === "boolean");
}

export function removeDraft(storage, key) {
	try {
		storage.removeItem(key);
	} catch {
		// SecurityError
	}
}
