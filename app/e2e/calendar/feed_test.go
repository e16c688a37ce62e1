package calendar

import (
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc/identity"
)

// A feed shows one calendar to unauthenticated clients, with an ETag, until the
// link is replaced or removed or the member is disabled.
func TestFeedShowsACalendarUntilItIsRemoved(t *testing.T) {
	h := apptest.New(t)
	ann, bea, op := h.Member("ann"), h.Member("bea"), h.Member("op")
	path := ann.DefaultCalendar()
	ann.Basic().Do("PUT", path+"a.ics", apptest.VEvent("a", "DTSTART:20261125T100000Z", "SUMMARY:Dentist")).Want(201)
	link := "/world/calendars/" + ann.Do("GET", "/world/calendars").Str("calendars.0.id") + "/feed"
	if got := ann.Do("GET", link).Want(200).At("feed"); got != nil {
		t.Errorf("got feed %v, want none", got)
	}
	for _, method := range []string{"GET", "POST", "DELETE"} {
		bea.Do(method, link).WantError(404, "not_found")
	}
	feed := ann.Do("POST", link).Want(201).Str("feed.path")
	first := h.Unauthenticated().Do("GET", feed).Want(200)
	if got, want := first.Header.Get("Content-Type"), "text/calendar; charset=utf-8"; got != want {
		t.Errorf("got type %s, want %s", got, want)
	}
	for _, line := range []string{"X-WR-CALNAME:Calendar", "SUMMARY:Dentist", "UID:a"} {
		if !strings.Contains(first.Body, "\r\n"+line+"\r\n") {
			t.Errorf("got no line %s in\n%s", line, first.Body)
		}
	}
	conditional := h.Unauthenticated().With("If-None-Match", first.Header.Get("ETag"))
	conditional.Do("GET", feed).Want(304)
	ann.Basic().Do("PUT", path+"b.ics", apptest.VEvent("b", "DTSTART:20261126T100000Z")).Want(201)
	conditional.Do("GET", feed).Want(200)
	h.Unauthenticated().Do("PUT", feed, "x").Want(405)
	h.Unauthenticated().Do("GET", "/feeds/nothing.ics").WantError(404, "not_found")
	if got := ann.Do("GET", link).Want(200); strings.Contains(got.Body, "/feeds/") {
		t.Errorf("got the secret in %s", got.Body)
	}
	second := ann.Do("POST", link).Want(201).Str("feed.path")
	h.Unauthenticated().Do("GET", feed).Want(404)
	for _, c := range []struct {
		status string
		want   int
	}{{"disabled", 404}, {"active", 200}} {
		op.UpdateMember(ann.ID, map[string]any{"status": c.status}).Want(200)
		h.Unauthenticated().Do("GET", second).Want(c.want)
	}
	ann = ann.SignIn(apptest.Password)
	ann.Do("DELETE", link).Want(200)
	h.Unauthenticated().Do("GET", second).Want(404)
	ann.Do("DELETE", link).WantError(404, "not_found")
}

// Recovering an account removes its feeds, because an intruder may have created
// them; a password change by the member keeps them.
func TestAccountRecoveryRemovesFeeds(t *testing.T) {
	for name, c := range map[string]struct {
		want   int
		change func(h *apptest.Server, ann *apptest.Client, hash identity.PasswordHash)
	}{
		"a reset link": {404, func(h *apptest.Server, ann *apptest.Client, hash identity.PasswordHash) {
			h.Write(func(tx *store.Tx) error {
				link, err := h.App.Identity.AddResetLink(tx, identity.CommandLine("test"), ann.ID)
				if err == nil {
					_, err = h.App.Identity.ResetPassword(tx, link.Code, hash)
				}
				return err
			})
		}},
		"a password that an operator sets": {404, func(h *apptest.Server, ann *apptest.Client, hash identity.PasswordHash) {
			h.Write(func(tx *store.Tx) error {
				_, err := h.App.Identity.Update(tx, identity.CommandLine("test"), ann.ID, identity.Changes{Password: &hash})
				return err
			})
		}},
		"a change by the member": {200, func(h *apptest.Server, ann *apptest.Client, _ identity.PasswordHash) {
			ann.Do("POST", "/world/identity/password", map[string]any{"current_password": apptest.Password, "new_password": "battery staple"}).Want(200)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			h := apptest.New(t)
			ann, bea := h.Member("ann"), h.Member("bea")
			feed := func(c *apptest.Client) string {
				id := c.Do("GET", "/world/calendars").Str("calendars.0.id")
				return c.Do("POST", "/world/calendars/"+id+"/feed").Want(201).Str("feed.path")
			}
			own, other := feed(ann), feed(bea)
			hash, err := h.App.Identity.HashPassword(t.Context(), "battery staple")
			if err != nil {
				t.Fatal(err)
			}
			c.change(h, ann, hash)
			h.Unauthenticated().Do("GET", own).Want(c.want)
			h.Unauthenticated().Do("GET", other).Want(200)
		})
	}
}

