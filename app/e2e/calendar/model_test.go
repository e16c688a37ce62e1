package calendar

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store/storetest"
	"appliance/svc/svctest"
)

// calendarModel is the expected state of a calendar.
type calendarModel struct {
	path, id  string
	texts     map[string]string // by name
	syncToken string
	replicas  []apptest.Replica // states of clients at earlier tokens
}

// model makes random writes to two calendars and records their expected
// contents.
type model struct {
	*fixture
	apptest.Rand
	calendars [2]*calendarModel
	serial    int // of the last write
}

func newModel(t *testing.T, seed uint64) *model {
	m := &model{fixture: newFixture(t, apptest.Unlimited), Rand: apptest.NewRand(seed)}
	m.ann.Do("POST", "/world/calendars", `{"name": "Second", "timezone": "Europe/Berlin"}`).Want(201)
	calendars := m.ann.Do("GET", "/world/calendars").Want(200)
	for i := range m.calendars {
		c := &calendarModel{texts: make(map[string]string)}
		c.path = calendars.Str(fmt.Sprintf("calendars.%d.caldav_path", i))
		c.id = calendars.Str(fmt.Sprintf("calendars.%d.id", i))
		c.syncToken = m.syncToken(c.path)
		m.calendars[i] = c
	}
	return m
}

// randomName returns the name of an object in a calendar, or "" if it is empty.
func (m *model) randomName(c *calendarModel) string {
	if len(c.texts) == 0 {
		return ""
	}
	return apptest.Pick(m.Rand, slices.Sorted(maps.Keys(c.texts))...)
}

// objectPath returns the path of an object. Spaces are the only characters of
// names in the model that must be escaped.
func (c *calendarModel) objectPath(name string) string {
	return c.path + strings.ReplaceAll(name, " ", "%20")
}

// stored returns the stored text of an object.
func (m *model) stored(c *calendarModel, name string) string {
	m.t.Helper()
	return m.dav.Do("GET", c.objectPath(name)).Want(200).Body
}

// apiPath returns the path of an object in the JSON API.
func (m *model) apiPath(c *calendarModel, name string) string {
	m.t.Helper()
	ids := storetest.Rows(m.t, m.DB, "SELECT id FROM calendar_object WHERE calendar_id = ? AND segment = ?", c.id, name)
	if len(ids) != 1 {
		m.t.Fatalf("%s in %s: got ids %q, want one", name, c.path, ids)
	}
	return "/world/time/objects/" + ids[0]
}

// check compares a calendar with its model: the sync token, the list, a random
// object, and the result of a synchronization from a random earlier token.
func (m *model) check(about string, c *calendarModel, wantChanged bool) {
	m.t.Helper()
	token := m.syncToken(c.path)
	if changed := token != c.syncToken; changed != wantChanged {
		m.t.Errorf("%s: got sync token changed %t, want %t: %s after %s", about, changed, wantChanged, token, c.syncToken)
	}
	c.syncToken = token
	etags := m.etags(c.path)
	if len(etags) != len(c.texts) {
		m.t.Errorf("%s: got %d objects in the list, want %d", about, len(etags), len(c.texts))
	}
	if name := m.randomName(c); name != "" {
		a := m.dav.Do("GET", c.objectPath(name)).Want(200)
		got, want := a.Header.Get("ETag"), etags[c.objectPath(name)]
		if a.Body != c.texts[name] || got != want {
			m.t.Errorf("%s: %s: got ETag %s and\n%s\nwant %s and\n%s", about, name, got, a.Body, want, c.texts[name])
		}
	}
	m.wantSynchronization(about, c, etags)
}

func (m *model) wantSynchronization(about string, c *calendarModel, want map[string]string) {
	m.t.Helper()
	var replica apptest.Replica
	if len(c.replicas) > 0 && !m.OneIn(5) {
		replica = apptest.Pick(m.Rand, c.replicas...)
	}
	limit := 0
	if m.OneIn(2) {
		limit = 1 + m.IntN(5)
	}
	token := replica.Token
	replica = m.synchronize(c.path, replica, limit)
	if !maps.Equal(replica.ETags, want) {
		m.t.Errorf("%s: synchronization from %q: got\n%v\nwant\n%v", about, token, replica.ETags, want)
	}
	c.replicas = append(c.replicas, replica)
}

// After random writes over CalDAV and the JSON API, each calendar has the contents of
// its model, clients at any earlier sync token can follow, and rejected writes
// change nothing. Covers C-21, E-17, T-18, PT-22, PT-28 and PT-40.
func TestRandomWritesResultInTheModel(t *testing.T) {
	for seed := range svctest.Seeds(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			m := newModel(t, 500+seed)
			for range 60 {
				i := m.IntN(2)
				about, changed := m.write(m.calendars[i], m.calendars[1-i])
				for _, c := range m.calendars {
					m.check(about, c, slices.Contains(changed, c))
				}
				if t.Failed() {
					t.FailNow()
				}
			}
			for _, c := range m.calendars {
				for name, want := range c.texts {
					if got := m.stored(c, name); got != want {
						t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
					}
				}
			}
		})
	}
}
