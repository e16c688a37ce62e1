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
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/view"
	"appliance/svc/svctest"
	"appliance/svc/words"
)

// patch is a change of one field, with the properties and components that it may change, and
// a path and its value in the rendered object afterwards.
type patch struct {
	field, value  string
	lines         string
	path, want    string
	tasks, events bool // the object types that it applies to
}

// linesOf returns the properties and components of a real object that the patch may change. A
// recurring task with only a due time also gets a start.
func (p patch) linesOf(name string) string {
	if name == "tasks-org" && p.field == "rrule" {
		return p.lines + " DTSTART"
	}
	return p.lines
}

var patches = []patch{
	{"title", `"Another, \"title\"; with ümlauts"`, "SUMMARY", "title", `"Another, \"title\"; with ümlauts"`, true, true},
	{"description", `"Two\nlines, and 🥧"`, "DESCRIPTION X-ALT-DESC", "state.description", `"Two\nlines, and 🥧"`, true, true},
	{"description", `null`, "DESCRIPTION X-ALT-DESC", "state.description", `""`, true, true},
	{"location", `"Hall; 2"`, "LOCATION X-APPLE-STRUCTURED-LOCATION X-APPLE-TRAVEL-ADVISORY-BEHAVIOR", "state.location", `"Hall; 2"`, true, true},
	{"location", `""`, "LOCATION X-APPLE-STRUCTURED-LOCATION X-APPLE-TRAVEL-ADVISORY-BEHAVIOR", "state.location", `""`, true, true},
	{"categories", `["a", "b,c"]`, "CATEGORIES", "state.categories", `["a","b,c"]`, true, true},
	{"categories", `null`, "CATEGORIES", "state.categories", `[]`, true, true},
	{"alarms", `[{"trigger": "-PT1H"}, {"trigger": "-PT5M", "related": "end", "action": "audio"}]`, "VALARM", "alarms", `["-PT1H start display","-PT5M end audio"]`, true, true},
	{"alarms", `[{"trigger": "2026-12-01T08:45:00Z"}]`, "VALARM", "alarms", `["2026-12-01T08:45:00Z start display"]`, true, true},
	{"alarms", `[]`, "VALARM", "alarms", `null`, true, true},
	{"alarm_minutes", `10`, "VALARM", "alarms", `["-PT10M start display"]`, true, true},
	{"transparency", `"transparent"`, "TRANSP X-MICROSOFT-CDO-BUSYSTATUS", "state.transparency", `"transparent"`, false, true},
	{"status", `"tentative"`, "STATUS", "state.status", `"tentative"`, false, true},
	{"status", `"in_process"`, "STATUS", "state.status", `"in_process"`, true, false},
	{"status", `"completed"`, "STATUS COMPLETED PERCENT-COMPLETE", "state.percent_complete", `100`, true, false},
	{"completed_at", `"2026-11-20T10:00:00Z"`, "STATUS COMPLETED PERCENT-COMPLETE", "state.completed_at", `"2026-11-20T10:00:00Z"`, true, false},
	{"priority", `1`, "PRIORITY", "state.priority", `1`, true, false},
	{"priority", `null`, "PRIORITY", "state.priority", `0`, true, false},
	{"percent_complete", `40`, "PERCENT-COMPLETE", "state.percent_complete", `40`, true, false},
	{"due", `"2027-01-15T12:00:00"`, "DUE", "state.due.date_time", `"2027-01-15T12:00:00"`, true, false},
	{"due", `null`, "DUE", "state.due", `null`, true, false},
	{"rrule", `null`, "RRULE RDATE EXDATE overrides", "state.recurrence", `{"exdates":[],"is_recurring":false,"overrides":0,"rdates":[],"rrule":null,"supported":true,"text":""}`, true, true},
	{"rrule", `"FREQ=DAILY"`, "RRULE", "state.recurrence.rrule", `"FREQ=DAILY"`, true, true},
	{"exdates", `null`, "EXDATE", "state.recurrence.exdates", `[]`, true, true},
	{"rdates", `null`, "RDATE", "state.recurrence.rdates", `[]`, true, true},
	{"unknown_field", `1`, "", "object_type", "", true, true},
}

// valueAt returns the value at a path of the rendered object, as JSON; for the path
// "alarms" the alarms that can be edited.
func valueAt(t *testing.T, text, path string) string {
	t.Helper()
	obj := view.Series(words.English, view.Info{}, icstest.Parse(t, text), storetest.Start, time.UTC)
	rendered, err := json.Marshal(obj)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(rendered, &v); err != nil {
		t.Fatal(err)
	}
	if path == "alarms" {
		v = editableAlarms(obj)
	} else {
		for key := range strings.SplitSeq(path, ".") {
			v = v.(map[string]any)[key]
		}
	}
	value, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(value)
}

// editableAlarms returns the trigger, relation and action of each alarm of an object that
// can be edited.
func editableAlarms(obj view.Object) (list []string) {
	for _, a := range obj.State.Alarms {
		if a.Editable {
			list = append(list, fmt.Sprint(a.Trigger, " ", a.Related, " ", a.Action))
		}
	}
	return list
}

