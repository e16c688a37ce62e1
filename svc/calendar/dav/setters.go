package dav

import (
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"regexp"
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

// empty reports whether p contains no change.
func (p *PropertyUpdate) empty() bool {
	return p.Name == nil && p.Description == nil && p.Color == nil && p.Order == nil && p.TimeZone == nil && p.Dead == nil
}

func setName(p *PropertyUpdate, e *element) *Error {
	if e == nil {
		return invalidValue("DAV:displayname cannot be removed; set another value.")
	}
	name := e.value()
	p.Name = &name
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

// colorSyntax matches the colors that clients send. Apple's have an alpha
// channel, which is dropped.
var colorSyntax = regexp.MustCompile(`^#(?:[0-9a-f]{3}|[0-9a-f]{6}(?:[0-9a-f]{2})?)$`)

func setColor(p *PropertyUpdate, e *element) *Error {
	if e == nil {
		return invalidValue("calendar-color cannot be removed; set another value.")
	}
	c := strings.ToLower(e.value())
	if !colorSyntax.MatchString(c) {
		return invalidValue("calendar-color must have the form #rrggbb.")
	}
	if len(c) == 4 {
		c = string([]byte{'#', c[1], c[1], c[2], c[2], c[3], c[3]})
	}
	c = c[:7]
	p.Color = &c
	return nil
}

func setOrder(p *PropertyUpdate, e *element) *Error {
	order := 0
	if e != nil {
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
		if name, _, err = parseZone(string(e.text)); err != nil {
			return forbidden(calName("valid-calendar-data"), "CALDAV:calendar-timezone: %v", reasonOf(err))
		}
		if name == "" {
			return p.setDead(calendarTimeZone, e)
		}
	}
	p.TimeZone = &name
	return p.setDead(calendarTimeZone, nil)
}

// reasonOf returns the sentence in an error of package ics.
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

func setTimeZoneID(p *PropertyUpdate, e *element) *Error {
	name := ""
	if e != nil {
		name = e.value()
		if _, known := svc.Zone(name); !known {
			return forbidden(calName("valid-timezone"), "The time zone %q is not in the IANA database.", name)
		}
	}
	p.TimeZone = &name
	return p.setDead(calendarTimeZone, nil)
}

// checkType accepts the resource types of calendars and folders
// (RFC 5689 §3.3).
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

// setComponents sets the supported ones of the requested components.
func setComponents(p *PropertyUpdate, e *element) *Error {
	if e == nil {
		return errProtected
	}
	p.Components = nil
	for _, c := range e.children {
		name, _ := c.attr("name")
		name = strings.ToUpper(name)
		if c.name == calName("comp") && slices.Contains(ObjectComponents, name) && !slices.Contains(p.Components, name) {
			p.Components = append(p.Components, name)
		}
	}
	if p.Components == nil {
		return forbidden(calName("supported-calendar-component"), "CALDAV:supported-calendar-component-set must contain one of %s.", strings.Join(ObjectComponents, ", "))
	}
	return nil
}

// ObjectComponents are the components that calendars can accept
// (RFC 4791 §4.1).
var ObjectComponents = []string{"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"}
