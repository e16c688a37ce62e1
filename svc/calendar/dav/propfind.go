package dav

import (
	"encoding/xml"
	"io"
	"net/http"
	"slices"
	"strings"

	"appliance/svc"
)

// propfind handles PROPFIND (RFC 4918 §9.1).
func (q *request) propfind() error {
	depth, err := q.depth(infinity)
	if err != nil {
		return err
	}
	if depth == infinity && q.at.kind&kindLeaf == 0 {
		return forbidden(davName("propfind-finite-depth"), "Depth must be 0 or 1.")
	}
	want, err := q.readPropfind()
	if err != nil {
		return err
	}
	return q.multistatus(func(snap Snapshot, x *writer) error {
		list, err := find(snap, q.at, depth, want.etagOnly())
		if err == nil && want.dead {
			err = addDeadProperties(snap, list)
		}
		if err != nil {
			return err
		}
		list = list[q.skippedRoots(depth):]
		for i := range list {
			if err := x.response(&list[i], want); err != nil {
				return err
			}
		}
		return nil
	})
}

// readPropfind parses DAV:propfind. Without a body it is DAV:allprop.
func (q *request) readPropfind() (*selection, error) {
	body, err := q.body()
	if err == io.EOF {
		body = &element{name: davName("propfind"), children: []*element{{name: davName("allprop")}}}
	} else if err != nil {
		return nil, err
	}
	if body.name != davName("propfind") {
		return nil, svc.Errorf(svc.MalformedBody, "The body of PROPFIND must be DAV:propfind.")
	}
	want, found, err := q.readSelection(body, false)
	if err == nil && !found {
		return nil, svc.Errorf(svc.MalformedBody, "DAV:propfind requires DAV:prop, DAV:allprop or DAV:propname.")
	}
	return want, err
}

// find returns the resource at p and, unless depth is 0, its direct members.
// With etagsOnly, objects have no fields except Name and ETag.
func find(snap Snapshot, p path, depth int, etagsOnly bool) ([]resource, error) {
	r, err := findOne(snap, p)
	if err != nil || depth == 0 {
		return []resource{r}, err
	}
	members, err := members(snap, r, etagsOnly)
	return slices.Insert(members, 0, r), err
}

// findOne returns the resource at p, without the data of an object or file.
func findOne(snap Snapshot, p path) (resource, error) {
	r := resource{path: p}
	switch p.kind {
	case kindPrincipal:
		principal, err := snap.Principal()
		r.principal = &principal
		return r, err
	case kindCalendar, kindObject:
		c, err := snap.Calendar(p.segment)
		r.calendar = &c
		if err != nil || p.kind == kindCalendar {
			return r, err
		}
		o, err := objectAt(snap, p, false)
		r.object = &o
		return r, err
	case kindFolder, kindFile:
		f, err := snap.File(p.ref().Path(), false)
		r.file = &f
		return r, err
	}
	return r, nil
}

// addDeadProperties sets the dead properties of list, which is a resource or a
// collection followed by its direct members.
func addDeadProperties(snap Snapshot, list []resource) error {
	if list[0].kind&kindWithDeadProperties != 0 {
		var err error
		if list[0].dead, err = snap.DeadProperties(list[0].ref()); err != nil {
			return err
		}
	}
	if len(list) == 1 || list[1].kind&kindWithDeadProperties == 0 {
		return nil
	}
	byName, err := snap.MemberDeadProperties(list[0].ref())
	for i := range list[1:] {
		list[i+1].dead = byName[list[i+1].lastSegment()]
	}
	return err
}

// objectAt returns the object at p.
func objectAt(snap Snapshot, p path, data bool) (Object, error) {
	found, err := snap.ObjectsByName(p.segment, []string{p.name}, data)
	if err == nil && len(found) == 0 {
		err = errNotFound
	}
	if err != nil {
		return Object{}, err
	}
	return found[0], nil
}

