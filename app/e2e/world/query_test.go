package world

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// queryFixture is a server whose members get more records of every kind with each
// call of fill.
type queryFixture struct {
	*apptest.Server
	ann, bea, cid       *apptest.Client
	dav                 *apptest.Client // ann's CalDAV client
	calendar            string          // path of ann's default calendar
	conversation, event string          // ids of a conversation and an event
	community           string          // path of a community
	size                int
}

func newQueryFixture(t *testing.T) *queryFixture {
	t.Helper()
	s := apptest.New(t, apptest.Unlimited)
	f := &queryFixture{Server: s, ann: s.Member("ann").AsRuntime(), bea: s.Member("bea"), cid: s.Member("cid")}
	for _, c := range []*apptest.Client{f.ann, f.bea, f.cid} {
		c.Session() // stores the default surfaces
	}
	f.cid.Block(s.Member("dan")).Want(201)
	f.conversation, f.community = f.ann.StartConversation("All about x"), f.bea.CreateCommunity(`{"name": "x"}`)
	f.event = f.bea.Do("POST", "/world/social/events", `{"title": "x", "start": "2026-12-24", "timezone": "UTC", "among": "open"}`).Want(201).Str("event.id")
	f.dav, f.calendar = f.ann.Basic().With("Depth", "1"), f.ann.DefaultCalendar()
	return f
}

// fill adds records until there are n of each kind.
func (f *queryFixture) fill(n int) {
	f.T.Helper()
	for ; f.size < n; f.size++ {
		f.addEntries()
		f.addSocialRecords()
		f.addMember()
	}
}

func (f *queryFixture) addEntries() {
	f.T.Helper()
	start := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC).Add(time.Duration(f.size) * time.Hour).Format("20060102T150405Z")
	f.dav.Do("PUT", fmt.Sprintf("%s%d.ics", f.calendar, f.size), apptest.VEvent(fmt.Sprint(f.size), "DTSTART:"+start, "RRULE:FREQ=WEEKLY;COUNT=3", "SUMMARY:x")).Want(201)
	f.ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).Want(201)
	f.ann.Do("POST", "/world/calendars", `{"name": "x"}`).Want(201)
}

func (f *queryFixture) addSocialRecords() {
	f.T.Helper()
	ann, bea := f.ann, f.bea
	communityID := apptest.LastSegment(f.community)
	community := ann.Do("POST", "/world/social/communities", `{"name": "x"}`).Want(201).Str("community.id")
	ann.StartConversationIn("x", fmt.Sprintf(`{"kind": "community", "id": %q}`, community))
	bea.AnswerInvitation(ann.InviteToCommunity(apptest.CommunitiesPath+"/"+community, bea), "accept").Want(200)
	ann.InviteToCommunity(apptest.CommunitiesPath+"/"+community, f.cid)
	ann.Do("POST", "/world/social/events", `{"title": "x", "start": "2026-12-24", "visibility": "public"}`).Want(201)
	bea.Reply(f.conversation, "x @cid")
	bea.Reply(ann.StartConversation("x"), "x")
	bea.Reply(bea.Do("POST", apptest.ConversationsPath, map[string]any{"title": "x", "body": "x", "among": communityID}).Want(201).Str("conversation.id"), "x")
	bea.CreateCommunity(`{"name": "x", "visibility": "public"}`)
	bea.Do("POST", "/world/social/events", map[string]any{"title": "x", "start": "2026-12-24", "timezone": "UTC", "among": communityID}).Want(201)
}

func (f *queryFixture) addMember() {
	f.T.Helper()
	m := f.Member(fmt.Sprint("m", f.size))
	m.AnswerInvitation(f.bea.InviteToCommunity(f.community, m), "accept").Want(200)
	m.Do("POST", "/world/social/events/"+f.event+"/rsvp", `{"response": "going"}`).Want(200)
	m.Do("POST", "/world/social/dms", `{"recipient": "bea", "body": "x"}`).Want(201)
	m.Do("POST", "/world/social/presence", `{"state": "online", "ttl_seconds": 3600}`).Want(200)
	m.InviteToCommunity(m.CreateCommunity(`{"name": "x"}`), f.bea)
}

// namedRequest is a request whose queries are counted.
type namedRequest struct {
	name string
	send func() *apptest.Answer
}

