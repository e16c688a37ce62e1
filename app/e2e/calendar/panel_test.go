package calendar

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/object"
	"appliance/svc/svctest"
)

// Covers W-120 and W-137 as far as Time goes, W-122, W-123, W-124, W-131, W-138,
// T-31, T-34, T-37, T-41, W-01 and W-03.
func TestTimePanel(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	for _, settled := range []bool{false, true} {
		if settled {
			ann.CreateEntries()
			ann.Basic().Do("DELETE", ann.DefaultCalendar()+"minutely.ics").Want(204)
		}
		for _, view := range index.Views {
			t.Run(fmt.Sprint(view, " settled ", settled), func(t *testing.T) {
				a := ann.Do("GET", "/world/panels/time?view="+view).Want(200)
				checkTimePanel(t, ann, a)
				if a.Str("view") != view {
					t.Errorf("view %s", a.Str("view"))
				}
				if slots := len(a.List("slots")); (slots > 0) != (view == "day" || view == "week") {
					t.Errorf("%d slots", slots)
				}
				if n := len(a.List("appointments")) + len(a.List("tasks")); !settled && n > 0 {
					t.Errorf("a new member has %d entries", n)
				}
			})
		}
	}
	ann.Do("GET", "/world/panels/maps").WantError(404, "not_found") // W-121
}

func checkTimePanel(t *testing.T, c *apptest.Client, a *apptest.Answer) {
	t.Helper()
	a.WantSchema("service.world.panel", a.At(""))
	a.WantSchema("service.time.workspace", a.At(""))
	if a.Str("kind") != "time" || a.Str("title") == "" || a.Str("summary") == "" {
		t.Errorf("kind %q, title %q, summary %q", a.Str("kind"), a.Str("title"), a.Str("summary"))
	}
	for _, text := range apptest.HumanTexts.FindAllString(a.Body, -1) {
		for _, event := range apptest.AnyEvent.FindAllString(text, -1) {
			if !strings.HasPrefix(strings.ToLower(event), "calendar ") {
				t.Errorf("%s does not say whose event it is about", text)
			}
		}
	}
	for _, item := range a.List("nav") {
		if action, ok := apptest.At(item, "action").(string); ok {
			c.Do("GET", action).Want(200)
		}
	}
	for _, where := range []string{"refresh", "previous", "next", "today"} {
		again := c.Do("GET", a.Str("navigation."+where)).Want(200)
		if again.Str("view") != a.Str("view") || again.Str("timezone") != a.Str("timezone") {
			t.Errorf("%s leads to %s in %s", where, again.Str("view"), again.Str("timezone"))
		}
		if where == "refresh" && again.Body != a.Body {
			t.Error("a refresh shows something else")
		}
	}
	fields := make(map[string]bool)
	for _, f := range a.List("editable_fields") {
		for _, objectType := range apptest.At(f, "applies_to").([]any) {
			fields[fmt.Sprint(objectType, " ", apptest.At(f, "id"))] = true
		}
	}
	for _, o := range append(a.List("appointments"), a.List("tasks")...) {
		for _, field := range apptest.At(o, "state.editable_fields").([]any) {
			if !fields[fmt.Sprint(apptest.At(o, "object_type"), " ", field)] {
				t.Errorf("nothing tells how to edit %v", field)
			}
		}
	}
	checkSections(t, a)
	apptest.CheckPaths(t, "", a.At(""))
}

func checkSections(t *testing.T, a *apptest.Answer) {
	t.Helper()
	if len(a.List("sections")) != 2 {
		t.Errorf("%d sections", len(a.List("sections")))
	}
	for _, s := range a.List("sections") {
		items := apptest.At(s, "items").([]any)
		if len(items) == 0 && apptest.At(s, "summary") == "" {
			t.Errorf("section %v is empty and does not say so", apptest.At(s, "title"))
		}
		seen := make(map[any]bool)
		for _, item := range items {
			if id := apptest.At(item, "id"); seen[id] {
				t.Errorf("the item %v is there twice", id)
			}
			seen[apptest.At(item, "id")] = true
		}
	}
}

