package dav

import (
	"strings"

	"appliance/svc"
)

// maxIfConditions limits the conditions of an If header, each of which may
// require the lookup of a resource.
const maxIfConditions = 64

// ifList is a list of conditions in an If header. It holds if all its
// conditions hold (RFC 4918 §10.4.2).
type ifList struct {
	resource   string // URL of its resource; "" is that of the request
	conditions []ifCondition
}

// ifCondition is a state token or an entity tag, possibly negated.
type ifCondition struct {
	not   bool
	token string // "" if it is an entity tag
	tag   entityTag
}

// parseIf parses an If header, which holds if one of its lists holds. Locks are
// not implemented, so the only valid state tokens are sync tokens of
// collections (RFC 6578 §5).
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
	`The If header must consist of lists such as (<token> ["etag"]), with the <URL> of a resource before the lists or before none.`)

// cutURL cuts a URL in angle brackets and the following spaces off s.
func cutURL(s string) (url, rest string, ok bool) {
	url, rest, ok = strings.Cut(s[1:], ">")
	return url, strings.TrimLeft(rest, " \t"), ok && url != "" && !strings.ContainsAny(url, "< \t")
}

// cutList cuts a list in parentheses and the following spaces off s.
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

// cutTag cuts an entity tag in square brackets and the following spaces off s.
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
