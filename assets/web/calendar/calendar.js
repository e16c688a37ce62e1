// The area of the calendar.

import { EntryView } from "./entryview.js";
import { CalendarView } from "./view.js";

// open returns the view of an entry or a task, or of the panel of Time.
export function open(app, route, located) {
	if (located.object || route.query.entry) return new EntryView(app, route, located);
	return new CalendarView(app, route, located);
}
