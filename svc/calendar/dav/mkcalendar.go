package dav

import (
	"encoding/xml"
	"io"
	"net/http"
	"strings"

	"appliance/svc"
)

var errLocation = forbidden(calName("calendar-collection-location-ok"),
	"A calendar can only be created directly in the calendar home.")

// makeCalendar handles MKCALENDAR (RFC 4791 §5.3.1).
func (q *request) makeCalendar() error {
	p, err := q.readNewCollection(calName("mkcalendar"))
	if err != nil {
		return err
	}
	if q.at.kind == kindFile {
		return errLocation
	}
	return q.createCollection(p)
}

// makeCollection handles MKCOL. Without a body, or with the resource type of a
// plain collection, it creates a folder (RFC 4918 §9.3); with that of a
// calendar, it creates a calendar (RFC 5689 §3).
func (q *request) makeCollection() error {
	p, err := q.readNewCollection(davName("mkcol"))
	if err != nil {
		return err
	}
	if p.kind == kindCalendar && q.at.name != "" {
		return errLocation
	}
	return q.createCollection(p)
}

// createCollection creates the collection described by p. If a property is
// rejected, nothing is created, and the response names the property.
func (q *request) createCollection(p *patch) error {
	precondition, err := q.precondition()
	if err != nil {
		return err
	}
	if !p.hasFailed() {
		if p.kind == kindCalendar {
			err = q.h.backend.MakeCalendar(q.Context(), q.viewer, q.at.segment, p.set, precondition)
		} else {
			at := q.at.ref()
			at.File = true
			err = q.h.backend.MakeCollection(q.Context(), q.viewer, at, p.set, precondition)
		}
		switch {
		case err == nil:
			q.w.Header().Set("Cache-Control", "no-cache") // RFC 4791 §5.3.1
			q.w.WriteHeader(http.StatusCreated)
			return nil
		case svc.KindOf(err) == svc.Conflict:
			return q.alreadyExists()
		case !p.assignErrors(err):
			return err
		}
	}
	if q.Method == "MKCALENDAR" { // RFC 4791 §5.3.1.1
		return q.sendOutcomes(p)
	}
	x := q.newDocument() // RFC 5689 §3
	x.root(davName("mkcol-response"))
	x.propstats(p)
	x.end(davName("mkcol-response"))
	return q.send(http.StatusForbidden)
}

// requireAbsent returns an error if the resource exists. This error comes before
// those of the body and of its properties (RFC 4791 §5.3.1.1).
func (q *request) requireAbsent() error {
	return q.view(func(snap Snapshot) error {
		_, err := findOne(snap, q.at)
		switch {
		case err == nil:
			return q.alreadyExists()
		case svc.KindOf(err) == svc.Missing:
			return nil
		}
		return err
	})
}

// alreadyExists returns the error for an existing resource, with the status
// that RFC 4918 §9.3.1 defines for MKCOL and RFC 4791 §5.3.1 for MKCALENDAR.
func (q *request) alreadyExists() error {
	e := forbidden(davName("resource-must-be-null"), "A resource with this URL already exists.")
	if q.Method == "MKCOL" {
		e.Status = http.StatusMethodNotAllowed
		q.w.Header().Set("Allow", q.allowHeader())
	}
	return e
}

// readNewCollection parses the properties of the new collection. The body is
// optional, and its root element may be that of MKCALENDAR or of MKCOL. Clients
// send the XML of MKCALENDAR with various media types.
func (q *request) readNewCollection(root xml.Name) (*patch, error) {
	if err := q.requireAbsent(); err != nil {
		return nil, err
	}
	p := &patch{kind: kindCalendar, creation: true, set: PropertyUpdate{work: svc.WorkOf(q.Context())}}
	media, _, _ := strings.Cut(q.Header.Get("Content-Type"), ";")
	if q.Method == "MKCOL" && media != "" && q.ContentLength != 0 && !strings.HasSuffix(strings.TrimSpace(media), "xml") { // RFC 4918 §9.3
		return nil, svc.Errorf(svc.UnsupportedMedia, "The body of MKCOL must be XML.")
	}
	body, err := q.body()
	if err == io.EOF {
		body = &element{name: root}
	} else if err != nil {
		return nil, err
	}
	if body.name != calName("mkcalendar") && body.name != davName("mkcol") {
		return nil, svc.Errorf(svc.UnsupportedMedia, "The body of MKCALENDAR must be CALDAV:mkcalendar, that of MKCOL DAV:mkcol.")
	}
	if q.Method == "MKCOL" && !wantsCalendar(body) {
		p.kind = kindFolder
	}
	return p, p.read(body)
}

// wantsCalendar reports whether the DAV:resourcetype of the new collection is not
// that of a plain collection.
func wantsCalendar(body *element) bool {
	for _, set := range body.children {
		prop := set.child(davName("prop"))
		if prop == nil {
			continue
		}
		if t := prop.child(davName("resourcetype")); t != nil {
			return len(t.children) != 1 || t.children[0].name != davName("collection")
		}
	}
	return false
}
