package calendar

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/svctest"
)

// lay puts an entry into a new calendar.
func putEntry(d *apptest.EntryFixture, t *testing.T, text string) {
	t.Helper()
	made := d.Ann.Do("POST", "/world/calendars", `{"name": "Desk", "timezone": "Europe/Berlin"}`).Want(201)
	d.Calendar, d.Dav = made.Str("calendar.id"), made.Str("calendar.caldav_path")
	d.Ann.Basic().Do("PUT", d.Dav+"entry.ics", text).Want(201)
	d.ID = onlyEntry(d, d.Calendar)
}

// only returns the id of the one entry that a calendar shows, "" if it shows
// none.
func onlyEntry(d *apptest.EntryFixture, calendar string) string {
	d.T.Helper()
	return d.Ann.Do("GET", "/world/time/objects?limit=1&start=2026-01-01&end=2028-12-31&calendar_id="+calendar).Want(200).Str("objects.0.id")
}

// text is the entry as a calendar program gets it.
func entryText(d *apptest.EntryFixture) string {
	d.T.Helper()
	return d.Ann.Basic().Do("GET", d.Dav+"entry.ics").Want(200).Body
}

// instance is what of an instance an edit may change.
type instance struct{ Title, Start, End string }

// instances returns those of a calendar by recurrence id, or by its start that
// of an entry that does not recur.
func instancesOf(d *apptest.EntryFixture, calendar string) map[string]instance {
	d.T.Helper()
	all := make(map[string]instance)
	for cursor := ""; ; {
		page := d.Ann.Do("GET", "/world/time/objects?limit=200&timezone=Europe/Berlin&start=2026-01-01&end=2028-12-31&calendar_id="+calendar+"&cursor="+cursor).Want(200)
		for _, o := range page.List("objects") {
			id, ok := apptest.At(o, "state.occurrence.recurrence_id").(string)
			if !ok {
				occurrence := apptest.At(o, "state.occurrence")
				id = fmt.Sprint(cmp.Or(apptest.At(occurrence, "start.date"), apptest.At(occurrence, "start.date_time"), apptest.At(occurrence, "end.date"), apptest.At(occurrence, "end.date_time")))
			}
			all[id] = instance{o.(map[string]any)["title"].(string), apptest.JSON(apptest.At(o, "state.occurrence.start")), apptest.JSON(apptest.At(o, "state.occurrence.end"))}
		}
		if cursor = page.Str("page.next_cursor"); cursor == "" {
			return all
		}
	}
}

// cold fails the test unless what is known natively of the entry is what a
// server would know that never saw anything but its octets (PT-23).
func wantSameAsFresh(d *apptest.EntryFixture, t *testing.T) {
	t.Helper()
	copied := d.Ann.Basic().Do("PUT", d.Spare+"entry.ics", entryText(d)).Want(201)
	defer d.Ann.Basic().Do("DELETE", d.Spare+"entry.ics").Want(204)
	spare := strings.Split(d.Spare, "/")[4]
	other := onlyEntry(d, spare)
	if other == "" {
		return // nothing of it is left in these years
	}
	state := func(id string) map[string]any {
		o := d.Ann.Do("GET", "/world/time/objects/"+id).Want(200).At("object").(map[string]any)
		s := o["state"].(map[string]any)
		for _, key := range []string{"id", "calendar_id", "calendar_name", "created_at", "updated_at"} {
			delete(s, key)
		}
		s["title"] = o["title"]
		return s
	}
	warm, fresh := apptest.JSON(state(d.ID)), apptest.JSON(state(other))
	if warm != fresh {
		t.Errorf("natively it is\n%s\nand from its octets alone\n%s", warm, fresh)
	}
	if warm, fresh := instancesOf(d, d.Calendar), instancesOf(d, spare); !maps.Equal(warm, fresh) {
		t.Errorf("its instances are\n%v\nand from its octets alone\n%v", warm, fresh)
	}
	if copied.Header.Get("ETag") != d.Ann.Basic().Do("GET", d.Dav+"entry.ics").Header.Get("ETag") {
		t.Error("the same octets have two ETags")
	}
}

