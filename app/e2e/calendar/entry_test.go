package calendar

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store/storetest"
	"appliance/svc/calendar/ics/icstest"
)

// putEntry stores an object over CalDAV and returns its path in the JSON API.
func putEntry(c *apptest.Client, uid, text string) (path string) {
	c.T.Helper()
	c.Basic().Do("PUT", c.DefaultCalendar()+uid+".ics", text).Want(201)
	for _, o := range c.Do("GET", "/world/time/objects?start=2026-11-01&end=2027-10-01&limit=200").Want(200).List("objects") {
		if apptest.At(o, "state.uid") == uid {
			return apptest.At(o, "links.self").(string)
		}
	}
	c.T.Fatalf("the list has no object with the UID %s", uid)
	return ""
}

// An entry is the same over the JSON API and CalDAV, and a change over the JSON
// API keeps all other octets that a CalDAV client has stored. Covers T-04,
// T-15, T-19, C-27 and PT-24.
func TestEntryIsTheSameOverJSONAndCalDAV(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	path := ann.DefaultCalendar()
	created := ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Dentist", "start": "2026-12-01T09:00:00"}`).Want(201)
	created.WantSchema("service.time.object", created.At("object"))
	response := ann.Basic().Do("GET", path+created.Str("object.id")+".ics").Want(200)
	for _, line := range []string{"SUMMARY:Dentist", "DTSTART;TZID=Europe/Berlin:20261201T090000"} {
		if !strings.Contains(response.Body, "\r\n"+line+"\r\n") {
			t.Errorf("got no line %s in\n%s", line, response.Body)
		}
	}
	if got, want := response.Header.Get("ETag"), created.Str("object.state.etag"); got != want {
		t.Errorf("got ETag %s over CalDAV, want %s", got, want)
	}
	if got, want := apptest.JSON(ann.Do("GET", created.Str("object.links.self")).Want(200).At("object")), apptest.JSON(created.At("object")); got != want {
		t.Errorf("read %s, created %s", got, want)
	}

	outlook := icstest.RealObjects["outlook"]
	href := path + "outlook.ics"
	ann.Basic().Do("PUT", href, outlook).Want(201)
	self := "/world/time/objects/"
	for _, o := range ann.Do("GET", "/world/time/objects?start=2026-12-01&end=2026-12-20").Want(200).List("objects") {
		if id := apptest.At(o, "id").(string); id != created.Str("object.id") {
			self = "/world/time/objects/" + id
		}
	}
	ann.Do("PATCH", self, `{"title": "Changed", "location": null}`).Want(200)
	icstest.WantSameLines(t, outlook, ann.Basic().Do("GET", href).Want(200).Body, "SUMMARY LOCATION")
	ann.Do("PATCH", self, `{"scope": "this", "recurrence_id": "2026-12-14T10:00:00", "title": "Once"}`).Want(200)
	ann.Do("DELETE", self+"?scope=this_and_future&recurrence_id=2026-12-21T10:00:00").Want(200)
	var got []string
	for _, o := range ann.Do("GET", "/world/time/objects?start=2026-12-05&end=2027-12-31").Want(200).List("objects") {
		got = append(got, apptest.At(o, "title").(string))
	}
	if want := []string{"Changed", "Once"}; !slices.Equal(got, want) {
		t.Errorf("got occurrences %q, want %q", got, want)
	}
	ann.Do("DELETE", self).Want(200)
	ann.Basic().Do("GET", href).Want(404)
}

