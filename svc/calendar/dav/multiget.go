package dav

import (
	"net/url"

	"appliance/svc"
)

// maxHrefs bounds a calendar-multiget.
const maxHrefs = 20_000

// calendarMultiget is CALDAV:calendar-multiget (RFC 4791 §7.9).
type calendarMultiget struct {
	want *selection
	list []target
}

// target is what a href means: an object by its name, or nothing.
type target struct {
	name string // "" for nothing
	href string // as the response has it
}

func (r *calendarMultiget) read(body *element, q *request) (err error) {
	seen := make(map[target]bool)
	for _, c := range body.children {
		if c.name != davName("href") {
			continue
		}
		if m := q.resolve(c.value()); !seen[m] {
			seen[m] = true
			r.list = append(r.list, m)
		}
	}
	if len(r.list) == 0 {
		return svc.Errorf(svc.MalformedBody, "A calendar-multiget has a DAV:href for each object.")
	}
	if len(r.list) > maxHrefs {
		return forbidden(davName("number-of-matches-within-limits"), "Ask for up to %d objects at once.", maxHrefs)
	}
	r.want, err = q.readReportProperties(body)
	return err
}

// parseHref reads a path or a whole URL, escaped in whatever way. The host is
// not looked at: behind a proxy it may have another name.
func (q *request) parseHref(href string) (p path, ok bool) {
	u, err := url.Parse(href)
	if err != nil {
		return path{}, false
	}
	return parsePath(q.h.prefix, u.EscapedPath())
}

// resolve finds the object that a href means, if it is in the calendar that is
// asked.
func (q *request) resolve(href string) target {
	p, ok := q.parseHref(href)
	if !ok || p.kind != kindObject || p.member != q.at.member || p.segment != q.at.segment {
		return target{href: href}
	}
	if q.at.kind == kindObject && p.name != q.at.name {
		return target{href: href}
	}
	return target{name: p.name, href: p.href(q.h.escaped)}
}

func (r *calendarMultiget) answer(q *request) error { return q.multistatusFor(r.responses) }

// responses writes first what there is, in the order in which it was asked for.
func (r *calendarMultiget) responses(x *writer, t Snapshot, c *resource, _ path) error {
	var names []string
	for _, one := range r.list {
		if one.name != "" {
			names = append(names, one.name)
		}
	}
	found, err := t.ObjectsByName(c.segment, names, false)
	if err != nil {
		return err
	}
	if err := x.objects(t, c, found, r.want, nil); err != nil {
		return err
	}
	there := make(map[string]bool, len(found))
	for _, o := range found {
		there[o.Name] = true
	}
	for _, one := range r.list {
		if !there[one.name] {
			if err := x.notFoundResponse(one.href); err != nil {
				return err
			}
		}
	}
	return nil
}