// A form that is sent as it says does what it says, as JSON and as a form.
// Covers W-125, W-126, W-127 and PT-31.
func TestFormsOfTheTimePanel(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	panel := ann.Do("GET", "/world/panels/time?date=2026-12-01&view=day&timezone=Asia/Tokyo").Want(200)
	forms := panel.List("action_descriptors")
	if len(forms) != 4 {
		t.Fatalf("%d forms", len(forms))
	}
	for _, form := range forms {
		if apptest.At(form, "type") != "submit_form" {
			t.Errorf("a descriptor is a %v", apptest.At(form, "type"))
		}
		body := apptest.FillForm(form)
		values := make(url.Values)
		for name, v := range body {
			if v != nil {
				values.Set(name, fmt.Sprint(v))
			}
		}
		method, address := apptest.At(form, "method").(string), apptest.At(form, "url").(string)
		for _, sent := range []any{body, apptest.Form(values.Encode())} {
			a := ann.Do(method, address, sent)
			if a.Status >= 300 {
				t.Errorf("%v sent as %v: %d %s", apptest.At(form, "id"), sent, a.Status, a.Body)
			}
		}
		for _, control := range apptest.At(form, "controls").([]any) {
			if options, _ := apptest.At(control, "options").([]any); (apptest.At(control, "type") == "selector") != (len(options) > 0) {
				t.Errorf("the %v %v has %d options", apptest.At(control, "type"), apptest.At(control, "id"), len(options))
			}
		}
	}
	// What was read in Tokyo is meant in Tokyo.
	after := ann.Do("GET", panel.Str("navigation.refresh")).Want(200)
	if n := len(after.List("appointments")); n != 2 {
		t.Fatalf("%d appointments after two forms", n)
	}
	if got := after.Str("appointments.0.state.start.utc"); got != "2026-11-30T22:00:00Z" {
		t.Errorf("seven in Tokyo is %s", got)
	}
}

// Every action of an item is a request that works as it stands. Covers PT-02
// as far as this panel goes.
func TestItemsOfTheTimePanelCanBeActedUpon(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.RateLimits = map[string]int{"writes": 0} })
	ann := h.Member("ann")
	ann.CreateEntries()
	ann.Basic().Do("DELETE", ann.DefaultCalendar()+"minutely.ics").Want(204)
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Bins", "due": "2026-11-25", "rrule": "FREQ=WEEKLY"}`).Want(201)
	item := func(view, title, action string) (found any) {
		t.Helper()
		for _, s := range ann.Do("GET", "/world/panels/time?view="+view).Want(200).List("sections") {
			for _, item := range apptest.At(s, "items").([]any) {
				if apptest.At(item, "title") != title {
					continue
				}
				for _, a := range apptest.At(item, "actions").([]any) {
					if apptest.At(a, "id") == action {
						found = a
					}
				}
				return found
			}
		}
		t.Fatalf("no item %s", title)
		return nil
	}
	do := func(action any) *apptest.Answer {
		t.Helper()
		return ann.Do(apptest.At(action, "method").(string), apptest.At(action, "url").(string), apptest.At(action, "body")).Want(200)
	}
	do(item("tasks", "Taxes", "open"))
	do(item("tasks", "Taxes", "complete"))
	do(item("tasks", "Taxes", "reopen"))
	if got := ann.Do("GET", "/world/panels/time?view=tasks").Str("summary"); got != "3 tasks: 3 to do, 0 done" {
		t.Errorf("summary %q", got)
	}
	// A task that is ticked off is followed by the next one of its series.
	due := func() string {
		for _, o := range ann.Do("GET", "/world/panels/time?view=tasks").List("tasks") {
			if apptest.At(o, "title") == "Bins" {
				return fmt.Sprint(apptest.At(o, "state.occurrence.recurrence_id"))
			}
		}
		return "nowhere"
	}
	first := due()
	do(item("tasks", "Bins", "complete"))
	if second := due(); first != "2026-11-25" || second != "2026-12-02" {
		t.Errorf("due %s and then %s", first, second)
	}
	do(item("agenda", "Choir <b>", "delete_occurrence"))
	if again := item("agenda", "Choir <b>", "delete_occurrence"); !strings.Contains(apptest.At(again, "url").(string), "recurrence_id=2026-12-07") {
		t.Errorf("after the first of them is deleted, the next is %v", again)
	}
	do(item("agenda", "Choir <b>", "delete"))
	if a := ann.Do("GET", "/world/panels/time?view=agenda"); slices.Contains(titlesAt(a, "appointments"), "Choir <b>") {
		t.Error("a deleted series is still there")
	}
}