func (f *queryFixture) calDAVRequests() []namedRequest {
	const data = `<D:prop xmlns:D="DAV:"><D:getetag/><C:calendar-data/></D:prop>`
	const query = `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:">` + data +
		`<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">%s</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
	report := func(body string) *apptest.Answer { return f.dav.Do("REPORT", f.calendar, body) }
	return []namedRequest{
		{"PROPFIND of a calendar", func() *apptest.Answer { return f.dav.Do("PROPFIND", f.calendar, apptest.PropfindETags) }},
		{"PROPFIND of the home", func() *apptest.Answer {
			return f.dav.Do("PROPFIND", "/caldav/1/calendars/", `<propfind xmlns="DAV:"><allprop/></propfind>`)
		}},
		{"sync-collection", func() *apptest.Answer { return report(apptest.SyncCollection("")) }},
		{"sync-collection with data", func() *apptest.Answer {
			return report(`<D:sync-collection xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:sync-token/><D:sync-level>1</D:sync-level>` + data + `</D:sync-collection>`)
		}},
		{"calendar-query by time", func() *apptest.Answer {
			return report(fmt.Sprintf(query, `<C:time-range start="20261120T000000Z" end="20270101T000000Z"/>`))
		}},
		{"calendar-query by text", func() *apptest.Answer {
			return report(fmt.Sprintf(query, `<C:prop-filter name="SUMMARY"><C:text-match>x</C:text-match></C:prop-filter>`))
		}},
		{"calendar-multiget", func() *apptest.Answer {
			var hrefs strings.Builder
			for i := range f.size {
				fmt.Fprintf(&hrefs, "<D:href>%s%d.ics</D:href>", f.calendar, i)
			}
			return report(`<C:calendar-multiget xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:">` + data + hrefs.String() + `</C:calendar-multiget>`)
		}},
		{"PUT of an existing object", func() *apptest.Answer {
			return f.dav.Do("PUT", f.calendar+"1.ics", apptest.VEvent("1", "DTSTART:20261122T000000Z"))
		}},
	}
}

func (f *queryFixture) worldRequests() (requests []namedRequest) {
	add := func(name string, c *apptest.Client, method, path string, body ...any) {
		requests = append(requests, namedRequest{name, func() *apptest.Answer { return c.Do(method, path, body...) }})
	}
	add("the dataset", f.ann, "GET", "/world/runtime")
	add("the session", f.ann, "GET", apptest.SessionPath)
	add("the translated output", f.bea.AsRuntime(), "GET", "/world/translated")
	add("the dataset of an invitee", f.cid.AsRuntime(), "GET", "/world/runtime")
	add("the entries", f.ann, "GET", "/world/time/objects?limit=200&start=2026-11-20&end=2027-01-01")
	add("the calendars", f.ann, "GET", "/world/calendars")
	add("a new entry", f.ann, "POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`)
	add("the conversations", f.cid, "GET", apptest.ConversationsPath+"?limit=200")
	add("a conversation", f.cid, "GET", apptest.ConversationsPath+"/"+f.conversation+"?peek=1&limit=200")
	add("the panel of today", f.bea, "GET", "/world/panels/today")
	add("the panel of threads", f.bea, "GET", "/world/panels/messages")
	add("a reply", f.ann, "POST", apptest.ConversationsPath+"/"+f.conversation+"/replies", `{"body": "@bea and @cid"}`)
	add("the activity", f.cid, "GET", "/world/social/activity?limit=200")
	add("the notifications", f.cid, "GET", "/world/social/notifications?limit=200")
	return requests
}

func (f *queryFixture) panelRequests() (requests []namedRequest) {
	for _, view := range apptest.SocialViews {
		requests = append(requests, namedRequest{"the panel of " + view, func() *apptest.Answer { return f.bea.SocialPanel(view) }})
	}
	return append(requests,
		namedRequest{"the panel of a community", func() *apptest.Answer { return f.bea.SocialPanel("communities", apptest.LastSegment(f.community)) }},
		namedRequest{"the panel of a conversation", func() *apptest.Answer { return f.cid.SocialPanel("conversations", f.conversation) }},
		namedRequest{"the panel of an event", func() *apptest.Answer { return f.bea.SocialPanel("events", f.event) }},
		namedRequest{"the panel of a member", func() *apptest.Answer { return f.bea.SocialPanel("people", f.ann.ID) }})
}

// measure returns the queries of each request with empty caches, and the length
// of its response.
func (f *queryFixture) measure(requests []namedRequest) (queries []map[string]int, lengths []int) {
	f.T.Helper()
	for _, r := range requests {
		f.Restart() // empties the caches
		f.Queries.Take()
		a := r.send()
		if a.Status >= 300 {
			f.T.Fatalf("%s: got status %d, want 2xx\n%s", r.name, a.Status, a.Body)
		}
		queries, lengths = append(queries, f.Queries.Take()), append(lengths, len(a.Body))
	}
	return queries, lengths
}

// No query runs in a loop over the rows of another query.
func TestNumberOfQueriesDoesNotDependOnTheNumberOfRecords(t *testing.T) {
	svctest.Long(t)
	f := newQueryFixture(t)
	requests := append(append(f.calDAVRequests(), f.worldRequests()...), f.panelRequests()...)
	f.fill(10)
	f.measure(requests) // stores the default surfaces
	few, small := f.measure(requests)
	f.fill(100)
	many, large := f.measure(requests)
	for i, r := range requests {
		if !maps.Equal(few[i], many[i]) || len(few[i]) == 0 {
			t.Errorf("%s: got the queries %v with 100 records of each kind, want %v as with 10", r.name, many[i], few[i])
		}
		if strings.Contains(r.name, "PROPFIND") && large[i] < 5*small[i] {
			t.Errorf("%s: got %d bytes with 100 records of each kind, want at least five times the %d bytes with 10", r.name, large[i], small[i])
		}
	}
}
