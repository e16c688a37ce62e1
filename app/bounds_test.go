package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"appliance/store/storetest"
	"appliance/svc"
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
	var giveBack [readsAtOnce]func()
	for i := range giveBack {
		var err error
		if giveBack[i], err = h.turns.take(t.Context(), ann.id); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.turns.take(over, ann.id); !errors.Is(err, context.Canceled) {
		t.Errorf("one more of ann: %v; it should have had to wait", err)
	}
	bea.do("GET", "/identity/me").want(200)
	bea.basic().with("Depth", "0").do("PROPFIND", "/caldav/").want(207)
	ann.do("POST", "/world/calendars", `{"name": "Writes do not wait"}`).want(201)
	for _, give := range giveBack {
		give()
	}
	ann.do("GET", "/identity/me").want(200)
	if n := len(h.turns.members); n != 0 {
		t.Errorf("%d members are remembered who wait for nothing", n)
	}
}

// One request too many is refused, with a word when to come again. Covers L-13.
func TestTooManyWaitingRequests(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	h.turns = newTurns(1, 0)
	giveBack, err := h.turns.take(t.Context(), ann.id)
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
	h.turns = newTurns(1, 0)
	free := func() bool {
		giveBack, err := h.turns.take(t.Context(), ann.id)
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
