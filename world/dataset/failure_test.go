package dataset_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"appliance/store/storetest"
	"appliance/svc"
	"appliance/world/dataset"
	"appliance/world/worldtest"
)

// tableOfService maps each service to a table that no other service reads.
var tableOfService = map[string]string{
	"time": "calendar_occurrence", "messages": "messages_thread", "social": "social_presence", "workspace": "surface_stack",
}

// hostedName returns the name under which the program hosts a source.
func hostedName(source string) string { return strings.Replace(source, "workspace", "surface", 1) }

// A part that fails is not cached, and all other parts are complete. The next read
// builds the failed part again. Covers W-54 and E-06.
func TestFailedPartIsNotCached(t *testing.T) {
	for service, table := range tableOfService {
		t.Run(service, func(t *testing.T) {
			f := newFixture(t)
			f.focus(f.ann, "task Taxes")
			f.read(f.ann)
			f.World = f.NewWorld()
			storetest.Exec(t, f.DB, "ALTER TABLE "+table+" RENAME TO lost")
			response, body := worldtest.Respond(t, f.World, f.ann, request(t, ""))
			var bad dataset.Dataset
			worldtest.Decode(t, body, &bad)
			worldtest.WantReferences(t, bad)
			for _, s := range []string{"time", "messages", "social", "workspace"} {
				want := svc.StateReady
				if s == service {
					want = svc.StateDegraded
				}
				if got := source(t, bad, s).Status; got != want {
					t.Errorf("source %s: got status %s, want %s", s, got, want)
				}
			}
			if got := fallback(bad, dataset.Scope{Kind: "service", Service: service}); got == nil || got.State != "degraded" || !got.Retryable {
				t.Errorf("got fallback %+v, want a retryable one for %s", got, service)
			}
			if got := f.Hosted(hostedName(service)).State(); got != "degraded" {
				t.Errorf("hosted service: got %s, want degraded", got)
			}

			storetest.Exec(t, f.DB, "ALTER TABLE lost RENAME TO "+table)
			r := request(t, "")
			r.IfNoneMatch = response.ETag
			again, got := worldtest.Respond(t, f.World, f.ann, r)
			_, want := worldtest.Respond(t, f.NewWorld(), f.ann, request(t, ""))
			if again.NotModified || !bytes.Equal(got, want) {
				t.Errorf("after the recovery: got not modified %v and\n%s\nwant\n%s", again.NotModified, got, want)
			}
		})
	}
}

// Datasets that are read during concurrent writes are consistent: responses with the
// same ETag are equal, and after the writes each dataset equals the dataset from an
// empty cache.
func TestConcurrentReadsAreConsistent(t *testing.T) {
	f := newFixture(t)
	f.World.LimitCache(100 << 10) // less than the size of all snapshots
	var mu sync.Mutex
	bodies := make(map[string][]byte)
	var wg sync.WaitGroup
	for _, v := range []svc.Viewer{f.ann, f.bea, f.cem, f.ann} {
		wg.Go(func() {
			for n := range 15 {
				if n%5 == 0 {
					f.CreateTask(v, fmt.Sprint("Task ", n))
				}
				response, body := worldtest.Respond(t, f.World, v, request(t, []string{"", "caps=objects"}[n%2]))
				mu.Lock()
				if other := bodies[response.ETag]; other != nil && !bytes.Equal(body, other) {
					t.Errorf("viewer %v: got different bodies for the ETag %s", v, response.ETag)
				}
				bodies[response.ETag] = body
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for _, v := range []svc.Viewer{f.ann, f.bea, f.cem} {
		_, got := worldtest.Respond(t, f.World, v, request(t, ""))
		_, want := worldtest.Respond(t, f.NewWorld(), v, request(t, ""))
		if !bytes.Equal(got, want) {
			t.Errorf("viewer %v: got another dataset from the cache than from an empty one", v)
		}
	}
	if n, size := f.World.Cached(); n == 0 || size > 100<<10 {
		t.Errorf("got %d cached snapshots of %d bytes, want at least one, at most 100 KiB", n, size)
	}
}

// The size of a snapshot is at least the size of its text.
func TestCacheCountsTheTextOfDatasets(t *testing.T) {
	f := newFixture(t)
	for i := range 50 {
		f.CreateTask(f.ann, fmt.Sprint("Task ", i))
	}
	_, body := worldtest.Respond(t, f.World, f.ann, request(t, ""))
	if n, size := f.World.Cached(); n != 1 || size < len(body) || size > 4*len(body) {
		t.Errorf("got %d snapshots of %d bytes, want one of %d to %d", n, size, len(body), 4*len(body))
	}
	f.World.LimitCache(1000)
	_, again := worldtest.Respond(t, f.World, f.ann, request(t, ""))
	if n, _ := f.World.Cached(); n != 0 || !slices.Equal(body, again) {
		t.Errorf("limit below the size: got %d snapshots and an equal dataset %v", n, slices.Equal(body, again))
	}
}
