package edit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/view"
	"appliance/svc/svctest"
	"appliance/svc/words"
)

// formOf returns the fields of a form that shows an occurrence, with their values.
func formOf(o *ics.Object, i ics.Instance) map[string]any {
	obj := view.Render(words.English, view.Info{}, o, i.Component, &i)
	st := obj.State
	form := map[string]any{
		"title": obj.Title, "description": st.Description, "location": st.Location, "start": st.Occurrence.Start.Text(), "timezone": "",
		"all_day": st.AllDay, "status": st.Status, "rrule": "", "rdates": st.Recurrence.RDates, "exdates": st.Recurrence.ExDates,
		"alarms": st.Alarms, "categories": st.Categories, "scope": All,
	}
	if st.Timezone != nil {
		form["timezone"] = *st.Timezone
	}
	if st.Recurrence.RRule != nil {
		form["rrule"] = *st.Recurrence.RRule
	}
	end := st.Occurrence.End
	if st.Occurrence.RecurrenceID == nil && st.EventState != nil {
		end = &st.End
	}
	if st.EventState != nil {
		form["end"], form["transparency"] = end.Text(), st.Transparency
	} else {
		form["due"], form["priority"], form["percent_complete"], form["completed_at"] = end.Text(), st.Priority, st.PercentComplete, ""
		if st.CompletedAt != nil {
			form["completed_at"] = st.CompletedAt.Format(time.RFC3339)
		}
	}
	if st.Occurrence.RecurrenceID != nil {
		form["recurrence_id"] = *st.Occurrence.RecurrenceID
	}
	return form
}

// A form that is submitted without changes changes no occurrence, with any scope.
// Covers B-106.
func TestUnchangedFormChangesNothing(t *testing.T) {
	objects := maps.Clone(icstest.RealObjects)
	for seed := range svctest.Seeds(300) {
		objects[fmt.Sprint("random ", seed)] = icstest.NewRand(500 + seed).CalendarObject("random")
	}
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		o, err := ics.Parse([]byte(objects[name]))
		if err != nil || o.Component != "VEVENT" && o.Component != "VTODO" {
			continue
		}
		list, truncated := o.Instances(time.Time{}, time.Time{}, berlin.Location(), 300)
		if truncated || len(list) == 0 {
			continue
		}
		i := list[len(list)/2]
		for _, scope := range []Scope{All, This, ThisAndFuture} {
			form := formOf(o, i)
			form["scope"] = scope
			if form["recurrence_id"] == nil && scope != All || o.Master == nil && scope == ThisAndFuture || strings.Contains(objects[name], "THISANDFUTURE") {
				continue
			}
			t.Run(name+" "+string(scope), func(t *testing.T) {
				text, err := json.Marshal(form)
				if err != nil {
					t.Fatal(err)
				}
				r, err := apply(t, o, string(text))
				if err != nil {
					t.Fatalf("got %v for the form %s", err, text)
				}
				got, want := occurrences(r.Object), occurrences(o)
				maps.Copy(got, occurrences(r.Rest))
				if !maps.Equal(got, want) {
					t.Errorf("got %v, want %v\nbefore\n%s\nafter\n%s", got, want, o.Raw, r.Object.Raw)
				}
			})
		}
	}
}

// With the scope all, the times of an occurrence move the whole series by as much.
func TestTimesOfAnOccurrenceMoveTheSeries(t *testing.T) {
	for _, c := range []struct{ name, object, id, change, want string }{
		{"later", icstest.Event("a", "DTSTART;TZID=Europe/Berlin:20261201T190000", "DTEND;TZID=Europe/Berlin:20261201T203000", "RRULE:FREQ=WEEKLY;COUNT=3"),
			"2026-12-08T19:00:00", `"start": "2026-12-09T20:00:00", "end": "2026-12-09T22:00:00"`, "2026-12-02T20:00:00 2026-12-02T22:00:00"},
		{"longer", icstest.Event("a", "DTSTART;TZID=Europe/Berlin:20261201T190000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=3"),
			"2026-12-08T19:00:00", `"start": "2026-12-08T19:00:00", "end": "2026-12-08T22:00:00"`, "2026-12-01T19:00:00 2026-12-01T22:00:00"},
		{"from an instant", icstest.Event("a", "DTSTART;TZID=Europe/Berlin:20261201T190000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=3"),
			"2026-12-08T19:00:00", `"start": "2026-12-08T17:00:00Z", "end": "2026-12-08T18:00:00Z"`, "2026-12-01T18:00:00 2026-12-01T19:00:00"},
		{"to a missing hour", icstest.Event("a", "DTSTART;TZID=Europe/Berlin:20270326T190000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3"),
			"2027-03-28T19:00:00", `"start": "2027-03-28T02:30:00", "end": "2027-03-28T03:30:00"`, "2027-03-26T02:30:00 2027-03-26T03:30:00"},
		{"to whole days", icstest.Event("a", "DTSTART;TZID=Europe/Berlin:20261201T190000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=3"),
			"2026-12-08T19:00:00", `"all_day": true, "start": "2026-12-09", "end": "2026-12-10"`, "2026-12-02 2026-12-03"},
		{"a day", icstest.Event("a", "DTSTART;VALUE=DATE:20261201", "RRULE:FREQ=WEEKLY;COUNT=3"),
			"2026-12-08", `"start": "2026-12-10", "end": "2026-12-12"`, "2026-12-03 2026-12-05"},
		{"the due time of a task", icstest.Object("VTODO", "a", "DUE:20261201T080000Z", "RRULE:FREQ=DAILY;COUNT=3"),
			"2026-12-02T08:00:00", `"due": "2026-12-02T10:00:00"`, " 2026-12-01T10:00:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := icstest.Parse(t, c.object)
			r, err := apply(t, o, fmt.Sprintf(`{"scope": "all", "recurrence_id": %q, %s}`, c.id, c.change))
			if err != nil {
				t.Fatal(err)
			}
			first, _ := r.Object.Instances(time.Time{}, time.Time{}, berlin.Location(), 1)
			shown := view.Render(words.English, view.Info{}, r.Object, first[0].Component, &first[0]).State.Occurrence
			if got := shown.Start.Text() + " " + shown.End.Text(); got != c.want {
				t.Errorf("got the first occurrence %s, want %s\n%s", got, c.want, r.Object.Raw)
			}
			if got, want := len(occurrences(r.Object)), len(occurrences(o)); got != want {
				t.Errorf("got %d occurrences, want %d", got, want)
			}
		})
	}
}
