package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// trashed returns the titles in the member's trash.
func (c *client) trashed() string {
	c.t.Helper()
	var titles []string
	for _, t := range c.do("GET", "/world/time/trash").want(200).list("trash") {
		titles = append(titles, dig(t, "title").(string))
	}
	return strings.Join(titles, ", ")
}

// What a member deletes, natively or with a program, can be had back for 30
// days, as it was to the octet, and by nobody else.
func TestTrash(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	path := ann.defaultCalendar()
	text := vevent("choir", "DTSTART;TZID=Europe/Berlin:20261124T190000", "SUMMARY:Choir", "X-NOTE:kept", "RRULE:FREQ=WEEKLY")
	ann.basic().do("PUT", path+"choir.ics", text).want(201)
	id := ann.do("GET", "/world/time/objects").want(200).str("objects.0.id")
	task := ann.do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).want(201).str("object.id")

	ann.basic().do("DELETE", path+"choir.ics").want(204)
	h.clock.Advance(time.Minute)
	ann.do("DELETE", "/world/time/objects/"+task).want(200)
	if got := ann.trashed(); got != "Taxes, Choir" {
		t.Errorf("the trash has %s", got)
	}
	if got := ann.do("GET", "/world/time/trash?limit=1").want(200); got.str("trash.0.title") != "Taxes" ||
		ann.do("GET", "/world/time/trash?limit=1&cursor="+got.str("page.next_cursor")).want(200).str("trash.0.title") != "Choir" {
		t.Errorf("in pages it is %s", got.body)
	}
	if got := bea.trashed(); got != "" {
		t.Errorf("bea's trash has %s", got)
	}
	bea.do("POST", "/world/time/trash/"+id+"/restore").refused(404, "not_found")
	bea.do("DELETE", "/world/time/trash/"+id).refused(404, "not_found")

	ann.do("POST", "/world/time/trash/"+id+"/restore", `{"calendar_id": "cal_none"}`).refused(404, "not_found")
	back := ann.do("POST", "/world/time/trash/"+id+"/restore").want(200)
	if back.str("object.id") != id || back.at("calendar") != nil {
		t.Errorf("restored as %s", back.body)
	}
	if got := ann.basic().do("GET", path+"choir.ics").want(200).body; got != text {
		t.Errorf("what came back is\n%s", got)
	}
	ann.do("POST", "/world/time/trash/"+id+"/restore").refused(404, "not_found")

	// Its name and its UID may have been taken meanwhile.
	ann.basic().do("DELETE", path+"choir.ics").want(204)
	ann.basic().do("PUT", path+"choir.ics", vevent("another", "DTSTART:20261201T100000Z")).want(201)
	ann.do("POST", "/world/time/trash/"+id+"/restore").want(200)
	ann.basic().do("GET", path+id+".ics").want(200)
	h.clock.Advance(time.Minute)
	ann.basic().do("DELETE", path+id+".ics").want(204)
	ann.basic().do("PUT", path+"again.ics", text).want(201)
	ann.do("POST", "/world/time/trash/"+id+"/restore").refused(409, "already_exists").names("calendar_id")
	if got := ann.trashed(); got != "Choir, Taxes" {
		t.Errorf("after a refusal the trash has %s", got)
	}

	ann.do("DELETE", "/world/time/trash/"+id).want(200)
	if got := ann.trashed(); got != "Taxes" {
		t.Errorf("the trash has %s", got)
	}
	h.clock.Advance(30*24*time.Hour - time.Hour)
	if err := h.sweep(t.Context()); err != nil || ann.trashed() != "Taxes" {
		t.Errorf("before its time is up the trash has %s, %v", ann.trashed(), err)
	}
	h.clock.Advance(2 * time.Hour)
	if err := h.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := h.member("cem").trashed() + ann.signedIn(password).trashed(); got != "" {
		t.Errorf("when its time was up the trash has %s", got)
	}
}

