package view

import (
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Alarm is a reminder for clients; the server does not act on it.
type Alarm struct {
	UID       string        `json:"uid"`       // identifies the alarm in its object (RFC 9074 §4); "" for none
	Trigger   string        `json:"trigger"`   // a duration such as -PT15M, or an instant
	Related   AlarmRelation `json:"related"`   // the reference of a duration
	Action    string        `json:"action"`    // "display", "audio", "email", …
	Proximity string        `json:"proximity"` // "arrive", "depart", … for an alarm at a place, whose trigger has no meaning; "" for others
	Editable  bool          `json:"editable"`  // whether a change can alter or remove the alarm
}

// AlarmRelation is the time of an object that an alarm with a duration refers to.
type AlarmRelation string

const (
	RelatedToStart AlarmRelation = "start"
	RelatedToEnd   AlarmRelation = "end"
)

// Values implements [svc.Set].
func (AlarmRelation) Values() []string { return svc.Values(RelatedToStart, RelatedToEnd) }

// VisibleAlarms returns the alarms of a component without those of the action NONE:
// Apple's clients add one, with a trigger in 1976, to an entry that must have no
// alarm.
func VisibleAlarms(c *ics.Component) (list []ics.Alarm) {
	for _, a := range c.Alarms() {
		if a.Action != "NONE" {
			list = append(list, a)
		}
	}
	return list
}

// NewAlarm returns the JSON form of an alarm. Members can edit only alarms that
// display or play something at a time: others have properties that forms do not
// contain, such as the recipients of an e-mail.
func NewAlarm(a ics.Alarm) Alarm {
	alarm := Alarm{
		UID: a.UID, Trigger: a.Offset.String(), Related: RelatedToStart,
		Action: strings.ToLower(a.Action), Proximity: strings.ToLower(a.Proximity),
	}
	if !a.At.IsZero() {
		alarm.Trigger = a.At.Instant(nil).Format(time.RFC3339)
	}
	if a.RelatedToEnd {
		alarm.Related = RelatedToEnd
	}
	switch a.Action {
	case "", "DISPLAY", "AUDIO":
		alarm.Editable = a.Proximity == ""
	}
	return alarm
}

func alarms(c *ics.Component) (list svc.List[Alarm]) {
	for _, a := range VisibleAlarms(c) {
		list = append(list, NewAlarm(a))
	}
	return list
}