// patches are one for each field, with the properties whose lines it may
// change, the components it may add or remove, and where its value is then.
var patches = []struct {
	field, json      string
	lines            string
	path, want       string // what the state has after it
	tasks, appointed bool   // whom it is for
}{
	{"title", `"Another, \"title\"; with ümlauts"`, "SUMMARY", "title", `"Another, \"title\"; with ümlauts"`, true, true},
	{"description", `"Two\nlines, and 🥧"`, "DESCRIPTION", "state.description", `"Two\nlines, and 🥧"`, true, true},
	{"description", `null`, "DESCRIPTION", "state.description", `""`, true, true},
	{"location", `"Hall; 2"`, "LOCATION", "state.location", `"Hall; 2"`, true, true},
	{"location", `""`, "LOCATION", "state.location", `""`, true, true},
	{"categories", `["a", "b,c"]`, "CATEGORIES", "state.categories", `["a","b,c"]`, true, true},
	{"categories", `null`, "CATEGORIES", "state.categories", `[]`, true, true},
	{"alarms", `[{"trigger": "-PT1H"}, {"trigger": "-PT5M", "related": "end", "action": "audio"}]`, "VALARM", "state.alarms", `[{"action":"display","related":"start","trigger":"-PT1H"},{"action":"audio","related":"end","trigger":"-PT5M"}]`, true, true},
	{"alarms", `[]`, "VALARM", "state.alarms", `[]`, true, true},
	{"alarm_minutes", `10`, "VALARM", "state.alarms", `[{"action":"display","related":"start","trigger":"-PT10M"}]`, true, true},
	{"transparency", `"transparent"`, "TRANSP", "state.transparency", `"transparent"`, false, true},
	{"status", `"tentative"`, "STATUS", "state.status", `"tentative"`, false, true},
	{"status", `"in_process"`, "STATUS", "state.status", `"in_process"`, true, false},
	{"status", `"completed"`, "STATUS COMPLETED PERCENT-COMPLETE", "state.percent_complete", `100`, true, false},
	{"completed_at", `"2026-11-20T10:00:00Z"`, "STATUS COMPLETED PERCENT-COMPLETE", "state.completed_at", `"2026-11-20T10:00:00Z"`, true, false},
	{"priority", `1`, "PRIORITY", "state.priority", `1`, true, false},
	{"priority", `null`, "PRIORITY", "state.priority", `0`, true, false},
	{"percent_complete", `40`, "PERCENT-COMPLETE", "state.percent_complete", `40`, true, false},
	{"due", `"2027-01-15T12:00:00"`, "DUE", "state.due.date_time", `"2027-01-15T12:00:00"`, true, false},
	{"due", `null`, "DUE", "state.due", `null`, true, false},
	{"rrule", `null`, "RRULE RDATE EXDATE overrides", "state.recurrence", `{"exdates":[],"is_recurring":false,"overrides":0,"rdates":[],"rrule":null}`, true, true},
	{"rrule", `"FREQ=DAILY;COUNT=3"`, "RRULE", "state.recurrence.rrule", `"FREQ=DAILY;COUNT=3"`, true, true},
	{"exdates", `null`, "EXDATE", "state.recurrence.exdates", `[]`, true, true},
	{"rdates", `null`, "RDATE", "state.recurrence.rdates", `[]`, true, true},
	{"nobody_knows_this", `1`, "", "object_type", "", true, true},
}

// A native change touches the lines of its field and those that say when it
// was made, and no other octet. Covers C-27, T-15, T-19, PT-23 and PT-24.
func TestPatchTouchesItsOwnLinesOnly(t *testing.T) {
	d := apptest.NewEntryFixture(t)
	for _, name := range slices.Sorted(maps.Keys(apptest.RealObjects)) {
		text := apptest.RealObjects[name]
		task := strings.Contains(text, "BEGIN:VTODO")
		for _, p := range patches {
			if task && !p.tasks || !task && !p.appointed {
				continue
			}
			t.Run(name+" "+p.field, func(t *testing.T) {
				putEntry(d, t, text)
				a := d.Ann.Do("PATCH", "/world/time/objects/"+d.ID, fmt.Sprintf(`{%q: %s}`, p.field, p.json)).Want(200)
				if got := apptest.JSON(a.At("object." + p.path)); p.want != "" && got != p.want {
					t.Errorf("%s is %s, want %s", p.path, got, p.want)
				}
				icstest.WantSameLines(t, text, entryText(d), p.lines)
				wantSameAsFresh(d, t)
			})
		}
	}
}