// The trash is listed whole and in order, however long its entries are: their
// texts are not read for it.
func TestTrashOfLongEntries(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	path := ann.defaultCalendar()
	var want []string
	for i := range 9 { // more than one portion
		name, title := fmt.Sprintf("%d.ics", i), fmt.Sprintf("SUMMARY:Number %d ", i)
		ann.basic().do("PUT", path+name, strings.Replace(megabyte(fmt.Sprint("uid-", i), "X-A:b"), "SUMMARY:", title, 1)).want(201)
		ann.basic().do("DELETE", path+name).want(204)
		h.clock.Advance(time.Second)
		want = append([]string{fmt.Sprint("Number ", i, " ", strings.Repeat("s", svc.MaxTitle-9))}, want...)
	}
	if got := ann.trashed(); got != strings.Join(want, ", ") {
		t.Errorf("the trash has %s", got)
	}
}

// What a copy, or an entry that is moved, takes the place of can be had back as
// well (RFC 4918 §9.8.4).
func TestReplacedEntries(t *testing.T) {
	for _, method := range []string{"COPY", "MOVE"} {
		t.Run(method, func(t *testing.T) {
			h := open(t)
			ann := h.member("ann")
			dav, path := ann.basic(), ann.defaultCalendar()
			other := ann.do("POST", "/world/calendars", `{"name": "Other"}`).want(201).str("calendar.caldav_path")
			old := vevent("a", "DTSTART:20261201T100000Z", "SUMMARY:Old")
			dav.do("PUT", other+"a.ics", old).want(201)
			dav.do("PUT", path+"a.ics", vevent("a", "DTSTART:20261201T100000Z", "SUMMARY:New")).want(201)
			dav.with("Destination", other+"a.ics").with("Overwrite", "F").do(method, path+"a.ics").want(412)
			if got := ann.trashed(); got != "" {
				t.Errorf("what was refused put into the trash %s", got)
			}
			dav.with("Destination", other+"a.ics").do(method, path+"a.ics").want(204)
			if got := ann.trashed(); got != "Old" {
				t.Errorf("the trash has %s", got)
			}
			if got := dav.do("GET", other+"a.ics").want(200).body; !strings.Contains(got, "SUMMARY:New") {
				t.Errorf("in its place is %s", got)
			}
			dav.do("DELETE", other+"a.ics").want(204)
			trash := ann.do("GET", "/world/time/trash")
			for i := range trash.list("trash") {
				if trash.str(fmt.Sprint("trash.", i, ".title")) == "Old" {
					ann.do("POST", trash.str(fmt.Sprint("trash.", i, ".actions.restore"))).want(200)
				}
			}
			if got := dav.do("GET", other+"a.ics").want(200).body; got != old {
				t.Errorf("what came back is %s", got)
			}
			h.counted()
		})
	}
}

// What programs keep at an entry comes back with it, and is in an export
// meanwhile (RFC 4918 §4.3).
func TestTrashedProperties(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	dav, path := ann.basic(), ann.defaultCalendar()
	const prop = `<prop><a xmlns="urn:x" xml:lang="en">one &amp; "two"</a><b xmlns="urn:y"><c>three</c></b></prop>`
	ask := func() string {
		return dav.with("Depth", "0").do("PROPFIND", path+"a.ics", `<propfind xmlns="DAV:"><prop><a xmlns="urn:x"/><b xmlns="urn:y"/></prop></propfind>`).want(207).body
	}
	dav.do("PUT", path+"a.ics", vevent("a", "DTSTART:20261201T100000Z")).want(201)
	dav.do("PROPPATCH", path+"a.ics", `<propertyupdate xmlns="DAV:"><set>`+prop+`</set></propertyupdate>`).want(207)
	want := ask()
	if !strings.Contains(want, "three") {
		t.Fatalf("they are not there: %s", want)
	}
	dav.do("DELETE", path+"a.ics").want(204)
	dav.do("PUT", path+"a.ics", vevent("other", "DTSTART:20261201T100000Z")).want(201)
	if got := ask(); strings.Contains(got, "three") {
		t.Errorf("another entry has them: %s", got)
	}
	dav.do("DELETE", path+"a.ics").want(204)
	trash := ann.do("GET", "/world/identity/export").want(200)
	if got := trash.str("trash.1.properties.1.element"); !strings.Contains(got, "three") {
		t.Errorf("the export has %s", trash.body)
	}
	ann.do("POST", ann.do("GET", "/world/time/trash").str("trash.1.actions.restore")).want(200)
	if got := ask(); got != want {
		t.Errorf("they are\n%s\nand were\n%s", got, want)
	}
}

