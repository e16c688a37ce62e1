package dav

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// maxResource is the largest calendar object or file, published as
// CALDAV:max-resource-size. A larger body is read to its end and refused with
// that name; beyond maxPutBody it is not even read.
const (
	maxResource = ics.MaxSize
	maxPutBody  = 32 << 20 // an attachment of 20 MiB in base64, and its event
)

// get answers GET and HEAD with the octets that a client PUT, and with their
// conditions and ranges as net/http reads them (RFC 9110 §13 and §14).
func (q *request) get() error {
	if q.at.kind == kindCalendar {
		return q.getCalendar()
	}
	r := resource{path: q.at}
	var data []byte
	err := q.view(func(t Snapshot) error {
		if q.at.kind == kindFile {
			f, err := t.File(q.at.ref().Path(), true)
			r.file, data = &f, f.Data
			return err
		}
		o, err := objectAt(t, q.at, true)
		r.object, data = &o, o.Data
		return err
	})
	if err != nil {
		return err
	}
	h := q.w.Header()
	if q.at.kind == kindObject {
		h.Set("Vary", "CalDAV-Timezones")
		if q.omitTimeZones() {
			data = ics.OmitIANATimeZones(data)
		}
	} else {
		// Whatever a member has put here is from the address of the whole server:
		// no browser may take it for a page of it.
		h.Set("Content-Disposition", "attachment")
		h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
	}
	h.Set("Content-Type", contentType(&r))
	h.Set("ETag", r.etag())
	http.ServeContent(q.w, q.Request, "", r.modified(), bytes.NewReader(data))
	return nil
}

// getCalendar answers with a calendar as one iCalendar text, as programs
// import it.
func (q *request) getCalendar() error {
	known, err := parseETags(q.Header.Values("If-None-Match"))
	if err != nil {
		return err
	}
	text := &svc.Spool{Dir: q.h.dir}
	defer text.Close()
	etag := ""
	err = q.view(func(t Snapshot) error {
		c, err := t.Calendar(q.at.segment)
		if err != nil {
			return err
		}
		if etag = c.ExportETag; known != nil && known.matches(etag, true) {
			return nil // net/http comes to the same answer
		}
		return t.Export(q.at.segment, text)
	})
	if err != nil {
		return err
	}
	source, err := text.Reader()
	if err != nil {
		return err
	}
	q.w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	q.w.Header().Set("ETag", etag)
	http.ServeContent(q.w, q.Request, "", time.Time{}, io.NewSectionReader(source, 0, text.Len()))
	return nil
}

// put answers PUT (RFC 4918 §9.7, RFC 4791 §5.3.2).
func (q *request) put() error {
	if q.at.kind == kindCalendar {
		return &Error{Status: http.StatusConflict, Message: "This is a calendar. Put the object at an address below it."}
	}
	ok, err := q.precondition()
	if err != nil {
		return err
	}
	written, err := q.storeBody(ok)
	if svc.KindOf(err) == svc.Missing {
		return ErrNoParent
	}
	if svc.KindOf(err) == svc.Stale && q.prefers("return=representation") && q.exists() { // RFC 8144 §3.2
		return q.sendRepresentation(http.StatusPreconditionFailed)
	}
	if err != nil {
		return err
	}
	if written.ETag != "" {
		q.w.Header().Set("ETag", written.ETag)
	}
	switch {
	case !q.prefers("return=representation"):
		q.replyWritten(written.Created)
	case written.Created:
		return q.sendRepresentation(http.StatusCreated)
	default:
		return q.sendRepresentation(http.StatusOK)
	}
	return nil
}

// post answers POST to a calendar: a PUT whose name is not the client's
// choice (RFC 5995).
func (q *request) post() error {
	q.at.kind, q.at.name = kindObject, svc.NewID("tob")+".ics"
	q.w.Header().Set("Location", q.at.href(q.h.escaped))
	err := q.put()
	if err != nil {
		q.w.Header().Del("Location")
	}
	return err
}

