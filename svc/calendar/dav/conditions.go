package dav

import (
	"net/http"
	"strings"

	"appliance/svc"
)

// conditions are If-Match and If-None-Match of a write (RFC 9110 §13.1).
type conditions struct {
	match, noneMatch *tagList // nil if the header is not there
}

// tagList is a list of entity tags, or "*" for any.
type tagList struct {
	any  bool
	tags []entityTag
}

// entityTag is one entity tag (RFC 9110 §8.8.3).
type entityTag struct {
	weak   bool
	opaque string // with its quotes
}

// untagged stands for the ETag of something that exists and has none, such as
// a collection. It equals no tag of a header.
const untagged = "-"

func readConditions(h http.Header) (c conditions, err error) {
	if c.match, err = parseTags(h.Values("If-Match")); err != nil {
		return c, err
	}
	c.noneMatch, err = parseTags(h.Values("If-None-Match"))
	return c, err
}

// check is a [Check]: If-Match first, then If-None-Match (RFC 9110 §13.2.2).
func (c conditions) check(etag string) error {
	if c.match != nil && !c.match.holds(etag, false) {
		return svc.Errorf(svc.VersionConflict, "It has changed since you read it. Read it again before you write.")
	}
	if c.noneMatch != nil && c.noneMatch.holds(etag, true) {
		return svc.Errorf(svc.VersionConflict, "There is something at this address already.")
	}
	return nil
}

// holds reports whether the list has the ETag of what exists. The comparison
// is strong unless weak is allowed (RFC 9110 §8.8.3.2).
func (l *tagList) holds(etag string, weak bool) bool {
	if l.any {
		return etag != ""
	}
	for _, t := range l.tags {
		if t.opaque == etag && (weak || !t.weak) {
			return true
		}
	}
	return false
}

// parseTags reads the values of one header. A tag without quotes is read as
// if it had them: some clients keep tags without.
func parseTags(values []string) (*tagList, error) {
	if len(values) == 0 {
		return nil, nil
	}
	s := strings.Join(values, ",")
	if strings.Trim(s, " \t") == "*" {
		return &tagList{any: true}, nil
	}
	l := new(tagList)
	for {
		s = strings.TrimLeft(s, " \t,")
		if s == "" {
			return l, nil
		}
		var t entityTag
		if s, t.weak = strings.CutPrefix(s, "W/"); strings.HasPrefix(s, `"`) {
			end := strings.IndexByte(s[1:], '"') + 2
			if end < 2 {
				return nil, errTags
			}
			t.opaque, s = s[:end], s[end:]
		} else {
			end := strings.IndexAny(s, " \t,")
			if end < 0 {
				end = len(s)
			}
			if end == 0 || strings.ContainsAny(s[:end], `"*`) {
				return nil, errTags
			}
			t.opaque, s = `"`+s[:end]+`"`, s[end:]
		}
		if s = strings.TrimLeft(s, " \t"); s != "" && s[0] != ',' {
			return nil, errTags
		}
		l.tags = append(l.tags, t)
	}
}

var errTags = svc.Errorf(svc.InvalidParameter,
	`If-Match and If-None-Match take "*" or a list of entity tags in quotes, separated by commas.`)