// A change touches the lines of its field and the stamps, and no other octet.
// Covers C-27, T-15, T-19 and PT-24.
func TestChangeTouchesOnlyLinesOfItsField(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(icstest.RealObjects)) {
		text := icstest.RealObjects[name]
		isTask := strings.Contains(text, "BEGIN:VTODO")
		for _, p := range patches {
			if isTask && !p.tasks || !isTask && !p.events {
				continue
			}
			t.Run(name+" "+p.field+" "+p.value, func(t *testing.T) {
				after := string(mustApply(t, icstest.Parse(t, text), fmt.Sprintf(`{%q: %s}`, p.field, p.value)).Object.Raw)
				want := p.want
				if isTask && icstest.Parse(t, text).Master.Time("DTSTART").IsZero() && !strings.Contains(p.value, "Z") { // a duration is relative to the end
					want = strings.Replace(want, ` start display`, ` end display`, 1)
				}
				if got := valueAt(t, after, p.path); want != "" && got != want {
					t.Errorf("got %s %s, want %s", p.path, got, want)
				}
				lines := p.linesOf(name)
				if (strings.HasPrefix(p.path, "state.") || p.path == "alarms") && !strings.HasPrefix(p.path, "state.recurrence") || p.field == "title" {
					lines += " inherited"
				}
				icstest.WantSameLines(t, text, after, lines)
				if strings.Count(after, "SEQUENCE:") < max(1, strings.Count(text, "SEQUENCE:")) {
					t.Errorf("got %d SEQUENCE lines, want one in each changed component", strings.Count(after, "SEQUENCE:"))
				}
			})
		}
	}
}

// A change of several fields changes only the lines of these fields. Covers PT-24.
func TestChangeOfSeveralFieldsTouchesTheirLines(t *testing.T) {
	times := map[string]string{
		"outlook": `"start": "2026-12-07T15:00:00", "end": "2026-12-07T16:00:00", "timezone": "Asia/Kolkata"`, "apple": `"all_day": true`,
		"thunderbird": `"all_day": false, "start": "2026-12-03T09:00:00", "end": "2026-12-03T09:30:00", "timezone": "America/New_York"`,
		"tasks-org":   `"start": "2026-12-30T09:00:00", "timezone": "Asia/Tokyo"`, "lower": `"timezone": "Europe/Berlin"`, "office": `"start": "2026-10-01T11:00:00", "end": "2026-10-01T12:00:00", "timezone": "UTC"`,
	}
	for seed := range svctest.Seeds(40) {
		d := icstest.NewRand(600 + seed)
		for _, name := range slices.Sorted(maps.Keys(icstest.RealObjects)) {
			text := icstest.RealObjects[name]
			isTask := strings.Contains(text, "BEGIN:VTODO")
			values, lines := make(map[string]string), ""
			for _, p := range patches {
				if (isTask && p.tasks || !isTask && p.events) && d.OneIn(3) && values[p.field] == "" && p.field != "due" {
					values[p.field] = p.value
					lines += p.linesOf(name) + " "
				}
			}
			var fields []string
			for _, field := range slices.Sorted(maps.Keys(values)) {
				fields = append(fields, fmt.Sprintf("%q: %s", field, values[field]))
			}
			if d.OneIn(2) {
				fields = append(fields, times[name])
				lines += "DTSTART DTEND DUE DURATION RRULE RDATE EXDATE overrides VTIMEZONE"
			}
			t.Run(fmt.Sprint(seed, name), func(t *testing.T) {
				change := "{" + strings.Join(fields, ", ") + "}"
				icstest.WantSameLines(t, text, string(mustApply(t, icstest.Parse(t, text), change).Object.Raw), lines+" inherited")
				if t.Failed() {
					t.Log(change)
				}
			})
		}
	}
}

// A recurring task is completed occurrence by occurrence, or as a whole. Covers
// T-16, T-17 and B-58.
func TestCompletionOfARecurringTask(t *testing.T) {
	o, err := create(t, "VTODO", `{"title": "Water", "start": "2026-12-01T08:00:00", "due": "2026-12-01T09:00:00", "rrule": "FREQ=DAILY;COUNT=3"}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, change, want string }{
		{"one is completed", `{"scope": "this", "recurrence_id": "2026-12-02T08:00:00", "status": "completed"}`, "needs_action 0, completed 100, needs_action 0"},
		{"it is in process again", `{"scope": "this", "recurrence_id": "2026-12-02T08:00:00", "status": "in_process", "percent_complete": 50}`, "needs_action 0, in_process 50, needs_action 0"},
		{"all are completed", `{"status": "completed"}`, "completed 100, in_process 50, completed 100"},
		{"all are open again", `{"completed_at": null}`, "needs_action 0, in_process 50, needs_action 0"},
	} {
		o = mustApply(t, o, c.change).Object
		var all []string
		list, _ := o.Instances(time.Time{}, time.Time{}, berlin.Location(), 10)
		for _, i := range list {
			obj := view.Render(words.English, view.Info{}, o, i.Component, &i)
			all = append(all, fmt.Sprint(obj.State.Status, " ", obj.State.PercentComplete))
		}
		if got := strings.Join(all, ", "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
