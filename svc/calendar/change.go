package calendar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"

	"github.com/emersion/go-ical"
)

// Change is what a member changes about an entry, or says of a new one (B-56).
// What is absent stays as it is; null, and "" for what is not text, clears.
//
// Days are written 2026-12-01, times 2026-12-01T09:00:00 as a clock shows them
// in the time zone of the entry; a time with Z or an offset is converted.
type Change struct {
	Title       svc.Optional[string] `json:"title"`
	Description svc.Optional[string] `json:"description"`
	Location    svc.Optional[string] `json:"location"`

	Start    svc.Optional[string] `json:"start"`
	End      svc.Optional[string] `json:"end"` // of days, the day after the last one
	Due      svc.Optional[string] `json:"due"`
	Timezone svc.Optional[string] `json:"timezone"` // IANA name; null for wherever one is
	AllDay   svc.Optional[bool]   `json:"all_day"`

	RRule   svc.Optional[string]   `json:"rrule"`
	RDates  svc.Optional[[]string] `json:"rdates"`
	ExDates svc.Optional[[]string] `json:"exdates"`

	Alarms       svc.Optional[[]Alarm] `json:"alarms"`
	AlarmMinutes svc.Optional[int]     `json:"alarm_minutes"` // one alarm, so long before; for forms

	Status          svc.Optional[string]   `json:"status"`
	Transparency    svc.Optional[string]   `json:"transparency"`
	Priority        svc.Optional[int]      `json:"priority"`
	PercentComplete svc.Optional[int]      `json:"percent_complete"`
	CompletedAt     svc.Optional[string]   `json:"completed_at"`
	Categories      svc.Optional[[]string] `json:"categories"`

	CalendarID svc.Optional[string] `json:"calendar_id"`

	// Of mirrors alone: what else shows them is not theirs to say.
	Color           svc.Optional[string] `json:"color"`            // null for the calendar's
	LocalVisibility svc.Optional[string] `json:"local_visibility"` // "visible" or "hidden"
}

// maxItems bounds lists in a change.
const maxItems = 200

// fields names what the change sets, in order.
func (c Change) fields() (fields []string) {
	for name, set := range map[string]bool{
		"title": c.Title.Set, "description": c.Description.Set, "location": c.Location.Set,
		"start": c.Start.Set, "end": c.End.Set, "due": c.Due.Set, "timezone": c.Timezone.Set, "all_day": c.AllDay.Set,
		"rrule": c.RRule.Set, "rdates": c.RDates.Set, "exdates": c.ExDates.Set,
		"alarms": c.Alarms.Set, "alarm_minutes": c.AlarmMinutes.Set,
		"status": c.Status.Set, "transparency": c.Transparency.Set, "priority": c.Priority.Set,
		"percent_complete": c.PercentComplete.Set, "completed_at": c.CompletedAt.Set, "categories": c.Categories.Set,
		"calendar_id": c.CalendarID.Set, "color": c.Color.Set, "local_visibility": c.LocalVisibility.Set,
	} {
		if set {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	return fields
}

// withoutSeries is the change to one instance of a series.
func (c Change) withoutSeries() Change {
	c.RRule, c.RDates, c.ExDates = svc.Optional[string]{}, svc.Optional[[]string]{}, svc.Optional[[]string]{}
	return c
}

// ofSeries names the fields of the change that only a whole series has.
func (c Change) ofSeries() []string {
	return only(c.fields(), "rrule", "rdates", "exdates", "calendar_id")
}

// only returns what of the list is wanted.
func only(list []string, wanted ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return !slices.Contains(wanted, s) })
}

// editor applies a change to the lines of one component.
type editor struct {
	doc    *ics.Document
	block  *ics.Block
	object *ics.Object // as it was; nil for a new one
	master bool        // block is the object's master
	task   bool
	now    time.Time

	start, end ics.Time  // as they were; end is DTEND, DUE, or what DURATION makes of start
	zone       *ics.Zone // where new times are; nil for floating ones
}

// apply makes the change, or says what is wrong with it.
func (e *editor) apply(c Change) error {
	if fields := only(c.fields(), "color", "local_visibility"); len(fields) > 0 {
		return svc.FieldError(svc.InvalidValue, fields[0], "%s is for mirrors of Social events. Change the calendar that this is in instead.", strings.Join(fields, ", "))
	}
	if err := svc.Join(e.texts(c), e.times(c), e.repeats(c), e.state(c), e.alarms(c)); err != nil {
		return err
	}
	e.stamp()
	return nil
}

