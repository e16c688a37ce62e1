package ics

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"appliance/svc"

	"github.com/emersion/go-ical"
)

// Limits of an object, published as properties of calendars
// (RFC 4791 §5.2.6–§5.2.9).
const (
	MinDateTime = "16000101T000000Z" // earliest DTSTART, DTEND, DUE, RDATE and RECURRENCE-ID
	MaxDateTime = "90000101T000000Z" // exclusive

	// MaxInstances limits COUNT and the number of RDATEs. A rule without COUNT
	// may have more instances.
	MaxInstances = 100_000

	MaxAttendees = 10_000 // ATTENDEE properties of one component
)

var (
	earliest = time.Date(1600, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	latest   = time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// Each instance depends on all rules and on all overrides with
// RANGE=THISANDFUTURE, so their number bounds the work per instance.
// RFC 5545 §3.8.5.3 advises against more than one RRULE.
const (
	maxRules         = 10
	maxThisAndFuture = 20
)

// Parse parses a calendar object resource. Its error is an [*Error].
//
// It rejects only text that the rest of the program cannot process: violations
// of RFC 4791 §4.1, and unreadable dates and rules. It accepts other
// violations, because a client that wrote an object keeps writing it after a
// rejection.
func Parse(raw []byte) (*Object, error) {
	o, problem := decode(raw, objectLimits)
	if problem == nil {
		problem = o.readComponents()
	}
	if problem != nil {
		return nil, problem
	}
	return o, nil
}

// ParseCounted is like [Parse], but takes the steps of parsing from work. Its error is an [*Error]
// or that of work.
func ParseCounted(work svc.Work, raw []byte) (*Object, error) {
	if err := work.Take(len(raw)); err != nil {
		return nil, err
	}
	o, err := Parse(raw)
	if err != nil {
		return nil, err
	}
	return o, work.Take(o.zoneSteps)
}

// readComponents checks RFC 4791 §4.1 and sets the components.
func (o *Object) readComponents() *Error {
	if v := firstValue(o.calendar, "VERSION"); v == "1.0" {
		return invalidData("VERSION is 1.0 (vCalendar); only iCalendar 2.0 is supported.")
	}
	if len(o.calendar.Props["METHOD"]) > 0 {
		return invalidObject("The property METHOD is not allowed in a stored object.")
	}
	o.byChild = make([]*Component, len(o.calendar.Children))
	for i, tree := range o.calendar.Children {
		if tree.Name == "VTIMEZONE" || isExtension(tree.Name) {
			continue
		}
		if err := o.checkIdentity(tree); err != nil {
			return err
		}
		c, err := o.addComponent(tree)
		if err != nil {
			return err
		}
		c.index = i
		o.byChild[i] = c
	}
	if o.Component == "" {
		return invalidObject("The VCALENDAR contains no component that a calendar can store, such as VEVENT or VTODO.")
	}
	return o.sortOverrides()
}

// addComponent reads a component and adds it as the master or as an override.
func (o *Object) addComponent(tree *ical.Component) (*Component, *Error) {
	c := &Component{object: o, tree: tree, firstOpen: minWall}
	if err := c.read(); err != nil {
		return nil, err
	}
	switch {
	case !c.RecurrenceID.IsZero():
		o.Overrides = append(o.Overrides, c)
	case o.Master == nil:
		o.Master = c
	default:
		return nil, invalidObject("Two %s components have no RECURRENCE-ID; only one may omit it.", tree.Name)
	}
	return c, nil
}

// isExtension reports whether name is an x-comp (RFC 5545 §3.6), which has no
// meaning here.
func isExtension(name string) bool { return strings.HasPrefix(name, "X-") }

// componentLabels maps the supported components to words for error messages.
var componentLabels = map[string]string{
	"VEVENT": "event", "VTODO": "to-do", "VJOURNAL": "journal entry", "VFREEBUSY": "free-busy reply",
	"VAVAILABILITY": "availability", "AVAILABLE": "available time",
}

// checkIdentity checks that all components have one name and one UID
// (RFC 4791 §4.1).
func (o *Object) checkIdentity(tree *ical.Component) *Error {
	if componentLabels[tree.Name] == "" || tree.Name == "AVAILABLE" {
		return newError(CondSupportedComponent, "The component %.40q is not supported.", tree.Name)
	}
	uid := unescapeText(firstValue(tree, "UID"))
	switch {
	case uid == "":
		return invalidObject("The %s has no UID.", componentLabels[tree.Name])
	case o.Component == "":
		o.Component, o.UID = tree.Name, uid
	case o.Component != tree.Name:
		return invalidObject("The object contains %s and %s; all components must be of one type.", o.Component, tree.Name)
	case o.UID != uid:
		return invalidObject("The object contains the UIDs %.60q and %.60q; all components must have one UID.", o.UID, uid)
	}
	return nil
}

// sortOverrides converts the RECURRENCE-IDs to the form of the master's
// DTSTART, sorts the overrides by them and rejects duplicates.
func (o *Object) sortOverrides() *Error {
	for _, c := range o.Overrides {
		c.RecurrenceID = o.normalizeRecurrenceID(c.RecurrenceID)
	}
	slices.SortStableFunc(o.Overrides, func(a, b *Component) int { return cmp.Compare(a.RecurrenceID.wall, b.RecurrenceID.wall) })
	for i := 1; i < len(o.Overrides); i++ {
		if id := o.Overrides[i].RecurrenceID; id == o.Overrides[i-1].RecurrenceID {
			return invalidObject("Two components have the RECURRENCE-ID %s.", id)
		}
	}
	for _, c := range o.Overrides {
		if c.ThisAndFuture && !c.start.IsZero() && o.Master != nil && !o.Master.start.IsZero() {
			o.thisAndFuture = append(o.thisAndFuture, c)
		}
	}
	if len(o.thisAndFuture) > maxThisAndFuture {
		return invalidData("%d components have RANGE=THISANDFUTURE; the maximum is %d.", len(o.thisAndFuture), maxThisAndFuture)
	}
	return nil
}

// normalizeRecurrenceID returns id in the form of the master's DTSTART. A DATE
// in a series of DATE-TIMEs identifies the instance on that day.
func (o *Object) normalizeRecurrenceID(id Time) Time {
	if o.Master == nil || o.Master.start.IsZero() {
		return id
	}
	start := o.Master.start
	if id.form == formDate && start.form != formDate {
		id.wall += start.wall - floorDiv(start.wall, day)*day
	}
	return id.convertTo(start)
}

// read sets the time properties and the recurrence set.
func (c *Component) read() *Error {
	var end Time
	for _, p := range []struct {
		name string
		into *Time
	}{{"DTSTART", &c.start}, {c.endPropertyName(), &end}, {"RECURRENCE-ID", &c.RecurrenceID}} {
		if err := c.readTime(p.name, p.into); err != nil {
			return err
		}
	}
	if id := c.prop("RECURRENCE-ID"); id != nil {
		c.ThisAndFuture = strings.EqualFold(id.Params.Get("RANGE"), "THISANDFUTURE")
	}
	if c.start.IsZero() && (c.tree.Name == "VEVENT" || c.tree.Name == "AVAILABLE") {
		return invalidData("The %s has no DTSTART.", componentLabels[c.tree.Name])
	}
	if n := len(c.tree.Props["ATTENDEE"]); n > MaxAttendees {
		return newError(CondMaxAttendees, "The %s has %d attendees; the maximum is %d.", componentLabels[c.tree.Name], n, MaxAttendees)
	}
	if err := c.readLength(end); err != nil {
		return err
	}
	if c.tree.Name == "VAVAILABILITY" {
		return c.readAvailable()
	}
	if c.start.IsZero() && c.tree.Name == "VTODO" && !end.IsZero() {
		c.start, c.startIsDue, c.endSource, c.length = end, true, endProperty, Duration{}
	}
	return c.readRecurrence()
}

// endPropertyName returns the name of the property that states the end, "" for
// a VJOURNAL.
func (c *Component) endPropertyName() string {
	switch c.tree.Name {
	case "VTODO":
		return "DUE"
	case "VJOURNAL":
		return ""
	}
	return "DTEND"
}

func (c *Component) invalidValue(name, value string) *Error {
	return invalidData("%s of the %s is invalid: %.60q.", name, componentLabels[c.tree.Name], value)
}

// readTime sets *into to the value of a property. It leaves it unchanged if the
// property is absent.
func (c *Component) readTime(name string, into *Time) *Error {
	p := c.prop(name)
	if p == nil {
		return nil
	}
	t, ok := c.parseTime(p, p.Value)
	if !ok {
		return c.invalidValue(name, p.Value)
	}
	*into = t
	return c.checkTime(name, p.Value, t)
}

// checkTime rejects a value of the property name that is the time t outside
// [MinDateTime, MaxDateTime).
func (c *Component) checkTime(name, value string, t Time) *Error {
	switch {
	case t.wall < earliest:
		return newError(CondMinDateTime, "%s of the %s is %.60s; the earliest supported time is %s.", name, componentLabels[c.tree.Name], value, MinDateTime)
	case t.wall >= latest:
		return newError(CondMaxDateTime, "%s of the %s is %.60s; times from %s on are not supported.", name, componentLabels[c.tree.Name], value, MaxDateTime)
	}
	return nil
}

func (c *Component) tooManyInstances() *Error {
	return newError(CondMaxInstances, "The %s has more than %d instances, the maximum.", componentLabels[c.tree.Name], MaxInstances)
}

// readLength sets the length, which is the same for each instance
// (RFC 5545 §3.8.5.3): exact seconds for DTEND, nominal days and seconds for
// DURATION.
func (c *Component) readLength(end Time) *Error {
	p := c.prop("DURATION")
	switch {
	case c.start.IsZero():
		return nil
	case !end.IsZero():
		c.endSource, c.length = endProperty, c.durationUntil(end)
	case p != nil:
		d, ok := ParseDuration(p.Value)
		if !ok {
			return c.invalidValue("DURATION", p.Value)
		}
		if d.approxSeconds() < 0 {
			d = Duration{}
		}
		if c.start.form == formDate { // only whole days, rounded up
			d = Duration{Days: int(-floorDiv(-d.approxSeconds(), day))}
		}
		c.endSource, c.length = durationProperty, d
	case c.tree.Name == "VAVAILABILITY" || c.tree.Name == "AVAILABLE": // no end: unbounded (RFC 7953 §3.1)
		c.endSource, c.length = durationProperty, Duration{Seconds: maxWall}
	case c.start.form == formDate && c.tree.Name != "VTODO":
		c.endSource = endOfDay
	}
	if c.start.form == formDate && c.tree.Name != "VTODO" { // a DATE lasts at least one day
		c.length.Days = max(c.length.Days, 1)
	}
	return nil
}

// durationUntil returns the duration from the start to end.
func (c *Component) durationUntil(end Time) Duration {
	switch {
	case c.start.form == formDate:
		return Duration{Days: int(end.convertTo(c.start).wall-c.start.wall) / day}
	case c.start.form == formZoned && c.start.zone.loc != nil && end.form == formZoned && end.zone.loc != nil:
		c.endZone = end.zone
		return Duration{Seconds: end.unix(nil) - c.start.unix(nil)}
	}
	return Duration{Seconds: end.convertTo(c.start).wall - c.start.wall}
}

// readRecurrence sets the recurrence set of a master: RRULE, RDATE and EXDATE.
func (c *Component) readRecurrence() *Error {
	if c.start.IsZero() || !c.RecurrenceID.IsZero() {
		return nil
	}
	rules := c.tree.Props["RRULE"]
	if len(rules) > maxRules {
		return invalidData("The %s has %d RRULEs; the maximum is %d.", componentLabels[c.tree.Name], len(rules), maxRules)
	}
	for _, p := range rules {
		rule, err := ParseRule(p.Value)
		if err != nil {
			return invalidData("RRULE of the %s is invalid: %v.", componentLabels[c.tree.Name], err)
		}
		if rule.Count > MaxInstances {
			return c.tooManyInstances()
		}
		c.rules = append(c.rules, newRulePlan(rule, c.start))
	}
	if err := c.eachValue("RDATE", c.addRDate); err != nil {
		return err
	}
	if len(c.rdates) > MaxInstances {
		return c.tooManyInstances()
	}
	if len(c.rules) == 0 {
		c.rdates = append(c.rdates, rdate{wall: c.start.wall})
	}
	slices.SortStableFunc(c.rdates, func(a, b rdate) int { return cmp.Compare(a.wall, b.wall) })
	c.rdates = slices.CompactFunc(c.rdates, func(a, b rdate) bool { return a.wall == b.wall })
	if n := len(c.rdates); n > 0 {
		for _, r := range []rdate{c.rdates[0], c.rdates[n-1]} {
			if err := c.checkTime("RDATE", c.timeAt(r.wall).String(), c.timeAt(r.wall)); err != nil {
				return err
			}
		}
	}
	if err := c.eachValue("EXDATE", c.addExDate); err != nil {
		return err
	}
	slices.Sort(c.exdates)
	slices.Sort(c.exdateDays)
	if c.tree.Name == "VTODO" {
		c.readFirstOpen()
	}
	return nil
}

// readFirstOpen sets the first open instance that KDE names, if it is later than DTSTART.
// KDE writes the former value of the property, which it also keeps as an unknown one, before
// the present value.
func (c *Component) readFirstOpen() {
	for _, p := range slices.Backward(c.tree.Props[firstOpenProperty]) {
		if t, ok := c.parseTime(&p, p.Value); ok {
			if wall := t.convertTo(c.start).wall; wall > c.start.wall {
				c.firstOpen = wall
			}
			return
		}
	}
}

// eachValue calls add for each value of a list property. If add returns false,
// the value is reported as invalid.
func (c *Component) eachValue(name string, add func(p *ical.Prop, value string) bool) *Error {
	props := c.tree.Props[name]
	for i := range props {
		for value := range strings.SplitSeq(props[i].Value, ",") {
			if value = strings.TrimSpace(value); value != "" && !add(&props[i], value) {
				return c.invalidValue(name, value)
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
	r := rdate{wall: t.convertTo(c.start).wall, isPeriod: period}
	if t.form == formDate && c.start.form != formDate { // a DATE adds an instance at the time of day of DTSTART
		r.wall += c.start.wall - floorDiv(c.start.wall, day)*day
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
	if t.form == formDate && c.start.form != formDate {
		c.exdateDays = append(c.exdateDays, t.wall)
	} else {
		c.exdates = append(c.exdates, t.convertTo(c.start).wall)
	}
	return true
}

// isExcluded reports whether an EXDATE excludes the instance at wall.
func (c *Component) isExcluded(wall int64) bool {
	if _, ok := slices.BinarySearch(c.exdates, wall); ok {
		return true
	}
	if len(c.exdateDays) == 0 {
		return false
	}
	_, ok := slices.BinarySearch(c.exdateDays, floorDiv(wall, day)*day)
	return ok
}
