package dav

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"appliance/svc"
)

// invalid refuses a value (RFC 4918 §9.2.1).
func invalid(message string) *Error {
	return &Error{Status: http.StatusConflict, Message: message}
}

// empty reports whether there is nothing to set.
func (p *Properties) empty() bool {
	return p.Name == nil && p.Description == nil && p.Color == nil && p.Order == nil && p.TimeZone == nil && p.Dead == nil
}

func setName(p *Properties, e *element) *Error {
	if e == nil {
		return invalid("A calendar keeps a name. Give it another one instead.")
	}
	name := e.value()
	p.Name = &name
	return nil
}

func setDescription(p *Properties, e *element) *Error {
	description := ""
	if e != nil {
		description = string(e.text)
	}
	p.Description = &description
	return nil
}

// colors are those that clients send: Apple with an alpha channel, which means
// nothing for a calendar and is dropped.
var colors = regexp.MustCompile(`^#(?:[0-9a-f]{3}|[0-9a-f]{6}(?:[0-9a-f]{2})?)$`)

func setColor(p *Properties, e *element) *Error {
	if e == nil {
		return invalid("A calendar keeps a color. Give it another one instead.")
	}
	c := strings.ToLower(e.value())
	if !colors.MatchString(c) {
		return invalid("A color is written as #rrggbb.")
	}
	if len(c) == 4 {
		c = string([]byte{'#', c[1], c[1], c[2], c[2], c[3], c[3]})
	}
	c = c[:7]
	p.Color = &c
	return nil
}

func setOrder(p *Properties, e *element) *Error {
	order := 0
	if e != nil {
		n, err := strconv.ParseInt(e.value(), 10, 32)
		if err != nil {
			return invalid("The order of a calendar is a whole number.")
		}
		order = int(n)
	}
	p.Order = &order
	return nil
}

// setTimeZone takes a VTIMEZONE for the zone of the IANA database that it
// stands for. One that stands for none is not kept.
func setTimeZone(p *Properties, e *element) *Error {
	name := ""
	if e != nil {
		var err error
		if name, err = readZone(string(e.text)); err != nil {
			return refuse(calName("valid-calendar-data"), "CALDAV:calendar-timezone: %v.", err)
		}
		if name == "" {
			return errNotKept
		}
	}
	p.TimeZone = &name
	return nil
}

func setTimeZoneID(p *Properties, e *element) *Error {
	name := ""
	if e != nil {
		name = e.value()
		if _, known := svc.Zone(name); !known {
			return refuse(calName("valid-timezone"), "There is no time zone %q in the IANA database.", name)
		}
	}
	p.TimeZone = &name
	return nil
}

// checkType accepts the types that calendars and plain collections have, and
// no other (RFC 5689 §3.3).
func checkType(_ *Properties, e *element) *Error {
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

var errType = refuse(davName("valid-resourcetype"), "The collections that can be made here are calendars and plain ones.")

// setComponents takes what a calendar can hold of what is asked for. DAVx5
// asks for VJOURNAL along with the others.
func setComponents(p *Properties, e *element) *Error {
	if e == nil {
		return errProtected
	}
	p.Components = nil
	for _, c := range e.children {
		name, _ := c.attr("name")
		name = strings.ToUpper(name)
		if c.name == calName("comp") && (name == "VEVENT" || name == "VTODO") && !slices.Contains(p.Components, name) {
			p.Components = append(p.Components, name)
		}
	}
	if p.Components == nil {
		return refuse(calName("supported-calendar-component"), "A calendar holds VEVENT, VTODO or both.")
	}
	return nil
}
