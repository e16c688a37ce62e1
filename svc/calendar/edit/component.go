package edit

import (
	"strconv"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"

	"github.com/emersion/go-ical"
)

// componentEditor applies a change to the lines of one component.
type componentEditor struct {
	doc       *ics.Document
	block     *ics.Block
	object    *ics.Object    // before the change; nil if it is new
	component *ics.Component // with the lines of block before the change; nil if it is new
	isMaster  bool           // block is the master of the object
	isTask    bool
	now       time.Time

	start, end ics.Time     // before the change; end is DTEND, DUE, or start plus DURATION
	zones      timeZones    // of new times
	duration   ics.Duration // of an end that its local time does not express; otherwise zero
	at         ics.Time     // recurrence id of the occurrence that a change of a series moves; zero for the start
	outcome    *Outcome
}

// newEditor returns the editor of component c of o, whose lines are block.
func newEditor(o *ics.Object, c *ics.Component, doc *ics.Document, block *ics.Block, start, end ics.Time, now time.Time) *componentEditor {
	return &componentEditor{
		doc: doc, block: block, object: o, component: c, isMaster: c == o.Master, isTask: o.Component == "VTODO", now: now,
		start: start, end: end, zones: zonesOf(start, end), outcome: new(Outcome),
	}
}

// firstTime returns the value of the first of the named properties that c has.
func firstTime(c *ics.Component, names ...string) (t ics.Time) {
	for _, name := range names {
		if t = c.Time(name); !t.IsZero() {
			return t
		}
	}
	return t
}

// componentEnd returns DTEND or DUE, or else DTSTART plus DURATION.
func componentEnd(c *ics.Component) ics.Time {
	end := firstTime(c, "DTEND", "DUE")
	if d, ok := c.Duration("DURATION"); ok && end.IsZero() {
		end = c.Time("DTSTART").Add(d)
	}
	return end
}

// apply changes the lines, or returns the errors of all fields.
func (e *componentEditor) apply(c Change) error {
	if fields := c.fieldsAmong("color", "local_visibility"); len(fields) > 0 {
		return svc.FieldError(svc.InvalidValue, fields[0], "Only the entries of Social events have this setting. Change the calendar instead.")
	}
	if err := svc.Join(e.applyTexts(c), e.applySchedule(c), e.applyStatus(c), e.applyClass(c), e.applyAlarms(c)); err != nil {
		return err
	}
	if e.object == nil {
		setStamps(e.block, e.now)
	} else {
		Stamp(e.block, e.now)
	}
	return nil
}

// Stamp sets DTSTAMP and LAST-MODIFIED of a changed component and increments
// its SEQUENCE (RFC 5545 §3.8.7).
func Stamp(block *ics.Block, now time.Time) {
	setStamps(block, now)
	n, _ := strconv.Atoi(block.Value("SEQUENCE"))
	block.Set(ics.IntProp("SEQUENCE", max(n, 0)+1))
}

func setStamps(block *ics.Block, now time.Time) {
	block.Set(ics.TimeProp("DTSTAMP", ics.UTC(now)))
	block.Set(ics.TimeProp("LAST-MODIFIED", ics.UTC(now)))
}

// put sets the property p, or removes it if present is false.
func (e *componentEditor) put(p ical.Prop, present bool) {
	if present {
		e.block.Set(p)
	} else {
		e.block.Remove(p.Name)
	}
}

func (e *componentEditor) applyTexts(c Change) error {
	if err := svc.Join(
		c.CheckTitle(e.object == nil),
		svc.CheckText("description", c.Description.Value, svc.MaxBody),
		svc.CheckText("location", c.Location.Value, svc.MaxSummary),
		checkCategories(c.Categories.Value),
	); err != nil {
		return err
	}
	for _, text := range []struct {
		property string
		field    svc.Optional[string]
	}{{"SUMMARY", c.Title}, {"LOCATION", c.Location}, {"DESCRIPTION", c.Description}} {
		if text.field.Set {
			e.putText(text.property, text.field.Value)
		}
	}
	if c.Categories.Set {
		e.put(ics.ListProp("CATEGORIES", c.Categories.Value), len(c.Categories.Value) > 0)
	}
	return nil
}

func checkCategories(items []string) error {
	if err := checkLength("categories", len(items)); err != nil {
		return err
	}
	for _, item := range items {
		if err := svc.CheckLine("categories", item, svc.MaxName); err != nil {
			return err
		}
	}
	return nil
}
