package ics

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/emersion/go-ical"
)

// Name returns the name of the component, such as "VEVENT".
func (c *Component) Name() string { return c.tree.Name }

// Props returns the properties with that name, values still escaped.
func (c *Component) Props(name string) []ical.Prop { return c.tree.Props.Values(name) }

// Text returns the value of a TEXT property, "" if it is absent.
func (c *Component) Text(name string) string { return unescapeText(firstValue(c.tree, name)) }

// List returns the values of a property that is a list of TEXT, such as
// CATEGORIES. The property may occur several times.
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

// Int returns the value of an INTEGER property. It returns false if the
// property is absent or invalid.
func (c *Component) Int(name string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(firstValue(c.tree, name)))
	return n, err == nil
}

// Time returns the value of a DATE or DATE-TIME property, the zero Time if it
// is absent or invalid.
func (c *Component) Time(name string) Time {
	p := c.prop(name)
	if p == nil {
		return Time{}
	}
	t, _ := c.parseTime(p, p.Value)
	return t
}

// Duration returns the value of a DURATION property. It returns false if the
// property is absent or invalid.
func (c *Component) Duration(name string) (Duration, bool) {
	return ParseDuration(firstValue(c.tree, name))
}

// Reference returns the time that the recurrence set refers to: DTSTART, or DUE of a task
// without it.
func (c *Component) Reference() Time { return c.start }

// Rule returns the first recurrence rule, nil if there is none.
func (c *Component) Rule() *Rule {
	if len(c.rules) == 0 {
		return nil
	}
	return c.rules[0].rule
}

// RDates returns the values of RDATE, sorted, in the form of DTSTART.
func (c *Component) RDates() []Time {
	dates := []Time{}
	for _, r := range c.rdates {
		if r.wall != c.start.wall {
			dates = append(dates, c.timeAt(r.wall))
		}
	}
	return dates
}

// ExDates returns the values of EXDATE: sorted times in the form of DTSTART,
// then the days that are excluded as a whole.
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

// timeAt returns the wall clock time in the form and zone of DTSTART.
func (c *Component) timeAt(wall int64) Time {
	t := c.start
	t.wall = wall
	return t
}

func (c *Component) prop(name string) *ical.Prop { return c.tree.Props.Get(name) }

// parseTime parses value, a value of the property p.
func (c *Component) parseTime(p *ical.Prop, value string) (Time, bool) {
	t, ok := parseTime(value, c.object.zones[p.Params.Get("TZID")])
	if ok && t.form != formDate && strings.EqualFold(p.Params.Get("VALUE"), "DATE") {
		t = t.convertTo(Time{form: formDate})
	}
	return t, ok
}

// maxAlarmRepeat limits the repetitions of an alarm. A greater REPEAT is
// reduced to it.
const maxAlarmRepeat = 10_000

// Alarm is a VALARM (RFC 5545 §3.6.6). If At is not zero, it is an absolute
// trigger; otherwise the trigger is relative to the start or the end.
type Alarm struct {
	Index       int    // position among the VALARMs of the component
	UID         string // RFC 9074 §4; "" for none
	Action      string // "DISPLAY", "AUDIO", "EMAIL", …; "" for none
	Description string
	Proximity   string // "ARRIVE", "DEPART", … for an alarm at a place (RFC 9074 §8.1); "" for none

	At           Time     // absolute trigger
	Offset       Duration // relative trigger; negative if before
	RelatedToEnd bool     // RELATED=END

	Repeat   int      // number of repetitions after the first alarm
	Interval Duration // between repetitions (the DURATION of the VALARM)
}

// Alarms returns the alarms that have a valid TRIGGER.
func (c *Component) Alarms() []Alarm {
	alarms, index := []Alarm{}, 0
	for _, tree := range c.tree.Children {
		if tree.Name != "VALARM" {
			continue
		}
		if a, ok := c.parseAlarm(tree); ok {
			a.Index = index
			alarms = append(alarms, a)
		}
		index++
	}
	return alarms
}

// parseAlarm returns the alarm of a VALARM, or false if its TRIGGER is invalid.
func (c *Component) parseAlarm(tree *ical.Component) (a Alarm, ok bool) {
	v := Component{object: c.object, tree: tree}
	trigger := v.prop("TRIGGER")
	if trigger == nil {
		return a, false
	}
	a.UID, a.Description = v.Text("UID"), v.Text("DESCRIPTION")
	a.Action = strings.ToUpper(strings.TrimSpace(v.Text("ACTION")))
	a.Proximity = strings.ToUpper(strings.TrimSpace(cmp.Or(v.Text("PROXIMITY"), v.Text("X-APPLE-PROXIMITY"))))
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

// firstValue returns the value of the first property with that name, still
// escaped; "" if there is none.
func firstValue(c *ical.Component, name string) string {
	if p := c.Props.Get(name); p != nil {
		return p.Value
	}
	return ""
}

// unescapeText decodes a TEXT value (RFC 5545 §3.3.11). A backslash before any
// other character is kept: some clients do not escape the backslashes of
// Windows paths.
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

// splitText splits a list of TEXT values at its unescaped commas.
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
