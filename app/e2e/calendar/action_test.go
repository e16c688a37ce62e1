package calendar

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc"
)

// descriptor returns the published action with an id in a list of actions.
func descriptor(t *testing.T, list any, id string) any {
	t.Helper()
	for _, d := range list.([]any) {
		if apptest.At(d, "id") == id {
			return d
		}
	}
	t.Fatalf("got no action %s in %s", id, apptest.JSON(list))
	return nil
}

// send sends a published action with further fields.
func send(c *apptest.Client, d any, input map[string]any) *apptest.Answer {
	body := maps.Clone(apptest.At(d, "body").(map[string]any))
	if controls, ok := apptest.At(d, "controls").([]any); ok {
		for _, control := range controls {
			body[apptest.At(control, "id").(string)] = apptest.At(control, "default")
		}
	}
	maps.Copy(body, input)
	return c.Do(apptest.At(d, "method").(string), apptest.At(d, "url").(string), body)
}

// starts returns the starts of the appointments in a month.
func starts(c *apptest.Client, month string) string {
	a := c.Do("GET", "/world/panels/time?view=month&date="+month+"&fields=appointments").Want(200)
	return strings.Join(a.Values("appointments", "state.occurrence.start.date_time"), " ")
}

// The scope of the form of an occurrence selects the occurrence alone, this and all later
// occurrences, or the whole series, which moves by as much as the occurrence. Covers B-106.
func TestOccurrenceIsChangedByItsPublishedActions(t *testing.T) {
	for _, c := range []struct {
		name, action, scope string
		input               map[string]any
		want                string
	}{
		{"this", "move", "this", map[string]any{"start": "2027-03-09T21:00:00", "end": "2027-03-09T22:00:00"},
			"2027-03-02T19:00:00 2027-03-09T21:00:00 2027-03-16T19:00:00"},
		{"later ones", "move", "this_and_future", map[string]any{"start": "2027-03-10T20:00:00", "end": "2027-03-10T21:00:00"},
			"2027-03-02T19:00:00 2027-03-10T20:00:00 2027-03-17T20:00:00"},
		{"all", "move", "all", map[string]any{"start": "2027-03-10T20:00:00", "end": "2027-03-10T21:00:00"},
			"2027-03-03T20:00:00 2027-03-10T20:00:00 2027-03-17T20:00:00"},
		{"an unchanged form", "update", "all", nil, "2027-03-02T19:00:00 2027-03-09T19:00:00 2027-03-16T19:00:00"},
		{"an unchanged form of later ones", "update", "this_and_future", nil, "2027-03-02T19:00:00 2027-03-09T19:00:00 2027-03-16T19:00:00"},
		{"a title", "update", "this", map[string]any{"title": "Concert"}, "2027-03-02T19:00:00 2027-03-09T19:00:00 2027-03-16T19:00:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := apptest.New(t)
			ann := h.Member("ann")
			ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Choir", "timezone": "Europe/Berlin",
				"start": "2027-03-02T19:00:00", "end": "2027-03-02T20:00:00", "rrule": "FREQ=WEEKLY;COUNT=3"}`).Want(201)
			panel := ann.Do("GET", "/world/panels/time?view=week&date=2027-03-09").Want(200)
			lean := panel.At("appointments.0.action_descriptors")
			opened := ann.Do("GET", panel.Str("appointments.0.links.self")+"?recurrence_id=2027-03-09T19:00:00").Want(200).At("object.action_descriptors")
			for _, d := range []any{descriptor(t, opened, c.action), descriptor(t, lean, c.action), descriptor(t, panel.At("sections.0.items.0.actions"), "update")} {
				got := apptest.Values(apptest.At(d, "scopes").([]any), "value")
				if want := []string{"this", "this_and_future", "all"}; !slices.Equal(got, want) {
					t.Errorf("got scopes %q, want %q", got, want)
				}
				if apptest.At(d, "body.etag") != panel.At("appointments.0.state.etag") || apptest.At(d, "body.recurrence_id") != "2027-03-09T19:00:00" {
					t.Errorf("got body %s, want the version and the occurrence", apptest.JSON(apptest.At(d, "body")))
				}
			}
			input := map[string]any{"scope": c.scope}
			maps.Copy(input, c.input)
			send(ann, descriptor(t, opened, c.action), input).Want(200)
			if got := starts(ann, "2027-03-01"); got != c.want {
				t.Errorf("got starts %s, want %s", got, c.want)
			}
		})
	}
}

// The dataset and the panel have the same controls with the same defaults for an
// entry. Covers B-106 and W-126.
func TestDatasetAndPanelHaveTheSameControls(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann").AsRuntime()
	ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Tea", "start": "2026-12-01T09:00:00", "timezone": "Asia/Tokyo"}`).Want(201)
	ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Choir", "start": "2026-12-01T09:00:00", "rrule": "FREQ=WEEKLY"}`).Want(201)
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes", "due": "2026-12-02"}`).Want(201)
	dataset := make(map[string]string)
	for _, a := range ann.Dataset().List("actions") {
		kind := apptest.At(a, "type")
		if kind == "update_time_object" || kind == "move_time_object" {
			if controls := apptest.At(a, "controls").([]any); len(controls) > 0 {
				dataset[fmt.Sprint(kind, apptest.At(a, "command.url"))] = apptest.JSON(controls)
			}
		}
	}
	found := 0
	for _, view := range []string{"tasks", "agenda"} {
		for _, section := range ann.Do("GET", "/world/panels/time?view="+view).Want(200).List("sections") {
			for _, item := range apptest.At(section, "items").([]any) {
				for _, a := range apptest.At(item, "actions").([]any) {
					controls, ok := apptest.At(a, "controls").([]any)
					want := dataset[fmt.Sprint(apptest.At(a, "type"), apptest.At(a, "url"))]
					if !ok || want == "" {
						continue // the dataset shows the next occurrence of a series only
					}
					found++
					if got := apptest.JSON(controls); got != want {
						t.Errorf("%v: got\n%s\nwant\n%s", apptest.At(a, "url"), got, want)
					}
					ids := apptest.Values(controls, "id")
					if slices.Contains(apptest.Values(controls, "type"), "datetime") && !slices.Contains(ids, "timezone") {
						t.Errorf("%v: got controls %q, want a time zone beside the times", apptest.At(a, "url"), ids)
					}
				}
			}
		}
	}
	if found < 4 {
		t.Errorf("got %d forms in both, want at least 4", found)
	}
}

