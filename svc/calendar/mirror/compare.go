package mirror

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
)

// Check checks that a client which replaces the mirror old changes no property
// of the event.
func Check(old, replacement *ics.Object) error {
	before, after := eventValues(old), eventValues(replacement)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if after[name] != before[name] {
			return svc.Errorf(svc.SocialOwnedField, "This entry belongs to a Social event. Change %s in the event instead.", name)
		}
	}
	return nil
}

// eventValues returns the values of the event's properties in all components of
// a mirror. They are normalized: different notations of a value or an instant
// are equal, and an override with the values of its series does not count.
func eventValues(o *ics.Object) map[string]string {
	values := make(map[string]string)
	for _, c := range o.Components() {
		if o.Master != nil && c != o.Master && repeatsMaster(c, o.Master) {
			continue
		}
		properties := textValues(c)
		maps.Copy(properties, map[string][]string{
			"DTSTART": instants(c.Time("DTSTART")), "DTEND": instants(view.EventEnd(c)),
			"RRULE": {ruleText(c)}, "RDATE": instants(c.RDates()...), "EXDATE": instants(c.ExDates()...),
		})
		for name, list := range properties {
			slices.Sort(list)
			values[name] += fmt.Sprintf("%v %q\n", instants(c.RecurrenceID), list)
		}
	}
	if o.Recurs() { // in another time zone, the same rule has other occurrences
		list, _ := o.Instances(time.Time{}, time.Time{}, nil, occurrence.MaxRows)
		for _, i := range list {
			values["RRULE"] += i.StartsAt.Format(time.RFC3339) + "\n"
		}
	}
	return values
}

// textValues returns the values of the event's properties without times.
func textValues(c *ics.Component) map[string][]string {
	return map[string][]string{
		"SUMMARY": {c.Text("SUMMARY")}, "DESCRIPTION": {c.Text("DESCRIPTION")}, "LOCATION": {c.Text("LOCATION")},
		"URL": {c.Text("URL")}, "GEO": {c.Text("GEO")}, "STATUS": {view.Status(c)},
		"CLASS":     {cmp.Or(strings.ToUpper(c.Text("CLASS")), "PUBLIC")},
		"ORGANIZER": people(c, "ORGANIZER"), "ATTENDEE": people(c, "ATTENDEE"),
	}
}

// repeatsMaster reports whether an override has the event's values of its
// master, so that it only adds properties of the member, such as an alarm.
func repeatsMaster(c, master *ics.Component) bool {
	length := func(c *ics.Component) time.Duration { return view.EventEnd(c).Clock().Sub(c.Time("DTSTART").Clock()) }
	return !c.ThisAndFuture && slices.Equal(instants(c.Time("DTSTART")), instants(c.RecurrenceID)) && length(c) == length(master) &&
		c.Rule() == nil && len(c.RDates()) == 0 && maps.EqualFunc(textValues(c), textValues(master), slices.Equal)
}

func ruleText(c *ics.Component) string {
	if rule := c.Rule(); rule != nil {
		return rule.String()
	}
	return ""
}

// instants formats times; those in a time zone as UTC.
func instants(times ...ics.Time) []string {
	list := make([]string, len(times))
	for i, t := range times {
		if list[i] = t.String(); t.Zone() != nil {
			list[i] = t.Instant(nil).Format(time.RFC3339)
		}
	}
	return list
}

// people returns the members that a property names, with their responses.
func people(c *ics.Component, name string) (list []string) {
	for _, p := range c.Props(name) {
		response := cmp.Or(strings.ToUpper(p.Params.Get("PARTSTAT")), "NEEDS-ACTION")
		list = append(list, strings.ToLower(p.Value)+" "+response)
	}
	return list
}
