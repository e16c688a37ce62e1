package diskcache

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// clock advances by two hours at each reading, which is more than touchInterval.
type clock struct{ now time.Time }

func (c *clock) read() time.Time {
	c.now = c.now.Add(2 * time.Hour)
	return c.now
}

func newCache(t *testing.T, dir string, limit int64, c *clock) (*Cache, *bytes.Buffer) {
	var log bytes.Buffer
	return New("map tiles", dir, limit, c.read, slog.New(slog.NewTextHandler(&log, nil))), &log
}

func wantEntries(t *testing.T, c *Cache, want map[string]bool) {
	t.Helper()
	for key, cached := range want {
		data, ok := c.Get(key)
		if ok != cached || ok && string(data) != "data of "+key {
			t.Errorf("%s: got %q, %v, want it cached: %v", key, data, ok, cached)
		}
	}
}

// The order of use, by which entries are evicted, survives a restart.
func TestLeastRecentlyUsedEntriesAreEvicted(t *testing.T) {
	dir, time := filepath.Join(t.TempDir(), "tiles"), &clock{now: time.Now()}
	c, _ := newCache(t, dir, 3*blockSize, time)
	put := func(key string) { c.Put(key, []byte("data of "+key)) }
	put("a")
	put("b")
	put("c")
	wantEntries(t, c, map[string]bool{"a": true})
	put("d")
	wantEntries(t, c, map[string]bool{"a": true, "b": false, "c": true, "d": true})

	wantEntries(t, c, map[string]bool{"a": true})
	c, _ = newCache(t, dir, 3*blockSize, time)
	put("e")
	put("f")
	wantEntries(t, c, map[string]bool{"a": true, "c": false, "d": false, "e": true, "f": true})
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 3 {
		t.Errorf("got %d files, %v, want 3", len(files), err)
	}
}

// A restart with a lower limit removes entries.
func TestLimitHoldsAfterARestart(t *testing.T) {
	dir, time := t.TempDir(), &clock{now: time.Now()}
	c, _ := newCache(t, dir, 100*blockSize, time)
	for i := range 10 {
		key := fmt.Sprint("key", i)
		c.Put(key, []byte("data of "+key))
	}
	c, _ = newCache(t, dir, 2*blockSize, time)
	wantEntries(t, c, map[string]bool{"key7": false, "key8": true, "key9": true})
}

// A damaged or incomplete entry is not returned, and can be stored again.
func TestDamagedEntryIsRemoved(t *testing.T) {
	dir, time := t.TempDir(), &clock{now: time.Now()}
	c, _ := newCache(t, dir, 100*blockSize, time)
	for _, damage := range []string{"", "abc", "damaged data of x"} {
		c.Put("x", []byte("data of x"))
		if err := os.WriteFile(filepath.Join(dir, "x.entry"), []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		wantEntries(t, c, map[string]bool{"x": false})
		c.Put("x", []byte("data of x"))
		wantEntries(t, c, map[string]bool{"x": true})
	}
}

// The temporary file of a killed process is removed.
func TestIncompleteFileIsRemoved(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, tempPrefix+"123")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _ := newCache(t, dir, 100*blockSize, &clock{})
	c.Get("x")
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("got %v, want no file", err)
	}
}

// If files cannot be written, entries are not cached, and the log says so once for
// each pause.
func TestFailedWritePausesTheCache(t *testing.T) {
	dir, now := filepath.Join(t.TempDir(), "tiles"), time.Now()
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	c := New("map tiles", dir, 100*blockSize, func() time.Time { return now }, slog.New(slog.NewTextHandler(&log, nil)))
	for range 5 {
		c.Put("x", []byte("data of x"))
	}
	wantEntries(t, c, map[string]bool{"x": false})
	if got := strings.Count(log.String(), "map tiles are not cached"); got != 1 {
		t.Errorf("got %d log lines, want 1:\n%s", got, &log)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	now = now.Add(pauseAfterFailure)
	c.Put("x", []byte("data of x"))
	wantEntries(t, c, map[string]bool{"x": true})
}
