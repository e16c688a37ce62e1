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
	kindFolder                     // a plain collection in the home, or in another one
	kindFile                       // what else is in a plain collection, or could be

	kindCollection = kindRoot | kindPrincipal | kindHome | kindCalendar | kindFolder
	kindLeaf       = kindObject | kindFile
	kindAny        = kindCollection | kindLeaf

	// kindWithDeadProperties are those that keep dead properties.
	kindWithDeadProperties = kindHome | kindCalendar | kindFolder | kindLeaf
)

// What bounds the paths that clients choose.
const (
	maxSegment = 255  // octets of a segment
	maxPath    = 2048 // octets below a plain collection
)

// path is a place in the tree. What is deeper than its kind is empty.
//
// Whether something below the home is a calendar or a plain collection, the
// path does not say: until [locate] has looked, what has one segment there is
// taken for a calendar, and what has two for an object.
type path struct {
	kind    kind
	member  svc.MemberID
	segment string // of the calendar or the plain collection in the home
	name    string // of the object, or the path below the plain collection
}

// parsePath reads an escaped path that begins with prefix, which is not
// escaped. However a client escapes a path, it is the same place. The slash
// at the end of a collection may be missing.
func parsePath(prefix, escaped string) (p path, ok bool) {
	head := strings.Split(prefix, "/")
	if len(escaped) > 3*maxPath {
		return path{}, false
	}
	parts := strings.Split(escaped, "/")
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
	return parseSegments(parts, slash)
}

// parseSegments is the parseSegments of the decoded segments below the prefix.
func parseSegments(parts []string, slash bool) (p path, ok bool) {
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
		p.kind, p.name = kindFile, strings.Join(parts[3:], "/")
		switch {
		case len(p.name) > maxPath || !validSegments(parts[3:]):
			return path{}, false
		case slash:
			p.kind = kindFolder
		case len(parts) == 4:
			p.kind = kindObject
		}
	}
	return p, true
}

func validSegments(segments []string) bool {
	for _, s := range segments {
		if !validSegment(s) {
			return false
		}
	}
	return true
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
	href := prefix + "/" + p.member.String() + "/calendars/" + url.PathEscape(p.segment) + "/"
	if p.name == "" {
		return href
	}
	href += strings.ReplaceAll(url.PathEscape(p.name), "%2F", "/")
	if p.kind == kindFolder {
		href += "/"
	}
	return href
}

// ref is what the backend calls the place.
func (p path) ref() Ref {
	return Ref{Segment: p.segment, Name: p.name, File: p.kind&(kindFolder|kindFile) != 0}
}

// lastSegment is the lastSegment segment of the path.
func (p path) lastSegment() string {
	if p.name == "" {
		return p.segment
	}
	return p.name[strings.LastIndexByte(p.name, '/')+1:]
}

// parent is the collection around a place in the home.
func (p path) parent() path {
	around := path{kind: kindHome, member: p.member}
	if p.name != "" {
		around.kind, around.segment = kindCalendar, p.segment
		if p.ref().File {
			around.kind = kindFolder
			if i := strings.LastIndexByte(p.name, '/'); i >= 0 {
				around.name = p.name[:i]
			}
		}
	}
	return around
}

// resolveKind finds out what kind of place p is, given what stands there. Where
// nothing does, it is what could.
func resolveKind(t Snapshot, p path) (path, error) {
	if p.segment == "" {
		return p, nil
	}
	top, err := t.File(p.segment, false)
	switch {
	case svc.KindOf(err) == svc.Missing:
		if p.kind&(kindFolder|kindFile) != 0 { // nothing is as deep in a calendar
			return p, errNotFound
		}
		return p, nil
	case err != nil:
		return p, err
	case p.name == "":
		p.kind = kindFolder
		return p, nil
	}
	p.kind = kindFile
	if found, err := t.File(top.Path+"/"+p.name, false); err == nil && found.Collection {
		p.kind = kindFolder
	} else if svc.KindOf(err) != svc.Missing {
		return p, err
	}
	return p, nil
}
