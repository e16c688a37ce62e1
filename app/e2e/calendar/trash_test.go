package calendar

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// What a member deletes, natively or with a program, can be had back for 30
// days, as it was to the octet, and by nobody else.
func TestTrash(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	path := ann.DefaultCalendar()
	text := apptest.VEvent("choir", "DTSTART;TZID=Europe/Berlin:20261124T190000", "SUMMARY:Choir", "X-NOTE:kept", "RRULE:FREQ=WEEKLY")
	ann.Basic().Do("PUT", path+"choir.ics", text).Want(201)
	id := ann.Do("GET", "/world/time/objects").Want(200).Str("objects.0.id")
	task := ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201).Str("object.id")

	ann.Basic().Do("DELETE", path+"choir.ics").Want(204)
	h.Clock.Advance(time.Minute)
	ann.Do("DELETE", "/world/time/objects/"+task).Want(200)
	if got := ann.Trashed(); got != "Taxes, Choir" {
		t.Errorf("the trash has %s", got)
	}
	if got := ann.Do("GET", "/world/time/trash?limit=1").Want(200); got.Str("trash.0.title") != "Taxes" ||
		ann.Do("GET", "/world/time/trash?limit=1&cursor="+got.Str("page.next_cursor")).Want(200).Str("trash.0.title") != "Choir" {
		t.Errorf("in pages it is %s", got.Body)
	}
	if got := bea.Trashed(); got != "" {
		t.Errorf("bea's trash has %s", got)
	}
	bea.Do("POST", "/world/time/trash/"+id+"/restore").WantError(404, "not_found")
	bea.Do("DELETE", "/world/time/trash/"+id).WantError(404, "not_found")

	ann.Do("POST", "/world/time/trash/"+id+"/restore", `{"calendar_id": "cal_none"}`).WantError(404, "not_found")
	back := ann.Do("POST", "/world/time/trash/"+id+"/restore").Want(200)
	if back.Str("object.id") != id || back.At("calendar") != nil {
		t.Errorf("restored as %s", back.Body)
	}
	if got := ann.Basic().Do("GET", path+"choir.ics").Want(200).Body; got != text {
		t.Errorf("what came back is\n%s", got)
	}
	ann.Do("POST", "/world/time/trash/"+id+"/restore").WantError(404, "not_found")

	// Its name and its UID may have been taken meanwhile.
	ann.Basic().Do("DELETE", path+"choir.ics").Want(204)
	ann.Basic().Do("PUT", path+"choir.ics", apptest.VEvent("another", "DTSTART:20261201T100000Z")).Want(201)
	ann.Do("POST", "/world/time/trash/"+id+"/restore").Want(200)
	ann.Basic().Do("GET", path+id+".ics").Want(200)
	h.Clock.Advance(time.Minute)
	ann.Basic().Do("DELETE", path+id+".ics").Want(204)
	ann.Basic().Do("PUT", path+"again.ics", text).Want(201)
	ann.Do("POST", "/world/time/trash/"+id+"/restore").WantError(409, "already_exists").WantFields("calendar_id")
	if got := ann.Trashed(); got != "Choir, Taxes" {
		t.Errorf("after a refusal the trash has %s", got)
	}

	ann.Do("DELETE", "/world/time/trash/"+id).Want(200)
	if got := ann.Trashed(); got != "Taxes" {
		t.Errorf("the trash has %s", got)
	}
	h.Clock.Advance(30*24*time.Hour - time.Hour)
	if err := h.App.SweepCalendars(t.Context()); err != nil || ann.Trashed() != "Taxes" {
		t.Errorf("before its time is up the trash has %s, %v", ann.Trashed(), err)
	}
	h.Clock.Advance(2 * time.Hour)
	if err := h.App.SweepCalendars(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := h.Member("cem").Trashed() + ann.SignIn(apptest.Password).Trashed(); got != "" {
		t.Errorf("when its time was up the trash has %s", got)
	}
}

// The trash is listed whole and in order, however long its entries are: their
// texts are not read for it.
func TestTrashOfLongEntries(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	path := ann.DefaultCalendar()
	var want []string
	for i := range 9 { // more than one portion
		name, title := fmt.Sprintf("%d.ics", i), fmt.Sprintf("SUMMARY:Number %d ", i)
		ann.Basic().Do("PUT", path+name, strings.Replace(megabyte(fmt.Sprint("uid-", i), "X-A:b"), "SUMMARY:", title, 1)).Want(201)
		ann.Basic().Do("DELETE", path+name).Want(204)
		h.Clock.Advance(time.Second)
		want = append([]string{fmt.Sprint("Number ", i, " ", strings.Repeat("s", svc.MaxTitle-9))}, want...)
	}
	if got := ann.Trashed(); got != strings.Join(want, ", ") {
		t.Errorf("the trash has %s", got)
	}
}

