// Loads the editor of entries when it is first used.

import { loadArea } from "./areas.js";

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
