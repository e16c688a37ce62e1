package dav

import (
	"encoding/xml"
	"net/http"
	"slices"
	"strings"

	"appliance/svc"
)

// This file contains the reports on principals. A member can find only their
// own principal. The reports are defined for Depth: 0 only (RFC 3744 §9.2 to
// §9.5).

// checkDepthZero rejects a request with another Depth than 0.
func (q *request) checkDepthZero() error {
	depth, err := q.depth(0)
	if err == nil && depth != 0 {
		err = svc.Errorf(svc.InvalidParameter, "Depth must be 0 for this report.")
	}
	return err
}

// aclPrincipals is DAV:acl-principal-prop-set (RFC 3744 §9.2): properties of the
// principals in DAV:acl of the resource. This is the owner; on the root there is
// none.
type aclPrincipals struct{ want *selection }

func (r *aclPrincipals) read(body *element, q *request) (err error) {
	if err := q.checkDepthZero(); err != nil {
		return err
	}
	r.want, _, err = q.readSelection(body, false)
	return err
}

func (r *aclPrincipals) respond(q *request) error {
	return q.multistatusFor(func(x *writer, snap Snapshot, _ *resource, at path) error {
		if at.kind == kindRoot {
			return nil
		}
		return x.principalResponse(snap, at.member, r.want)
	})
}

// principalResponse writes the response for the member's principal.
func (x *writer) principalResponse(snap Snapshot, member svc.MemberID, want *selection) error {
	me, err := findOne(snap, path{kind: kindPrincipal, member: member})
	if err != nil {
		return err
	}
	return x.response(&me, want)
}

// principalMatch is DAV:principal-match (RFC 3744 §9.3): the resources below a
// collection that are the member's principal, or refer to it in a property.
type principalMatch struct {
	want     *selection
	property *requestedProperty // nil for DAV:self
}

func (r *principalMatch) read(body *element, q *request) (err error) {
	if err := q.checkDepthZero(); err != nil {
		return err
	}
	in := body.child(davName("principal-property"))
	if body.count(davName("principal-property"))+body.count(davName("self")) != 1 || in != nil && len(in.children) != 1 {
		return svc.Errorf(svc.MalformedBody, "DAV:principal-match requires either DAV:self or DAV:principal-property with one property.")
	}
	if in != nil {
		name := in.children[0].name
		r.property = &requestedProperty{name: name, property: propertyOf[name]}
	}
	r.want, _, err = q.readSelection(body, false)
	return err
}

func (r *principalMatch) respond(q *request) error {
	return q.multistatusFor(func(x *writer, snap Snapshot, c *resource, at path) error {
		if r.property == nil {
			if at.kind&(kindRoot|kindPrincipal) == 0 {
				return nil // there are no principals below resources of other kinds
			}
			return x.principalResponse(snap, at.member, r.want)
		}
		return walk(snap, *c, r.property.property == nil, func(found *resource) error {
			for _, href := range x.hrefsIn(found, *r.property) {
				if p, ok := q.parseHref(href); ok && p == (path{kind: kindPrincipal, member: x.member}) {
					return x.response(found, r.want)
				}
			}
			return nil
		})
	})
}

// walk calls visit for all resources below a collection. With withDead, it
// loads their dead properties.
func walk(snap Snapshot, collection resource, withDead bool, visit func(*resource) error) error {
	list, err := members(snap, collection, true)
	if err == nil && withDead {
		all := slices.Insert(list, 0, collection)
		err = addDeadProperties(snap, all)
		list = all[1:]
	}
	if err != nil {
		return err
	}
	for i := range list {
		if err := visit(&list[i]); err != nil {
			return err
		}
		if err := walk(snap, list[i], withDead, visit); err != nil {
			return err
		}
	}
	return nil
}

// hrefsIn returns the hrefs in a property of r.
func (x *writer) hrefsIn(r *resource, w requestedProperty) []string {
	scratch := &writer{prefix: x.prefix, member: x.member, snapshot: x.snapshot, homeCache: x.homeCache}
	scratch.root(davName("prop"))
	scratch.property(r, w, false)
	scratch.end(davName("prop"))
	if scratch.err != nil {
		x.err = scratch.err
	}
	root, err := readXML(strings.NewReader(string(scratch.buf)))
	if err != nil {
		return nil // a dead property beyond the limits of readXML
	}
	return hrefs(root)
}

