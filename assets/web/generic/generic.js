// What has no screen of its own.

import { el } from "../parts/el.js";
import { empty } from "../parts/empty.js";
import { bar } from "../frame/bar.js";
import { objectView, surfaceView } from "./object.js";
import { panelView } from "./panel.js";

// open returns the view of a route.
export function open(app, route, located) {
	if (located.object && route.kind === "at") return objectView(app, route, located);
	if (located.surface) return surfaceView(app, route, located);
	return located.url ? panelView(app, route, located) : nothingView(app, located);
}

// nothingView is the view of an item of the dock that opens nothing that this app knows.
function nothingView(app, located) {
	const title = located.title ?? "";
	return { title, element: [bar(app, { title, back: { kind: "today" } }), el("div", { class: "pane" }, empty({ title: app.words.nothingYet(), level: 2 }))] };
}
