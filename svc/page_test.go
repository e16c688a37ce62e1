package svc

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"testing"
)

type testPosition struct {
	At int64  `json:"at"`
	ID string `json:"id"`
}

var cursorKey = []byte("0123456789abcdef0123456789abcdef")

func TestCursorsAreBoundToListFiltersAndViewer(t *testing.T) {
	ann := NewCursors(cursorKey, "things", Trust(1), "red", true)
	cursor := ann.Encode(testPosition{7, "x"})
	var got testPosition
	if err := ann.Decode(cursor, &got); err != nil || got != (testPosition{7, "x"}) {
		t.Errorf("got %v (%v), want the encoded place", got, err)
	}
	for name, other := range map[string]Cursors{
		"another viewer": NewCursors(cursorKey, "things", Trust(2), "red", true),
		"no viewer":      NewCursors(cursorKey, "things", Viewer{}, "red", true),
		"another list":   NewCursors(cursorKey, "others", Trust(1), "red", true),
		"another filter": NewCursors(cursorKey, "things", Trust(1), "blue", true),
		"no filters":     NewCursors(cursorKey, "things", Trust(1)),
		"another server": NewCursors([]byte("another"), "things", Trust(1), "red", true),
	} {
		t.Run(name, func(t *testing.T) {
			var got testPosition
			if err := other.Decode(cursor, &got); KindOf(err) != Malformed || got != (testPosition{}) {
				t.Errorf("got %v (%v), want the cursor rejected", got, err)
			}
		})
	}
	got = testPosition{1, "start"}
	if err := ann.Decode("", &got); err != nil || got != (testPosition{1, "start"}) {
		t.Errorf("empty cursor: got %v (%v), want the place unchanged", got, err)
	}
}

// Cursors are encrypted and deterministic, and the cursors of similar positions
// look unrelated.
func TestCursorsAreOpaque(t *testing.T) {
	ann := NewCursors(cursorKey, "things", Trust(1))
	one, other := ann.Encode(testPosition{7, "readable"}), ann.Encode(testPosition{8, "readable"})
	for _, cursor := range []string{one, other} {
		raw, err := base64.RawURLEncoding.DecodeString(cursor)
		if err != nil || strings.Contains(string(raw), "read") {
			t.Errorf("got readable cursor %q (%v)", raw, err)
		}
	}
	if one == other || one[len(one)-4:] == other[len(other)-4:] {
		t.Errorf("similar places: got the similar cursors %s and %s, want different ones", one, other)
	}
	if again := ann.Encode(testPosition{7, "readable"}); again != one {
		t.Errorf("same place: got cursors %s and %s, want equal ones", one, again)
	}
}

// Covers L-12.
func TestPageLimitIsClamped(t *testing.T) {
	for _, c := range []struct{ limit, want int }{{0, 50}, {1, 1}, {200, 200}, {201, 200}, {1 << 30, 200}} {
		if got, err := PageLimit(c.limit); got != c.want || err != nil {
			t.Errorf("limit %d: got %d (%v), want %d", c.limit, got, err, c.want)
		}
	}
	if _, err := PageLimit(-1); KindOf(err) != Malformed {
		t.Errorf("limit -1: got %v, want it rejected", err)
	}
}

func TestCutPageAddsCursorIfMoreFollow(t *testing.T) {
	c := NewCursors(cursorKey, "numbers", Trust(1))
	position := func(n int) any { return n }
	if items, page := CutPage(c, []int{1, 2}, 2, position); !slices.Equal(items, []int{1, 2}) || page.NextCursor != nil {
		t.Errorf("last page: got %v, %v, want all items and no cursor", items, page)
	}
	items, page := CutPage(c, []int{1, 2, 3}, 2, position)
	if !slices.Equal(items, []int{1, 2}) || page.NextCursor == nil {
		t.Fatalf("first page: got %v, %v, want 2 items and a cursor", items, page)
	}
	var after int
	if err := c.Decode(*page.NextCursor, &after); err != nil || after != 2 {
		t.Errorf("next page: got place %d (%v), want 2", after, err)
	}
}

// Decode accepts only cursors that Encode returns, and stores nothing if it rejects
// a cursor. Covers PT-45.
func FuzzCursor(f *testing.F) {
	c := NewCursors(cursorKey, "things", Trust(1))
	f.Add(c.Encode(testPosition{7, "x"}))
	f.Add(c.Encode(testPosition{7, "x"}) + "A")
	f.Add("AAAA")
	f.Add(base64.RawURLEncoding.EncodeToString([]byte(`0123456789abcdef{"at":1,"id":"y"}`)))
	f.Fuzz(func(t *testing.T, cursor string) {
		var got testPosition
		err := c.Decode(cursor, &got)
		if err != nil && got != (testPosition{}) {
			t.Errorf("a rejected cursor (%v): got the place %v, want none", err, got)
		}
		if err == nil && cursor != "" && c.Encode(got) != cursor {
			t.Errorf("got the place %v of a cursor that Encode does not return, want an error", got)
		}
	})
}

// The URL of the next page is the URL of this page with the cursor of the next one. Covers B-106.
func TestPagesLinkToTheNextPage(t *testing.T) {
	this, err := url.Parse("/world/a%20b?q=x%26y&cursor=1&limit=2")
	if err != nil {
		t.Fatal(err)
	}
	last, next, earlier := Page{}, Page{NextCursor: new("a b")}, HistoryPage{PreviousCursor: new("c")}
	last.Link(this)
	next.Link(this)
	earlier.Link(this)
	if last.Next != nil {
		t.Errorf("last page: got %s, want null", *last.Next)
	}
	if want := "/world/a%20b?cursor=a+b&limit=2&q=x%26y"; *next.Next != want {
		t.Errorf("next page: got %s, want %s", *next.Next, want)
	}
	if want := "/world/a%20b?before=c&cursor=1&limit=2&q=x%26y"; *earlier.Previous != want {
		t.Errorf("page before: got %s, want %s", *earlier.Previous, want)
	}
}
