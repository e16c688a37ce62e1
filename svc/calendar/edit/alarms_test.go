package edit

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/view"
	"appliance/svc/words"
)

// Alarms as clients write them, without BEGIN and END.
const (
	appleAlarm   = "X-WR-ALARMUID:A1\r\nUID:A1\r\nTRIGGER:-PT30M\r\nATTACH;VALUE=URI:Chord\r\nACTION:AUDIO\r\nACKNOWLEDGED:20261105T090000Z\r\nX-APPLE-DEFAULT-ALARM:TRUE\r\n"
	repeated     = "ACTION:DISPLAY\r\nTRIGGER;VALUE=DURATION:-PT15M\r\nDESCRIPTION:Default Mozilla Description\r\nREPEAT:4\r\nDURATION:PT5M\r\nX-MOZ-LASTACK:20261105T090000Z\r\n"
	emailAlarm   = "UID:E1\r\nACTION:EMAIL\r\nSUMMARY:Choir\r\nDESCRIPTION:Sing\r\nATTENDEE:mailto:ann@example.org\r\nTRIGGER:-P1D\r\n"
	placeAlarm   = "UID:P1\r\nACTION:DISPLAY\r\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z\r\nX-APPLE-PROXIMITY:ARRIVE\r\nX-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:40.7,-74.0\r\n"
	noAlarm      = "UID:N1\r\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z\r\nACTION:NONE\r\n"
	invalidAlarm = "ACTION:DISPLAY\r\nTRIGGER:later\r\n"
	newAlarm     = "ACTION:DISPLAY\r\nTRIGGER:-PT1H\r\nDESCRIPTION:Choir\r\n"
)

// eventWithAlarms returns an event with these alarms between two other lines.
func eventWithAlarms(t *testing.T, alarms ...string) *ics.Object {
	t.Helper()
	lines := []string{"SUMMARY:Choir", "DTSTART:20261201T180000Z", "DTEND:20261201T190000Z", "X-FIRST:1"}
	for _, a := range alarms {
		lines = append(lines, "BEGIN:VALARM", strings.TrimSuffix(a, "\r\n"), "END:VALARM")
	}
	return icstest.Parse(t, icstest.Event("a", lines...))
}

// alarmLines returns the lines of each alarm of an object.
func alarmLines(o *ics.Object) (alarms []string) {
	for _, part := range strings.Split(string(o.Raw), "BEGIN:VALARM\r\n")[1:] {
		lines, _, _ := strings.Cut(part, "END:VALARM\r\n")
		alarms = append(alarms, lines)
	}
	return alarms
}

