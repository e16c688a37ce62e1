package calendar

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Whatever a member's program has made of a mirror, a push makes it say what
// Social says, and takes no alarm from it that is about all of it. Covers PT-25
// for octets that nobody has thought of.
func FuzzRenewed(f *testing.F) {
	b := &mirroring{now: storetest.Start, sync: svc.EventSync{EventID: "evt_1", Event: svc.SyncedEvent{
		Title: "Dinner, at; last", Description: "a\nb", Host: svc.EventHost{ID: 1, DisplayName: `Ann "A"`},
		Times: svc.EventTimes{
			Start: time.Date(2026, 12, 24, 18, 0, 0, 0, time.UTC), End: time.Date(2026, 12, 24, 22, 0, 0, 0, time.UTC),
			Timezone: "Europe/Berlin", RRule: "FREQ=WEEKLY",
		},
	}}}
	a := svc.Attendee{MemberID: 2, RSVP: "maybe", Role: "guest"}
	var err error
	if b.object, err = eventObject(b.uid(), b.sync.Event, b.now); err != nil {
		f.Fatal(err)
	}
	fresh, err := b.fresh(a)
	if err != nil {
		f.Fatal(err)
	}
	text := string(fresh.Raw)
	f.Add(fresh.Raw)
	f.Add([]byte(strings.ReplaceAll(text, "\r\n", "\n")))
	f.Add([]byte(strings.Replace(text, "SUMMARY:", "SUMMARY;LANGUAGE=de:x\r\nSUMMARY:", 1)))
	f.Add([]byte(strings.Replace(text, "END:VEVENT", "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT1H\r\nEND:VALARM\r\nEND:VEVENT", 1)))
	f.Add([]byte(strings.NewReplacer("DTEND;TZID=Europe/Berlin:20261224T220000", "DURATION:PT3H", "RRULE:FREQ=WEEKLY", "RDATE:20261231T180000Z").Replace(text)))
	f.Add([]byte(strings.Replace(text, "RRULE:FREQ=WEEKLY", "RECURRENCE-ID;TZID=Europe/Berlin:20261231T180000", 1)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		old, err := ics.Parse(raw)
		if err != nil {
			return
		}
		o, _, err := b.renewed(old, a)
		if err != nil {
			t.Fatalf("it cannot be renewed: %v", err)
		}
		if !slices.Equal(timesOf(o.Master), timesOf(fresh.Master)) || !maps.EqualFunc(socialWords(o.Master), socialWords(fresh.Master), slices.Equal) {
			t.Errorf("after a push it says\n%s", o.Raw)
		}
		if old.Master != nil && old.Component == "VEVENT" && len(o.Master.Alarms()) != len(old.Master.Alarms()) && len(raw) < 1<<19 {
			t.Errorf("alarms were lost:\n%s", o.Raw)
		}
	})
}
