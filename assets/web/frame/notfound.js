// The views for a route that does not exist, or cannot be loaded.

import { el } from "../parts/el.js";
import { empty } from "../parts/empty.js";
import { bar } from "./bar.js";
import { problem } from "./problem.js";

// notFoundView says that the content of a route does not exist or is no longer available.
export function notFoundView(app) {
	const { words } = app;
	const title = words.frame.gone();
	const body = empty({ art: "lamp", title, text: words.frame.goneText(), level: 2, action: { label: words.frame.toToday(), icon: "house", run: () => app.go({ kind: "today" }) } });
	return { title, located: {}, noRail: true, isMissing: true, element: [bar(app, { title, hideTitle: true, back: { kind: "today" } }), el("div", { class: "pane" }, body)] };
}

// failedView says that a view could not be loaded. Browsers do not repeat the request of a module
// that has failed once before the page is loaded again.
export function failedView(app, error) {
	const title = app.words.error();
	return { title, located: {}, element: [bar(app, { title, back: { kind: "today" } }), el("div", { class: "pane" }, el("div", { class: "measure" }, problem(error, app.words, () => (error.status === undefined ? location.reload() : app.show()))))] };
}
