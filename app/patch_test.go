package app

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/svc/calendar/ics"
)

// desk is a member with one entry in a calendar of its own.
type desk struct {
	*house
	ann           *client
	calendar, dav string // the entry's calendar, and its path
	spare         string // another calendar's path
	id            string
}

func newDesk(t *testing.T) *desk {
	d := &desk{house: open(t, unlimited)}
	d.ann = d.member("ann")
	d.spare = d.ann.do("POST", "/world/calendars", `{"name": "Spare", "timezone": "Europe/Berlin"}`).want(201).str("calendar.caldav_path")
	return d
}

// lay puts an entry into a new calendar.
func (d *desk) lay(t *testing.T, text string) {
	t.Helper()
	made := d.ann.do("POST", "/world/calendars", `{"name": "Desk", "timezone": "Europe/Berlin"}`).want(201)
	d.calendar, d.dav = made.str("calendar.id"), made.str("calendar.caldav_path")
	d.ann.basic().do("PUT", d.dav+"entry.ics", text).want(201)
	d.id = d.only(d.calendar)
}

// only returns the id of the one entry that a calendar shows, "" if it shows
// none.
func (d *desk) only(calendar string) string {
	d.t.Helper()
	return d.ann.do("GET", "/world/time/objects?limit=1&start=2026-01-01&end=2028-12-31&calendar_id="+calendar).want(200).str("objects.0.id")
}

// text is the entry as a calendar program gets it.
func (d *desk) text() string {
	d.t.Helper()
	return d.ann.basic().do("GET", d.dav+"entry.ics").want(200).body
}

// instance is what of an instance an edit may change.
type instance struct{ Title, Start, End string }

// instances returns those of a calendar by recurrence id, or by its start that
// of an entry that does not recur.
func (d *desk) instances(calendar string) map[string]instance {
	d.t.Helper()
	all := make(map[string]instance)
	for cursor := ""; ; {
		page := d.ann.do("GET", "/world/time/objects?limit=200&timezone=Europe/Berlin&start=2026-01-01&end=2028-12-31&calendar_id="+calendar+"&cursor="+cursor).want(200)
		for _, o := range page.list("objects") {
			id, ok := dig(o, "state.occurrence.recurrence_id").(string)
			if !ok {
				occurrence := dig(o, "state.occurrence")
				id = fmt.Sprint(cmp.Or(dig(occurrence, "start.date"), dig(occurrence, "start.date_time"), dig(occurrence, "end.date"), dig(occurrence, "end.date_time")))
			}
			all[id] = instance{o.(map[string]any)["title"].(string), asJSON(dig(o, "state.occurrence.start")), asJSON(dig(o, "state.occurrence.end"))}
		}
		if cursor = page.str("page.next_cursor"); cursor == "" {
			return all
		}
	}
}

// asJSON writes a value as a text that says all of it.
func asJSON(m any) string {
	text, _ := json.Marshal(m)
	return string(text)
}

