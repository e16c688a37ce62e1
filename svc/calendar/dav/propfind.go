package dav

import (
	"encoding/xml"
	"io"
	"net/http"

	"appliance/svc"
)

// propfind answers PROPFIND (RFC 4918 §9.1).
func (q *request) propfind() error {
	depth, err := q.depth(infinity)
	if err != nil {
		return err
	}
	if depth == infinity && q.at.kind != kindObject {
		return refuse(davName("propfind-finite-depth"), "Ask with Depth 0 or 1.")
	}
	want, err := q.readPropfind()
	if err != nil {
		return err
	}
	return q.multistatus(func(t Tree, x *writer) error {
		list, err := find(t, q.at, depth)
		if err != nil {
			return err
		}
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

// find returns the resource at p and, unless depth is 0, its members.
func find(t Tree, p path, depth int) ([]resource, error) {
	r, err := findOne(t, p)
	if err != nil || depth == 0 {
		return []resource{r}, err
	}
	members, err := below(t, r)
	return append([]resource{r}, members...), err
}

// findOne returns the resource at p, an object without its data.
func findOne(t Tree, p path) (resource, error) {
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
	}
	return r, nil
}

// objectAt returns the object at p.
func objectAt(t Tree, p path, data bool) (Object, error) {
	found, err := t.Named(p.segment, []string{p.name}, data)
	if err == nil && len(found) == 0 {
		err = errNothing
	}
	if err != nil {
		return Object{}, err
	}
	return found[0], nil
}

// below returns the members of a collection.
func below(t Tree, r resource) ([]resource, error) {
	switch r.kind {
	case kindRoot:
		return find(t, path{kind: kindPrincipal, member: r.member}, 0)
	case kindPrincipal:
		return find(t, path{kind: kindHome, member: r.member}, 0)
	case kindHome:
		list, err := t.Calendars()
		found := make([]resource, len(list))
		for i := range list {
			found[i] = resource{path: path{kind: kindCalendar, member: r.member, segment: list[i].Segment}, calendar: &list[i]}
		}
		return found, err
	case kindCalendar:
		list, err := t.Objects(r.segment)
		found := make([]resource, len(list))
		for i := range list {
			found[i] = inCalendar(&r, &list[i])
		}
		return found, err
	}
	return nil, nil
}

// inCalendar is an object of the calendar that c is, or is in.
func inCalendar(c *resource, o *Object) resource {
	return resource{path: path{kindObject, c.member, c.segment, o.Name}, calendar: c.calendar, object: o}
}

// multistatus answers with a DAV:multistatus (RFC 4918 §13) of what responses
// writes of the tree. All of it is the tree at one moment.
func (q *request) multistatus(responses func(Tree, *writer) error) error {
	x := q.document()
	x.root(davName("multistatus"))
	if err := q.view(func(t Tree) error { return responses(t, x) }); err != nil {
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
	for _, w := range want.wanted {
		switch {
		case x.property(r, w, want.namesOnly):
			found = true
		case !w.optional:
			missing = append(missing, w.name)
		}
	}
	x.raw("</D:prop>")
	x.statusLine(http.StatusOK)
	x.raw("</D:propstat>")
	if !found && len(missing) > 0 {
		x.buf = x.buf[:mark]
	}
	if len(missing) > 0 {
		x.raw("<D:propstat><D:prop>")
		for _, name := range missing {
			x.empty(name)
		}
		x.raw("</D:prop>")
		x.statusLine(http.StatusNotFound)
		x.raw("</D:propstat>")
	}
	x.end(davName("response"))
	return x.spill()
}

// property writes one property, if r has it.
func (x *writer) property(r *resource, w wanted, nameOnly bool) bool {
	if w.property == nil || w.property.on&r.kind == 0 {
		return false
	}
	before := len(x.buf)
	x.start(w.name)
	inside := len(x.buf)
	if !w.property.value(x, r) {
		x.buf = x.buf[:before]
		return false
	}
	if nameOnly {
		x.buf = x.buf[:inside]
	}
	x.end(w.name)
	return true
}
