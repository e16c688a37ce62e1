package action

import (
	"appliance/svc"
	"appliance/svc/calendar"
)

const changeCalendar = "PATCH /world/calendars/{id}"

// Calendars declares the actions on calendars.
var Calendars = Table[calendar.Calendar]{
	ID: func(c calendar.Calendar) string { return c.ID },
	Entries: []Entry[calendar.Calendar]{
		{Name: "open", Type: "open_calendar", Label: "Open", Request: "GET /world/calendars/{id}"},
		{
			Name: "update", Type: "update_calendar", Label: "Edit calendar", Request: changeCalendar,
			Allowed:  func(c calendar.Calendar) bool { return !c.ReadOnly },
			Controls: calendarControls,
		},
		{
			Name: "arrange", Type: "arrange_calendar", Label: "Show or hide", Request: changeCalendar,
			Controls: func(c calendar.Calendar) svc.List[Control] {
				return svc.List[Control]{checkboxControl("visible", "Visible", c.Visible), {ID: "order", Type: NumberInput, Label: "Place in the list", Default: c.Order}}
			},
		},
		{
			Name: "delete", Type: "delete_calendar", Label: "Delete calendar", Request: "DELETE /world/calendars/{id}",
			Allowed: func(c calendar.Calendar) bool { return !c.ReadOnly && !c.IsDefault }, Destructive: true,
		},
	},
}

func calendarControls(c calendar.Calendar) svc.List[Control] {
	zone := ""
	if c.OwnTimezone {
		zone = c.Timezone
	}
	return svc.List[Control]{requiredControl("name", "Name", svc.MaxName, c.Name), colorControl("color", "Color", c.Color), zoneControl(zone)}
}

// colorsOf returns the colors of calendars.
func colorsOf(calendars []calendar.Calendar) []string {
	colors := make([]string, len(calendars))
	for i, c := range calendars {
		colors[i] = c.Color
	}
	return colors
}

// Trash declares the actions on entries in the trash.
var Trash = Table[calendar.TrashEntry]{
	ID: func(t calendar.TrashEntry) string { return t.ID },
	Entries: []Entry[calendar.TrashEntry]{
		{Name: "restore", Type: "restore_trashed", Label: "Restore", Request: "POST /world/time/trash/{id}/restore"},
		{
			Name: "delete", Type: "delete_trashed", Label: "Delete permanently", Request: "DELETE /world/time/trash/{id}",
			Confirm: irreversibleWarning, Destructive: true,
		},
	},
}
