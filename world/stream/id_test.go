package stream

import (
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// cipherOf returns the cipher of a member of a database.
func cipherOf(t testing.TB, db *store.DB, member svc.MemberID) (c idCipher) {
	t.Helper()
	err := db.Read(t.Context(), func(tx *store.Tx) error {
		c = newIDCipher(tx, member)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// An id is valid for the database and the member that it was created for, from the
// start of the server to now. Covers B-104.
func TestIDsAreKnownToTheirMemberAndDatabase(t *testing.T) {
	db, _ := storetest.Open(t)
	other, _ := storetest.Open(t)
	at := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	p := position{41, at}
	ann := cipherOf(t, db, 1)
	id := ann.encode(p)
	for _, c := range []struct {
		name  string
		c     idCipher
		since time.Time
		now   position
		known bool
	}{
		{"the same position", ann, at, p, true},
		{"later", ann, at.Add(-time.Hour), position{99, at.Add(time.Hour)}, true},
		{"another member", cipherOf(t, db, 2), at.Add(-time.Hour), position{99, at.Add(time.Hour)}, false},
		{"another database", cipherOf(t, other, 1), at.Add(-time.Hour), position{99, at.Add(time.Hour)}, false},
		{"before the start of the server", ann, at.Add(time.Millisecond), position{99, at.Add(time.Hour)}, false},
		{"a revision to come", ann, at, position{40, at.Add(time.Hour)}, false},
		{"a clock that was set back", ann, at.Add(-time.Hour), position{99, at.Add(-time.Millisecond)}, false},
	} {
		got, ok := c.c.decode(id, c.since, c.now)
		if ok != c.known || ok && (got.revision != p.revision || !got.at.Equal(p.at)) {
			t.Errorf("%s: got %+v, known %v, want known %v and %+v", c.name, got, ok, c.known, p)
		}
	}
	if next := ann.encode(position{42, at}); next[:8] == id[:8] {
		t.Errorf("got the ids %s and %s, want ids that do not show that their revisions are near", id, next)
	}
}

// A known position is never after now, for every id that a client can send.
func FuzzDecodeID(f *testing.F) {
	db, _ := storetest.Open(f)
	c := cipherOf(f, db, 1)
	now := position{1000, time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)}
	since := now.at.Add(-time.Hour)
	f.Add(c.encode(position{7, now.at}))
	f.Add("")
	f.Add("AAAAAAAAAAAAAAAAAAAAAA")
	f.Add("!")
	f.Fuzz(func(t *testing.T, id string) {
		p, ok := c.decode(id, since, now)
		if ok && (p.revision < 0 || p.revision > now.revision || p.at.Before(since) || p.at.After(now.at)) {
			t.Errorf("%q: got the position %+v, want one up to %+v", id, p, now)
		}
		if ok && c.encode(p) != id {
			t.Errorf("%q: got the id %q of the same position", id, c.encode(p))
		}
	})
}
