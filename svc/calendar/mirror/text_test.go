package mirror

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

// weeklyEventSync returns a sync of a weekly event.
func weeklyEventSync() svc.EventSync {
	return svc.EventSync{EventID: "evt_1", Event: svc.SyncedEvent{
		Title: "Dinner, at; last", Description: "a\nb", Host: svc.EventHost{ID: 1, DisplayName: `Ann "A"`},
		Times: svc.EventTimes{
			Start: time.Date(2026, 12, 24, 18, 0, 0, 0, time.UTC), End: time.Date(2026, 12, 24, 22, 0, 0, 0, time.UTC),
			Timezone: "Europe/Berlin", RRule: "FREQ=WEEKLY",
		},
	}}
}

// A hidden host is a former member in the text and changes the digest; the lines of
// the member and the mirrors of other members stay the same. Covers B-98.
func TestHiddenHostIsAFormerMemberInTheMirror(t *testing.T) {
	m, err := newMirrorSync(weeklyEventSync(), storetest.Start)
	if err != nil {
		t.Fatal(err)
	}
	shown := svc.Attendee{MemberID: 2, RSVP: "going", Role: "guest"}
	hidden := shown
	hidden.HostHidden = true
	before, err := m.newText(shown)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(before.Raw), "END:VEVENT", "COLOR:red\r\nEND:VEVENT", 1)
	old, err := ics.Parse([]byte(changed))
	if err != nil {
		t.Fatal(err)
	}
	after, retimed, err := m.updateText(old, hidden)
	if err != nil || retimed {
		t.Fatalf("got retimed %t, %v; want the times unchanged", retimed, err)
	}
	organizer := func(o *ics.Object) string { return o.Master.Props("ORGANIZER")[0].Params.Get("CN") }
	if got, want := organizer(before)+", "+organizer(after), `Ann "A", `+svc.FormerMember; got != want {
		t.Errorf("names of the host: got %q, want %q", got, want)
	}
	if got, want := strings.Count(string(after.Raw), "COLOR:red"), 1; got != want {
		t.Errorf("lines of the member: got %d, want %d\n%s", got, want, after.Raw)
	}
	if m.digest(shown) == m.digest(hidden) {
		t.Errorf("got the digest %s for both, want different digests", m.digest(hidden))
	}
	created, err := m.newText(hidden)
	if err != nil || organizer(created) != svc.FormerMember {
		t.Errorf("a new mirror: got the host %q, %v; want %q", organizer(created), err, svc.FormerMember)
	}
}

// An update of any mirror gives it the state of the event and keeps its alarms.
// Covers PT-25 for arbitrary octets.
func FuzzUpdateTextHasTheStateOfTheEvent(f *testing.F) {
	m, err := newMirrorSync(weeklyEventSync(), storetest.Start)
	if err != nil {
		f.Fatal(err)
	}
	a := svc.Attendee{MemberID: 2, RSVP: "maybe", Role: "guest"}
	created, err := m.newText(a)
	if err != nil {
		f.Fatal(err)
	}
	text := string(created.Raw)
	f.Add(created.Raw)
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
		o, _, err := m.updateText(old, a)
		if err != nil {
			t.Fatalf("updateText: %v", err)
		}
		if got, want := timesOf(o.Master), timesOf(created.Master); !slices.Equal(got, want) {
			t.Errorf("got times %q, want %q\n%s", got, want, o.Raw)
		}
		if got, want := textValues(o.Master), textValues(created.Master); !maps.EqualFunc(got, want, slices.Equal) {
			t.Errorf("got values %q, want %q\n%s", got, want, o.Raw)
		}
		if old.Master != nil && old.Component == "VEVENT" && len(raw) < 1<<19 {
			if got, want := len(o.Master.Alarms()), len(old.Master.Alarms()); got != want {
				t.Errorf("got %d alarms, want %d\n%s", got, want, o.Raw)
			}
		}
	})
}