// A rejected request for an entry has the status and code of its error, names
// the fields, and changes nothing. Covers T-06, T-38, T-39, E-02, E-17, B-02 and
// PT-40.
func TestRejectedEntryRequestsChangeNothing(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	foreignCalendar := bea.Do("GET", "/world/calendars").Str("calendars.0.id")
	event := ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Weekly", "start": "2026-12-01T09:00:00", "rrule": "FREQ=WEEKLY"}`).Want(201)
	self, old := event.Str("object.links.self"), event.Str("object.state.etag")
	ann.Do("PATCH", self, `{"title": "Every week"}`).Want(200)
	for _, c := range []struct {
		name, method, path string
		body               any
		status             int
		code, fields       string
	}{
		{"no fields", "POST", "/world/time/objects", `{}`, 400, "field_required", "object_type title"},
		{"another member's calendar", "POST", "/world/time/objects", `{"object_type": "task", "title": "x", "calendar_id": "` + foreignCalendar + `"}`, 404, "not_found", ""},
		{"an end before the start", "PATCH", self, `{"end": "2026-11-01T09:00:00"}`, 422, "end_before_start", "end"},
		{"several invalid values", "PATCH", self, `{"local_visibility": "odd", "transparency": "odd"}`, 422, "invalid_value", "transparency local_visibility"},
		{"a list that is a text", "PATCH", self, `{"categories": "work"}`, 400, "malformed_body", "categories"},
		{"a number that is a text", "PATCH", self, `{"priority": "high"}`, 400, "malformed_body", "priority"},
		{"a text that is a list", "PATCH", self, `{"title": ["x"]}`, 400, "malformed_body", "title"},
		{"incomplete JSON", "PATCH", self, `{"title"`, 400, "malformed_body", ""},
		{"an old ETag in the body", "PATCH", self, map[string]any{"title": "x", "etag": old}, 412, "version_conflict", ""},
		{"an occurrence without its id", "DELETE", self + "?scope=this", nil, 400, "field_required", "recurrence_id"},
		{"no such occurrence", "DELETE", self + "?scope=this&recurrence_id=2026-12-02T09:00:00", nil, 404, "not_found", "recurrence_id"},
		{"an unknown scope", "DELETE", self + "?scope=some", nil, 400, "invalid_parameter", "scope"},
		{"no such entry", "DELETE", "/world/time/objects/tob_none", nil, 404, "not_found", ""},
	} {
		h.WantUnchanged(c.name, func() {
			var a *apptest.Answer
			if c.body == nil {
				a = ann.Do(c.method, c.path)
			} else {
				a = ann.Do(c.method, c.path, c.body)
			}
			a.WantError(c.status, c.code).WantFields(strings.Fields(c.fields)...)
		})
	}
	h.WantUnchanged("an old ETag in the header", func() {
		ann.With("If-Match", old).Do("PATCH", self, `{"title": "x"}`).WantError(412, "version_conflict")
		ann.With("If-Match", old).Do("DELETE", self).WantError(412, "version_conflict")
	})
	h.WantUnchanged("another member", func() {
		bea.Do("GET", self).WantError(404, "not_found")
		bea.Do("PATCH", self, `{"title": "x"}`).WantError(404, "not_found")
		bea.Do("DELETE", self).WantError(404, "not_found")
	})
	ann.With("If-Match", ann.Do("GET", self).Str("object.state.etag")).Do("DELETE", self).Want(200)
}

// A request reads the text of an entry once: for the draft of the change, before the write
// transaction.
func TestRequestsDraftChangesBeforeTheWrite(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	path := putEntry(ann, "series", apptest.VEvent("series", "DTSTART:20261125T090000Z", "RRULE:FREQ=DAILY", "SUMMARY:First"))
	for _, c := range []struct{ method, path, body string }{
		{"PATCH", path, `{"title": "All"}`},
		{"PATCH", path, `{"title": "One", "scope": "this", "recurrence_id": "2026-12-01T09:00:00Z"}`},
		{"PATCH", path, `{"title": "Rest", "scope": "this_and_future", "recurrence_id": "2026-12-10T09:00:00Z"}`},
		{"DELETE", path + "?scope=this&recurrence_id=2026-12-02T09:00:00Z", ""},
	} {
		h.Queries.Take()
		ann.Do(c.method, c.path, c.body).Want(200)
		if got := h.Queries.Take()["calendar_object/data"]; got != 1 {
			t.Errorf("%s %s: got %d reads of the text, want 1", c.method, c.body, got)
		}
	}
}

// costlySeries returns a series with an occurrence each second, on days that are all
// excluded.
func costlySeries(uid string) string {
	var numbers, days []string
	for i := range 60 {
		numbers = append(numbers, fmt.Sprint(i))
	}
	for i := range 900 {
		days = append(days, storetest.Start.AddDate(0, 0, i-30).Format("20060102"))
	}
	everyNumber := strings.Join(numbers, ",")
	return apptest.VEvent(uid, "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY;BYMINUTE="+everyNumber+";BYSECOND="+everyNumber,
		"EXDATE;VALUE=DATE:"+strings.Join(days, ","), "SUMMARY:Costly")
}

// If the expansion of series exceeds its limit of work, lists and datasets are
// truncated and have a fallback. A complete list has none.
func TestTruncatedListsHaveAFallback(t *testing.T) {
	ann := apptest.New(t).Member("ann").AsRuntime()
	for i := range 3 {
		uid := fmt.Sprint("costly-", i)
		ann.Basic().Do("PUT", ann.DefaultCalendar()+uid+".ics", costlySeries(uid)).Want(201)
	}
	list := ann.Do("GET", "/world/time/objects?start=2026-11-21&end=2026-12-21").Want(200)
	dataset := ann.Do("GET", "/world/runtime").Want(200)
	dataset.WantSchema("service.runtime.dataset", dataset.At(""))
	for _, a := range []*apptest.Answer{list, dataset} {
		if !slices.ContainsFunc(a.List("fallbacks"), func(f any) bool {
			return apptest.At(f, "state") == "degraded" && apptest.At(f, "reason") == "truncated" && apptest.At(f, "scope.section") == "objects"
		}) {
			t.Errorf("%s: got fallbacks %v, want a truncated section objects", a.About, a.At("fallbacks"))
		}
	}
	completeList := ann.Do("GET", "/world/time/objects?start=2026-11-21&end=2026-12-21&object_type=task").Want(200)
	if got := completeList.List("fallbacks"); len(got) != 0 {
		t.Errorf("a complete list: got fallbacks %v, want none", got)
	}
}

