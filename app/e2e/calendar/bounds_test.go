package calendar

import (
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/object"
	"appliance/svc/svctest"
)

// keeps stores an entry over CalDAV, and returns where World has it.
func keeps(c *apptest.Client, uid, text string) (path string) {
	c.T.Helper()
	c.Basic().Do("PUT", c.DefaultCalendar()+uid+".ics", text).Want(201)
	for _, o := range c.Do("GET", "/world/time/objects?start=2026-11-01&end=2027-10-01&limit=200").Want(200).List("objects") {
		if apptest.At(o, "state.uid") == uid {
			return apptest.At(o, "links.self").(string)
		}
	}
	c.T.Fatalf("%s is not listed", uid)
	return ""
}

// A time zone that nobody knows is no zone: a time that is given as an instant
// stays one.
func TestChangingAnEntryInAnUnknownTimeZone(t *testing.T) {
	ann := apptest.New(t).Member("ann")
	path := keeps(ann, "nowhere", apptest.VEvent("nowhere", "DTSTART;TZID=Nowhere/Else:20261125T090000", "RRULE:FREQ=DAILY", "SUMMARY:Somewhere"))
	one := ann.Do("PATCH", path, `{"title": "Elsewhere", "scope": "this", "recurrence_id": "2026-12-25T09:00:00Z"}`).Want(200)
	if got := one.Str("object.state.occurrence.recurrence_id"); got != "2026-12-25T09:00:00" {
		t.Errorf("the change is to %s", got)
	}
	ann.Do("DELETE", path+"?scope=this&recurrence_id=2026-12-26T09:00:00Z").Want(200)
	ann.Do("PATCH", path, `{"exdates": ["2026-12-27T09:00:00Z"]}`).Want(200)
	moved := ann.Do("PATCH", path, `{"start": "2026-11-25T10:00:00Z"}`).Want(200)
	if got := moved.Str("object.state.start.utc"); got != "2026-11-25T10:00:00Z" {
		t.Errorf("it starts at %s", got)
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
	return apptest.VEvent(uid, "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY;BYMINUTE="+each+";BYSECOND="+each,
		"EXDATE;VALUE=DATE:"+strings.Join(days, ","), "SUMMARY:Never")
}

// An answer that would take too much work says that it is not all there is, and
// has what it has. What costs little is not lost for what costs much.
func TestWorkIsBounded(t *testing.T) {
	ann := apptest.New(t).Member("ann").Runtime()
	path := ann.DefaultCalendar()
	for i := range 3 {
		uid := fmt.Sprint("never-", i)
		ann.Basic().Do("PUT", path+uid+".ics", bottomless(uid)).Want(201)
	}
	ann.Basic().Do("PUT", path+"daily.ics", apptest.VEvent("daily", "DTSTART:20261121T100000Z", "RRULE:FREQ=DAILY", "SUMMARY:Daily")).Want(201)
	list := ann.Do("GET", "/world/time/objects?start=2026-11-21&end=2026-12-21&limit=200").Want(200)
	if n := len(list.List("objects")); n != 30 {
		t.Errorf("%d instances are listed, want 30", n)
	}
	dataset := ann.Do("GET", "/world/runtime").Want(200)
	dataset.WantSchema("service.runtime.dataset", dataset.At(""))
	for _, a := range []*apptest.Answer{list, dataset} {
		if !slices.ContainsFunc(a.List("fallbacks"), func(f any) bool {
			return apptest.At(f, "state") == "degraded" && apptest.At(f, "reason") == "truncated" && apptest.At(f, "scope.section") == "objects"
		}) {
			t.Errorf("%s does not say that it is cut", a.About)
		}
	}
	if again := ann.Do("GET", "/world/runtime").Want(200); len(again.List("objects")) != len(dataset.List("objects")) {
		t.Error("the dataset is another one the second time")
	}
	plain := ann.Do("GET", "/world/time/objects?start=2026-11-21&end=2026-12-21&object_type=task").Want(200)
	if n := len(plain.List("fallbacks")); n != 0 {
		t.Errorf("an answer that is complete has %d fallbacks", n)
	}
}

// megabyte is a series of about a megabyte, most of it dates that are taken out.
func megabyte(uid, rule string) string {
	dates := make([]string, 50_000)
	for i := range dates {
		dates[i] = storetest.Start.AddDate(2, 0, 0).Add(time.Duration(i) * time.Second).Format("20060102T150405Z")
	}
	return apptest.VEvent(uid, "DTSTART:20261121T090000Z", rule, "EXDATE:"+strings.Join(dates, ","), "SUMMARY:"+strings.Repeat("s", 300),
		"LOCATION:"+strings.Repeat("l", 2000), "DESCRIPTION:"+strings.Repeat("é", 20_000), "CATEGORIES:"+strings.Repeat("c,", 1000)+"d")
}

// Lists and datasets show an entry briefly, and name what they cut; the entry
// itself is shown whole. What is cut is not offered for a change. Covers L-12.
func TestListsAreBrief(t *testing.T) {
	ann := apptest.New(t).Member("ann").Runtime()
	path := keeps(ann, "large", megabyte("large", "RRULE:FREQ=MINUTELY"))
	list := ann.Do("GET", "/world/time/objects?limit=200").Want(200)
	last := len(list.List("objects")) - 1
	if last < 100 || len(list.Body) > 5<<20 {
		t.Fatalf("%d instances in %d octets", last+1, len(list.Body))
	}
	dataset := ann.Do("GET", "/world/runtime").Want(200)
	for _, o := range []any{list.At("objects.0"), list.At(fmt.Sprint("objects.", last)), dataset.At("objects.0")} {
		if got := fmt.Sprint(apptest.At(o, "state.cut")); got != "[title location description exdates categories]" {
			t.Errorf("cut are %s", got)
		}
		title, description := apptest.At(o, "title").(string), apptest.At(o, "state.description").(string)
		if len(title) != 200 || description != strings.Repeat("é", 8000) || len(apptest.At(o, "state.recurrence.exdates").([]any)) != 200 {
			t.Errorf("a title of %d, a description of %d octets", len(title), len(description))
		}
	}
	for _, a := range dataset.List("actions") {
		if apptest.At(a, "type") == "update_time_object" && fmt.Sprint(controlIDs(apptest.At(a, "controls"))) != "[start end all_day rrule status calendar_id]" {
			t.Errorf("it can be changed: %v", controlIDs(apptest.At(a, "controls")))
		}
	}
	whole := ann.Do("GET", path).Want(200)
	if n := len(whole.List("object.state.recurrence.exdates")); n != 50_000 || len(whole.List("object.state.cut")) != 0 {
		t.Errorf("the entry has %d dates, cut are %v", n, whole.At("object.state.cut"))
	}
	if n := len(whole.Str("object.state.description")); n != 40_000 {
		t.Errorf("its description has %d octets", n)
	}
}

func controlIDs(list any) (ids []any) {
	for _, one := range list.([]any) {
		ids = append(ids, apptest.At(one, "id"))
	}
	return ids
}

// A page is bounded by octets too, and the next one goes on where it ends.
// Covers L-12.
func TestPagesAreBoundedByOctets(t *testing.T) {
	svctest.Long(t)
	ann := apptest.New(t).Member("ann")
	path := ann.DefaultCalendar()
	const count = 180
	for i := range count {
		uid := fmt.Sprintf("long-%03d", i)
		ann.Basic().Do("PUT", path+uid+".ics", apptest.VEvent(uid, fmt.Sprintf("DTSTART:20261121T10%02d%02dZ", i/60, i%60), "SUMMARY:Long",
			"DESCRIPTION:"+strings.Repeat("字", 8000), "CATEGORIES:"+strings.Repeat(strings.Repeat("字", 80)+",", 199)+"d")).Want(201)
	}
	var got []string
	cursor, pages := "", 0
	for ; pages == 0 || cursor != ""; pages++ {
		page := ann.Do("GET", "/world/time/objects?limit=200&cursor="+cursor).Want(200)
		if len(page.Body) > 5<<20 || page.At("page.limit") != 200.0 {
			t.Fatalf("a page of %d octets, limit %v", len(page.Body), page.At("page.limit"))
		}
		for _, o := range page.List("objects") {
			got = append(got, apptest.At(o, "state.uid").(string))
		}
		cursor = page.Str("page.next_cursor")
	}
	if len(got) != count || !slices.IsSorted(got) || pages < 3 {
		t.Errorf("%d entries on %d pages, in order %t", len(got), pages, slices.IsSorted(got))
	}
	dataset := ann.Runtime().Do("GET", "/world/runtime").Want(200)
	if n := len(dataset.List("objects")); n == count || len(dataset.Body) > 17<<20 || !strings.Contains(dataset.Body, `"reason":"truncated"`) {
		t.Errorf("a dataset of %d entries and %d octets", n, len(dataset.Body))
	}
}

// What a member takes with them is written piece by piece, however much it is:
// it is whole, and it is JSON. Covers SH-26.
func TestExportIsWhole(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	path := ann.DefaultCalendar()
	ann.Do("POST", "/world/calendars", `{"name": "Empty"}`).Want(201)
	texts := make(map[string]string)
	for i := range 9 { // more than one portion
		name := fmt.Sprintf("%d.ics", i)
		texts[name] = megabyte(fmt.Sprint("uid-", i), "RRULE:FREQ=DAILY")
		ann.Basic().Do("PUT", path+name, texts[name]).Want(201)
	}
	whole := ann.Do("GET", "/world/identity/export").Want(200)
	if whole.Header.Get("Content-Type") != "application/json" || whole.Str("identity.member.username") != "ann" {
		t.Errorf("it is %s of %s", whole.Header.Get("Content-Type"), whole.Str("identity.member.username"))
	}
	calendars := whole.List("calendars")
	if len(calendars) != 2 || len(apptest.At(calendars[1], "objects").([]any)) != 0 || apptest.At(calendars[1], "calendar.name") != "Empty" {
		t.Fatalf("%d calendars", len(calendars))
	}
	for _, o := range apptest.At(calendars[0], "objects").([]any) {
		name := apptest.At(o, "name").(string)
		if apptest.At(o, "data") != texts[name] {
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
	svctest.Long(t)
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	path := keeps(ann, "long", megabyte("long", "RRULE:FREQ=DAILY"))
	kept := func() (answers, octets int) {
		db, err := sql.Open("sqlite", h.Settings.Database())
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.QueryRow("SELECT count(*), total(length(response)) FROM world_idempotency").Scan(&answers, &octets); err != nil {
			t.Fatal(err)
		}
		return answers, octets
	}
	keyed := ann.With("Idempotency-Key", "once")
	first := keyed.Do("PATCH", path, `{"title": "Once"}`).Want(200)
	ann.Do("PATCH", path, `{"title": "Twice"}`).Want(200)
	again := keyed.Do("PATCH", path, `{"title": "Once"}`).Want(200)
	if len(again.List("refresh.sections")) == 0 || again.Str("object.id") != first.Str("object.id") {
		t.Errorf("the second answer is %s", again.Body)
	}
	if title := ann.Do("GET", path).Want(200).Str("object.title"); title != "Twice" {
		t.Errorf("the repetition made it %q", title)
	}
	if _, octets := kept(); octets > 1000 {
		t.Errorf("%d octets are kept", octets)
	}
	calendar := "/world/calendars/" + ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	for i := range 1010 {
		h.Clock.Advance(time.Millisecond)
		ann.With("Idempotency-Key", fmt.Sprint(i)).Do("PATCH", calendar, `{}`).Want(200)
	}
	if answers, _ := kept(); answers != 1000 {
		t.Errorf("%d answers are kept", answers)
	}
}

// A member who has stored too much may store no more, and may go on once
// something is deleted for good.
func TestQuota(t *testing.T) {
	h := apptest.New(t)
	h.App.Objects.Quota = object.Quota{Calendars: 2, Objects: 3, Octets: 3000}
	ann, bea := h.Member("ann"), h.Member("bea")
	dav, path := ann.Basic(), ann.DefaultCalendar()
	event := func(uid string, size int) string {
		return apptest.VEvent(uid, "DTSTART:20261125T090000Z", "SUMMARY:S", "DESCRIPTION:"+strings.Repeat("d", size))
	}
	refused := func(a *apptest.Answer) {
		t.Helper()
		if a.Want(507); !strings.Contains(a.Body, "quota-not-exceeded") {
			t.Errorf("%s: %s", a.About, a.Body)
		}
	}
	dav.Do("PUT", path+"a.ics", event("a", 100)).Want(201)
	dav.Do("PUT", path+"b.ics", event("b", 2000)).Want(201)
	refused(dav.Do("PUT", path+"a.ics", event("a", 1000)))
	refused(dav.Do("PUT", path+"c.ics", event("c", 1000)))
	dav.Do("PUT", path+"b.ics", event("b", 1500)).Want(204)
	dav.Do("PUT", path+"c.ics", event("c", 10)).Want(201)
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "One too many"}`).WantError(422, "quota_exceeded")
	dav.Do("DELETE", path+"c.ics").Want(204)
	refused(dav.Do("PUT", path+"d.ics", event("d", 10))) // c is in the trash
	ann.Do("DELETE", "/world/time/trash").Want(200)
	dav.Do("PUT", path+"d.ics", event("d", 10)).Want(201)

	second := ann.Do("POST", "/world/calendars", `{"name": "Second"}`).Want(201).Str("calendar.caldav_path")
	refused(dav.With("Destination", second+"a.ics").Do("COPY", path+"a.ics"))
	ann.Do("POST", "/world/calendars", `{"name": "Third"}`).WantError(422, "quota_exceeded")
	refused(dav.Do("MKCALENDAR", strings.TrimSuffix(path, "/")+"-more/"))
	bea.Basic().Do("PUT", bea.DefaultCalendar()+"a.ics", event("a", 2000)).Want(201)
	counted(h)
}

// counted fails the test unless what is counted of calendars is what they hold.
func counted(h *apptest.Server) {
	h.T.Helper()
	db, err := sql.Open("sqlite", h.Settings.Database())
	if err != nil {
		h.T.Fatal(err)
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
		h.T.Fatal(err)
	}
	if wrong != 0 {
		h.T.Errorf("%d calendars or members have another count than what they hold", wrong)
	}
}

// Old deletions are forgotten; a client that does not know of them is told to
// start over, and one that reads a calendar for the first time is not
// (RFC 6578 §3.2). Covers C-20.
func TestDeletionsAreForgotten(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	dav, path := ann.Basic(), ann.DefaultCalendar()
	sync := func(token string, limit int) *apptest.Answer {
		limits := ""
		if limit > 0 {
			limits = fmt.Sprintf("<limit><nresults>%d</nresults></limit>", limit)
		}
		return dav.Do("REPORT", path, `<sync-collection xmlns="DAV:"><sync-token>`+token+`</sync-token><sync-level>1</sync-level>`+limits+
			`<prop><getetag/></prop></sync-collection>`)
	}
	tokenOf := func(a *apptest.Answer) string {
		_, rest, _ := strings.Cut(a.Want(207).Body, "sync-token>")
		token, _, _ := strings.Cut(rest, "<")
		return token
	}
	for _, name := range []string{"a", "b", "c"} {
		dav.Do("PUT", path+name+".ics", apptest.VEvent(name, "DTSTART:20261125T090000Z")).Want(201)
	}
	before := tokenOf(sync("", 0))
	dav.Do("DELETE", path+"a.ics").Want(204)
	after := tokenOf(sync("", 0))
	h.Clock.Advance(100 * 24 * time.Hour)
	for i := range 260 { // now and then it is looked what can be forgotten
		dav.Do("PUT", path+"b.ics", apptest.VEvent("b", "DTSTART:20261125T090000Z", fmt.Sprint("SUMMARY:", i))).Want(204)
	}
	if a := sync(before, 0).Want(403); !strings.Contains(a.Body, "valid-sync-token") {
		t.Errorf("a token from before the deletion: %s", a.Body)
	}
	if a := sync(after, 0).Want(207); strings.Contains(a.Body, "a.ics") || !strings.Contains(a.Body, "b.ics") {
		t.Errorf("a token from after it: %s", a.Body)
	}
	dav.Do("PUT", path+"c.ics", apptest.VEvent("c", "DTSTART:20261125T090000Z", "SUMMARY:Last")).Want(204)
	portion := sync("", 1)
	dav.Do("DELETE", path+"b.ics").Want(204)
	rest := sync(tokenOf(portion), 1).Want(207)
	all := portion.Body + rest.Body + sync(tokenOf(rest), 1).Want(207).Body
	for _, name := range []string{"b.ics", "c.ics", "404"} {
		if !strings.Contains(all, name) {
			t.Errorf("read in portions, there is no %s in %s", name, all)
		}
	}
}

// Working out a change takes none of the time for which everybody waits: the
// write reads no text. A change in the meantime is not lost.
func TestChangesAreDrafted(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	path := keeps(ann, "series", apptest.VEvent("series", "DTSTART:20261125T090000Z", "RRULE:FREQ=DAILY", "SUMMARY:First"))
	id, v := path[strings.LastIndex(path, "/")+1:], ann.Viewer()
	texts := func(do func()) int {
		h.Queries.Take()
		do()
		return h.Queries.Take()["calendar_object/data"]
	}
	for _, body := range []string{
		`{"title": "All"}`, `{"title": "One", "scope": "this", "recurrence_id": "2026-12-01T09:00:00Z"}`,
		`{"title": "Rest", "scope": "this_and_future", "recurrence_id": "2026-12-10T09:00:00Z"}`,
	} {
		if n := texts(func() { ann.Do("PATCH", path, body).Want(200) }); n != 1 {
			t.Errorf("%s reads the text %d times", body, n)
		}
	}
	if n := texts(func() { ann.Do("DELETE", path+"?scope=this&recurrence_id=2026-12-02T09:00:00Z").Want(200) }); n != 1 {
		t.Errorf("a deletion reads the text %d times", n)
	}

	change := edit.ObjectChange{Change: edit.Change{Location: svc.Some("Here")}}
	var draft, deletion *calendar.Draft
	h.Read(func(tx *store.Tx) (err error) {
		if draft, err = h.App.Calendar.Draft(tx, v, id, change); err == nil {
			deletion, err = h.App.Calendar.DraftDeletion(tx, v, id, edit.Deletion{ETag: "*"})
		}
		return err
	})
	ann.Do("PATCH", path, `{"title": "Meanwhile"}`).Want(200)
	err := h.DB.Write(t.Context(), func(tx *store.Tx) error {
		_, err := h.App.Calendar.Patch(tx, v, id, change, draft)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	now := ann.Do("GET", path).Want(200)
	if now.Str("object.title") != "Meanwhile" || now.Str("object.state.location") != "Here" {
		t.Errorf("it is %q at %q", now.Str("object.title"), now.Str("object.state.location"))
	}
	err = h.DB.Write(t.Context(), func(tx *store.Tx) error {
		return h.App.Calendar.Delete(tx, v, id, edit.Deletion{ETag: "old"}, deletion)
	})
	if svc.KindOf(err) != svc.Stale {
		t.Errorf("deleting by an old ETag: %v", err)
	}
	ann.Do("GET", path).Want(200)
}
