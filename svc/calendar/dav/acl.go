package dav

import "encoding/xml"

// privilege is a privilege with the privileges that it aggregates (RFC 3744 §3
// and §5.3, RFC 4791 §6.1.1).
type privilege struct {
	name        xml.Name
	description string
	parts       []privilege
}

// allPrivileges is the privilege hierarchy of all resources.
var allPrivileges = privilege{davName("all"), "All privileges", []privilege{
	{davName("read"), "Read", []privilege{
		{calName("read-free-busy"), "Read free-busy information", nil},
	}},
	{davName("read-acl"), "Read the access control list", nil},
	{davName("read-current-user-privilege-set"), "Read the privileges of the current user", nil},
	{davName("write"), "Write", []privilege{
		{davName("write-properties"), "Write properties", nil},
		{davName("write-content"), "Write content", nil},
		{davName("bind"), "Add members", nil},
		{davName("unbind"), "Remove members", nil},
	}},
}}

// supportedPrivileges writes DAV:supported-privilege-set.
func supportedPrivileges(x *writer, _ *resource) bool {
	x.supportedPrivilege(allPrivileges)
	return true
}

func (x *writer) supportedPrivilege(p privilege) {
	x.start(davName("supported-privilege"))
	x.privilege(p.name)
	x.raw(`<D:description xml:lang="en">`)
	x.text(p.description)
	x.end(davName("description"))
	for _, part := range p.parts {
		x.supportedPrivilege(part)
	}
	x.end(davName("supported-privilege"))
}

func (x *writer) privilege(name xml.Name) {
	x.start(davName("privilege"))
	x.empty(name)
	x.end(davName("privilege"))
}

// grantedPrivileges returns the viewer's privileges on the resource: the
// privileges in the table of methods, and the aggregate DAV:write. A read-only
// calendar has none of the write privileges, because Thunderbird offers editing
// if any of them is present.
func (r *resource) grantedPrivileges() []xml.Name {
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

// privileges writes DAV:current-user-privilege-set.
func privileges(x *writer, r *resource) bool {
	for _, name := range r.grantedPrivileges() {
		x.privilege(name)
	}
	return true
}

// accessList writes DAV:acl (RFC 3744 §5.5), one protected entry: the
// privileges of the owner or, on the root, of all authenticated members.
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

// accessRestrictions writes DAV:acl-restrictions (RFC 3744 §5.6).
func accessRestrictions(x *writer, _ *resource) bool {
	x.empty(davName("grant-only"))
	x.empty(davName("no-invert"))
	return true
}

// emptyValue writes an empty value. The property is always defined.
func emptyValue(*writer, *resource) bool { return true }

// acl handles ACL (RFC 3744 §8.1). It rejects each request, because all access
// control entries are protected.
func (q *request) acl() error {
	return forbidden(davName("no-protected-ace-conflict"), "The access control list cannot be changed over WebDAV.")
}
