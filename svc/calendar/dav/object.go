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

// maxResource limits a calendar object or a file, and is published as
// CALDAV:max-resource-size. A larger body is read to its end and rejected with
// that precondition. A body larger than maxPutBody is not read.
const (
	maxResource = ics.MaxSize
	maxPutBody  = 32 << 20 // an event with an attachment of 20 MiB in base64
)

// get handles GET and HEAD. It responds with the octets of the PUT; net/http
// evaluates conditions and ranges (RFC 9110 §13 and §14).
func (q *request) get() error {
	if q.at.kind == kindCalendar {
		return q.getCalendar()
	}
	r := resource{path: q.at}
	var data []byte
	err := q.view(func(snap Snapshot) error {
		if q.at.kind == kindFile {
			f, err := snap.File(q.at.ref().Path(), true)
			r.file, data = &f, f.Data
			return err
		}
		o, err := objectAt(snap, q.at, true)
		r.object, data = &o, o.Data
		return err
	})
	if err != nil {
		return err
	}
	h := q.w.Header()
	if q.at.kind == kindObject {
		h.Set("Vary", "CalDAV-Timezones")
		if data, err = q.timeZones().apply(svc.WorkOf(q.Context()), data); err != nil {
			return err
		}
	} else {
		// Files are served from the origin of the web application, so browsers
		// must not interpret them as pages.
		h.Set("Content-Disposition", "attachment")
		h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
	}
	h.Set("Content-Type", contentType(&r))
	h.Set("ETag", r.etag())
	http.ServeContent(q.w, q.Request, "", r.modified(), bytes.NewReader(data))
	return nil
}

// getCalendar responds with a calendar as one iCalendar text, the form that
// calendar programs import.
func (q *request) getCalendar() error {
	etags, err := parseETags(q.Header.Values("If-None-Match"))
	if err != nil {
		return err
	}
	text := &svc.Spool{Dir: q.h.dir}
	defer text.Close()
	etag := ""
	ctx := svc.WithTransferWork(q.Context())
	err = q.h.backend.View(ctx, q.viewer, func(snap Snapshot) error {
		c, err := snap.Calendar(q.at.segment)
		if err != nil {
			return err
		}
		if etag = c.ExportETag; etags != nil && etags.matches(etag, true) {
			return nil // net/http responds 304
		}
		return snap.Export(q.at.segment, svc.WorkOf(ctx).Writer(text, 1))
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

// put handles PUT (RFC 4918 §9.7, RFC 4791 §5.3.2).
func (q *request) put() error {
	if q.at.kind == kindCalendar {
		return &Error{Status: http.StatusConflict, Message: "This URL is that of a calendar. PUT the object to a URL below it."}
	}
	precondition, err := q.precondition()
	if err != nil {
		return err
	}
	written, err := q.storeBody(precondition)
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

// post handles POST to a calendar, a PUT for which the server chooses the name
// (RFC 5995).
func (q *request) post() error {
	if !q.exists() {
		return errNotFound
	}
	q.at.kind, q.at.name = kindObject, svc.NewID("tob")+".ics"
	q.w.Header().Set("Location", q.at.href(q.h.escaped))
	err := q.put()
	if err != nil {
		q.w.Header().Del("Location")
	}
	return err
}

// storeBody stores the body at the URL of the request.
func (q *request) storeBody(precondition Precondition) (PutResult, error) {
	if q.at.kind == kindFile {
		data, err := q.readBody()
		if err != nil {
			return PutResult{}, err
		}
		media := q.Header.Get("Content-Type")
		if media == "" || len(media) > maxSegment || svc.CheckLine("type", media, maxSegment) != nil {
			media = "application/octet-stream"
		}
		return q.h.backend.PutFile(q.Context(), q.viewer, q.at.ref(), File{MediaType: media, Data: data}, precondition)
	}
	raw, err := q.readObject()
	if err != nil {
		return PutResult{}, err
	}
	object, err := ics.ParseCounted(svc.WorkOf(q.Context()), raw)
	if err != nil {
		return PutResult{}, err
	}
	if err := object.CheckScales(); err != nil {
		return PutResult{}, err
	}
	if unknown := object.UnknownTZIDs(); len(unknown) > 0 {
		return PutResult{}, forbidden(calName("valid-timezone"), "The time zone %.60q is unknown, and the object has no VTIMEZONE with valid rules for it.", unknown[0])
	}
	return q.h.backend.Put(q.Context(), q.viewer, q.at.ref(), object, precondition)
}

// exists reports whether the resource of the request exists.
func (q *request) exists() bool {
	return q.view(func(snap Snapshot) error {
		_, err := findOne(snap, q.at)
		return err
	}) == nil
}

// sendRepresentation responds to a write with the current representation of the
// resource (RFC 8144 §3).
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

// statusWriter replaces the status 200 by another status.
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

// replyWritten responds 201 Created or 204 No Content.
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
		return nil, forbidden(calName("supported-calendar-data"), "A calendar object must have the media type text/calendar, not %s.", media)
	}
	return q.readBody()
}

// readBody reads the body of a PUT.
func (q *request) readBody() ([]byte, error) {
	if q.Header.Get("Content-Range") != "" { // RFC 9110 §14.5
		return nil, svc.Errorf(svc.InvalidParameter, "PUT with Content-Range is not supported.")
	}
	if q.ContentLength > maxPutBody {
		return nil, errTooLarge
	}
	body := http.MaxBytesReader(q.w, q.Body, maxPutBody)
	raw, err := io.ReadAll(io.LimitReader(body, maxResource+1))
	if err == nil && len(raw) > maxResource {
		// Clients do not read a response before they have sent the whole body.
		if _, err = io.Copy(io.Discard, body); err == nil {
			return nil, forbidden(calName("max-resource-size"), "The resource is too large; the maximum is %d octets.", maxResource)
		}
	}
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		return nil, errTooLarge
	}
	if err != nil {
		return nil, svc.Errorf(svc.MalformedBody, "The request body is incomplete.").WithCause(err)
	}
	return raw, nil
}

var errTooLarge = svc.Errorf(svc.BodyTooLarge, "The resource is too large; the maximum is %d octets.", maxResource)

// delete handles DELETE (RFC 4918 §9.6).
func (q *request) delete() error {
	precondition, err := q.precondition()
	if err != nil {
		return err
	}
	if err := q.h.backend.Delete(q.Context(), q.viewer, q.at.ref(), precondition); err != nil {
		return err
	}
	q.w.WriteHeader(http.StatusNoContent)
	return nil
}
