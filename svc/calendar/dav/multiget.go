package dav

import (
	"net/url"

	"appliance/svc"
)

// maxHrefs limits the objects of a calendar-multiget.
const maxHrefs = 20_000

// calendarMultiget is CALDAV:calendar-multiget (RFC 4791 §7.9). On a home it covers
// the objects of all calendars.
type calendarMultiget struct {
	want *selection
	list []target
}

// target is the resolved form of a requested href.
type target struct {
	segment, name string // of the object; "" if the href is not in the scope of the report
	href          string // in the form that the response contains
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
		return svc.Errorf(svc.MalformedBody, "CALDAV:calendar-multiget requires at least one DAV:href.")
	}
	if len(r.list) > maxHrefs {
		return forbidden(davName("number-of-matches-within-limits"), "CALDAV:calendar-multiget may request at most %d objects.", maxHrefs)
	}
	r.want, err = q.readReportProperties(body)
	return err
}

// parseHref parses a path or a URL in any encoding. It ignores the host, which
// may be different behind a proxy.
func (q *request) parseHref(href string) (p path, ok bool) {
	u, err := url.Parse(href)
	if err != nil {
		return path{}, false
	}
	return parsePath(q.h.prefix, u.EscapedPath())
}

// resolve returns the object that href identifies, if it is in the scope of the
// report.
func (q *request) resolve(href string) target {
	p, ok := q.parseHref(href)
	switch {
	case !ok, p.kind != kindObject, p.member != q.at.member,
		q.at.kind != kindHome && p.segment != q.at.segment,
		q.at.kind == kindObject && p.name != q.at.name:
		return target{href: href}
	}
	return target{p.segment, p.name, p.href(q.h.escaped)}
}

func (r *calendarMultiget) respond(q *request) error { return q.multistatusFor(r.responses) }

// responses writes the objects found, calendar by calendar in the order requested,
// then the hrefs not found.
func (r *calendarMultiget) responses(x *writer, snap Snapshot, collection *resource, at path) error {
	var segments []string
	names := make(map[string][]string)
	for _, one := range r.list {
		if one.name == "" {
			continue
		}
		if names[one.segment] == nil {
			segments = append(segments, one.segment)
		}
		names[one.segment] = append(names[one.segment], one.name)
	}
	exists := make(map[target]bool)
	for _, segment := range segments {
		c := *collection
		if at.kind == kindHome {
			var err error
			c, err = findOne(snap, path{kind: kindCalendar, member: at.member, segment: segment})
			if svc.KindOf(err) == svc.Missing {
				continue
			} else if err != nil {
				return err
			}
		}
		found, err := snap.ObjectsByName(segment, names[segment], false)
		if err == nil {
			err = x.objects(snap, &c, found, r.want, nil)
		}
		if err != nil {
			return err
		}
		for _, o := range found {
			exists[target{segment: segment, name: o.Name}] = true
		}
	}
	for _, one := range r.list {
		if !exists[target{segment: one.segment, name: one.name}] {
			if err := x.notFoundResponse(one.href); err != nil {
				return err
			}
		}
	}
	return nil
}
