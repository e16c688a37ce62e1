package edit

import (
	"regexp"
	"slices"

	"appliance/svc"
	"appliance/svc/calendar/view"
)

// CheckMirror checks that a change to a mirror sets only fields that belong to
// the member.
func (in ObjectChange) CheckMirror() error {
	var refused []error
	for _, field := range in.fields() {
		if field != "alarm_minutes" && !slices.Contains(view.MirrorFields, field) {
			refused = append(refused, svc.FieldError(svc.SocialOwnedField, field, "%s belongs to the Social event. Change the event instead.", svc.FieldLabel(field)))
		}
	}
	if len(refused) > 0 {
		return svc.Join(refused...)
	}
	if in.Scope != "" && in.Scope != All {
		return svc.FieldError(svc.InvalidValue, "scope", "Your settings for a Social event apply to all its occurrences. Use the scope all.")
	}
	return CheckColor(in.Color.Value)
}

// MirrorTextChange returns the part of a change to a mirror that changes its
// text or its calendar. It returns false if there is none.
func (in ObjectChange) MirrorTextChange() (c Change, ok bool) {
	c = Change{Alarms: in.Alarms, AlarmMinutes: in.AlarmMinutes, CalendarID: in.CalendarID}
	return c, len(c.fields()) > 0
}

var colorForm = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// CheckColor checks a color; "" is valid.
func CheckColor(color string) error {
	if color != "" && !colorForm.MatchString(color) {
		return svc.FieldError(svc.InvalidValue, "color", "A color must look like #3b82f6.")
	}
	return nil
}