// What a copy, or an entry that is moved, takes the place of can be had back as
// well (RFC 4918 §9.8.4).
func TestReplacedEntries(t *testing.T) {
	for _, method := range []string{"COPY", "MOVE"} {
		t.Run(method, func(t *testing.T) {
			h := apptest.New(t)
			ann := h.Member("ann")
			dav, path := ann.Basic(), ann.DefaultCalendar()
			other := ann.Do("POST", "/world/calendars", `{"name": "Other"}`).Want(201).Str("calendar.caldav_path")
			old := apptest.VEvent("a", "DTSTART:20261201T100000Z", "SUMMARY:Old")
			dav.Do("PUT", other+"a.ics", old).Want(201)
			dav.Do("PUT", path+"a.ics", apptest.VEvent("a", "DTSTART:20261201T100000Z", "SUMMARY:New")).Want(201)
			dav.With("Destination", other+"a.ics").With("Overwrite", "F").Do(method, path+"a.ics").Want(412)
			if got := ann.Trashed(); got != "" {
				t.Errorf("what was refused put into the trash %s", got)
			}
			dav.With("Destination", other+"a.ics").Do(method, path+"a.ics").Want(204)
			if got := ann.Trashed(); got != "Old" {
				t.Errorf("the trash has %s", got)
			}
			if got := dav.Do("GET", other+"a.ics").Want(200).Body; !strings.Contains(got, "SUMMARY:New") {
				t.Errorf("in its place is %s", got)
			}
			dav.Do("DELETE", other+"a.ics").Want(204)
			trash := ann.Do("GET", "/world/time/trash")
			for i := range trash.List("trash") {
				if trash.Str(fmt.Sprint("trash.", i, ".title")) == "Old" {
					ann.Do("POST", trash.Str(fmt.Sprint("trash.", i, ".actions.restore"))).Want(200)
				}
			}
			if got := dav.Do("GET", other+"a.ics").Want(200).Body; got != old {
				t.Errorf("what came back is %s", got)
			}
			counted(h)
		})
	}
}

// What programs keep at an entry comes back with it, and is in an export
// meanwhile (RFC 4918 §4.3).
func TestTrashedProperties(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	dav, path := ann.Basic(), ann.DefaultCalendar()
	const prop = `<prop><a xmlns="urn:x" xml:lang="en">one &amp; "two"</a><b xmlns="urn:y"><c>three</c></b></prop>`
	ask := func() string {
		return dav.With("Depth", "0").Do("PROPFIND", path+"a.ics", `<propfind xmlns="DAV:"><prop><a xmlns="urn:x"/><b xmlns="urn:y"/></prop></propfind>`).Want(207).Body
	}
	dav.Do("PUT", path+"a.ics", apptest.VEvent("a", "DTSTART:20261201T100000Z")).Want(201)
	dav.Do("PROPPATCH", path+"a.ics", `<propertyupdate xmlns="DAV:"><set>`+prop+`</set></propertyupdate>`).Want(207)
	want := ask()
	if !strings.Contains(want, "three") {
		t.Fatalf("they are not there: %s", want)
	}
	dav.Do("DELETE", path+"a.ics").Want(204)
	dav.Do("PUT", path+"a.ics", apptest.VEvent("other", "DTSTART:20261201T100000Z")).Want(201)
	if got := ask(); strings.Contains(got, "three") {
		t.Errorf("another entry has them: %s", got)
	}
	dav.Do("DELETE", path+"a.ics").Want(204)
	trash := ann.Do("GET", "/world/identity/export").Want(200)
	if got := trash.Str("trash.1.properties.1.element"); !strings.Contains(got, "three") {
		t.Errorf("the export has %s", trash.Body)
	}
	ann.Do("POST", ann.Do("GET", "/world/time/trash").Str("trash.1.actions.restore")).Want(200)
	if got := ask(); got != want {
		t.Errorf("they are\n%s\nand were\n%s", got, want)
	}
}