// Several fields at once are as good as one after another. Covers PT-23, PT-24
// and PT-40.
func TestPatchesOfSeveralFields(t *testing.T) {
	k := apptest.NewEntryFixture(t)
	times := map[string]string{
		"outlook": `"start": "2026-12-07T15:00:00", "end": "2026-12-07T16:00:00", "timezone": "Asia/Kolkata"`, "apple": `"all_day": true`,
		"thunderbird": `"all_day": false, "start": "2026-12-03T09:00:00", "end": "2026-12-03T09:30:00", "timezone": "America/New_York"`,
		"tasks-org":   `"start": "2026-12-30T09:00:00", "timezone": "Asia/Tokyo"`, "lower": `"timezone": "Europe/Berlin"`, "office": `"start": "2026-10-01T11:00:00", "end": "2026-10-01T12:00:00", "timezone": "UTC"`,
	}
	for seed := range svctest.Seeds(4) {
		d := apptest.NewRand(600 + seed)
		for _, name := range slices.Sorted(maps.Keys(apptest.RealObjects)) {
			text := apptest.RealObjects[name]
			task := strings.Contains(text, "BEGIN:VTODO")
			change := make(map[string]string)
			lines := ""
			for _, p := range patches {
				if (task && p.tasks || !task && p.appointed) && d.OneIn(3) && change[p.field] == "" && p.field != "due" {
					change[p.field] = p.json
					lines += p.lines + " "
				}
			}
			var fields []string
			for _, field := range slices.Sorted(maps.Keys(change)) {
				fields = append(fields, fmt.Sprintf("%q: %s", field, change[field]))
			}
			if d.OneIn(2) {
				fields = append(fields, times[name])
				lines += "DTSTART DTEND DUE DURATION RRULE RDATE EXDATE overrides VTIMEZONE"
			}
			t.Run(fmt.Sprint(seed, name), func(t *testing.T) {
				putEntry(k, t, text)
				body := "{" + strings.Join(fields, ", ") + "}"
				a := k.Ann.Do("PATCH", "/world/time/objects/"+k.ID, body)
				if a.Status != 200 {
					t.Fatalf("%s: status %d %s", body, a.Status, a.Body)
				}
				icstest.WantSameLines(t, text, entryText(k), lines)
				wantSameAsFresh(k, t)
				if t.Failed() {
					t.Log(body)
				}
			})
		}
	}
}

// Whatever instance of whatever series is changed or deleted, alone or with
// those that follow, it is these that have changed and no others. Covers T-13,
// T-14, PT-23 and the scopes of B-56.
func TestScopesChangeWhatTheySay(t *testing.T) {
	svctest.Long(t)
	d := apptest.NewEntryFixture(t)
	series := map[string]string{
		"an hour that comes twice": apptest.VEvent("night", "DTSTART;TZID=Europe/Berlin:20261024T023000", "DURATION:PT30M", "RRULE:FREQ=DAILY;COUNT=3"),
		"an hour that never comes": apptest.VEvent("night", "DTSTART;TZID=Europe/Berlin:20270327T023000", "DTEND;TZID=Europe/Berlin:20270327T033000", "RRULE:FREQ=DAILY;COUNT=3"),
		"half an hour":             apptest.VEvent("night", "DTSTART;TZID=Australia/Lord_Howe:20270403T014500", "DURATION:PT1H", "RRULE:FREQ=HOURLY;COUNT=30"),
		"tasks that are only due":  apptest.VObject("VTODO", "bill", "DUE;VALUE=DATE:20261201", "RRULE:FREQ=MONTHLY;COUNT=4"),
		"tasks with both":          apptest.VObject("VTODO", "bill", "DTSTART:20261201T080000Z", "DUE:20261203T080000Z", "RRULE:FREQ=MONTHLY", "RDATE:20261210T080000Z"),
		"dates without a rule":     apptest.VEvent("fair", "DTSTART:20261201T080000Z", "RDATE:20261208T080000Z,20261210T080000Z", "EXDATE:20261208T080000Z"),
	}
	series["a change of all that follow"] = strings.Replace(apptest.VEvent("later", "DTSTART:20261201T080000Z", "RRULE:FREQ=DAILY;COUNT=5"), "END:VCALENDAR",
		"BEGIN:VEVENT\r\nUID:later\r\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261203T080000Z\r\nDTSTART:20261203T090000Z\r\nSUMMARY:Later\r\nEND:VEVENT\r\nEND:VCALENDAR", 1)
	for _, name := range []string{"outlook", "thunderbird", "lower", "office"} {
		series[name] = apptest.RealObjects[name]
	}
	for _, name := range slices.Sorted(maps.Keys(series)) {
		putEntry(d, t, series[name])
		ids := slices.Sorted(maps.Keys(instancesOf(d, d.Calendar)))
		for _, n := range slices.Compact([]int{0, 1, min(2, len(ids)-1), len(ids) / 2, len(ids) - 1}) {
			for _, c := range scopeCases {
				t.Run(fmt.Sprintf("%s %s %s", name, c.name, ids[n]), func(t *testing.T) {
					checkScope(d, t, series[name], ids[n], c.method, c.scope)
				})
			}
		}
	}
}

