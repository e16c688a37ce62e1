package edit

import (
	"fmt"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
)

// The years of dates and times in changes.
const (
	minYear = 1600
	maxYear = 9000
)

// parseTime parses a date or a time as changes contain it. An all-day time
// becomes a date; any other is in zone, or floating if zone is nil.
func parseTime(field, text string, zone *ics.Zone, allDay bool) (ics.Time, error) {
	text = strings.TrimSpace(text)
	clock, isInstant, err := parseClock(text)
	if err != nil || clock.Year() < minYear || clock.Year() > maxYear {
		return ics.Time{}, svc.FieldError(svc.InvalidValue, field, "Enter a time such as 2026-12-01T09:00:00, or a day such as 2026-12-01.")
	}
	if isInstant {
		switch {
		case zone != nil && zone.Location() != nil:
			clock = clock.In(zone.Location())
		case !allDay: // the local time is unknown
			return ics.UTC(clock), nil
		}
		_, offset := clock.Zone()
		clock = time.Unix(clock.Unix()+int64(offset), 0).UTC()
	}
	switch {
	case allDay:
		return dateOf(clock), nil
	case hasDateLength(text):
		return ics.Time{}, svc.FieldError(svc.InvalidValue, field, "Add a time of day, or choose All day.")
	}
	return inZone(clock, zone), nil
}

// parseClock parses an instant with an offset, a local time or a date.
func parseClock(text string) (clock time.Time, isInstant bool, err error) {
	if clock, err = time.Parse(time.RFC3339, text); err == nil {
		return clock, true, nil
	}
	for _, layout := range []string{view.LocalLayout, "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly} {
		if clock, err = time.Parse(layout, text); err == nil {
			break
		}
	}
	return clock, false, err
}

// loadZone returns the zone of an IANA name in a field, nil for "".
func loadZone(field, name string) (*ics.Zone, error) {
	if name == "" {
		return nil, nil
	}
	if err := CheckTimezone(field, name); err != nil {
		return nil, err
	}
	zone, _ := ics.LoadZone(name)
	return zone, nil
}

// parseRule parses the rule of a series that starts at start.
func parseRule(text string, start ics.Time) (*ics.Rule, error) {
	rule, err := ics.ParseRule(strings.TrimPrefix(text, "RRULE:"))
	if err == nil && !rule.Supported() {
		err = fmt.Errorf("RSCALE=%s is not supported", rule.RScale)
	}
	if err != nil {
		return nil, svc.FieldError(svc.InvalidRecurrence, "rrule", "This recurrence rule is not valid: %v.", err)
	}
	if !rule.Until.IsZero() {
		rule.Until = untilFor(rule.Until, start)
	}
	return rule, nil
}

// checkRule checks the syntax of a rule; "" is valid.
func checkRule(text string) error {
	if text == "" {
		return nil
	}
	_, err := parseRule(text, ics.Time{})
	return err
}

// untilFor returns UNTIL in the form that the start of the series requires
// (RFC 5545 §3.3.10).
func untilFor(until, start ics.Time) ics.Time {
	const endOfDay = 24*time.Hour - time.Second
	switch {
	case start.IsDate():
		return dateOf(until.Clock())
	case occurrence.IsFloating(start) && until.IsDate():
		return ics.Floating(until.Clock().Add(endOfDay))
	case occurrence.IsFloating(start):
		return ics.Floating(until.Clock())
	case until.IsDate():
		return ics.UTC(inZone(until.Clock().Add(endOfDay), start.Zone()).Instant(nil))
	case until.IsFloating():
		return ics.UTC(inZone(until.Clock(), start.Zone()).Instant(nil))
	}
	return ics.UTC(until.Instant(nil))
}
