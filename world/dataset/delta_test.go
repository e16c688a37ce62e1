package dataset_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/social"
	"appliance/svc/svctest"
	"appliance/world/dataset"
	"appliance/world/worldtest"
)

// deltaClient is a runtime that reads only changes and applies them.
type deltaClient struct {
	s      *worldtest.Server
	v      svc.Viewer
	header string
	query  string // of the first request
	state  []byte // its dataset; nil before the first read
	next   string // URL of the next request, from the dataset
	deltas int    // answers that contained only changes
}

// offer is the part of a dataset that a client needs for the next request.
type offer struct {
	Capabilities struct {
		Changes dataset.ChangesOffer `json:"changes"`
	} `json:"capabilities"`
	Delta *struct {
		Changed dataset.SectionIDs `json:"changed"`
		Gone    dataset.SectionIDs `json:"gone"`
	} `json:"delta"`
}

// nextRequest returns the request for the changes.
func (c *deltaClient) nextRequest() dataset.Request {
	c.s.T.Helper()
	if c.state == nil {
		return requestOf(c.s.T, c.header, c.query)
	}
	path, query, _ := strings.Cut(c.next, "?")
	if values, err := url.ParseQuery(query); err != nil || path != "/world/runtime" || !values.Has("since") {
		c.s.T.Fatalf("got the URL %q, want one of /world/runtime with since", c.next)
	}
	return requestOf(c.s.T, c.header, query)
}

// read reads the changes and applies them. It fails the test unless the client then
// has the same data as a new client. It returns the offer in the response, zero if the
// member is disabled.
func (c *deltaClient) read(about string) (got offer) {
	t := c.s.T
	t.Helper()
	response, err := c.s.World.Read(t.Context(), c.v, c.nextRequest())
	if e := (*svc.Error)(nil); errors.As(err, &e) { // the member is disabled
		return got
	}
	if err != nil {
		t.Fatal(err)
	}
	answer := worldtest.Text(t, response.Body)
	worldtest.Decode(t, answer, new(dataset.Dataset))
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Fatal(err)
	}
	if c.state, err = worldtest.ApplyDelta(c.state, answer); err != nil {
		t.Fatalf("%s: %q %q of %v: %v in %s", about, c.header, c.query, c.v, err, answer)
	}
	c.next = got.Capabilities.Changes.URL
	if got.Delta != nil {
		c.deltas++
	}
	_, whole := worldtest.Respond(t, c.s.World, c.v, requestOf(t, c.header, c.query))
	if err := worldtest.EqualJSON(c.state, whole); err != nil {
		t.Fatalf("%s: %q %q of %v: %v", about, c.header, c.query, c.v, err)
	}
	var d dataset.Dataset
	worldtest.Decode(t, c.state, &d)
	if !strings.Contains(c.query, "sections") {
		worldtest.WantReferences(t, d)
	}
	return got
}

// client returns a new client that has read the dataset.
func (f *fixture) client(v svc.Viewer, header, query string) *deltaClient {
	f.T.Helper()
	c := &deltaClient{s: f.Server, v: v, header: header, query: query}
	c.read("first read")
	return c
}

// After random writes, pauses and failures, runtimes that apply changes have the same
// data as runtimes that read everything. Covers B-105, PT-03, PT-05 and PT-47.
func TestAppliedDatasetEqualsTheWholeOne(t *testing.T) {
	rounds := 1
	if svctest.IsLong() {
		rounds = 6
	}
	for seed := range svctest.Seeds(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s, viewers := worldtest.New(t, "m1", "m2", "m3", "m4")
			h := &randomWorkload{Server: s, Rand: icstest.NewRand(10500 + seed), viewers: viewers}
			small := seed%2 == 1
			if small {
				h.World.LimitCache(300 << 10) // small enough that manifests and snapshots are evicted
			}
			var clients []*deltaClient
			for i, v := range viewers {
				s.CreateCommunity(v, fmt.Sprint("Community ", i), viewers[i:]...)
				s.CreateEvent(v, fmt.Sprint("Event ", i), "2026-12-01T20:00:00")
				for _, c := range []deltaClient{
					{header: "web/1.0"}, {header: `terminal/2.0; caps="objects contexts"`}, {header: "web/1.0", query: "lat=52.5&lon=13.4"},
					{header: "web/1.0", query: "sections=objects,workspace&caps=objects"},
				} {
					c.s, c.v = s, v
					clients = append(clients, &c)
				}
			}
			names := slices.Sorted(maps.Keys(writes))
			for range rounds {
				h.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
				for _, name := range names {
					h.tryWrite(name)
					pause := time.Duration(h.IntN(100)) * time.Second
					if h.OneIn(40) {
						pause = time.Duration(h.IntN(30)) * time.Hour
					}
					s.Clock.Advance(pause)
					for _, c := range clients {
						if h.OneIn(4) { // so that most clients apply several writes at once
							c.read("after " + name)
						}
					}
				}
			}
			for _, c := range clients {
				if c.read("at the end"); c.deltas == 0 && !small {
					t.Errorf("%q %q of %v: got no answer with only changes", c.header, c.query, c.v)
				}
			}
		})
	}
}

