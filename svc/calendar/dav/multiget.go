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
		return refuse(davName("number-of-matches-within-limits"), "Ask for up to %d objects at once.", maxHrefs)
	}
	r.want, err = q.readReported(body)
	return err
}

// resolve finds the object that a href means: a path or a whole URL, escaped
// in whatever way, of something in the calendar that is asked. The host is not
// looked at: behind a proxy it may have another name.
func (q *request) resolve(href string) target {
	u, err := url.Parse(href)
	if err != nil {
		return target{href: href}
	}
	p, ok := parsePath(q.h.prefix, u.EscapedPath())
	if !ok || p.kind != kindObject || p.member != q.at.member || p.segment != q.at.segment {
		return target{href: href}
	}
	if q.at.kind == kindObject && p.name != q.at.name {
		return target{href: href}
	}
	return target{name: p.name, href: p.href(q.h.escaped)}
}

func (r *calendarMultiget) run(q *request) error {
	var c resource
	err := q.view(func(t Tree) (err error) {
		c, err = findOne(t, q.at)
		return err
	})
	if err != nil {
		return err
	}
	x := q.multistatus()
	if err := q.targets(x, &c, r.list, r.want); err != nil {
		return err
	}
	return x.close()
}
