// Suggestions for the place of an entry.

const MOST = 8;

// suggestPlaces returns the places that contain a text: those of entries, of the workspace and of
// the surroundings, without a request.
export function suggestPlaces(app, text) {
	const { objects = [], field } = app.store.dataset;
	const wanted = text.trim().toLocaleLowerCase();
	const found = new Map();
	const add = (label, detail) => {
		if (label && label.toLocaleLowerCase().includes(wanted) && !found.has(label)) found.set(label, { value: label, label, detail });
	};
	for (const { object_type: type, title, state } of objects) {
		if (type === "calendar_event" || type === "task") add(state.location);
		else if (type === "event") add(state.location?.label);
		else if (type === "place") add(title, state.address ?? "");
	}
	for (const { title, state } of field?.objects ?? []) add(title, state?.address ?? "");
	return [...found.values()].slice(0, MOST);
}