// Covers B-105.
func TestDeltaContainsOnlyChanges(t *testing.T) {
	f := newFixture(t)
	f.read(f.ann)
	c := f.client(f.ann, "test/1.0", "")
	var before dataset.Dataset
	worldtest.Decode(t, c.state, &before)
	for _, x := range []struct {
		name          string
		write         func()
		changed, gone int // objects
	}{
		{"nothing", func() {}, 0, 0},
		{"a new task", func() { f.CreateTask(f.ann, "Cook") }, 1, 0},
		{"a task of another member", func() { f.CreateTask(f.bea, "Cook") }, 0, 0},
		{"a message", func() { f.SendMessage(f.bea, f.ann, "Well?") }, 1, 0},
		{"a deleted task", func() { f.deleteTask(f.ann, f.task) }, 0, 1},
		{"two writes", func() { f.CreateTask(f.ann, "Iron"); f.SendMessage(f.bea, f.ann, "Now?") }, 2, 0},
		{"two findings", func() { f.ReplaceFindings(f.ann, worldtest.Place(1), worldtest.Page(1)) }, 0, 0},
		{"a finding less", func() { f.ReplaceFindings(f.ann, worldtest.Page(1)) }, 0, 0},
	} {
		x.write()
		got := c.read(x.name)
		if got.Delta == nil || len(got.Delta.Changed.Objects) != x.changed || len(got.Delta.Gone.Objects) != x.gone {
			t.Errorf("%s: got %+v, want %d changed objects and %d that are gone", x.name, got.Delta, x.changed, x.gone)
		}
		if d := got.Delta; d != nil && x.name == "nothing" && !areEmpty(d.Changed, d.Gone) {
			t.Errorf("without a write: got %+v, want no changes", d)
		}
		if d := got.Delta; d != nil && strings.Contains(x.name, "finding") && len(d.Changed.Findings)+len(d.Gone.Findings) == 0 {
			t.Errorf("%s: got %+v, want changed findings", x.name, d)
		}
	}
}

// areEmpty reports whether all lists are empty.
func areEmpty(all ...dataset.SectionIDs) bool {
	return !slices.ContainsFunc(all, func(s dataset.SectionIDs) bool {
		return len(s.Objects)+len(s.Contexts)+len(s.Actions)+len(s.Findings) > 0
	})
}

func (f *fixture) deleteTask(v svc.Viewer, id string) {
	f.Write(func(tx *store.Tx) error { return f.Calendar.Delete(tx, v, id, edit.Deletion{}, nil) })
}

// A calendar event that ends leaves the dataset without a write, and a service that
// is switched off or fails loses its objects. Covers B-105 and PT-05.
func TestDeltaWithoutAWrite(t *testing.T) {
	f := newFixture(t)
	f.Write(func(tx *store.Tx) error {
		_, err := f.Social.SetPresence(tx, f.bea, social.NewPresence{State: "online", VisibleTo: "members", TTL: new(60)})
		return err
	})
	f.read(f.ann)
	c := f.client(f.ann, "test/1.0", "")
	f.Clock.Advance(61 * time.Second)
	if got := c.read("after the presence"); got.Delta == nil || len(got.Delta.Changed.Objects) != 1 {
		t.Errorf("after the presence expired: got %+v, want one changed object", got.Delta)
	}
	storetest.Exec(t, f.DB, "ALTER TABLE messages_thread RENAME TO lost")
	f.Hosted("messages").Report(errors.New("failed")) // so that it is read again
	if got := c.read("Messages fails"); got.Delta == nil || len(got.Delta.Gone.Objects) != 1 {
		t.Errorf("while Messages fails: got %+v, want its thread gone", got.Delta)
	}
	storetest.Exec(t, f.DB, "ALTER TABLE lost RENAME TO messages_thread")
	if got := c.read("Messages works again"); got.Delta == nil || len(got.Delta.Changed.Objects) != 1 {
		t.Errorf("after Messages recovered: got %+v, want its thread", got.Delta)
	}
	f.Hosted("time").SwitchOff()
	if got := c.read("Time is off"); got.Delta == nil || len(got.Delta.Gone.Objects) < 2 {
		t.Errorf("without Time: got %+v, want its objects gone", got.Delta)
	}
}

