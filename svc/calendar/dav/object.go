package dav

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// maxResource is the largest calendar object, published as
// CALDAV:max-resource-size. A larger body is read to its end and refused with
// that name; beyond maxPut it is not even read.
const (
	maxResource = ics.MaxSize
	maxPut      = 8 << 20
)

// get answers GET and HEAD with the octets that a client PUT, and with their
// conditions and ranges as net/http reads them (RFC 9110 §13 and §14).
func (q *request) get() error {
	var r resource
	err := q.view(func(t Tree) error {
		o, err := objectAt(t, q.at, true)
		r.object = &o
		return err
	})
	if err != nil {
		return err
	}
	h := q.w.Header()
	h.Set("Content-Type", contentType(&r))
	h.Set("ETag", r.object.ETag)
	http.ServeContent(q.w, q.Request, "", r.object.Modified, bytes.NewReader(r.object.Data))
	return nil
}

// put answers PUT (RFC 4791 §5.3.2).
func (q *request) put() error {
	if q.at.kind == kindCalendar {
		return &Error{Status: http.StatusConflict, Message: "This is a calendar. Put the object at an address below it."}
	}
	ok, err := readConditions(q.Header)
	if err != nil {
		return err
	}
	raw, err := q.readObject()
	if err != nil {
		return err
	}
	object, err := ics.Parse(raw)
	if err != nil {
		return err
	}
	written, err := q.h.backend.Put(q.Context(), q.viewer, q.at.segment, q.at.name, object, ok.check)
	if svc.KindOf(err) == svc.Missing { // RFC 4918 §9.7.1
		return &Error{Status: http.StatusConflict, Message: "There is no such calendar to put it into."}
	}
	if err != nil {
		return err
	}
	if written.ETag != "" {
		q.w.Header().Set("ETag", written.ETag)
	}
	if written.Created {
		q.w.WriteHeader(http.StatusCreated)
	} else {
		q.w.WriteHeader(http.StatusNoContent)
	}
	return nil
}

// readObject reads the body of a PUT.
func (q *request) readObject() ([]byte, error) {
	media, _, _ := strings.Cut(q.Header.Get("Content-Type"), ";")
	if media = strings.TrimSpace(media); media != "" && !strings.EqualFold(media, "text/calendar") {
		e := refuse(calName("supported-calendar-data"), "A calendar takes text/calendar, not %s.", media)
		e.Status = http.StatusUnsupportedMediaType
		return nil, e
	}
	if q.Header.Get("Content-Range") != "" { // RFC 9110 §14.5
		return nil, svc.Errorf(svc.InvalidParameter, "An object is put as a whole, not in ranges.")
	}
	if q.ContentLength > maxPut {
		return nil, errTooLarge
	}
	body := http.MaxBytesReader(q.w, q.Body, maxPut)
	raw, err := io.ReadAll(io.LimitReader(body, maxResource+1))
	if err == nil && len(raw) > maxResource {
		// The client hears of it only when it has sent everything.
		if _, err = io.Copy(io.Discard, body); err == nil {
			return nil, refuse(calName("max-resource-size"), "A calendar object may have up to %d octets.", maxResource)
		}
	}
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		return nil, errTooLarge
	}
	if err != nil {
		return nil, svc.Errorf(svc.MalformedBody, "The body of the request did not arrive.").Because(err)
	}
	return raw, nil
}

var errTooLarge = svc.Errorf(svc.BodyTooLarge, "A calendar object may have up to %d octets.", maxResource)

// delete answers DELETE (RFC 4918 §9.6).
func (q *request) delete() error {
	ok, err := readConditions(q.Header)
	if err != nil {
		return err
	}
	if q.at.kind == kindCalendar {
		if err = ok.check(untagged); err == nil {
			err = q.h.backend.DeleteCalendar(q.Context(), q.viewer, q.at.segment)
		}
	} else {
		err = q.h.backend.Delete(q.Context(), q.viewer, q.at.segment, q.at.name, ok.check)
	}
	if err != nil {
		return err
	}
	q.w.WriteHeader(http.StatusNoContent)
	return nil
}