// cold fails the test unless what is known natively of the entry is what a
// server would know that never saw anything but its octets (PT-23).
func (d *desk) cold(t *testing.T) {
	t.Helper()
	copied := d.ann.basic().do("PUT", d.spare+"entry.ics", d.text()).want(201)
	defer d.ann.basic().do("DELETE", d.spare+"entry.ics").want(204)
	spare := strings.Split(d.spare, "/")[4]
	other := d.only(spare)
	if other == "" {
		return // nothing of it is left in these years
	}
	state := func(id string) map[string]any {
		o := d.ann.do("GET", "/world/time/objects/"+id).want(200).at("object").(map[string]any)
		s := o["state"].(map[string]any)
		for _, key := range []string{"id", "calendar_id", "calendar_name", "created_at", "updated_at"} {
			delete(s, key)
		}
		s["title"] = o["title"]
		return s
	}
	warm, fresh := asJSON(state(d.id)), asJSON(state(other))
	if warm != fresh {
		t.Errorf("natively it is\n%s\nand from its octets alone\n%s", warm, fresh)
	}
	if warm, fresh := d.instances(d.calendar), d.instances(spare); !maps.Equal(warm, fresh) {
		t.Errorf("its instances are\n%v\nand from its octets alone\n%v", warm, fresh)
	}
	if copied.header.Get("ETag") != d.ann.basic().do("GET", d.dav+"entry.ics").header.Get("ETag") {
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
	d := newDesk(t)
	for _, name := range slices.Sorted(maps.Keys(richObjects)) {
		text := richObjects[name]
		task := strings.Contains(text, "BEGIN:VTODO")
		for _, p := range patches {
			if task && !p.tasks || !task && !p.appointed {
				continue
			}
			t.Run(name+" "+p.field, func(t *testing.T) {
				d.lay(t, text)
				a := d.ann.do("PATCH", "/world/time/objects/"+d.id, fmt.Sprintf(`{%q: %s}`, p.field, p.json)).want(200)
				if got := asJSON(a.at("object." + p.path)); p.want != "" && got != p.want {
					t.Errorf("%s is %s, want %s", p.path, got, p.want)
				}
				sameLines(t, text, d.text(), p.lines)
				d.cold(t)
			})
		}
	}
}

// Several fields at once are as good as one after another. Covers PT-23, PT-24
// and PT-40.
func TestPatchesOfSeveralFields(t *testing.T) {
	k := newDesk(t)
	times := map[string]string{
		"outlook": `"start": "2026-12-07T15:00:00", "end": "2026-12-07T16:00:00", "timezone": "Asia/Kolkata"`, "apple": `"all_day": true`,
		"thunderbird": `"all_day": false, "start": "2026-12-03T09:00:00", "end": "2026-12-03T09:30:00", "timezone": "America/New_York"`,
		"tasks-org":   `"start": "2026-12-30T09:00:00", "timezone": "Asia/Tokyo"`, "lower": `"timezone": "Europe/Berlin"`, "office": `"start": "2026-10-01T11:00:00", "end": "2026-10-01T12:00:00", "timezone": "UTC"`,
	}
	for seed := range seeds(4) {
		d := newDice(600 + seed)
		for _, name := range slices.Sorted(maps.Keys(richObjects)) {
			text := richObjects[name]
			task := strings.Contains(text, "BEGIN:VTODO")
			change := make(map[string]string)
			lines := ""
			for _, p := range patches {
				if (task && p.tasks || !task && p.appointed) && d.one(3) && change[p.field] == "" && p.field != "due" {
					change[p.field] = p.json
					lines += p.lines + " "
				}
			}
			var fields []string
			for _, field := range slices.Sorted(maps.Keys(change)) {
				fields = append(fields, fmt.Sprintf("%q: %s", field, change[field]))
			}
			if d.one(2) {
				fields = append(fields, times[name])
				lines += "DTSTART DTEND DUE DURATION RRULE RDATE EXDATE overrides VTIMEZONE"
			}
			t.Run(fmt.Sprint(seed, name), func(t *testing.T) {
				k.lay(t, text)
				body := "{" + strings.Join(fields, ", ") + "}"
				a := k.ann.do("PATCH", "/world/time/objects/"+k.id, body)
				if a.status != 200 {
					t.Fatalf("%s: status %d %s", body, a.status, a.body)
				}
				sameLines(t, text, k.text(), lines)
				k.cold(t)
				if t.Failed() {
					t.Log(body)
				}
			})
		}
	}
}

// sameLines fails the test unless two texts are the same but for lines of
// those properties in the first component, and what says when it was changed.
func sameLines(t *testing.T, before, after, but string) {
	t.Helper()
	was, is := otherLines(t, before, but), otherLines(t, after, but)
	if !slices.Equal(was, is) {
		t.Errorf("apart from %s the lines were\n%q\nand are\n%q", but, was, is)
	}
}

// otherLines returns the lines of a text with their line ends, but for some.
func otherLines(t *testing.T, text, but string) (lines []string) {
	t.Helper()
	unwanted := append(strings.Fields(but), "DTSTAMP", "LAST-MODIFIED", "SEQUENCE")
	var open []string
	skipped, seen := 0, 0 // how deep in what is not wanted; components seen
	for line := range foldedLines(text) {
		name := strings.ToUpper(line[:strings.IndexAny(line, ":;")])
		component := strings.ToUpper(strings.TrimSpace(line[strings.IndexByte(line, ':')+1:]))
		if name == "BEGIN" {
			open = append(open, component)
			if len(open) == 2 && component != "VTIMEZONE" {
				seen++
			}
			if skipped > 0 || seen <= 1 && slices.Contains(unwanted, component) || seen > 1 && slices.Contains(unwanted, "overrides") {
				skipped++
			}
		}
		own := len(open) == 2 && seen == 1 && slices.Contains(unwanted, name)
		if skipped == 0 && !own {
			lines = append(lines, line)
		}
		if name == "END" {
			open = open[:len(open)-1]
			skipped = max(0, skipped-1)
		}
	}
	return lines
}

// foldedLines yields the content lines of a text with their folds.
func foldedLines(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for text != "" {
			end := 0
			for {
				end += strings.IndexByte(text[end:], '\n') + 1
				if end >= len(text) || text[end] != ' ' && text[end] != '\t' {
					break
				}
			}
			if !yield(text[:end]) {
				return
			}
			text = text[end:]
		}
	}
}