// Hostile requests for scopes, occurrences and versions are refused, and a version
// conflict contains the record as it is now. Covers B-56 and B-106.
func TestScopesAndVersionsAreChecked(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	created := ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Choir", "timezone": "Europe/Berlin",
		"start": "2027-03-02T19:00:00", "rrule": "FREQ=DAILY;COUNT=100000"}`).Want(201)
	self, etag := created.Str("object.links.self"), created.Str("object.state.etag")
	h.WantUnchanged("refused requests", func() {
		ann.Do("POST", self+"/move", `{"scope": "this", "start": "2027-03-02T20:00:00"}`).WantError(400, "field_required").WantFields("recurrence_id")
		ann.Do("POST", self+"/move", `{"scope": "all", "recurrence_id": "2027-03-02T20:00:00", "start": "2027-03-02T20:00:00"}`).WantError(404, "not_found").WantFields("recurrence_id")
		ann.Do("PATCH", self, `{"scope": "some", "recurrence_id": "2027-03-02T19:00:00"}`).WantError(422, "invalid_value").WantFields("scope")
		ann.Do("PATCH", self, `{"restore_occurrence": "2027-03-02T20:00:00"}`).WantError(404, "not_found")
		bea.Do("PATCH", self, `{"etag": "\"0\"", "title": "x"}`).WantError(404, "not_found")
	})
	ann.Do("PATCH", self, `{"title": "Concert"}`).Want(200)
	for _, a := range []*apptest.Answer{
		ann.Do("PATCH", self, map[string]any{"etag": etag, "title": "Lost"}),
		ann.Do("PATCH", self, map[string]any{"etag": etag, "scope": "this", "recurrence_id": "2027-03-03T19:00:00", "title": "Lost"}),
		ann.Do("DELETE", self, map[string]any{"etag": etag}),
	} {
		a.WantError(412, "version_conflict").WantSchema("service.time.object", a.At("error.current"))
		if a.Str("error.current.title") != "Concert" || a.Str("error.current.state.etag") == etag {
			t.Errorf("%s: got %s, want the current record", a.About, a.Body)
		}
	}
	wantCurrentDates(t, ann, self)
	home := "/world/calendars/" + ann.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")
	conflict := ann.Do("PATCH", home, `{"name": "Lost", "etag": "\"0\""}`).WantError(412, "version_conflict")
	conflict.WantSchema("service.time.calendar", conflict.At("error.current"))
	if got := ann.Do("GET", self+"?recurrence_id=2200-01-01T19:00:00").Want(200).Str("object.state.occurrence.recurrence_id"); got != "2200-01-01T19:00:00" {
		t.Errorf("got the occurrence %s, want 2200-01-01T19:00:00", got)
	}
}

// wantCurrentDates expects that a version conflict contains the occurrence that takes the place of
// the named one, and no occurrence if it was deleted.
func wantCurrentDates(t *testing.T, ann *apptest.Client, self string) {
	t.Helper()
	stale := map[string]any{"etag": `"0"`, "scope": "this", "recurrence_id": "2027-03-05T19:00:00", "title": "Lost"}
	id := "error.current.state.occurrence.recurrence_id"
	moved := ann.Do("PATCH", self, map[string]any{"scope": "all", "recurrence_id": "2027-03-05T19:00:00", "start": "2027-03-05T20:00:00"}).Want(200)
	if got := moved.Str("object.state.occurrence.recurrence_id"); got != "2027-03-05T20:00:00" {
		t.Errorf("response to a move: got the occurrence %s, want the moved one, 2027-03-05T20:00:00", got)
	}
	conflict := ann.Do("PATCH", self, stale).WantError(412, "version_conflict")
	if got := conflict.Str(id); got != "2027-03-05T20:00:00" {
		t.Errorf("after a move: got the occurrence %s, want 2027-03-05T20:00:00", got)
	}
	stale["recurrence_id"] = conflict.Str(id)
	ann.Do("DELETE", self+"?scope=this&recurrence_id=2027-03-05T20:00:00").Want(200)
	conflict = ann.Do("PATCH", self, stale).WantError(412, "version_conflict")
	conflict.WantSchema("service.time.object", conflict.At("error.current"))
	if got := conflict.At("error.current.state.occurrence"); got != nil {
		t.Errorf("after a deletion: got the occurrence %v, want null", got)
	}
	ann.Do("PATCH", self, `{"restore_occurrence": "2027-03-05T20:00:00"}`).Want(200)
	ann.Do("PATCH", self, `{"scope": "all", "recurrence_id": "2027-03-05T20:00:00", "start": "2027-03-05T19:00:00"}`).Want(200)
}

// The undo action in the response to a deletion or a completion reverts it. A repetition changes
// nothing. Covers B-106.
func TestDeletionsAndCompletionsCanBeUndone(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	undo := func(a *apptest.Answer, again int) {
		t.Helper()
		u := a.Want(200).At("undo")
		if u == nil {
			t.Fatalf("%s: got no undo", a.About)
		}
		method, url, body := apptest.At(u, "method").(string), apptest.At(u, "url").(string), apptest.At(u, "body")
		ann.Do(method, url, body).Want(200)
		ann.Do(method, url, body).Want(again)
	}
	series := ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Choir", "timezone": "Europe/Berlin",
		"start": "2027-03-02T19:00:00", "rrule": "FREQ=WEEKLY;COUNT=4", "exdates": ["2027-03-16T19:00:00"]}`).Want(201).Str("object.links.self")
	before := starts(ann, "2027-03-01")
	query := "?scope=this&recurrence_id=2027-03-09T19:00:00"
	undo(ann.Do("DELETE", series+query), 200)
	if got := starts(ann, "2027-03-01"); got != before {
		t.Errorf("after the undo of an occurrence: got %s, want %s", got, before)
	}
	ann.Do("PATCH", series+query, `{"title": "Concert"}`).Want(200)
	if got := ann.Do("DELETE", series+query).Want(200).At("undo"); got != nil {
		t.Errorf("an override is lost with its occurrence: got undo %v, want none", got)
	}
	deleted := ann.Do("DELETE", series).Want(200)
	if got, want := deleted.Str("undo.until"), h.Clock.Now().Add(30*24*time.Hour).UTC().Format(time.RFC3339); got != want {
		t.Errorf("got until %s, want %s", got, want)
	}
	undo(deleted, 404) // it is no longer in the trash
	ann.Do("GET", series).Want(200)

	task := ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes", "due": "2027-03-02", "status": "in_process", "percent_complete": 40}`).Want(201).Str("object.links.self")
	undo(ann.Do("POST", task+"/complete"), 200)
	if a := ann.Do("GET", task); a.Str("object.state.status") != "in_process" || fmt.Sprint(a.At("object.state.percent_complete")) != "40" {
		t.Errorf("after the undo of a completion: got %s, want in_process with 40 percent", a.Body)
	}
	if got := ann.Do("PATCH", task, `{"title": "Tax"}`).Want(200).At("undo"); got != nil {
		t.Errorf("a change of the title: got undo %v, want none", got)
	}

	work := ann.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201).Str("calendar.links.self")
	undo(ann.Do("DELETE", work), 404)
	ann.Do("GET", work).Want(200)
	ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": "x", "calendar_id": apptest.LastSegment(work)}).Want(201)
	home := ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	if got := ann.Do("DELETE", work+"?move_to="+home).Want(200).At("undo"); got != nil {
		t.Errorf("a calendar whose entries moved: got undo %v, want none", got)
	}
}