func titlesAt(a *apptest.Answer, list string) (titles []string) {
	for _, o := range a.List(list) {
		titles = append(titles, apptest.At(o, "title").(string))
	}
	return titles
}

// Covers T-13, T-29, T-30, W-132, B-59 and B-93: what each view shows, where
// days are odd too.
func TestViewsOfTime(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	path := ann.DefaultCalendar()
	for uid, lines := range map[string][]string{
		"late":  {"DTSTART:20261201T233000Z", "DTEND:20261201T234500Z", "SUMMARY:Late"},
		"yoga":  {"DTSTART;TZID=Europe/Berlin:20270322T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY", "SUMMARY:Yoga"},
		"trip":  {"DTSTART;VALUE=DATE:20261230", "DTEND;VALUE=DATE:20270103", "SUMMARY:Trip"},
		"alarm": {"DTSTART:20261112T073000", "DURATION:PT15M", "SUMMARY:Wake up"},
	} {
		ann.Basic().Do("PUT", path+uid+".ics", apptest.VEvent(uid, lines...)).Want(201) // T-18
	}
	ann.Basic().Do("PUT", path+"due.ics", apptest.VObject("VTODO", "due", "DUE:20261202T100000Z", "SUMMARY:Hand in", "CREATED:20261101T000000Z")).Want(201)
	ann.Basic().Do("PUT", path+"some-day.ics", apptest.VObject("VTODO", "some-day", "SUMMARY:Some day", "CREATED:20261101T000000Z")).Want(201)
	ann.Basic().Do("PUT", path+"done.ics", apptest.VObject("VTODO", "done", "SUMMARY:Done", "STATUS:COMPLETED", "COMPLETED:20261101T120000Z")).Want(201)
	ann.Basic().Do("PUT", path+"long-done.ics", apptest.VObject("VTODO", "long-done", "SUMMARY:Long done", "STATUS:COMPLETED", "COMPLETED:20261001T120000Z")).Want(201)
	for _, c := range []struct {
		name, query            string
		start, end             string
		appointments, tasks    string
		slots                  int
		previous, next, anchor string
	}{
		{"an entry late in UTC is on the next day in Tokyo", "view=day&date=2026-12-02&timezone=Asia/Tokyo",
			"2026-12-02T00:00:00", "2026-12-03T00:00:00", "[Wed 2 Dec 08:30 · Calendar]", "[Hand in]", 48, "2026-12-01", "2026-12-03", "2026-12-02"},
		{"and not on the day it is on in UTC", "view=day&date=2026-12-01&timezone=Asia/Tokyo",
			"2026-12-01T00:00:00", "2026-12-02T00:00:00", "[]", "[]", 48, "2026-11-30", "2026-12-02", "2026-12-01"},
		{"a time without a zone is read in the one that is asked for", "view=day&date=2026-11-12&timezone=America/New_York",
			"2026-11-12T00:00:00", "2026-11-13T00:00:00", "[Thu 12 Nov 07:30 · Calendar]", "[]", 48, "2026-11-11", "2026-11-13", "2026-11-12"},
		{"a day on which clocks are put forward has 46 half hours", "view=day&date=2027-03-28&timezone=Europe/Berlin",
			"2027-03-28T00:00:00", "2027-03-29T00:00:00", "[]", "[]", 46, "2027-03-27", "2027-03-29", "2027-03-28"},
		{"a day on which they are put back has 50", "view=day&date=2026-10-25&timezone=Europe/Berlin",
			"2026-10-25T00:00:00", "2026-10-26T00:00:00", "[]", "[]", 50, "2026-10-24", "2026-10-26", "2026-10-25"},
		{"where it is half an hour there are 47", "view=day&date=2026-10-04&timezone=Australia/Lord_Howe",
			"2026-10-04T00:00:00", "2026-10-05T00:00:00", "[]", "[]", 47, "2026-10-03", "2026-10-05", "2026-10-04"},
		{"a week, with what was not at nine in UTC", "view=week&date=2027-03-31&timezone=Europe/Berlin",
			"2027-03-29T00:00:00", "2027-04-05T00:00:00", "[Mon 29 Mar 09:00 · Calendar]", "[]", 336, "2027-03-24", "2027-04-07", "2027-03-31"},
		{"a month, and what begins before it", "view=month&date=2027-01-31&timezone=UTC",
			"2027-01-01T00:00:00", "2027-02-01T00:00:00", "[Wed 30 Dec · Calendar]", "[]", 0, "2026-12-01", "2027-02-01", "2027-01-31"},
		{"a series in a month, at nine on either side of the change", "view=month&date=2027-03-01&timezone=Europe/Berlin",
			"2027-03-01T00:00:00", "2027-04-01T00:00:00", "[Mon 22 Mar 09:00 · Calendar Mon 29 Mar 09:00 · Calendar]", "[]", 0, "2027-02-01", "2027-04-01", "2027-03-01"},
		{"thirty days", "view=agenda&date=2026-12-01&timezone=UTC",
			"2026-12-01T00:00:00", "2026-12-31T00:00:00", "[Tue 1 Dec 23:30 · Calendar Wed 30 Dec · Calendar]", "[Hand in]", 0, "2026-11-01", "2026-12-31", "2026-12-01"},
		{"what is to do, and what was done lately", "view=tasks&timezone=UTC",
			"2026-10-22T00:00:00", "2026-11-22T00:00:00", "[]", "[Hand in Some day Done]", 0, "2026-10-22", "2026-12-21", "2026-11-21"},
		{"what was done by a day long ago", "view=tasks&date=2026-10-05&timezone=UTC",
			"2026-09-05T00:00:00", "2026-10-06T00:00:00", "[]", "[Hand in Some day Long done]", 0, "2026-09-05", "2026-11-04", "2026-10-05"},
		{"by itself, this month where the member lives", "",
			"2026-11-01T00:00:00", "2026-12-01T00:00:00", "[Thu 12 Nov 07:30 · Calendar]", "[]", 0, "2026-10-01", "2026-12-01", "2026-11-21"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := ann.Do("GET", "/world/panels/time?"+c.query).Want(200)
			var when []string
			for _, o := range a.List("appointments") {
				when = append(when, apptest.At(o, "summary").(string))
			}
			dateOf := func(where string) string {
				u, err := url.Parse(a.Str("navigation." + where))
				if err != nil {
					t.Fatal(err)
				}
				return u.Query().Get("date")
			}
			got := fmt.Sprint(a.Str("range.start"), " ", a.Str("range.end"), " ", when, " ", titlesAt(a, "tasks"), " ", len(a.List("slots")),
				" ", dateOf("previous"), " ", dateOf("next"), " ", dateOf("refresh"), " ", a.Str("anchor_date"))
			want := fmt.Sprint(c.start, " ", c.end, " ", c.appointments, " ", c.tasks, " ", c.slots, " ", c.previous, " ", c.next, " ", c.anchor, " ", c.anchor)
			if got != want {
				t.Errorf("got\n%s, want\n%s", got, want)
			}
		})
	}
}