// A calendar comes back with everything in it, to where it was, unless another
// one is there by now.
func TestTrashedCalendar(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	home := strings.TrimSuffix(ann.DefaultCalendar(), "/")
	home = home[:strings.LastIndex(home, "/")+1]
	ann.Basic().Do("MKCALENDAR", home+"work/").Want(201)
	ann.Do("PATCH", "/world/calendars/"+ann.Do("GET", "/world/calendars").Str("calendars.1.id"), `{"name": "Work", "color": "#102030"}`).Want(200)
	for _, uid := range []string{"a", "b"} {
		ann.Basic().Do("PUT", home+"work/"+uid+".ics", apptest.VEvent(uid, "DTSTART:20261125T100000Z", "SUMMARY:"+uid)).Want(201)
	}
	ann.Basic().Do("DELETE", home+"work/b.ics").Want(204)
	h.Clock.Advance(time.Minute)
	feed := ann.Do("POST", "/world/calendars/"+ann.Do("GET", "/world/calendars").Str("calendars.1.id")+"/feed").Want(201).Str("feed.path")
	ann.Basic().Do("DELETE", home+"work/").Want(204)
	h.Clock.Advance(time.Minute)

	h.Unauthenticated().Do("GET", feed).Want(404)
	ann.Basic().Do("GET", home+"work/a.ics").Want(404)
	if n := len(ann.Do("GET", "/world/calendars").List("calendars")); n != 1 {
		t.Errorf("there are %d calendars", n)
	}
	trash := ann.Do("GET", "/world/time/trash").Want(200)
	if trash.Str("trash.0.object_type") != "calendar" || trash.Str("trash.0.title") != "Work" || trash.Str("trash.1.calendar_name") != "Work" {
		t.Errorf("the trash is %s", trash.Body)
	}
	ann.Basic().Do("MKCALENDAR", home+"work/").Want(201)
	back := ann.Do("POST", trash.Str("trash.0.actions.restore")).Want(200)
	if back.Str("calendar.name") != "Work" || back.Str("calendar.color") != "#102030" || back.At("object") != nil {
		t.Errorf("restored as %s", back.Body)
	}
	path := back.Str("calendar.caldav_path")
	if path == home+"work/" {
		t.Error("it is where another calendar is")
	}
	ann.Basic().Do("GET", path+"a.ics").Want(200)
	h.Unauthenticated().Do("GET", feed).Want(404) // whoever had the link has to be given a new one
	ann.Do("POST", trash.Str("trash.1.actions.restore")).Want(200)
	ann.Basic().Do("GET", path+"b.ics").Want(200)

	// Where a calendar is gone for good, what was deleted from it before goes
	// into the default one.
	ann.Basic().Do("DELETE", path+"a.ics").Want(204)
	h.Clock.Advance(time.Minute)
	ann.Basic().Do("DELETE", path).Want(204)
	ann.Do("DELETE", "/world/time/trash/"+back.Str("calendar.id")).Want(200)
	trash = ann.Do("GET", "/world/time/trash").Want(200)
	if got := ann.Trashed(); got != "a" || trash.Str("trash.0.calendar_name") != "" {
		t.Errorf("the trash is %s", trash.Body)
	}
	ann.Do("POST", trash.Str("trash.0.actions.restore")).Want(200)
	ann.Basic().Do("GET", ann.DefaultCalendar()+"a.ics").Want(200)
}

