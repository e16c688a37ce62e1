// The area of the calendar.

import { EntryView } from "./entryview.js";
import { CalendarView } from "./view.js";

// open returns the view of an entry or a task, or of the panel of Time.
export function open(app, place, located) {
	if (located.object || place.query.entry) return new EntryView(app, place, located);
	return new CalendarView(app, place, located);
}