// Covers T-41 and B-93: what keeps a slot busy.
func TestSlots(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	for _, body := range []string{
		`{"title": "Busy", "start": "2026-12-01T09:00:00", "end": "2026-12-01T10:15:00"}`,
		`{"title": "Also", "start": "2026-12-01T10:00:00", "end": "2026-12-01T10:30:00", "status": "tentative"}`,
		`{"title": "Cancelled", "start": "2026-12-01T11:00:00", "end": "2026-12-01T12:00:00", "status": "cancelled"}`,
		`{"title": "Lunch", "start": "2026-12-01T12:00:00", "end": "2026-12-01T13:00:00", "transparency": "transparent"}`,
		`{"title": "Into the day", "start": "2026-11-30T23:00:00", "end": "2026-12-01T00:30:00"}`,
		`{"title": "A moment", "start": "2026-12-01T15:10:00", "end": "2026-12-01T15:10:00"}`,
	} {
		ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", `+body[1:]).Want(201)
	}
	var got []string
	for _, s := range ann.Do("GET", "/world/panels/time?view=day&date=2026-12-01&timezone=Europe/Berlin").List("slots") {
		ids := len(apptest.At(s, "object_ids").([]any))
		if apptest.At(s, "busy") != (ids > 0) {
			t.Errorf("slot %v", s)
		}
		if ids > 0 {
			got = append(got, fmt.Sprint(apptest.At(s, "start").(string)[11:16], "-", apptest.At(s, "end").(string)[11:16], " ", ids))
		}
	}
	if want := "[00:00-00:30 1 09:00-09:30 1 09:30-10:00 1 10:00-10:30 2]"; fmt.Sprint(got) != want {
		t.Errorf("busy %v, want %s", got, want)
	}
}