// shownAlarms returns the alarms of an object as the JSON of a form.
func shownAlarms(t *testing.T, o *ics.Object) []map[string]any {
	t.Helper()
	text, err := json.Marshal(view.Series(words.English, view.Info{}, o, storetest.Start, time.UTC).State.Alarms)
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// A change of one alarm rewrites the lines of its fields. All other lines of all alarms,
// and their order, stay. Alarms that a form cannot edit, or does not show, stay. Covers
// B-120.
func TestAlarmChangeKeepsOtherLines(t *testing.T) {
	trigger := func(alarm, old, changed string) string {
		return strings.Replace(strings.Replace(alarm, "TRIGGER"+old+"\r\n", "TRIGGER"+changed+"\r\n", 1), "X-APPLE-DEFAULT-ALARM:TRUE\r\n", "", 1)
	}
	type item = map[string]any
	for _, c := range []struct {
		name   string
		alarms []string
		change func(list []item) []item
		want   []string
	}{
		{"the first", []string{appleAlarm, repeated}, func(l []item) []item { l[0]["trigger"] = "-PT1H"; return l },
			[]string{trigger(appleAlarm, ":-PT30M", ":-PT1H"), repeated}},
		{"the second, without a UID", []string{appleAlarm, repeated}, func(l []item) []item { l[1]["trigger"] = "-PT1H"; return l },
			[]string{appleAlarm, trigger(repeated, ";VALUE=DURATION:-PT15M", ":-PT1H")}},
		{"without a UID, by a client that knows none", []string{repeated, appleAlarm}, func([]item) []item {
			return []item{{"trigger": "-PT10M"}, {"trigger": "-PT30M", "related": "start", "action": "audio"}}
		}, []string{trigger(repeated, ";VALUE=DURATION:-PT15M", ":-PT10M"), appleAlarm}},
		{"by UID, in another order", []string{appleAlarm, repeated}, func(l []item) []item { l[0]["trigger"] = "-PT1H"; return []item{l[1], l[0]} },
			[]string{trigger(appleAlarm, ":-PT30M", ":-PT1H"), repeated}},
		{"to the end", []string{repeated}, func(l []item) []item { l[0]["related"] = "end"; return l },
			[]string{trigger(repeated, ";VALUE=DURATION:-PT15M", ";RELATED=END:-PT15M")}},
		{"to an instant", []string{repeated}, func(l []item) []item { l[0]["trigger"] = "2026-12-01T12:00:00+01:00"; return l },
			[]string{trigger(repeated, ";VALUE=DURATION:-PT15M", ";VALUE=DATE-TIME:20261201T110000Z")}},
		{"another action", []string{appleAlarm}, func(l []item) []item { l[0]["action"] = "display"; return l },
			[]string{strings.Replace(strings.Replace(appleAlarm, "AUDIO", "DISPLAY", 1), "X-APPLE-DEFAULT-ALARM:TRUE", "DESCRIPTION:Choir", 1)}},
		{"one more", []string{appleAlarm, noAlarm}, func(l []item) []item { return append(l, item{"trigger": "-PT1H"}) }, []string{appleAlarm, noAlarm, newAlarm}},
		{"one less", []string{appleAlarm, repeated, emailAlarm}, func(l []item) []item { return l[1:] }, []string{repeated, emailAlarm}},
		{"the first replaced", []string{appleAlarm, repeated}, func(l []item) []item { return append(l[1:], item{"trigger": "-PT1H"}) }, []string{repeated, newAlarm}},
		{"none", []string{noAlarm, appleAlarm, emailAlarm, invalidAlarm, placeAlarm, repeated}, func([]item) []item { return nil },
			[]string{noAlarm, emailAlarm, invalidAlarm, placeAlarm}},
		{"beside alarms that are read-only", []string{noAlarm, emailAlarm, placeAlarm, repeated}, func(l []item) []item { l[2]["trigger"] = "-PT1H"; return l },
			[]string{noAlarm, emailAlarm, placeAlarm, trigger(repeated, ";VALUE=DURATION:-PT15M", ":-PT1H")}},
		{"beside them, by a client that knows no UID", []string{emailAlarm, placeAlarm, repeated}, func([]item) []item {
			return []item{{"trigger": "-P1D", "action": "email"}, {"trigger": "1976-04-01T00:55:45Z"}, {"trigger": "-PT1H"}}
		}, []string{emailAlarm, placeAlarm, trigger(repeated, ";VALUE=DURATION:-PT15M", ":-PT1H")}},
		{"beside them, without them", []string{emailAlarm, placeAlarm, repeated}, func(l []item) []item { l[2]["trigger"] = "-PT1H"; return l[2:] },
			[]string{emailAlarm, placeAlarm, trigger(repeated, ";VALUE=DURATION:-PT15M", ":-PT1H")}},
		{"a read-only one", []string{emailAlarm}, func(l []item) []item { l[0]["trigger"] = "-PT1H"; return l }, []string{emailAlarm}},
		{"of two equal ones", []string{repeated, repeated}, func(l []item) []item { return l[1:] }, []string{repeated}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := eventWithAlarms(t, c.alarms...)
			change, err := json.Marshal(item{"alarms": c.change(shownAlarms(t, o))})
			if err != nil {
				t.Fatal(err)
			}
			after := mustApply(t, o, string(change)).Object
			if got := alarmLines(after); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got alarms\n%q\nwant\n%q", got, c.want)
			}
			icstest.WantSameLines(t, string(o.Raw), string(after.Raw), "VALARM")
		})
	}
}

// A change with the present alarms changes nothing, whether a client sends all their
// fields or only those that it knows.
func TestPresentAlarmsChangeNothing(t *testing.T) {
	o := eventWithAlarms(t, noAlarm, appleAlarm, emailAlarm, placeAlarm, repeated)
	all, err := json.Marshal(shownAlarms(t, o))
	if err != nil {
		t.Fatal(err)
	}
	for _, alarms := range []string{
		string(all),
		`[{"trigger": "-PT30M", "action": "audio"}, {"trigger": "-P1D", "action": "email"}, {"trigger": "1976-04-01T00:55:45Z", "action": "display"}, {"trigger": "-PT15M"}]`,
		`[{"trigger": "-PT900S", "related": "start"}, {"uid": "A1", "trigger": "-PT30M", "action": "AUDIO"}]`,
	} {
		in := decode(t, fmt.Sprintf(`{"alarms": %s}`, alarms))
		if got := in.withoutUnchanged(o, o.Master, nil).fields(); len(got) > 0 {
			t.Errorf("%s: got changed fields %q, want none", alarms, got)
		}
	}
	if got := decode(t, `{"alarm_minutes": 15}`).withoutUnchanged(eventWithAlarms(t, repeated), eventWithAlarms(t, repeated).Master, nil).fields(); len(got) > 0 {
		t.Errorf("the present alarm in minutes: got changed fields %q, want none", got)
	}
}

// An alarm that a member cannot add is rejected, also in the place of another one.
func TestAlarmsThatCannotBeAddedAreRejected(t *testing.T) {
	for _, alarm := range []string{`{"trigger": "-PT5M", "action": "email"}`, `{"trigger": "-PT5M", "action": "none"}`, `{"trigger": "-PT5M", "proximity": "arrive"}`} {
		for _, o := range []*ics.Object{eventWithAlarms(t), eventWithAlarms(t, repeated), eventWithAlarms(t, emailAlarm)} {
			_, err := apply(t, o, `{"alarms": [`+alarm+`]}`)
			wantCode(t, err, svc.InvalidValue, "alarms")
		}
	}
}

