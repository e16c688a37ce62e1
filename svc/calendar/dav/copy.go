package dav

import (
	"net/http"
	"strings"

	"appliance/svc"
)

// copy handles COPY and MOVE (RFC 4918 §9.8 and §9.9): of objects between
// calendars, of calendars within the home, and of files and folders between
// folders.
func (q *request) copy() error {
	c, err := q.readCopyRequest()
	if err != nil {
		return err
	}
	precondition, err := q.precondition()
	if err != nil {
		return err
	}
	to, err := q.destination()
	if err == ErrNoParent && q.at.kind == kindCalendar {
		err = errLocation // no collection outside of the home can contain a calendar
	}
	if err != nil {
		return err
	}
	c.To = to.ref()
	created, err := q.h.backend.Copy(q.Context(), q.viewer, c, precondition)
	if svc.KindOf(err) == svc.Forbidden && !q.movesFromReadOnly() { // the destination is read-only
		q.at, q.method.privilege = to, "bind"
	}
	if err != nil {
		return err
	}
	q.w.Header().Set("Location", to.href(q.h.escaped))
	q.replyWritten(created)
	return nil
}

// readCopyRequest reads the headers Depth and Overwrite
// (RFC 4918 §10.2 and §10.6).
func (q *request) readCopyRequest() (CopyRequest, error) {
	c := CopyRequest{From: q.at.ref(), Move: q.Method == "MOVE"}
	depth, err := q.depth(infinity)
	if err != nil {
		return c, err
	}
	c.Shallow = depth == 0
	if q.at.kind&(kindFolder|kindCalendar) != 0 && (depth == 1 || c.Move && c.Shallow) {
		return c, svc.Errorf(svc.InvalidParameter, "Depth must be 0 or infinity to copy a collection, and infinity to move one.")
	}
	switch strings.ToUpper(q.Header.Get("Overwrite")) {
	case "F":
	case "", "T":
		c.Replace = true
	default:
		return c, svc.Errorf(svc.InvalidParameter, `Overwrite must be "T" or "F".`)
	}
	return c, nil
}

// destination returns the path of the Destination header (RFC 4918 §10.3), or
// an error if the resource of the request cannot be copied to it.
func (q *request) destination() (path, error) {
	to, err := q.parseDestination()
	if err != nil {
		return to, err
	}
	calendarExists := false
	err = q.view(func(snap Snapshot) (err error) {
		if to, err = resolveKind(snap, to); err == nil && to.kind == kindCalendar {
			_, err := snap.Calendar(to.segment)
			calendarExists = err == nil
		}
		return err
	})
	if err == errNotFound {
		return to, ErrNoParent
	}
	if err != nil {
		return to, err
	}
	newFolder := to.kind == kindCalendar && q.at.kind == kindFolder && !calendarExists
	inFolder := to.kind&(kindFolder|kindFile) != 0 && q.at.ref().File
	if newFolder || inFolder {
		to.kind = q.at.kind
	}
	return to, q.checkDestination(to)
}

// parseDestination returns the path of the Destination header. Its kind is not
// resolved.
func (q *request) parseDestination() (path, error) {
	value := q.Header.Get("Destination")
	if value == "" {
		return path{}, svc.Errorf(svc.InvalidParameter, "%s requires a Destination header.", q.Method)
	}
	to, ok := q.parseHref(value)
	if !ok && !q.hasPrefix(value) {
		return to, &Error{Status: http.StatusBadGateway, Message: "The Destination is not on this server."}
	}
	if !ok || to.kind&(kindRoot|kindPrincipal) == 0 && to.member != q.viewer.Member() {
		return to, ErrNoParent
	}
	return to, nil
}

// checkDestination returns an error unless the resource of the request can be
// copied to a destination.
func (q *request) checkDestination(to path) error {
	switch {
	case to == q.at || isBelow(to, q.at) || isBelow(q.at, to):
		return &Error{Status: http.StatusForbidden, Message: "The Destination is the source, or one of them contains the other."}
	case q.at.kind == kindCalendar:
		if to.kind != kindCalendar {
			return errLocation // RFC 4791 §4.2
		}
	case to.kind&(kindLeaf|kindFolder) == 0:
		return &Error{Status: http.StatusForbidden, Message: "No resource can be created at the Destination."}
	case to.ref().File != q.at.ref().File:
		return &Error{Status: http.StatusForbidden, Message: "A calendar object can only be copied to a calendar, and a file only to a folder."}
	}
	return nil
}

// isBelow reports whether p is below the folder ancestor.
func isBelow(p, ancestor path) bool {
	return ancestor.kind == kindFolder && strings.HasPrefix(p.ref().Path(), ancestor.ref().Path()+"/")
}

// movesFromReadOnly reports whether the request moves an object out of a
// read-only calendar.
func (q *request) movesFromReadOnly() bool {
	if q.Method != "MOVE" {
		return false
	}
	readOnly := false
	err := q.view(func(snap Snapshot) error {
		c, err := snap.Calendar(q.at.segment)
		readOnly = c.ReadOnly
		return err
	})
	return readOnly && err == nil
}

// hasPrefix reports whether the path of an href begins with the prefix of the
// hrefs of this server.
func (q *request) hasPrefix(href string) bool {
	_, rest, ok := strings.Cut(href, "://")
	if !ok {
		rest = href
	}
	i := strings.IndexByte(rest, '/')
	return i >= 0 && strings.HasPrefix(rest[i:], q.h.escaped+"/")
}
