package load

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"appliance/app/apptest"
)

// fairAttack is a load that one member causes beside the requests of others.
type fairAttack struct {
	name string
	fill func(a *fairAttack)                                 // creates the content that the attack needs
	run  func(ctx context.Context, a *fairAttack, round int) // attacks until ctx ends

	user      *user
	others    []*user  // further members, one for each round
	ids       []string // of communities, by round
	bodies    []string // of requests
	responses statuses
	idle      []samples // by round
	loaded    []samples

	processors float64 // that the server used in the last round
}

// size returns n scaled by the percentage in the flag -fairness-fill, at least 1.
func (a *fairAttack) size(n int) int { return max(1, n**fairFill/100) }

// afterRefusal is the pause of an attacker after a refused request. It is much shorter than the
// Retry-After of the server.
const afterRefusal = time.Second

// repeat sends requests over n connections until ctx ends.
func (a *fairAttack) repeat(ctx context.Context, n int, next func(i int) (method, path, body string)) {
	var connections sync.WaitGroup
	for c := range n {
		connections.Go(func() {
			for i := c; ctx.Err() == nil; i += n {
				a.send(ctx, a.user, next, i)
			}
		})
	}
	connections.Wait()
}

func (a *fairAttack) send(ctx context.Context, u *user, next func(i int) (method, path, body string), i int) {
	method, path, body := next(i)
	status := u.send(ctx, method, path, body)
	if ctx.Err() != nil {
		return
	}
	a.responses.add(status)
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable || status == 0 {
		select {
		case <-ctx.Done():
		case <-time.After(afterRefusal):
		}
	}
}

// repeatFunc returns a run function for [fairAttack.repeat].
func repeatFunc(connections int, next func(a *fairAttack, i int) (method, path, body string)) func(context.Context, *fairAttack, int) {
	return func(ctx context.Context, a *fairAttack, round int) {
		a.repeat(ctx, connections, func(i int) (method, path, body string) { return next(a, i+1_000_000*round) })
	}
}

// Request bodies for ten years, and for all objects.
const (
	tenYears     = ` start="20260101T000000Z" end="20360101T000000Z"/>`
	expandDecade = `<C:calendar-query` + namespaces + `><D:prop><C:calendar-data><C:expand` + tenYears + `</C:calendar-data></D:prop>` +
		`<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range` + tenYears + `</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
	freeBusyDecade = `<C:free-busy-query` + namespaces + `><C:time-range` + tenYears + `</C:free-busy-query>`
	allData        = `<C:calendar-query` + namespaces + `><D:prop><D:getetag/><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR"/></C:filter></C:calendar-query>`
	allChanges     = `<D:sync-collection` + namespaces + `><D:sync-token/><D:sync-level>1</D:sync-level><D:prop><D:getetag/><C:calendar-data/></D:prop></D:sync-collection>`
	allObjects     = `<D:propfind` + namespaces + `><D:prop><D:getetag/><C:calendar-data/></D:prop></D:propfind>`
)

// fairAttacks returns the attacks of TestFairness.
func fairAttacks() []*fairAttack {
	return []*fairAttack{
		{name: "rename of a host of past events", fill: fillPastEvents, run: repeatFunc(2, rename)},
		{name: "block and unblock of a host", fill: fillHost, run: blockAndUnblock},
		{name: "deletion of communities", fill: fillCommunities, run: deleteCommunities},
		{name: "expand of hourly series", fill: fillSeries, run: repeatFunc(2, reportFunc(expandDecade))},
		{name: "abandoned expand and free-busy", fill: fillSeries, run: abandonReports},
		{name: "free-busy of ten years", fill: fillSeries, run: repeatFunc(2, reportFunc(freeBusyDecade))},
		{name: "reads of a large dataset", fill: fillEntries, run: readDataset},
		{name: "PUTs with many EXDATE", run: putBodies(4, manyExdates)},
		{name: "PUTs of large VTIMEZONEs", run: putBodies(150, largeZone)},
		{name: "exports of everything", fill: fillEntries, run: repeatFunc(8, export)},
		{name: "searches", fill: fillMessages, run: repeatFunc(8, search)},
		{name: "imports", fill: fillFile, run: repeatFunc(4, importFile)},
		{name: "reports and PROPFIND of everything", fill: fillEntries, run: repeatFunc(6, reportFunc(allData, allChanges, allObjects))},
	}
}