// An override whose alarms equal those of the series gets the change of an alarm of the
// series, also if a client has given them other UIDs, and keeps the other lines.
func TestOverridesInheritTheChangeOfAnAlarm(t *testing.T) {
	text := string(eventWithAlarms(t, appleAlarm, noAlarm).Raw)
	text = strings.Replace(text, "X-FIRST:1\r\n", "RRULE:FREQ=DAILY;COUNT=3\r\n", 1)
	own := strings.NewReplacer("A1", "A2", "ACKNOWLEDGED:20261105", "ACKNOWLEDGED:20261106").Replace(appleAlarm)
	override := "BEGIN:VEVENT\r\nUID:a\r\nRECURRENCE-ID:20261202T180000Z\r\nDTSTART:20261202T200000Z\r\nDTEND:20261202T210000Z\r\nBEGIN:VALARM\r\n" + own + "END:VALARM\r\nEND:VEVENT\r\n"
	o := icstest.Parse(t, strings.Replace(text, "END:VCALENDAR", override+"END:VCALENDAR", 1))
	after := mustApply(t, o, `{"alarms": [{"uid": "A1", "trigger": "-PT1H", "action": "audio"}]}`).Object
	changed := func(alarm string) string {
		return strings.NewReplacer("-PT30M", "-PT1H", "X-APPLE-DEFAULT-ALARM:TRUE\r\n", "").Replace(alarm)
	}
	if got, want := strings.Join(alarmLines(after), "\n"), strings.Join([]string{changed(appleAlarm), noAlarm, changed(own)}, "\n"); got != want {
		t.Errorf("got alarms\n%q\nwant\n%q", got, want)
	}
}

// An alarm of a task without a start is relative to its due time, because there is
// no start (RFC 5545 §3.8.6.3), also after the start was removed.
func TestAlarmOfATaskWithoutAStartIsRelatedToItsEnd(t *testing.T) {
	const start, due = "DTSTART:20261201T080000Z", "DUE:20261201T100000Z"
	const quarter = "BEGIN:VALARM\r\nUID:1\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER;X-A=1:-PT15M\r\nEND:VALARM"
	for _, c := range []struct{ name, lines, change, want string }{
		{"minutes", due, `"alarm_minutes": 15`, "TRIGGER;RELATED=END:-PT15M"},
		{"a duration", due, `"alarms": [{"trigger": "-PT15M"}]`, "TRIGGER;RELATED=END:-PT15M"},
		{"related to the start", due, `"alarms": [{"trigger": "-PT15M", "related": "start"}]`, "TRIGGER;RELATED=END:-PT15M"},
		{"no time yet", "SUMMARY:x", `"alarm_minutes": 15`, "TRIGGER;RELATED=END:-PT15M"},
		{"an instant", due, `"alarms": [{"trigger": "2026-12-01T08:45:00Z"}]`, "TRIGGER;VALUE=DATE-TIME:20261201T084500Z"},
		{"with a start", start + "\r\n" + due, `"alarm_minutes": 15`, "TRIGGER:-PT15M"},
		{"with a new start", due, `"alarm_minutes": 15, "start": "2026-12-01T08:00:00"`, "TRIGGER:-PT15M"},
		{"without the start", start + "\r\n" + due, `"alarm_minutes": 15, "start": null`, "TRIGGER;RELATED=END:-PT15M"},
		{"the start is removed", start + "\r\n" + due + "\r\n" + quarter, `"start": null`, "TRIGGER;RELATED=END;X-A=1:-PT15M"},
		{"the start is changed", start + "\r\n" + due + "\r\n" + quarter, `"start": "2026-12-01T08:30:00"`, "TRIGGER;X-A=1:-PT15M"},
		{"the start is removed, an instant", start + "\r\n" + due + "\r\n" + strings.Replace(quarter, "-PT15M", "20261201T080000Z", 1), `"start": null`, "TRIGGER;X-A=1:20261201T080000Z"},
	} {
		after := mustApply(t, icstest.Parse(t, icstest.Object("VTODO", "a", c.lines)), "{"+c.change+"}").Object
		_, line, _ := strings.Cut(string(after.Raw), "TRIGGER")
		line, _, _ = strings.Cut("TRIGGER"+line, "\r\n")
		if line != c.want {
			t.Errorf("%s: got %q, want %q", c.name, line, c.want)
		}
	}
	event := mustApply(t, icstest.Parse(t, icstest.Event("a", start)), `{"alarm_minutes": 15}`).Object
	if !strings.Contains(string(event.Raw), "TRIGGER:-PT15M") {
		t.Errorf("got the event\n%s, want an alarm before its start", event.Raw)
	}
}