// stamp notes when the lines were changed, and that they were (RFC 5545
// §3.8.7).
func (e *editor) stamp() {
	now := ics.UTC(e.now)
	e.block.Set(ics.TimeProp("DTSTAMP", now))
	e.block.Set(ics.TimeProp("LAST-MODIFIED", now))
	if e.object != nil {
		n, _ := strconv.Atoi(e.block.Value("SEQUENCE"))
		e.block.Set(ics.IntProp("SEQUENCE", max(n, 0)+1))
	}
}

// put sets a property, or removes it.
func (e *editor) put(p ical.Prop, present bool) {
	if present {
		e.block.Set(p)
	} else {
		e.block.Remove(p.Name)
	}
}

func (e *editor) texts(c Change) error {
	if err := svc.Join(
		c.checkTitle(e.object == nil),
		svc.CheckText("description", c.Description.Value, svc.MaxBody),
		svc.CheckText("location", c.Location.Value, svc.MaxSummary),
		checkItems("categories", c.Categories.Value),
	); err != nil {
		return err
	}
	for _, text := range []struct {
		property string
		field    svc.Optional[string]
	}{{"SUMMARY", c.Title}, {"LOCATION", c.Location}, {"DESCRIPTION", c.Description}} {
		if text.field.Set {
			e.put(ics.TextProp(text.property, text.field.Value), text.field.Value != "")
		}
	}
	if c.Categories.Set {
		e.put(ics.ListProp("CATEGORIES", c.Categories.Value), len(c.Categories.Value) > 0)
	}
	return nil
}

// checkTitle checks the title, which a new entry must have.
func (c Change) checkTitle(required bool) error {
	if !c.Title.Set && !required {
		return nil
	}
	return svc.CheckLine("title", c.Title.Value, svc.MaxTitle)
}

func checkItems(field string, items []string) error {
	if len(items) > maxItems {
		e := svc.FieldError(svc.TooLong, field, "%s may have up to %d items.", field, maxItems)
		e.Fields[0].Max = maxItems
		return e
	}
	for _, item := range items {
		if err := svc.CheckLine(field, item, svc.MaxName); err != nil {
			return err
		}
	}
	return nil
}

// endName is the property that says when the entry ends.
func (e *editor) endName() string {
	if e.task {
		return "DUE"
	}
	return "DTEND"
}

// times changes when the entry is. A property whose value stays is not
// touched.
func (e *editor) times(c Change) error {
	endField, end := "end", c.End
	if e.task {
		endField, end = "due", c.Due
	}
	if !c.Start.Set && !end.Set && !c.Timezone.Set && !c.AllDay.Set && e.object != nil {
		return nil
	}
	allDay := e.start.IsDate() || e.start.IsZero() && e.end.IsDate()
	if c.AllDay.Set {
		allDay = c.AllDay.Value
	} else if e.object == nil {
		allDay = isDay(c.Start.Value) || c.Start.Value == "" && isDay(end.Value)
	}
	if c.Timezone.Set {
		zone, err := loadZone(c.Timezone.Value)
		if err != nil {
			return err
		}
		e.zone = zone
	}
	newStart, err := e.time("start", c.Start, e.start, allDay, c.Timezone.Set, false)
	if err != nil {
		return err
	}
	newEnd, err := e.time(endField, end, e.end, allDay, c.Timezone.Set, true)
	if err != nil {
		return err
	}
	if newEnd.IsZero() && !e.task && !newStart.IsZero() && (e.object == nil || end.Set) {
		newEnd = usualEnd(newStart)
	}
	if err := e.checkTimes(newStart, newEnd, endField); err != nil {
		return err
	}
	e.setTimes(newStart, newEnd, end.Set || newEnd.IsDate() != e.end.IsDate())
	return nil
}

// loadZone returns the zone of an IANA name, nil for "".
func loadZone(name string) (*ics.Zone, error) {
	if name == "" {
		return nil, nil
	}
	if err := checkTimezone(name); err != nil {
		return nil, err
	}
	zone, _ := ics.LoadZone(name)
	return zone, nil
}

// usualEnd is a day later, or an hour: two in the hour in which a clock is put
// back, which then shows the same time again.
func usualEnd(start ics.Time) ics.Time {
	if start.IsDate() {
		return start.Add(ics.Duration{Days: 1})
	}
	end := start.Add(ics.Duration{Seconds: 3600})
	if !end.Instant(nil).After(start.Instant(nil)) {
		return start.Add(ics.Duration{Seconds: 7200})
	}
	return end
}