func fillPastEvents(a *fairAttack) {
	a.user.addEvents(a.size(3000), "2026-03-01", `"visibility": "public"`)
}

func rename(_ *fairAttack, i int) (method, path, body string) {
	return "PATCH", "/world/social/profile", fmt.Sprintf(`{"display_name": "Name %d"}`, i)
}

// fillHost creates the events of another member, which a guest for each round attends.
func fillHost(a *fairAttack) {
	ids := a.user.addEvents(a.size(2000), "2027-03-01", `"visibility": "public"`)
	for round := range *fairRounds {
		guest := a.user.s.addUser(fmt.Sprint("guest", round), 3)
		parallel(len(ids), func(i int) { guest.must(200, "POST", "/world/social/events/"+ids[i]+"/rsvp", `{"response": "going"}`) })
		a.others = append(a.others, guest)
	}
}

func blockAndUnblock(ctx context.Context, a *fairAttack, round int) {
	for i := 0; ctx.Err() == nil; i++ {
		a.send(ctx, a.others[round], func(i int) (method, path, body string) {
			if i%2 == 0 {
				return "POST", "/world/social/blocks", fmt.Sprintf(`{"member_id": %d}`, a.user.id)
			}
			return "DELETE", fmt.Sprint("/world/social/blocks/", a.user.id), ""
		}, i)
	}
}

// communitiesOfRound is the number of communities that are deleted at once.
const communitiesOfRound = 2

func fillCommunities(a *fairAttack) {
	for i := range communitiesOfRound * *fairRounds {
		answer := a.user.must(201, "POST", "/world/social/communities", fmt.Sprintf(`{"name": "Choir %d", "visibility": "public", "join_policy": "open"}`, i))
		community, _ := answer["community"].(map[string]any)
		id, _ := community["id"].(string)
		a.user.addEvents(a.size(2000), "2027-03-01", fmt.Sprintf(`"visibility": "community", "community_id": %q`, id))
		a.ids = append(a.ids, id)
	}
}

func deleteCommunities(ctx context.Context, a *fairAttack, round int) {
	var deletions sync.WaitGroup
	for _, id := range a.ids[round*communitiesOfRound:][:communitiesOfRound] {
		deletions.Go(func() {
			a.send(ctx, a.user, func(int) (method, path, body string) { return "DELETE", "/world/social/communities/" + id, "" }, 0)
		})
	}
	deletions.Wait()
}

// fillSeries stores series with an occurrence every hour.
func fillSeries(a *fairAttack) {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//attack//EN\r\n")
	for i := range a.size(600) {
		fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:series-%d\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260101T%02d%02d00Z\r\n"+
			"DURATION:PT30S\r\nRRULE:FREQ=HOURLY\r\nSUMMARY:Bell\r\nEND:VEVENT\r\n", i, i%24, i%60)
	}
	a.user.importText(b.String() + "END:VCALENDAR\r\n")
}

// reportFunc returns a function for the requests with the bodies in turn.
func reportFunc(bodies ...string) func(a *fairAttack, i int) (method, path, body string) {
	return func(a *fairAttack, i int) (method, path, body string) {
		body = bodies[i%len(bodies)]
		if strings.HasPrefix(body, "<D:propfind") {
			return "PROPFIND", a.user.calendar, body
		}
		return "REPORT", a.user.calendar, body
	}
}

// abandonReports sends requests and closes the connection before there is a response.
func abandonReports(ctx context.Context, a *fairAttack, _ int) {
	a.repeat(ctx, 4, func(i int) (method, path, body string) {
		short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		a.responses.add(a.user.send(short, "REPORT", a.user.calendar, []string{expandDecade, freeBusyDecade}[i%2]))
		return "OPTIONS", a.user.calendar, ""
	})
}

// fillEntries imports entries, of which each tenth is a series and each fifth a task. They are
// imported in parts, because an import must end within a minute.
func fillEntries(a *fairAttack) {
	const maxPerImport = 5000
	for first, n := 0, a.size(25_000); first < n; first += maxPerImport {
		a.user.importText(entries(first, min(n, first+maxPerImport)))
	}
}

