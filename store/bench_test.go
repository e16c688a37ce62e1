package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// BenchmarkFsync measures one fsync of a small write, as a reference for the others.
func BenchmarkFsync(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "f"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	for b.Loop() {
		if _, err := f.Write(page); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWrite measures durable writes of a row of 100 bytes by 1, 8 and 64
// concurrent writers. The time is that of one write.
func BenchmarkWrite(b *testing.B) {
	for _, writers := range []int{1, 8, 64} {
		b.Run(fmt.Sprint(writers), func(b *testing.B) {
			db := open(b)
			concurrently(b, writers, func(i int64) error { return db.Write(b.Context(), add(row(i))) })
		})
	}
}

// BenchmarkRead measures point reads by two readers.
func BenchmarkRead(b *testing.B) {
	db := open(b)
	fill(b, db)
	concurrently(b, 2, func(i int64) error { return db.Read(b.Context(), point(i)) })
}

// BenchmarkMixed measures eight readers and four writers. The time is that of one
// read or write.
func BenchmarkMixed(b *testing.B) {
	db := open(b)
	fill(b, db)
	var next atomic.Int64
	concurrently(b, 12, func(i int64) error {
		if next.Add(1)%12 < 4 {
			return db.Write(b.Context(), add(row(1<<32+i)))
		}
		return db.Read(b.Context(), point(i))
	})
}

func row(i int64) string { return fmt.Sprintf("%d %s", i, strings.Repeat("x", 100)) }

var pointRead = query("SELECT id FROM item WHERE id = :id")

func point(i int64) func(*Tx) error {
	return func(tx *Tx) error {
		var id int64
		return tx.Get(&id, pointRead, Args{"id": 1 + i%1000})
	}
}

func fill(b *testing.B, db *DB) {
	err := db.Write(b.Context(), func(tx *Tx) error {
		for i := range int64(1000) {
			if err := add(row(i))(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// concurrently runs the iterations of b in n goroutines.
func concurrently(b *testing.B, n int, do func(i int64) error) {
	var i atomic.Int64
	var all sync.WaitGroup
	work := make(chan struct{}, n)
	for range n {
		all.Go(func() {
			for range work {
				if err := do(i.Add(1)); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for b.Loop() {
		work <- struct{}{}
	}
	close(work)
	all.Wait()
}
