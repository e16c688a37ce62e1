package dav

import (
	"net/http"
	"strings"
	"time"

	"appliance/svc"
)

// headerConditions are those of a write (RFC 9110 §13.1, RFC 4918 §10.4).
type headerConditions struct {
	match, noneMatch *etagList // nil if the header is not there
	unmodified       time.Time // If-Unmodified-Since; zero if it is not there
	ifLists          []ifList
}

// etagList is a list of entity tags, or "*" for any.
type etagList struct {
	any  bool
	tags []entityTag
}

// entityTag is one entity tag (RFC 9110 §8.8.3).
type entityTag struct {
	weak   bool
	opaque string // with its quotes
}

// untagged stands for the ETag of something that exists and has none, such as
// a plain collection. It equals no tag of a header.
const untagged = "-"

func readConditions(h http.Header) (c headerConditions, err error) {
	if c.match, err = parseETags(h.Values("If-Match")); err != nil {
		return c, err
	}
	if c.noneMatch, err = parseETags(h.Values("If-None-Match")); err != nil {
		return c, err
	}
	if c.match == nil { // a date that cannot be read is none (RFC 9110 §13.1.4)
		c.unmodified, _ = http.ParseTime(h.Get("If-Unmodified-Since"))
	}
	c.ifLists, err = parseIf(strings.Join(h.Values("If"), " "))
	return c, err
}

// precondition reads those of the request and returns how to ask whether they
// are met.
func (q *request) precondition() (Precondition, error) {
	c, err := readConditions(q.Header)
	if err != nil {
		return nil, err
	}
	return func(etag string, t Snapshot) error {
		if etag == "" && q.at.kind&kindCollection != 0 && q.Method != "MKCALENDAR" && q.Method != "MKCOL" {
			etag = untagged
			if q.at.kind == kindCalendar {
				r, err := findOne(t, q.at)
				if err != nil {
					return err
				}
				etag = r.etag()
			}
		}
		if err := c.checkETag(etag); err != nil {
			return err
		}
		return q.checkState(c, t)
	}, nil
}

// checkIfHeader looks at the If header of a request that writes nothing: it
// holds for those as well (RFC 4918 §10.4.1).
func (q *request) checkIfHeader() error {
	states, err := parseIf(strings.Join(q.Header.Values("If"), " "))
	if err != nil || states == nil {
		return err
	}
	return q.view(func(t Snapshot) error { return q.checkState(headerConditions{ifLists: states}, t) })
}

// checkState looks at the conditions that need more than the ETag of the
// resource.
func (q *request) checkState(c headerConditions, t Snapshot) error {
	if !c.unmodified.IsZero() {
		r, err := findOne(t, q.at)
		if err == nil && r.modified().Truncate(time.Second).After(c.unmodified) {
			return errChanged
		}
		if err != nil && svc.KindOf(err) != svc.Missing {
			return err
		}
	}
	if c.ifLists == nil {
		return nil
	}
	for _, list := range c.ifLists {
		ok, err := q.ifListHolds(list, t)
		if ok || err != nil {
			return err
		}
	}
	return svc.Errorf(svc.VersionConflict, "None of the states that the If header speaks of is the present one. Read it again before you write.")
}

// ifListHolds reports whether all conditions of the list hold for its resource
// (RFC 4918 §10.4.4). What is not there has no state.
func (q *request) ifListHolds(list ifList, t Snapshot) (bool, error) {
	p, ok := q.at, true
	if list.resource != "" {
		p, ok = q.parseHref(list.resource)
		ok = ok && p.member == q.viewer.Member()
	}
	etag, token := "", ""
	if ok {
		var err error
		if etag, token, err = resourceState(t, p); err != nil && svc.KindOf(err) != svc.Missing {
			return false, err
		}
	}
	for _, c := range list.conditions {
		met := c.token != "" && c.token == token
		if c.token == "" {
			met = etag != "" && c.tag.opaque == etag && !c.tag.weak
		}
		if met == c.not {
			return false, nil
		}
	}
	return true, nil
}

// resourceState returns the ETag and the sync token of what is at p.
func resourceState(t Snapshot, p path) (etag, token string, err error) {
	if p, err = resolveKind(t, p); err != nil {
		return "", "", err
	}
	r, err := findOne(t, p)
	if err != nil {
		return "", "", err
	}
	x := &writer{tree: t}
	return r.etag(), x.tokenOf(&r), x.err
}

var errChanged = svc.Errorf(svc.VersionConflict, "It has changed since you read it. Read it again before you write.")

// checkETag looks at what an ETag can tell: If-Match first, then If-None-Match
// (RFC 9110 §13.2.2).
func (c headerConditions) checkETag(etag string) error {
	if c.match != nil && !c.match.matches(etag, false) {
		return errChanged
	}
	if c.noneMatch != nil && c.noneMatch.matches(etag, true) {
		return svc.Errorf(svc.VersionConflict, "There is something at this address already.")
	}
	return nil
}

// matches reports whether the list has the ETag of what exists. The comparison
// is strong unless weak is allowed (RFC 9110 §8.8.3.2).
func (l *etagList) matches(etag string, weak bool) bool {
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

// parseETags reads the values of one header. A tag without quotes is read as
// if it had them: some clients keep tags without.
func parseETags(values []string) (*etagList, error) {
	if len(values) == 0 {
		return nil, nil
	}
	s := strings.Join(values, ",")
	if strings.Trim(s, " \t") == "*" {
		return &etagList{any: true}, nil
	}
	l := new(etagList)
	for {
		s = strings.TrimLeft(s, " \t,")
		if s == "" {
			return l, nil
		}
		var t entityTag
		if s, t.weak = strings.CutPrefix(s, "W/"); strings.HasPrefix(s, `"`) {
			end := strings.IndexByte(s[1:], '"') + 2
			if end < 2 {
				return nil, errETagSyntax
			}
			t.opaque, s = s[:end], s[end:]
		} else {
			end := strings.IndexAny(s, " \t,")
			if end < 0 {
				end = len(s)
			}
			if end == 0 || strings.ContainsAny(s[:end], `"*`) {
				return nil, errETagSyntax
			}
			t.opaque, s = `"`+s[:end]+`"`, s[end:]
		}
		if s = strings.TrimLeft(s, " \t"); s != "" && s[0] != ',' {
			return nil, errETagSyntax
		}
		l.tags = append(l.tags, t)
	}
}

var errETagSyntax = svc.Errorf(svc.InvalidParameter,
	`If-Match and If-None-Match take "*" or a list of entity tags in quotes, separated by commas.`)
