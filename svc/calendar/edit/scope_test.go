package edit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store/storetest"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/svctest"
)

// scopes are the edits of some occurrences of a series.
var scopes = []struct {
	name   string
	delete bool
	scope  Scope
}{
	{"change one", false, This}, {"change one and all later", false, ThisAndFuture},
	{"delete one", true, This}, {"delete one and all later", true, ThisAndFuture},
}

// A scope changes or deletes the occurrences that it names and no others. Covers
// T-13, T-14 and B-56.
func TestScopeChangesItsOccurrencesOnly(t *testing.T) {
	series := map[string]string{
		"a repeated hour":     icstest.Event("night", "DTSTART;TZID=Europe/Berlin:20261024T023000", "DURATION:PT30M", "RRULE:FREQ=DAILY;COUNT=3"),
		"a missing hour":      icstest.Event("night", "DTSTART;TZID=Europe/Berlin:20270327T023000", "DTEND;TZID=Europe/Berlin:20270327T033000", "RRULE:FREQ=DAILY;COUNT=3"),
		"a half hour":         icstest.Event("night", "DTSTART;TZID=Australia/Lord_Howe:20270403T014500", "DURATION:PT1H", "RRULE:FREQ=HOURLY;COUNT=30"),
		"tasks with DUE":      icstest.Object("VTODO", "bill", "DUE;VALUE=DATE:20261201", "RRULE:FREQ=MONTHLY;COUNT=4"),
		"tasks with both":     icstest.Object("VTODO", "bill", "DTSTART:20261201T080000Z", "DUE:20261203T080000Z", "RRULE:FREQ=MONTHLY", "RDATE:20261210T080000Z"),
		"dates without RRULE": icstest.Event("fair", "DTSTART:20261201T080000Z", "RDATE:20261208T080000Z,20261210T080000Z", "EXDATE:20261208T080000Z"),
		"this and future": strings.Replace(icstest.Event("later", "DTSTART:20261201T080000Z", "RRULE:FREQ=DAILY;COUNT=5"), "END:VCALENDAR",
			"BEGIN:VEVENT\r\nUID:later\r\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261203T080000Z\r\nDTSTART:20261203T090000Z\r\nSUMMARY:Later\r\nEND:VEVENT\r\nEND:VCALENDAR", 1),
	}
	for _, name := range []string{"outlook", "thunderbird", "lower", "office"} {
		series[name] = icstest.RealObjects[name]
	}
	for _, name := range slices.Sorted(maps.Keys(series)) {
		o := icstest.Parse(t, series[name])
		ids := slices.Sorted(maps.Keys(occurrences(o)))
		for _, n := range slices.Compact([]int{0, 1, min(2, len(ids)-1), len(ids) / 2, len(ids) - 1}) {
			for _, c := range scopes {
				t.Run(fmt.Sprintf("%s %s %s", name, c.name, ids[n]), func(t *testing.T) {
					wantScopeApplied(t, o, ids[n], c.delete, c.scope)
				})
			}
		}
	}
}

// A scope changes only the occurrences of a random series that it names.
func TestScopeChangesItsOccurrencesOnlyInRandomSeries(t *testing.T) {
	for seed := range svctest.Seeds(100) {
		d := icstest.NewRand(300 + seed)
		o, ids := randomSeries(t, d)
		for range min(3, len(ids)) {
			c, id := icstest.Pick(d, scopes...), icstest.Pick(d, ids...)
			t.Run(fmt.Sprintf("%d %s %s", seed, c.name, id), func(t *testing.T) { wantScopeApplied(t, o, id, c.delete, c.scope) })
		}
	}
}

// randomSeries returns a random series with few occurrences, and their recurrence ids.
func randomSeries(t *testing.T, d icstest.Rand) (o *ics.Object, ids []string) {
	t.Helper()
	for range 1000 {
		o = icstest.Parse(t, d.CalendarObject("random"))
		if _, truncated := o.Instances(time.Time{}, time.Time{}, nil, 300); !o.Recurs() || truncated || o.Master == nil {
			continue
		}
		if ids = slices.Sorted(maps.Keys(occurrences(o))); len(ids) > 0 {
			return o, ids
		}
	}
	t.Fatal("got no series with few occurrences among 1000 random objects, want one")
	return nil, nil
}

