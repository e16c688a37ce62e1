package load

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"appliance/app/apptest"
)

// member is a member who makes random requests. All texts that members write have
// an audience tag, so that a response shows whether its content is for them.
type member struct {
	*apptest.Client
	apptest.Rand
	n            int
	partner      *member
	conversation string            // path of the conversation with the partner
	calendar     string            // CalDAV path
	etag         string            // of the last dataset
	jsonTasks    map[string]string // title → path of tasks written over the JSON API
	caldav       map[string]string // title → path of tasks written over CalDAV
	requests     int
	tags         int // number of audience tags in responses
}

func newMember(s *apptest.Server, n int) *member {
	c := s.Member(fmt.Sprint("m", n)).AsRuntime()
	c.HTTP.Transport = new(http.Transport)
	s.T.Cleanup(c.HTTP.CloseIdleConnections)
	return &member{Client: c, Rand: apptest.NewRand(uint64(n)), n: n, calendar: c.DefaultCalendar(),
		jsonTasks: make(map[string]string), caldav: make(map[string]string)}
}

// shareConversation creates a private community of two members with a
// conversation.
func (m *member) shareConversation(partner *member) {
	m.partner, partner.partner = partner, m
	community := m.CreateCommunity(`{"name": "`+m.sharedText()+`", "visibility": "private"}`, partner.Client)
	body := map[string]any{"title": m.sharedText(), "body": m.sharedText(), "context": map[string]any{"kind": "community", "id": apptest.LastSegment(community)}}
	m.conversation = apptest.ConversationsPath + "/" + m.Do("POST", apptest.ConversationsPath, body).Want(201).Str("conversation.id")
	partner.conversation = m.conversation
}

var audienceTag = regexp.MustCompile(`\[for((?: \d+)+)\]`)

// send sends a request and checks its status and the audience tags of the
// response.
func (m *member) send(c *apptest.Client, method, path string, status int, body ...any) *apptest.Answer {
	a, err := c.Try(method, path, body...)
	if err != nil {
		m.T.Errorf("%s: %s %s: %v", m.Name, method, path, err)
		return &apptest.Answer{T: m.T, Body: "{}"}
	}
	if a.Status != status {
		m.T.Errorf("%s: got status %d, want %d: %.300s", a.About, a.Status, status, a.Body)
	}
	for _, tag := range audienceTag.FindAllStringSubmatch(a.Body, -1) {
		m.tags++
		if !slices.Contains(strings.Fields(tag[1]), fmt.Sprint(m.n)) {
			m.T.Errorf("%s: got content %s, want only content for %d", a.About, tag[0], m.n)
		}
	}
	return a
}

// readPaths are paths of GET requests.
var readPaths = []string{
	"/world/runtime", "/world/runtime?lat=52.5&lon=13.4", "/world/panels/time", "/world/panels/time?view=week&date=2026-12-07", "/world/panels/social",
	"/world/panels/social?view=conversations", "/world/panels/messages", "/world/panels/messages/rail", "/world/messages", "/world/messages?q=us",
	"/world/calendars", "/world/time/objects?object_type=task&limit=200", "/world/social/conversations", "/world/social/communities",
	"/world/social/activity", "/world/social/notifications", "/world/social/presence", "/world/identity/export", "/world/time/trash",
}