// time returns what a time is after the change: the new one, or the old one in
// the new form. An end that becomes a day must be the day after, unless it was
// midnight.
func (e *editor) time(field string, change svc.Optional[string], old ics.Time, allDay, zoneChanged, isEnd bool) (ics.Time, error) {
	if change.Set {
		if change.Value == "" {
			return ics.Time{}, nil
		}
		return parseTime(field, change.Value, e.zone, allDay)
	}
	switch {
	case old.IsZero():
	case allDay && !old.IsDate():
		clock := old.Clock()
		if isEnd && !e.task && clock.Format("150405") != "000000" {
			clock = clock.AddDate(0, 0, 1)
		}
		return dayOf(clock), nil
	case !allDay && old.IsDate(), !allDay && zoneChanged:
		return inZone(old.Clock(), e.zone), nil
	}
	return old, nil
}

func dayOf(clock time.Time) ics.Time { return ics.Date(clock.Year(), clock.Month(), clock.Day()) }

// inZone returns what a clock shows as a time in zone; nil is floating.
func inZone(clock time.Time, zone *ics.Zone) ics.Time {
	t := ics.Floating(clock)
	if zone != nil {
		t = t.WithZone(zone)
	}
	return t
}

func (e *editor) checkTimes(start, end ics.Time, endField string) error {
	if start.IsZero() && !e.task {
		return svc.Required("start")
	}
	if start.IsZero() || end.IsZero() {
		return nil
	}
	a, b := start.Instant(nil), end.Instant(nil)
	if b.Before(a) || start.IsDate() && !e.task && !b.After(a) {
		return svc.FieldError(svc.EndBeforeStart, endField, "%s must not be before start.", endField)
	}
	return nil
}

// setTimes writes the lines of what has changed.
func (e *editor) setTimes(start, end ics.Time, endChanged bool) {
	if start != e.start {
		e.put(ics.TimeProp("DTSTART", start), !start.IsZero())
		e.explain(start)
		e.shift(start)
	}
	hasEnd := e.block.Value(e.endName()) != ""
	if end != e.end && (hasEnd || endChanged || e.object == nil) {
		e.block.Remove("DURATION")
		e.put(ics.TimeProp(e.endName(), end), !end.IsZero())
		e.explain(end)
	}
}

// explain adds the VTIMEZONE that a time needs.
func (e *editor) explain(t ics.Time) {
	if z := t.Zone(); z != nil {
		e.doc.AddTimeZone(z, t.Instant(nil))
	}
}

// shift moves what is said in terms of the start of a series along with it:
// the days and the end of its rule, dates added and taken out, and which
// instances its overrides are for.
func (e *editor) shift(start ics.Time) {
	if e.object == nil || !e.master || !e.object.Recurs() || start.IsZero() || e.start.IsZero() {
		return
	}
	if rule := e.object.Master.Rule(); rule != nil {
		r := rule.RotateWeekdays(e.start.Clock().Weekday(), start.Clock().Weekday())
		if until := r.Until; !until.IsZero() {
			if z := e.start.Zone(); z != nil && z.Location() != nil && until.Zone() != nil {
				until = ics.Zoned(until.Instant(nil), z)
			}
			r.Until = untilFor(inZone(until.Clock().Add(start.Clock().Sub(e.start.Clock())), start.Zone()), start)
		}
		if r.String() != rule.String() {
			e.block.Set(ics.RuleProp(r))
		}
	}
	e.doc.ShiftSeries(e.object, start)
}

// untilFor returns the last moment of a rule in the form that the start of the
// series asks for (RFC 5545 §3.3.10).
func untilFor(until, start ics.Time) ics.Time {
	switch {
	case start.IsDate():
		return dayOf(until.Clock())
	case floating(start):
		if until.IsDate() {
			return ics.Floating(until.Clock().Add(24*time.Hour - time.Second))
		}
		return ics.Floating(until.Clock())
	case until.IsDate():
		return ics.UTC(inZone(until.Clock().Add(24*time.Hour-time.Second), start.Zone()).Instant(nil))
	case until.IsFloating():
		return ics.UTC(inZone(until.Clock(), start.Zone()).Instant(nil))
	}
	return ics.UTC(until.Instant(nil))
}

// isDay reports whether text is written as a day.
func isDay(text string) bool { return len(text) == len(time.DateOnly) }

