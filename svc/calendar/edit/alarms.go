package edit

import (
	"cmp"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/view"
)

// applyAlarms replaces all alarms.
func (e *componentEditor) applyAlarms(c Change) error {
	list := c.Alarms.Value
	switch {
	case c.AlarmMinutes.Set && !c.AlarmMinutes.Null:
		if err := checkRange("alarm_minutes", c.AlarmMinutes.Value, 4*7*24*60); err != nil {
			return err
		}
		list = append(list, view.Alarm{Trigger: ics.Duration{Seconds: -60 * int64(c.AlarmMinutes.Value)}.String()})
	case !c.Alarms.Set && !c.AlarmMinutes.Set:
		return nil
	}
	if err := checkLength("alarms", len(list)); err != nil {
		return err
	}
	description := c.Title.Value
	if description == "" && e.object != nil {
		description = e.object.Components()[0].Text("SUMMARY")
	}
	alarms := make([]ics.Alarm, len(list))
	for i, a := range list {
		var err error
		if alarms[i], err = parseAlarm(a); err != nil {
			return err
		}
		alarms[i].Description = description
	}
	e.block.RemoveBlocks(e.block.Blocks("VALARM")...)
	for _, a := range alarms {
		e.block.AddAlarm(a)
	}
	return nil
}

// alarmAction is the action of an alarm that a member can add.
type alarmAction string

const (
	displayAlarm alarmAction = "display"
	audioAlarm   alarmAction = "audio"
)

// Values implements [svc.Set].
func (alarmAction) Values() []string { return svc.Values(displayAlarm, audioAlarm) }

func parseAlarm(a view.Alarm) (alarm ics.Alarm, err error) {
	action := alarmAction(strings.ToLower(cmp.Or(a.Action, string(displayAlarm))))
	if err := svc.CheckSet("alarms", action); err != nil {
		return alarm, err
	}
	alarm = ics.Alarm{Action: strings.ToUpper(string(action)), RelatedToEnd: a.Related == view.RelatedToEnd}
	if at, err := time.Parse(time.RFC3339, a.Trigger); err == nil {
		alarm.At = ics.UTC(at)
		return alarm, nil
	}
	var ok bool
	if alarm.Offset, ok = ics.ParseDuration(a.Trigger); !ok {
		return alarm, svc.FieldError(svc.InvalidValue, "alarms", "The trigger of an alarm must be a duration such as -PT15M or a time such as 2026-12-01T08:45:00Z.")
	}
	return alarm, nil
}
