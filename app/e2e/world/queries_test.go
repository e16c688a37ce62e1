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

// What a request asks of the database does not depend on how much there is:
// no query stands in a loop over the rows of another.
func TestNoQueryIsInALoop(t *testing.T) {
	svctest.Long(t)
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann").Runtime()
	bea, cid := h.Member("bea"), h.Member("cid")
	for _, c := range []*apptest.Client{ann, bea, cid} {
		c.Session() // which stores what is not stored yet
	}
	cid.Do("POST", "/world/social/blocks", map[string]any{"member_id": h.Member("dan").ID}).Want(201)
	talk, club := ann.StartConversation("All about x"), bea.CreateCommunity(`{"name": "x"}`)
	party := bea.Do("POST", "/world/social/events", `{"title": "x", "start": "2026-12-24", "timezone": "UTC", "among": "open"}`).Want(201).Str("event.id")
	dav, at := ann.Basic().With("Depth", "1"), ann.DefaultCalendar()
	count := 0
	fill := func(n int) {
		for ; count < n; count++ {
			dav.Do("PUT", fmt.Sprintf("%s%d.ics", at, count), apptest.VEvent(fmt.Sprint(count),
				"DTSTART:"+time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC).Add(time.Duration(count)*time.Hour).Format("20060102T150405Z"), "RRULE:FREQ=WEEKLY;COUNT=3", "SUMMARY:x")).Want(201)
			ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).Want(201)
			ann.Do("POST", "/world/calendars", `{"name": "x"}`).Want(201)
			community := ann.Do("POST", "/world/social/communities", `{"name": "x"}`).Want(201).Str("community.id")
			ann.StartConversationIn("x", fmt.Sprintf(`{"kind": "community", "id": %q}`, community))
			bea.Do("POST", "/world/social/invitations/"+ann.InviteToCommunity("/world/social/communities/"+community, bea)+"/accept").Want(200)
			ann.InviteToCommunity("/world/social/communities/"+community, cid)
			ann.Do("POST", "/world/social/events", `{"title": "x", "start": "2026-12-24", "visibility": "public"}`).Want(201)
			bea.Reply(talk, "x @cid")
			bea.Reply(ann.StartConversation("x"), "x")
			bea.Reply(bea.Do("POST", apptest.ConversationsPath, map[string]any{"title": "x", "body": "x", "among": apptest.LastSegment(club)}).Want(201).Str("conversation.id"), "x")
			bea.CreateCommunity(`{"name": "x", "visibility": "public"}`)
			bea.Do("POST", "/world/social/events", map[string]any{"title": "x", "start": "2026-12-24", "timezone": "UTC", "among": apptest.LastSegment(club)}).Want(201)
			m := h.Member(fmt.Sprint("m", count))
			m.AnswerInvitation(bea.InviteToCommunity(club, m), "accept").Want(200)
			m.Do("POST", "/world/social/events/"+party+"/rsvp", `{"response": "going"}`).Want(200)
			m.Do("POST", "/world/social/dms", `{"recipient": "bea", "body": "x"}`).Want(201)
			m.Do("POST", "/world/social/presence", `{"state": "online", "ttl_seconds": 3600}`).Want(200)
			m.InviteToCommunity(m.CreateCommunity(`{"name": "x"}`), bea)
		}
	}
	hrefs := func() string {
		var b strings.Builder
		for i := range count {
			fmt.Fprintf(&b, "<D:href>%s%d.ics</D:href>", at, i)
		}
		return b.String()
	}
	const data = `<D:prop xmlns:D="DAV:"><D:getetag/><C:calendar-data/></D:prop>`
	const query = `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:">` + data +
		`<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">%s</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
	type request struct {
		name string
		do   func() *apptest.Answer
	}
	requests := []request{
		{"PROPFIND of a calendar", func() *apptest.Answer { return dav.Do("PROPFIND", at, apptest.PropfindETags) }},
		{"PROPFIND of the home", func() *apptest.Answer {
			return dav.Do("PROPFIND", "/caldav/1/calendars/", `<propfind xmlns="DAV:"><allprop/></propfind>`)
		}},
		{"sync-collection", func() *apptest.Answer { return dav.Do("REPORT", at, apptest.SyncCollection("")) }},
		{"sync-collection with data", func() *apptest.Answer {
			return dav.Do("REPORT", at, `<D:sync-collection xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:sync-token/><D:sync-level>1</D:sync-level>`+data+`</D:sync-collection>`)
		}},
		{"calendar-query by time", func() *apptest.Answer {
			return dav.Do("REPORT", at, fmt.Sprintf(query, `<C:time-range start="20261120T000000Z" end="20270101T000000Z"/>`))
		}},
		{"calendar-query by text", func() *apptest.Answer {
			return dav.Do("REPORT", at, fmt.Sprintf(query, `<C:prop-filter name="SUMMARY"><C:text-match>x</C:text-match></C:prop-filter>`))
		}},
		{"calendar-multiget", func() *apptest.Answer {
			return dav.Do("REPORT", at, `<C:calendar-multiget xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:">`+data+hrefs()+`</C:calendar-multiget>`)
		}},
		{"the dataset", func() *apptest.Answer { return ann.Do("GET", "/world/runtime") }},
		{"the session", func() *apptest.Answer { return ann.Do("GET", apptest.SessionPath) }},
		{"what is translated", func() *apptest.Answer { return bea.Runtime().Do("GET", "/world/translated") }},
		{"the dataset of who is invited", func() *apptest.Answer { return cid.Runtime().Do("GET", "/world/runtime") }},
		{"the entries", func() *apptest.Answer {
			return ann.Do("GET", "/world/time/objects?limit=200&start=2026-11-20&end=2027-01-01")
		}},
		{"the calendars", func() *apptest.Answer { return ann.Do("GET", "/world/calendars") }},
		{"a new entry", func() *apptest.Answer {
			return ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`)
		}},
		{"the conversations", func() *apptest.Answer { return cid.Do("GET", apptest.ConversationsPath+"?limit=200") }},
		{"a conversation", func() *apptest.Answer { return cid.Do("GET", apptest.ConversationsPath+"/"+talk+"?peek=1&limit=200") }},
		{"a reply", func() *apptest.Answer {
			return ann.Do("POST", apptest.ConversationsPath+"/"+talk+"/replies", `{"body": "@bea and @cid"}`)
		}},
		{"the activity", func() *apptest.Answer { return cid.Do("GET", "/world/social/activity?limit=200") }},
		{"the notifications", func() *apptest.Answer { return cid.Do("GET", "/world/social/notifications?limit=200") }},
		{"an entry that is changed", func() *apptest.Answer {
			return dav.Do("PUT", at+"1.ics", apptest.VEvent("1", "DTSTART:20261122T000000Z"))
		}},
	}
	for _, view := range apptest.SocialViews {
		requests = append(requests, request{"the panel of " + view, func() *apptest.Answer { return bea.SocialPanel(view) }})
	}
	requests = append(requests,
		request{"the panel of a community", func() *apptest.Answer { return bea.SocialPanel("communities", apptest.LastSegment(club)) }},
		request{"the panel of a conversation", func() *apptest.Answer { return cid.SocialPanel("conversations", talk) }},
		request{"the panel of an event", func() *apptest.Answer { return bea.SocialPanel("events", party) }},
		request{"the panel of a member", func() *apptest.Answer { return bea.SocialPanel("people", ann.ID) }})
	measure := func() (counts []map[string]int, bodies []int) {
		for _, r := range requests {
			h.Restart() // so that nothing is known from before
			h.Queries.Take()
			a := r.do()
			if a.Status >= 300 {
				t.Fatalf("%s: status %d\n%s", r.name, a.Status, a.Body)
			}
			counts, bodies = append(counts, h.Queries.Take()), append(bodies, len(a.Body))
		}
		return counts, bodies
	}
	fill(10)
	measure() // from now on what everybody has before them is stored
	few, small := measure()
	fill(100)
	many, large := measure()
	for i, r := range requests {
		if !maps.Equal(few[i], many[i]) {
			t.Errorf("%s: for ten entries %v, for a hundred %v", r.name, few[i], many[i])
		}
		if len(few[i]) == 0 {
			t.Errorf("%s: nothing was counted", r.name)
		}
		if strings.Contains(r.name, "PROPFIND") && large[i] < 5*small[i] {
			t.Errorf("%s: the answer has %d octets, and with ten times as much %d", r.name, small[i], large[i])
		}
	}
}
