package dav

import (
	"encoding/xml"
	"io"
	"net/http"
	"strings"

	"appliance/svc"
)

var errLocation = refuse(calName("calendar-collection-location-ok"),
	"A calendar can be made right below the calendar home, at an address of your choice.")

// makeCalendar answers MKCALENDAR (RFC 4791 §5.3.1) and MKCOL with a body
// (RFC 5689 §3), which do the same. The only collections that can be made are
// calendars.
func (q *request) makeCalendar() error {
	if q.at.kind != kindCalendar {
		return errLocation
	}
	p, err := q.readCreation()
	if err != nil {
		return err
	}
	if !p.failed() {
		err = q.h.backend.MakeCalendar(q.Context(), q.viewer, q.at.segment, p.set)
		switch {
		case err == nil:
			q.w.Header().Set("Cache-Control", "no-cache") // RFC 4791 §5.3.1
			q.w.WriteHeader(http.StatusCreated)
			return nil
		case svc.KindOf(err) == svc.Clash:
			return q.occupied()
		case !p.blame(err):
			return err
		}
	}
	// Not 207, which RFC 4791 §5.3.1.1 would allow: clients that look at the
	// status alone would believe in a calendar that is not there.
	root := davName("mkcol-response")
	if q.Method == "MKCALENDAR" {
		root = calName("mkcalendar-response")
	}
	x := q.document()
	x.root(root)
	x.propstats(p)
	x.end(root)
	return q.send(http.StatusForbidden)
}

// occupied refuses to make what exists already, with the status that each of
// the two methods has for it (RFC 4918 §9.3.1, RFC 4791 §5.3.1).
func (q *request) occupied() error {
	e := refuse(davName("resource-must-be-null"), "There is a calendar at this address already.")
	if q.Method == "MKCOL" {
		e.Status = http.StatusMethodNotAllowed
		q.w.Header().Set("Allow", q.allow())
	}
	return e
}

// readCreation reads the properties of the new calendar. MKCALENDAR needs no
// body. MKCOL needs one with a resourcetype, or it would make a collection.
func (q *request) readCreation() (*patch, error) {
	p := &patch{on: kindCalendar, creation: true}
	media, _, _ := strings.Cut(q.Header.Get("Content-Type"), ";")
	if media != "" && q.ContentLength != 0 && !strings.HasSuffix(strings.TrimSpace(media), "xml") {
		return nil, svc.Errorf(svc.UnsupportedMedia, "The body of %s is XML.", q.Method)
	}
	body, err := q.body()
	if err == io.EOF {
		body = &element{name: calName("mkcalendar")}
	} else if err != nil {
		return nil, err
	}
	if body.name != calName("mkcalendar") && body.name != davName("mkcol") {
		return nil, svc.Errorf(svc.UnsupportedMedia, "The body of MKCALENDAR is a CALDAV:mkcalendar, that of MKCOL a DAV:mkcol.")
	}
	if err := p.read(body); err != nil {
		return nil, err
	}
	if q.Method == "MKCOL" && !p.has(davName("resourcetype")) {
		return nil, errType
	}
	return p, nil
}

// has reports whether there was an instruction for the property.
func (p *patch) has(name xml.Name) bool {
	for _, o := range p.outcomes {
		if o.name == name {
			return true
		}
	}
	return false
}
