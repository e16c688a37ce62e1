package dav

import (
	"net/http"
	"strings"

	"appliance/svc"
)

// copy answers COPY and MOVE (RFC 4918 §9.8 and §9.9): of objects between
// calendars, and of files and plain collections among themselves.
func (q *request) copy() error {
	c := CopyRequest{From: q.at.ref(), Move: q.Method == "MOVE", Replace: true}
	depth, err := q.depth(infinity)
	if err != nil {
		return err
	}
	c.Shallow = depth == 0
	if q.at.kind == kindFolder && (depth == 1 || c.Move && c.Shallow) {
		return svc.Errorf(svc.InvalidParameter, "A collection is copied with Depth 0 or infinity, and moved with infinity.")
	}
	switch strings.ToUpper(q.Header.Get("Overwrite")) {
	case "F":
		c.Replace = false
	case "", "T":
	default:
		return svc.Errorf(svc.InvalidParameter, `Overwrite is "T" or "F".`)
	}
	ok, err := q.precondition()
	if err != nil {
		return err
	}
	to, err := q.destination()
	if err != nil {
		return err
	}
	c.To = to.ref()
	created, err := q.h.backend.Copy(q.Context(), q.viewer, c, ok)
	if svc.KindOf(err) == svc.Forbidden && !q.movesFromReadOnly() { // then it is the other end that may not be written
		q.at, q.method.privilege = to, "bind"
	}
	if err != nil {
		return err
	}
	q.w.Header().Set("Location", to.href(q.h.escaped))
	q.replyWritten(created)
	return nil
}

// destination reads the Destination header (RFC 4918 §10.3).
func (q *request) destination() (to path, err error) {
	value := q.Header.Get("Destination")
	if value == "" {
		return to, svc.Errorf(svc.InvalidParameter, "%s needs a Destination.", q.Method)
	}
	to, ok := q.parseHref(value)
	if !ok && !q.hasPrefix(value) {
		return to, &Error{Status: http.StatusBadGateway, Message: "The Destination is not on this server."}
	}
	if !ok || to.kind&(kindRoot|kindPrincipal) == 0 && to.member != q.viewer.Member() {
		return to, ErrNoParent
	}
	occupied := false
	err = q.view(func(t Snapshot) (err error) {
		if to, err = resolveKind(t, to); err == nil && to.kind == kindCalendar {
			_, err := t.Calendar(to.segment)
			occupied = err == nil
		}
		return err
	})
	if err == errNotFound {
		return to, ErrNoParent
	}
	if err != nil {
		return to, err
	}
	if to.kind == kindCalendar && q.at.kind == kindFolder && !occupied || to.kind&(kindFolder|kindFile) != 0 && q.at.ref().File {
		to.kind = q.at.kind
	}
	switch {
	case to == q.at || isBelow(to, q.at) || isBelow(q.at, to):
		return to, &Error{Status: http.StatusForbidden, Message: "The Destination is what is to be copied, or in it, or around it."}
	case to.kind&(kindLeaf|kindFolder) == 0:
		return to, &Error{Status: http.StatusForbidden, Message: "Nothing can be put in this place."}
	case to.ref().File != q.at.ref().File:
		return to, &Error{Status: http.StatusForbidden, Message: "Entries go between calendars, and files between plain collections."}
	}
	return to, nil
}

// isBelow reports whether p is somewhere below around.
func isBelow(p, around path) bool {
	return around.kind == kindFolder && strings.HasPrefix(p.ref().Path(), around.ref().Path()+"/")
}

// movesFromReadOnly reports whether what is to be moved is in a calendar that cannot be
// written.
func (q *request) movesFromReadOnly() (yes bool) {
	err := q.view(func(t Snapshot) error {
		c, err := t.Calendar(q.at.segment)
		yes = c.ReadOnly
		return err
	})
	return yes && err == nil && q.Method == "MOVE"
}

// hasPrefix reports whether an href is hasPrefix the prefix, whatever comes then.
func (q *request) hasPrefix(href string) bool {
	_, rest, ok := strings.Cut(href, "://")
	if !ok {
		rest = href
	}
	i := strings.IndexByte(rest, '/')
	return i >= 0 && strings.HasPrefix(rest[i:], q.h.escaped+"/")
}
