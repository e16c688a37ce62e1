package edit

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"appliance/store/storetest"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/view"
)

// fixedAlarms returns the lines of the VALARM components that members cannot edit.
func fixedAlarms(o *ics.Object, c *ics.Component) (list []string) {
	editable := make(map[int]bool)
	for _, a := range view.VisibleAlarms(c) {
		editable[a.Index] = isEditable(a)
	}
	for i, block := range o.Edit().Block(c).Blocks("VALARM") {
		if !editable[i] {
			d := ics.NewDocument("x")
			d.Calendar.AppendBlock(block)
			list = append(list, string(d.Bytes()))
		}
	}
	return list
}

// A change of texts and alarms of any object gives it these texts and alarms, keeps the
// octets of alarms that cannot be edited, and leaves no form of a former text. Covers B-120
// and B-122 for arbitrary octets.
func FuzzChangeOfTextsAndAlarms(f *testing.F) {
	for _, text := range icstest.RealObjects {
		f.Add([]byte(text), int8(30))
	}
	all := icstest.Event("a", "DTSTART:20261201T180000Z", "DESCRIPTION;DERIVED=TRUE:x", "STYLED-DESCRIPTION:y", "GEO:1;2", "LOCATION:z",
		"BEGIN:VALARM", emailAlarm+"END:VALARM", "BEGIN:VALARM", noAlarm+"END:VALARM", "BEGIN:VALARM", placeAlarm+"END:VALARM", "BEGIN:VALARM", invalidAlarm+"END:VALARM", "BEGIN:VALARM", appleAlarm+"END:VALARM")
	f.Add([]byte(all), int8(-1))
	f.Add([]byte(strings.ReplaceAll(all, "\r\n", "\n")), int8(0))
	f.Fuzz(func(t *testing.T, raw []byte, minutes int8) {
		o, err := ics.Parse(raw)
		if err != nil || o.Component != "VEVENT" && o.Component != "VTODO" || len(raw) > 1<<16 {
			return
		}
		c := o.Components()[0]
		in := decode(t, `{"title": "New title", "description": "New text", "location": "New place", "alarms": [{"trigger": "PT0S"}, {"trigger": "-PT1H", "related": "end", "action": "audio"}]}`)
		in.Alarms.Value[0].Trigger = ics.Duration{Seconds: 60 * int64(minutes)}.String()
		r, err := in.Apply(o, berlin.Location(), storetest.Start)
		if err != nil {
			t.Fatalf("got %v\n%s", err, raw)
		}
		after := r.Object.Components()[0]
		if got := after.Text("SUMMARY") + "|" + after.Text("DESCRIPTION") + "|" + after.Text("LOCATION"); got != "New title|New text|New place" {
			t.Errorf("got texts %q\n%s", got, r.Object.Raw)
		}
		var got []view.Alarm
		for _, a := range view.VisibleAlarms(after) {
			if isEditable(a) {
				got = append(got, contentOf(a))
			}
		}
		want := []view.Alarm{{Trigger: in.Alarms.Value[0].Trigger, Related: view.RelatedToStart, Action: "display"}, {Trigger: "-PT1H", Related: view.RelatedToEnd, Action: "audio"}}
		if o.Component == "VTODO" && len(c.Props("DTSTART")) == 0 { // there is no start (RFC 5545 §3.8.6.3)
			want[0].Related = view.RelatedToEnd
		}
		for _, a := range want {
			if !slices.Contains(got, a) {
				t.Errorf("got alarms %v, want %v\n%s", got, want, r.Object.Raw)
			}
		}
		if len(got) != len(want) {
			t.Errorf("got %d alarms, want %d\n%s", len(got), len(want), r.Object.Raw)
		}
		if before, after := fixedAlarms(o, c), fixedAlarms(r.Object, after); !slices.Equal(before, after) {
			t.Errorf("got fixed alarms %q, want %q", after, before)
		}
		for _, name := range []string{"X-ALT-DESC", "X-APPLE-STRUCTURED-LOCATION"} {
			if c.Text("DESCRIPTION") != "New text" && c.Text("LOCATION") != "New place" && len(after.Props(name)) > 0 {
				t.Errorf("got %s in\n%s", name, r.Object.Raw)
			}
		}
		if _, err := ics.Parse(bytes.Clone(r.Object.Raw)); err != nil {
			t.Errorf("got %v\n%s", err, r.Object.Raw)
		}
	})
}
