package dav

import (
	"strings"

	"appliance/svc"
)

// maxIfConditions bounds the conditions of an If header: each may name a resource
// that has to be looked up.
const maxIfConditions = 64

// ifList is one list of an If header, all of whose conditions have to hold
// (RFC 4918 §10.4.2).
type ifList struct {
	resource   string // URL of what it is about; "" is the resource of the request
	conditions []ifCondition
}

// ifCondition is one condition: a state token or an entity tag.
type ifCondition struct {
	not   bool
	token string // "" if it is a tag
	tag   entityTag
}

// parseIf reads an If header. Of its lists one has to hold. There are no
// locks here: the only state tokens that are ever true are sync tokens, of the
// collection that they are about (RFC 6578 §5).
func parseIf(s string) ([]ifList, error) {
	if s = strings.TrimSpace(s); s == "" {
		return nil, nil
	}
	var lists []ifList
	resource, n := "", 0
	tagged := s[0] == '<'
	for s != "" {
		var ok bool
		if s[0] == '<' {
			if resource, s, ok = cutURL(s); !ok || !tagged || s == "" || s[0] != '(' {
				return nil, errIfSyntax
			}
		}
		list := ifList{resource: resource}
		if list.conditions, s, ok = cutList(s); !ok {
			return nil, errIfSyntax
		}
		if n += len(list.conditions); n > maxIfConditions {
			return nil, svc.Errorf(svc.InvalidParameter, "The If header has more than %d conditions.", maxIfConditions)
		}
		lists = append(lists, list)
	}
	return lists, nil
}

var errIfSyntax = svc.Errorf(svc.InvalidParameter,
	`The If header is a series of lists such as (<token> ["etag"]), either each after the <URL> of a resource or none of them.`)

// cutURL cuts a URL in angle brackets, and the spaces after it, off s.
func cutURL(s string) (url, rest string, ok bool) {
	url, rest, ok = strings.Cut(s[1:], ">")
	return url, strings.TrimLeft(rest, " \t"), ok && url != "" && !strings.ContainsAny(url, "< \t")
}

// cutList cuts a list in parentheses, and the spaces after it, off s.
func cutList(s string) (list []ifCondition, rest string, ok bool) {
	if s == "" || s[0] != '(' {
		return nil, s, false
	}
	for s = strings.TrimLeft(s[1:], " \t"); s != "" && s[0] != ')'; {
		var c ifCondition
		if len(s) > 3 && strings.EqualFold(s[:3], "not") {
			c.not, s = true, strings.TrimLeft(s[3:], " \t")
		}
		switch {
		case s != "" && s[0] == '<':
			c.token, s, ok = cutURL(s)
		case s != "" && s[0] == '[':
			c.tag, s, ok = cutTag(s)
		default:
			ok = false
		}
		if !ok {
			return nil, s, false
		}
		list = append(list, c)
	}
	if s == "" || len(list) == 0 {
		return nil, s, false
	}
	return list, strings.TrimLeft(s[1:], " \t"), true
}

// cutTag cuts an entity tag in square brackets, and the spaces after it, off s.
func cutTag(s string) (tag entityTag, rest string, ok bool) {
	s, tag.weak = strings.CutPrefix(s[1:], "W/")
	if !strings.HasPrefix(s, `"`) {
		return tag, s, false
	}
	opaque, rest, ok := strings.Cut(s[1:], `"`)
	if tag.opaque = `"` + opaque + `"`; !ok || !strings.HasPrefix(rest, "]") {
		return tag, s, false
	}
	return tag, strings.TrimLeft(rest[1:], " \t"), true
}
