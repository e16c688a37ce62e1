package mirror

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/view"

	"github.com/emersion/go-ical"
)

// eventObject returns the calendar object of an event, without host and attendees.
func eventObject(uid string, e svc.SyncedEvent, now time.Time) (*ics.Object, error) {
	start, end := edit.EventBounds(e.Times)
	doc := ics.NewDocument(ics.ProdID)
	block := doc.Calendar.NewBlock("VEVENT")
	block.Add(ics.TextProp("UID", uid))
	block.Add(ics.TimeProp("CREATED", ics.UTC(now)))
	for _, text := range [][2]string{{"SUMMARY", e.Title}, {"LOCATION", e.Location}, {"DESCRIPTION", e.Description}} {
		if text[1] != "" {
			block.Add(ics.TextProp(text[0], text[1]))
		}
	}
	block.Add(ics.TimeProp("DTSTART", start))
	block.Add(ics.TimeProp("DTEND", end))
	for _, t := range []ics.Time{start, end} {
		if t.Zone() != nil {
			doc.AddTimeZone(t.Zone(), t.Instant(nil))
		}
	}
	if e.Times.RRule != "" {
		rule, err := ics.ParseRule(e.Times.RRule)
		if err != nil {
			return nil, err
		}
		block.Add(ics.RuleProp(rule))
	}
	status := "CONFIRMED"
	if e.Cancelled {
		status = "CANCELLED"
	}
	block.Add(ical.Prop{Name: "STATUS", Value: status})
	block.Add(ics.TimeProp("DTSTAMP", ics.UTC(now)))
	block.Add(ics.TimeProp("LAST-MODIFIED", ics.UTC(now)))
	if e.Latitude != nil && e.Longitude != nil { // RFC 5545 §3.8.1.6
		block.Add(ical.Prop{Name: "GEO", Value: formatDegrees(*e.Latitude) + ";" + formatDegrees(*e.Longitude)})
	}
	o, err := ics.ParseDefined(doc.Bytes())
	var invalid *ics.Error
	if errors.As(err, &invalid) {
		return nil, svc.Errorf(svc.InvalidValue, "%s", invalid.Reason)
	}
	return o, err
}

func formatDegrees(d float64) string { return strconv.FormatFloat(d, 'f', 6, 64) }

// memberProp returns a property that names a member.
func memberProp(name string, id svc.MemberID) ical.Prop {
	return ical.Prop{Name: name, Params: ical.Params{}, Value: id.URN()}
}

// partStats maps responses to PARTSTAT (RFC 5545 §3.2.12).
var partStats = map[svc.Response]string{svc.Going: "ACCEPTED", svc.Maybe: "TENTATIVE", svc.Declined: "DECLINED", svc.NoResponse: "NEEDS-ACTION"}

// attendee returns the ATTENDEE property for a.
func attendee(a svc.Attendee) ical.Prop {
	p := memberProp("ATTENDEE", a.MemberID)
	p.Params.Set("PARTSTAT", partStats[a.RSVP])
	return p
}

// organizer returns the ORGANIZER of the mirror of a, nil if the event has no
// host.
func (m *mirrorSync) organizer(a svc.Attendee) []ical.Prop {
	host := m.visibleHost(a)
	if host.ID == 0 {
		return nil
	}
	p := memberProp("ORGANIZER", host.ID)
	p.Params.Set("CN", host.DisplayName)
	return []ical.Prop{p}
}

// newText returns a new mirror of the event for a.
func (m *mirrorSync) newText(a svc.Attendee) (*ics.Object, error) {
	doc := m.object.Edit()
	block := doc.Block(m.object.Master)
	for _, p := range append(m.organizer(a), attendee(a)) {
		block.Set(p)
	}
	return ics.ParseDefined(doc.Bytes())
}

// The properties of a mirror that are copied from the event. The member may change
// all others.
var (
	timeProperties = []string{"DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE"}
	textProperties = []string{"SUMMARY", "DESCRIPTION", "LOCATION", "GEO", "STATUS", "URL", "CLASS"}
)

// updateText returns old, the mirror of a, with the current state of the event.
// It keeps the lines of the member, and lines of the event whose value is the
// same. retimed reports whether the times or the busy status may have changed.
func (m *mirrorSync) updateText(old *ics.Object, a svc.Attendee) (o *ics.Object, retimed bool, err error) {
	if old.Master == nil || old.Component != "VEVENT" {
		o, err = m.newText(a)
		return o, true, err
	}
	doc, event := old.Edit(), m.object.Master
	retimed = !slices.Equal(timesOf(old.Master), timesOf(event))
	for _, c := range old.Components() {
		block := doc.Block(c)
		switch {
		case retimed && c == old.Master:
			copyProps(block, c, event, timeProperties)
			doc.AddTimeZone(event.Time("DTSTART").Zone(), event.Time("DTSTART").Instant(nil))
		case retimed: // the occurrence of this override no longer exists
			doc.Calendar.RemoveBlocks(block)
			continue
		}
		copyProps(block, c, event, textProperties)
		setProp(block, c, "ORGANIZER", m.organizer(a))
		setProp(block, c, "ATTENDEE", []ical.Prop{attendee(a)})
		edit.Stamp(block, m.now)
	}
	o, err = ics.ParseDefined(doc.Bytes())
	if err != nil { // the lines of the member make it too large
		o, err = m.newText(a)
		return o, true, err
	}
	return o, retimed || view.Status(old.Master) != view.Status(event), err
}

// copyProps replaces the named properties of component to, whose lines are block,
// by the properties of component from.
func copyProps(block *ics.Block, to, from *ics.Component, names []string) {
	for _, name := range names {
		setProp(block, to, name, from.Props(name))
	}
}

// setProp replaces the property with a name in block, which has the lines of the
// component to, by the first of props. It removes the property if props is empty and
// keeps the line of a property whose value stays the same. The lines that a client has
// derived from a former text go.
func setProp(block *ics.Block, to *ics.Component, name string, props []ical.Prop) {
	old := to.Props(name)
	switch {
	case len(props) == 0:
		block.Remove(name)
	case !reflect.DeepEqual(old, props):
		block.Set(props[0])
	}
	isText := name == "DESCRIPTION" || name == "LOCATION"
	if isText && len(old) > 0 && (len(props) == 0 || old[0].Value != props[0].Value) {
		edit.RemoveDerived(block, to, name)
	}
}

// timesOf returns the times of a component in a form that does not depend on
// their notation.
func timesOf(c *ics.Component) []string {
	times := []string{ruleText(c)}
	if zone := view.ZoneName(c.Time("DTSTART")); zone != nil {
		times = append(times, *zone)
	}
	times = append(times, formatInstants(c.Time("DTSTART"), view.EventEnd(c))...)
	times = append(append(times, "RDATE"), formatInstants(c.RDates()...)...)
	return append(append(times, "EXDATE"), formatInstants(c.ExDates()...)...)
}
