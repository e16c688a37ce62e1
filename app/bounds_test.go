package app

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"appliance/app/limits"
	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/object"
)

// keeps stores an entry over CalDAV, and returns where World has it.
func (c *client) keeps(uid, text string) (path string) {
	c.t.Helper()
	c.basic().do("PUT", c.defaultCalendar()+uid+".ics", text).want(201)
	for _, o := range c.do("GET", "/world/time/objects?start=2026-11-01&end=2027-10-01&limit=200").want(200).list("objects") {
		if dig(o, "state.uid") == uid {
			return dig(o, "links.self").(string)
		}
	}
	c.t.Fatalf("%s is not listed", uid)
	return ""
}

// A time zone that nobody knows is no zone: a time that is given as an instant
// stays one.
func TestChangingAnEntryInAnUnknownTimeZone(t *testing.T) {
	ann := open(t).member("ann")
	path := ann.keeps("nowhere", vevent("nowhere", "DTSTART;TZID=Nowhere/Else:20261125T090000", "RRULE:FREQ=DAILY", "SUMMARY:Somewhere"))
	one := ann.do("PATCH", path, `{"title": "Elsewhere", "scope": "this", "recurrence_id": "2026-12-25T09:00:00Z"}`).want(200)
	if got := one.str("object.state.occurrence.recurrence_id"); got != "2026-12-25T09:00:00" {
		t.Errorf("the change is to %s", got)
	}
	ann.do("DELETE", path+"?scope=this&recurrence_id=2026-12-26T09:00:00Z").want(200)
	ann.do("PATCH", path, `{"exdates": ["2026-12-27T09:00:00Z"]}`).want(200)
	moved := ann.do("PATCH", path, `{"start": "2026-11-25T10:00:00Z"}`).want(200)
	if got := moved.str("object.state.start.utc"); got != "2026-11-25T10:00:00Z" {
		t.Errorf("it starts at %s", got)
	}
}

