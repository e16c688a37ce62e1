package app

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/config"
	"appliance/store"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/object"
)

// Covers W-120 and W-137 as far as Time goes, W-122, W-123, W-124, W-131, W-138,
// T-31, T-34, T-37, T-41, W-01 and W-03.
func TestTimePanel(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	for _, settled := range []bool{false, true} {
		if settled {
			ann.settle()
			ann.basic().do("DELETE", ann.defaultCalendar()+"minutely.ics").want(204)
		}
		for _, view := range index.Views {
			t.Run(fmt.Sprint(view, " settled ", settled), func(t *testing.T) {
				a := ann.do("GET", "/world/panels/time?view="+view).want(200)
				checkTimePanel(t, ann, a)
				if a.str("view") != view {
					t.Errorf("view %s", a.str("view"))
				}
				if slots := len(a.list("slots")); (slots > 0) != (view == "day" || view == "week") {
					t.Errorf("%d slots", slots)
				}
				if n := len(a.list("appointments")) + len(a.list("tasks")); !settled && n > 0 {
					t.Errorf("a new member has %d entries", n)
				}
			})
		}
	}
	ann.do("GET", "/world/panels/maps").refused(404, "not_found") // W-121
}

// humanTexts are what a panel says to people, anyEvent an event in it with the
// word before.
var (
	humanTexts = regexp.MustCompile(`"(label|title|summary|message)":"[^"]*"`)
	anyEvent   = regexp.MustCompile(`(?i)(\w+ )?\bevents?\b`)
)

func checkTimePanel(t *testing.T, c *client, a *answer) {
	t.Helper()
	a.fits("service.world.panel", a.at(""))
	a.fits("service.time.workspace", a.at(""))
	if a.str("kind") != "time" || a.str("title") == "" || a.str("summary") == "" {
		t.Errorf("kind %q, title %q, summary %q", a.str("kind"), a.str("title"), a.str("summary"))
	}
	for _, text := range humanTexts.FindAllString(a.body, -1) {
		for _, event := range anyEvent.FindAllString(text, -1) {
			if !strings.HasPrefix(strings.ToLower(event), "calendar ") {
				t.Errorf("%s does not say whose event it is about", text)
			}
		}
	}
	for _, item := range a.list("nav") {
		if action, ok := dig(item, "action").(string); ok {
			c.do("GET", action).want(200)
		}
	}
	for _, where := range []string{"refresh", "previous", "next", "today"} {
		again := c.do("GET", a.str("navigation."+where)).want(200)
		if again.str("view") != a.str("view") || again.str("timezone") != a.str("timezone") {
			t.Errorf("%s leads to %s in %s", where, again.str("view"), again.str("timezone"))
		}
		if where == "refresh" && again.body != a.body {
			t.Error("a refresh shows something else")
		}
	}
	fields := make(map[string]bool)
	for _, f := range a.list("editable_fields") {
		for _, objectType := range dig(f, "applies_to").([]any) {
			fields[fmt.Sprint(objectType, " ", dig(f, "id"))] = true
		}
	}
	for _, o := range append(a.list("appointments"), a.list("tasks")...) {
		for _, field := range dig(o, "state.editable_fields").([]any) {
			if !fields[fmt.Sprint(dig(o, "object_type"), " ", field)] {
				t.Errorf("nothing tells how to edit %v", field)
			}
		}
	}
	checkSections(t, a)
	addresses(t, "", a.at(""))
}

func checkSections(t *testing.T, a *answer) {
	t.Helper()
	if len(a.list("sections")) != 2 {
		t.Errorf("%d sections", len(a.list("sections")))
	}
	for _, s := range a.list("sections") {
		items := dig(s, "items").([]any)
		if len(items) == 0 && dig(s, "summary") == "" {
			t.Errorf("section %v is empty and does not say so", dig(s, "title"))
		}
		seen := make(map[any]bool)
		for _, item := range items {
			if id := dig(item, "id"); seen[id] {
				t.Errorf("the item %v is there twice", id)
			}
			seen[dig(item, "id")] = true
		}
	}
}

