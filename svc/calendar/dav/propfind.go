package dav

import (
	"encoding/xml"
	"io"
	"net/http"
	"slices"
	"strings"

	"appliance/svc"
)

// propfind answers PROPFIND (RFC 4918 §9.1).
func (q *request) propfind() error {
	depth, err := q.depth(infinity)
	if err != nil {
		return err
	}
	if depth == infinity && q.at.kind&kindLeaf == 0 {
		return forbidden(davName("propfind-finite-depth"), "Ask with Depth 0 or 1.")
	}
	want, err := q.readPropfind()
	if err != nil {
		return err
	}
	return q.multistatus(func(t Snapshot, x *writer) error {
		list, err := find(t, q.at, depth, want.etagOnly())
		if err == nil && want.dead {
			err = addDeadProperties(t, list)
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

// readPropfind reads DAV:propfind. No body means DAV:allprop.
func (q *request) readPropfind() (*selection, error) {
	body, err := q.body()
	if err == io.EOF {
		body = &element{name: davName("propfind"), children: []*element{{name: davName("allprop")}}}
	} else if err != nil {
		return nil, err
	}
	if body.name != davName("propfind") {
		return nil, svc.Errorf(svc.MalformedBody, "The body of a PROPFIND is a DAV:propfind.")
	}
	want, found, err := q.readSelection(body, false)
	if err == nil && !found {
		return nil, svc.Errorf(svc.MalformedBody, "DAV:propfind has none of DAV:prop, DAV:allprop and DAV:propname.")
	}
	return want, err
}

// find returns the resource at p and, unless depth is 0, its members. Of brief
// objects it knows no more than their ETag.
func find(t Snapshot, p path, depth int, brief bool) ([]resource, error) {
	r, err := findOne(t, p)
	if err != nil || depth == 0 {
		return []resource{r}, err
	}
	members, err := members(t, r, brief)
	return slices.Insert(members, 0, r), err
}

// findOne returns the resource at p, an object without its data.
func findOne(t Snapshot, p path) (resource, error) {
	r := resource{path: p}
	switch p.kind {
	case kindPrincipal:
		who, err := t.Principal()
		r.principal = &who
		return r, err
	case kindCalendar, kindObject:
		c, err := t.Calendar(p.segment)
		r.calendar = &c
		if err != nil || p.kind == kindCalendar {
			return r, err
		}
		o, err := objectAt(t, p, false)
		r.object = &o
		return r, err
	case kindFolder, kindFile:
		f, err := t.File(p.ref().Path(), false)
		r.file = &f
		return r, err
	}
	return r, nil
}

// addDeadProperties adds their dead properties to a resource and, if the list is longer,
// the members of it that follow.
func addDeadProperties(t Snapshot, list []resource) error {
	if list[0].kind&kindWithDeadProperties != 0 {
		var err error
		if list[0].dead, err = t.DeadProperties(list[0].ref()); err != nil {
			return err
		}
	}
	if len(list) == 1 || list[1].kind&kindWithDeadProperties == 0 {
		return nil
	}
	byName, err := t.MemberDeadProperties(list[0].ref())
	for i := range list[1:] {
		list[i+1].dead = byName[list[i+1].lastSegment()]
	}
	return err
}

// objectAt returns the object at p.
func objectAt(t Snapshot, p path, data bool) (Object, error) {
	found, err := t.ObjectsByName(p.segment, []string{p.name}, data)
	if err == nil && len(found) == 0 {
		err = errNotFound
	}
	if err != nil {
		return Object{}, err
	}
	return found[0], nil
}

// members returns the members of a collection.
func members(t Snapshot, r resource, brief bool) ([]resource, error) {
	switch r.kind {
	case kindRoot:
		return find(t, path{kind: kindPrincipal, member: r.member}, 0, brief)
	case kindPrincipal:
		return find(t, path{kind: kindHome, member: r.member}, 0, brief)
	case kindHome:
		list, err := t.Calendars()
		found := make([]resource, len(list))
		for i := range list {
			found[i] = resource{path: path{kind: kindCalendar, member: r.member, segment: list[i].Segment}, calendar: &list[i]}
		}
		if err != nil {
			return nil, err
		}
		folders, err := t.Files("")
		return append(found, fileResources(r.path, folders)...), err
	case kindFolder:
		list, err := t.Files(r.ref().Path())
		return fileResources(r.path, list), err
	case kindCalendar:
		list, err := t.Objects(r.segment, brief)
		found := make([]resource, len(list), len(list)+1) // find puts the calendar before them
		for i := range list {
			found[i] = objectResource(&r, &list[i])
		}
		return found, err
	}
	return nil, nil
}

// fileResources are files and plain collections of the member whose path around is.
func fileResources(around path, list []File) []resource {
	found := make([]resource, len(list))
	for i := range list {
		p := path{kind: kindFile, member: around.member}
		if list[i].Collection {
			p.kind = kindFolder
		}
		p.segment, p.name, _ = strings.Cut(list[i].Path, "/")
		found[i] = resource{path: p, file: &list[i]}
	}
	return found
}

// objectResource is an object of the calendar that c is, or is in.
func objectResource(c *resource, o *Object) resource {
	return resource{path: path{kindObject, c.member, c.segment, o.Name}, calendar: c.calendar, object: o}
}

// multistatus answers with a DAV:multistatus (RFC 4918 §13) of what responses
// writes of the tree. All of it is the tree at one moment.
func (q *request) multistatus(responses func(Snapshot, *writer) error) error {
	x := q.newDocument()
	x.root(davName("multistatus"))
	if err := q.view(func(t Snapshot) error { x.tree = t; return responses(t, x) }); err != nil {
		return err
	}
	x.end(davName("multistatus"))
	return q.send(http.StatusMultiStatus)
}

// response writes what r has of the wanted properties and which it has not,
// each in the order in which they were asked for.
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

// notFoundPropstat writes that there are no such properties.
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

// deadProperties writes the dead properties of r that were not asked for by
// name, and reports whether there are any.
func (x *writer) deadProperties(r *resource, want *selection) (found bool) {
	for _, d := range r.dead {
		switch {
		case requested{property: propertyOf[d.Name]}.live(r) != nil,
			slices.ContainsFunc(want.properties, func(w requested) bool { return w.name == d.Name }):
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

// property writes one property, if r has it.
func (x *writer) property(r *resource, w requested, nameOnly bool) bool {
	p := w.live(r)
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
