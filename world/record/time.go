package record

import (
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/view"
	"appliance/world/action"
	"appliance/world/dataset"
)

// TimeObject is a calendar event or a task with its addresses. Schema:
// service.time.object.
type TimeObject struct {
	view.Object
	Links   Links            `json:"links"`
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewTimeObject returns the record of o.
func NewTimeObject(o view.Object) TimeObject {
	self := action.TimeObjectsURL + "/" + o.ID
	return TimeObject{o, Links{self}, action.TimeObjects.URLs(action.TimeObject{Object: o})}
}

// Calendar is a calendar with its addresses. Schema: service.time.calendar.
type Calendar struct {
	calendar.Calendar
	Links   Links            `json:"links"`
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewCalendar returns the record of c.
func NewCalendar(c calendar.Calendar) Calendar {
	self := action.CalendarsURL + "/" + c.ID
	return Calendar{c, Links{self}, action.Calendars.URLs(c)}
}

// TrashEntry is an entry in the trash with the URLs that restore it or delete it
// permanently.
type TrashEntry struct {
	calendar.TrashEntry
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewTrashEntry returns the record of t.
func NewTrashEntry(t calendar.TrashEntry) TrashEntry {
	return TrashEntry{t, action.Trash.URLs(t)}
}

// PageFallbacks returns the fallback of a truncated page of occurrences, none for a
// complete page.
func PageFallbacks(p index.Page) svc.List[dataset.Fallback] {
	if !p.Truncated {
		return nil
	}
	return svc.List[dataset.Fallback]{dataset.Truncated("objects", "Some entries repeat too often to list all of their dates.")}
}
