package ics

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-ical"
)

// Limits of an object, which a CalDAV server publishes (RFC 4791 §5.2.6–§5.2.9).
const (
	MinDateTime = "16000101T000000Z" // no start, end or date of a series is before,
	MaxDateTime = "90000101T000000Z" // and none is at or after

	// MaxInstances is how many instances may be counted or listed. A rule
	// without COUNT may have more.
	MaxInstances = 100_000

	MaxAttendees = 10_000 // of one component
)

var (
	earliest = time.Date(1600, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	latest   = time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// Each instance may depend on each rule and on each override for what follows.
// RFC 5545 §3.8.5.3 advises against more than one RRULE.
const (
	maxRules   = 10
	maxFutures = 20
)

// Parse reads a calendar object resource. Its error is an [*Error].
//
// It asks for what the rest of the program relies on — RFC 4791 §4.1, and
// dates and rules that can be read — and is lenient about everything else, for
// what a client once wrote it will write again, whatever we answer.
func Parse(raw []byte) (*Object, error) {
	o, problem := decode(raw, objectLimits)
	if problem == nil {
		problem = o.read()
	}
	if problem != nil {
		return nil, problem
	}
	return o, nil
}

// read checks RFC 4791 §4.1 and reads the components.
func (o *Object) read() *Error {
	if v := firstValue(o.calendar, "VERSION"); v == "1.0" {
		return invalid("This is vCalendar 1.0; only iCalendar, version 2.0, is read.")
	}
	if len(o.calendar.Props["METHOD"]) > 0 {
		return misplaced("An object that is stored has no METHOD: it is not a message.")
	}
	o.parts = make([]*Component, len(o.calendar.Children))
	for i, tree := range o.calendar.Children {
		if tree.Name == "VTIMEZONE" || isExtension(tree.Name) {
			continue
		}
		if err := o.identify(tree); err != nil {
			return err
		}
		c, err := o.add(tree)
		if err != nil {
			return err
		}
		c.index = i
		o.parts[i] = c
	}
	if o.Component == "" {
		return misplaced("There is nothing in it that a calendar holds, such as an event or a to-do.")
	}
	return o.orderOverrides()
}

// add reads a component of the object.
func (o *Object) add(tree *ical.Component) (*Component, *Error) {
	c := &Component{object: o, tree: tree}
	if err := c.read(); err != nil {
		return nil, err
	}
	switch {
	case !c.RecurrenceID.IsZero():
		o.Overrides = append(o.Overrides, c)
	case o.Master == nil:
		o.Master = c
	default:
		return nil, misplaced("There are two %s components without RECURRENCE-ID.", tree.Name)
	}
	return c, nil
}

// isExtension reports whether a component is one that somebody made up.
func isExtension(name string) bool { return strings.HasPrefix(name, "X-") }

// kindNames are the components that are read, as people call them.
var kindNames = map[string]string{
	"VEVENT": "event", "VTODO": "to-do", "VJOURNAL": "journal entry", "VFREEBUSY": "free-busy answer",
	"VAVAILABILITY": "availability", "AVAILABLE": "available time",
}

// identify makes sure that all components are of one kind and have one UID.
func (o *Object) identify(tree *ical.Component) *Error {
	if kindNames[tree.Name] == "" || tree.Name == "AVAILABLE" {
		return &Error{CondSupportedComponent, fmt.Sprintf("Components %.40q are not stored here.", tree.Name)}
	}
	uid := unescape(firstValue(tree, "UID"))
	switch {
	case uid == "":
		return misplaced("The %s has no UID.", kindNames[tree.Name])
	case o.Component == "":
		o.Component, o.UID = tree.Name, uid
	case o.Component != tree.Name:
		return misplaced("There are both %s and %s in it; an object holds one kind.", o.Component, tree.Name)
	case o.UID != uid:
		return misplaced("There are two UIDs in it, %.60q and %.60q; an object holds one.", o.UID, uid)
	}
	return nil
}

// orderOverrides writes the RECURRENCE-IDs in the form of the master's DTSTART
// and sorts the overrides by them.
func (o *Object) orderOverrides() *Error {
	for _, c := range o.Overrides {
		c.RecurrenceID = o.formID(c.RecurrenceID)
	}
	slices.SortStableFunc(o.Overrides, func(a, b *Component) int { return cmp.Compare(a.RecurrenceID.wall, b.RecurrenceID.wall) })
	for i := 1; i < len(o.Overrides); i++ {
		if id := o.Overrides[i].RecurrenceID; id == o.Overrides[i-1].RecurrenceID {
			return misplaced("There are two components with the RECURRENCE-ID %s.", id)
		}
	}
	for _, c := range o.Overrides {
		if c.ThisAndFuture && !c.start.IsZero() && o.Master != nil && !o.Master.start.IsZero() {
			o.futures = append(o.futures, c)
		}
	}
	if len(o.futures) > maxFutures {
		return invalid("There are %d components with RANGE=THISANDFUTURE; %d is the most that is accepted.", len(o.futures), maxFutures)
	}
	return nil
}

// formID returns a recurrence id in the form of the master's DTSTART. Where
// that has a time of day and the id is a date, it means the instance of that
// day.
func (o *Object) formID(id Time) Time {
	if o.Master == nil || o.Master.start.IsZero() {
		return id
	}
	start := o.Master.start
	if id.form == date && start.form != date {
		id.wall += start.wall - floor(start.wall, day)*day
	}
	return id.as(start)
}

// read reads when the component is.
func (c *Component) read() *Error {
	var end Time
	for _, p := range []struct {
		name string
		into *Time
	}{{"DTSTART", &c.start}, {c.endName(), &end}, {"RECURRENCE-ID", &c.RecurrenceID}} {
		if err := c.readTime(p.name, p.into); err != nil {
			return err
		}
	}
	if id := c.prop("RECURRENCE-ID"); id != nil {
		c.ThisAndFuture = strings.EqualFold(id.Params.Get("RANGE"), "THISANDFUTURE")
	}
	if c.start.IsZero() && (c.tree.Name == "VEVENT" || c.tree.Name == "AVAILABLE") {
		return invalid("The %s has no DTSTART.", kindNames[c.tree.Name])
	}
	if n := len(c.tree.Props["ATTENDEE"]); n > MaxAttendees {
		return &Error{CondMaxAttendees, fmt.Sprintf("The %s has %d attendees; %d is the most that is accepted.", kindNames[c.tree.Name], n, MaxAttendees)}
	}
	if err := c.readLength(end); err != nil {
		return err
	}
	if c.tree.Name == "VAVAILABILITY" {
		return c.readAvailable()
	}
	if c.start.IsZero() && c.tree.Name == "VTODO" && !end.IsZero() {
		c.start, c.due, c.ends, c.length = end, true, byEnd, Duration{}
	}
	return c.readRecurrence()
}

// endName is the property that says when the component ends, "" if it has none.
func (c *Component) endName() string {
	switch c.tree.Name {
	case "VTODO":
		return "DUE"
	case "VJOURNAL":
		return ""
	}
	return "DTEND"
}

func (c *Component) unreadable(name, value string) *Error {
	return invalid("%s of the %s cannot be read: %.60q.", name, kindNames[c.tree.Name], value)
}

// readTime reads the property, if there is one.
func (c *Component) readTime(name string, into *Time) *Error {
	p := c.prop(name)
	if p == nil {
		return nil
	}
	t, ok := c.parseTime(p, p.Value)
	if !ok {
		return c.unreadable(name, p.Value)
	}
	*into = t
	return c.checkTime(name, t)
}

// checkTime refuses a time of the property that is outside of what is promised.
func (c *Component) checkTime(name string, t Time) *Error {
	switch {
	case t.wall < earliest:
		return &Error{CondMinDateTime, fmt.Sprintf("%s of the %s is %s; nothing before %s is accepted.", name, kindNames[c.tree.Name], t, MinDateTime)}
	case t.wall >= latest:
		return &Error{CondMaxDateTime, fmt.Sprintf("%s of the %s is %s; nothing from %s on is accepted.", name, kindNames[c.tree.Name], t, MaxDateTime)}
	}
	return nil
}

func (c *Component) tooMany() *Error {
	return &Error{CondMaxInstances, fmt.Sprintf("The %s has more than %d instances, which is the most that is accepted.", kindNames[c.tree.Name], MaxInstances)}
}

// readLength finds out how long the component lasts, which is the same for
// each of its instances (RFC 5545 §3.8.5.3): what DTEND says in seconds, what
// DURATION says in its own terms.
func (c *Component) readLength(end Time) *Error {
	p := c.prop("DURATION")
	switch {
	case c.start.IsZero():
		return nil
	case !end.IsZero():
		c.ends, c.length = byEnd, c.until(end)
	case p != nil:
		d, ok := ParseDuration(p.Value)
		if !ok {
			return c.unreadable("DURATION", p.Value)
		}
		if d.total() < 0 {
			d = Duration{}
		}
		if c.start.form == date { // whole days; what is left over makes one more
			d = Duration{Days: int(-floor(-d.total(), day))}
		}
		c.ends, c.length = byDuration, d
	case c.tree.Name == "VAVAILABILITY" || c.tree.Name == "AVAILABLE": // without an end (RFC 7953 §3.1)
		c.ends, c.length = byDuration, Duration{Seconds: maxWall}
	case c.start.form == date && c.tree.Name != "VTODO":
		c.ends = byDay
	}
	if c.start.form == date && c.tree.Name != "VTODO" { // a day is not less than a day
		c.length.Days = max(c.length.Days, 1)
	}
	return nil
}

// until returns how long it is from the start to end.
func (c *Component) until(end Time) Duration {
	switch {
	case c.start.form == date:
		return Duration{Days: int(end.as(c.start).wall-c.start.wall) / day}
	case c.start.form == zoned && c.start.zone.loc != nil && end.form == zoned && end.zone.loc != nil:
		c.endZone = end.zone
		return Duration{Seconds: end.unix(nil) - c.start.unix(nil)}
	}
	return Duration{Seconds: end.as(c.start).wall - c.start.wall}
}

func (c *Component) readRecurrence() *Error {
	if c.start.IsZero() || !c.RecurrenceID.IsZero() {
		return nil
	}
	rules := c.tree.Props["RRULE"]
	if len(rules) > maxRules {
		return invalid("The %s has %d RRULEs; %d is the most that is accepted.", kindNames[c.tree.Name], len(rules), maxRules)
	}
	for _, p := range rules {
		rule, err := ParseRule(p.Value)
		if err != nil {
			return invalid("RRULE of the %s cannot be read: %v.", kindNames[c.tree.Name], err)
		}
		if rule.Count > MaxInstances {
			return c.tooMany()
		}
		c.rules = append(c.rules, newPlan(rule, c.start))
	}
	if err := c.each("RDATE", c.addRDate); err != nil {
		return err
	}
	if len(c.rdates) > MaxInstances {
		return c.tooMany()
	}
	if len(c.rules) == 0 {
		c.rdates = append(c.rdates, rdate{wall: c.start.wall})
	}
	slices.SortStableFunc(c.rdates, func(a, b rdate) int { return cmp.Compare(a.wall, b.wall) })
	c.rdates = slices.CompactFunc(c.rdates, func(a, b rdate) bool { return a.wall == b.wall })
	if n := len(c.rdates); n > 0 {
		for _, r := range []rdate{c.rdates[0], c.rdates[n-1]} {
			if err := c.checkTime("RDATE", c.like(r.wall)); err != nil {
				return err
			}
		}
	}
	if err := c.each("EXDATE", c.addExDate); err != nil {
		return err
	}
	slices.Sort(c.exdates)
	slices.Sort(c.exdays)
	return nil
}

// each hands every value of a property that is a list to add.
func (c *Component) each(name string, add func(p *ical.Prop, value string) bool) *Error {
	props := c.tree.Props[name]
	for i := range props {
		for value := range strings.SplitSeq(props[i].Value, ",") {
			if value = strings.TrimSpace(value); value != "" && !add(&props[i], value) {
				return c.unreadable(name, value)
			}
		}
	}
	return nil
}

func (c *Component) addRDate(p *ical.Prop, value string) bool {
	first, second, period := strings.Cut(value, "/")
	t, ok := c.parseTime(p, first)
	if !ok {
		return false
	}
	r := rdate{wall: t.as(c.start).wall, period: period}
	if t.form == date && c.start.form != date { // the day; the time of day is that of DTSTART
		r.wall += c.start.wall - floor(c.start.wall, day)*day
	}
	if period {
		if end, ok := c.parseTime(p, second); ok {
			r.length = Duration{Seconds: max(0, end.unix(nil)-t.unix(nil))}
		} else if r.length, ok = ParseDuration(second); !ok {
			return false
		}
	}
	c.rdates = append(c.rdates, r)
	return true
}

func (c *Component) addExDate(p *ical.Prop, value string) bool {
	t, ok := c.parseTime(p, value)
	if !ok {
		return false
	}
	if t.form == date && c.start.form != date {
		c.exdays = append(c.exdays, t.wall)
	} else {
		c.exdates = append(c.exdates, t.as(c.start).wall)
	}
	return true
}

// excludes reports whether an EXDATE takes out the instance at wall.
func (c *Component) excludes(wall int64) bool {
	if _, ok := slices.BinarySearch(c.exdates, wall); ok {
		return true
	}
	if len(c.exdays) == 0 {
		return false
	}
	_, ok := slices.BinarySearch(c.exdays, floor(wall, day)*day)
	return ok
}
