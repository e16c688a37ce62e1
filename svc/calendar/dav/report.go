package dav

import (
	"encoding/xml"
	"io"
	"net/http"
	"slices"

	"appliance/svc"
)

// report is a REPORT, chosen by the root element of the body.
type report interface {
	read(body *element, q *request) error
	run(q *request) error
}

// reports are all there are, with the resources they work on. The same names
// are advertised in DAV:supported-report-set (RFC 3253 §3.1.5).
var reports = []struct {
	name xml.Name
	on   kind
	new  func() report
}{
	{davName("sync-collection"), kindCalendar, func() report { return new(syncCollection) }},                  // RFC 6578 §3.2
	{calName("calendar-query"), kindCalendar | kindObject, func() report { return new(calendarQuery) }},       // RFC 4791 §7.8
	{calName("calendar-multiget"), kindCalendar | kindObject, func() report { return new(calendarMultiget) }}, // RFC 4791 §7.9
}

// report answers REPORT (RFC 3253 §3.6).
func (q *request) report() error {
	body, err := q.body()
	if err == io.EOF {
		return svc.Errorf(svc.MalformedBody, "A REPORT needs a body that says which.")
	}
	if err != nil {
		return err
	}
	for _, row := range reports {
		if row.name == body.name && row.on&q.at.kind != 0 {
			r := row.new()
			if err := r.read(body, q); err != nil {
				return err
			}
			return r.run(q)
		}
	}
	return refuse(davName("supported-report"), "This resource has no report of the name %s.", body.name.Local)
}

// readReported reads which properties a report is to give, and of what kind
// the calendar data shall be. DAV:prop may be missing (RFC 4791 §9.5).
func (q *request) readReported(body *element) (*selection, error) {
	want, _, err := q.readSelection(body, true)
	if err != nil {
		return nil, err
	}
	if prop := body.child(davName("prop")); prop != nil {
		if c := prop.child(calendarData.name); c != nil {
			media, _ := c.attr("content-type")
			version, _ := c.attr("version")
			if media != "" && media != "text/calendar" || version != "" && version != "2.0" {
				return nil, refuse(calName("supported-calendar-data"), "Calendar data comes as text/calendar 2.0 only.")
			}
		}
	}
	return want, nil
}

// portion is how many objects are read with their data in one transaction,
// and so held in memory.
const portion = 32

// target is an object that a report is to answer for: by its name, or, if
// there is none, by saying that its href leads to nothing. If it has no href
// either, it is left out.
type target struct {
	name, href string
}

// targets writes a response for each of the targets, in their order. The
// portions are separate transactions: a response may take as long as the
// client takes to read it, a transaction may not.
func (q *request) targets(x *writer, c *resource, list []target, want *selection) error {
	for part := range slices.Chunk(list, portion) {
		names := make([]string, 0, len(part))
		for _, one := range part {
			if one.name != "" {
				names = append(names, one.name)
			}
		}
		found := make(map[string]*Object, len(names))
		err := q.view(func(t Tree) error {
			objects, err := t.Named(c.segment, names, want.data)
			for i := range objects {
				found[objects[i].Name] = &objects[i]
			}
			return err
		})
		if err != nil {
			return err
		}
		for _, one := range part {
			var err error
			if o := found[one.name]; o != nil {
				r := inCalendar(c, o)
				err = x.response(&r, want)
			} else if one.href != "" {
				err = x.gone(one.href)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// objects writes a response for each of the objects, which are without data.
// What has gone while their data was read is left out.
func (q *request) objects(x *writer, c *resource, list []Object, want *selection) error {
	if want.data {
		named := make([]target, len(list))
		for i := range list {
			named[i].name = list[i].Name
		}
		return q.targets(x, c, named, want)
	}
	for i := range list {
		r := inCalendar(c, &list[i])
		if err := x.response(&r, want); err != nil {
			return err
		}
	}
	return nil
}

// gone writes the response for a href that leads to nothing.
func (x *writer) gone(href string) error {
	x.start(davName("response"))
	x.element(davName("href"), href)
	x.statusLine(http.StatusNotFound)
	x.end(davName("response"))
	return x.drain()
}