// When the day of a task ends in the member's time zone, the dataset shows the task as overdue
// without a write. One occurrence of a series is completed and reopened by its published actions.
// Covers B-106.
func TestTasksBecomeOverdueAndAreReopened(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann").AsRuntime()
	zone := svc.StoredZone(ann.Do("GET", "/world/panels/today").Want(200).Str("timezone"))
	now := h.Clock.Now().In(zone)
	task := ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": "Taxes", "due": now.Format(time.DateOnly)}).Want(201)
	midnight := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, zone)
	overdue := func() string {
		return fmt.Sprint(apptest.At(ann.Dataset().Object("objects", "Taxes"), "state.is_overdue"),
			ann.Do("GET", "/world/panels/time?view=tasks").At("tasks.0.state.is_overdue"), ann.Do("GET", task.Str("object.links.self")).At("object.state.is_overdue"))
	}
	h.Clock.Advance(midnight.Sub(h.Clock.Now()) - time.Second)
	etag := ann.Do("GET", "/world/runtime").Want(200).Header.Get("ETag")
	if got := overdue(); got != "false false false" {
		t.Errorf("before midnight: got %s, want false everywhere", got)
	}
	h.Clock.Advance(time.Second)
	ann.With("If-None-Match", etag).Do("GET", "/world/runtime").Want(200)
	if got := overdue(); got != "true true true" {
		t.Errorf("after midnight: got %s, want true everywhere", got)
	}
	series := ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Bins", "due": "2027-03-02", "rrule": "FREQ=WEEKLY"}`).Want(201)
	week := "/world/panels/time?view=week&date=2027-03-09"
	for _, step := range []struct{ action, status string }{{"complete", "completed"}, {"reopen", "needs_action"}} {
		d := descriptor(t, ann.Do("GET", week).Want(200).At("tasks.0.action_descriptors"), step.action)
		if apptest.At(d, "body.recurrence_id") != "2027-03-09" || apptest.At(d, "body.scope") != "this" {
			t.Errorf("%s: got body %s, want the occurrence", step.action, apptest.JSON(apptest.At(d, "body")))
		}
		send(ann, d, nil).Want(200)
		if got := ann.Do("GET", week).Str("tasks.0.state.status"); got != step.status {
			t.Errorf("%s: got %s, want %s", step.action, got, step.status)
		}
	}
	if got := ann.Do("GET", series.Str("object.links.self")).Str("object.state.status"); got != "needs_action" {
		t.Errorf("got the status %s of the series, want needs_action", got)
	}
}