// addresses fails the test if anything is sent elsewhere than to World.
func addresses(t *testing.T, key string, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			addresses(t, k, child)
		}
	case []any:
		for _, child := range v {
			addresses(t, key, child)
		}
	case string:
		if strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "/world/") && key != "caldav_path" {
			t.Errorf("%s is %s", key, v)
		}
	}
}

// filled returns what a form says, with something in what it requires.
func filled(form any) map[string]any {
	body := make(map[string]any)
	for _, control := range dig(form, "controls").([]any) {
		value := dig(control, "default")
		if dig(control, "required") == true && value == "" {
			value = "Something"
		}
		body[dig(control, "id").(string)] = value
	}
	return body
}

// A form that is sent as it says does what it says, as JSON and as a form.
// Covers W-125, W-126, W-127 and PT-31.
func TestFormsOfTheTimePanel(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	panel := ann.do("GET", "/world/panels/time?date=2026-12-01&view=day&timezone=Asia/Tokyo").want(200)
	forms := panel.list("action_descriptors")
	if len(forms) != 4 {
		t.Fatalf("%d forms", len(forms))
	}
	for _, form := range forms {
		if dig(form, "type") != "submit_form" {
			t.Errorf("a descriptor is a %v", dig(form, "type"))
		}
		body := filled(form)
		values := make(url.Values)
		for name, v := range body {
			if v != nil {
				values.Set(name, fmt.Sprint(v))
			}
		}
		method, address := dig(form, "method").(string), dig(form, "url").(string)
		for _, sent := range []any{body, formBody(values.Encode())} {
			a := ann.do(method, address, sent)
			if a.status >= 300 {
				t.Errorf("%v sent as %v: %d %s", dig(form, "id"), sent, a.status, a.body)
			}
		}
		for _, control := range dig(form, "controls").([]any) {
			if options, _ := dig(control, "options").([]any); (dig(control, "type") == "selector") != (len(options) > 0) {
				t.Errorf("the %v %v has %d options", dig(control, "type"), dig(control, "id"), len(options))
			}
		}
	}
	// What was read in Tokyo is meant in Tokyo.
	after := ann.do("GET", panel.str("navigation.refresh")).want(200)
	if n := len(after.list("appointments")); n != 2 {
		t.Fatalf("%d appointments after two forms", n)
	}
	if got := after.str("appointments.0.state.start.utc"); got != "2026-11-30T22:00:00Z" {
		t.Errorf("seven in Tokyo is %s", got)
	}
}