var scopeCases = []struct{ name, method, scope string }{
	{"changed alone", "PATCH", "this"},
	{"changed with what follows", "PATCH", "this_and_future"},
	{"deleted alone", "DELETE", "this"},
	{"deleted with what follows", "DELETE", "this_and_future"},
}

// scope changes the title at an instance, or deletes it, and compares all
// instances before and after.
func checkScope(d *apptest.EntryFixture, t *testing.T, text, id, method, scope string) {
	t.Helper()
	putEntry(d, t, text)
	want := instancesOf(d, d.Calendar)
	overridden := make(map[string]bool)
	refused := strings.Contains(text, "THISANDFUTURE") && scope == "this_and_future"
	o, err := ics.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range o.Overrides {
		at := RecurrenceIDOf(ics.Instance{RecurrenceID: c.RecurrenceID})
		overridden[at] = true
		refused = refused || c.ThisAndFuture && at == id && scope == "this"
	}
	for at, i := range want {
		switch {
		case at != id && (scope == "this" || at < id):
		case method == "DELETE":
			delete(want, at)
		case at == id || !overridden[at]: // what was said of another instance stays
			i.Title = "Changed"
			want[at] = i
		}
	}
	status := 200
	if refused {
		status, want = 422, instancesOf(d, d.Calendar)
	}
	path := "/world/time/objects/" + d.ID
	if method == "PATCH" {
		d.Ann.Do("PATCH", path, fmt.Sprintf(`{"scope": %q, "recurrence_id": %q, "title": "Changed"}`, scope, id)).Want(status)
	} else {
		d.Ann.Do("DELETE", path+"?scope="+scope+"&recurrence_id="+id).Want(status)
	}
	got := instancesOf(d, d.Calendar)
	for _, at := range slices.Sorted(maps.Keys(want)) {
		if got[at] != want[at] {
			t.Errorf("%s is %+v, want %+v", at, got[at], want[at])
		}
	}
	for at, i := range got {
		if _, ok := want[at]; !ok {
			t.Errorf("%s is %+v, and should not be", at, i)
		}
	}
	if t.Failed() {
		t.Logf("before\n%s\nafter\n%s", text, d.Ann.Basic().Do("GET", d.Dav+"entry.ics").Body)
	}
	if a := d.Ann.Basic().Do("GET", d.Dav+"entry.ics"); a.Status == 200 {
		wantSameAsFresh(d, t)
	}
}

// The same for series that nobody would think of.
func TestScopesOfRandomSeries(t *testing.T) {
	k := apptest.NewEntryFixture(t)
	for seed := range svctest.Seeds(60) {
		d := apptest.NewRand(300 + seed)
		text := d.CalendarObject("random")
		o, err := ics.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, cut := o.Instances(time.Time{}, time.Time{}, nil, 300); !o.Recurs() || cut || o.Master == nil {
			continue
		}
		putEntry(k, t, text)
		ids := slices.Sorted(maps.Keys(instancesOf(k, k.Calendar)))
		if len(ids) == 0 {
			continue
		}
		for range 3 {
			c, id := apptest.Pick(d, scopeCases...), apptest.Pick(d, ids...)
			t.Run(fmt.Sprintf("%d %s %s", seed, c.name, id), func(t *testing.T) {
				checkScope(k, t, text, id, c.method, c.scope)
			})
		}
	}
}

