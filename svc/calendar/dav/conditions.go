package dav

import (
	"net/http"
	"strings"
	"time"

	"appliance/svc"
)

// headerConditions are the conditional headers of a request (RFC 9110 §13.1,
// RFC 4918 §10.4).
type headerConditions struct {
	match, noneMatch *etagList // nil if the header is absent
	unmodified       time.Time // If-Unmodified-Since; zero if absent
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
	opaque string // with quotes
}

// untagged stands for the ETag of an existing resource without an ETag, such as
// a folder. It equals no entity tag, but matches "*".
const untagged = "-"

func readConditions(h http.Header) (c headerConditions, err error) {
	if c.match, err = parseETags(h.Values("If-Match")); err != nil {
		return c, err
	}
	if c.noneMatch, err = parseETags(h.Values("If-None-Match")); err != nil {
		return c, err
	}
	if c.match == nil { // an invalid date is ignored (RFC 9110 §13.1.4)
		c.unmodified, _ = http.ParseTime(h.Get("If-Unmodified-Since"))
	}
	c.ifLists, err = parseIf(strings.Join(h.Values("If"), " "))
	return c, err
}

// precondition returns a Precondition that checks the conditional headers of
// the request.
func (q *request) precondition() (Precondition, error) {
	c, err := readConditions(q.Header)
	if err != nil {
		return nil, err
	}
	return func(etag string, snap Snapshot) (err error) {
		if etag == "" && q.at.kind&kindCollection != 0 && q.Method != "MKCALENDAR" && q.Method != "MKCOL" {
			if etag, err = collectionETag(snap, q.at); err != nil {
				return err
			}
		}
		if err := c.checkETag(etag); err != nil {
			return err
		}
		return q.checkState(c, snap)
	}, nil
}

// collectionETag returns the ETag of the existing collection at p, or untagged.
func collectionETag(snap Snapshot, p path) (string, error) {
	if p.kind != kindCalendar {
		return untagged, nil
	}
	r, err := findOne(snap, p)
	return r.etag(), err
}

// checkIfHeader checks the If header of a request that writes nothing. The header
// also applies to such requests (RFC 4918 §10.4.1).
func (q *request) checkIfHeader() error {
	lists, err := parseIf(strings.Join(q.Header.Values("If"), " "))
	if err != nil || lists == nil {
		return err
	}
	return q.view(func(snap Snapshot) error { return q.checkState(headerConditions{ifLists: lists}, snap) })
}

// checkState checks If-Unmodified-Since and the If header, which need more than
// the ETag of the resource.
func (q *request) checkState(c headerConditions, snap Snapshot) error {
	if !c.unmodified.IsZero() {
		r, err := findOne(snap, q.at)
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
		ok, err := q.ifListHolds(list, snap)
		if ok || err != nil {
			return err
		}
	}
	return svc.Errorf(svc.VersionConflict, "No list of the If header matches the current state. Read the resource again before you write it.")
}

// ifListHolds reports whether all conditions of the list hold for its resource
// (RFC 4918 §10.4.4). A resource that does not exist has neither ETag nor state
// token.
func (q *request) ifListHolds(list ifList, snap Snapshot) (bool, error) {
	p, ok := q.at, true
	if list.resource != "" {
		p, ok = q.parseHref(list.resource)
		ok = ok && p.member == q.viewer.Member()
	}
	etag, token := "", ""
	if ok {
		var err error
		if etag, token, err = resourceState(snap, p); err != nil && svc.KindOf(err) != svc.Missing {
			return false, err
		}
	}
	for _, c := range list.conditions {
		holds := c.token != "" && c.token == token
		if c.token == "" {
			holds = etag != "" && c.tag.opaque == etag && !c.tag.weak
		}
		if holds == c.not {
			return false, nil
		}
	}
	return true, nil
}

// resourceState returns the ETag and the sync token of the resource at p.
func resourceState(snap Snapshot, p path) (etag, token string, err error) {
	if p, err = resolveKind(snap, p); err != nil {
		return "", "", err
	}
	r, err := findOne(snap, p)
	if err != nil {
		return "", "", err
	}
	x := &writer{snapshot: snap}
	return r.etag(), x.tokenOf(&r), x.err
}

var errChanged = svc.Errorf(svc.VersionConflict, "The resource has changed. Read it again before you write it.")

// checkETag checks If-Match, then If-None-Match (RFC 9110 §13.2.2).
func (c headerConditions) checkETag(etag string) error {
	if c.match != nil && !c.match.matches(etag, false) {
		return errChanged
	}
	if c.noneMatch != nil && c.noneMatch.matches(etag, true) {
		return svc.Errorf(svc.VersionConflict, "A resource with this URL already exists.")
	}
	return nil
}

// matches reports whether the list contains the ETag of an existing resource,
// by strong comparison unless weak is allowed (RFC 9110 §8.8.3.2).
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

// parseETags parses the values of If-Match or If-None-Match. Some clients send
// entity tags without quotes; they are accepted.
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
	`If-Match and If-None-Match require "*" or a list of quoted entity tags, separated by commas.`)
