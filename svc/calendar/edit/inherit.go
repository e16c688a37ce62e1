package edit

import (
	"cmp"
	"slices"
	"strings"

	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/view"
)

// inheritedProperties maps the fields that overrides inherit to their properties.
// Times and recurrence are not among them.
var inheritedProperties = map[string][]string{
	"title": {"SUMMARY"}, "description": {"DESCRIPTION"}, "location": {"LOCATION"}, "categories": {"CATEGORIES"},
	"transparency": {"TRANSP"}, "priority": {"PRIORITY"},
	"percent_complete": {"STATUS", "PERCENT-COMPLETE", "COMPLETED"}, "completed_at": {"STATUS", "PERCENT-COMPLETE", "COMPLETED"},
}

// inherited returns the part of the change of a series that applies to an
// override: the fields in which the override equals the master. The override
// keeps its own values of the other fields. masterAlarms are the contents of the alarms
// of the master.
func (c Change) inherited(master, override *ics.Component, masterAlarms []view.Alarm) Change {
	isInherited := func(field string) bool {
		for _, name := range inheritedProperties[field] {
			if !slices.Equal(values(master, name), values(override, name)) {
				return false
			}
		}
		return true
	}
	part := Change{}
	inherit(&part.Title, c.Title, isInherited("title"))
	inherit(&part.Description, c.Description, isInherited("description"))
	inherit(&part.Location, c.Location, isInherited("location"))
	inherit(&part.Categories, c.Categories, isInherited("categories"))
	inherit(&part.Status, c.Status, view.Status(master) == view.Status(override))
	inherit(&part.Class, c.Class, classValue(master) == classValue(override))
	inherit(&part.Transparency, c.Transparency, isInherited("transparency"))
	inherit(&part.Priority, c.Priority, isInherited("priority"))
	inherit(&part.PercentComplete, c.PercentComplete, isInherited("percent_complete"))
	inherit(&part.CompletedAt, c.CompletedAt, isInherited("completed_at"))
	if c.setsAlarms() {
		sameAlarms := slices.Equal(masterAlarms, contentsOf(override))
		inherit(&part.Alarms, c.Alarms, sameAlarms)
		inherit(&part.AlarmMinutes, c.AlarmMinutes, sameAlarms)
	}
	return part
}

// inherit sets an optional field if the override inherits it.
func inherit[T any](field *T, change T, inherits bool) {
	if inherits {
		*field = change
	}
}

// values returns the values of the properties with a name, without parameters.
func values(c *ics.Component, name string) (list []string) {
	for _, p := range c.Props(name) {
		list = append(list, strings.TrimSpace(p.Value))
	}
	return list
}

// classValue returns the value of CLASS. An unknown one differs from PRIVATE, which it means,
// so that an override keeps it.
func classValue(c *ics.Component) string {
	return cmp.Or(strings.ToUpper(strings.Join(values(c, "CLASS"), ",")), "PUBLIC")
}
