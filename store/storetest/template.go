package storetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"appliance/store"
)

// template is an empty database with the current schema.
type template struct {
	file       []byte
	key, epoch []byte // the values of store_meta, each of which occurs once in file
}

// newTemplate migrates a database once per process, because the migrations take several
// times as long as a copy.
var newTemplate = sync.OnceValues(func() (t template, err error) {
	dir, err := os.MkdirTemp("", "storetest")
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "template.db")
	if _, err := store.Migrate(context.Background(), path, dir, nil); err != nil {
		return t, err
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return t, err
	}
	err = db.QueryRow("SELECT instance_key, epoch FROM store_meta").Scan(&t.key, &t.epoch)
	if err := errors.Join(err, db.Close()); err != nil { // Close checkpoints the write-ahead log into the file
		return t, err
	}
	t.file, err = os.ReadFile(path)
	if err == nil && (bytes.Count(t.file, t.key) != 1 || bytes.Count(t.file, t.epoch) != 1) {
		err = errors.New("the key and the epoch of the database are not stored exactly once")
	}
	return t, err
})

// Create writes an empty database with the current schema to a new file at path. Like
// every new database it has an instance key and an epoch of its own.
func Create(t testing.TB, path string) {
	t.Helper()
	m, err := newTemplate()
	if err != nil {
		t.Fatal(err)
	}
	file := bytes.Clone(m.file)
	rand.Read(file[bytes.Index(file, m.key):][:len(m.key)])
	epoch := make([]byte, hex.DecodedLen(len(m.epoch)))
	rand.Read(epoch)
	hex.Encode(file[bytes.Index(file, m.epoch):], epoch)
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
}
