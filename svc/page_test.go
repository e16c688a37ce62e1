package svc

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
)

type place struct {
	At int64  `json:"at"`
	ID string `json:"id"`
}

var cursorKey = []byte("0123456789abcdef0123456789abcdef")

func TestCursorsBelongToOneListAndOneViewer(t *testing.T) {
	ann := NewCursors(cursorKey, "things", Trust(1))
	cursor := ann.Encode(place{7, "x"})
	var got place
	if err := ann.Decode(cursor, &got); err != nil || got != (place{7, "x"}) {
		t.Errorf("got %v, %v", got, err)
	}
	for name, other := range map[string]Cursors{
		"another viewer": NewCursors(cursorKey, "things", Trust(2)),
		"the public":     NewCursors(cursorKey, "things", Viewer{}),
		"another list":   NewCursors(cursorKey, "others", Trust(1)),
		"another server": NewCursors([]byte("another"), "things", Trust(1)),
	} {
		t.Run(name, func(t *testing.T) {
			var got place
			if err := other.Decode(cursor, &got); KindOf(err) != Malformed || got != (place{}) {
				t.Errorf("read %v, %v", got, err)
			}
		})
	}
	got = place{1, "start"}
	if err := ann.Decode("", &got); err != nil || got != (place{1, "start"}) {
		t.Errorf("the empty cursor made it %v, %v", got, err)
	}
}

// A cursor holds where somebody stands among things that others may not see.
func TestCursorsSayNothing(t *testing.T) {
	ann := NewCursors(cursorKey, "things", Trust(1))
	one, other := ann.Encode(place{7, "readable"}), ann.Encode(place{8, "readable"})
	for _, cursor := range []string{one, other} {
		raw, err := base64.RawURLEncoding.DecodeString(cursor)
		if err != nil || strings.Contains(string(raw), "read") {
			t.Errorf("a cursor is %q, %v", raw, err)
		}
	}
	if one == other || one[len(one)-4:] == other[len(other)-4:] {
		t.Errorf("places look alike: %s %s", one, other)
	}
	if again := ann.Encode(place{7, "readable"}); again != one {
		t.Errorf("the same place is %s and %s", one, again)
	}
}

// Covers L-12.
func TestPageLimit(t *testing.T) {
	for _, c := range []struct{ asked, want int }{{0, 50}, {1, 1}, {200, 200}, {201, 200}, {1 << 30, 200}} {
		if got, err := PageLimit(c.asked); got != c.want || err != nil {
			t.Errorf("asked for %d: got %d, %v", c.asked, got, err)
		}
	}
	if _, err := PageLimit(-1); KindOf(err) != Malformed {
		t.Errorf("asked for -1: %v", err)
	}
}

func TestCutPage(t *testing.T) {
	c := NewCursors(cursorKey, "numbers", Trust(1))
	self := func(n int) any { return n }
	if items, page := CutPage(c, []int{1, 2}, 2, self); !slices.Equal(items, []int{1, 2}) || page.NextCursor != nil {
		t.Errorf("the last page: %v, %v", items, page)
	}
	items, page := CutPage(c, []int{1, 2, 3}, 2, self)
	if !slices.Equal(items, []int{1, 2}) || page.NextCursor == nil {
		t.Fatalf("the first page: %v, %v", items, page)
	}
	var after int
	if err := c.Decode(*page.NextCursor, &after); err != nil || after != 2 {
		t.Errorf("the next page begins after %d, %v", after, err)
	}
}

// Whatever a client sends as a cursor, only what was made here is read: the
// text that is accepted is the text that At makes of what was read. Of what
// is refused nothing arrives. Covers PT-45.
func FuzzCursor(f *testing.F) {
	c := NewCursors(cursorKey, "things", Trust(1))
	f.Add(c.Encode(place{7, "x"}))
	f.Add(c.Encode(place{7, "x"}) + "A")
	f.Add("AAAA")
	f.Add(base64.RawURLEncoding.EncodeToString([]byte(`0123456789abcdef{"at":1,"id":"y"}`)))
	f.Fuzz(func(t *testing.T, cursor string) {
		var got place
		err := c.Decode(cursor, &got)
		if err != nil && got != (place{}) {
			t.Errorf("refused with %v, and read %v", err, got)
		}
		if err == nil && cursor != "" && c.Encode(got) != cursor {
			t.Errorf("read %v from a cursor that was not made here", got)
		}
	})
}
