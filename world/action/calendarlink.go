package action

import (
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/words"
)

// MaxImport limits the size of an imported calendar, in bytes.
const MaxImport = 64 << 20

// LinkedCalendar is a calendar with its feed.
type LinkedCalendar struct {
	calendar.Calendar
	Feed *calendar.Feed // nil if the calendar has none
}

// CalendarLinks declares the actions that exchange a calendar with other programs.
var CalendarLinks = Table[LinkedCalendar]{
	ID: func(c LinkedCalendar) string { return c.ID },
	Entries: []Entry[LinkedCalendar]{
		{Name: "open_export", Type: "export_calendar", Label: "Export as .ics file", Request: "GET /world/calendars/{id}/export"},
		{
			Name: "import", Type: "import_calendar", Label: "Import a file", Request: "POST /world/calendars/{id}/import",
			Allowed: func(c LinkedCalendar) bool { return !c.ReadOnly },
			Controls: func(LinkedCalendar) svc.List[Control] {
				return svc.List[Control]{fileControl("file", "iCalendar file", MaxImport, "text/calendar")}
			},
		},
		{
			Name: "create_feed", Type: "create_calendar_feed", Request: "POST /world/calendars/{id}/feed",
			LabelOf: func(c LinkedCalendar) words.Text {
				if c.Feed != nil {
					return words.Textf("Replace link")
				}
				return words.Textf("Create read-only link")
			},
			Controls: func(c LinkedCalendar) svc.List[Control] {
				shows := calendar.FeedDetails
				if c.Feed != nil {
					shows = c.Feed.Shows
				}
				return svc.List[Control]{selectorControl("shows", "The link shows", shows, feedContents)}
			},
		},
		{
			Name: "delete_feed", Type: "delete_calendar_feed", Label: "Stop sharing", Request: "DELETE /world/calendars/{id}/feed", Alias: "delete",
			Allowed: func(c LinkedCalendar) bool { return c.Feed != nil },
			Confirm: "Calendar apps with the present link can no longer read the calendar.", Destructive: true,
		},
	},
}

// feedContents are the contents of a feed.
var feedContents = svc.List[Option]{option(calendar.FeedDetails, "Entries"), option(calendar.FeedBusy, "Busy times only")}

// TrashBin declares the action on the whole trash.
var TrashBin = Table[struct{}]{
	Entries: []Entry[struct{}]{{
		Name: "empty_trash", Type: "empty_trash", Label: "Empty the trash", Request: "DELETE /world/time/trash", Alias: "delete",
		Confirm: irreversibleWarning, Destructive: true,
	}},
}
