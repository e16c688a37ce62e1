// Loads the editor of entries when it is first used.

import { loadArea } from "./areas.js";

// EVENT_TYPE is the type of the action that creates a Social event.
export const EVENT_TYPE = "social.event.create";

// CREATION_TYPES and CREATION_FORMS are the types of the actions, and the ids of the forms of Time, that create an
// entry. A form of Social is told from them by its view.
const CREATION_TYPES = ["create_time_object", EVENT_TYPE];
const CREATION_FORMS = ["create_event", "create_task"];

// createsEntry reports whether an action of the dataset or a form of Time creates an entry.
export function createsEntry({ type, id }) {
	return CREATION_TYPES.includes(type) || (type === "submit_form" && CREATION_FORMS.includes(id));
}

// openEditor shows the editor for a new entry with the values that a view proposes, by the ids of the controls.
export function openEditor(app, action, values = {}) {
	return withEditor(app, ({ createProposed }) => createProposed(app, action, values));
}

// withEditor calls use with the functions of editor/editor.js, after its texts and styles are loaded, and with
// those of the module that load returns a promise of. It returns a promise of the result, or of undefined
// after it has shown an error.
export async function withEditor(app, use, load = () => ({})) {
	const modules = await Promise.all([loadArea("editor", app.words, app.paths.assets), load()]).catch(() => app.actions.offerReload());
	try {
		return modules ? await use({ ...modules[0], ...modules[1] }) : undefined;
	} catch (error) {
		app.actions.showError(error);
		return undefined;
	}
}
