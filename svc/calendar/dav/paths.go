package dav

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"appliance/svc"
)

// kind is what sort of resource a path leads to. The tables of methods,
// properties and reports name sets of them.
type kind uint8

const (
	kindRoot      kind = 1 << iota // {prefix}/
	kindPrincipal                  // {prefix}/{member}/
	kindHome                       // {prefix}/{member}/calendars/
	kindCalendar                   // {prefix}/{member}/calendars/{segment}/
	kindObject                     // {prefix}/{member}/calendars/{segment}/{name}

	kindCollection = kindRoot | kindPrincipal | kindHome | kindCalendar
	kindAny        = kindCollection | kindObject
)

// maxSegment bounds the segments of a path that clients choose, in octets.
const maxSegment = 255

// path is a place in the tree. What is deeper than its kind is empty.
type path struct {
	kind    kind
	member  svc.MemberID
	segment string // of the calendar
	name    string // of the object
}

// parsePath reads an escaped path that begins with prefix, which is not
// escaped. However a client escapes a path, it is the same place. The slash
// at the end of a collection may be missing.
func parsePath(prefix, escaped string) (p path, ok bool) {
	head := strings.Split(prefix, "/")
	parts := strings.SplitN(escaped, "/", len(head)+5) // one more than fits
	for i, part := range parts {
		s, err := url.PathUnescape(part)
		if err != nil {
			return path{}, false
		}
		parts[i] = s
	}
	for _, want := range head {
		if len(parts) == 0 || parts[0] != want {
			return path{}, false
		}
		parts = parts[1:]
	}
	slash := len(parts) > 0 && parts[len(parts)-1] == ""
	if slash {
		parts = parts[:len(parts)-1]
	}
	return place(parts, slash)
}

// place is the place of the decoded segments below the prefix.
func place(parts []string, slash bool) (p path, ok bool) {
	if len(parts) > 4 {
		return path{}, false
	}
	p.kind = kindRoot
	if len(parts) > 0 {
		id, err := strconv.ParseInt(parts[0], 10, 64)
		p.kind, p.member = kindPrincipal, svc.MemberID(id)
		if err != nil || id <= 0 || p.member.String() != parts[0] {
			return path{}, false
		}
	}
	if len(parts) > 1 {
		p.kind = kindHome
		if parts[1] != "calendars" {
			return path{}, false
		}
	}
	if len(parts) > 2 {
		p.kind, p.segment = kindCalendar, parts[2]
		if !validSegment(p.segment) {
			return path{}, false
		}
	}
	if len(parts) > 3 {
		p.kind, p.name = kindObject, parts[3]
		if !validSegment(p.name) || slash {
			return path{}, false
		}
	}
	return p, true
}

// validSegment reports whether a client may call something s: any text of one
// line that stays one segment on its way through proxies.
func validSegment(s string) bool {
	return s != "" && s != "." && s != ".." && len(s) <= maxSegment && utf8.ValidString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return r == '/' || r < ' ' || !xmlChar(r) })
}

// href is the path as all answers spell it, below a prefix that is escaped:
// collections end in a slash.
func (p path) href(prefix string) string {
	switch p.kind {
	case kindRoot:
		return prefix + "/"
	case kindPrincipal:
		return prefix + "/" + p.member.String() + "/"
	case kindHome:
		return prefix + "/" + p.member.String() + "/calendars/"
	}
	return prefix + "/" + p.member.String() + "/calendars/" + url.PathEscape(p.segment) + "/" + url.PathEscape(p.name)
}

// parent is the collection that an object or a calendar is in.
func (p path) parent() path {
	if p.kind == kindObject {
		return path{kind: kindCalendar, member: p.member, segment: p.segment}
	}
	return path{kind: kindHome, member: p.member}
}
