package dav

import (
	"net/http"
	"strings"
	"testing"

	"appliance/svc"
)

// If-Match and If-None-Match (RFC 9110 §13.1.1 and §13.1.2).
//
// Covers C-15.
func TestETagConditions(t *testing.T) {
	const none = "" // the ETag of a resource that does not exist
	for _, c := range []struct {
		name   string
		header string
		values []string
		etag   string
		want   bool
	}{
		{"no condition, no resource", "X", nil, none, true},
		{"the current ETag", "If-Match", []string{`"a"`}, `"a"`, true},
		{"one of a list", "If-Match", []string{`"b" , "a"`}, `"a"`, true},
		{"one of two headers", "If-Match", []string{`"b"`, `"a"`}, `"a"`, true},
		{"a list with empty elements", "If-Match", []string{`, ,"a",`}, `"a"`, true},
		{"a comma in a tag", "If-Match", []string{`"a,b"`}, `"a,b"`, true},
		{"another ETag", "If-Match", []string{`"b"`}, `"a"`, false},
		{"an ETag, but no resource", "If-Match", []string{`"a"`}, none, false},
		{"a weak tag fails the strong comparison", "If-Match", []string{`W/"a"`}, `"a"`, false},
		{"a tag without quotes", "If-Match", []string{`a`}, `"a"`, true},
		{"*", "If-Match", []string{`*`}, `"a"`, true},
		{"* on a collection without ETag", "If-Match", []string{` * `}, untagged, true},
		{"*, but no resource", "If-Match", []string{`*`}, none, false},
		{"a tag on a collection without ETag", "If-Match", []string{`"-"`}, untagged, false},
		{"an empty list", "If-Match", []string{``}, `"a"`, false},
		{"none of: the current ETag", "If-None-Match", []string{`"a"`}, `"a"`, false},
		{"none of: the current ETag, weak", "If-None-Match", []string{`W/"a"`}, `"a"`, false},
		{"none of: another ETag", "If-None-Match", []string{`"b"`}, `"a"`, true},
		{"none of: *", "If-None-Match", []string{`*`}, `"a"`, false},
		{"none of: *, no resource", "If-None-Match", []string{`*`}, none, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			conds, err := readConditions(http.Header{c.header: c.values})
			if err != nil {
				t.Fatal(err)
			}
			err = conds.checkETag(c.etag)
			if (err == nil) != c.want || err != nil && svc.KindOf(err) != svc.Stale {
				t.Errorf("got error %v, want condition met: %t", err, c.want)
			}
		})
	}
}

func TestInvalidETagListsAreRejected(t *testing.T) {
	for _, value := range []string{`"a`, `"a" "b"`, `"a"b`, `a"b"`, `*, "a"`, `W/`, `"a"*`} {
		for _, header := range []string{"If-Match", "If-None-Match"} {
			if _, err := readConditions(http.Header{header: {value}}); svc.KindOf(err) != svc.Malformed {
				t.Errorf("%s: %s: got %v, want a syntax error", header, value, err)
			}
		}
	}
}

// A list that is formatted and parsed again is the same list.
func FuzzETags(f *testing.F) {
	f.Add(`"a", W/"b,c" ,d`)
	f.Add(`*`)
	f.Add(`W/""`)
	f.Fuzz(func(t *testing.T, value string) {
		l, err := parseETags([]string{value})
		if (l == nil) == (err == nil) {
			t.Fatalf("got %v and %v, want exactly one", l, err)
		}
		if err != nil {
			return
		}
		again, err := parseETags([]string{l.String()})
		if err != nil || again.String() != l.String() {
			t.Errorf("%q: got %v, %v, want %q", value, again, err, l)
		}
		for _, tag := range l.tags {
			if !l.matches(tag.opaque, true) || l.matches(tag.opaque, false) && tag.weak && strings.Count(l.String(), tag.opaque) == 1 {
				t.Errorf("%q: got a wrong match of %v", l, tag)
			}
		}
	})
}

func (l *etagList) String() string {
	if l.any {
		return "*"
	}
	var tags []string
	for _, t := range l.tags {
		if t.weak {
			tags = append(tags, "W/"+t.opaque)
		} else {
			tags = append(tags, t.opaque)
		}
	}
	return strings.Join(tags, ", ")
}