// Every action of an item is a request that works as it stands. Covers PT-02
// as far as this panel goes.
func TestItemsOfTheTimePanelCanBeActedUpon(t *testing.T) {
	h := open(t, func(s *config.Settings) { s.RateLimits = map[string]int{"writes": 0} })
	ann := h.member("ann")
	ann.settle()
	ann.basic().do("DELETE", ann.defaultCalendar()+"minutely.ics").want(204)
	ann.do("POST", "/world/time/objects", `{"object_type": "task", "title": "Bins", "due": "2026-11-25", "rrule": "FREQ=WEEKLY"}`).want(201)
	item := func(view, title, action string) (found any) {
		t.Helper()
		for _, s := range ann.do("GET", "/world/panels/time?view="+view).want(200).list("sections") {
			for _, item := range dig(s, "items").([]any) {
				if dig(item, "title") != title {
					continue
				}
				for _, a := range dig(item, "actions").([]any) {
					if dig(a, "id") == action {
						found = a
					}
				}
				return found
			}
		}
		t.Fatalf("no item %s", title)
		return nil
	}
	do := func(action any) *answer {
		t.Helper()
		return ann.do(dig(action, "method").(string), dig(action, "url").(string), dig(action, "body")).want(200)
	}
	do(item("tasks", "Taxes", "open"))
	do(item("tasks", "Taxes", "complete"))
	do(item("tasks", "Taxes", "reopen"))
	if got := ann.do("GET", "/world/panels/time?view=tasks").str("summary"); got != "3 tasks: 3 to do, 0 done" {
		t.Errorf("summary %q", got)
	}
	// A task that is ticked off is followed by the next one of its series.
	due := func() string {
		for _, o := range ann.do("GET", "/world/panels/time?view=tasks").list("tasks") {
			if dig(o, "title") == "Bins" {
				return fmt.Sprint(dig(o, "state.occurrence.recurrence_id"))
			}
		}
		return "nowhere"
	}
	first := due()
	do(item("tasks", "Bins", "complete"))
	if second := due(); first != "2026-11-25" || second != "2026-12-02" {
		t.Errorf("due %s and then %s", first, second)
	}
	do(item("agenda", "Choir <b>", "delete"))
	if again := item("agenda", "Choir <b>", "delete"); !strings.Contains(dig(again, "url").(string), "recurrence_id=2026-12-07") {
		t.Errorf("after the first of them is deleted, the next is %v", again)
	}
	do(item("agenda", "Choir <b>", "delete_all"))
	if a := ann.do("GET", "/world/panels/time?view=agenda"); slices.Contains(titlesAt(a, "appointments"), "Choir <b>") {
		t.Error("a deleted series is still there")
	}
}

func titlesAt(a *answer, list string) (titles []string) {
	for _, o := range a.list(list) {
		titles = append(titles, dig(o, "title").(string))
	}
	return titles
}

// Covers T-13, T-29, T-30, W-132, B-59 and B-93: what each view shows, where
// days are odd too.
func TestViewsOfTime(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	path := ann.defaultCalendar()
	for uid, lines := range map[string][]string{
		"late":  {"DTSTART:20261201T233000Z", "DTEND:20261201T234500Z", "SUMMARY:Late"},
		"yoga":  {"DTSTART;TZID=Europe/Berlin:20270322T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY", "SUMMARY:Yoga"},
		"trip":  {"DTSTART;VALUE=DATE:20261230", "DTEND;VALUE=DATE:20270103", "SUMMARY:Trip"},
		"alarm": {"DTSTART:20261112T073000", "DURATION:PT15M", "SUMMARY:Wake up"},
	} {
		ann.basic().do("PUT", path+uid+".ics", vevent(uid, lines...)).want(201) // T-18
	}
	ann.basic().do("PUT", path+"due.ics", vobject("VTODO", "due", "DUE:20261202T100000Z", "SUMMARY:Hand in", "CREATED:20261101T000000Z")).want(201)
	ann.basic().do("PUT", path+"some-day.ics", vobject("VTODO", "some-day", "SUMMARY:Some day", "CREATED:20261101T000000Z")).want(201)
	ann.basic().do("PUT", path+"done.ics", vobject("VTODO", "done", "SUMMARY:Done", "STATUS:COMPLETED", "COMPLETED:20261101T120000Z")).want(201)
	ann.basic().do("PUT", path+"long-done.ics", vobject("VTODO", "long-done", "SUMMARY:Long done", "STATUS:COMPLETED", "COMPLETED:20261001T120000Z")).want(201)
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
			a := ann.do("GET", "/world/panels/time?"+c.query).want(200)
			var when []string
			for _, o := range a.list("appointments") {
				when = append(when, dig(o, "summary").(string))
			}
			dateOf := func(where string) string {
				u, err := url.Parse(a.str("navigation." + where))
				if err != nil {
					t.Fatal(err)
				}
				return u.Query().Get("date")
			}
			got := fmt.Sprint(a.str("range.start"), " ", a.str("range.end"), " ", when, " ", titlesAt(a, "tasks"), " ", len(a.list("slots")),
				" ", dateOf("previous"), " ", dateOf("next"), " ", dateOf("refresh"), " ", a.str("anchor_date"))
			want := fmt.Sprint(c.start, " ", c.end, " ", c.appointments, " ", c.tasks, " ", c.slots, " ", c.previous, " ", c.next, " ", c.anchor, " ", c.anchor)
			if got != want {
				t.Errorf("got\n%s, want\n%s", got, want)
			}
		})
	}
}

