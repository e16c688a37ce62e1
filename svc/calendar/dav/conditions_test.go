package dav

import (
	"net/http"
	"strings"
	"testing"

	"appliance/svc"
)

// RFC 9110 §13.1.1 and §13.1.2. Covers C-15.
func TestConditions(t *testing.T) {
	const none = "" // the ETag of nothing
	for _, c := range []struct {
		name   string
		header string
		values []string
		etag   string
		ok     bool
	}{
		{"no condition, nothing there", "X", nil, none, true},
		{"the tag that stands there", "If-Match", []string{`"a"`}, `"a"`, true},
		{"one of a list", "If-Match", []string{`"b" , "a"`}, `"a"`, true},
		{"one of two headers", "If-Match", []string{`"b"`, `"a"`}, `"a"`, true},
		{"a list with holes", "If-Match", []string{`, ,"a",`}, `"a"`, true},
		{"a comma in a tag", "If-Match", []string{`"a,b"`}, `"a,b"`, true},
		{"another tag", "If-Match", []string{`"b"`}, `"a"`, false},
		{"a tag where there is nothing", "If-Match", []string{`"a"`}, none, false},
		{"a weak tag is not strong enough", "If-Match", []string{`W/"a"`}, `"a"`, false},
		{"a tag without its quotes", "If-Match", []string{`a`}, `"a"`, true},
		{"anything", "If-Match", []string{`*`}, `"a"`, true},
		{"anything, but a collection", "If-Match", []string{` * `}, untagged, true},
		{"anything, where there is nothing", "If-Match", []string{`*`}, none, false},
		{"a tag, but a collection", "If-Match", []string{`"-"`}, untagged, false},
		{"an empty list", "If-Match", []string{``}, `"a"`, false},
		{"not what stands there", "If-None-Match", []string{`"a"`}, `"a"`, false},
		{"not what stands there, weakly", "If-None-Match", []string{`W/"a"`}, `"a"`, false},
		{"something else", "If-None-Match", []string{`"b"`}, `"a"`, true},
		{"not anything", "If-None-Match", []string{`*`}, `"a"`, false},
		{"not anything, and there is nothing", "If-None-Match", []string{`*`}, none, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			conds, err := readConditions(http.Header{c.header: c.values})
			if err != nil {
				t.Fatal(err)
			}
			err = conds.checkETag(c.etag)
			if (err == nil) != c.ok || err != nil && svc.KindOf(err) != svc.Stale {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestConditionsThatCannotBeRead(t *testing.T) {
	for _, value := range []string{`"a`, `"a" "b"`, `"a"b`, `a"b"`, `*, "a"`, `W/`, `"a"*`} {
		for _, header := range []string{"If-Match", "If-None-Match"} {
			if _, err := readConditions(http.Header{header: {value}}); svc.KindOf(err) != svc.Malformed {
				t.Errorf("%s: %s gives %v", header, value, err)
			}
		}
	}
}

// A list that is read and written is the same list.
func FuzzTags(f *testing.F) {
	f.Add(`"a", W/"b,c" ,d`)
	f.Add(`*`)
	f.Add(`W/""`)
	f.Fuzz(func(t *testing.T, value string) {
		l, err := parseETags([]string{value})
		if (l == nil) == (err == nil) {
			t.Fatalf("%v, %v", l, err)
		}
		if err != nil {
			return
		}
		again, err := parseETags([]string{l.String()})
		if err != nil || again.String() != l.String() {
			t.Errorf("%q is %q, then %v, %v", value, l, again, err)
		}
		for _, tag := range l.tags {
			if !l.matches(tag.opaque, true) || l.matches(tag.opaque, false) && tag.weak && strings.Count(l.String(), tag.opaque) == 1 {
				t.Errorf("%q holds %v wrongly", l, tag)
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