// A calendar has the numbers of its events and tasks, the time of its feed without the secret, and
// the members with access, without members that the viewer has blocked or is blocked by. Covers
// B-106 and PT-08.
func TestCalendarsHaveCountsFeedsAndMembers(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cem := h.Member("ann"), h.Member("bea"), h.Member("cem")
	ann.CreateCommunity(`{"name": "Us", "visibility": "private"}`, bea, cem)
	created := ann.Do("POST", "/world/calendars", `{"name": "Home"}`).Want(201)
	id, self := created.Str("calendar.id"), created.Str("calendar.links.self")
	for _, fields := range []string{`"object_type": "calendar_event", "start": "2027-03-02"`, `"object_type": "task"`, `"object_type": "task"`} {
		ann.Do("POST", "/world/time/objects", `{"title": "x", "calendar_id": "`+id+`", `+fields+`}`).Want(201)
	}
	feed := ann.Do("POST", self+"/feed").Want(201).Str("feed.path")
	for _, c := range []*apptest.Client{bea, cem} {
		h.Exec("INSERT INTO calendar_access VALUES (?, ?, 'read', 'shared', 5, 1)", c.ID, id)
	}
	h.InvalidateAll()
	a := ann.Do("GET", self).Want(200)
	a.WantValues("calendar", map[string]any{"counts.events": 1, "counts.tasks": 2, "caldav_url": a.At("calendar.caldav_path")})
	if strings.Contains(a.Body, strings.TrimSuffix(apptest.LastSegment(feed), ".ics")) || a.At("calendar.feed.created_at") == nil {
		t.Errorf("got %s, want the time of the feed without its secret", a.Body)
	}
	shared := func(c *apptest.Client) string {
		return strings.Join(c.Do("GET", self).Want(200).Values("calendar.shared_with", "username"), " ")
	}
	if got := shared(ann) + " / " + shared(bea); got != "bea cem / ann cem" {
		t.Errorf("got shared_with %s, want bea cem / ann cem", got)
	}
	cem.Block(bea).Want(201)
	if got := shared(ann) + " / " + shared(bea) + " / " + shared(cem); got != "bea cem / ann / ann" {
		t.Errorf("after a block: got shared_with %s, want bea cem / ann / ann", got)
	}
	task := ann.Do("GET", "/world/panels/time?view=tasks").Str("tasks.0.links.self")
	ann.Do("DELETE", task).Want(200)
	if got := fmt.Sprint(ann.Do("GET", self).At("calendar.counts.tasks")); got != "1" {
		t.Errorf("after a deletion: got %s tasks, want 1", got)
	}
}