// An export is the same over the JSON API and as a GET of the calendar over CalDAV, and
// can be imported by another member.
func TestExportCanBeImported(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	path := ann.DefaultCalendar()
	ann.Basic().Do("PUT", path+"a.ics", apptest.VEvent("series", "DTSTART;TZID=Europe/Berlin:20261124T190000", "RRULE:FREQ=WEEKLY", "SUMMARY:Chœur")).Want(201)
	ann.Basic().Do("PUT", path+"b.ics", apptest.VObject("VTODO", "task", "SUMMARY:Taxes")).Want(201)
	ownCalendar, otherCalendar := ann.Do("GET", "/world/calendars").Str("calendars.0.id"), bea.Do("GET", "/world/calendars").Str("calendars.0.id")
	text := ann.Do("GET", "/world/calendars/"+ownCalendar+"/export").Want(200).Body
	bea.Do("GET", "/world/calendars/"+ownCalendar+"/export").WantError(404, "not_found")
	bea.Do("POST", "/world/calendars/"+ownCalendar+"/import", text).WantError(404, "not_found")
	bea.Basic().Do("GET", path).Want(404)
	got := ann.Basic().Do("GET", path).Want(200)
	if got.Body != text || got.Header.Get("Content-Type") != "text/calendar; charset=utf-8" {
		t.Errorf("got %s over CalDAV:\n%s\nwant\n%s", got.Header.Get("Content-Type"), got.Body, text)
	}
	conditional := ann.Basic().With("If-None-Match", got.Header.Get("ETag"))
	conditional.Do("GET", path).Want(304)
	ann.Do("PATCH", "/world/calendars/"+ownCalendar, `{"name": "Home"}`).Want(200)
	if text = conditional.Do("GET", path).Want(200).Body; !strings.Contains(text, "X-WR-CALNAME:Home\r\n") {
		t.Errorf("got no new name in\n%s", text)
	}
	text = strings.Replace(text, "END:VCALENDAR\r\n", "BEGIN:VEVENT\r\nUID:bad\r\nDTSTART:tomorrow\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", 1)
	target := "/world/calendars/" + otherCalendar + "/import"
	report := bea.With("Content-Type", "text/calendar").Do("POST", target, text).Want(200)
	report.WantValues("report", map[string]any{"imported": 2.0, "present": 0.0, "refused_count": 1.0})
	if got := report.Str("report.refused.0.uid"); got != "bad" {
		t.Errorf("got the refused entry %q, want bad", got)
	}
	if a, b := ann.Do("GET", "/world/time/objects"), bea.Do("GET", "/world/time/objects"); len(a.List("objects")) != len(b.List("objects")) {
		t.Errorf("got %d occurrences, want %d", len(b.List("objects")), len(a.List("objects")))
	}
	bea.Do("POST", target, "no calendar").WantError(400, "malformed_body")
	bea.Do("POST", target).WantError(400, "malformed_body")
}

// The clients of a feed see what the classes of the entries and the content of the feed
// permit. The owner's export is complete. Covers B-112.
func TestFeedShowsWhatTheClassesPermit(t *testing.T) {
	f := newFixture(t)
	f.put("open.ics", event("open", "SUMMARY:Open day", "ATTENDEE:mailto:bea@example.org", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT15M", "END:VALARM"))
	f.put("doctor.ics", event("doctor", "SUMMARY:Doctor", "CLASS:PRIVATE"))
	f.put("talk.ics", event("talk", "SUMMARY:Talk with the bank", "CLASS:CONFIDENTIAL", "LOCATION:Bank"))
	f.ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Doctor again", "start": "2026-12-01T10:00:00", "class": "private"}`).Want(201).WantValues("object.state", map[string]any{"class": "private"})
	f.put("odd.ics", event("odd", "SUMMARY:Doctor with a class of its own", "CLASS:X-TOP-SECRET"))
	f.put("free.ics", event("free", "SUMMARY:Holiday of others", "TRANSP:TRANSPARENT"))
	link := "/world/calendars/" + f.ann.Do("GET", "/world/calendars").Str("calendars.0.id") + "/feed"
	titles := func(text string) string {
		var list []string
		for line := range strings.Lines(text) {
			if title, ok := strings.CutPrefix(strings.TrimSpace(line), "SUMMARY:"); ok {
				list = append(list, title)
			}
		}
		slices.Sort(list)
		return strings.Join(list, ", ")
	}
	var etags []string
	for _, c := range []struct{ body, shows, want string }{
		{`{}`, "details", "Busy, Holiday of others, Open day"},
		{`{"shows": "busy"}`, "busy", "Busy, Busy"},
	} {
		created := f.ann.Do("POST", link, c.body).Want(201)
		if got := f.ann.Do("GET", link).Want(200).Str("feed.shows"); got != c.shows || created.Str("feed.shows") != c.shows {
			t.Errorf("%s: got a feed that shows %q, want %q", c.body, got, c.shows)
		}
		a := f.Unauthenticated().Do("GET", created.Str("feed.path")).Want(200)
		if got := titles(a.Body); got != c.want {
			t.Errorf("%s: got the entries %s, want %s", c.body, got, c.want)
		}
		for _, secret := range []string{"Doctor", "Bank", "bea@example.org", "VALARM"} {
			if strings.Contains(a.Body, secret) {
				t.Errorf("%s: got %q in the feed, want it left out", c.body, secret)
			}
		}
		etags = append(etags, a.Header.Get("ETag"))
	}
	if etags[0] == etags[1] {
		t.Errorf("got the ETag %s for both contents, want two", etags[0])
	}
	f.ann.Do("POST", link, `{"shows": "all"}`).WantError(422, "invalid_value").WantFields("shows")
	export := f.ann.Do("GET", strings.TrimSuffix(link, "feed")+"export").Want(200)
	if got, want := titles(export.Body), "Doctor, Doctor again, Doctor with a class of its own, Holiday of others, Open day, Talk with the bank"; got != want || !strings.Contains(export.Body, "VALARM") {
		t.Errorf("export: got the entries %s, want %s with alarms", got, want)
	}
}
