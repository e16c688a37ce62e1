// What has no screen of its own.

import { objectView, surfaceView } from "./object.js";
import { panelView } from "./panel.js";

// open returns the view of a place.
export function open(app, place, located) {
	if (located.object && place.kind === "at") return objectView(app, place, located);
	if (located.surface) return surfaceView(app, place, located);
	return panelView(app, place, located);
}