// The month grid begins on the member's first weekday, and a query parameter selects the lists of
// the panel. Covers B-106.
func TestMonthGridAndFieldsOfThePanel(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	for _, day := range []string{"2027-01-31", "2027-02-28", "2027-03-01", "2027-04-10", "2027-04-11"} {
		ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "x", "start": "`+day+`"}`).Want(201)
	}
	for weekStart, want := range map[string]string{
		"monday": "2027-03-01T00:00:00 2027-04-12T00:00:00 3", "sunday": "2027-02-28T00:00:00 2027-04-11T00:00:00 3",
	} {
		ann.Do("PATCH", "/world/time/preferences", `{"week_start": "`+weekStart+`"}`).Want(200)
		a := ann.Do("GET", "/world/panels/time?view=month&date=2027-03-15").Want(200)
		if got := fmt.Sprint(a.Str("grid_range.start"), " ", a.Str("grid_range.end"), " ", len(a.List("appointments"))); got != want {
			t.Errorf("%s: got %s, want %s", weekStart, got, want)
		}
		if got := a.Str("range.start") + " " + a.Str("summary"); got != "2027-03-01T00:00:00 March 2027 · 1 calendar event, no tasks" {
			t.Errorf("%s: got %s, want the range and the number of March", weekStart, got)
		}
	}
	a := ann.Do("GET", "/world/panels/time?view=month&date=2027-03-15&fields=appointments,calendars").Want(200)
	a.WantSchema("service.time.workspace", a.At(""))
	if len(a.List("appointments")) == 0 || len(a.List("calendars")) == 0 || len(a.List("sections"))+len(a.List("editable_fields")) > 0 {
		t.Errorf("got %s, want the selected lists only", a.Body)
	}
	if next := ann.Do("GET", a.Str("navigation.next")).Want(200); len(next.List("sections")) > 0 {
		t.Error("the next month: got sections, want the selected lists only")
	}
	ann.Do("GET", "/world/panels/time?fields=everything").WantError(400, "invalid_parameter").WantFields("fields")
	options := ann.Do("GET", "/world/options/recurrence").Want(200)
	options.WantSchema("service.world.options", options.At(""))
	if days := options.Values("weekdays", "value"); len(days) != 7 {
		t.Errorf("got weekdays %q, want seven", days)
	}
}
