package ics

import (
	"fmt"

	"github.com/emersion/go-ical"
)

// Object is a calendar object resource (RFC 4791 §4.1): a VCALENDAR in which
// everything has one UID. It never changes after [Parse], so goroutines may
// share it.
type Object struct {
	Raw       []byte // the octets it was read from
	Component string // "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY" or "VAVAILABILITY"
	UID       string

	// Master is the component without a RECURRENCE-ID. It is nil if the object
	// holds nothing but overrides: single instances that somebody was invited to.
	Master *Component

	// Overrides are the components with a RECURRENCE-ID, in the order of it.
	Overrides []*Component

	thisAndFuture []*Component // the overrides that speak for later instances too
	calendar      *ical.Component
	byChild       []*Component // one for each child of the calendar, nil for VTIMEZONEs and the like
	zones         map[string]*Zone
	sharedBudget  *budget // for all questions; nil if each has its own
}

// Components returns the master, if there is one, and the overrides.
func (o *Object) Components() []*Component {
	if o.Master == nil {
		return o.Overrides
	}
	return append([]*Component{o.Master}, o.Overrides...)
}

// Recurs reports whether the object is more than one plain component.
func (o *Object) Recurs() bool {
	return len(o.Overrides) > 0 || o.Master.recurs()
}

// Component is an event, a to-do, a journal entry, a free-busy answer or an
// availability: the master of an object or one of its overrides.
type Component struct {
	// RecurrenceID is the RECURRENCE-RecurrenceID in the form of the master's DTSTART; the zero
	// Time in a master.
	RecurrenceID Time

	// ThisAndFuture says that the override speaks for all later instances too
	// (RANGE=THISANDFUTURE, RFC 5545 §3.8.4.4).
	ThisAndFuture bool

	object *Object
	tree   *ical.Component
	index  int // among the children of the VCALENDAR

	start      Time      // DTSTART; in a to-do that has none, DUE
	startIsDue bool      // start is DUE
	length     Duration  // from start to the end
	endSource  endSource // what says so
	endZone    *Zone     // where the end is written, if it is a zoned DTEND or DUE

	rules      []rulePlan
	rdates     []rdate // sorted; with start if there are no rules
	exdates    []int64 // sorted; walls of the master's form
	exdateDays []int64 // sorted; midnights of days without instances

	availableSeries []*Object // of a VAVAILABILITY: the series of AVAILABLE in it
}

// endSource says what tells when a component ends.
type endSource uint8

const (
	noEnd            endSource = iota // nothing does
	endOfDay                          // it is a DATE and has nothing else
	endProperty                       // DTEND or DUE
	durationProperty                  // DURATION
)

// rdate is one more instance, whose length may be its own (RFC 5545 §3.8.5.2).
type rdate struct {
	wall     int64
	length   Duration
	isPeriod bool
}

func (c *Component) recurs() bool {
	return c != nil && (len(c.rules) > 0 || len(c.rdates) > 1 || len(c.rdates) == 1 && c.rdates[0].isPeriod)
}

// What a CalDAV server answers when it refuses an object (RFC 4791 §5.3.2.1).
const (
	CondValidCalendarData   = "valid-calendar-data"
	CondValidCalendarObject = "valid-calendar-object-resource"
	CondSupportedComponent  = "supported-calendar-component"
	CondMaxResourceSize     = "max-resource-size"
	CondMinDateTime         = "min-date-time"
	CondMaxDateTime         = "max-date-time"
	CondMaxInstances        = "max-instances"
	CondMaxAttendees        = "max-attendees-per-instance"
)

// Error is what is wrong with an object, by the precondition that a CalDAV
// server names for it (RFC 4791 §5.3.2.1).
type Error struct {
	Precondition string // one of the constants of this package
	Reason       string // a sentence for the person
}

func (e *Error) Error() string { return e.Precondition + ": " + e.Reason }

// invalidData is what is wrong with text that is not iCalendar, or whose values
// cannot be read.
func invalidData(format string, args ...any) *Error {
	return &Error{CondValidCalendarData, fmt.Sprintf(format, args...)}
}

// invalidObject is what is wrong with iCalendar that is no calendar object resource.
func invalidObject(format string, args ...any) *Error {
	return &Error{CondValidCalendarObject, fmt.Sprintf(format, args...)}
}