// parseTime reads a day or a time as it is written in JSON.
func parseTime(field, text string, zone *ics.Zone, allDay bool) (ics.Time, error) {
	wrong := svc.FieldError(svc.InvalidValue, field, "%s must look like 2026-12-01T09:00:00, or 2026-12-01 for a day.", field)
	text = strings.TrimSpace(text)
	var clock time.Time
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		clock = t
		switch {
		case zone != nil && zone.Location() != nil:
			clock = t.In(zone.Location())
		case !allDay: // nobody knows what a clock shows there then
			return ics.UTC(t), nil
		}
		_, offset := clock.Zone()
		clock = time.Unix(clock.Unix()+int64(offset), 0).UTC()
	} else {
		for _, form := range []string{localForm, "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly} {
			if clock, err = time.Parse(form, text); err == nil {
				break
			}
		}
		if err != nil {
			return ics.Time{}, wrong
		}
	}
	if clock.Year() < 1600 || clock.Year() > 9000 {
		return ics.Time{}, wrong
	}
	switch {
	case allDay:
		return dayOf(clock), nil
	case isDay(text):
		return ics.Time{}, svc.FieldError(svc.InvalidValue, field, "%s is a day; give a time of day, or say all_day.", field)
	}
	return inZone(clock, zone), nil
}

// repeats changes how the entry recurs.
func (e *editor) repeats(c Change) error {
	start := e.currentStart()
	if c.RRule.Set && c.RRule.Value == "" {
		e.block.Remove("RRULE", "RDATE", "EXDATE")
		e.dropOverrides()
	} else if c.RRule.Set {
		if start.IsZero() && e.block.Value("DUE") == "" {
			return svc.Join(checkRule(c.RRule.Value), svc.FieldError(svc.InvalidRecurrence, "rrule", "Only what has a date can repeat."))
		}
		rule, err := parseRule(c.RRule.Value, start)
		if err != nil {
			return err
		}
		e.block.Set(ics.RuleProp(rule))
	}
	return svc.Join(e.dates("exdates", "EXDATE", c.ExDates, start), e.dates("rdates", "RDATE", c.RDates, start))
}

// parseRule reads the rule of a series that begins at start.
func parseRule(text string, start ics.Time) (*ics.Rule, error) {
	rule, err := ics.ParseRule(strings.TrimPrefix(text, "RRULE:"))
	if err != nil {
		return nil, svc.FieldError(svc.InvalidRecurrence, "rrule", "rrule cannot be read: %v.", err)
	}
	if !rule.Until.IsZero() {
		rule.Until = untilFor(rule.Until, start)
	}
	return rule, nil
}

// checkRule reports whether a rule can be read; "" can.
func checkRule(text string) error {
	if text == "" {
		return nil
	}
	_, err := parseRule(text, ics.Time{})
	return err
}

// currentStart is the start as it stands after the change of times.
func (e *editor) currentStart() ics.Time {
	o, err := ics.Parse(e.doc.Bytes())
	if err != nil || !e.master || o.Master == nil {
		return e.start
	}
	return firstTime(o.Master, "DTSTART", "DUE")
}

func (e *editor) dates(field, name string, change svc.Optional[[]string], start ics.Time) error {
	if !change.Set {
		return nil
	}
	if len(change.Value) > maxItems {
		return svc.FieldError(svc.TooLong, field, "%s may have up to %d dates.", field, maxItems)
	}
	var times []ics.Time
	for _, text := range change.Value {
		zone := start.Zone()
		t, err := parseTime(field, text, zone, start.IsDate())
		if err != nil {
			return err
		}
		times = append(times, t)
	}
	e.block.Remove(name)
	if len(times) > 0 {
		e.block.Set(ics.TimeProp(name, times...))
	}
	return nil
}

// dropOverrides removes the instances that differ from a series that is none
// any more.
func (e *editor) dropOverrides() {
	if e.object == nil || !e.master {
		return
	}
	var out []*ics.Block
	for _, c := range e.object.Overrides {
		out = append(out, e.doc.Block(c))
	}
	e.doc.Calendar.RemoveBlocks(out...)
}

var (
	eventStatuses = []string{"tentative", "confirmed", "cancelled"}
	taskStatuses  = []string{"needs_action", "in_process", "completed", "cancelled"}
	transparences = []string{"opaque", "transparent"}
)

