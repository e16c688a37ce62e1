// Suggestions for the location of an entry.

import { fold } from "../parts/fold.js";

const MAX_SUGGESTIONS = 8; // maximum number of suggestions

// suggestPlaces returns the places whose name contains a text, as { value, label, detail }: the
// locations of entries, the places of the workspace, and the places of the field, which surround the
// member. All of them are in the dataset. It ignores case and diacritics.
export function suggestPlaces(app, text) {
	const { objects = [], field } = app.store.dataset;
	const searchText = fold(text.trim());
	const places = new Map();
	const add = (label, detail) => {
		if (label && fold(label).includes(searchText) && !places.has(label)) places.set(label, { value: label, label, detail });
	};
	for (const { object_type: type, title, state } of objects) {
		if (type === "calendar_event" || type === "task") add(state.location);
		else if (type === "event") add(state.location?.label);
		else if (type === "place") add(title, state.address ?? "");
	}
	for (const { title, state } of field?.objects ?? []) add(title, state?.address ?? "");
	return [...places.values()].slice(0, MAX_SUGGESTIONS);
}
