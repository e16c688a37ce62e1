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

// BenchmarkFsync measures one fsync of a small write, as a reference for the other
// benchmarks.
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
			runConcurrently(b, writers, func(i int64) error { return db.Write(b.Context(), add(rowText(i))) })
		})
	}
}

// BenchmarkRead measures point reads by two readers.
func BenchmarkRead(b *testing.B) {
	db := open(b)
	addRows(b, db)
	runConcurrently(b, 2, func(i int64) error { return db.Read(b.Context(), readRow(i)) })
}

// BenchmarkMixed measures eight readers and four writers. The time is that of one
// read or write.
func BenchmarkMixed(b *testing.B) {
	db := open(b)
	addRows(b, db)
	var next atomic.Int64
	runConcurrently(b, 12, func(i int64) error {
		if next.Add(1)%12 < 4 {
			return db.Write(b.Context(), add(rowText(1<<32+i)))
		}
		return db.Read(b.Context(), readRow(i))
	})
}

func rowText(i int64) string { return fmt.Sprintf("%d %s", i, strings.Repeat("x", 100)) }

var rowByID = query("SELECT id FROM item WHERE id = :id")

func readRow(i int64) func(*Tx) error {
	return func(tx *Tx) error {
		var id int64
		return tx.Get(&id, rowByID, Args{"id": 1 + i%1000})
	}
}

func addRows(b *testing.B, db *DB) {
	err := db.Write(b.Context(), func(tx *Tx) error {
		for i := range int64(1000) {
			if err := add(rowText(i))(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// runConcurrently runs the iterations of b in n goroutines.
func runConcurrently(b *testing.B, n int, do func(i int64) error) {
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