// An entry that is moved is moved as a whole, and back again it is where it
// was. Covers T-09, T-10, T-11 and B-56.
func TestMovedThereAndBack(t *testing.T) {
	d := apptest.NewEntryFixture(t)
	for _, c := range []struct {
		name, entry string
		there, back string // two changes
		want        string // the start of the first instance in between
	}{
		{"an hour later", "outlook", `{"start": "2026-12-07T11:00:00", "end": "2026-12-07T12:30:00"}`, `{"start": "2026-12-07T10:00:00", "end": "2026-12-07T11:30:00"}`, "2026-12-07T11:00:00"},
		{"another day of the week", "outlook", `{"start": "2026-12-10T10:00:00", "end": "2026-12-10T11:30:00"}`, `{"start": "2026-12-07T10:00:00", "end": "2026-12-07T11:30:00"}`, "2026-12-10T10:00:00"},
		{"an instant", "outlook", `{"start": "2026-12-07T10:00:00Z", "end": "2026-12-07T11:30:00Z"}`, `{"start": "2026-12-07T10:00:00+01:00", "end": "2026-12-07T11:30:00+01:00"}`, "2026-12-07T11:00:00"},
		{"another zone", "outlook", `{"timezone": "Asia/Tokyo"}`, `{"timezone": "Europe/Berlin"}`, "2026-12-07T10:00:00"},
		{"longer", "outlook", `{"end": "2026-12-07T18:00:00"}`, `{"end": "2026-12-07T11:30:00"}`, "2026-12-07T10:00:00"},
		{"wherever one is", "outlook", `{"timezone": null}`, `{"timezone": "Europe/Berlin"}`, "2026-12-07T10:00:00"},
		{"earlier, with an end", "office", `{"start": "2026-10-01T07:30:00", "end": "2026-10-01T08:30:00"}`, `{"start": "2026-10-01T09:00:00", "end": "2026-10-01T10:00:00"}`, "2026-10-01T07:30:00"},
		{"days", "thunderbird", `{"start": "2026-12-05", "end": "2026-12-07"}`, `{"start": "2026-12-03", "end": "2026-12-04"}`, "2026-12-05"},
		{"days that become hours", "thunderbird", `{"all_day": false, "start": "2026-12-03T09:00:00", "end": "2026-12-03T10:00:00", "timezone": "Europe/Berlin"}`, `{"all_day": true, "start": "2026-12-03", "end": "2026-12-04"}`, "2026-12-03T09:00:00"},
		{"hours that become days", "outlook", `{"all_day": true, "start": "2026-12-07", "end": "2026-12-08"}`, `{"all_day": false, "start": "2026-12-07T10:00:00", "end": "2026-12-07T11:30:00", "timezone": "Europe/Berlin"}`, "2026-12-07"},
		{"floating time", "lower", `{"start": "2026-12-05T09:00:00", "end": "2026-12-05T09:45:00"}`, `{"start": "2026-12-05T08:00:00", "end": "2026-12-05T08:45:00"}`, "2026-12-05T09:00:00"},
		{"a zone for floating time", "lower", `{"timezone": "America/New_York"}`, `{"timezone": null}`, "2026-12-05T08:00:00"},
		{"New York", "apple", `{"start": "2027-01-02T12:00:00", "end": "2027-01-02T13:00:00"}`, `{"start": "2027-01-01T12:00:00", "end": "2027-01-01T13:00:00"}`, "2027-01-02T12:00:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			putEntry(d, t, apptest.RealObjects[c.entry])
			before := instancesOf(d, d.Calendar)
			d.Ann.Do("PATCH", "/world/time/objects/"+d.ID, c.there).Want(200)
			between := instancesOf(d, d.Calendar)
			first := slices.Sorted(maps.Keys(between))[0]
			if !strings.Contains(between[first].Start, `"`+c.want+`"`) || first != c.want {
				t.Errorf("the first instance is %q, %+v", first, between[first])
			}
			if len(between) != len(before) {
				t.Errorf("there were %d instances, and are %d: %v", len(before), len(between), between)
			}
			wantSameAsFresh(d, t)
			d.Ann.Do("PATCH", "/world/time/objects/"+d.ID, c.back).Want(200)
			after := instancesOf(d, d.Calendar)
			for id := range before {
				if clockOf(before[id]) != clockOf(after[id]) {
					t.Errorf("%s was %+v and is %+v", id, before[id], after[id])
				}
			}
			if len(after) != len(before) {
				t.Errorf("there were %d instances, and are %d", len(before), len(after))
			}
			wantSameAsFresh(d, t)
			if t.Failed() {
				t.Log(entryText(d))
			}
		})
	}
}