// A calendar comes back with everything in it, to where it was, unless another
// one is there by now.
func TestTrashedCalendar(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	home := strings.TrimSuffix(ann.defaultCalendar(), "/")
	home = home[:strings.LastIndex(home, "/")+1]
	ann.basic().do("MKCALENDAR", home+"work/").want(201)
	ann.do("PATCH", "/world/calendars/"+ann.do("GET", "/world/calendars").str("calendars.1.id"), `{"name": "Work", "color": "#102030"}`).want(200)
	for _, uid := range []string{"a", "b"} {
		ann.basic().do("PUT", home+"work/"+uid+".ics", vevent(uid, "DTSTART:20261125T100000Z", "SUMMARY:"+uid)).want(201)
	}
	ann.basic().do("DELETE", home+"work/b.ics").want(204)
	h.clock.Advance(time.Minute)
	feed := ann.do("POST", "/world/calendars/"+ann.do("GET", "/world/calendars").str("calendars.1.id")+"/feed").want(201).str("feed.path")
	ann.basic().do("DELETE", home+"work/").want(204)
	h.clock.Advance(time.Minute)

	h.nobody().do("GET", feed).want(404)
	ann.basic().do("GET", home+"work/a.ics").want(404)
	if n := len(ann.do("GET", "/world/calendars").list("calendars")); n != 1 {
		t.Errorf("there are %d calendars", n)
	}
	trash := ann.do("GET", "/world/time/trash").want(200)
	if trash.str("trash.0.object_type") != "calendar" || trash.str("trash.0.title") != "Work" || trash.str("trash.1.calendar_name") != "Work" {
		t.Errorf("the trash is %s", trash.body)
	}
	ann.basic().do("MKCALENDAR", home+"work/").want(201)
	back := ann.do("POST", trash.str("trash.0.actions.restore")).want(200)
	if back.str("calendar.name") != "Work" || back.str("calendar.color") != "#102030" || back.at("object") != nil {
		t.Errorf("restored as %s", back.body)
	}
	path := back.str("calendar.caldav_path")
	if path == home+"work/" {
		t.Error("it is where another calendar is")
	}
	ann.basic().do("GET", path+"a.ics").want(200)
	h.nobody().do("GET", feed).want(404) // whoever had the link has to be given a new one
	ann.do("POST", trash.str("trash.1.actions.restore")).want(200)
	ann.basic().do("GET", path+"b.ics").want(200)

	// Where a calendar is gone for good, what was deleted from it before goes
	// into the default one.
	ann.basic().do("DELETE", path+"a.ics").want(204)
	h.clock.Advance(time.Minute)
	ann.basic().do("DELETE", path).want(204)
	ann.do("DELETE", "/world/time/trash/"+back.str("calendar.id")).want(200)
	trash = ann.do("GET", "/world/time/trash").want(200)
	if got := ann.trashed(); got != "a" || trash.str("trash.0.calendar_name") != "" {
		t.Errorf("the trash is %s", trash.body)
	}
	ann.do("POST", trash.str("trash.0.actions.restore")).want(200)
	ann.basic().do("GET", ann.defaultCalendar()+"a.ics").want(200)
}