// Covers W-133.
func TestTimePanelRefuses(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	for _, c := range []struct{ query, field string }{
		{"view=year", "view"}, {"view=Day", "view"}, {"view=%00", "view"},
		{"date=2026-13-01", "date"}, {"date=2026-02-30", "date"}, {"date=today", "date"}, {"date=0000-01-01", "date"}, {"date=0001-01-01", "date"},
		{"date=1599-12-31", "date"}, {"date=9000-01-01", "date"}, {"date=9999-12-31", "date"}, {"date=99999-01-01", "date"}, {"date=-001-01-01", "date"},
		{"date=2026-12-01T00:00:00Z", "date"}, {"date=%ff", "date"},
		{"timezone=Mars/X", "timezone"}, {"timezone=../../etc/passwd", "timezone"}, {"timezone=Europe/../../../etc/passwd", "timezone"},
		{"timezone=/etc/localtime", "timezone"}, {"timezone=Local", "timezone"}, {"timezone=" + strings.Repeat("A", 5000), "timezone"},
	} {
		a := ann.Do("GET", "/world/panels/time?"+c.query).WantError(400, "invalid_parameter").WantFields(c.field)
		if len(a.Body) > 1000 {
			t.Errorf("%.40s is refused in %d bytes", c.query, len(a.Body))
		}
	}
	ann.Do("GET", "/world/panels/time?colour=red&lat=abc").Want(200)
	h.Unauthenticated().Do("GET", "/world/panels/time").WantError(401, "unauthenticated")
	off := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{"time"} })
	off.Member("bea").Do("GET", "/world/panels/time").WantError(503, "service_unavailable")
}

