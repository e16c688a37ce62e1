package action

import (
	"appliance/svc"
	"appliance/svc/calendar"
)

// Calendars declares the actions on calendars.
var Calendars = Table[calendar.Calendar]{
	URL: func(c calendar.Calendar) string { return CalendarsURL + "/" + c.ID },
	Entries: []Entry[calendar.Calendar]{
		{Name: "open", Type: "open_calendar", Label: "Open", Method: "GET"},
		{
			Name: "update", Type: "update_calendar", Label: "Edit calendar", Method: "PATCH",
			Allowed:  func(c calendar.Calendar) bool { return !c.ReadOnly },
			Controls: calendarControls,
		},
		{
			Name: "arrange", Type: "arrange_calendar", Label: "Show or hide", Method: "PATCH",
			Controls: func(c calendar.Calendar) svc.List[Control] {
				return svc.List[Control]{checkboxControl("visible", "Visible", c.Visible), {ID: "order", Type: "number", Label: "Place in the list", Default: c.Order}}
			},
		},
		{
			Name: "delete", Type: "delete_calendar", Label: "Delete calendar", Method: "DELETE",
			Allowed: func(c calendar.Calendar) bool { return !c.ReadOnly && !c.IsDefault },
		},
	},
}

func calendarControls(c calendar.Calendar) svc.List[Control] {
	return svc.List[Control]{requiredControl("name", "Name", svc.MaxName, c.Name), colorControl("color", "Color", c.Color)}
}

// Trash declares the actions on entries in the trash.
var Trash = Table[calendar.TrashEntry]{
	URL: func(t calendar.TrashEntry) string { return TrashURL + "/" + t.ID },
	Entries: []Entry[calendar.TrashEntry]{
		{Name: "restore", Type: "restore_trashed", Label: "Restore", Method: "POST", Path: "/restore"},
		{Name: "delete", Type: "delete_trashed", Label: "Delete permanently", Method: "DELETE"},
	},
}
