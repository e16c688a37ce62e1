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

// Check returns an error if a client that replaces the mirror old by replacement
// changes a property of the event.
func Check(old, replacement *ics.Object) error {
	before, after := eventValues(old), eventValues(replacement)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if after[name] != before[name] {
			return svc.Errorf(svc.SocialOwnedField, "This entry belongs to a Social event. Change %s in the event instead.", name)
		}
	}
	return nil
}

// eventValues returns the values of the event's properties in all components of a
// mirror. The values are normalized: different notations of a value or an instant
// are equal, and an override with the values of its series is omitted.
func eventValues(o *ics.Object) map[string]string {
	values := make(map[string]string)
	for _, c := range o.Components() {
		if o.Master != nil && c != o.Master && keepsEventValues(c, o.Master) {
			continue
		}
		properties := textValues(c)
		maps.Copy(properties, map[string][]string{
			"DTSTART": formatInstants(c.Time("DTSTART")), "DTEND": formatInstants(view.EventEnd(c)),
			"RRULE": {ruleText(c)}, "RDATE": formatInstants(c.RDates()...), "EXDATE": formatInstants(c.ExDates()...),
		})
		for name, list := range properties {
			slices.Sort(list)
			values[name] += fmt.Sprintf("%v %q\n", formatInstants(c.RecurrenceID), list)
		}
	}
	if o.Recurs() { // the same rule has other occurrences in another time zone
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
		"ORGANIZER": membersNamed(c, "ORGANIZER"), "ATTENDEE": membersNamed(c, "ATTENDEE"),
	}
}

// keepsEventValues reports whether an override changes no property of the
// event: it has the values of its master and takes place at the time of its
// instance. Such an override only adds properties of the member, such as an
// alarm.
func keepsEventValues(c, master *ics.Component) bool {
	length := func(c *ics.Component) time.Duration { return view.EventEnd(c).Clock().Sub(c.Time("DTSTART").Clock()) }
	return !c.ThisAndFuture && slices.Equal(formatInstants(c.Time("DTSTART")), formatInstants(c.RecurrenceID)) && length(c) == length(master) &&
		c.Rule() == nil && len(c.RDates()) == 0 && maps.EqualFunc(textValues(c), textValues(master), slices.Equal)
}

func ruleText(c *ics.Component) string {
	if rule := c.Rule(); rule != nil {
		return rule.String()
	}
	return ""
}

// formatInstants formats times. It converts times with a time zone to UTC.
func formatInstants(times ...ics.Time) []string {
	list := make([]string, len(times))
	for i, t := range times {
		if list[i] = t.String(); t.Zone() != nil {
			list[i] = t.Instant(nil).Format(time.RFC3339)
		}
	}
	return list
}

// membersNamed returns the members that a property names, with their responses.
func membersNamed(c *ics.Component, name string) (list []string) {
	for _, p := range c.Props(name) {
		response := cmp.Or(strings.ToUpper(p.Params.Get("PARTSTAT")), "NEEDS-ACTION")
		list = append(list, strings.ToLower(p.Value)+" "+response)
	}
	return list
}