// request makes a random request.
func (m *member) request() {
	m.requests++
	dav := m.Basic().With("Depth", "1")
	switch m.IntN(16) {
	case 0, 1:
		m.createTask()
	case 2:
		m.renameTask()
	case 3, 4:
		m.putTask()
	case 5:
		m.deletePutTask()
	case 6:
		m.send(m.Client, "POST", "/world/messages", 201, map[string]any{"recipient": m.partner.ID, "body": m.sharedText()})
	case 7:
		m.send(m.Client, "POST", m.conversation+"/replies", 201, map[string]any{"body": m.sharedText()})
	case 8:
		surface := apptest.Pick(m.Rand, "surface_social", "surface_calendar", "surface_messages")
		m.send(m.Client, "POST", apptest.StacksPath+"carry_primary/focus", 200, map[string]any{"surface_id": surface})
	case 9:
		m.send(m.Client, "POST", "/world/social/presence", 200, map[string]any{"state": apptest.Pick(m.Rand, "online", "busy"), "note": "Here"})
	case 10:
		m.send(dav, "PROPFIND", m.calendar, 207, `<D:propfind`+namespaces+`><D:prop><D:getetag/><C:calendar-data/></D:prop></D:propfind>`)
	case 11:
		m.send(dav, "REPORT", m.calendar, 207, apptest.SyncCollection(""))
	case 12:
		m.readDataset()
	default:
		m.send(m.Client, "GET", apptest.Pick(m.Rand, readPaths...), 200)
	}
}

// deleteTasksOfFullPage deletes the tasks written over the JSON API if a page
// of the list cannot contain another task. It reports whether another task fits
// without the deletion.
func (m *member) deleteTasksOfFullPage() bool {
	if len(m.jsonTasks)+len(m.caldav) <= 40 {
		return true
	}
	for title, path := range m.jsonTasks {
		m.send(m.Client, "DELETE", path, 200)
		delete(m.jsonTasks, title)
	}
	return false
}

func (m *member) createTask() {
	if !m.deleteTasksOfFullPage() {
		return
	}
	title := m.ownText()
	a := m.send(m.Client, "POST", "/world/time/objects", 201, map[string]any{"object_type": "task", "title": title, "due": "2026-12-10"})
	m.jsonTasks[title] = a.Str("object.links.self")
}

func (m *member) renameTask() {
	for old, path := range m.jsonTasks {
		title := m.ownText()
		m.send(m.Client, "PATCH", path, 200, map[string]any{"title": title})
		delete(m.jsonTasks, old)
		m.jsonTasks[title] = path
		return
	}
}

func (m *member) putTask() {
	if !m.deleteTasksOfFullPage() {
		return
	}
	title, path := m.ownText(), fmt.Sprintf("%sn%d.ics", m.calendar, m.requests)
	m.send(m.Basic(), "PUT", path, 201, apptest.VObject("VTODO", fmt.Sprintf("n%d-%d", m.n, m.requests), "DUE:20261210T090000Z", "SUMMARY:"+title))
	m.caldav[title] = path
}

func (m *member) deletePutTask() {
	for title, path := range m.caldav {
		m.send(m.Basic(), "GET", path, 200)
		m.send(m.Basic(), "DELETE", path, 204)
		delete(m.caldav, title)
		return
	}
}

// readDataset reads the dataset conditionally.
func (m *member) readDataset() {
	a, err := m.With("If-None-Match", m.etag).Try("GET", "/world/runtime")
	if err != nil || a.Status != 200 && a.Status != 304 {
		m.T.Errorf("%s: conditional dataset: got %+v, %v, want status 200 or 304", m.Name, a, err)
		return
	}
	m.etag = a.Header.Get("ETag")
}

// wantTasks fails the test unless the member has exactly the tasks that they
// wrote, and threads with one partner.
func (m *member) wantTasks() {
	m.T.Helper()
	want := slices.Collect(maps.Keys(m.jsonTasks))
	want = slices.AppendSeq(want, maps.Keys(m.caldav))
	slices.Sort(want)
	got := m.send(m.Client, "GET", "/world/time/objects?object_type=task&limit=200", 200).Values("objects", "title")
	if slices.Sort(got); !slices.Equal(got, want) {
		m.T.Errorf("%s: got tasks %q, want %q", m.Name, got, want)
	}
	for _, thread := range m.Do("GET", "/world/messages").Want(200).List("threads") {
		if n := apptest.At(thread, "participant_count"); n != 2.0 {
			m.T.Errorf("%s: got a thread with %v participants, want 2", m.Name, n)
		}
	}
}