// Covers T-41 and B-93: what keeps a slot busy.
func TestSlots(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	for _, body := range []string{
		`{"title": "Busy", "start": "2026-12-01T09:00:00", "end": "2026-12-01T10:15:00"}`,
		`{"title": "Also", "start": "2026-12-01T10:00:00", "end": "2026-12-01T10:30:00", "status": "tentative"}`,
		`{"title": "Cancelled", "start": "2026-12-01T11:00:00", "end": "2026-12-01T12:00:00", "status": "cancelled"}`,
		`{"title": "Lunch", "start": "2026-12-01T12:00:00", "end": "2026-12-01T13:00:00", "transparency": "transparent"}`,
		`{"title": "Into the day", "start": "2026-11-30T23:00:00", "end": "2026-12-01T00:30:00"}`,
		`{"title": "A moment", "start": "2026-12-01T15:10:00", "end": "2026-12-01T15:10:00"}`,
	} {
		ann.do("POST", "/world/time/objects", `{"object_type": "calendar_event", `+body[1:]).want(201)
	}
	var got []string
	for _, s := range ann.do("GET", "/world/panels/time?view=day&date=2026-12-01&timezone=Europe/Berlin").list("slots") {
		ids := len(dig(s, "object_ids").([]any))
		if dig(s, "busy") != (ids > 0) {
			t.Errorf("slot %v", s)
		}
		if ids > 0 {
			got = append(got, fmt.Sprint(dig(s, "start").(string)[11:16], "-", dig(s, "end").(string)[11:16], " ", ids))
		}
	}
	if want := "[00:00-00:30 1 09:00-09:30 1 09:30-10:00 1 10:00-10:30 2]"; fmt.Sprint(got) != want {
		t.Errorf("busy %v, want %s", got, want)
	}
}

// Covers W-133.
func TestTimePanelRefuses(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	for _, c := range []struct{ query, field string }{
		{"view=year", "view"}, {"view=Day", "view"}, {"view=%00", "view"},
		{"date=2026-13-01", "date"}, {"date=2026-02-30", "date"}, {"date=today", "date"}, {"date=0000-01-01", "date"}, {"date=0001-01-01", "date"},
		{"date=1599-12-31", "date"}, {"date=9000-01-01", "date"}, {"date=9999-12-31", "date"}, {"date=99999-01-01", "date"}, {"date=-001-01-01", "date"},
		{"date=2026-12-01T00:00:00Z", "date"}, {"date=%ff", "date"},
		{"timezone=Mars/X", "timezone"}, {"timezone=../../etc/passwd", "timezone"}, {"timezone=Europe/../../../etc/passwd", "timezone"},
		{"timezone=/etc/localtime", "timezone"}, {"timezone=Local", "timezone"}, {"timezone=" + strings.Repeat("A", 5000), "timezone"},
	} {
		a := ann.do("GET", "/world/panels/time?"+c.query).refused(400, "invalid_parameter").names(c.field)
		if len(a.body) > 1000 {
			t.Errorf("%.40s is refused in %d bytes", c.query, len(a.body))
		}
	}
	ann.do("GET", "/world/panels/time?colour=red&lat=abc").want(200)
	h.nobody().do("GET", "/world/panels/time").refused(401, "unauthenticated")
	off := open(t, func(s *config.Settings) { s.ServicesOff = []string{"time"} })
	off.member("bea").do("GET", "/world/panels/time").refused(503, "service_unavailable")
}

