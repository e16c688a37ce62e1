package calendar

import (
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

// Each view matches the schemas of panels and workspaces, its links lead to the
// same view, and its items can be edited. Covers W-120 and W-137 for Time, W-122,
// W-123, W-124, W-131, W-138, T-31, T-34, T-37, T-41, W-01 and W-03.
func TestViewsOfThePanelMeetTheirSchemas(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	for _, filled := range []bool{false, true} {
		if filled {
			ann.CreateEntries()
			ann.Basic().Do("DELETE", ann.DefaultCalendar()+"minutely.ics").Want(204)
		}
		for _, view := range index.View("").Values() {
			t.Run(fmt.Sprint(view, " filled ", filled), func(t *testing.T) {
				a := ann.Do("GET", "/world/panels/time?view="+view).Want(200)
				wantValidPanel(t, ann, a)
				if got := a.Str("view"); got != view {
					t.Errorf("got view %s, want %s", got, view)
				}
				if slots, want := len(a.List("slots")), view == "day" || view == "week"; (slots > 0) != want {
					t.Errorf("got %d slots, want some: %t", slots, want)
				}
				if n := len(a.List("appointments")) + len(a.List("tasks")); !filled && n > 0 {
					t.Errorf("a new member has %d entries, want 0", n)
				}
			})
		}
	}
}

func wantValidPanel(t *testing.T, c *apptest.Client, a *apptest.Answer) {
	t.Helper()
	a.WantSchema("service.world.panel", a.At(""))
	a.WantSchema("service.time.workspace", a.At(""))
	if a.Str("kind") != "time" || a.Str("title") == "" || a.Str("summary") == "" {
		t.Errorf("got kind %q, title %q, summary %q, want time and two texts", a.Str("kind"), a.Str("title"), a.Str("summary"))
	}
	for _, text := range apptest.HumanTexts.FindAllString(a.Body, -1) {
		for _, event := range apptest.AnyEvent.FindAllString(text, -1) {
			if !strings.HasPrefix(strings.ToLower(event), "calendar ") {
				t.Errorf("%s names an event without saying that it is of the calendar", text)
			}
		}
	}
	for _, item := range a.List("nav") {
		if action, ok := apptest.At(item, "action").(string); ok {
			c.Do("GET", action).Want(200)
		}
	}
	for _, link := range []string{"refresh", "previous", "next", "today"} {
		again := c.Do("GET", a.Str("navigation."+link)).Want(200)
		if again.Str("view") != a.Str("view") || again.Str("timezone") != a.Str("timezone") {
			t.Errorf("%s leads to %s in %s, want %s in %s", link, again.Str("view"), again.Str("timezone"), a.Str("view"), a.Str("timezone"))
		}
		if link == "refresh" && again.Body != a.Body {
			t.Errorf("refresh got\n%s\nwant\n%s", again.Body, a.Body)
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
				t.Errorf("editable_fields does not describe %v", field)
			}
		}
	}
	wantValidSections(t, a)
	apptest.CheckPaths(t, "", a.At(""))
}

func wantValidSections(t *testing.T, a *apptest.Answer) {
	t.Helper()
	if n := len(a.List("sections")); n != 2 {
		t.Errorf("got %d sections, want 2", n)
	}
	for _, s := range a.List("sections") {
		items := apptest.At(s, "items").([]any)
		if len(items) == 0 && apptest.At(s, "summary") == "" {
			t.Errorf("section %v is empty and has no summary", apptest.At(s, "title"))
		}
		ids := apptest.Values(items, "id")
		slices.Sort(ids)
		if n := len(slices.Compact(slices.Clone(ids))); n != len(ids) {
			t.Errorf("section %v: got ids %q, want no repetition", apptest.At(s, "title"), ids)
		}
	}
}

// A form can be submitted with its defaults, as JSON and as a form, and local
// times are in the time zone of the panel. Covers W-125, W-126, W-127 and PT-31.
func TestFormsOfThePanelCanBeSubmitted(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	panel := ann.Do("GET", "/world/panels/time?date=2026-12-01&view=day&timezone=Asia/Tokyo").Want(200)
	forms := panel.List("action_descriptors")
	if len(forms) != 4 {
		t.Fatalf("got %d forms, want 4", len(forms))
	}
	for _, form := range forms {
		if got := apptest.At(form, "type"); got != "submit_form" {
			t.Errorf("got descriptor type %v, want submit_form", got)
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
			if a := ann.Do(method, address, sent); a.Status >= 300 {
				t.Errorf("%v with %v: got status %d %s", apptest.At(form, "id"), sent, a.Status, a.Body)
			}
		}
		for _, control := range apptest.At(form, "controls").([]any) {
			kind := apptest.At(control, "type")
			if options, _ := apptest.At(control, "options").([]any); (kind == "selector" || kind == "color") != (len(options) > 0) {
				t.Errorf("the %v %v has %d options", kind, apptest.At(control, "id"), len(options))
			}
		}
	}
	after := ann.Do("GET", panel.Str("navigation.refresh")).Want(200)
	if n := len(after.List("appointments")); n != 2 {
		t.Fatalf("got %d appointments after two forms, want 2", n)
	}
	if got, want := after.Str("appointments.0.state.start.utc"), "2026-11-30T22:00:00Z"; got != want {
		t.Errorf("07:00 in Tokyo: got %s, want %s", got, want)
	}
}

