package dav

import (
	"encoding/xml"
	"io"
	"net/http"
	"time"

	"appliance/svc"
)

// report is a REPORT, selected by the root element of the body.
type report interface {
	read(body *element, q *request) error
	respond(q *request) error
}

// reports is the table of REPORTs, with the kinds of resources that support
// them. DAV:supported-report-set is computed from it (RFC 3253 §3.1.5).
var reports = []struct {
	name xml.Name
	on   kind
	new  func() report
}{
	{davName("expand-property"), kindAny, func() report { return new(expandProperty) }},                                  // RFC 3253 §3.8
	{davName("acl-principal-prop-set"), kindAny, func() report { return new(aclPrincipals) }},                            // RFC 3744 §9.2
	{davName("principal-match"), kindCollection, func() report { return new(principalMatch) }},                           // RFC 3744 §9.3
	{davName("principal-property-search"), kindCollection, func() report { return new(principalSearch) }},                // RFC 3744 §9.4
	{davName("principal-search-property-set"), kindCollection, func() report { return new(principalSearchPropertySet) }}, // RFC 3744 §9.5
	{davName("sync-collection"), kindHome | kindCalendar, func() report { return new(syncCollection) }},                  // RFC 6578 §3.2
	{calName("free-busy-query"), kindPrincipal | kindHome | kindCalendar, func() report { return new(freeBusyQuery) }},   // RFC 4791 §7.10
	{calName("calendar-query"), kindHome | kindCalendar | kindObject, func() report { return new(calendarQuery) }},       // RFC 4791 §7.8
	{calName("calendar-multiget"), kindHome | kindCalendar | kindObject, func() report { return new(calendarMultiget) }}, // RFC 4791 §7.9
}

// report handles REPORT (RFC 3253 §3.6).
func (q *request) report() error {
	body, err := q.body()
	if err == io.EOF {
		return svc.Errorf(svc.MalformedBody, "REPORT requires a body that names the report.")
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
			return r.respond(q)
		}
	}
	return forbidden(davName("supported-report"), "The report %s is not supported on this resource.", body.name.Local)
}

// multistatusFor responds with a DAV:multistatus whose content
// responses writes for the resource of the request.
func (q *request) multistatusFor(responses func(x *writer, snap Snapshot, c *resource, at path) error) error {
	return q.multistatus(func(snap Snapshot, x *writer) error {
		c, err := findOne(snap, q.at)
		if err != nil {
			return err
		}
		return responses(x, snap, &c, q.at)
	})
}

// readReportProperties parses the properties and the calendar data that a
// report requests. DAV:prop is optional (RFC 4791 §9.5).
func (q *request) readReportProperties(body *element) (*selection, error) {
	want, _, err := q.readSelection(body, true)
	if err != nil {
		return nil, err
	}
	if prop := body.child(davName("prop")); prop != nil {
		if c := prop.child(calendarData.name); c != nil {
			want.data, err = q.readDataSpec(c)
		}
	}
	return want, err
}

// maxBatchOctets limits the octets of data that are in memory at once.
const maxBatchOctets = 4 << 20

// objects writes a response for each of the objects of the calendar c, whose data
// is not loaded. Floating times are interpreted in zone; nil means the zone of
// the calendar.
func (x *writer) objects(snap Snapshot, c *resource, list []Object, want *selection, zone *time.Location) (err error) {
	var dead map[string][]DeadProperty
	if want.dead {
		if dead, err = snap.MemberDeadProperties(Ref{Segment: c.segment}); err != nil {
			return err
		}
	}
	if want.data != nil && !want.data.isIdentity() && zone == nil {
		if zone, err = zoneOf(want.data.work, snap, c.calendar); err != nil {
			return err
		}
	}
	for len(list) > 0 {
		batch := list
		if want.data != nil {
			if batch, err = loadBatch(snap, list); err != nil {
				return err
			}
		}
		if err := x.batch(c, batch, want, zone, dead); err != nil {
			return err
		}
		list = list[len(batch):]
	}
	return nil
}

// batch writes a response for each of the objects, whose data is loaded and
// transformed first. dead contains their dead properties by name.
func (x *writer) batch(c *resource, batch []Object, want *selection, zone *time.Location, dead map[string][]DeadProperty) error {
	for len(batch) > 0 {
		ready, tooLarge := batch, []bool(nil)
		if want.data != nil && !want.data.isIdentity() {
			var err error
			if ready, tooLarge, err = want.data.transformBatch(batch, zone); err != nil {
				return err
			}
		}
		batch = batch[len(ready):]
		for i := range ready {
			r := objectResource(c, &ready[i])
			r.dead = dead[r.name]
			if tooLarge != nil && tooLarge[i] {
				x.truncatedResponse(r.path)
			} else if err := x.response(&r, want); err != nil {
				return err
			}
			r.object.Data = nil // release the memory
		}
	}
	return nil
}

// loadBatch loads the data of the first objects of list, up to maxBatchOctets, and
// returns those objects.
func loadBatch(snap Snapshot, list []Object) ([]Object, error) {
	n, octets := 0, 0
	for ; n < len(list) && (n == 0 || octets+list[n].Size <= maxBatchOctets); n++ {
		octets += list[n].Size
	}
	data, err := snap.ObjectData(list[:n])
	for i := range data {
		list[i].Data = data[i]
	}
	return list[:n], err
}

// notFoundResponse writes the response for an href without a resource.
func (x *writer) notFoundResponse(href string) error {
	x.start(davName("response"))
	x.element(davName("href"), href)
	x.statusLine(http.StatusNotFound)
	x.end(davName("response"))
	return x.flushIfLarge()
}