// hrefs returns the text of all DAV:href in e.
func hrefs(e *element) []string {
	if e.name == davName("href") {
		return []string{e.value()}
	}
	var list []string
	for _, c := range e.children {
		list = append(list, hrefs(c)...)
	}
	return list
}

// searchableProperties are the properties by which principals can be searched.
var searchableProperties = []struct {
	name        xml.Name
	description string
	value       func(Principal) string
}{
	{davName("displayname"), "Name", func(p Principal) string { return p.DisplayName }},
	{calName("calendar-user-address-set"), "Calendar address", func(p Principal) string { return "mailto:" + p.Email }},
	{csName("email-address-set"), "E-mail address", func(p Principal) string { return p.Email }},
}

// principalSearchPropertySet is DAV:principal-search-property-set (RFC 3744
// §9.5).
type principalSearchPropertySet struct{}

func (*principalSearchPropertySet) read(_ *element, q *request) error { return q.checkDepthZero() }

func (*principalSearchPropertySet) respond(q *request) error {
	x := q.newDocument()
	x.root(davName("principal-search-property-set"))
	for _, s := range searchableProperties {
		x.start(davName("principal-search-property"))
		x.start(davName("prop"))
		x.empty(s.name)
		x.end(davName("prop"))
		x.raw(`<D:description xml:lang="en">`)
		x.text(s.description)
		x.end(davName("description"))
		x.end(davName("principal-search-property"))
	}
	x.end(davName("principal-search-property-set"))
	return q.send(http.StatusOK)
}

// principalSearch is DAV:principal-property-search (RFC 3744 §9.4).
type principalSearch struct {
	want  *selection
	any   bool // whether one matching term is sufficient
	below bool // whether the search is below the request URL, not in the principal collections
	terms []searchTerm
}

// searchTerm is a DAV:property-search, which matches if all properties contain
// the text.
type searchTerm struct {
	names []xml.Name
	text  string
}

func (r *principalSearch) read(body *element, q *request) (err error) {
	if err := q.checkDepthZero(); err != nil {
		return err
	}
	test, _ := body.attr("test") // extension of Apple clients, which send anyof
	r.any = test == "anyof"
	r.below = body.child(davName("apply-to-principal-collection-set")) == nil
	for _, c := range body.children {
		if c.name != davName("property-search") {
			continue
		}
		prop, match := c.child(davName("prop")), c.child(davName("match"))
		if prop == nil || match == nil || len(match.text) > maxText || len(r.terms) == maxFilters {
			return svc.Errorf(svc.MalformedBody, "DAV:property-search requires a DAV:prop and a DAV:match of at most %d octets; at most %d are allowed.", maxText, maxFilters)
		}
		term := searchTerm{text: strings.ToLower(match.value())}
		for _, p := range prop.children {
			term.names = append(term.names, p.name)
		}
		r.terms = append(r.terms, term)
	}
	if len(r.terms) == 0 {
		return svc.Errorf(svc.MalformedBody, "DAV:principal-property-search requires a DAV:property-search.")
	}
	r.want, _, err = q.readSelection(body, false)
	return err
}

func (r *principalSearch) respond(q *request) error {
	return q.multistatusFor(func(x *writer, snap Snapshot, _ *resource, at path) error {
		principal, err := snap.Principal()
		if err != nil || r.below && at.kind&(kindRoot|kindPrincipal) == 0 || !r.matches(principal) {
			return err
		}
		return x.principalResponse(snap, x.member, r.want)
	})
}

func (r *principalSearch) matches(p Principal) bool {
	for _, term := range r.terms {
		if term.matches(p) == r.any {
			return r.any
		}
	}
	return !r.any
}

func (t searchTerm) matches(p Principal) bool {
	for _, name := range t.names {
		found := false
		for _, s := range searchableProperties {
			found = found || s.name == name && strings.Contains(strings.ToLower(s.value(p)), t.text)
		}
		if !found {
			return false
		}
	}
	return true
}