// Every action of an item is a complete request. Covers PT-02 for this panel.
func TestActionsOfPanelItemsSucceed(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.RateLimits = map[string]int{"writes": 0} })
	ann := h.Member("ann")
	ann.CreateEntries()
	ann.Basic().Do("DELETE", ann.DefaultCalendar()+"minutely.ics").Want(204)
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Bins", "due": "2026-11-25", "rrule": "FREQ=WEEKLY"}`).Want(201)
	find := func(view, title, id string) any {
		t.Helper()
		for _, s := range ann.Do("GET", "/world/panels/time?view="+view).Want(200).List("sections") {
			for _, item := range apptest.At(s, "items").([]any) {
				for _, action := range apptest.At(item, "actions").([]any) {
					if apptest.At(item, "title") == title && apptest.At(action, "id") == id {
						return action
					}
				}
			}
		}
		t.Fatalf("no item %s with an action %s in %s", title, id, view)
		return nil
	}
	do := func(view, title, id string) {
		t.Helper()
		action := find(view, title, id)
		ann.Do(apptest.At(action, "method").(string), apptest.At(action, "url").(string), apptest.At(action, "body")).Want(200)
	}
	do("tasks", "Taxes", "open")
	do("tasks", "Taxes", "complete")
	do("tasks", "Taxes", "reopen")
	if got, want := ann.Do("GET", "/world/panels/time?view=tasks").Str("summary"), "3 tasks: 3 to do, 0 done"; got != want {
		t.Errorf("got summary %q, want %q", got, want)
	}
	// After a recurring task is completed, the panel shows its next occurrence.
	due := func() string {
		for _, o := range ann.Do("GET", "/world/panels/time?view=tasks").List("tasks") {
			if apptest.At(o, "title") == "Bins" {
				return fmt.Sprint(apptest.At(o, "state.occurrence.recurrence_id"))
			}
		}
		return ""
	}
	first := due()
	do("tasks", "Bins", "complete")
	if second := due(); first != "2026-11-25" || second != "2026-12-02" {
		t.Errorf("got occurrences %s and %s, want 2026-11-25 and 2026-12-02", first, second)
	}
	do("agenda", "Choir <b>", "delete_occurrence")
	if got := apptest.At(find("agenda", "Choir <b>", "delete_occurrence"), "url").(string); !strings.Contains(got, "recurrence_id=2026-12-07") {
		t.Errorf("after the deletion of the first occurrence got %s, want that of 2026-12-07", got)
	}
	do("agenda", "Choir <b>", "delete")
	if got := apptest.Values(ann.Do("GET", "/world/panels/time?view=agenda").List("appointments"), "title"); slices.Contains(got, "Choir <b>") {
		t.Errorf("got %q, want no deleted series", got)
	}
}

// An invalid parameter is rejected with a short error that names it. Unknown
// parameters are ignored. Covers W-121, W-133 and E-06.
func TestInvalidPanelParametersAreRejected(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	for query, field := range map[string]string{
		"view=year": "view", "view=%00": "view", "date=2026-02-30": "date", "date=%ff": "date",
		"timezone=Mars/X": "timezone", "timezone=../../etc/passwd": "timezone", "timezone=Europe/../../../etc/passwd": "timezone",
		"timezone=/etc/localtime": "timezone", "timezone=Local": "timezone", "timezone=" + strings.Repeat("A", 5000): "timezone",
	} {
		if a := ann.Do("GET", "/world/panels/time?"+query).WantError(400, "invalid_parameter").WantFields(field); len(a.Body) > 1000 {
			t.Errorf("%.40s: got %d octets, want at most 1000", query, len(a.Body))
		}
	}
	ann.Do("GET", "/world/panels/time?colour=red&lat=abc").Want(200)
	ann.Do("GET", "/world/panels/maps").WantError(404, "not_found")
	h.Unauthenticated().Do("GET", "/world/panels/time").WantError(401, "unauthenticated")
	withoutTime := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{"time"} })
	withoutTime.Member("bea").Do("GET", "/world/panels/time").WantError(503, "service_unavailable")
}

