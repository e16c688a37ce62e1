package calendar

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// A mirror is the entry that stands for a Social event in a member's calendar.
// Social says what it is; the member decides which calendar it is in, its
// color, whether it shows, and its alarms, and Social does not touch those
// (B-62).

// errMirror refuses to delete one.
var errMirror = svc.Errorf(svc.SocialOwnedField, "This entry mirrors a Social event. Decline the event, or hide the entry.")

// changeMirror works out a change to what of a mirror is its member's own.
func (d *Draft) changeMirror(o *ics.Object, in ObjectChange, now time.Time) error {
	if err := in.ofMirror(); err != nil {
		return err
	}
	d.tinted = in.Change
	own := Change{Alarms: in.Alarms, AlarmMinutes: in.AlarmMinutes, CalendarID: in.CalendarID}
	if d.stays = len(own.fields()) == 0; d.stays {
		return nil
	}
	return d.changeAll(o, ics.Instance{}, own, now)
}

// ofMirror refuses what is Social's, field by field.
func (in ObjectChange) ofMirror() error {
	var refused []error
	for _, field := range in.fields() {
		if field != "alarm_minutes" && !slices.Contains(mirrorFields, field) {
			refused = append(refused, svc.FieldError(svc.SocialOwnedField, field, "This entry mirrors a Social event. Change the event instead."))
		}
	}
	if len(refused) > 0 {
		return svc.Join(refused...)
	}
	if in.Scope != "" && in.Scope != "all" {
		return svc.FieldError(svc.InvalidValue, "scope", "What you decide about a Social event is about all of it; use the scope all.")
	}
	return svc.Join(checkColor(in.Color.Value), checkChoice("local_visibility", in.LocalVisibility.Value, []string{"visible", "hidden"}))
}

// tint changes the color of a mirror, and whether it shows. CalDAV clients
// hear of one that is hidden as of one that is gone.
func (s *Service) tint(tx *store.Tx, row viewed, c Change) error {
	if !c.Color.Set && !c.LocalVisibility.Set {
		return nil
	}
	color, hidden := row.OwnColor, row.Hidden
	if c.Color.Set {
		color = nil
		if c.Color.Value != "" {
			color = new(strings.ToLower(c.Color.Value))
		}
	}
	if c.LocalVisibility.Set {
		hidden = c.LocalVisibility.Value == "hidden"
	}
	seq, err := s.nextSeq(tx, row.CalendarID, 1)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.TintObject, store.Args{
		"n": row.N, "color": color, "hidden": hidden, "seq": seq, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	if hidden {
		err = s.bury(tx, row.CalendarID, row.Segment, seq)
	} else {
		_, err = tx.Exec(s.q.Unbury, store.Args{"calendar": row.CalendarID, "segment": row.Segment})
	}
	if err != nil {
		return err
	}
	return s.touchReaders(tx, row.CalendarID)
}

// keepSocial refuses an entry in the place of a mirror that says otherwise what
// Social says.
func (s *Service) keepSocial(tx *store.Tx, old objectRow, e *Entry) error {
	if old.Source == nil {
		return nil
	}
	before, err := s.readOne(tx, old.dataRef)
	if err != nil {
		return err
	}
	is, was := socialValues(e.object), socialValues(before)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if is[name] != was[name] {
			return svc.Errorf(svc.SocialOwnedField, "This entry mirrors a Social event; %s can be changed there alone.", name)
		}
	}
	return nil
}

// socialValues are what Social says of an event, by property, of all its
// components. Two ways to write the same value or instant are the same here,
// and an instance that has lines of its own, but says what all of them say, is
// as if it had none.
func socialValues(o *ics.Object) map[string]string {
	values := make(map[string]string)
	for _, c := range o.Components() {
		if o.Master != nil && c != o.Master && echoes(c, o.Master) {
			continue
		}
		words := socialWords(c)
		maps.Copy(words, map[string][]string{
			"DTSTART": instants(c.Time("DTSTART")), "DTEND": instants(eventEnd(c)),
			"RRULE": {ruleText(c)}, "RDATE": instants(c.RDates()...), "EXDATE": instants(c.ExDates()...),
		})
		for name, list := range words {
			slices.Sort(list)
			values[name] += fmt.Sprintf("%v %q\n", instants(c.RecurrenceID), list)
		}
	}
	if o.Recurs() { // the same rule makes others of the same start in another zone
		list, _ := o.Instances(time.Time{}, time.Time{}, nil, maxIndexed)
		for _, i := range list {
			values["RRULE"] += stamp(i.StartsAt) + "\n"
		}
	}
	return values
}

// socialWords are those that do not say when it is.
func socialWords(c *ics.Component) map[string][]string {
	return map[string][]string{
		"SUMMARY": {c.Text("SUMMARY")}, "DESCRIPTION": {c.Text("DESCRIPTION")}, "LOCATION": {c.Text("LOCATION")},
		"URL": {c.Text("URL")}, "GEO": {c.Text("GEO")}, "STATUS": {statusOf(c)},
		"CLASS":     {cmp.Or(strings.ToUpper(c.Text("CLASS")), "PUBLIC")},
		"ORGANIZER": people(c, "ORGANIZER"), "ATTENDEE": people(c, "ATTENDEE"),
	}
}

// echoes reports whether an override says of its instance what the master
// does: then all that is its own is its member's, such as an alarm.
func echoes(c, master *ics.Component) bool {
	length := func(c *ics.Component) time.Duration { return eventEnd(c).Clock().Sub(c.Time("DTSTART").Clock()) }
	return !c.ThisAndFuture && slices.Equal(instants(c.Time("DTSTART")), instants(c.RecurrenceID)) && length(c) == length(master) &&
		c.Rule() == nil && len(c.RDates()) == 0 && maps.EqualFunc(socialWords(c), socialWords(master), slices.Equal)
}

func ruleText(c *ics.Component) string {
	if rule := c.Rule(); rule != nil {
		return rule.String()
	}
	return ""
}

// instants prints times, those of any zone as UTC.
func instants(times ...ics.Time) []string {
	list := make([]string, len(times))
	for i, t := range times {
		if list[i] = t.String(); t.Zone() != nil {
			list[i] = stamp(t.Instant(nil))
		}
	}
	return list
}

// people are who a property names, and whether they come.
func people(c *ics.Component, name string) (list []string) {
	for _, p := range c.Props(name) {
		answer := cmp.Or(strings.ToUpper(p.Params.Get("PARTSTAT")), "NEEDS-ACTION")
		list = append(list, strings.ToLower(p.Value)+" "+answer)
	}
	return list
}