// A link shows one calendar to whoever has it, and nothing else, until it is
// taken back or its member shut out.
func TestFeed(t *testing.T) {
	h := open(t)
	ann, bea, op := h.member("ann"), h.member("bea"), h.member("op")
	path := ann.defaultCalendar()
	ann.basic().do("PUT", path+"a.ics", vevent("a", "DTSTART:20261125T100000Z", "SUMMARY:Dentist")).want(201)
	id := ann.do("GET", "/world/calendars").str("calendars.0.id")
	if got := ann.do("GET", "/world/calendars/"+id+"/feed").want(200).at("feed"); got != nil {
		t.Errorf("there is a link already: %v", got)
	}
	for _, method := range []string{"GET", "POST", "DELETE"} {
		bea.do(method, "/world/calendars/"+id+"/feed").refused(404, "not_found")
	}
	feed := ann.do("POST", "/world/calendars/"+id+"/feed").want(201).str("feed.path")
	got := h.nobody().do("GET", feed).want(200)
	if kind := got.header.Get("Content-Type"); kind != "text/calendar; charset=utf-8" {
		t.Errorf("it is %s", kind)
	}
	for _, line := range []string{"X-WR-CALNAME:Calendar", "SUMMARY:Dentist", "UID:a"} {
		if !strings.Contains(got.body, "\r\n"+line+"\r\n") {
			t.Errorf("there is no line %s in\n%s", line, got.body)
		}
	}
	again := h.nobody().with("If-None-Match", got.header.Get("ETag"))
	again.do("GET", feed).want(304)
	ann.basic().do("PUT", path+"b.ics", vevent("b", "DTSTART:20261126T100000Z")).want(201)
	again.do("GET", feed).want(200)
	h.nobody().do("PUT", feed, "x").want(405)
	h.nobody().do("GET", "/feeds/nothing.ics").refused(404, "not_found")
	if got := ann.do("GET", "/world/calendars/"+id+"/feed").want(200); strings.Contains(got.body, "/feeds/") {
		t.Errorf("the link can be looked up: %s", got.body)
	}

	renewed := ann.do("POST", "/world/calendars/"+id+"/feed").want(201).str("feed.path")
	h.nobody().do("GET", feed).want(404)
	h.nobody().do("GET", renewed).want(200)
	op.do("POST", "/admin/members/update", map[string]any{"id": ann.id, "changes": map[string]any{"status": "disabled"}}).want(200)
	h.nobody().do("GET", renewed).refused(404, "not_found")
	op.do("POST", "/admin/members/update", map[string]any{"id": ann.id, "changes": map[string]any{"status": "active"}}).want(200)
	h.nobody().do("GET", renewed).want(200)
	ann = ann.signedIn(password)
	ann.do("DELETE", "/world/calendars/"+id+"/feed").want(200)
	h.nobody().do("GET", renewed).want(404)
	ann.do("DELETE", "/world/calendars/"+id+"/feed").refused(404, "not_found")
}

// A link that somebody else may have made while they had the account ends when
// its member gets it back. Whoever merely chooses a new password keeps theirs.
func TestFeedsEndWithAReset(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		change func(h *house, ann *client, hash identity.PasswordHash)
	}{
		"a reset link": {404, func(h *house, ann *client, hash identity.PasswordHash) {
			h.write(func(tx *store.Tx) error {
				link, err := h.identity.AddResetLink(tx, identity.CommandLine("test"), ann.id)
				if err == nil {
					_, err = h.identity.ResetPassword(tx, link.Code, hash)
				}
				return err
			})
		}},
		"a password that an operator sets": {404, func(h *house, ann *client, hash identity.PasswordHash) {
			h.write(func(tx *store.Tx) error {
				_, err := h.identity.Update(tx, identity.CommandLine("test"), ann.id, identity.Changes{Password: &hash})
				return err
			})
		}},
		"a change by the member": {200, func(h *house, ann *client, _ identity.PasswordHash) {
			ann.do("POST", "/world/identity/password", map[string]any{"current_password": password, "new_password": "battery staple"}).want(200)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t)
			ann, bea := h.member("ann"), h.member("bea")
			feed := func(c *client) string {
				id := c.do("GET", "/world/calendars").str("calendars.0.id")
				return c.do("POST", "/world/calendars/"+id+"/feed").want(201).str("feed.path")
			}
			anns, beas := feed(ann), feed(bea)
			hash, err := h.identity.HashPassword(t.Context(), "battery staple")
			if err != nil {
				t.Fatal(err)
			}
			c.change(h, ann, hash)
			h.nobody().do("GET", anns).want(c.status)
			h.nobody().do("GET", beas).want(200)
		})
	}
}

