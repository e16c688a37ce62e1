package dav

import "encoding/xml"

// privilege is a privilege and those that it is made of (RFC 3744 §3 and §5.3,
// RFC 4791 §6.1.1).
type privilege struct {
	name  xml.Name
	about string
	parts []privilege
}

// allPrivileges are all there are, on every resource.
var allPrivileges = privilege{davName("all"), "Everything", []privilege{
	{davName("read"), "Read it", []privilege{
		{calName("read-free-busy"), "See when its owner is busy", nil},
	}},
	{davName("read-acl"), "See who may do what with it", nil},
	{davName("read-current-user-privilege-set"), "See what you may do with it", nil},
	{davName("write"), "Change it", []privilege{
		{davName("write-properties"), "Change its properties", nil},
		{davName("write-content"), "Change what is in it", nil},
		{davName("bind"), "Put something into it", nil},
		{davName("unbind"), "Take something out of it", nil},
	}},
}}

func supportedPrivileges(x *writer, _ *resource) bool {
	x.supported(allPrivileges)
	return true
}

func (x *writer) supported(p privilege) {
	x.start(davName("supported-privilege"))
	x.privilege(p.name)
	x.raw(`<D:description xml:lang="en">`)
	x.text(p.about)
	x.end(davName("description"))
	for _, part := range p.parts {
		x.supported(part)
	}
	x.end(davName("supported-privilege"))
}

func (x *writer) privilege(name xml.Name) {
	x.start(davName("privilege"))
	x.empty(name)
	x.end(davName("privilege"))
}

// granted are the privileges of the member on their resource: those that the
// methods ask for, and the aggregate DAV:write. A calendar that cannot be
// written has no kind of write among them, or Thunderbird would offer to.
func (r *resource) granted() []xml.Name {
	list := []string{"read", "read-acl", "read-current-user-privilege-set"}
	readOnly := r.calendar != nil && r.calendar.ReadOnly
	switch {
	case readOnly:
	case r.kind == kindHome:
		list = append(list, "write-properties", "bind", "unbind")
	case r.kind&(kindCalendar|kindFolder) != 0:
		list = append(list, "write", "write-properties", "write-content", "bind", "unbind")
	case r.kind&kindLeaf != 0:
		list = append(list, "write", "write-properties", "write-content")
	}
	var names []xml.Name
	for _, name := range list {
		names = append(names, davName(name))
	}
	if r.kind&(kindHome|kindCalendar) != 0 {
		names = append(names, calName("read-free-busy"))
	}
	return names
}

func privileges(x *writer, r *resource) bool {
	for _, name := range r.granted() {
		x.privilege(name)
	}
	return true
}

// accessList is the one entry that each list has, which nobody can change
// (RFC 3744 §5.5): the member may do what they may, or whoever has signed in
// may read what is of nobody.
func accessList(x *writer, r *resource) bool {
	x.start(davName("ace"))
	x.start(davName("principal"))
	if r.kind == kindRoot {
		x.empty(davName("authenticated"))
	} else {
		viewerHref(x, r)
	}
	x.end(davName("principal"))
	x.start(davName("grant"))
	privileges(x, r)
	x.end(davName("grant"))
	x.empty(davName("protected"))
	x.end(davName("ace"))
	return true
}

// accessRestrictions says what can be in such a list (RFC 3744 §5.6).
func accessRestrictions(x *writer, _ *resource) bool {
	x.empty(davName("grant-only"))
	x.empty(davName("no-invert"))
	return true
}

// emptyValue is a property that is defined and empty.
func emptyValue(*writer, *resource) bool { return true }

// acl answers ACL (RFC 3744 §8.1): no list can be changed.
func (q *request) acl() error {
	return forbidden(davName("no-protected-ace-conflict"), "Who may do what is not decided by calendar programs.")
}
