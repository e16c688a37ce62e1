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

// badValue refuses a value (RFC 4918 §9.2.1).
func badValue(message string) *Error {
	return &Error{Status: http.StatusConflict, Message: message}
}

// empty reports whether there is nothing to set.
func (p *PropertyUpdate) empty() bool {
	return p.Name == nil && p.Description == nil && p.Color == nil && p.Order == nil && p.TimeZone == nil && p.Dead == nil
}

func setName(p *PropertyUpdate, e *element) *Error {
	if e == nil {
		return badValue("A calendar keeps a name. Give it another one instead.")
	}
	name := e.value()
	p.Name = &name
	return nil
}

// calendarDescription is kept as the client wrote it where that says in what
// language it is.
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

// colorSyntax are those that clients send: Apple with an alpha channel, which means
// nothing for a calendar and is dropped.
var colorSyntax = regexp.MustCompile(`^#(?:[0-9a-f]{3}|[0-9a-f]{6}(?:[0-9a-f]{2})?)$`)

func setColor(p *PropertyUpdate, e *element) *Error {
	if e == nil {
		return badValue("A calendar keeps a color. Give it another one instead.")
	}
	c := strings.ToLower(e.value())
	if !colorSyntax.MatchString(c) {
		return badValue("A color is written as #rrggbb.")
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
			return badValue("The order of a calendar is a whole number.")
		}
		order = int(n)
	}
	p.Order = &order
	return nil
}

// setTimeZone takes a VTIMEZONE for the zone of the IANA database that it
// stands for. One that stands for none is kept as it is, and the calendar's own
// views go on in the zone that they were in.
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

// reasonOf is the sentence in an error of package ics.
func reasonOf(err error) string {
	if invalid, ok := errors.AsType[*ics.Error](err); ok {
		return invalid.Reason
	}
	return err.Error()
}

// setTransparency takes whether a calendar makes its member busy.
func setTransparency(p *PropertyUpdate, e *element) *Error {
	if e != nil && (len(e.children) != 1 || e.children[0].name != calName("opaque") && e.children[0].name != calName("transparent")) {
		return badValue("It is CALDAV:opaque or CALDAV:transparent.")
	}
	return p.setDead(calName("schedule-calendar-transp"), e)
}

// setAvailability takes when the member can be met at all.
func setAvailability(p *PropertyUpdate, e *element) *Error {
	if e != nil {
		if _, err := ics.ParseAvailability([]byte(strings.TrimSpace(string(e.text)))); err != nil {
			return forbidden(calName("valid-calendar-data"), "CALDAV:calendar-availability: %v", reasonOf(err))
		}
	}
	return p.setDead(calName("calendar-availability"), e)
}

// setDead keeps a property as it is, or removes it if e is nil.
func (p *PropertyUpdate) setDead(name xml.Name, e *element) *Error {
	d := DeadProperty{Name: name}
	if e != nil {
		if d.Element = e.marshalStandalone(); len(d.Element) > MaxDeadProperty {
			return &Error{Status: http.StatusInsufficientStorage, Message: fmt.Sprintf("A property may have up to %d octets.", MaxDeadProperty)}
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
			return forbidden(calName("valid-timezone"), "There is no time zone %q in the IANA database.", name)
		}
	}
	p.TimeZone = &name
	return p.setDead(calendarTimeZone, nil)
}

// checkType accepts the types that calendars and plain collections have, and
// no other (RFC 5689 §3.3).
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

var errType = forbidden(davName("valid-resourcetype"), "The collections that can be made here are calendars and plain ones.")

// setComponents takes what a calendar can hold of what is asked for.
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
		return forbidden(calName("supported-calendar-component"), "A calendar holds some of %s.", strings.Join(ObjectComponents, ", "))
	}
	return nil
}

// ObjectComponents are what calendars can hold (RFC 4791 §4.1).
var ObjectComponents = []string{"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"}
