package ics

import (
	"fmt"

	"github.com/emersion/go-ical"
)

// Object is a calendar object resource (RFC 4791 §4.1): a VCALENDAR whose
// components have one UID. It is immutable after [Parse], so goroutines may
// share it.
type Object struct {
	Raw       []byte // the octets that were parsed
	Component string // "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY" or "VAVAILABILITY"
	UID       string

	// Master is the component without RECURRENCE-ID. It is nil if the object
	// contains only overrides, as for a member who is invited to single
	// instances.
	Master *Component

	// Overrides are the components with RECURRENCE-ID, sorted by it.
	Overrides []*Component

	thisAndFuture []*Component // the overrides with RANGE=THISANDFUTURE
	calendar      *ical.Component
	byChild       []*Component // indexed as the children of the VCALENDAR; nil for a VTIMEZONE or an extension
	zones         map[string]*Zone
	zoneSteps     int     // for the evaluation of the VTIMEZONEs
	sharedBudget  *budget // nil if each evaluation has its own
	counter       *int    // counts the steps of all evaluations; may be nil
}

// ObjectComponents are the components of the objects that calendars accept
// (RFC 4791 §4.1), unless a client names a subset.
var ObjectComponents = []string{"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"}

// Components returns the master, if there is one, and the overrides.
func (o *Object) Components() []*Component {
	if o.Master == nil {
		return o.Overrides
	}
	return append([]*Component{o.Master}, o.Overrides...)
}

// Recurs reports whether the object has a recurrence set or an override.
func (o *Object) Recurs() bool {
	return len(o.Overrides) > 0 || o.Master.recurs()
}

// CheckScales returns an [*Error] if a rule of the object has a calendar scale in which
// the server does not evaluate rules. [Parse] accepts such an object: its only
// occurrences are the first one and those of RDATE.
func (o *Object) CheckScales() error {
	for _, c := range o.Components() {
		if rule := c.unsupportedRule(); rule != nil {
			return newError(CondSupportedRScale, "RRULE of the %s has RSCALE=%s; only %s is supported.", componentLabels[c.tree.Name], rule.RScale, gregorian)
		}
	}
	return nil
}

// unsupportedRule returns a rule of the component that cannot be evaluated, nil if
// there is none.
func (c *Component) unsupportedRule() *Rule {
	for i := range c.rules {
		if rule := c.rules[i].rule; !rule.Supported() {
			return rule
		}
	}
	return nil
}

// Component is a VEVENT, VTODO, VJOURNAL, VFREEBUSY or VAVAILABILITY of an
// object, or an AVAILABLE of a VAVAILABILITY: a master or an override.
type Component struct {
	// RecurrenceID is the RECURRENCE-ID in the form of the master's DTSTART;
	// the zero Time in a master.
	RecurrenceID Time

	// ThisAndFuture reports RANGE=THISANDFUTURE: the override also applies to
	// all later instances (RFC 5545 §3.2.13).
	ThisAndFuture bool

	object *Object
	tree   *ical.Component
	index  int // among the children of the VCALENDAR

	start      Time      // DTSTART, or DUE in a VTODO without DTSTART
	startIsDue bool      // whether start is DUE
	length     Duration  // from start to the end
	endSource  endSource // the property that determines the end
	endZone    *Zone     // zone of DTEND or DUE, if it has one

	rules      []rulePlan
	rdates     []rdate // sorted; includes start if there are no rules
	exdates    []int64 // sorted wall clock times, in the form of DTSTART
	exdateDays []int64 // sorted; midnights of the days of EXDATE;VALUE=DATE in a series of DATE-TIMEs
	firstOpen  int64   // of a task: earlier instances are completed, according to KDE; minWall for none

	availableSeries []*Object // of a VAVAILABILITY: its AVAILABLE components by UID
}

// endSource is the property from which the end of a component is computed
// (RFC 5545 §3.6.1).
type endSource uint8

const (
	noEnd            endSource = iota // none: the component has no end
	endOfDay                          // none: DTSTART is a DATE, so the component lasts one day
	endProperty                       // DTEND or DUE
	durationProperty                  // DURATION
)

// rdate is a value of RDATE. A PERIOD has its own length (RFC 5545 §3.8.5.2).
type rdate struct {
	wall     int64
	length   Duration
	isPeriod bool
}

// recurs reports whether the component has a recurrence set of its own.
func (c *Component) recurs() bool {
	return c != nil && (len(c.rules) > 0 || len(c.rdates) > 1 || len(c.rdates) == 1 && c.rdates[0].isPeriod)
}

// Preconditions of PUT that an object can violate, with the names of their XML
// elements (RFC 4791 §5.3.2.1).
const (
	CondValidCalendarData   = "valid-calendar-data"
	CondValidCalendarObject = "valid-calendar-object-resource"
	CondSupportedComponent  = "supported-calendar-component"
	CondMaxResourceSize     = "max-resource-size"
	CondMinDateTime         = "min-date-time"
	CondMaxDateTime         = "max-date-time"
	CondMaxInstances        = "max-instances"
	CondMaxAttendees        = "max-attendees-per-instance"
	CondSupportedRScale     = "supported-rscale" // RFC 7529 §7
)

// Error describes invalid iCalendar text, with the precondition of
// RFC 4791 §5.3.2.1 that it violates.
type Error struct {
	Precondition string // one of the Cond constants
	Reason       string // a sentence for people

	line    int    // of the text, that Reason begins with; 0 if it names none
	problem string // of the line
}

func (e *Error) Error() string { return e.Precondition + ": " + e.Reason }

// invalidData returns an error for text that is not iCalendar, or has an
// invalid value.
func invalidData(format string, args ...any) *Error {
	return newError(CondValidCalendarData, format, args...)
}

// invalidLine returns an error for a line of a text.
func invalidLine(number int, problem string) *Error {
	return &Error{CondValidCalendarData, fmt.Sprintf("Line %d %s.", number, problem), number, problem}
}

// invalidObject returns an error for valid iCalendar that is not a calendar
// object resource.
func invalidObject(format string, args ...any) *Error {
	return newError(CondValidCalendarObject, format, args...)
}

func newError(precondition, format string, args ...any) *Error {
	return &Error{Precondition: precondition, Reason: fmt.Sprintf(format, args...)}
}