// Whatever instance of whatever series is changed or deleted, alone or with
// those that follow, it is these that have changed and no others. Covers T-13,
// T-14, PT-23 and the scopes of B-56.
func TestScopesChangeWhatTheySay(t *testing.T) {
	long(t)
	d := newDesk(t)
	series := map[string]string{
		"an hour that comes twice": vevent("night", "DTSTART;TZID=Europe/Berlin:20261024T023000", "DURATION:PT30M", "RRULE:FREQ=DAILY;COUNT=3"),
		"an hour that never comes": vevent("night", "DTSTART;TZID=Europe/Berlin:20270327T023000", "DTEND;TZID=Europe/Berlin:20270327T033000", "RRULE:FREQ=DAILY;COUNT=3"),
		"half an hour":             vevent("night", "DTSTART;TZID=Australia/Lord_Howe:20270403T014500", "DURATION:PT1H", "RRULE:FREQ=HOURLY;COUNT=30"),
		"tasks that are only due":  vobject("VTODO", "bill", "DUE;VALUE=DATE:20261201", "RRULE:FREQ=MONTHLY;COUNT=4"),
		"tasks with both":          vobject("VTODO", "bill", "DTSTART:20261201T080000Z", "DUE:20261203T080000Z", "RRULE:FREQ=MONTHLY", "RDATE:20261210T080000Z"),
		"dates without a rule":     vevent("fair", "DTSTART:20261201T080000Z", "RDATE:20261208T080000Z,20261210T080000Z", "EXDATE:20261208T080000Z"),
	}
	series["a change of all that follow"] = strings.Replace(vevent("later", "DTSTART:20261201T080000Z", "RRULE:FREQ=DAILY;COUNT=5"), "END:VCALENDAR",
		"BEGIN:VEVENT\r\nUID:later\r\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261203T080000Z\r\nDTSTART:20261203T090000Z\r\nSUMMARY:Later\r\nEND:VEVENT\r\nEND:VCALENDAR", 1)
	for _, name := range []string{"outlook", "thunderbird", "lower", "office"} {
		series[name] = richObjects[name]
	}
	for _, name := range slices.Sorted(maps.Keys(series)) {
		d.lay(t, series[name])
		ids := slices.Sorted(maps.Keys(d.instances(d.calendar)))
		for _, n := range slices.Compact([]int{0, 1, min(2, len(ids)-1), len(ids) / 2, len(ids) - 1}) {
			for _, c := range scopeCases {
				t.Run(fmt.Sprintf("%s %s %s", name, c.name, ids[n]), func(t *testing.T) {
					d.scope(t, series[name], ids[n], c.method, c.scope)
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
func (d *desk) scope(t *testing.T, text, id, method, scope string) {
	t.Helper()
	d.lay(t, text)
	want := d.instances(d.calendar)
	overridden := make(map[string]bool)
	refused := strings.Contains(text, "THISANDFUTURE") && scope == "this_and_future"
	o, err := ics.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range o.Overrides {
		at := idOf(ics.Instance{RecurrenceID: c.RecurrenceID})
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
		status, want = 422, d.instances(d.calendar)
	}
	path := "/world/time/objects/" + d.id
	if method == "PATCH" {
		d.ann.do("PATCH", path, fmt.Sprintf(`{"scope": %q, "recurrence_id": %q, "title": "Changed"}`, scope, id)).want(status)
	} else {
		d.ann.do("DELETE", path+"?scope="+scope+"&recurrence_id="+id).want(status)
	}
	got := d.instances(d.calendar)
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
		t.Logf("before\n%s\nafter\n%s", text, d.ann.basic().do("GET", d.dav+"entry.ics").body)
	}
	if a := d.ann.basic().do("GET", d.dav+"entry.ics"); a.status == 200 {
		d.cold(t)
	}
}

// The same for series that nobody would think of.
func TestScopesOfRandomSeries(t *testing.T) {
	k := newDesk(t)
	for seed := range seeds(60) {
		d := newDice(300 + seed)
		text := d.object("random")
		o, err := ics.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, cut := o.Instances(time.Time{}, time.Time{}, nil, 300); !o.Recurs() || cut || o.Master == nil {
			continue
		}
		k.lay(t, text)
		ids := slices.Sorted(maps.Keys(k.instances(k.calendar)))
		if len(ids) == 0 {
			continue
		}
		for range 3 {
			c, id := pick(d, scopeCases...), pick(d, ids...)
			t.Run(fmt.Sprintf("%d %s %s", seed, c.name, id), func(t *testing.T) {
				k.scope(t, text, id, c.method, c.scope)
			})
		}
	}
}

// An entry that is moved is moved as a whole, and back again it is where it
// was. Covers T-09, T-10, T-11 and B-56.
func TestMovedThereAndBack(t *testing.T) {
	d := newDesk(t)
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
			d.lay(t, richObjects[c.entry])
			before := d.instances(d.calendar)
			d.ann.do("PATCH", "/world/time/objects/"+d.id, c.there).want(200)
			between := d.instances(d.calendar)
			first := slices.Sorted(maps.Keys(between))[0]
			if !strings.Contains(between[first].Start, `"`+c.want+`"`) || first != c.want {
				t.Errorf("the first instance is %q, %+v", first, between[first])
			}
			if len(between) != len(before) {
				t.Errorf("there were %d instances, and are %d: %v", len(before), len(between), between)
			}
			d.cold(t)
			d.ann.do("PATCH", "/world/time/objects/"+d.id, c.back).want(200)
			after := d.instances(d.calendar)
			for id := range before {
				if clockOf(before[id]) != clockOf(after[id]) {
					t.Errorf("%s was %+v and is %+v", id, before[id], after[id])
				}
			}
			if len(after) != len(before) {
				t.Errorf("there were %d instances, and are %d", len(before), len(after))
			}
			d.cold(t)
			if t.Failed() {
				t.Log(d.text())
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
	d := newDesk(t)
	for _, c := range []struct{ name, id, change string }{
		{"in the middle", "2026-12-14T10:00:00", `"start": "2026-12-14T16:00:00", "end": "2026-12-14T17:00:00"`},
		{"in another zone", "2026-12-14T10:00:00", `"start": "2026-12-14T16:00:00", "end": "2026-12-14T17:00:00", "timezone": "Europe/Berlin"`},
	} {
		d.lay(t, richObjects["outlook"])
		before := d.instances(d.calendar)
		d.ann.do("PATCH", "/world/time/objects/"+d.id, fmt.Sprintf(`{"scope": "this_and_future", "recurrence_id": %q, %s}`, c.id, c.change)).want(200)
		after := d.instances(d.calendar)
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
		d.cold(t)
	}
}

// Whatever is changed about whatever entry, it is refused and nothing has
// changed, or all know the same of it afterwards. Covers PT-23 and PT-40.
func TestRandomPatches(t *testing.T) {
	k := newDesk(t)
	accepted := 0
	for seed := range seeds(40) {
		d := newDice(700 + seed)
		text := d.object("random")
		o, err := ics.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		list, cut := o.Instances(time.Time{}, time.Time{}, nil, 300)
		if cut || len(list) == 0 {
			continue
		}
		k.lay(t, text)
		if k.id == "" {
			continue
		}
		for range 3 {
			change := map[string]any{"title": "Changed"}
			when := func() string { return d.clock().Format(pick(d, time.DateOnly, "2006-01-02T15:04:05", time.RFC3339)) }
			values := map[string]any{
				"start": when(), "end": when(), "due": when(), "timezone": pick[any](d, nil, "UTC", "Europe/Berlin", "Australia/Lord_Howe"), "all_day": d.one(2),
				"rrule":   pick[any](d, nil, "FREQ=DAILY;COUNT=4", "FREQ=WEEKLY;UNTIL=20270301T000000Z", "FREQ=MONTHLY;BYDAY=-1SU;COUNT=3"),
				"exdates": []string{when()}, "rdates": []string{when(), when()},
			}
			for _, field := range slices.Sorted(maps.Keys(values)) {
				if d.one(3) {
					change[field] = values[field]
				}
			}
			if scope := pick(d, "", "", "this", "this_and_future"); scope != "" {
				change["scope"], change["recurrence_id"] = scope, idOf(pick(d, list...))
			}
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				before := k.text()
				a := k.ann.do("PATCH", "/world/time/objects/"+k.id, change)
				switch {
				case a.status == 200:
					accepted++
					k.cold(t)
				case a.status >= 500 || k.text() != before:
					t.Errorf("status %d: %s\n%s\nbecame\n%s", a.status, a.body, before, k.text())
				}
				if t.Failed() {
					t.Logf("%v\n%s\nbecame\n%s", change, before, k.text())
				}
			})
		}
	}
	t.Logf("%d changes were accepted", accepted)
}
