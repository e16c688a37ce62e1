// The views for a route that does not exist or cannot be loaded.

import { el } from "../parts/el.js";
import { emptyView } from "../parts/empty.js";
import { bar } from "./bar.js";
import { problem } from "./problem.js";

// notFoundView returns the view for a route whose content does not exist or is no longer
// available.
export function notFoundView(app) {
	const { words } = app;
	const title = words.frame.gone();
	const action = { label: words.frame.toToday(), icon: "house", run: () => app.go({ kind: "today" }) };
	const body = emptyView({ art: "lamp", title, text: words.frame.goneText(), level: 2, action });
	const element = [bar(app, { title, hideTitle: true, back: { kind: "today" } }), el("div", { class: "pane" }, body)];
	return { title, match: {}, usesFullWidth: true, isMissing: true, element };
}

// failedView returns the view for a route whose view could not be loaded. An error without a status
// comes from the import of a module. Browsers do not request a failed module again until the page
// is reloaded.
export function failedView(app, error) {
	const title = app.words.error();
	const retry = () => (error.status === undefined ? location.reload() : app.show());
	const content = el("div", { class: "pane" }, el("div", { class: "measure" }, problem(error, app.words, retry)));
	return { title, match: {}, element: [bar(app, { title, back: { kind: "today" } }), content] };
}
