package record

import (
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/view"
	"appliance/svc/words"
	"appliance/world/action"
	"appliance/world/dataset"
)

// TimeObject is a calendar event or a task with its addresses. Schema:
// service.time.object.
type TimeObject struct {
	view.Object
	Links   Links            `json:"links"`
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST

	// ActionDescriptors are the requests that the actions consist of. In a list they
	// have no controls: the response to open has them.
	ActionDescriptors svc.List[action.Request] `json:"action_descriptors"`
}

// NewTimeObject returns the record of o in a list.
func NewTimeObject(l words.Language, o view.Object) TimeObject {
	return newTimeObject(l, action.TimeObject{Object: o}, false)
}

// NewOpenTimeObject returns the record of o with the controls of its actions.
func NewOpenTimeObject(l words.Language, o view.Object, calendars []calendar.Calendar) TimeObject {
	return newTimeObject(l, action.TimeObject{Object: o, Calendars: action.CalendarOptions(calendars, o.ObjectType)}, true)
}

func newTimeObject(l words.Language, o action.TimeObject, withControls bool) TimeObject {
	self := action.TimeObjectsURL + "/" + o.ID
	urls, requests := action.TimeObjects.Describe(l, o, withControls)
	return TimeObject{o.Object, Links{self}, urls, requests}
}

// Calendar is a calendar with its addresses. Schema: service.time.calendar.
type Calendar struct {
	calendar.Calendar
	SharedWith svc.List[CalendarMember] `json:"shared_with"` // the other members who can see it, as far as the member can see them
	Links      Links                    `json:"links"`
	Actions    svc.Dict[string]         `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// CalendarMember is another member who can see a calendar.
type CalendarMember struct {
	MemberID    svc.MemberID `json:"member_id"`
	DisplayName string       `json:"display_name"`
	Username    string       `json:"username"`
	Role        object.Role  `json:"role"`
}

// NewCalendar returns the record of c. people contains the members that the viewer
// sees.
func NewCalendar(c calendar.Calendar, people map[svc.MemberID]svc.Person) Calendar {
	self := action.CalendarsURL + "/" + c.ID
	r := Calendar{Calendar: c, Links: Links{self}, Actions: action.Calendars.URLs(c)}
	for _, other := range c.Others {
		if p, ok := people[other.Member]; ok {
			r.SharedWith = append(r.SharedWith, CalendarMember{p.ID, p.DisplayName, p.Username, other.Role})
		}
	}
	return r
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

// PageFallbacks returns the fallback, in the language l, of a truncated page of
// occurrences, none for a complete page.
func PageFallbacks(l words.Language, p index.Page) svc.List[dataset.Fallback] {
	if !p.Truncated {
		return nil
	}
	return svc.List[dataset.Fallback]{dataset.TruncatedFallback("objects", l.Text("Some entries repeat too often to list all of their dates."))}
}
