package calendar

import (
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// ImportSource is a calendar of another program, into whose properties no trust is placed.
type ImportSource struct {
	ics.CalendarInfo
	Components []string // that it contains; nil if it does not say
}

// ImportName returns the name that an import gives the calendar for a source, "" if the source has
// no visible name.
func ImportName(name string) string {
	if name = svc.SingleLine(name, svc.MaxName); !svc.IsVisible(name) {
		return ""
	}
	return name
}

// ImportTarget returns the calendar of v with the name of a source, or the default calendar if it
// has no name. If there is none, it creates the calendar with the properties of the source. The
// report says which of them it could not take.
func (s *Service) ImportTarget(tx *store.Tx, v svc.Viewer, src ImportSource) (c Calendar, report ImportReport, err error) {
	list, err := s.Calendars(tx, v)
	if err != nil {
		return c, report, err
	}
	name := ImportName(src.Name)
	if n := slices.IndexFunc(list, func(c Calendar) bool { return name == "" && c.IsDefault || name != "" && c.Name == name }); n >= 0 {
		return list[n], report, nil
	}
	created := NewCalendar{Name: name, Description: svc.MultiLine(src.Description, svc.MaxSummary), Components: src.Components}
	created.Color, _ = ics.ParseColor(src.Color)
	if src.Timezone != "" {
		zone, ok := ics.ZoneName(src.Timezone)
		if !ok {
			report.Notes = append(report.Notes, ImportNote{Code: NoteUnknownSource, Zone: svc.Excerpt(src.Timezone), Entries: []NotedEntry{{Calendar: name}}})
		}
		created.Timezone = zone
	}
	c, err = s.CreateCalendar(tx, v, created)
	return c, report, err
}
