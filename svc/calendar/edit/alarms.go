package edit

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/view"

	"github.com/emersion/go-ical"
)

// applyAlarms adds, alters and removes those alarms in which the change differs from
// the component. All other lines of alarms stay as they are.
func (e *componentEditor) applyAlarms(c Change) error {
	if c.Start.Set && e.lacksStart() {
		defer e.relateAlarmsToEnd()
	}
	if !c.setsAlarms() {
		return nil
	}
	var existing []ics.Alarm
	if e.component != nil {
		existing = view.VisibleAlarms(e.component)
	}
	plan, err := c.planAlarms(existing)
	if err != nil {
		return err
	}
	description := c.Title.Value
	if !c.Title.Set && e.component != nil {
		description = e.component.Text("SUMMARY")
	}
	blocks := e.block.Blocks("VALARM")
	for _, alteration := range plan.altered {
		alterAlarm(blocks[alteration.old.Index], alteration.old, e.withRelation(alteration.wanted), description)
	}
	for _, a := range plan.removed {
		e.block.RemoveBlocks(blocks[a.Index])
	}
	for _, a := range plan.added {
		a.Description = description
		e.block.AddAlarm(e.withRelation(a))
	}
	return nil
}

// defaultAlarmMarks are properties by which Apple's clients mark an alarm that they
// added by default. They do not apply to one that a member has altered.
var defaultAlarmMarks = []string{"X-APPLE-DEFAULT-ALARM", "X-APPLE-LOCAL-DEFAULT-ALARM"}

// alterAlarm changes the trigger and the action of the alarm in block. The other
// properties stay: with ACKNOWLEDGED, clients do not repeat an alarm that was
// acknowledged after its new time.
func alterAlarm(block *ics.Block, old, wanted ics.Alarm, description string) {
	from, to := contentOf(old), contentOf(wanted)
	if from.Trigger != to.Trigger || from.Related != to.Related {
		block.Set(ics.TriggerProp(wanted))
	}
	if from.Action != to.Action {
		block.Set(ical.Prop{Name: "ACTION", Value: wanted.Action})
		if to.Action == string(displayAlarm) && block.Value("DESCRIPTION") == "" && description != "" { // required (RFC 5545 §3.6.6)
			block.Add(ics.TextProp("DESCRIPTION", description))
		}
	}
	block.Remove(defaultAlarmMarks...)
}

// alarmPlan is the difference between the alarms of a component and those of a
// change.
type alarmPlan struct {
	altered []alarmAlteration
	removed []ics.Alarm
	added   []ics.Alarm
}

type alarmAlteration struct{ old, wanted ics.Alarm }

func (p alarmPlan) isEmpty() bool { return len(p.altered)+len(p.removed)+len(p.added) == 0 }

// planAlarms returns the difference between existing, the visible alarms of a
// component, and the alarms of the change. Alarms that are not editable stay, whether
// the change contains them or not.
func (c Change) planAlarms(existing []ics.Alarm) (p alarmPlan, err error) {
	wanted, err := c.wantedAlarms()
	if err != nil {
		return p, err
	}
	matches := matchAlarms(existing, wanted)
	for i, a := range wanted {
		switch m := matches[i]; {
		case m < 0:
			if err := checkNewAlarm(a); err != nil {
				return p, err
			}
			p.added = append(p.added, a)
		case isEditable(existing[m]) && contentOf(existing[m]) != contentOf(a):
			if err := checkNewAlarm(a); err != nil {
				return p, err
			}
			p.altered = append(p.altered, alarmAlteration{existing[m], a})
		}
	}
	for i, a := range existing {
		if isEditable(a) && !slices.Contains(matches, i) {
			p.removed = append(p.removed, a)
		}
	}
	return p, nil
}

// wantedAlarms returns the alarms of the change, with their actions unchecked.
func (c Change) wantedAlarms() (list []ics.Alarm, err error) {
	if err := checkLength("alarms", len(c.Alarms.Value)); err != nil {
		return nil, err
	}
	for _, a := range c.Alarms.Value {
		alarm, err := parseAlarm(a)
		if err != nil {
			return nil, err
		}
		list = append(list, alarm)
	}
	if c.AlarmMinutes.Set && !c.AlarmMinutes.Null {
		if err := checkRange("alarm_minutes", c.AlarmMinutes.Value, 4*7*24*60); err != nil {
			return nil, err
		}
		list = append(list, ics.Alarm{Action: "DISPLAY", Offset: ics.Duration{Seconds: -60 * int64(c.AlarmMinutes.Value)}})
	}
	return list, nil
}