// A revision that is not in the cache is no error. Covers B-105.
func TestUnknownRevisionIsAnsweredWithTheWholeDataset(t *testing.T) {
	f := newFixture(t)
	f.read(f.ann)
	c := f.client(f.ann, "test/1.0", "")
	known := c.nextRequest().Since
	read := func(v svc.Viewer, header, query string) (d dataset.Dataset) {
		t.Helper()
		_, body := worldtest.Respond(t, f.World, v, requestOf(t, header, query))
		worldtest.Decode(t, body, &d)
		return d
	}
	if d := read(f.ann, "test/1.0", "since="+known); d.Delta == nil {
		t.Error("known revision: got the whole dataset, want changes")
	}
	for name, d := range map[string]dataset.Dataset{
		"empty":              read(f.ann, "test/1.0", "since="),
		"malformed":          read(f.ann, "test/1.0", "since=%00%ff%22"),
		"long":               read(f.ann, "test/1.0", "since="+strings.Repeat("x", 100_000)),
		"unknown":            read(f.ann, "test/1.0", "since=AAAAAAAAAAAAAAAAAAAAAA"),
		"another member":     read(f.bea, "test/1.0", "since="+known),
		"another runtime":    read(f.ann, "test/2.0", "since="+known),
		"other capabilities": read(f.ann, "test/1.0", "caps=objects&since="+known),
		"another position":   read(f.ann, "test/1.0", "lat=1&lon=2&since="+known),
		"another radius":     read(f.ann, "test/1.0", "radius=500&since="+known),
		"other sections":     read(f.ann, "test/1.0", "sections=objects,contexts,actions,field,findings&since="+known),
	} {
		if d.Delta != nil || len(d.Objects) == 0 {
			t.Errorf("%s: got the delta %+v and %d objects, want the whole dataset", name, d.Delta, len(d.Objects))
		}
	}
}

// The cache keeps a bounded number of manifests for each member. Covers B-105.
func TestOldManifestsAreEvicted(t *testing.T) {
	f := newFixture(t)
	f.read(f.ann)
	c := f.client(f.ann, "test/1.0", "")
	old := *c
	for i := range 20 {
		f.CreateTask(f.ann, fmt.Sprint("Task ", i))
		if got := c.read("a task"); got.Delta == nil {
			t.Fatalf("task %d: got the whole dataset, want changes", i)
		}
	}
	if got := old.read("after 20 revisions"); got.Delta != nil {
		t.Error("after 20 revisions: got changes, want the whole dataset")
	}
	f.World.LimitCache(10 << 10)
	if got := c.read("with an empty cache"); got.Delta != nil {
		t.Error("after an eviction: got changes, want the whole dataset")
	}
}

// Covers B-84 and B-105.
func TestETagOfChangesIsValidUntilTheDatasetChanges(t *testing.T) {
	f := newFixture(t)
	f.read(f.ann)
	c := f.client(f.ann, "test/1.0", "")
	whole, _ := worldtest.Respond(t, f.World, f.ann, requestOf(t, "test/1.0", ""))
	since := c.nextRequest()
	delta, _ := worldtest.Respond(t, f.World, f.ann, since)
	if delta.ETag == whole.ETag {
		t.Errorf("got the ETag %s of the whole dataset for its changes", delta.ETag)
	}
	for _, known := range []string{whole.ETag, delta.ETag} {
		since.IfNoneMatch = known
		if got, _ := worldtest.Respond(t, f.World, f.ann, since); !got.NotModified || got.ETag != delta.ETag {
			t.Errorf("changes with %s: got %+v, want not modified with %s", known, got, delta.ETag)
		}
	}
	all := requestOf(t, "test/1.0", "")
	all.IfNoneMatch = delta.ETag
	if got, _ := worldtest.Respond(t, f.World, f.ann, all); got.NotModified {
		t.Error("whole dataset with the ETag of the changes: got not modified")
	}
	f.CreateTask(f.ann, "Cook")
	for _, known := range []string{whole.ETag, delta.ETag} {
		since.IfNoneMatch = known
		if got, _ := worldtest.Respond(t, f.World, f.ann, since); got.NotModified {
			t.Errorf("after a write with %s: got not modified", known)
		}
	}
}
