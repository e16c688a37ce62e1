package dataset

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"appliance/svc"
)

// keys returns the keys for members 1, 2, 3, ….
func keys(n int) []cacheKey {
	list := make([]cacheKey, n)
	for i := range list {
		list[i] = cacheKey{member: svc.MemberID(i + 1)}
	}
	return list
}

// wantCached fails t unless the cache contains exactly the snapshots for the
// keys, within its limit.
func wantCached(t *testing.T, c *cache, want ...cacheKey) {
	t.Helper()
	size := 0
	for key, e := range c.entries {
		if !slices.Contains(want, key) {
			t.Errorf("got a snapshot for %v, want snapshots for %v", key, want)
		}
		size += e.Value.(*cacheEntry).total()
	}
	if len(c.entries) != len(want) || c.recent.Len() != len(want) || c.size != size || size > c.max {
		t.Errorf("got %d snapshots, %d in order of use, %d bytes (counted: %d), want %d snapshots of at most %d bytes",
			len(c.entries), c.recent.Len(), c.size, size, len(want), c.max)
	}
}

func TestLeastRecentlyUsedSnapshotsAreEvicted(t *testing.T) {
	c, k := newCache(100), keys(4)
	for _, key := range k[:3] {
		c.put(key, &snapshot{revision: 1, size: 30})
	}
	wantCached(t, c, k[:3]...)
	c.get(k[0])
	c.put(k[3], &snapshot{revision: 1, size: 40})
	wantCached(t, c, k[0], k[2], k[3])
	c.put(k[0], &snapshot{revision: 2, size: 60})
	wantCached(t, c, k[0], k[3])
	if got := c.get(k[0]).revision; got != 2 {
		t.Errorf("got revision %d, want 2", got)
	}
	if got := c.get(k[1]); got.revision != 0 || got.layout != nil {
		t.Errorf("evicted: got %+v, want an empty snapshot", got)
	}
}

func TestSnapshotAboveTheLimitIsNotCached(t *testing.T) {
	c, k := newCache(100), keys(2)
	c.put(k[0], &snapshot{revision: 1, size: 50})
	c.put(k[1], &snapshot{revision: 1, size: 101})
	wantCached(t, c, k[0])
	c.put(k[0], &snapshot{revision: 2, size: 101})
	wantCached(t, c)
}

func TestSnapshotOfAnOlderRevisionDoesNotReplaceALaterOne(t *testing.T) {
	c, k := newCache(100), keys(1)
	c.put(k[0], &snapshot{revision: 5, size: 10})
	c.put(k[0], &snapshot{revision: 4, size: 20})
	if got := c.get(k[0]).revision; got != 5 {
		t.Errorf("got revision %d, want 5", got)
	}
	wantCached(t, c, k[0])
}

func TestCacheIsSafeForConcurrentUse(t *testing.T) {
	c, k := newCache(500), keys(8)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 500 {
				of := (i + n) % len(k)
				c.put(k[of], &snapshot{revision: int64(8*n + of), size: 50 + n%50})
				if got := c.get(k[of]).revision; got != 0 && got%8 != int64(of) { // 0 if evicted
					t.Errorf("key %d: got revision %d, which was stored under another key", of, got)
				}
			}
		})
	}
	wg.Wait()
	wantCached(t, c, func() (present []cacheKey) {
		for key := range c.entries {
			present = append(present, key)
		}
		return present
	}()...)
	if len(c.entries) < 2 {
		t.Errorf("got %d snapshots, want several", len(c.entries))
	}
}

// The capabilities that the objects depend on are a part of the key.
func TestSnapshotsDifferByForms(t *testing.T) {
	c := newCache(100)
	c.put(cacheKey{member: 1, forms: true}, &snapshot{revision: 1, size: 10})
	if got := c.get(cacheKey{member: 1}); got.revision != 0 {
		t.Errorf("got %+v for a runtime without forms, want an empty snapshot", got)
	}
	if got := fmt.Sprint(len(c.entries)); got != "1" {
		t.Errorf("got %s snapshots, want 1", got)
	}
}

// newTestManifest returns a manifest of n objects.
func newTestManifest(revision string, n int) *manifest {
	m := &manifest{request: "request", revision: revision, objects: make([]objectHashes, n)}
	for i := range m.objects {
		m.objects[i].actions = &recordHashes{ids: []string{"an id of an action"}}
	}
	return m
}

func TestManifestsAreCachedWithTheSnapshot(t *testing.T) {
	c, k := newCache(1<<20), keys(2)
	c.addManifest(k[0], newTestManifest("0", 1))
	wantCached(t, c)
	c.put(k[0], &snapshot{revision: 1, size: 100})
	for i := range 3 {
		c.addManifest(k[0], newTestManifest(fmt.Sprint(i), 10))
		c.put(k[0], &snapshot{revision: int64(i + 2), size: 100})
		wantCached(t, c, k[0])
	}
	for i := range 3 {
		if c.manifest(k[0], "request", fmt.Sprint(i)) == nil {
			t.Errorf("got no manifest of revision %d", i)
		}
	}
	for _, unknown := range []*manifest{
		c.manifest(k[0], "request", "3"), c.manifest(k[0], "other", "1"), c.manifest(k[1], "request", "1"), c.manifest(k[0], "request", ""),
	} {
		if unknown != nil {
			t.Errorf("got %+v, want no manifest", unknown)
		}
	}
}

func TestManifestsAreBounded(t *testing.T) {
	c, k := newCache(8<<20), keys(1)
	c.put(k[0], &snapshot{revision: 1, size: 100})
	revisions := func() (list []string) {
		for _, m := range c.entries[k[0]].Value.(*cacheEntry).manifests.list {
			list = append(list, m.revision)
		}
		return list
	}
	for i := range 2 * maxManifests {
		c.addManifest(k[0], newTestManifest(fmt.Sprint(i), 1))
	}
	if list := revisions(); len(list) != maxManifests || list[len(list)-1] != "31" {
		t.Errorf("got the revisions %v, want the latest %d", list, maxManifests)
	}
	c.addManifest(k[0], newTestManifest("20", 1)) // makes it the latest again
	if list := revisions(); len(list) != maxManifests || list[len(list)-1] != "20" {
		t.Errorf("got the revisions %v, want 20 as the latest", list)
	}
	for i := range 4 {
		c.addManifest(k[0], newTestManifest(fmt.Sprint("large", i), maxManifestsSize/300))
		if size := c.entries[k[0]].Value.(*cacheEntry).manifests.size; size > maxManifestsSize {
			t.Errorf("got %d bytes, want at most %d", size, maxManifestsSize)
		}
	}
	if list := revisions(); len(list) == 0 || len(list) > 3 || list[len(list)-1] != "large3" {
		t.Errorf("got the revisions %v, want the latest of the large ones", list)
	}
	wantCached(t, c, k[0])
}

// A snapshot is more useful than the manifests of earlier ones.
func TestManifestsAreDroppedBeforeTheSnapshot(t *testing.T) {
	c, k := newCache(2000), keys(1)
	c.put(k[0], &snapshot{revision: 1, size: 1000})
	c.addManifest(k[0], newTestManifest("1", 100))
	wantCached(t, c, k[0])
	if c.manifest(k[0], "request", "1") != nil {
		t.Error("got a manifest larger than the cache, want none")
	}
}