// storeBody puts the body where the request says.
func (q *request) storeBody(ok Precondition) (PutResult, error) {
	if q.at.kind == kindFile {
		data, err := q.readBody()
		if err != nil {
			return PutResult{}, err
		}
		media := q.Header.Get("Content-Type")
		if media == "" || len(media) > maxSegment || svc.CheckLine("type", media, maxSegment) != nil {
			media = "application/octet-stream"
		}
		return q.h.backend.PutFile(q.Context(), q.viewer, q.at.ref(), File{MediaType: media, Data: data}, ok)
	}
	raw, err := q.readObject()
	if err != nil {
		return PutResult{}, err
	}
	object, err := ics.Parse(raw)
	if err != nil {
		return PutResult{}, err
	}
	return q.h.backend.Put(q.Context(), q.viewer, q.at.ref(), object, ok)
}

// exists reports whether there is something at the place of the request.
func (q *request) exists() bool {
	return q.view(func(t Snapshot) error {
		_, err := findOne(t, q.at)
		return err
	}) == nil
}

// sendRepresentation answers a write with what is there now (RFC 8144 §3).
func (q *request) sendRepresentation(status int) error {
	h := q.w.Header()
	q.preferenceApplied("return=representation")
	h.Set("Content-Location", q.at.href(q.h.escaped))
	h.Del("ETag")
	for _, name := range []string{"If", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "Range"} {
		q.Header.Del(name)
	}
	q.w = statusWriter{q.w, status}
	return q.get()
}

// statusWriter is a response that has another status where it would be 200.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w statusWriter) WriteHeader(status int) {
	if status == http.StatusOK {
		status = w.status
	}
	w.ResponseWriter.WriteHeader(status)
}

// replyWritten answers that something has been made, or only changed.
func (q *request) replyWritten(created bool) {
	if created {
		q.w.WriteHeader(http.StatusCreated)
	} else {
		q.w.WriteHeader(http.StatusNoContent)
	}
}

// readObject reads the body of a PUT to a calendar.
func (q *request) readObject() ([]byte, error) {
	media, _, _ := strings.Cut(q.Header.Get("Content-Type"), ";")
	if media = strings.TrimSpace(media); media != "" && !strings.EqualFold(media, "text/calendar") {
		e := forbidden(calName("supported-calendar-data"), "A calendar takes text/calendar, not %s.", media)
		e.Status = http.StatusUnsupportedMediaType
		return nil, e
	}
	return q.readBody()
}

// readBody reads the body of a PUT.
func (q *request) readBody() ([]byte, error) {
	if q.Header.Get("Content-Range") != "" { // RFC 9110 §14.5
		return nil, svc.Errorf(svc.InvalidParameter, "An object is put as a whole, not in ranges.")
	}
	if q.ContentLength > maxPutBody {
		return nil, errTooLarge
	}
	body := http.MaxBytesReader(q.w, q.Body, maxPutBody)
	raw, err := io.ReadAll(io.LimitReader(body, maxResource+1))
	if err == nil && len(raw) > maxResource {
		// The client hears of it only when it has sent everything.
		if _, err = io.Copy(io.Discard, body); err == nil {
			return nil, forbidden(calName("max-resource-size"), "It may have up to %d octets.", maxResource)
		}
	}
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		return nil, errTooLarge
	}
	if err != nil {
		return nil, svc.Errorf(svc.MalformedBody, "The body of the request did not arrive.").WithCause(err)
	}
	return raw, nil
}

var errTooLarge = svc.Errorf(svc.BodyTooLarge, "It may have up to %d octets.", maxResource)

// delete answers DELETE (RFC 4918 §9.6).
func (q *request) delete() error {
	ok, err := q.precondition()
	if err != nil {
		return err
	}
	if err := q.h.backend.Delete(q.Context(), q.viewer, q.at.ref(), ok); err != nil {
		return err
	}
	q.w.WriteHeader(http.StatusNoContent)
	return nil
}