// Whoever reads links often waits for themselves, as members do. Covers L-13.
func TestFeedsWaitInLine(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	id := ann.do("GET", "/world/calendars").str("calendars.0.id")
	feed := ann.do("POST", "/world/calendars/"+id+"/feed").want(201).str("feed.path")
	h.reading = limits.NewConcurrency(1, 0)
	giveBack, err := h.reading.Acquire(t.Context(), "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	h.nobody().do("GET", feed).refused(429, "rate_limited")
	ann.do("GET", "/world/calendars").want(200)
	giveBack()
	got := h.nobody().do("GET", feed).want(200)
	h.nobody().with("If-None-Match", got.header.Get("ETag")).do("GET", feed).want(304)
	h.nobody().do("GET", feed).want(200)
}

// A calendar that was exported and is imported elsewhere has the same entries;
// what cannot be taken is said one by one, and nothing is there twice.
func TestImportAndExport(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	path := ann.defaultCalendar()
	series := vevent("series", "DTSTART;TZID=Europe/Berlin:20261124T190000", "RRULE:FREQ=WEEKLY", "SUMMARY:Chœur")
	ann.basic().do("PUT", path+"a.ics", series).want(201)
	ann.basic().do("PUT", path+"b.ics", vobject("VTODO", "task", "SUMMARY:Taxes")).want(201)
	id := ann.do("GET", "/world/calendars").str("calendars.0.id")
	other := bea.do("GET", "/world/calendars").str("calendars.0.id")
	text := ann.do("GET", "/world/calendars/"+id+"/export").want(200).body
	bea.do("GET", "/world/calendars/"+id+"/export").refused(404, "not_found")
	bea.do("POST", "/world/calendars/"+id+"/import", text).refused(404, "not_found")

	// A calendar program that GETs the calendar itself has the same text.
	got := ann.basic().do("GET", path).want(200)
	if got.body != text || got.header.Get("Content-Type") != "text/calendar; charset=utf-8" {
		t.Errorf("by CalDAV it is %s\n%s", got.header.Get("Content-Type"), got.body)
	}
	again := ann.basic().with("If-None-Match", got.header.Get("ETag"))
	again.do("GET", path).want(304)
	ann.do("PATCH", "/world/calendars/"+id, `{"name": "Home"}`).want(200)
	if text = again.do("GET", path).want(200).body; !strings.Contains(text, "X-WR-CALNAME:Home\r\n") {
		t.Errorf("the new name is not in it:\n%s", text)
	}
	bea.basic().do("GET", path).want(404)

	bad := "BEGIN:VEVENT\r\nUID:bad\r\nDTSTART:tomorrow\r\nEND:VEVENT\r\nBEGIN:VJUNK\r\nUID:junk\r\nEND:VJUNK\r\nEND:VCALENDAR\r\n"
	text = strings.Replace(text, "END:VCALENDAR\r\n", bad, 1)
	got = bea.with("Content-Type", "text/calendar").do("POST", "/world/calendars/"+other+"/import", text).want(200)
	if got.at("report.imported") != 2.0 || got.at("report.refused_count") != 2.0 || got.str("report.refused.0.uid") != "bad" || got.str("report.refused.1.uid") != "junk" {
		t.Errorf("the report is %s", got.body)
	}
	got = bea.do("POST", "/world/calendars/"+other+"/import", text).want(200)
	if got.at("report.imported") != 0.0 || got.at("report.present") != 2.0 {
		t.Errorf("the second report is %s", got.body)
	}
	if a, b := ann.do("GET", "/world/time/objects"), bea.do("GET", "/world/time/objects"); len(a.list("objects")) != len(b.list("objects")) {
		t.Errorf("bea has %d instances, ann %d", len(b.list("objects")), len(a.list("objects")))
	}
	bea.do("POST", "/world/calendars/"+other+"/import", "nothing of the kind").refused(400, "malformed_body")
	bea.do("POST", "/world/calendars/"+other+"/import").refused(400, "malformed_body")
}

// The page about calendars does the same for people.
func TestCalendarsPage(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	path := ann.defaultCalendar()
	ann.basic().do("PUT", path+"a.ics", vevent("a", "DTSTART:20261125T100000Z", "SUMMARY:<b>Dentist")).want(201)
	ann.basic().do("DELETE", path+"a.ics").want(204)
	web := ann.with("Authorization", "").with("Cookie", cookieName+"="+ann.token)
	shows := func(a *answer, text string) {
		t.Helper()
		if !strings.Contains(a.want(200).body, text) {
			t.Errorf("the page does not say %s:\n%s", text, a.body)
		}
	}
	id := ann.do("GET", "/world/calendars").str("calendars.0.id")
	shows(web.do("GET", "/account/calendars"), "&lt;b&gt;Dentist")
	trashed := ann.do("GET", "/world/time/trash").str("trash.0.id")
	shows(web.do("POST", "/account/trash/"+trashed+"/restore", formBody("")), "It is back.")
	shows(web.do("POST", "/account/calendars/"+id+"/feed", formBody("")), "/feeds/")
	shows(web.do("POST", "/account/calendars/"+id+"/feed/delete", formBody("")), "leads nowhere")
	file := func(text string) *answer {
		body := "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.ics\"\r\nContent-Type: text/calendar\r\n\r\n" + text + "\r\n--x--\r\n"
		return web.with("Content-Type", "multipart/form-data; boundary=x").do("POST", "/account/calendars/"+id+"/import", body)
	}
	shows(file(vevent("new", "DTSTART:20261126T100000Z")), "Imported: 1.")
	shows(file(vevent("bad", "DTSTART:tomorrow")), "Not imported: 1.")
	shows(file("no calendar"), "That is not a calendar")
	shows(web.do("POST", "/account/calendars/"+id+"/import", formBody("")), "Choose a file")
	h.nobody().do("GET", "/account/calendars").want(303)

	// A long trash has pages.
	for i := range 60 {
		ann.basic().do("PUT", path+"old.ics", vevent(fmt.Sprint(i), "DTSTART:20261125T100000Z", fmt.Sprint("SUMMARY:Number ", i, "."))).want(201)
		ann.basic().do("DELETE", path+"old.ics").want(204)
		h.clock.Advance(time.Second)
	}
	first := web.do("GET", "/account/calendars")
	shows(first, "Number 59.")
	_, older, _ := strings.Cut(first.body, `href="/account/calendars?`)
	older, _, more := strings.Cut(older, `#trash"`)
	if !more || strings.Contains(first.body, "Number 9.") {
		t.Fatalf("the first page is\n%s", first.body)
	}
	second := web.do("GET", "/account/calendars?"+older)
	shows(second, "Number 9.")
	shows(second, "Number 0.")
	if strings.Contains(second.body, "Number 10.") || strings.Contains(second.body, "What was deleted before") {
		t.Errorf("the second page is\n%s", second.body)
	}
	web.do("GET", "/account/calendars?cursor=x").want(400)
}