// matchAlarms returns for each of the wanted alarms the index of the existing alarm
// that it stands for, -1 if it is new: the alarm with the same UID, else one with the
// same content, else the one at the same place among the editable alarms.
func matchAlarms(existing, wanted []ics.Alarm) []int {
	matches, isTaken := slices.Repeat([]int{-1}, len(wanted)), make([]bool, len(existing))
	byUID, byContent := make(map[string][]int), make(map[view.Alarm][]int)
	var editable []int
	for i, a := range existing {
		if a.UID != "" {
			byUID[a.UID] = append(byUID[a.UID], i)
		}
		byContent[contentOf(a)] = append(byContent[contentOf(a)], i)
		if isEditable(a) {
			editable = append(editable, i)
		}
	}
	match := func(i int, candidates []int) {
		free := slices.IndexFunc(candidates, func(m int) bool { return !isTaken[m] })
		if matches[i] < 0 && free >= 0 {
			matches[i] = candidates[free]
			isTaken[candidates[free]] = true
		}
	}
	for i, a := range wanted {
		match(i, byUID[a.UID])
	}
	for i, a := range wanted {
		match(i, byContent[contentOf(a)])
	}
	place := 0
	for i := range wanted {
		if m := matches[i]; m >= 0 && !isEditable(existing[m]) {
			continue
		}
		if place < len(editable) {
			match(i, editable[place:place+1])
		}
		place++
	}
	return matches
}

// contentOf returns the part of an alarm by which alarms without a UID are compared.
func contentOf(a ics.Alarm) view.Alarm {
	v := view.NewAlarm(a)
	return view.Alarm{Trigger: v.Trigger, Related: v.Related, Action: cmp.Or(v.Action, string(displayAlarm))}
}

// contentsOf returns the content of each visible alarm of a component.
func contentsOf(c *ics.Component) (list []view.Alarm) {
	for _, a := range view.VisibleAlarms(c) {
		list = append(list, contentOf(a))
	}
	return list
}

func isEditable(a ics.Alarm) bool { return view.NewAlarm(a).Editable }

// lacksStart reports whether the component is a task without DTSTART. A trigger that is
// a duration is relative to DTSTART unless it has RELATED=END (RFC 5545 §3.8.6.3).
func (e *componentEditor) lacksStart() bool { return e.isTask && e.block.Value("DTSTART") == "" }

// withRelation returns an alarm that is relative to the end if there is no start.
func (e *componentEditor) withRelation(a ics.Alarm) ics.Alarm {
	a.RelatedToEnd = a.RelatedToEnd || a.At.IsZero() && e.lacksStart()
	return a
}

// relateAlarmsToEnd makes the alarms of a task whose start was removed relative to its
// due time.
func (e *componentEditor) relateAlarmsToEnd() {
	for _, b := range e.block.Blocks("VALARM") {
		if _, isDuration := ics.ParseDuration(b.Value("TRIGGER")); isDuration {
			b.SetParam("TRIGGER", "RELATED", "END")
		}
	}
}

// alarmAction is the action of an alarm that a member can add.
type alarmAction string

const (
	displayAlarm alarmAction = "display"
	audioAlarm   alarmAction = "audio"
)

// Values implements [svc.Set].
func (alarmAction) Values() []string { return svc.Values(displayAlarm, audioAlarm) }

// checkNewAlarm returns an error unless a member can add the alarm.
func checkNewAlarm(a ics.Alarm) error {
	if a.Proximity != "" {
		return svc.FieldError(svc.InvalidValue, "alarms", "A reminder at a place cannot be added here. Use the app that added it.")
	}
	return svc.CheckSet("alarms", alarmAction(strings.ToLower(a.Action)))
}

func parseAlarm(a view.Alarm) (alarm ics.Alarm, err error) {
	alarm = ics.Alarm{
		UID: a.UID, Action: strings.ToUpper(cmp.Or(a.Action, string(displayAlarm))), Proximity: strings.ToUpper(a.Proximity),
		RelatedToEnd: a.Related == view.RelatedToEnd,
	}
	if at, err := time.Parse(time.RFC3339, a.Trigger); err == nil {
		alarm.At, alarm.RelatedToEnd = ics.UTC(at), false
		return alarm, nil
	}
	var ok bool
	if alarm.Offset, ok = ics.ParseDuration(a.Trigger); !ok {
		return alarm, svc.FieldError(svc.InvalidValue, "alarms", "The trigger of an alarm must be a duration such as -PT15M or a time such as 2026-12-01T08:45:00Z.")
	}
	return alarm, nil
}