// clockOf is when an instance is, whatever its zone is called.
func clockOf(i instance) string {
	return zoneNames.ReplaceAllString(i.Start+i.End, "")
}

var zoneNames = regexp.MustCompile(`"timezone":[^,}]*`)

// From an instance on that was somewhere else already, the series is where the
// change says, with that instance. Covers B-56.
func TestChangedFromAnExceptionOn(t *testing.T) {
	d := apptest.NewEntryFixture(t)
	for _, c := range []struct{ name, id, change string }{
		{"in the middle", "2026-12-14T10:00:00", `"start": "2026-12-14T16:00:00", "end": "2026-12-14T17:00:00"`},
		{"in another zone", "2026-12-14T10:00:00", `"start": "2026-12-14T16:00:00", "end": "2026-12-14T17:00:00", "timezone": "Europe/Berlin"`},
	} {
		putEntry(d, t, apptest.RealObjects["outlook"])
		before := instancesOf(d, d.Calendar)
		d.Ann.Do("PATCH", "/world/time/objects/"+d.ID, fmt.Sprintf(`{"scope": "this_and_future", "recurrence_id": %q, %s}`, c.id, c.change)).Want(200)
		after := instancesOf(d, d.Calendar)
		if len(after) != len(before) {
			t.Errorf("%s: there were %d instances, and are %d", c.name, len(before), len(after))
		}
		for id, i := range after {
			want := before[id]
			if id >= c.id {
				day := id[:len("2026-12-14")]
				if !strings.Contains(i.Start, day+"T16:00:00") || !strings.Contains(i.End, day+"T17:00:00") {
					t.Errorf("%s: %s is %+v", c.name, id, i)
				}
			} else if i != want {
				t.Errorf("%s: %s was %+v and is %+v", c.name, id, want, i)
			}
		}
		wantSameAsFresh(d, t)
	}
}

// Whatever is changed about whatever entry, it is refused and nothing has
// changed, or all know the same of it afterwards. Covers PT-23 and PT-40.
func TestRandomPatches(t *testing.T) {
	k := apptest.NewEntryFixture(t)
	accepted := 0
	for seed := range svctest.Seeds(40) {
		d := apptest.NewRand(700 + seed)
		text := d.CalendarObject("random")
		o, err := ics.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		list, cut := o.Instances(time.Time{}, time.Time{}, nil, 300)
		if cut || len(list) == 0 {
			continue
		}
		putEntry(k, t, text)
		if k.ID == "" {
			continue
		}
		for range 3 {
			change := map[string]any{"title": "Changed"}
			when := func() string {
				return d.Clock().Format(apptest.Pick(d, time.DateOnly, "2006-01-02T15:04:05", time.RFC3339))
			}
			values := map[string]any{
				"start": when(), "end": when(), "due": when(), "timezone": apptest.Pick[any](d, nil, "UTC", "Europe/Berlin", "Australia/Lord_Howe"), "all_day": d.OneIn(2),
				"rrule":   apptest.Pick[any](d, nil, "FREQ=DAILY;COUNT=4", "FREQ=WEEKLY;UNTIL=20270301T000000Z", "FREQ=MONTHLY;BYDAY=-1SU;COUNT=3"),
				"exdates": []string{when()}, "rdates": []string{when(), when()},
			}
			for _, field := range slices.Sorted(maps.Keys(values)) {
				if d.OneIn(3) {
					change[field] = values[field]
				}
			}
			if scope := apptest.Pick(d, "", "", "this", "this_and_future"); scope != "" {
				change["scope"], change["recurrence_id"] = scope, RecurrenceIDOf(apptest.Pick(d, list...))
			}
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				before := entryText(k)
				a := k.Ann.Do("PATCH", "/world/time/objects/"+k.ID, change)
				switch {
				case a.Status == 200:
					accepted++
					wantSameAsFresh(k, t)
				case a.Status >= 500 || entryText(k) != before:
					t.Errorf("status %d: %s\n%s\nbecame\n%s", a.Status, a.Body, before, entryText(k))
				}
				if t.Failed() {
					t.Logf("%v\n%s\nbecame\n%s", change, before, entryText(k))
				}
			})
		}
	}
	t.Logf("%d changes were accepted", accepted)
}
