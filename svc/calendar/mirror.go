package calendar

import (
	"slices"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// A mirror is the entry that stands for a Social event in a member's calendar.
// Social says what it is; the member decides which calendar it is in, its
// color, whether it shows, and its alarms, and Social does not touch those
// (B-62).

// patchMirror changes what of a mirror is its member's own.
func (s *Service) patchMirror(tx *store.Tx, v svc.Viewer, row viewed, o *ics.Object, in ObjectChange) (Object, error) {
	if err := in.ofMirror(); err != nil {
		return Object{}, err
	}
	if err := s.tint(tx, row, in.Change); err != nil {
		return Object{}, err
	}
	if own := (Change{Alarms: in.Alarms, AlarmMinutes: in.AlarmMinutes, CalendarID: in.CalendarID}); len(own.fields()) > 0 {
		return s.patchAll(tx, v, row, o, ics.Instance{}, own)
	}
	return s.Object(tx, v, row.ID)
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
		_, err = tx.Exec(s.q.Bury, store.Args{"calendar": row.CalendarID, "segment": row.Segment, "seq": seq})
	} else {
		_, err = tx.Exec(s.q.Unbury, store.Args{"calendar": row.CalendarID, "segment": row.Segment})
	}
	if err != nil {
		return err
	}
	return s.touchReaders(tx, row.CalendarID)
}