func entries(from, to int) string {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//attack//EN\r\n")
	start := time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
	for i := from; i < to; i++ {
		at := start.Add(time.Duration(i) * time.Hour).Format("20060102T150405Z")
		component, times := "VEVENT", "DTSTART:"+at
		if i%5 == 0 {
			component, times = "VTODO", "DUE:"+at
		} else if i%10 == 1 {
			times += "\r\nRRULE:FREQ=WEEKLY"
		}
		fmt.Fprintf(&b, "BEGIN:%s\r\nUID:entry-%d\r\nDTSTAMP:20260101T000000Z\r\n%s\r\nSUMMARY:Entry %d\r\nDESCRIPTION:%s\r\nEND:%s\r\n",
			component, i, times, i, strings.Repeat("Lorem ipsum dolor sit amet. ", 5), component)
	}
	return b.String() + "END:VCALENDAR\r\n"
}

// readDataset reads the dataset, each time for another position, and changes the calendar, so that
// no response is cached.
func readDataset(ctx context.Context, a *fairAttack, round int) {
	var puts sync.WaitGroup
	defer puts.Wait()
	puts.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			a.send(ctx, a.user, func(i int) (method, path, body string) {
				return "PUT", a.user.calendar + "x.ics", apptest.VEvent("x", "DTSTART:20261201T090000Z", fmt.Sprint("SUMMARY:", i))
			}, i)
			<-time.After(50 * time.Millisecond)
		}
	})
	a.repeat(ctx, 8, func(i int) (method, path, body string) {
		return "GET", fmt.Sprintf("/world/runtime?lat=52.%d&lon=13.4", i%1000), ""
	})
}

// exdateEvent returns an hourly series with n exceptions.
func exdateEvent(uid string, n, version int) string {
	var b strings.Builder
	b.WriteString("EXDATE:")
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(start.Add(time.Duration(i) * time.Hour).Format("20060102T150405Z"))
	}
	return apptest.VEvent(uid, "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY", fmt.Sprint("SUMMARY:Version ", version), b.String())
}

// putBodies returns a run function that stores n objects again and again, each over a connection
// of its own. Each object has two versions.
func putBodies(n int, text func(uid string, version int) string) func(context.Context, *fairAttack, int) {
	return func(ctx context.Context, a *fairAttack, _ int) {
		if a.bodies == nil {
			for i := range 2 * n {
				a.bodies = append(a.bodies, text(fmt.Sprint("x", i%n), i/n))
			}
		}
		a.repeat(ctx, n, func(i int) (method, path, body string) {
			return "PUT", fmt.Sprintf("%sx%d.ics", a.user.calendar, i%n), a.bodies[i%(2*n)]
		})
	}
}

// largeZone returns an event with a VTIMEZONE of 117 kB. The server accepts only one of its
// versions.
func largeZone(uid string, version int) string {
	return zoneEvent(uid, 900, []string{"", ";COUNT=1"}[version])
}

func export(a *fairAttack, i int) (method, path, body string) {
	if i%2 == 0 {
		return "GET", "/world/identity/export", ""
	}
	return "GET", "/world/calendars/" + a.user.calendarID + "/export", ""
}

// fillMessages sends long messages, and imports entries.
func fillMessages(a *fairAttack) {
	fillEntries(a)
	body := fmt.Sprintf(`{"recipient": "ann", "body": %q}`, strings.Repeat("Lorem ipsum dolor sit amet. ", 250))
	parallel(a.size(3000), func(int) { a.user.must(201, "POST", "/world/messages", body) })
}

func search(_ *fairAttack, i int) (method, path, body string) {
	words := strings.Repeat("a e i o u lorem dolor sit amet ", 6)
	switch i % 3 {
	case 0:
		return "POST", "/world/find/query", fmt.Sprintf(`{"query": %q, "scope": "everywhere"}`, words)
	case 1:
		return "GET", "/world/messages?limit=200&q=" + strings.ReplaceAll(words, " ", "+"), ""
	}
	return "GET", "/world/messages?limit=200&q=a", ""
}

func fillFile(a *fairAttack) { a.bodies = []string{largeCalendar(a.size(5 << 20))} }

func importFile(a *fairAttack, i int) (method, path, body string) {
	text := strings.ReplaceAll(a.bodies[0], "UID:entry-", fmt.Sprintf("UID:%d-", i))
	return "POST", "/world/calendars/" + a.user.calendarID + "/import", text
}
