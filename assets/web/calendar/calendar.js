// The calendar area of the app.

import { EntryView } from "./entryview.js";
import { stepDay } from "./ranges.js";
import { panelOf } from "./source.js";
import { CalendarView, usualView } from "./view.js";

// open returns the view of a route: of an entry or a task, or else of the calendar.
export function open(app, route, match) {
	if (match.object || route.query.entry) return new EntryView(app, route, match);
	return new CalendarView(app, route, match);
}

// panels returns the paths of the panels to prefetch for a visit without a connection: the usual
// view of today, of the period before it and of the period after it.
export function panels(app, { url }) {
	const view = usualView();
	const steps = view === "tasks" ? [0] : [0, 1, -1];
	return steps.map((count) => panelOf(url, view, stepDay(view, app.words.currentDay(), count), app.weekStart()));
}
