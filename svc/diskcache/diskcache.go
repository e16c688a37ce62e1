// Package diskcache caches data that can be computed or fetched again, in files. The
// size of a cache is bounded: the least recently used entries are evicted. The entries
// survive a restart.
package diskcache

import (
	"container/list"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	entrySuffix = ".entry" // ends the names of entry files
	tempPrefix  = "new-"   // begins the names of files that are not complete

	blockSize         = 4 << 10     // file systems store files in blocks of this size
	touchInterval     = time.Hour   // between updates of the modification time of an entry
	pauseAfterFailure = time.Minute // without writes, after a failed one
)

// Cache is a directory of entries. It is safe for concurrent use; one process may use
// the directory at a time.
type Cache struct {
	name  string
	dir   string
	limit int64
	now   func() time.Time
	log   *slog.Logger
	load  func() // reads the directory once

	mu          sync.Mutex
	entries     map[string]*list.Element
	order       *list.List // of *entry, the last used first
	size        int64
	pausedUntil time.Time // no entry is written before this time
}

type entry struct {
	key    string
	size   int64
	usedAt time.Time // modification time of the file
}

// New returns the cache in dir. The first Put creates dir, which must not contain other
// files. name is the plural noun for the entries in the log, such as "map tiles". limit
// is the maximum size of all entries in bytes.
func New(name, dir string, limit int64, now func() time.Time, log *slog.Logger) *Cache {
	c := &Cache{name: name, dir: dir, limit: limit, now: now, log: log, entries: make(map[string]*list.Element), order: list.New()}
	c.load = sync.OnceFunc(c.readDir)
	return c
}

// readDir adds the entries that earlier processes wrote, and removes incomplete files.
func (c *Cache) readDir() {
	files, err := os.ReadDir(c.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.log.Warn("reading the cache of "+c.name, "err", err)
	}
	var found []*entry
	for _, f := range files {
		key, ok := strings.CutSuffix(f.Name(), entrySuffix)
		info, err := f.Info()
		switch {
		case strings.HasPrefix(f.Name(), tempPrefix):
			os.Remove(filepath.Join(c.dir, f.Name()))
		case ok && err == nil && info.Mode().IsRegular():
			found = append(found, &entry{key, diskSize(info.Size()), info.ModTime()})
		}
	}
	slices.SortFunc(found, func(a, b *entry) int { return b.usedAt.Compare(a.usedAt) })
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range found {
		c.entries[e.key] = c.order.PushBack(e)
		c.size += e.size
	}
	c.evict()
}

func diskSize(size int64) int64 { return (size + blockSize - 1) / blockSize * blockSize }

func (c *Cache) file(key string) string { return filepath.Join(c.dir, key+entrySuffix) }

// checksums is the table of the checksum in the first four bytes of a file.
var checksums = crc32.MakeTable(crc32.Castagnoli)

// Get returns the entry of a key; ok is false if there is none. A damaged entry is
// removed.
func (c *Cache) Get(key string) (data []byte, ok bool) {
	c.load()
	if !c.markUsed(key) {
		return nil, false
	}
	file, err := os.ReadFile(c.file(key))
	if err != nil || len(file) < 4 || binary.LittleEndian.Uint32(file) != crc32.Checksum(file[4:], checksums) {
		c.remove(key)
		return nil, false
	}
	return file[4:], true
}

// markUsed moves an entry to the front of the eviction order. It reports whether it exists.
func (c *Cache) markUsed(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.entries[key]
	if !ok {
		return false
	}
	c.order.MoveToFront(element)
	// The modification time orders the entries after a restart. It need not be exact.
	if e, now := element.Value.(*entry), c.now(); now.Sub(e.usedAt) > touchInterval {
		e.usedAt = now
		_ = os.Chtimes(c.file(key), now, now) // on failure, the entry may be evicted too early after a restart
	}
	return true
}

func (c *Cache) remove(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.entries[key]; ok {
		c.removeElement(element)
	}
}

func (c *Cache) removeElement(element *list.Element) {
	e := element.Value.(*entry)
	c.order.Remove(element)
	delete(c.entries, e.key)
	c.size -= e.size
	if err := os.Remove(c.file(e.key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.log.Warn("removing an entry from the cache of "+c.name, "err", err)
	}
}

// evict removes the least recently used entries until the size is within the limit. The
// caller must hold c.mu.
func (c *Cache) evict() {
	for c.size > c.limit && c.order.Len() > 0 {
		c.removeElement(c.order.Back())
	}
}

// Put stores an entry. The key must be a valid file name. If the write fails, for
// example because the disk is full, nothing is stored for one minute.
func (c *Cache) Put(key string, data []byte) {
	c.load()
	now := c.now()
	c.mu.Lock()
	isPaused := now.Before(c.pausedUntil)
	c.mu.Unlock()
	if isPaused {
		return
	}
	err := c.write(key, data)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.pausedUntil = now.Add(pauseAfterFailure)
		c.log.Warn(c.name+" are not cached", "for", pauseAfterFailure, "err", err)
		return
	}
	if element, ok := c.entries[key]; ok {
		e := element.Value.(*entry)
		c.order.Remove(element)
		c.size -= e.size
	}
	e := &entry{key, diskSize(int64(len(data)) + 4), now}
	c.entries[key] = c.order.PushFront(e)
	c.size += e.size
	c.evict()
}

// write replaces the file of a key. It is not synced: the checksum detects a file
// that is incomplete after a power failure.
func (c *Cache) write(key string, data []byte) error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(c.dir, tempPrefix)
	if err != nil {
		return err
	}
	_, err = f.Write(append(binary.LittleEndian.AppendUint32(nil, crc32.Checksum(data, checksums)), data...))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), c.file(key))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
