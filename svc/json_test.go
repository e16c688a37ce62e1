package svc

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestEmptyListsAndDictsAreNotNull(t *testing.T) {
	var v struct {
		List  List[int]    `json:"list"`
		Dict  Dict[string] `json:"dict"`
		Other List[string] `json:"other"`
		Map   Map          `json:"map"`
	}
	v.Other, v.Map = List[string]{"<&>"}, Map{"a": 1}
	got, err := EncodeJSON(v)
	if want := `{"list":[],"dict":{},"other":["<&>"],"map":{"a":1}}`; err != nil || strings.TrimSpace(string(got)) != want {
		t.Errorf("got %s (%v), want %s", got, err, want)
	}
}

func TestOptionalDistinguishesAbsentNullAndValue(t *testing.T) {
	for _, c := range []struct {
		body      string
		want      string // after Apply to "current"
		set, null bool
	}{
		{`{}`, "current", false, false},
		{`{"title":null}`, "cleared", true, true},
		{`{"title":"new"}`, "new", true, false},
		{`{"title":""}`, "", true, false},
	} {
		var in struct {
			Title Optional[string] `json:"title"`
		}
		if err := json.Unmarshal([]byte(c.body), &in); err != nil {
			t.Fatal(err)
		}
		field := "current"
		in.Title.Apply(&field, "cleared")
		if field != c.want || in.Title.Set != c.set || in.Title.Null != c.null {
			t.Errorf("%s: got %q, %+v, want %q, set %v, null %v", c.body, field, in.Title, c.want, c.set, c.null)
		}
	}
	field := 1
	if Some(2).Apply(&field, 0); field != 2 {
		t.Errorf("Some: got %d, want 2", field)
	}
}

func TestFindingLocationNeedsValidCoordinates(t *testing.T) {
	for name, c := range map[string]struct {
		kind    string
		payload Map
		ok      bool
	}{
		"place":               {"place", Map{"latitude": 52.5, "longitude": 13.4}, true},
		"latitude too large":  {"place", Map{"latitude": 90.5, "longitude": 13.4}, false},
		"longitude too small": {"place", Map{"latitude": 52.5, "longitude": -180.5}, false},
		"no longitude":        {"place", Map{"latitude": 52.5}, false},
		"page":                {"html_resource", Map{"latitude": 52.5, "longitude": 13.4}, false},
	} {
		if _, _, ok := (Finding{ObjectType: FindingType(c.kind), Payload: c.payload}).Location(); ok != c.ok {
			t.Errorf("%s: got %v, want %v", name, ok, c.ok)
		}
	}
	f := Finding{Payload: Map{"address": "Main Street 1", "rating": 5}}
	if f.Text("address") != "Main Street 1" || f.Text("rating") != "" || f.Text("phone") != "" {
		t.Errorf("got the texts %q, %q and %q, want Main Street 1 and twice nothing", f.Text("address"), f.Text("rating"), f.Text("phone"))
	}
}

func TestEventTimesAsText(t *testing.T) {
	times := EventTimes{Start: time.Date(2026, 12, 24, 18, 0, 0, 0, time.UTC), End: time.Date(2026, 12, 25, 0, 0, 0, 0, time.UTC)}
	if start, end := times.Text(); start != "2026-12-24T18:00:00" || end != "2026-12-25T00:00:00" {
		t.Errorf("got %s and %s, want 2026-12-24T18:00:00 and 2026-12-25T00:00:00", start, end)
	}
	times.AllDay = true
	if start, end := times.Text(); start != "2026-12-24" || end != "2026-12-25" {
		t.Errorf("all day: got %s and %s, want 2026-12-24 and 2026-12-25", start, end)
	}
}

func TestUntrustedTextIsCut(t *testing.T) {
	for _, c := range []struct {
		text string
		max  int
		want string
	}{
		{" a\nb\tc ", 10, "a b c"},
		{"ä\xffö", 10, "ä\ufffdö"},
		{"äöü", 2, "äö"},
		{"ab cd", 3, "ab"},
		{"\n", 5, ""},
	} {
		if got := SingleLine(c.text, c.max); got != c.want {
			t.Errorf("SingleLine(%q, %d): got %q, want %q", c.text, c.max, got, c.want)
		}
	}
	for _, c := range []struct {
		text string
		max  int
		want string
	}{
		{" a\nb\tc \n", 10, "a\nb\tc"},
		{"a\u202eb\x00\u2066c\xff", 10, "abc\ufffd"},
		{"a\n\nbc", 2, "a"},
	} {
		if got := MultiLine(c.text, c.max); got != c.want {
			t.Errorf("MultiLine(%q, %d): got %q, want %q", c.text, c.max, got, c.want)
		}
	}
	if got := Excerpt(strings.Repeat("ä", MaxName)); got != strings.Repeat("ä", MaxName) {
		t.Errorf("Excerpt of a short text: got %q, want the text", got)
	}
	if got := Excerpt(strings.Repeat("ä", MaxName+1)); got != strings.Repeat("ä", MaxName)+"…" {
		t.Errorf("Excerpt of a long text: got %q, want %d characters and an ellipsis", got, MaxName)
	}
}
