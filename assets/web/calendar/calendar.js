// The area of the calendar.

import { EntryView } from "./entryview.js";
import { stepped } from "./ranges.js";
import { panelOf } from "./source.js";
import { CalendarView, usualView } from "./view.js";

// open returns the view of an entry or a task, or of the panel of Time.
export function open(app, route, located) {
	if (located.object || route.query.entry) return new EntryView(app, route, located);
	return new CalendarView(app, route, located);
}

// panels returns the paths of the panels that are stored for a visit without a connection: those
// of the usual view today, and a step before and after.
export function panels(app, { url }) {
	const view = usualView();
	const steps = view === "tasks" ? [0] : [0, 1, -1];
	return steps.map((count) => panelOf(url, view, stepped(view, app.words.currentDay(), count), app.weekStart()));
}
