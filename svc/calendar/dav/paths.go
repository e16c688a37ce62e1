package dav

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"appliance/svc"
)

// kind is a kind of resource. The tables of methods, properties and reports
// contain sets of kinds.
type kind uint8

const (
	kindRoot      kind = 1 << iota // {prefix}/
	kindPrincipal                  // {prefix}/{member}/
	kindHome                       // {prefix}/{member}/calendars/
	kindCalendar                   // {prefix}/{member}/calendars/{segment}/
	kindObject                     // {prefix}/{member}/calendars/{segment}/{name}
	kindFolder                     // a folder in the home or in another folder
	kindFile                       // a file in a folder, or a path in a folder at which nothing exists

	kindCollection = kindRoot | kindPrincipal | kindHome | kindCalendar | kindFolder
	kindLeaf       = kindObject | kindFile
	kindAny        = kindCollection | kindLeaf

	// kindWithDeadProperties contains the kinds that store dead properties.
	kindWithDeadProperties = kindHome | kindCalendar | kindFolder | kindLeaf
)

// Limits of paths that clients choose.
const (
	maxSegment = 255  // octets of a segment
	maxPath    = 2048 // octets below a folder
)

// path identifies a resource. The fields below the level of its kind are empty.
//
// Calendars and folders are not distinguished by their URLs. Until
// [resolveKind] has looked them up, a path with one segment below the home is a
// calendar, and one with two segments is an object.
type path struct {
	kind    kind
	member  svc.MemberID
	segment string // of the calendar or the folder in the home
	name    string // of the object, or the path below the folder
}

// parsePath parses a percent-encoded path below prefix, which is not encoded.
// The result does not depend on the way in which the client encodes it. The
// slash at the end of a collection is optional.
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

// parseSegments returns the path for the decoded segments below the prefix.
// slash reports whether the path ends in a slash.
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

// validSegment reports whether a client may choose s as a path segment: a line
// of text that proxies do not change and XML can represent.
func validSegment(s string) bool {
	return s != "" && s != "." && s != ".." && len(s) <= maxSegment && utf8.ValidString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return r == '/' || r < ' ' || !xmlChar(r) })
}

// href returns the href below a percent-encoded prefix. All responses use this
// form; collections end in a slash.
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

// ref returns the Ref of the resource for the backend.
func (p path) ref() Ref {
	return Ref{Segment: p.segment, Name: p.name, File: p.kind&(kindFolder|kindFile) != 0}
}

func (p path) lastSegment() string {
	if p.name == "" {
		return p.segment
	}
	return p.name[strings.LastIndexByte(p.name, '/')+1:]
}

// parent returns the parent collection of a resource in the home.
func (p path) parent() path {
	parent := path{kind: kindHome, member: p.member}
	if p.name != "" {
		parent.kind, parent.segment = kindCalendar, p.segment
		if p.ref().File {
			parent.kind = kindFolder
			if i := strings.LastIndexByte(p.name, '/'); i >= 0 {
				parent.name = p.name[:i]
			}
		}
	}
	return parent
}

// resolveKind sets the kind of p from the existing resources. If there is none,
// it is the kind of resource that may be created at p.
func resolveKind(snap Snapshot, p path) (path, error) {
	if p.segment == "" {
		return p, nil
	}
	top, err := snap.File(p.segment, false)
	switch {
	case svc.KindOf(err) == svc.Missing:
		if p.kind&(kindFolder|kindFile) != 0 { // calendars have no subcollections
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
	if found, err := snap.File(top.Path+"/"+p.name, false); err == nil && found.Collection {
		p.kind = kindFolder
	} else if svc.KindOf(err) != svc.Missing {
		return p, err
	}
	return p, nil
}