// A link shows one calendar to whoever has it, and nothing else, until it is
// taken back or its member shut out.
func TestFeed(t *testing.T) {
	h := apptest.New(t)
	ann, bea, op := h.Member("ann"), h.Member("bea"), h.Member("op")
	path := ann.DefaultCalendar()
	ann.Basic().Do("PUT", path+"a.ics", apptest.VEvent("a", "DTSTART:20261125T100000Z", "SUMMARY:Dentist")).Want(201)
	id := ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	if got := ann.Do("GET", "/world/calendars/"+id+"/feed").Want(200).At("feed"); got != nil {
		t.Errorf("there is a link already: %v", got)
	}
	for _, method := range []string{"GET", "POST", "DELETE"} {
		bea.Do(method, "/world/calendars/"+id+"/feed").WantError(404, "not_found")
	}
	feed := ann.Do("POST", "/world/calendars/"+id+"/feed").Want(201).Str("feed.path")
	got := h.Unauthenticated().Do("GET", feed).Want(200)
	if kind := got.Header.Get("Content-Type"); kind != "text/calendar; charset=utf-8" {
		t.Errorf("it is %s", kind)
	}
	for _, line := range []string{"X-WR-CALNAME:Calendar", "SUMMARY:Dentist", "UID:a"} {
		if !strings.Contains(got.Body, "\r\n"+line+"\r\n") {
			t.Errorf("there is no line %s in\n%s", line, got.Body)
		}
	}
	again := h.Unauthenticated().With("If-None-Match", got.Header.Get("ETag"))
	again.Do("GET", feed).Want(304)
	ann.Basic().Do("PUT", path+"b.ics", apptest.VEvent("b", "DTSTART:20261126T100000Z")).Want(201)
	again.Do("GET", feed).Want(200)
	h.Unauthenticated().Do("PUT", feed, "x").Want(405)
	h.Unauthenticated().Do("GET", "/feeds/nothing.ics").WantError(404, "not_found")
	if got := ann.Do("GET", "/world/calendars/"+id+"/feed").Want(200); strings.Contains(got.Body, "/feeds/") {
		t.Errorf("the link can be looked up: %s", got.Body)
	}

	renewed := ann.Do("POST", "/world/calendars/"+id+"/feed").Want(201).Str("feed.path")
	h.Unauthenticated().Do("GET", feed).Want(404)
	h.Unauthenticated().Do("GET", renewed).Want(200)
	op.Do("POST", "/admin/members/update", map[string]any{"id": ann.ID, "changes": map[string]any{"status": "disabled"}}).Want(200)
	h.Unauthenticated().Do("GET", renewed).WantError(404, "not_found")
	op.Do("POST", "/admin/members/update", map[string]any{"id": ann.ID, "changes": map[string]any{"status": "active"}}).Want(200)
	h.Unauthenticated().Do("GET", renewed).Want(200)
	ann = ann.SignIn(apptest.Password)
	ann.Do("DELETE", "/world/calendars/"+id+"/feed").Want(200)
	h.Unauthenticated().Do("GET", renewed).Want(404)
	ann.Do("DELETE", "/world/calendars/"+id+"/feed").WantError(404, "not_found")
}

// A link that somebody else may have made while they had the account ends when
// its member gets it back. Whoever merely chooses a new password keeps theirs.
func TestFeedsEndWithAReset(t *testing.T) {
	for name, c := range map[string]struct {
		status int
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
			anns, beas := feed(ann), feed(bea)
			hash, err := h.App.Identity.HashPassword(t.Context(), "battery staple")
			if err != nil {
				t.Fatal(err)
			}
			c.change(h, ann, hash)
			h.Unauthenticated().Do("GET", anns).Want(c.status)
			h.Unauthenticated().Do("GET", beas).Want(200)
		})
	}
}

// A calendar that was exported and is imported elsewhere has the same entries;
// what cannot be taken is said one by one, and nothing is there twice.
func TestImportAndExport(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	path := ann.DefaultCalendar()
	series := apptest.VEvent("series", "DTSTART;TZID=Europe/Berlin:20261124T190000", "RRULE:FREQ=WEEKLY", "SUMMARY:Chœur")
	ann.Basic().Do("PUT", path+"a.ics", series).Want(201)
	ann.Basic().Do("PUT", path+"b.ics", apptest.VObject("VTODO", "task", "SUMMARY:Taxes")).Want(201)
	id := ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	other := bea.Do("GET", "/world/calendars").Str("calendars.0.id")
	text := ann.Do("GET", "/world/calendars/"+id+"/export").Want(200).Body
	bea.Do("GET", "/world/calendars/"+id+"/export").WantError(404, "not_found")
	bea.Do("POST", "/world/calendars/"+id+"/import", text).WantError(404, "not_found")

	// A calendar program that GETs the calendar itself has the same text.
	got := ann.Basic().Do("GET", path).Want(200)
	if got.Body != text || got.Header.Get("Content-Type") != "text/calendar; charset=utf-8" {
		t.Errorf("by CalDAV it is %s\n%s", got.Header.Get("Content-Type"), got.Body)
	}
	again := ann.Basic().With("If-None-Match", got.Header.Get("ETag"))
	again.Do("GET", path).Want(304)
	ann.Do("PATCH", "/world/calendars/"+id, `{"name": "Home"}`).Want(200)
	if text = again.Do("GET", path).Want(200).Body; !strings.Contains(text, "X-WR-CALNAME:Home\r\n") {
		t.Errorf("the new name is not in it:\n%s", text)
	}
	bea.Basic().Do("GET", path).Want(404)

	bad := "BEGIN:VEVENT\r\nUID:bad\r\nDTSTART:tomorrow\r\nEND:VEVENT\r\nBEGIN:VJUNK\r\nUID:junk\r\nEND:VJUNK\r\nEND:VCALENDAR\r\n"
	text = strings.Replace(text, "END:VCALENDAR\r\n", bad, 1)
	got = bea.With("Content-Type", "text/calendar").Do("POST", "/world/calendars/"+other+"/import", text).Want(200)
	if got.At("report.imported") != 2.0 || got.At("report.refused_count") != 2.0 || got.Str("report.refused.0.uid") != "bad" || got.Str("report.refused.1.uid") != "junk" {
		t.Errorf("the report is %s", got.Body)
	}
	got = bea.Do("POST", "/world/calendars/"+other+"/import", text).Want(200)
	if got.At("report.imported") != 0.0 || got.At("report.present") != 2.0 {
		t.Errorf("the second report is %s", got.Body)
	}
	if a, b := ann.Do("GET", "/world/time/objects"), bea.Do("GET", "/world/time/objects"); len(a.List("objects")) != len(b.List("objects")) {
		t.Errorf("bea has %d instances, ann %d", len(b.List("objects")), len(a.List("objects")))
	}
	bea.Do("POST", "/world/calendars/"+other+"/import", "nothing of the kind").WantError(400, "malformed_body")
	bea.Do("POST", "/world/calendars/"+other+"/import").WantError(400, "malformed_body")
}

