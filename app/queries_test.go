package app

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"
)

// What a request asks of the database does not depend on how much there is:
// no query stands in a loop over the rows of another.
func TestNoQueryIsInALoop(t *testing.T) {
	long(t)
	h := open(t, unlimited)
	ann := h.member("ann").runtime()
	bea, cid := h.member("bea"), h.member("cid")
	for _, c := range []*client{ann, bea, cid} {
		c.session() // which stores what is not stored yet
	}
	cid.do("POST", "/world/social/blocks", map[string]any{"member_id": h.member("dan").id}).want(201)
	talk, club := ann.converse("All about x"), bea.community(`{"name": "x"}`)
	party := bea.do("POST", "/world/social/events", `{"title": "x", "start": "2026-12-24", "timezone": "UTC", "among": "open"}`).want(201).str("event.id")
	dav, at := ann.basic().with("Depth", "1"), ann.defaultCalendar()
	count := 0
	fill := func(n int) {
		for ; count < n; count++ {
			dav.do("PUT", fmt.Sprintf("%s%d.ics", at, count), vevent(fmt.Sprint(count),
				"DTSTART:"+time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC).Add(time.Duration(count)*time.Hour).Format("20060102T150405Z"), "RRULE:FREQ=WEEKLY;COUNT=3", "SUMMARY:x")).want(201)
			ann.do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).want(201)
			ann.do("POST", "/world/calendars", `{"name": "x"}`).want(201)
			community := ann.do("POST", "/world/social/communities", `{"name": "x"}`).want(201).str("community.id")
			ann.begins("x", fmt.Sprintf(`{"kind": "community", "id": %q}`, community))
			bea.do("POST", "/world/social/invitations/"+ann.invites("/world/social/communities/"+community, bea)+"/accept").want(200)
			ann.invites("/world/social/communities/"+community, cid)
			ann.do("POST", "/world/social/events", `{"title": "x", "start": "2026-12-24", "visibility": "public"}`).want(201)
			bea.says(talk, "x @cid")
			bea.says(ann.converse("x"), "x")
			bea.says(bea.do("POST", conversationsPath, map[string]any{"title": "x", "body": "x", "among": last(club)}).want(201).str("conversation.id"), "x")
			bea.community(`{"name": "x", "visibility": "public"}`)
			bea.do("POST", "/world/social/events", map[string]any{"title": "x", "start": "2026-12-24", "timezone": "UTC", "among": last(club)}).want(201)
			m := h.member(fmt.Sprint("m", count))
			m.answers(bea.invites(club, m), "accept").want(200)
			m.do("POST", "/world/social/events/"+party+"/rsvp", `{"response": "going"}`).want(200)
			m.do("POST", "/world/social/dms", `{"recipient": "bea", "body": "x"}`).want(201)
			m.do("POST", "/world/social/presence", `{"state": "online", "ttl_seconds": 3600}`).want(200)
			m.invites(m.community(`{"name": "x"}`), bea)
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
		do   func() *answer
	}
	requests := []request{
		{"PROPFIND of a calendar", func() *answer { return dav.do("PROPFIND", at, allETags) }},
		{"PROPFIND of the home", func() *answer {
			return dav.do("PROPFIND", "/caldav/1/calendars/", `<propfind xmlns="DAV:"><allprop/></propfind>`)
		}},
		{"sync-collection", func() *answer { return dav.do("REPORT", at, syncReport("")) }},
		{"sync-collection with data", func() *answer {
			return dav.do("REPORT", at, `<D:sync-collection xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:sync-token/><D:sync-level>1</D:sync-level>`+data+`</D:sync-collection>`)
		}},
		{"calendar-query by time", func() *answer {
			return dav.do("REPORT", at, fmt.Sprintf(query, `<C:time-range start="20261120T000000Z" end="20270101T000000Z"/>`))
		}},
		{"calendar-query by text", func() *answer {
			return dav.do("REPORT", at, fmt.Sprintf(query, `<C:prop-filter name="SUMMARY"><C:text-match>x</C:text-match></C:prop-filter>`))
		}},
		{"calendar-multiget", func() *answer {
			return dav.do("REPORT", at, `<C:calendar-multiget xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:">`+data+hrefs()+`</C:calendar-multiget>`)
		}},
		{"the dataset", func() *answer { return ann.do("GET", "/world/runtime") }},
		{"the session", func() *answer { return ann.do("GET", sessionPath) }},
		{"what is translated", func() *answer { return bea.runtime().do("GET", "/world/translated") }},
		{"the dataset of who is invited", func() *answer { return cid.runtime().do("GET", "/world/runtime") }},
		{"the entries", func() *answer {
			return ann.do("GET", "/world/time/objects?limit=200&start=2026-11-20&end=2027-01-01")
		}},
		{"the calendars", func() *answer { return ann.do("GET", "/world/calendars") }},
		{"a new entry", func() *answer {
			return ann.do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`)
		}},
		{"the conversations", func() *answer { return cid.do("GET", conversationsPath+"?limit=200") }},
		{"a conversation", func() *answer { return cid.do("GET", conversationsPath+"/"+talk+"?peek=1&limit=200") }},
		{"a reply", func() *answer {
			return ann.do("POST", conversationsPath+"/"+talk+"/replies", `{"body": "@bea and @cid"}`)
		}},
		{"the activity", func() *answer { return cid.do("GET", "/world/social/activity?limit=200") }},
		{"the notifications", func() *answer { return cid.do("GET", "/world/social/notifications?limit=200") }},
		{"an entry that is changed", func() *answer { return dav.do("PUT", at+"1.ics", vevent("1", "DTSTART:20261122T000000Z")) }},
	}
	for _, view := range socialViews {
		requests = append(requests, request{"the panel of " + view, func() *answer { return bea.panel(view) }})
	}
	requests = append(requests,
		request{"the panel of a community", func() *answer { return bea.panel("communities", last(club)) }},
		request{"the panel of a conversation", func() *answer { return cid.panel("conversations", talk) }},
		request{"the panel of an event", func() *answer { return bea.panel("events", party) }},
		request{"the panel of a member", func() *answer { return bea.panel("people", ann.id) }})
	measure := func() (counts []map[string]int, bodies []int) {
		for _, r := range requests {
			h.restart() // so that nothing is known from before
			h.ran.take()
			a := r.do()
			if a.status >= 300 {
				t.Fatalf("%s: status %d\n%s", r.name, a.status, a.body)
			}
			counts, bodies = append(counts, h.ran.take()), append(bodies, len(a.body))
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