// At either end of time there is nothing to turn to.
func TestTimePanelAtTheEndsOfTime(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	ann.Basic().Do("PUT", ann.DefaultCalendar()+"ever.ics", apptest.VEvent("ever", "DTSTART:16000101T000000Z", "DURATION:PT1H", "RRULE:FREQ=YEARLY", "SUMMARY:Ever")).Want(201)
	for _, view := range index.Views {
		for date, missing := range map[string]string{"1600-01-01": "previous", "8999-12-31": "next"} {
			a := ann.Do("GET", "/world/panels/time?timezone=UTC&view="+view+"&date="+date).Want(200)
			a.WantSchema("service.time.workspace", a.At(""))
			if a.At("navigation."+missing) != nil {
				t.Errorf("%s of %s leads on to %v", view, date, a.At("navigation."+missing))
			}
			for _, item := range a.List("nav") {
				action, leads := apptest.At(item, "action").(string)
				if leads == (apptest.At(item, "id") == missing) {
					t.Errorf("%s of %s: %v leads to %q", view, date, apptest.At(item, "id"), action)
				} else if leads {
					ann.Do("GET", action).Want(200)
				}
			}
		}
	}
}

// Samoa went from the 29th to the 31st of December 2011.
func TestDayThatNeverWas(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	a := ann.Do("GET", "/world/panels/time?view=day&date=2011-12-30&timezone=Pacific/Apia").Want(200)
	if n := len(a.List("slots")); n != 0 {
		t.Errorf("%d slots", n)
	}
	week := ann.Do("GET", "/world/panels/time?view=week&date=2011-12-30&timezone=Pacific/Apia").Want(200)
	if n := len(week.List("slots")); n != 6*48 {
		t.Errorf("%d slots in its week", n)
	}
}