// At either end of time there is nothing to turn to.
func TestTimePanelAtTheEndsOfTime(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	ann.basic().do("PUT", ann.defaultCalendar()+"ever.ics", vevent("ever", "DTSTART:16000101T000000Z", "DURATION:PT1H", "RRULE:FREQ=YEARLY", "SUMMARY:Ever")).want(201)
	for _, view := range index.Views {
		for date, missing := range map[string]string{"1600-01-01": "previous", "8999-12-31": "next"} {
			a := ann.do("GET", "/world/panels/time?timezone=UTC&view="+view+"&date="+date).want(200)
			a.fits("service.time.workspace", a.at(""))
			if a.at("navigation."+missing) != nil {
				t.Errorf("%s of %s leads on to %v", view, date, a.at("navigation."+missing))
			}
			for _, item := range a.list("nav") {
				action, leads := dig(item, "action").(string)
				if leads == (dig(item, "id") == missing) {
					t.Errorf("%s of %s: %v leads to %q", view, date, dig(item, "id"), action)
				} else if leads {
					ann.do("GET", action).want(200)
				}
			}
		}
	}
}

// Samoa went from the 29th to the 31st of December 2011.
func TestDayThatNeverWas(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	a := ann.do("GET", "/world/panels/time?view=day&date=2011-12-30&timezone=Pacific/Apia").want(200)
	if n := len(a.list("slots")); n != 0 {
		t.Errorf("%d slots", n)
	}
	week := ann.do("GET", "/world/panels/time?view=week&date=2011-12-30&timezone=Pacific/Apia").want(200)
	if n := len(week.list("slots")); n != 6*48 {
		t.Errorf("%d slots in its week", n)
	}
}