// largeSeries returns a series of about a megabyte.
func largeSeries(uid, rule string) string {
	dates := make([]string, 50_000)
	for i := range dates {
		dates[i] = storetest.Start.AddDate(2, 0, 0).Add(time.Duration(i) * time.Second).Format("20060102T150405Z")
	}
	return apptest.VEvent(uid, "DTSTART:20261121T090000Z", rule, "EXDATE:"+strings.Join(dates, ","), "SUMMARY:"+strings.Repeat("s", 300),
		"LOCATION:"+strings.Repeat("l", 2000), "DESCRIPTION:"+strings.Repeat("é", 20_000), "CATEGORIES:"+strings.Repeat("c,", 1000)+"d")
}

// Lists and datasets contain shortened entries. Forms omit the shortened fields.
// The entry itself is complete. Covers L-12.
func TestLongEntriesAreShortenedInLists(t *testing.T) {
	ann := apptest.New(t).Member("ann").AsRuntime()
	path := putEntry(ann, "large", largeSeries("large", "RRULE:FREQ=MINUTELY"))
	list, dataset := ann.Do("GET", "/world/time/objects?limit=200").Want(200), ann.Do("GET", "/world/runtime").Want(200)
	if n := len(list.List("objects")); n < 100 || len(list.Body) > 5<<20 {
		t.Errorf("got %d occurrences in %d octets, want 100 or more in 5 MiB", n, len(list.Body))
	}
	for _, a := range []*apptest.Answer{list, dataset} {
		if got, want := fmt.Sprint(a.At("objects.0.state.cut")), "[title location description exdates categories]"; got != want {
			t.Errorf("%s: got truncated fields %s, want %s", a.About, got, want)
		}
	}
	for _, action := range dataset.List("actions") {
		if apptest.At(action, "type") != "update_time_object" {
			continue
		}
		if got, want := apptest.Values(apptest.At(action, "controls").([]any), "id"), []string{
			"start", "end", "timezone", "end_timezone", "all_day", "rrule", "rdates", "alarms", "status", "class", "transparency", "calendar_id", "scope",
		}; !slices.Equal(got, want) {
			t.Errorf("got controls %q, want %q", got, want)
		}
	}
	entry := ann.Do("GET", path).Want(200)
	if dates, octets := len(entry.List("object.state.recurrence.exdates")), len(entry.Str("object.state.description")); dates != 50_000 || octets != 40_000 {
		t.Errorf("got %d dates and %d octets of description, want 50000 and 40000", dates, octets)
	}
}

// An invalid limit or cursor of a list is rejected, and the error names the
// parameter. Covers L-12.
func TestInvalidPageParametersAreRejected(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	for range 2 {
		ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x", "due": "2026-12-02"}`).Want(201)
	}
	const list = "/world/time/objects?start=2026-12-01"
	cursor := ann.Do("GET", list+"&limit=1").Want(200).Str("page.next_cursor")
	for query, field := range map[string]string{"&limit=-1": "limit", "&limit=x": "limit", "&limit=1&cursor=x": "cursor", "&limit=1&cursor=" + cursor + "x": "cursor"} {
		ann.Do("GET", list+query).WantError(400, "invalid_parameter").WantFields(field)
	}
	bea.Do("GET", list+"&limit=1&cursor="+cursor).WantError(400, "invalid_parameter").WantFields("cursor")
	if got := ann.Do("GET", list+"&limit=1000").Want(200).At("page.limit"); got != 200.0 {
		t.Errorf("got limit %v, want 200", got)
	}
}

// A copy that is created with the values of the form of a task has its start and its reminders.
func TestCopyOfATaskHasItsStartAndReminders(t *testing.T) {
	f := newFixture(t)
	original := f.ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Bins", "start": "2026-12-01T17:00:00", "due": "2026-12-01T18:00:00",
		"location": "Yard", "alarms": [{"trigger": "-PT15M"}, {"trigger": "-PT1H", "related": "end"}]}`).Want(201)
	body := map[string]any{"object_type": "task"}
	for _, c := range apptest.At(descriptor(t, original.At("object.action_descriptors"), "update"), "controls").([]any) {
		if id := apptest.Text(apptest.At(c, "id")); slices.Contains([]string{"title", "start", "due", "timezone", "all_day", "location", "alarms"}, id) {
			body[id] = apptest.At(c, "default")
		}
	}
	copied := f.ann.Do("POST", "/world/time/objects", body).Want(201)
	for _, field := range []string{"start", "due", "location", "alarms"} {
		got, want := apptest.JSON(copied.At("object.state."+field)), apptest.JSON(original.At("object.state."+field))
		if got != want {
			t.Errorf("%s: got %s, want %s", field, got, want)
		}
	}
}
