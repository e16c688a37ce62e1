package dav

import (
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// invalidValue returns the error for an invalid value (RFC 4918 §9.2.1).
func invalidValue(message string) *Error {
	return &Error{Status: http.StatusConflict, Message: message}
}

// withDefault returns a setter for a new calendar that ignores an invalid value.
// The calendar gets the default value then and is not rejected.
func withDefault(set func(*PropertyUpdate, *element) *Error) func(*PropertyUpdate, *element) *Error {
	return func(p *PropertyUpdate, e *element) *Error {
		if err := set(p, e); err != nil && err.Status != http.StatusConflict {
			return err
		}
		return nil
	}
}

// isEmpty reports whether p contains no change.
func (p *PropertyUpdate) isEmpty() bool {
	return p.Name == nil && p.Description == nil && p.Color == nil && p.Order == nil && p.TimeZone == nil && p.Dead == nil
}

// setName sets the name. It truncates a name that is longer than the limit.
func setName(p *PropertyUpdate, e *element) *Error {
	if e == nil {
		return invalidValue("DAV:displayname cannot be removed; set another value.")
	}
	if len(e.text) > MaxDeadProperty {
		return invalidValue(fmt.Sprintf("DAV:displayname may have at most %d octets.", MaxDeadProperty))
	}
	name := []rune(e.value())
	p.Name = new(strings.TrimSpace(string(name[:min(len(name), svc.MaxName)])))
	return nil
}

// calendarDescription is also stored as a dead property if it has an xml:lang.
var calendarDescription = calName("calendar-description")

func setDescription(p *PropertyUpdate, e *element) *Error {
	description := ""
	if e != nil {
		description = string(e.text)
	}
	p.Description = &description
	if e != nil && e.language() == "" {
		e = nil
	}
	return p.setDead(calendarDescription, e)
}

// calendarColor is also stored as a dead property if the client's value contains
// more than #rrggbb: Apple's clients add an alpha channel and attributes.
var calendarColor = xml.Name{Space: nsApple, Local: "calendar-color"}

func setColor(p *PropertyUpdate, e *element) *Error {
	if e == nil {
		return invalidValue("calendar-color cannot be removed; set another value.")
	}
	color, ok := ics.ParseColor(e.value())
	if !ok {
		return invalidValue("calendar-color must have the form #rrggbb.")
	}
	p.Color = &color
	if e.value() == color && len(e.attrs) == 0 {
		e = nil
	}
	return p.setDead(calendarColor, e)
}

func setOrder(p *PropertyUpdate, e *element) *Error {
	order := 0
	if e != nil && e.value() != "" {
		n, err := strconv.ParseInt(e.value(), 10, 32)
		if err != nil {
			return invalidValue("calendar-order must be an integer.")
		}
		order = int(n)
	}
	p.Order = &order
	return nil
}

// setTimeZone stores the IANA name of the VTIMEZONE. If there is none, it
// stores the VTIMEZONE as a dead property, and the TimeZone of the calendar
// does not change.
func setTimeZone(p *PropertyUpdate, e *element) *Error {
	name := ""
	if e != nil {
		var err error
		if name, _, err = parseZone(p.work, string(e.text)); err != nil {
			if _, invalid := errors.AsType[*ics.Error](err); !invalid {
				p.err = err
			}
			return forbidden(calName("valid-calendar-data"), "CALDAV:calendar-timezone: %v", reasonOf(err))
		}
		if name == "" {
			return p.setDead(calendarTimeZone, e)
		}
	}
	p.TimeZone = &name
	return p.setDead(calendarTimeZone, nil)
}

// reasonOf returns the reason in an error of package ics, a sentence for people.
func reasonOf(err error) string {
	if invalid, ok := errors.AsType[*ics.Error](err); ok {
		return invalid.Reason
	}
	return err.Error()
}

// setTransparency sets CALDAV:schedule-calendar-transp (RFC 6638 §9.1).
func setTransparency(p *PropertyUpdate, e *element) *Error {
	if e != nil && (len(e.children) != 1 || e.children[0].name != calName("opaque") && e.children[0].name != calName("transparent")) {
		return invalidValue("CALDAV:schedule-calendar-transp must contain CALDAV:opaque or CALDAV:transparent.")
	}
	return p.setDead(calName("schedule-calendar-transp"), e)
}

// setAvailability sets CALDAV:calendar-availability (RFC 7953 §7.2.4).
func setAvailability(p *PropertyUpdate, e *element) *Error {
	if e != nil {
		if _, err := ics.ParseAvailability([]byte(strings.TrimSpace(string(e.text)))); err != nil {
			return forbidden(calName("valid-calendar-data"), "CALDAV:calendar-availability: %v", reasonOf(err))
		}
	}
	return p.setDead(calName("calendar-availability"), e)
}

// setDead sets a dead property, or removes it if e is nil.
func (p *PropertyUpdate) setDead(name xml.Name, e *element) *Error {
	d := DeadProperty{Name: name}
	if e != nil {
		if d.Element = e.marshalStandalone(); len(d.Element) > MaxDeadProperty {
			return &Error{Status: http.StatusInsufficientStorage, Message: fmt.Sprintf("A property may have at most %d octets.", MaxDeadProperty)}
		}
	}
	p.Dead = append(p.Dead, d)
	return nil
}

// setTimeZoneID sets an IANA name. It converts the names of other systems.
func setTimeZoneID(p *PropertyUpdate, e *element) *Error {
	name := ""
	if e != nil {
		var known bool
		if name, known = ics.IANAName(e.value()); !known {
			return forbidden(calName("valid-timezone"), "The time zone %q is not in the IANA database.", e.value())
		}
	}
	p.TimeZone = &name
	return p.setDead(calendarTimeZone, nil)
}

// checkType returns an error unless the resource type is that of a calendar or
// a folder (RFC 5689 §3.3).
func checkType(_ *PropertyUpdate, e *element) *Error {
	if e == nil {
		return errType
	}
	for _, c := range e.children {
		if c.name != calName("calendar") && c.name != davName("collection") {
			return errType
		}
	}
	return nil
}

var errType = forbidden(davName("valid-resourcetype"), "DAV:resourcetype must be DAV:collection, with or without CALDAV:calendar.")

// setComponents sets the components of a new calendar to the requested ones. The
// calendar accepts no other components, because clients choose its display by
// them: iOS shows a calendar with VEVENT as a calendar of events, even if it
// contains only tasks.
func setComponents(p *PropertyUpdate, e *element) *Error {
	if e == nil {
		return errProtected
	}
	p.Components = nil
	for _, c := range e.children {
		name, _ := c.attr("name")
		name = strings.ToUpper(name)
		if c.name != calName("comp") || !slices.Contains(ics.ObjectComponents, name) {
			p.Components = nil
			break
		}
		if !slices.Contains(p.Components, name) {
			p.Components = append(p.Components, name)
		}
	}
	if p.Components == nil {
		return forbidden(calName("supported-calendar-component"), "CALDAV:supported-calendar-component-set must contain at least one CALDAV:comp, each with one of the names %s.", strings.Join(ics.ObjectComponents, ", "))
	}
	return nil
}