// crowd puts n entries into a member's calendar, all in December 2026.
func (c *client) crowd(n int, component string, lines ...string) {
	c.t.Helper()
	v, segment := c.viewer(), strings.Split(c.defaultCalendar(), "/")[4]
	err := c.h.db.Write(c.t.Context(), func(tx *store.Tx) error {
		for i := range n {
			uid := fmt.Sprint(component, "-", i)
			at := time.Date(2026, 12, 1, 0, i, 0, 0, time.UTC).Format("20060102T150405Z")
			all := append([]string{"SUMMARY:" + uid}, lines...)
			if component == "VEVENT" {
				all = append(all, "DTSTART:"+at, "DURATION:PT1H")
			}
			o, err := ics.Parse([]byte(vobject(component, uid, all...)))
			if err != nil {
				return err
			}
			if _, _, err := c.h.collections.Put(tx, v, segment, uid+".ics", object.Prepare(o, tx.Now()), func(string) error { return nil }); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
}

// However much a month holds, what is answered is bounded, and says that it is
// cut. Covers B-60.
func TestTimePanelIsBounded(t *testing.T) {
	lengthy(t)
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	ann.crowd(10000, "VEVENT")
	ann.crowd(1200, "VTODO")
	get := func(query string) (panel any, bytes int) {
		t.Helper()
		a := ann.do("GET", "/world/panels/time?timezone=UTC&"+query).want(200)
		return a.at(""), len(a.body)
	}
	month, bytes := get("view=month&date=2026-12-01")
	shown := dig(month, "appointments").([]any)
	if len(shown) != 5000 || dig(shown, "0.title") != "VEVENT-0" || dig(shown, "4999.title") != "VEVENT-4999" || bytes > 16<<20 {
		t.Errorf("%d appointments from %s to %s in %d bytes", len(shown), dig(shown, "0.title"), dig(shown, "4999.title"), bytes)
	}
	if got := fmt.Sprint(dig(month, "fallbacks.0.state"), dig(month, "fallbacks.0.reason"), dig(month, "fallbacks.0.scope")); got != "degradedtruncatedmap[kind:section section:appointments]" {
		t.Errorf("fallback %s", got)
	}
	if got := dig(month, "summary"); got != "December 2026 · more than 5000 calendar events, no tasks" {
		t.Errorf("summary %q", got)
	}
	if n := len(dig(month, "sections.0.items").([]any)); n != 100 || dig(month, "sections.0.summary") != "The first 100 of 5000." {
		t.Errorf("%d items: %s", n, dig(month, "sections.0.summary"))
	}
	day, _ := get("view=day&date=2026-12-01")
	if n := len(dig(day, "slots.4.object_ids").([]any)); n != 20 || len(dig(day, "appointments").([]any)) != 1440 || len(dig(day, "fallbacks").([]any)) != 0 {
		t.Errorf("a day has %d of %d appointments in a slot, %v", n, len(dig(day, "appointments").([]any)), dig(day, "fallbacks"))
	}
	tasks, _ := get("view=tasks")
	if n := len(dig(tasks, "tasks").([]any)); n != 1000 || dig(tasks, "fallbacks.0.scope.section") != "tasks" {
		t.Errorf("%d tasks, %v", n, dig(tasks, "fallbacks"))
	}
	if b := bea.do("GET", "/world/panels/time?view=month&date=2026-12-01").want(200); len(b.list("appointments")) != 0 || len(b.list("fallbacks")) != 0 {
		t.Errorf("Bea sees %v", b.str("summary"))
	}
}

// An entry may have a megabyte of text and a thousand instances: what is
// answered is bounded all the same, and nothing is left out of pages.
func TestLongTextsAreBounded(t *testing.T) {
	h := open(t, withKey)
	ann := h.member("ann")
	path, text := ann.defaultCalendar(), strings.Repeat("long\\n", 120000)
	ann.basic().do("PUT", path+"a.ics", vevent("a", "DTSTART:20261201T000000Z", "DURATION:PT1M", "RRULE:FREQ=MINUTELY;COUNT=900", "SUMMARY:Long", "DESCRIPTION:"+text)).want(201)
	for i := range 8 {
		ann.basic().do("PUT", fmt.Sprintf("%s%d.ics", path, i), vobject("VTODO", fmt.Sprint("t", i), "SUMMARY:Task", "DUE:20261201T000000Z", "DESCRIPTION:"+text)).want(201)
	}
	for _, c := range []struct{ query, section string }{
		{"view=month", "appointments"}, {"view=day", "appointments"},
	} {
		a := ann.do("GET", "/world/panels/time?date=2026-12-01&timezone=UTC&"+c.query).want(200)
		if len(a.body) > 12<<20 || !strings.Contains(a.body, `"scope":{"kind":"section","section":"`+c.section+`"}`) || len(a.list(c.section)) < 2 {
			t.Errorf("%s: %d bytes, %d %s, %v", c.query, len(a.body), len(a.list(c.section)), c.section, a.at("fallbacks"))
		}
	}
	count := func(c *client, path, list string) (n int) {
		for next := path; next != ""; {
			a := c.do("GET", next).want(200)
			if len(a.body) > 8<<20 {
				t.Errorf("a page of %s has %d bytes", list, len(a.body))
			}
			v := a.at("")
			n += len(dig(v, list).([]any))
			cursor, more := dig(v, "page.next_cursor").(string)
			if next = ""; more && n < 30 { // the others are as these
				next = path + "&cursor=" + cursor
			}
		}
		return n
	}
	if n := count(ann, "/world/time/objects?object_type=calendar_event&start=2026-12-01", "objects"); n < 30 {
		t.Errorf("%d appointments in pages", n)
	}
	if n := count(ann.internally(), "/tasks?limit=200", "tasks"); n != 8 {
		t.Errorf("%d tasks in pages", n)
	}
}

// Reading a panel changes nothing, and what another member does changes no
// panel. Covers W-128, T-06 and PT-07 as far as panels go.
func TestPanelsAreReadAndAreOnesOwn(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann").runtime(), h.member("bea")
	ann.settle()
	see := func() (all string) {
		for _, view := range index.Views {
			all += ann.do("GET", "/world/panels/time?view="+view).want(200).body
		}
		return all
	}
	etag := ann.do("GET", "/world/runtime").header.Get("ETag")
	before := see()
	if got := ann.do("GET", "/world/runtime").header.Get("ETag"); got != etag {
		t.Error("reading panels changed the dataset")
	}
	bea.settle()
	bea.do("PATCH", "/world/time/preferences", `{"week_start": "sunday", "slot_minutes": 60}`).want(200)
	if see() != before {
		t.Error("what Bea did shows in Ann's panels")
	}
	id := ann.do("GET", "/world/time/objects").str("objects.0.id")
	bea.do("GET", "/world/time/objects/"+id).refused(404, "not_found")
	// What is in a calendar that is put out of sight is not listed.
	calendarID := ann.do("GET", "/world/calendars").str("calendars.0.id")
	ann.do("PATCH", "/world/calendars/"+calendarID, `{"visible": false}`).want(200)
	for _, view := range index.Views {
		a := ann.do("GET", "/world/panels/time?view="+view)
		if n := len(a.list("appointments")) + len(a.list("tasks")); n != 0 || len(a.list("calendars")) != 1 {
			t.Errorf("%s of a calendar out of sight has %d entries", view, n)
		}
	}
}

// Covers B-93: preferences.
func TestTimePreferences(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	all := func(a *answer, where string) string {
		text, err := json.Marshal(a.at(where))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const usual = `{"day_end":"22:00","day_start":"07:00","slot_minutes":30,"week_start":"monday"}`
	if got := all(ann.do("GET", "/world/time/preferences").want(200), "preferences"); got != usual {
		t.Errorf("at first %s", got)
	}
	const mine = `{"day_end":"24:00","day_start":"05:30","slot_minutes":60,"week_start":"sunday"}`
	ann.do("PATCH", "/world/time/preferences", `{"day_start": "05:30", "week_start": "sunday"}`).want(200)
	if got := all(ann.do("PATCH", "/world/time/preferences", formBody("day_end=24:00&slot_minutes=60")).want(200), "preferences"); got != mine {
		t.Errorf("changed to %s", got)
	}
	for _, c := range []struct{ body, code, field string }{
		{`{"day_start": "7"}`, "invalid_value", "day_start"}, {`{"day_start": "24:00"}`, "invalid_value", "day_start"},
		{`{"day_start": ""}`, "invalid_value", "day_start"}, {`{"day_end": "25:00"}`, "invalid_value", "day_end"},
		{`{"day_end": "05:30"}`, "end_before_start", "day_end"}, {`{"week_start": "Monday"}`, "invalid_value", "week_start"},
		{`{"slot_minutes": 7}`, "invalid_value", "slot_minutes"}, {`{"slot_minutes": -30}`, "invalid_value", "slot_minutes"},
	} {
		ann.do("PATCH", "/world/time/preferences", c.body).refused(422, c.code).names(c.field)
	}
	ann.do("PATCH", "/world/time/preferences", `{"slot_minutes": "often"}`).refused(400, "malformed_body").names("slot_minutes")
	panel := ann.do("GET", "/world/panels/time?view=week&date=2026-12-02").want(200)
	if all(panel, "boundaries") != mine || panel.str("range.start") != "2026-11-29T00:00:00" || len(panel.list("slots")) != 7*24 {
		t.Errorf("a week is %v with %v and %d slots", panel.at("range"), panel.at("boundaries"), len(panel.list("slots")))
	}
	if got := all(ann.do("GET", "/world/identity/export").want(200), "time_preferences"); got != mine {
		t.Errorf("exported as %s", got)
	}
	if got := all(ann.do("PATCH", "/world/time/preferences", `{"day_start": null, "day_end": null, "week_start": null, "slot_minutes": null}`).want(200), "preferences"); got != usual {
		t.Errorf("cleared to %s", got)
	}
}