// wantScopeApplied edits an occurrence and compares all occurrences before and after.
func wantScopeApplied(t *testing.T, o *ics.Object, id string, isDeletion bool, scope Scope) {
	t.Helper()
	want := occurrences(o)
	overridden := make(map[string]bool)
	rejected := strings.Contains(string(o.Raw), "THISANDFUTURE") && scope == ThisAndFuture
	for _, c := range o.Overrides {
		at := keyOf(ics.Instance{RecurrenceID: c.RecurrenceID})
		overridden[at] = true
		rejected = rejected || c.ThisAndFuture && at == id && scope == This
	}
	for at, i := range want {
		switch {
		case at != id && (scope == This || at < id):
		case isDeletion:
			delete(want, at)
		case at == id || !overridden[at] || i.Title == o.Master.Text("SUMMARY"): // other overrides keep a title of their own
			i.Title = "Changed"
			want[at] = i
		}
	}
	var r Result
	var err error
	if isDeletion {
		r, err = Deletion{Scope: scope, RecurrenceID: id}.Apply(o, berlin.Location(), storetest.Start)
	} else {
		r, err = apply(t, o, fmt.Sprintf(`{"scope": %q, "recurrence_id": %q, "title": "Changed"}`, scope, id))
	}
	if rejected {
		if err == nil {
			t.Error("got no error for a scope that lines cannot express")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	got := occurrences(r.Object)
	maps.Copy(got, occurrences(r.Rest))
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v\nbefore\n%s", got, want, o.Raw)
	}
	if r.Rest != nil && (r.Rest.UID == o.UID || scope != ThisAndFuture) {
		t.Errorf("got a rest with the UID %s for the scope %s", r.Rest.UID, scope)
	}
}

// A change of an override and all later occurrences moves each of them to the
// time of the change. Covers B-56.
func TestFutureChangeFromAnOverrideSetsTheTimeOfTheSeries(t *testing.T) {
	for _, c := range []struct{ name, id, change string }{
		{"its time zone", "2026-12-14T10:00:00", `"start": "2026-12-14T16:00:00", "end": "2026-12-14T17:00:00"`},
		{"another time zone", "2026-12-14T10:00:00", `"start": "2026-12-14T16:00:00", "end": "2026-12-14T17:00:00", "timezone": "Europe/Berlin"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := icstest.Parse(t, icstest.RealObjects["outlook"])
			want := occurrences(o)
			for id := range want {
				if id >= c.id {
					delete(want, id)
				}
			}
			r := mustApply(t, o, fmt.Sprintf(`{"scope": "this_and_future", "recurrence_id": %q, %s}`, c.id, c.change))
			if got := occurrences(r.Object); !maps.Equal(got, want) {
				t.Errorf("got %v before, want %v", got, want)
			}
			rest := occurrences(r.Rest)
			if got := len(rest) + len(want); got != len(occurrences(o)) {
				t.Errorf("got %d occurrences, want %d", got, len(occurrences(o)))
			}
			for id, i := range rest {
				if day := id[:len(time.DateOnly)]; i.Start != day+"T16:00:00" || i.End != day+"T17:00:00" {
					t.Errorf("%s takes place from %s to %s, want 16:00 to 17:00", id, i.Start, i.End)
				}
			}
		})
	}
}

// A deletion of all occurrences deletes the object, like a deletion of the
// object as a whole.
func TestDeletionOfAllOccurrencesDeletesTheObject(t *testing.T) {
	o := icstest.Parse(t, icstest.Event("a", "DTSTART:20261201T080000Z", "RRULE:FREQ=DAILY;COUNT=2"))
	for _, in := range []Deletion{{}, {Scope: All}, {Scope: ThisAndFuture, RecurrenceID: "2026-12-01T08:00:00"}} {
		if r, err := in.Apply(o, time.UTC, storetest.Start); err != nil || r.Object != nil {
			t.Errorf("%+v: got %v, %v, want nothing", in, r.Object, err)
		}
	}
	only := icstest.Parse(t, icstest.Event("a", "DTSTART:20261202T080000Z", "RECURRENCE-ID:20261202T080000Z"))
	if r, err := (Deletion{Scope: This, RecurrenceID: "2026-12-02T08:00:00Z"}).Apply(only, time.UTC, storetest.Start); err != nil || r.Object != nil {
		t.Errorf("the only override: got %v, %v, want nothing", r.Object, err)
	}
}

// Any change of times of any object is rejected or results in a valid object.
// Covers PT-23 and PT-40.
func TestRandomChangesResultInValidObjects(t *testing.T) {
	accepted := 0
	for seed := range svctest.Seeds(400) {
		d := icstest.NewRand(700 + seed)
		for range 10 {
			o := icstest.Parse(t, d.CalendarObject("random"))
			list, truncated := o.Instances(time.Time{}, time.Time{}, nil, 300)
			if truncated || len(list) == 0 {
				continue
			}
			text, err := json.Marshal(randomChange(d, list))
			if err != nil {
				t.Fatal(err)
			}
			r, err := apply(t, o, string(text))
			if err != nil {
				continue
			}
			accepted++
			for _, after := range []*ics.Object{r.Object, r.Rest} {
				if after == nil {
					continue
				}
				if again, err := ics.Parse(after.Raw); err != nil || !maps.Equal(occurrences(again), occurrences(after)) {
					t.Errorf("%s: %v\n%s\nbecame\n%s", text, err, o.Raw, after.Raw)
				}
			}
		}
	}
	if accepted == 0 {
		t.Error("no change was accepted")
	}
}

func randomChange(d icstest.Rand, list []ics.Instance) map[string]any {
	randomTime := func() string {
		return d.Clock().Format(icstest.Pick(d, time.DateOnly, "2006-01-02T15:04:05", time.RFC3339))
	}
	values := map[string]any{
		"start": randomTime(), "end": randomTime(), "due": randomTime(), "timezone": icstest.Pick[any](d, nil, "UTC", "Europe/Berlin", "Australia/Lord_Howe"), "all_day": d.OneIn(2),
		"rrule":   icstest.Pick[any](d, nil, "FREQ=DAILY;COUNT=4", "FREQ=WEEKLY;UNTIL=20270301T000000Z", "FREQ=MONTHLY;BYDAY=-1SU;COUNT=3"),
		"exdates": []string{randomTime()}, "rdates": []string{randomTime(), randomTime()},
	}
	change := map[string]any{"title": "Changed"}
	for _, field := range slices.Sorted(maps.Keys(values)) {
		if d.OneIn(3) {
			change[field] = values[field]
		}
	}
	if scope := icstest.Pick(d, "", "", This, ThisAndFuture); scope != "" {
		change["scope"], change["recurrence_id"] = scope, keyOf(icstest.Pick(d, list...))
	}
	return change
}
