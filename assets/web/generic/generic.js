// Generic views, for objects, surfaces and panels without a specialized view.

import { el } from "../parts/el.js";
import { emptyView } from "../parts/empty.js";
import { bar } from "../frame/bar.js";
import { objectView, surfaceView } from "./object.js";
import { panelView } from "./panel.js";

// open returns the view of a route.
export function open(app, route, match) {
	if (match.object && route.kind === "at") return objectView(app, route, match);
	if (match.surface) return surfaceView(app, route, match);
	return match.url ? panelView(app, route, match) : nothingView(app, match);
}

// nothingView returns the view for an item of the dock that opens neither a surface nor a panel.
function nothingView(app, match) {
	const title = match.title ?? "";
	const content = el("div", { class: "pane" }, emptyView({ title: app.words.nothingYet(), level: 2 }));
	return { title, element: [bar(app, { title, back: { kind: "today" } }), content] };
}