// state changes status, and what goes with it (B-58).
func (e *editor) state(c Change) error {
	statuses := eventStatuses
	if e.task {
		statuses = taskStatuses
	}
	if err := svc.Join(
		checkChoice("status", c.Status.Value, statuses),
		checkChoice("transparency", c.Transparency.Value, transparences),
		checkRange("priority", c.Priority.Value, 9),
		checkRange("percent_complete", c.PercentComplete.Value, 100),
	); err != nil {
		return err
	}
	if c.Status.Set {
		e.put(ical.Prop{Name: "STATUS", Value: strings.ToUpper(strings.ReplaceAll(c.Status.Value, "_", "-"))}, c.Status.Value != "")
	}
	if c.Transparency.Set && !e.task {
		e.put(ical.Prop{Name: "TRANSP", Value: strings.ToUpper(c.Transparency.Value)}, c.Transparency.Value != "")
	}
	if !e.task {
		return nil
	}
	if c.Priority.Set {
		e.put(ics.IntProp("PRIORITY", c.Priority.Value), c.Priority.Value != 0)
	}
	if c.PercentComplete.Set {
		e.put(ics.IntProp("PERCENT-COMPLETE", c.PercentComplete.Value), !c.PercentComplete.Null)
	}
	return e.completion(c)
}

// completion keeps COMPLETED in step with the status of a task.
func (e *editor) completion(c Change) error {
	done := e.now
	if c.CompletedAt.Value != "" {
		t, err := time.Parse(time.RFC3339, c.CompletedAt.Value)
		if err != nil {
			return svc.FieldError(svc.InvalidValue, "completed_at", "completed_at must look like 2026-12-01T09:00:00Z.")
		}
		done = t
	}
	switch {
	case c.Status.Value == "completed", c.CompletedAt.Value != "" && !c.Status.Set:
		e.block.Set(ical.Prop{Name: "STATUS", Value: "COMPLETED"})
		e.block.Set(ics.TimeProp("COMPLETED", ics.UTC(done)))
		e.block.Set(ics.IntProp("PERCENT-COMPLETE", 100))
	case c.Status.Set, c.CompletedAt.Set:
		e.block.Remove("COMPLETED")
		if !c.PercentComplete.Set {
			e.block.Remove("PERCENT-COMPLETE")
		}
		if e.block.Value("STATUS") == "COMPLETED" {
			e.block.Remove("STATUS")
		}
	}
	return nil
}

func checkChoice(field, value string, choices []string) error {
	if value != "" && !slices.Contains(choices, value) {
		return svc.FieldError(svc.InvalidValue, field, "%s must be %s.", field, strings.Join(choices, ", "))
	}
	return nil
}

func checkRange(field string, n, most int) error {
	if n < 0 || n > most {
		return svc.FieldError(svc.InvalidValue, field, "%s must be from 0 to %d.", field, most)
	}
	return nil
}

// alarms replaces all reminders.
func (e *editor) alarms(c Change) error {
	list := c.Alarms.Value
	switch {
	case c.AlarmMinutes.Set && !c.AlarmMinutes.Null:
		if err := checkRange("alarm_minutes", c.AlarmMinutes.Value, 4*7*24*60); err != nil {
			return err
		}
		list = append(list, Alarm{Trigger: ics.Duration{Seconds: -60 * int64(c.AlarmMinutes.Value)}.String()})
	case !c.Alarms.Set && !c.AlarmMinutes.Set:
		return nil
	}
	if len(list) > maxItems {
		return svc.FieldError(svc.TooLong, "alarms", "alarms may have up to %d items.", maxItems)
	}
	made := make([]ics.Alarm, len(list))
	for i, a := range list {
		var err error
		if made[i], err = a.parse(); err != nil {
			return err
		}
		made[i].Description = c.Title.Value
		if made[i].Description == "" && e.object != nil {
			made[i].Description = e.object.Components()[0].Text("SUMMARY")
		}
	}
	e.block.RemoveBlocks(e.block.Blocks("VALARM")...)
	for _, a := range made {
		e.block.AddAlarm(a)
	}
	return nil
}

// parse reads an alarm as it is written in JSON.
func (a Alarm) parse() (made ics.Alarm, err error) {
	if err := svc.Join(checkChoice("alarms", a.Related, []string{"start", "end"}), checkChoice("alarms", a.action(), []string{"display", "audio"})); err != nil {
		return made, err
	}
	made = ics.Alarm{Action: strings.ToUpper(a.action()), RelatedToEnd: a.Related == "end"}
	if at, err := time.Parse(time.RFC3339, a.Trigger); err == nil {
		made.At = ics.UTC(at)
		return made, nil
	}
	var ok bool
	if made.Offset, ok = ics.ParseDuration(a.Trigger); !ok {
		return made, svc.FieldError(svc.InvalidValue, "alarms", "The trigger %q of an alarm must be a duration such as -PT15M, or a time such as 2026-12-01T08:45:00Z.", fmt.Sprintf("%.40s", a.Trigger))
	}
	return made, nil
}

func (a Alarm) action() string {
	if a.Action == "" {
		return "display"
	}
	return strings.ToLower(a.Action)
}
