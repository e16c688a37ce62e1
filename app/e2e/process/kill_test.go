package process

import (
	"database/sql"
	"encoding/xml"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// A server that is killed under load keeps every write that it acknowledged, and
// a client that synchronizes from any earlier sync token gets the contents of
// the calendar. Covers PT-28 and PT-38.
func TestAcknowledgedWritesSurviveKill(t *testing.T) {
	rounds := 3
	if svctest.IsLong() {
		rounds = 12
	}
	dir := apptest.NewDataDir(t)
	w := newWorkload(t, dir)
	acknowledged := 0
	for range rounds {
		p := apptest.Serve(t, dir, "--rate-limits", "writes=0,reads=0")
		w.connect(p)
		w.wantAcknowledgedWrites()
		acknowledged += w.runUntil(1+rand.IntN(250), p.Kill)
		p.Kill() // the clients also stop if a request fails, which fails the test
	}
	w.connect(apptest.Serve(t, dir))
	w.wantAcknowledgedWrites()
	t.Logf("%d writes acknowledged in %d rounds", acknowledged, rounds)
}

// workload is a set of clients of one member: several writers and a client that
// synchronizes.
type workload struct {
	t        *testing.T
	database string
	jsonAPI  *apptest.Client // with a token
	caldav   *apptest.Client // with a password
	calendar string
	writers  []*writer
	replicas []apptest.Replica // states of the synchronizing client, oldest first
}

// newWorkload returns the clients of ann, the member in a data directory.
func newWorkload(t *testing.T, dir string) *workload {
	w := &workload{t: t, database: filepath.Join(dir, "appliance.db")}
	for i := range 6 {
		w.writers = append(w.writers, &writer{workload: w, n: i, entries: make(map[string]string)})
	}
	return w
}

// connect connects the clients to a new server.
func (w *workload) connect(p *apptest.Process) {
	w.jsonAPI = p.SignIn("ann")
	w.jsonAPI.HTTP.Transport = &http.Transport{MaxIdleConnsPerHost: 2 * len(w.writers)}
	w.caldav = w.jsonAPI.Basic()
	w.calendar = w.jsonAPI.DefaultCalendar()
}

// runUntil runs all clients, calls end after a number of acknowledged writes,
// and returns the number of acknowledged writes when the server no longer
// responds.
func (w *workload) runUntil(acknowledgments int, end func()) int {
	var acknowledged atomic.Int64
	var clients sync.WaitGroup
	for _, writer := range w.writers {
		clients.Go(func() {
			for writer.write() {
				if acknowledged.Add(1) == int64(acknowledgments) {
					end()
				}
			}
		})
	}
	clients.Go(func() {
		for w.synchronize() {
		}
	})
	clients.Wait()
	return int(acknowledged.Load())
}

// wantAcknowledgedWrites fails the test unless the calendar has the contents of
// the acknowledged writes, every replica can be synchronized, and the database
// file is intact.
func (w *workload) wantAcknowledgedWrites() {
	w.t.Helper()
	want := 0
	for _, writer := range w.writers {
		writer.wantEntries()
		want += len(writer.entries)
	}
	current := w.list()
	if len(current.ETags) != want {
		w.t.Errorf("entries: got %d, want %d", len(current.ETags), want)
	}
	w.wantReplicas(current)
	db, err := sql.Open("sqlite", "file:"+w.database+"?mode=ro")
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	var result string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&result); err != nil || result != "ok" {
		w.t.Errorf("integrity_check: got %s, %v, want ok", result, err)
	}
}

// wantReplicas synchronizes the last replica and nine random ones, and fails
// the test unless each then has the current contents.
func (w *workload) wantReplicas(current apptest.Replica) {
	w.t.Helper()
	older := max(0, len(w.replicas)-1)
	rand.Shuffle(older, func(i, k int) { w.replicas[i], w.replicas[k] = w.replicas[k], w.replicas[i] })
	w.replicas = w.replicas[max(0, len(w.replicas)-10):]
	for _, replica := range w.replicas {
		r, token := replica.Clone(), replica.Token
		if err := w.applyChanges(&r); err != nil {
			w.t.Fatal(err)
		}
		if !maps.Equal(r.ETags, current.ETags) {
			w.t.Errorf("synchronization from token %s: got %v, want %v", token, r.ETags, current.ETags)
		}
	}
}

// synchronize adds a replica if the calendar has changed since the last one. It
// reports whether the server responded.
func (w *workload) synchronize() bool {
	var next apptest.Replica
	if n := len(w.replicas); n > 0 {
		next = w.replicas[n-1].Clone()
	}
	token := next.Token
	if w.applyChanges(&next) != nil {
		return false
	}
	if next.Token != token {
		w.replicas = append(w.replicas, next)
	}
	return true
}

// applyChanges applies the changes since the token of a replica (RFC 6578 §3).
func (w *workload) applyChanges(r *apptest.Replica) error {
	m, err := w.requestMultistatus("REPORT", apptest.SyncCollection(r.Token))
	if err != nil {
		return err
	}
	r.Apply(m)
	return nil
}

// list returns the contents of the calendar.
func (w *workload) list() apptest.Replica {
	w.t.Helper()
	m, err := w.requestMultistatus("PROPFIND", apptest.PropfindETags)
	if err != nil {
		w.t.Fatal(err)
	}
	return apptest.NewReplica(m)
}

// requestMultistatus sends a request to the calendar and returns the multistatus
// response. Without a response it returns an error; any status other than 207
// also fails the test.
func (w *workload) requestMultistatus(method, body string) (m apptest.Multistatus, err error) {
	a, err := w.caldav.With("Depth", "1").Try(method, w.calendar, body)
	if err != nil {
		return m, err
	}
	if a.Status != http.StatusMultiStatus {
		err := fmt.Errorf("%s: got status %d, want 207\n%s", a.About, a.Status, a.Body)
		w.t.Error(err)
		return m, err
	}
	return m, xml.Unmarshal([]byte(a.Body), &m)
}