// The page about calendars does the same for people.
func TestCalendarsPage(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	path := ann.DefaultCalendar()
	ann.Basic().Do("PUT", path+"a.ics", apptest.VEvent("a", "DTSTART:20261125T100000Z", "SUMMARY:<b>Dentist")).Want(201)
	ann.Basic().Do("DELETE", path+"a.ics").Want(204)
	web := ann.With("Authorization", "").With("Cookie", apptest.CookieName+"="+ann.Token)
	shows := func(a *apptest.Answer, text string) {
		t.Helper()
		if !strings.Contains(a.Want(200).Body, text) {
			t.Errorf("the page does not say %s:\n%s", text, a.Body)
		}
	}
	id := ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	shows(web.Do("GET", "/account/calendars"), "&lt;b&gt;Dentist")
	trashed := ann.Do("GET", "/world/time/trash").Str("trash.0.id")
	shows(web.Do("POST", "/account/trash/"+trashed+"/restore", apptest.Form("")), "Restored.")
	shows(web.Do("POST", "/account/calendars/"+id+"/feed", apptest.Form("")), "/feeds/")
	shows(web.Do("POST", "/account/calendars/"+id+"/feed/delete", apptest.Form("")), "The link is removed.")
	file := func(text string) *apptest.Answer {
		body := "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.ics\"\r\nContent-Type: text/calendar\r\n\r\n" + text + "\r\n--x--\r\n"
		return web.With("Content-Type", "multipart/form-data; boundary=x").Do("POST", "/account/calendars/"+id+"/import", body)
	}
	shows(file(apptest.VEvent("new", "DTSTART:20261126T100000Z")), "Imported: 1.")
	shows(file(apptest.VEvent("bad", "DTSTART:tomorrow")), "Not imported: 1.")
	shows(file("no calendar"), "The file is not a valid iCalendar file")
	shows(web.Do("POST", "/account/calendars/"+id+"/import", apptest.Form("")), "Choose a file")
	h.Unauthenticated().Do("GET", "/account/calendars").Want(303)

	// A long trash has pages.
	for i := range 60 {
		ann.Basic().Do("PUT", path+"old.ics", apptest.VEvent(fmt.Sprint(i), "DTSTART:20261125T100000Z", fmt.Sprint("SUMMARY:Number ", i, "."))).Want(201)
		ann.Basic().Do("DELETE", path+"old.ics").Want(204)
		h.Clock.Advance(time.Second)
	}
	first := web.Do("GET", "/account/calendars")
	shows(first, "Number 59.")
	_, older, _ := strings.Cut(first.Body, `href="/account/calendars?`)
	older, _, more := strings.Cut(older, `#trash"`)
	if !more || strings.Contains(first.Body, "Number 9.") {
		t.Fatalf("the first page is\n%s", first.Body)
	}
	second := web.Do("GET", "/account/calendars?"+older)
	shows(second, "Number 9.")
	shows(second, "Number 0.")
	if strings.Contains(second.Body, "Number 10.") || strings.Contains(second.Body, "What was deleted before") {
		t.Errorf("the second page is\n%s", second.Body)
	}
	web.Do("GET", "/account/calendars?cursor=x").Want(400)
}
