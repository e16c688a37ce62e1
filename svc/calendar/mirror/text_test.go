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

// A client may add forms of the texts to a mirror. They go when the event gets another
// text, and the coordinates are those of the event. Covers B-122.
func TestDerivedFormsOfAFormerTextGo(t *testing.T) {
	in := weeklyEventSync()
	in.Event.Location, in.Event.Latitude, in.Event.Longitude = "Hall", new(52.52), new(13.405)
	attendee := svc.Attendee{MemberID: 2, RSVP: "going", Role: "guest"}
	m, err := newMirrorSync(in, storetest.Start)
	if err != nil {
		t.Fatal(err)
	}
	created, err := m.newText(attendee)
	if err != nil {
		t.Fatal(err)
	}
	const ofDescription, ofPlace = "X-ALT-DESC;FMTTYPE=text/html:<b>a</b>", "X-APPLE-STRUCTURED-LOCATION;X-TITLE=Hall:geo:52.52,13.405"
	old, err := ics.Parse([]byte(strings.Replace(string(created.Raw), "END:VEVENT", ofDescription+"\r\n"+ofPlace+"\r\nX-MINE:1\r\nEND:VEVENT", 1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(e *svc.SyncedEvent)
		want   []string
	}{
		{"nothing", func(*svc.SyncedEvent) {}, []string{ofDescription, ofPlace}},
		{"the title", func(e *svc.SyncedEvent) { e.Title = "Supper" }, []string{ofDescription, ofPlace}},
		{"the description", func(e *svc.SyncedEvent) { e.Description = "new" }, []string{ofPlace}},
		{"no description", func(e *svc.SyncedEvent) { e.Description = "" }, []string{ofPlace}},
		{"the place", func(e *svc.SyncedEvent) { e.Location = "Lake" }, []string{ofDescription}},
	} {
		changed := in
		c.change(&changed.Event)
		m, err := newMirrorSync(changed, storetest.Start)
		if err != nil {
			t.Fatal(err)
		}
		o, _, err := m.updateText(old, attendee)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, line := range []string{ofDescription, ofPlace} {
			if strings.Contains(string(o.Raw), line+"\r\n") {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, c.want) || !strings.Contains(string(o.Raw), "GEO:52.520000;13.405000\r\nORGANIZER") || !strings.Contains(string(o.Raw), "X-MINE:1") {
			t.Errorf("%s: got derived lines %q, want %q, and the other lines\n%s", c.name, got, c.want, o.Raw)
		}
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