// crowd puts n entries into a member's calendar, all in December 2026.
func crowd(c *apptest.Client, n int, component string, lines ...string) {
	c.T.Helper()
	v, segment := c.Viewer(), strings.Split(c.DefaultCalendar(), "/")[4]
	err := c.Server.DB.Write(c.T.Context(), func(tx *store.Tx) error {
		for i := range n {
			uid := fmt.Sprint(component, "-", i)
			at := time.Date(2026, 12, 1, 0, i, 0, 0, time.UTC).Format("20060102T150405Z")
			all := append([]string{"SUMMARY:" + uid}, lines...)
			if component == "VEVENT" {
				all = append(all, "DTSTART:"+at, "DURATION:PT1H")
			}
			o, err := ics.Parse([]byte(apptest.VObject(component, uid, all...)))
			if err != nil {
				return err
			}
			if _, _, err := c.Server.App.Collections.Put(tx, v, segment, uid+".ics", object.Prepare(o, tx.Now()), func(string) error { return nil }); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		c.T.Fatal(err)
	}
}

// However much a month holds, what is answered is bounded, and says that it is
// cut. Covers B-60.
func TestTimePanelIsBounded(t *testing.T) {
	svctest.Long(t)
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	crowd(ann, 10000, "VEVENT")
	crowd(ann, 1200, "VTODO")
	get := func(query string) (panel any, bytes int) {
		t.Helper()
		a := ann.Do("GET", "/world/panels/time?timezone=UTC&"+query).Want(200)
		return a.At(""), len(a.Body)
	}
	month, bytes := get("view=month&date=2026-12-01")
	shown := apptest.At(month, "appointments").([]any)
	if len(shown) != 5000 || apptest.At(shown, "0.title") != "VEVENT-0" || apptest.At(shown, "4999.title") != "VEVENT-4999" || bytes > 16<<20 {
		t.Errorf("%d appointments from %s to %s in %d bytes", len(shown), apptest.At(shown, "0.title"), apptest.At(shown, "4999.title"), bytes)
	}
	if got := fmt.Sprint(apptest.At(month, "fallbacks.0.state"), apptest.At(month, "fallbacks.0.reason"), apptest.At(month, "fallbacks.0.scope")); got != "degradedtruncatedmap[kind:section section:appointments]" {
		t.Errorf("fallback %s", got)
	}
	if got := apptest.At(month, "summary"); got != "December 2026 · more than 5000 calendar events, no tasks" {
		t.Errorf("summary %q", got)
	}
	if n := len(apptest.At(month, "sections.0.items").([]any)); n != 100 || apptest.At(month, "sections.0.summary") != "The first 100 of 5000." {
		t.Errorf("%d items: %s", n, apptest.At(month, "sections.0.summary"))
	}
	day, _ := get("view=day&date=2026-12-01")
	if n := len(apptest.At(day, "slots.4.object_ids").([]any)); n != 20 || len(apptest.At(day, "appointments").([]any)) != 1440 || len(apptest.At(day, "fallbacks").([]any)) != 0 {
		t.Errorf("a day has %d of %d appointments in a slot, %v", n, len(apptest.At(day, "appointments").([]any)), apptest.At(day, "fallbacks"))
	}
	tasks, _ := get("view=tasks")
	if n := len(apptest.At(tasks, "tasks").([]any)); n != 1000 || apptest.At(tasks, "fallbacks.0.scope.section") != "tasks" {
		t.Errorf("%d tasks, %v", n, apptest.At(tasks, "fallbacks"))
	}
	if b := bea.Do("GET", "/world/panels/time?view=month&date=2026-12-01").Want(200); len(b.List("appointments")) != 0 || len(b.List("fallbacks")) != 0 {
		t.Errorf("Bea sees %v", b.Str("summary"))
	}
}

// An entry may have a megabyte of text and a thousand instances: what is
// answered is bounded all the same, and nothing is left out of pages.
func TestLongTextsAreBounded(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann := h.Member("ann")
	path, text := ann.DefaultCalendar(), strings.Repeat("long\\n", 120000)
	ann.Basic().Do("PUT", path+"a.ics", apptest.VEvent("a", "DTSTART:20261201T000000Z", "DURATION:PT1M", "RRULE:FREQ=MINUTELY;COUNT=900", "SUMMARY:Long", "DESCRIPTION:"+text)).Want(201)
	for i := range 8 {
		ann.Basic().Do("PUT", fmt.Sprintf("%s%d.ics", path, i), apptest.VObject("VTODO", fmt.Sprint("t", i), "SUMMARY:Task", "DUE:20261201T000000Z", "DESCRIPTION:"+text)).Want(201)
	}
	for _, c := range []struct{ query, section string }{
		{"view=month", "appointments"}, {"view=day", "appointments"},
	} {
		a := ann.Do("GET", "/world/panels/time?date=2026-12-01&timezone=UTC&"+c.query).Want(200)
		if len(a.Body) > 12<<20 || !strings.Contains(a.Body, `"scope":{"kind":"section","section":"`+c.section+`"}`) || len(a.List(c.section)) < 2 {
			t.Errorf("%s: %d bytes, %d %s, %v", c.query, len(a.Body), len(a.List(c.section)), c.section, a.At("fallbacks"))
		}
	}
	count := func(c *apptest.Client, path, list string) (n int) {
		for next := path; next != ""; {
			a := c.Do("GET", next).Want(200)
			if len(a.Body) > 8<<20 {
				t.Errorf("a page of %s has %d bytes", list, len(a.Body))
			}
			v := a.At("")
			n += len(apptest.At(v, list).([]any))
			cursor, more := apptest.At(v, "page.next_cursor").(string)
			if next = ""; more && n < 30 { // the others are as these
				next = path + "&cursor=" + cursor
			}
		}
		return n
	}
	if n := count(ann, "/world/time/objects?object_type=calendar_event&start=2026-12-01", "objects"); n < 30 {
		t.Errorf("%d appointments in pages", n)
	}
	if n := count(ann.AsService(), "/tasks?limit=200", "tasks"); n != 8 {
		t.Errorf("%d tasks in pages", n)
	}
}

// Reading a panel changes nothing, and what another member does changes no
// panel. Covers W-128, T-06 and PT-07 as far as panels go.
func TestPanelsAreReadAndAreOnesOwn(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann").Runtime(), h.Member("bea")
	ann.CreateEntries()
	see := func() (all string) {
		for _, view := range index.Views {
			all += ann.Do("GET", "/world/panels/time?view="+view).Want(200).Body
		}
		return all
	}
	etag := ann.Do("GET", "/world/runtime").Header.Get("ETag")
	before := see()
	if got := ann.Do("GET", "/world/runtime").Header.Get("ETag"); got != etag {
		t.Error("reading panels changed the dataset")
	}
	bea.CreateEntries()
	bea.Do("PATCH", "/world/time/preferences", `{"week_start": "sunday", "slot_minutes": 60}`).Want(200)
	if see() != before {
		t.Error("what Bea did shows in Ann's panels")
	}
	id := ann.Do("GET", "/world/time/objects").Str("objects.0.id")
	bea.Do("GET", "/world/time/objects/"+id).WantError(404, "not_found")
	// What is in a calendar that is put out of sight is not listed.
	calendarID := ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	ann.Do("PATCH", "/world/calendars/"+calendarID, `{"visible": false}`).Want(200)
	for _, view := range index.Views {
		a := ann.Do("GET", "/world/panels/time?view="+view)
		if n := len(a.List("appointments")) + len(a.List("tasks")); n != 0 || len(a.List("calendars")) != 1 {
			t.Errorf("%s of a calendar out of sight has %d entries", view, n)
		}
	}
}

// Covers B-93: preferences.
func TestTimePreferences(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	all := func(a *apptest.Answer, where string) string {
		text, err := json.Marshal(a.At(where))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const usual = `{"day_end":"22:00","day_start":"07:00","slot_minutes":30,"week_start":"monday"}`
	if got := all(ann.Do("GET", "/world/time/preferences").Want(200), "preferences"); got != usual {
		t.Errorf("at first %s", got)
	}
	const mine = `{"day_end":"24:00","day_start":"05:30","slot_minutes":60,"week_start":"sunday"}`
	ann.Do("PATCH", "/world/time/preferences", `{"day_start": "05:30", "week_start": "sunday"}`).Want(200)
	if got := all(ann.Do("PATCH", "/world/time/preferences", apptest.Form("day_end=24:00&slot_minutes=60")).Want(200), "preferences"); got != mine {
		t.Errorf("changed to %s", got)
	}
	for _, c := range []struct{ body, code, field string }{
		{`{"day_start": "7"}`, "invalid_value", "day_start"}, {`{"day_start": "24:00"}`, "invalid_value", "day_start"},
		{`{"day_start": ""}`, "invalid_value", "day_start"}, {`{"day_end": "25:00"}`, "invalid_value", "day_end"},
		{`{"day_end": "05:30"}`, "end_before_start", "day_end"}, {`{"week_start": "Monday"}`, "invalid_value", "week_start"},
		{`{"slot_minutes": 7}`, "invalid_value", "slot_minutes"}, {`{"slot_minutes": -30}`, "invalid_value", "slot_minutes"},
	} {
		ann.Do("PATCH", "/world/time/preferences", c.body).WantError(422, c.code).WantFields(c.field)
	}
	ann.Do("PATCH", "/world/time/preferences", `{"slot_minutes": "often"}`).WantError(400, "malformed_body").WantFields("slot_minutes")
	panel := ann.Do("GET", "/world/panels/time?view=week&date=2026-12-02").Want(200)
	if all(panel, "boundaries") != mine || panel.Str("range.start") != "2026-11-29T00:00:00" || len(panel.List("slots")) != 7*24 {
		t.Errorf("a week is %v with %v and %d slots", panel.At("range"), panel.At("boundaries"), len(panel.List("slots")))
	}
	if got := all(ann.Do("GET", "/world/identity/export").Want(200), "time_preferences"); got != mine {
		t.Errorf("exported as %s", got)
	}
	if got := all(ann.Do("PATCH", "/world/time/preferences", `{"day_start": null, "day_end": null, "week_start": null, "slot_minutes": null}`).Want(200), "preferences"); got != usual {
		t.Errorf("cleared to %s", got)
	}
}