// members returns the direct members of a collection.
func members(snap Snapshot, r resource, etagsOnly bool) ([]resource, error) {
	switch r.kind {
	case kindRoot:
		return find(snap, path{kind: kindPrincipal, member: r.member}, 0, etagsOnly)
	case kindPrincipal:
		return find(snap, path{kind: kindHome, member: r.member}, 0, etagsOnly)
	case kindHome:
		list, err := snap.Calendars()
		found := make([]resource, len(list))
		for i := range list {
			found[i] = resource{path: path{kind: kindCalendar, member: r.member, segment: list[i].Segment}, calendar: &list[i]}
		}
		if err != nil {
			return nil, err
		}
		folders, err := snap.Files("")
		return append(found, fileResources(r.path, folders)...), err
	case kindFolder:
		list, err := snap.Files(r.ref().Path())
		return fileResources(r.path, list), err
	case kindCalendar:
		list, err := snap.Objects(r.segment, etagsOnly)
		found := make([]resource, len(list), len(list)+1) // one more, because find prepends the calendar
		for i := range list {
			found[i] = objectResource(&r, &list[i])
		}
		return found, err
	}
	return nil, nil
}

// fileResources returns the resources for files and folders of one member.
func fileResources(collection path, list []File) []resource {
	found := make([]resource, len(list))
	for i := range list {
		p := path{kind: kindFile, member: collection.member}
		if list[i].Collection {
			p.kind = kindFolder
		}
		p.segment, p.name, _ = strings.Cut(list[i].Path, "/")
		found[i] = resource{path: p, file: &list[i]}
	}
	return found
}

// objectResource returns the resource for an object. c is its calendar, or
// another object in that calendar.
func objectResource(c *resource, o *Object) resource {
	return resource{path: path{kindObject, c.member, c.segment, o.Name}, calendar: c.calendar, object: o}
}

// multistatus sends a DAV:multistatus (RFC 4918 §13). It calls responses to write the
// content, all from one snapshot.
func (q *request) multistatus(responses func(Snapshot, *writer) error) error {
	x := q.newDocument()
	x.root(davName("multistatus"))
	if err := q.view(func(snap Snapshot) error { x.snapshot = snap; return responses(snap, x) }); err != nil {
		return err
	}
	x.end(davName("multistatus"))
	return q.send(http.StatusMultiStatus)
}

// response writes the DAV:response for r: a propstat with the properties that r
// has, and one with the missing properties, each in the order requested.
func (x *writer) response(r *resource, want *selection) error {
	x.start(davName("response"))
	x.href(r.path)
	mark := len(x.buf)
	x.raw("<D:propstat><D:prop>")
	found := false
	var missing []xml.Name
	for _, w := range want.properties {
		switch {
		case x.property(r, w, want.namesOnly):
			found = true
		case !w.optional:
			missing = append(missing, w.name)
		}
	}
	if want.all && x.deadProperties(r, want) {
		found = true
	}
	x.raw("</D:prop>")
	x.statusLine(http.StatusOK)
	x.raw("</D:propstat>")
	if !found && len(missing) > 0 {
		x.buf = x.buf[:mark]
	}
	x.notFoundPropstat(missing)
	x.end(davName("response"))
	if x.err != nil {
		return x.err
	}
	return x.flushIfLarge()
}

// notFoundPropstat writes a propstat with the status 404.
func (x *writer) notFoundPropstat(names []xml.Name) {
	if len(names) == 0 {
		return
	}
	x.raw("<D:propstat><D:prop>")
	for _, name := range names {
		x.empty(name)
	}
	x.raw("</D:prop>")
	x.statusLine(http.StatusNotFound)
	x.raw("</D:propstat>")
}

// deadProperties writes the dead properties of r that were not requested by
// name. It reports whether there are any.
func (x *writer) deadProperties(r *resource, want *selection) (found bool) {
	for _, d := range r.dead {
		switch {
		case requestedProperty{property: propertyOf[d.Name]}.liveProperty(r) != nil,
			slices.ContainsFunc(want.properties, func(w requestedProperty) bool { return w.name == d.Name }):
			continue
		case want.namesOnly:
			x.empty(d.Name)
		default:
			x.raw(d.Element)
		}
		found = true
	}
	return found
}

// property writes one property. It returns false if r does not have it.
func (x *writer) property(r *resource, w requestedProperty, nameOnly bool) bool {
	p := w.liveProperty(r)
	if p == nil {
		for _, d := range r.dead {
			if d.Name == w.name {
				x.raw(d.Element)
				return true
			}
		}
		return false
	}
	before := len(x.buf)
	x.start(w.name)
	if !p.value(x, r) {
		x.buf = x.buf[:before]
		return false
	}
	if nameOnly {
		x.buf = x.buf[:before]
		x.empty(w.name)
		return true
	}
	x.end(w.name)
	return true
}
