package ics

import (
	"strconv"
	"strings"

	"github.com/emersion/go-ical"
)

// Kind returns the name of the component: "VEVENT", "VTODO", …
func (c *Component) Kind() string { return c.tree.Name }

// Props returns the properties of that name as they were written.
func (c *Component) Props(name string) []ical.Prop { return c.tree.Props.Values(name) }

// Text returns a TEXT property, "" if it is absent.
func (c *Component) Text(name string) string { return unescapeText(firstValue(c.tree, name)) }

// List returns the items of a property that is a list of TEXT, such as
// CATEGORIES, which may also be there more than once.
func (c *Component) List(name string) []string {
	items := []string{}
	for _, p := range c.tree.Props[name] {
		for _, item := range splitText(p.Value) {
			if item = strings.TrimSpace(unescapeText(item)); item != "" {
				items = append(items, item)
			}
		}
	}
	return items
}

// Int returns an INTEGER property, and whether it is there and readable.
func (c *Component) Int(name string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(firstValue(c.tree, name)))
	return n, err == nil
}

// Time returns a DATE or DATE-TIME property, the zero Time if it is absent or
// unreadable.
func (c *Component) Time(name string) Time {
	p := c.prop(name)
	if p == nil {
		return Time{}
	}
	t, _ := c.parseTime(p, p.Value)
	return t
}

// Duration returns a DURATION property, and whether it is there and readable.
func (c *Component) Duration(name string) (Duration, bool) {
	return ParseDuration(firstValue(c.tree, name))
}

// Rule returns the recurrence rule, nil if there is none.
func (c *Component) Rule() *Rule {
	if len(c.rules) == 0 {
		return nil
	}
	return c.rules[0].rule
}

// RDates returns the dates that RDATE adds, in the form of DTSTART, in order.
func (c *Component) RDates() []Time {
	dates := []Time{}
	for _, r := range c.rdates {
		if r.wall != c.start.wall {
			dates = append(dates, c.timeAt(r.wall))
		}
	}
	return dates
}

// ExDates returns the dates that EXDATE takes out, in the form of DTSTART, or
// as days where a whole day is taken out.
func (c *Component) ExDates() []Time {
	dates := []Time{}
	for _, wall := range c.exdates {
		dates = append(dates, c.timeAt(wall))
	}
	for _, wall := range c.exdateDays {
		dates = append(dates, Time{wall: wall, form: formDate})
	}
	return dates
}

// timeAt returns the time that wall means in the form and zone of DTSTART.
func (c *Component) timeAt(wall int64) Time {
	t := c.start
	t.wall = wall
	return t
}

func (c *Component) prop(name string) *ical.Prop { return c.tree.Props.Get(name) }

// parseTime reads a value of the property p.
func (c *Component) parseTime(p *ical.Prop, value string) (Time, bool) {
	t, ok := parseTime(value, c.object.zones[p.Params.Get("TZID")])
	if ok && t.form != formDate && strings.EqualFold(p.Params.Get("VALUE"), "DATE") {
		t = t.convertTo(Time{form: formDate})
	}
	return t, ok
}

// maxAlarmRepeat is how often an alarm rings at most, whatever it says.
const maxAlarmRepeat = 10_000

// Alarm is a VALARM (RFC 5545 §3.6.6).
type Alarm struct {
	Action      string // "DISPLAY", "AUDIO", "EMAIL", …
	Description string

	At           Time     // when it rings, or
	Offset       Duration // how long after the start that is, often less than nothing
	RelatedToEnd bool     // or after the end

	Repeat   int      // how many times more it rings,
	Interval Duration // each so much later
}

// Alarms returns the alarms that have a readable TRIGGER.
func (c *Component) Alarms() []Alarm {
	alarms := []Alarm{}
	for _, tree := range c.tree.Children {
		if tree.Name == "VALARM" {
			if a, ok := c.parseAlarm(tree); ok {
				alarms = append(alarms, a)
			}
		}
	}
	return alarms
}

func (c *Component) parseAlarm(tree *ical.Component) (a Alarm, ok bool) {
	v := Component{object: c.object, tree: tree}
	trigger := v.prop("TRIGGER")
	if trigger == nil {
		return a, false
	}
	a.Action = strings.ToUpper(v.Text("ACTION"))
	a.Description = v.Text("DESCRIPTION")
	a.RelatedToEnd = strings.EqualFold(trigger.Params.Get("RELATED"), "END")
	if a.Offset, ok = ParseDuration(trigger.Value); !ok {
		if a.At, ok = v.parseTime(trigger, trigger.Value); !ok {
			return a, false
		}
		a.RelatedToEnd = false
	}
	a.Repeat, _ = v.Int("REPEAT")
	a.Repeat = min(a.Repeat, maxAlarmRepeat)
	a.Interval, ok = v.Duration("DURATION")
	if a.Repeat < 1 || !ok || a.Interval.approxSeconds() <= 0 { // both or neither (RFC 5545 §3.8.6.2)
		a.Repeat, a.Interval = 0, Duration{}
	}
	return a, true
}

// firstValue returns the first value of a property as it was written.
func firstValue(c *ical.Component, name string) string {
	if p := c.Props.Get(name); p != nil {
		return p.Value
	}
	return ""
}

// unescapeText reads a TEXT value (RFC 5545 §3.3.11). A backslash before anything
// else stands for itself, as in the Windows paths that clients forget to escape.
func unescapeText(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			switch s[i+1] {
			case 'n', 'N':
				b.WriteByte('\n')
				i++
				continue
			case '\\', ';', ',':
				i++
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// splitText splits a list of TEXT at its commas.
func splitText(s string) []string {
	var items []string
	begin := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ',':
			items = append(items, s[begin:i])
			begin = i + 1
		}
	}
	return append(items, s[begin:])
}
