package calendar

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
)

// wantText fails the test unless a page contains a text.
func wantText(a *apptest.Answer, text string) {
	a.T.Helper()
	if !strings.Contains(a.Want(200).Body, text) {
		a.T.Errorf("%s: got no %q in\n%s", a.About, text, a.Body)
	}
}

// The page has forms that restore entries, manage the feed of a calendar and
// import files.
func TestCalendarPageHasFormsForTrashFeedAndImport(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	path := ann.DefaultCalendar()
	ann.Basic().Do("PUT", path+"a.ics", apptest.VEvent("a", "DTSTART:20261125T100000Z", "SUMMARY:<b>Dentist")).Want(201)
	ann.Basic().Do("DELETE", path+"a.ics").Want(204)
	web := ann.With("Authorization", "").With("Cookie", apptest.CookieName+"="+ann.Token)
	id := ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	wantText(web.Do("GET", "/account/calendars"), "&lt;b&gt;Dentist")
	trashed := ann.Do("GET", "/world/time/trash").Str("trash.0.id")
	wantText(web.Do("POST", "/account/trash/"+trashed+"/restore", apptest.Form("")), "Restored.")
	wantText(web.Do("POST", "/account/calendars/"+id+"/feed", apptest.Form("")), "/feeds/")
	wantText(web.Do("POST", "/account/calendars/"+id+"/feed/delete", apptest.Form("")), "The link is removed.")
	upload := func(text string) *apptest.Answer {
		body := "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.ics\"\r\nContent-Type: text/calendar\r\n\r\n" + text + "\r\n--x--\r\n"
		return web.With("Content-Type", "multipart/form-data; boundary=x").Do("POST", "/account/calendars/"+id+"/import", body)
	}
	wantText(upload(apptest.VEvent("new", "DTSTART:20261126T100000Z")), "Imported: 1.")
	wantText(upload(apptest.VEvent("bad", "DTSTART:tomorrow")), "Not imported: 1.")
	wantText(upload("no calendar"), "The file is not a valid iCalendar file")
	wantText(web.Do("POST", "/account/calendars/"+id+"/import", apptest.Form("")), "Choose a file")
	h.Unauthenticated().Do("GET", "/account/calendars").Want(303)
}

// A long trash has several pages.
func TestTrashOnTheCalendarPageIsPaged(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	path := ann.DefaultCalendar()
	web := ann.With("Authorization", "").With("Cookie", apptest.CookieName+"="+ann.Token)
	for i := range 60 {
		ann.Basic().Do("PUT", path+"old.ics", apptest.VEvent(fmt.Sprint(i), "DTSTART:20261125T100000Z", fmt.Sprint("SUMMARY:Number ", i, "."))).Want(201)
		ann.Basic().Do("DELETE", path+"old.ics").Want(204)
		h.Clock.Advance(time.Second)
	}
	first := web.Do("GET", "/account/calendars")
	wantText(first, "Number 59.")
	_, older, _ := strings.Cut(first.Body, `href="/account/calendars?`)
	older, _, more := strings.Cut(older, `#trash"`)
	if !more || strings.Contains(first.Body, "Number 9.") {
		t.Fatalf("the first page has no link to the second, or contains Number 9:\n%s", first.Body)
	}
	second := web.Do("GET", "/account/calendars?"+older)
	wantText(second, "Number 9.")
	wantText(second, "Number 0.")
	if strings.Contains(second.Body, "Number 10.") {
		t.Errorf("the second page contains Number 10:\n%s", second.Body)
	}
	web.Do("GET", "/account/calendars?cursor=x").Want(400)
}

// BenchmarkCalendarPage reads the page with 10,000 entries in the trash.
func BenchmarkCalendarPage(b *testing.B) {
	h := apptest.New(b, apptest.Unlimited)
	ann := h.Member("ann")
	ann.FillCalendar(b, 10_000)
	path, remove := ann.DefaultCalendar(), ann.Basic().Bench(b, "DELETE", 204)
	for i := range 10_000 {
		remove(fmt.Sprintf("%s%d.ics", path, i), "")
	}
	get := ann.With("Authorization", "").With("Cookie", apptest.CookieName+"="+ann.Token).Bench(b, "GET", 200)
	for b.Loop() {
		get("/account/calendars", "")
	}
}
