package dav

import (
	"encoding/xml"
	"net/http"

	"appliance/svc"
)

// expandProperty is DAV:expand-property (RFC 3253 §3.8): properties in which
// each DAV:href is replaced by properties of the resource that it refers to.
type expandProperty struct {
	depth      int
	properties []expansion
	remaining  int // hrefs that may still be expanded
}

// maxExpanded limits the hrefs that one report expands. Dead properties can contain
// any number of hrefs, and a resource can refer to itself.
const maxExpanded = 1000

// expansion is a requested property, and the properties requested for the
// resources that it refers to.
type expansion struct {
	requestedProperty
	nested []expansion
}

func (r *expandProperty) read(body *element, q *request) (err error) {
	if r.depth, err = q.depth(0); err != nil {
		return err
	}
	if r.depth == infinity {
		return svc.Errorf(svc.InvalidParameter, "Depth must be 0 or 1.")
	}
	n := 0
	r.remaining = maxExpanded
	r.properties, err = readExpansions(body, &n, q.prefersMinimal())
	return err
}

// readExpansions parses the DAV:property children of e. It adds their number,
// including nested ones, to n.
func readExpansions(e *element, n *int, optional bool) (list []expansion, err error) {
	for _, c := range e.children {
		if c.name != davName("property") {
			continue
		}
		if *n++; *n > maxProps {
			return nil, svc.Errorf(svc.BodyTooLarge, "The request names more than %d properties.", maxProps)
		}
		local, _ := c.attr("name")
		space, ok := c.attr("namespace")
		if !ok {
			space = nsDAV
		}
		name := xml.Name{Space: space, Local: local}
		if !isName(local) || len(space)+len(local) > maxSegment {
			return nil, svc.Errorf(svc.MalformedBody, "DAV:property requires a valid attribute name, of at most %d octets with its namespace.", maxSegment)
		}
		added := expansion{requestedProperty: requestedProperty{name, propertyOf[name], optional}}
		if added.nested, err = readExpansions(c, n, optional); err != nil {
			return nil, err
		}
		list = append(list, added)
	}
	return list, nil
}

// isName reports whether every XML parser accepts s as the local name of an
// element.
func isName(s string) bool {
	for i, c := range s {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x00e0 && c <= 0x00f6
		if !letter && (i == 0 || c != '-' && c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

func (r *expandProperty) respond(q *request) error {
	return q.multistatus(func(snap Snapshot, x *writer) error {
		list, err := find(snap, q.at, r.depth, false)
		if err == nil {
			err = addDeadProperties(snap, list)
		}
		if err != nil {
			return err
		}
		list = list[q.skippedRoots(r.depth):]
		for i := range list {
			if err := r.resource(q, x, snap, &list[i], r.properties); err != nil {
				return err
			}
		}
		return nil
	})
}

// resource writes the response for one resource, whose dead properties are loaded.
func (r *expandProperty) resource(q *request, x *writer, snap Snapshot, of *resource, list []expansion) error {
	x.start(davName("response"))
	x.href(of.path)
	var missing []xml.Name
	x.raw("<D:propstat><D:prop>")
	for _, e := range list {
		var hrefs []string
		if len(e.nested) > 0 {
			hrefs = x.hrefsIn(of, e.requestedProperty)
		}
		switch {
		case len(hrefs) > 0:
			x.start(e.name)
			for _, href := range hrefs {
				if err := r.href(q, x, snap, href, e.nested); err != nil {
					return err
				}
			}
			x.end(e.name)
		case !x.property(of, e.requestedProperty, false) && !e.optional:
			missing = append(missing, e.name)
		}
	}
	x.raw("</D:prop>")
	x.statusLine(http.StatusOK)
	x.raw("</D:propstat>")
	x.notFoundPropstat(missing)
	x.end(davName("response"))
	if x.err != nil {
		return x.err
	}
	return x.flushIfLarge()
}

// href writes the response for the resource that href refers to, or only the href
// if it is outside the tree or beyond the limit.
func (r *expandProperty) href(q *request, x *writer, snap Snapshot, href string, list []expansion) error {
	p, ok := q.parseHref(href)
	if !ok || p.kind != kindRoot && p.member != q.viewer.Member() || r.remaining == 0 {
		x.element(davName("href"), href)
		return nil
	}
	r.remaining--
	p, err := resolveKind(snap, p)
	found := make([]resource, 1)
	if err == nil {
		found[0], err = findOne(snap, p)
	}
	if err == nil {
		err = addDeadProperties(snap, found)
	}
	if svc.KindOf(err) == svc.Missing {
		return x.notFoundResponse(href)
	}
	if err != nil {
		return err
	}
	return r.resource(q, x, snap, &found[0], list)
}