// The panel of the first supported day has no link to an earlier day, and the panel of the last
// supported day has no link to a later day.
func TestPanelHasNoLinksBeyondTheLimitsOfTime(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	ann.Basic().Do("PUT", ann.DefaultCalendar()+"ever.ics", apptest.VEvent("ever", "DTSTART:16000101T000000Z", "DURATION:PT1H", "RRULE:FREQ=YEARLY", "SUMMARY:Ever")).Want(201)
	for _, view := range index.View("").Values() {
		for date, missing := range map[string]string{"1600-01-01": "previous", "8999-12-31": "next"} {
			a := ann.Do("GET", "/world/panels/time?timezone=UTC&view="+view+"&date="+date).Want(200)
			a.WantSchema("service.time.workspace", a.At(""))
			if got := a.At("navigation." + missing); got != nil {
				t.Errorf("%s of %s: got %s %v, want none", view, date, missing, got)
			}
			for _, item := range a.List("nav") {
				action, ok := apptest.At(item, "action").(string)
				if id := apptest.At(item, "id"); ok == (id == missing) {
					t.Errorf("%s of %s: got action %q of %v", view, date, action, id)
				} else if ok {
					ann.Do("GET", action).Want(200)
				}
			}
		}
	}
}

// fillDecember stores n entries in December 2026.
func fillDecember(c *apptest.Client, n int, component string) {
	c.T.Helper()
	v, segment := c.Viewer(), strings.Split(c.DefaultCalendar(), "/")[4]
	c.Server.Write(func(tx *store.Tx) error {
		for i := range n {
			uid := fmt.Sprint(component, "-", i)
			lines := []string{"SUMMARY:" + uid}
			if component == "VEVENT" {
				lines = append(lines, "DURATION:PT1H", "DTSTART:"+time.Date(2026, 12, 1, 0, i, 0, 0, time.UTC).Format("20060102T150405Z"))
			}
			o, err := ics.Parse([]byte(apptest.VObject(component, uid, lines...)))
			if err != nil {
				return err
			}
			if _, _, err := c.Server.App.Collections.Put(tx, v, segment, uid+".ics", object.Prepare(o, tx.Now()), func(string) error { return nil }); err != nil {
				return err
			}
		}
		return nil
	})
}

// A panel with more entries than its limits has a fallback, and its texts state
// that it is truncated. Covers B-60.
func TestTruncatedPanelHasAFallback(t *testing.T) {
	svctest.Long(t)
	h := apptest.New(t)
	ann := h.Member("ann")
	fillDecember(ann, 6000, "VEVENT")
	fillDecember(ann, 1200, "VTODO")
	month := ann.Do("GET", "/world/panels/time?timezone=UTC&view=month&date=2026-12-01").Want(200)
	if n := len(month.List("appointments")); n != 5000 || len(month.Body) > 16<<20 {
		t.Errorf("got %d appointments in %d octets, want 5000 in at most 16 MiB", n, len(month.Body))
	}
	month.WantValues("", map[string]any{"summary": "December 2026 · more than 5000 calendar events, no tasks"})
	month.WantValues("fallbacks.0", map[string]any{"state": "degraded", "reason": "truncated"})
	month.WantValues("fallbacks.0.scope", map[string]any{"kind": "section", "section": "appointments"})
	if n, summary := len(month.List("sections.0.items")), month.Str("sections.0.summary"); n != 100 || summary != "The first 100 of 5000." {
		t.Errorf("got %d items: %s, want 100", n, summary)
	}
	month.WantValues("sections.0", map[string]any{"total": 5000})
	tasks := ann.Do("GET", "/world/panels/time?timezone=UTC&view=tasks").Want(200)
	if n, section := len(tasks.List("tasks")), tasks.Str("fallbacks.0.scope.section"); n != 1000 || section != "tasks" {
		t.Errorf("got %d tasks, fallback of %q, want 1000, tasks", n, section)
	}
}

// A read of a panel changes nothing, and panels contain no data of another member or of an
// invisible calendar. Covers W-128, T-06 and PT-07 for panels.
func TestPanelsAreReadOnlyAndPrivate(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann").AsRuntime(), h.Member("bea")
	ann.CreateEntries()
	readPanels := func() (all string) {
		for _, view := range index.View("").Values() {
			all += ann.Do("GET", "/world/panels/time?view="+view).Want(200).Body
		}
		return all
	}
	etag, before := ann.Do("GET", "/world/runtime").Header.Get("ETag"), readPanels()
	if got := ann.Do("GET", "/world/runtime").Header.Get("ETag"); got != etag {
		t.Errorf("after reading panels got ETag %s of the dataset, want %s", got, etag)
	}
	bea.CreateEntries()
	bea.Do("PATCH", "/world/time/preferences", `{"week_start": "sunday", "slot_minutes": 60}`).Want(200)
	if after := readPanels(); after != before {
		t.Errorf("after writes of another member got\n%s\nwant\n%s", after, before)
	}
	calendarID := ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	ann.Do("PATCH", "/world/calendars/"+calendarID, `{"visible": false}`).Want(200)
	for _, view := range index.View("").Values() {
		a := ann.Do("GET", "/world/panels/time?view="+view)
		if n := len(a.List("appointments")) + len(a.List("tasks")); n != 0 || len(a.List("calendars")) != 1 {
			t.Errorf("%s of an invisible calendar: got %d entries and %d calendars, want 0 and 1", view, n, len(a.List("calendars")))
		}
	}
}
