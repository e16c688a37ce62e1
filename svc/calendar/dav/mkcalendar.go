package dav

import (
	"encoding/xml"
	"io"
	"net/http"
	"strings"

	"appliance/svc"
)

var errLocation = forbidden(calName("calendar-collection-location-ok"),
	"A calendar can be made right below the calendar home, at an address of your choice.")

// makeCalendar answers MKCALENDAR (RFC 4791 §5.3.1).
func (q *request) makeCalendar() error {
	p, err := q.readNewCollection(calName("mkcalendar"))
	if err != nil {
		return err
	}
	switch q.at.kind {
	case kindFolder:
		return q.alreadyExists()
	case kindHome, kindFile:
		return errLocation
	}
	return q.createCollection(p, calName("mkcalendar-response"))
}

// makeCollection answers MKCOL: without a body, or with the type of a plain
// collection, it makes one of those (RFC 4918 §9.3), and with that of a
// calendar a calendar (RFC 5689 §3).
func (q *request) makeCollection() error {
	p, err := q.readNewCollection(davName("mkcol"))
	if err != nil {
		return err
	}
	switch {
	case q.at.kind == kindHome:
		return q.alreadyExists()
	case p.kind == kindCalendar && q.at.name != "":
		return errLocation
	}
	return q.createCollection(p, davName("mkcol-response"))
}

// createCollection makes the collection of p, and answers with response if it cannot.
func (q *request) createCollection(p *patch, response xml.Name) error {
	ok, err := q.precondition()
	if err != nil {
		return err
	}
	if !p.failed() {
		if p.kind == kindCalendar {
			err = q.h.backend.MakeCalendar(q.Context(), q.viewer, q.at.segment, p.set, ok)
		} else {
			at := q.at.ref()
			at.File = true
			err = q.h.backend.MakeCollection(q.Context(), q.viewer, at, p.set, ok)
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
	// Not 207, which RFC 4791 §5.3.1.1 would allow: clients that look at the
	// status alone would believe in a calendar that is not there.
	x := q.newDocument()
	x.root(response)
	x.propstats(p)
	x.end(response)
	return q.send(http.StatusForbidden)
}

// alreadyExists refuses to make what exists already, with the status that each of
// the two methods has for it (RFC 4918 §9.3.1, RFC 4791 §5.3.1).
func (q *request) alreadyExists() error {
	e := forbidden(davName("resource-must-be-null"), "There is something at this address already.")
	if q.Method == "MKCOL" {
		e.Status = http.StatusMethodNotAllowed
		q.w.Header().Set("Allow", q.allow())
	}
	return e
}

// readNewCollection reads the properties of the new collection, whose root may be
// that of the other method too. Neither method needs a body.
func (q *request) readNewCollection(root xml.Name) (*patch, error) {
	p := &patch{kind: kindCalendar, creation: true}
	media, _, _ := strings.Cut(q.Header.Get("Content-Type"), ";")
	if media != "" && q.ContentLength != 0 && !strings.HasSuffix(strings.TrimSpace(media), "xml") {
		return nil, svc.Errorf(svc.UnsupportedMedia, "The body of %s is XML.", q.Method)
	}
	body, err := q.body()
	if err == io.EOF {
		body = &element{name: root}
	} else if err != nil {
		return nil, err
	}
	if body.name != calName("mkcalendar") && body.name != davName("mkcol") {
		return nil, svc.Errorf(svc.UnsupportedMedia, "The body of MKCALENDAR is a CALDAV:mkcalendar, that of MKCOL a DAV:mkcol.")
	}
	if q.Method == "MKCOL" && !wantsCalendar(body) {
		p.kind = kindFolder
	}
	return p, p.read(body)
}

// wantsCalendar reports whether the type of the new collection is another than
// that of a plain one.
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
