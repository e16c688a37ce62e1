package dav

import (
	"encoding/xml"
	"net/http"

	"appliance/svc"
)

// expandProperty is DAV:expand-property (RFC 3253 §3.8): properties, with the
// hrefs in them replaced by properties of what they lead to.
type expandProperty struct {
	depth      int
	properties []expansion
}

// expansion is a property, and those of the resources it names.
type expansion struct {
	requested
	nested []expansion
}

func (r *expandProperty) read(body *element, q *request) (err error) {
	if r.depth, err = q.depth(0); err != nil {
		return err
	}
	if r.depth == infinity {
		return svc.Errorf(svc.InvalidParameter, "Ask with Depth 0 or 1.")
	}
	n := 0
	r.properties, err = readExpansions(body, &n, q.minimal())
	return err
}

// readExpansions reads the DAV:property children of e. n counts all of them.
func readExpansions(e *element, n *int, optional bool) (list []expansion, err error) {
	for _, c := range e.children {
		if c.name != davName("property") {
			continue
		}
		if *n++; *n > maxProps {
			return nil, svc.Errorf(svc.BodyTooLarge, "The request asks for more than %d properties.", maxProps)
		}
		local, _ := c.attr("name")
		space, ok := c.attr("namespace")
		if !ok {
			space = nsDAV
		}
		name := xml.Name{Space: space, Local: local}
		if !isName(local) || len(space)+len(local) > maxSegment {
			return nil, svc.Errorf(svc.MalformedBody, "A DAV:property has a name, of up to %d octets with its namespace.", maxSegment)
		}
		one := expansion{requested: requested{name, propertyOf[name], optional}}
		if one.nested, err = readExpansions(c, n, optional); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// isName reports whether s can be the local name of an element in any parser.
func isName(s string) bool {
	for i, c := range s {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x00e0 && c <= 0x00f6
		if !letter && (i == 0 || c != '-' && c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

func (r *expandProperty) answer(q *request) error {
	return q.multistatus(func(t Snapshot, x *writer) error {
		list, err := find(t, q.at, r.depth, false)
		if err == nil {
			err = addDeadProperties(t, list)
		}
		if err != nil {
			return err
		}
		list = list[q.skippedRoots(r.depth):]
		for i := range list {
			if err := q.expandResource(x, t, &list[i], r.properties); err != nil {
				return err
			}
		}
		return nil
	})
}

// expandResource writes the response for r.
func (q *request) expandResource(x *writer, t Snapshot, r *resource, list []expansion) error {
	x.start(davName("response"))
	x.href(r.path)
	var missing []xml.Name
	x.raw("<D:propstat><D:prop>")
	for _, e := range list {
		var inside []string // of what clients have made up, nothing is expanded: it could be anything, many times
		if len(e.nested) > 0 && e.live(r) != nil {
			inside = x.hrefsIn(r, e.requested)
		}
		switch {
		case len(inside) > 0:
			x.start(e.name)
			for _, href := range inside {
				if err := q.expandHref(x, t, href, e.nested); err != nil {
					return err
				}
			}
			x.end(e.name)
		case !x.property(r, e.requested, false) && !e.optional:
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

// expandHref writes the response for what a href leads to, or the href alone if
// it leads out of the tree.
func (q *request) expandHref(x *writer, t Snapshot, href string, list []expansion) error {
	p, ok := q.parseHref(href)
	if !ok || p.kind != kindRoot && p.member != q.viewer.Member() {
		x.element(davName("href"), href)
		return nil
	}
	p, err := resolveKind(t, p)
	var r resource
	if err == nil {
		r, err = findOne(t, p)
	}
	if svc.KindOf(err) == svc.Missing {
		return x.notFoundResponse(href)
	}
	if err != nil {
		return err
	}
	return q.expandResource(x, t, &r, list)
}