// Whatever ann asks for at once, bea is answered: ann's own requests wait for
// one another.
func TestOneMemberWaitsForNobodyElse(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	over, end := context.WithCancel(t.Context())
	end()
	var giveBack [readsRunning]func()
	for i := range giveBack {
		var err error
		if giveBack[i], err = h.reading.Acquire(t.Context(), ann.id.String()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.reading.Acquire(over, ann.id.String()); !errors.Is(err, context.Canceled) {
		t.Errorf("one more of ann: %v; it should have had to wait", err)
	}
	bea.do("GET", "/identity/me").want(200)
	bea.basic().with("Depth", "0").do("PROPFIND", "/caldav/").want(207)
	ann.do("POST", "/world/calendars", `{"name": "Writes do not wait"}`).want(201)
	for _, give := range giveBack {
		give()
	}
	ann.do("GET", "/identity/me").want(200)
	if n := h.reading.InUse(); n != 0 {
		t.Errorf("%d members are remembered who wait for nothing", n)
	}
}

// One request too many is refused, with a word when to come again. Covers L-13.
func TestTooManyWaitingRequests(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	h.reading = limits.NewConcurrency(1, 0)
	giveBack, err := h.reading.Acquire(t.Context(), ann.id.String())
	if err != nil {
		t.Fatal(err)
	}
	defer giveBack()
	refused := ann.do("GET", "/world/time/objects").refused(429, "rate_limited")
	if refused.header.Get("Retry-After") == "" {
		t.Error("it does not say when to come again")
	}
	ann.basic().do("PROPFIND", "/caldav/").want(429)
	bea.do("GET", "/world/time/objects").want(200)
}

// A turn ends when the answer begins, so that a client may read slowly.
func TestATurnEndsWhenTheAnswerBegins(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	h.reading = limits.NewConcurrency(1, 0)
	free := func() bool {
		giveBack, err := h.reading.Acquire(t.Context(), ann.id.String())
		if err == nil {
			giveBack()
		}
		return err == nil
	}
	var before, after bool
	rt := route{access: member, handle: func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
		before = free()
		w.WriteHeader(http.StatusOK)
		after = free()
		return nil
	}}
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Authorization", ann.headers["Authorization"])
	h.serve(rt).ServeHTTP(&response{ResponseWriter: httptest.NewRecorder()}, r)
	if before || !after {
		t.Errorf("the turn was free before the answer: %t, and once it had begun: %t", before, after)
	}
}

// bottomless is a series with an instance each second, on days that are all
// taken out.
func bottomless(uid string) string {
	var all, days []string
	for i := range 60 {
		all = append(all, strconv.Itoa(i))
	}
	for i := range 900 {
		days = append(days, storetest.Start.AddDate(0, 0, i-30).Format("20060102"))
	}
	each := strings.Join(all, ",")
	return vevent(uid, "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY;BYMINUTE="+each+";BYSECOND="+each,
		"EXDATE;VALUE=DATE:"+strings.Join(days, ","), "SUMMARY:Never")
}

// An answer that would take too much work says that it is not all there is, and
// has what it has. What costs little is not lost for what costs much.
func TestWorkIsBounded(t *testing.T) {
	ann := open(t).member("ann").runtime()
	path := ann.defaultCalendar()
	for i := range 3 {
		uid := fmt.Sprint("never-", i)
		ann.basic().do("PUT", path+uid+".ics", bottomless(uid)).want(201)
	}
	ann.basic().do("PUT", path+"daily.ics", vevent("daily", "DTSTART:20261121T100000Z", "RRULE:FREQ=DAILY", "SUMMARY:Daily")).want(201)
	list := ann.do("GET", "/world/time/objects?start=2026-11-21&end=2026-12-21&limit=200").want(200)
	if n := len(list.list("objects")); n != 30 {
		t.Errorf("%d instances are listed, want 30", n)
	}
	dataset := ann.do("GET", "/world/runtime").want(200)
	dataset.fits("service.runtime.dataset", dataset.at(""))
	for _, a := range []*answer{list, dataset} {
		if !slices.ContainsFunc(a.list("fallbacks"), func(f any) bool {
			return dig(f, "state") == "degraded" && dig(f, "reason") == "truncated" && dig(f, "scope.section") == "objects"
		}) {
			t.Errorf("%s does not say that it is cut", a.about)
		}
	}
	if again := ann.do("GET", "/world/runtime").want(200); len(again.list("objects")) != len(dataset.list("objects")) {
		t.Error("the dataset is another one the second time")
	}
	plain := ann.do("GET", "/world/time/objects?start=2026-11-21&end=2026-12-21&object_type=task").want(200)
	if n := len(plain.list("fallbacks")); n != 0 {
		t.Errorf("an answer that is complete has %d fallbacks", n)
	}
}

// megabyte is a series of about a megabyte, most of it dates that are taken out.
func megabyte(uid, rule string) string {
	dates := make([]string, 50_000)
	for i := range dates {
		dates[i] = storetest.Start.AddDate(2, 0, 0).Add(time.Duration(i) * time.Second).Format("20060102T150405Z")
	}
	return vevent(uid, "DTSTART:20261121T090000Z", rule, "EXDATE:"+strings.Join(dates, ","), "SUMMARY:"+strings.Repeat("s", 300),
		"LOCATION:"+strings.Repeat("l", 2000), "DESCRIPTION:"+strings.Repeat("é", 20_000), "CATEGORIES:"+strings.Repeat("c,", 1000)+"d")
}

// Lists and datasets show an entry briefly, and name what they cut; the entry
// itself is shown whole. What is cut is not offered for a change. Covers L-12.
func TestListsAreBrief(t *testing.T) {
	ann := open(t).member("ann").runtime()
	path := ann.keeps("large", megabyte("large", "RRULE:FREQ=MINUTELY"))
	list := ann.do("GET", "/world/time/objects?limit=200").want(200)
	last := len(list.list("objects")) - 1
	if last < 100 || len(list.body) > 5<<20 {
		t.Fatalf("%d instances in %d octets", last+1, len(list.body))
	}
	dataset := ann.do("GET", "/world/runtime").want(200)
	for _, o := range []any{list.at("objects.0"), list.at(fmt.Sprint("objects.", last)), dataset.at("objects.0")} {
		if got := fmt.Sprint(dig(o, "state.cut")); got != "[title location description exdates categories]" {
			t.Errorf("cut are %s", got)
		}
		title, description := dig(o, "title").(string), dig(o, "state.description").(string)
		if len(title) != 200 || description != strings.Repeat("é", 8000) || len(dig(o, "state.recurrence.exdates").([]any)) != 200 {
			t.Errorf("a title of %d, a description of %d octets", len(title), len(description))
		}
	}
	for _, a := range dataset.list("actions") {
		if dig(a, "type") == "update_time_object" && fmt.Sprint(controlIDs(dig(a, "controls"))) != "[start end all_day rrule status calendar_id]" {
			t.Errorf("it can be changed: %v", controlIDs(dig(a, "controls")))
		}
	}
	whole := ann.do("GET", path).want(200)
	if n := len(whole.list("object.state.recurrence.exdates")); n != 50_000 || len(whole.list("object.state.cut")) != 0 {
		t.Errorf("the entry has %d dates, cut are %v", n, whole.at("object.state.cut"))
	}
	if n := len(whole.str("object.state.description")); n != 40_000 {
		t.Errorf("its description has %d octets", n)
	}
}

func controlIDs(list any) (ids []any) {
	for _, one := range list.([]any) {
		ids = append(ids, dig(one, "id"))
	}
	return ids
}

// A page is bounded by octets too, and the next one goes on where it ends.
// Covers L-12.
func TestPagesAreBoundedByOctets(t *testing.T) {
	lengthy(t)
	ann := open(t).member("ann")
	path := ann.defaultCalendar()
	const count = 180
	for i := range count {
		uid := fmt.Sprintf("long-%03d", i)
		ann.basic().do("PUT", path+uid+".ics", vevent(uid, fmt.Sprintf("DTSTART:20261121T10%02d%02dZ", i/60, i%60), "SUMMARY:Long",
			"DESCRIPTION:"+strings.Repeat("字", 8000), "CATEGORIES:"+strings.Repeat(strings.Repeat("字", 80)+",", 199)+"d")).want(201)
	}
	var got []string
	cursor, pages := "", 0
	for ; pages == 0 || cursor != ""; pages++ {
		page := ann.do("GET", "/world/time/objects?limit=200&cursor="+cursor).want(200)
		if len(page.body) > 5<<20 || page.at("page.limit") != 200.0 {
			t.Fatalf("a page of %d octets, limit %v", len(page.body), page.at("page.limit"))
		}
		for _, o := range page.list("objects") {
			got = append(got, dig(o, "state.uid").(string))
		}
		cursor = page.str("page.next_cursor")
	}
	if len(got) != count || !slices.IsSorted(got) || pages < 3 {
		t.Errorf("%d entries on %d pages, in order %t", len(got), pages, slices.IsSorted(got))
	}
	dataset := ann.runtime().do("GET", "/world/runtime").want(200)
	if n := len(dataset.list("objects")); n == count || len(dataset.body) > 17<<20 || !strings.Contains(dataset.body, `"reason":"truncated"`) {
		t.Errorf("a dataset of %d entries and %d octets", n, len(dataset.body))
	}
}

// What a member takes with them is written piece by piece, however much it is:
// it is whole, and it is JSON. Covers SH-26.
func TestExportIsWhole(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	path := ann.defaultCalendar()
	ann.do("POST", "/world/calendars", `{"name": "Empty"}`).want(201)
	texts := make(map[string]string)
	for i := range 9 { // more than one portion
		name := fmt.Sprintf("%d.ics", i)
		texts[name] = megabyte(fmt.Sprint("uid-", i), "RRULE:FREQ=DAILY")
		ann.basic().do("PUT", path+name, texts[name]).want(201)
	}
	whole := ann.do("GET", "/world/identity/export").want(200)
	if whole.header.Get("Content-Type") != "application/json" || whole.str("identity.member.username") != "ann" {
		t.Errorf("it is %s of %s", whole.header.Get("Content-Type"), whole.str("identity.member.username"))
	}
	calendars := whole.list("calendars")
	if len(calendars) != 2 || len(dig(calendars[1], "objects").([]any)) != 0 || dig(calendars[1], "calendar.name") != "Empty" {
		t.Fatalf("%d calendars", len(calendars))
	}
	for _, o := range dig(calendars[0], "objects").([]any) {
		name := dig(o, "name").(string)
		if dig(o, "data") != texts[name] {
			t.Errorf("%s is not as it was stored", name)
		}
		delete(texts, name)
	}
	if len(texts) != 0 {
		t.Errorf("%d entries are missing", len(texts))
	}
}

// A repeated write does nothing again, however long its answer was; what is
// kept of answers is bounded. Covers B-88.
func TestAnswersAreKeptWithinBounds(t *testing.T) {
	lengthy(t)
	h := open(t, unlimited)
	ann := h.member("ann")
	path := ann.keeps("long", megabyte("long", "RRULE:FREQ=DAILY"))
	kept := func() (answers, octets int) {
		db, err := sql.Open("sqlite", h.settings.Database())
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.QueryRow("SELECT count(*), total(length(answer)) FROM world_idempotency").Scan(&answers, &octets); err != nil {
			t.Fatal(err)
		}
		return answers, octets
	}
	keyed := ann.with("Idempotency-Key", "once")
	first := keyed.do("PATCH", path, `{"title": "Once"}`).want(200)
	ann.do("PATCH", path, `{"title": "Twice"}`).want(200)
	again := keyed.do("PATCH", path, `{"title": "Once"}`).want(200)
	if len(again.list("refresh.sections")) == 0 || again.str("object.id") != first.str("object.id") {
		t.Errorf("the second answer is %s", again.body)
	}
	if title := ann.do("GET", path).want(200).str("object.title"); title != "Twice" {
		t.Errorf("the repetition made it %q", title)
	}
	if _, octets := kept(); octets > 1000 {
		t.Errorf("%d octets are kept", octets)
	}
	calendar := "/world/calendars/" + ann.do("GET", "/world/calendars").str("calendars.0.id")
	for i := range 1010 {
		h.clock.Advance(time.Millisecond)
		ann.with("Idempotency-Key", fmt.Sprint(i)).do("PATCH", calendar, `{}`).want(200)
	}
	if answers, _ := kept(); answers != 1000 {
		t.Errorf("%d answers are kept", answers)
	}
}

// A member who has stored too much may store no more, and may go on once
// something is deleted for good.
func TestQuota(t *testing.T) {
	h := open(t)
	h.objects.Quota = object.Quota{Calendars: 2, Objects: 3, Octets: 3000}
	ann, bea := h.member("ann"), h.member("bea")
	dav, path := ann.basic(), ann.defaultCalendar()
	event := func(uid string, size int) string {
		return vevent(uid, "DTSTART:20261125T090000Z", "SUMMARY:S", "DESCRIPTION:"+strings.Repeat("d", size))
	}
	refused := func(a *answer) {
		t.Helper()
		if a.want(507); !strings.Contains(a.body, "quota-not-exceeded") {
			t.Errorf("%s: %s", a.about, a.body)
		}
	}
	dav.do("PUT", path+"a.ics", event("a", 100)).want(201)
	dav.do("PUT", path+"b.ics", event("b", 2000)).want(201)
	refused(dav.do("PUT", path+"a.ics", event("a", 1000)))
	refused(dav.do("PUT", path+"c.ics", event("c", 1000)))
	dav.do("PUT", path+"b.ics", event("b", 1500)).want(204)
	dav.do("PUT", path+"c.ics", event("c", 10)).want(201)
	ann.do("POST", "/world/time/objects", `{"object_type": "task", "title": "One too many"}`).refused(422, "quota_exceeded")
	dav.do("DELETE", path+"c.ics").want(204)
	refused(dav.do("PUT", path+"d.ics", event("d", 10))) // c is in the trash
	ann.do("DELETE", "/world/time/trash").want(200)
	dav.do("PUT", path+"d.ics", event("d", 10)).want(201)

	second := ann.do("POST", "/world/calendars", `{"name": "Second"}`).want(201).str("calendar.caldav_path")
	refused(dav.with("Destination", second+"a.ics").do("COPY", path+"a.ics"))
	ann.do("POST", "/world/calendars", `{"name": "Third"}`).refused(422, "quota_exceeded")
	refused(dav.do("MKCALENDAR", strings.TrimSuffix(path, "/")+"-more/"))
	bea.basic().do("PUT", bea.defaultCalendar()+"a.ics", event("a", 2000)).want(201)
	h.counted()
}

// counted fails the test unless what is counted of calendars is what they hold.
func (h *house) counted() {
	h.t.Helper()
	db, err := sql.Open("sqlite", h.settings.Database())
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	var wrong int
	if err := db.QueryRow(`
		SELECT (SELECT count(*) FROM calendar_calendar AS c
		         WHERE objects <> (SELECT count(*) FROM calendar_object WHERE calendar_id = c.id)
		            OR octets <> (SELECT total(length(data)) FROM calendar_data JOIN calendar_object USING (n) WHERE calendar_id = c.id))
		     + (SELECT count(*) FROM calendar_trash AS b
		         WHERE objects <> (SELECT count(*) FROM calendar_trashed WHERE trash = b.n AND component <> '')
		            OR octets <> (SELECT total(length(data)) FROM calendar_trashed WHERE trash = b.n))`).Scan(&wrong); err != nil {
		h.t.Fatal(err)
	}
	if wrong != 0 {
		h.t.Errorf("%d calendars or members have another count than what they hold", wrong)
	}
}

// Old deletions are forgotten; a client that does not know of them is told to
// start over, and one that reads a calendar for the first time is not
// (RFC 6578 §3.2). Covers C-20.
func TestDeletionsAreForgotten(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	dav, path := ann.basic(), ann.defaultCalendar()
	sync := func(token string, limit int) *answer {
		limits := ""
		if limit > 0 {
			limits = fmt.Sprintf("<limit><nresults>%d</nresults></limit>", limit)
		}
		return dav.do("REPORT", path, `<sync-collection xmlns="DAV:"><sync-token>`+token+`</sync-token><sync-level>1</sync-level>`+limits+
			`<prop><getetag/></prop></sync-collection>`)
	}
	tokenOf := func(a *answer) string {
		_, rest, _ := strings.Cut(a.want(207).body, "sync-token>")
		token, _, _ := strings.Cut(rest, "<")
		return token
	}
	for _, name := range []string{"a", "b", "c"} {
		dav.do("PUT", path+name+".ics", vevent(name, "DTSTART:20261125T090000Z")).want(201)
	}
	before := tokenOf(sync("", 0))
	dav.do("DELETE", path+"a.ics").want(204)
	after := tokenOf(sync("", 0))
	h.clock.Advance(100 * 24 * time.Hour)
	for i := range 260 { // now and then it is looked what can be forgotten
		dav.do("PUT", path+"b.ics", vevent("b", "DTSTART:20261125T090000Z", fmt.Sprint("SUMMARY:", i))).want(204)
	}
	if a := sync(before, 0).want(403); !strings.Contains(a.body, "valid-sync-token") {
		t.Errorf("a token from before the deletion: %s", a.body)
	}
	if a := sync(after, 0).want(207); strings.Contains(a.body, "a.ics") || !strings.Contains(a.body, "b.ics") {
		t.Errorf("a token from after it: %s", a.body)
	}
	dav.do("PUT", path+"c.ics", vevent("c", "DTSTART:20261125T090000Z", "SUMMARY:Last")).want(204)
	portion := sync("", 1)
	dav.do("DELETE", path+"b.ics").want(204)
	rest := sync(tokenOf(portion), 1).want(207)
	all := portion.body + rest.body + sync(tokenOf(rest), 1).want(207).body
	for _, name := range []string{"b.ics", "c.ics", "404"} {
		if !strings.Contains(all, name) {
			t.Errorf("read in portions, there is no %s in %s", name, all)
		}
	}
}

// Working out a change takes none of the time for which everybody waits: the
// write reads no text. A change in the meantime is not lost.
func TestChangesAreDrafted(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	path := ann.keeps("series", vevent("series", "DTSTART:20261125T090000Z", "RRULE:FREQ=DAILY", "SUMMARY:First"))
	id, v := path[strings.LastIndex(path, "/")+1:], ann.viewer()
	texts := func(do func()) int {
		h.ran.take()
		do()
		return h.ran.take()["calendar_object/data"]
	}
	for _, body := range []string{
		`{"title": "All"}`, `{"title": "One", "scope": "this", "recurrence_id": "2026-12-01T09:00:00Z"}`,
		`{"title": "Rest", "scope": "this_and_future", "recurrence_id": "2026-12-10T09:00:00Z"}`,
	} {
		if n := texts(func() { ann.do("PATCH", path, body).want(200) }); n != 1 {
			t.Errorf("%s reads the text %d times", body, n)
		}
	}
	if n := texts(func() { ann.do("DELETE", path+"?scope=this&recurrence_id=2026-12-02T09:00:00Z").want(200) }); n != 1 {
		t.Errorf("a deletion reads the text %d times", n)
	}

	change := edit.ObjectChange{Change: edit.Change{Location: svc.Some("Here")}}
	var draft, deletion *calendar.Draft
	h.see(func(tx *store.Tx) (err error) {
		if draft, err = h.calendar.Draft(tx, v, id, change); err == nil {
			deletion, err = h.calendar.DraftDeletion(tx, v, id, edit.Deletion{ETag: "*"})
		}
		return err
	})
	ann.do("PATCH", path, `{"title": "Meanwhile"}`).want(200)
	err := h.db.Write(t.Context(), func(tx *store.Tx) error {
		_, err := h.calendar.Patch(tx, v, id, change, draft)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	now := ann.do("GET", path).want(200)
	if now.str("object.title") != "Meanwhile" || now.str("object.state.location") != "Here" {
		t.Errorf("it is %q at %q", now.str("object.title"), now.str("object.state.location"))
	}
	err = h.db.Write(t.Context(), func(tx *store.Tx) error {
		return h.calendar.Delete(tx, v, id, edit.Deletion{ETag: "old"}, deletion)
	})
	if svc.KindOf(err) != svc.Stale {
		t.Errorf("deleting by an old ETag: %v", err)
	}
	ann.do("GET", path).want(200)
}
