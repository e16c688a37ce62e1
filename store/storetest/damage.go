package storetest

import (
	"database/sql"
	"os"
	"testing"
)

// Damage flips the bits of the header of the root page of a table or an index in
// the database file at path, which no connection may have open. SQLite reports the
// damage when it reads the page.
func Damage(t testing.TB, path, name string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	var page, size int64
	err = db.QueryRow("SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = ?", name).Scan(&page, &size)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	header := make([]byte, 8)
	if _, err := file.ReadAt(header, (page-1)*size); err != nil {
		t.Fatal(err)
	}
	for i := range header {
		header[i] ^= 0xff
	}
	if _, err := file.WriteAt(header, (page-1)*size); err != nil {
		t.Fatal(err)
	}
}
