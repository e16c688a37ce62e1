package dav

import (
	"net/http"
	"strconv"

	"appliance/svc"
)

// syncCollection is DAV:sync-collection (RFC 6578 §3.2). The RFC requires
// Depth: 0, but Thunderbird sends 1, so the header is ignored. Calendars have
// no subcollections, so both sync levels have the same meaning; homes support
// level 1 only.
type syncCollection struct {
	want  *selection
	since string
	limit int // 0 means unlimited
}

func (r *syncCollection) read(body *element, q *request) (err error) {
	if token := body.child(davName("sync-token")); token != nil {
		r.since = token.value()
	}
	if level := body.child(davName("sync-level")); level != nil {
		switch level.value() {
		case "1":
		case "infinite", "infinity":
			if q.at.kind == kindHome {
				return forbidden(davName("sync-traversal-supported"), "DAV:sync-level must be 1 for the calendar home; synchronize each calendar separately.")
			}
		default:
			return svc.Errorf(svc.MalformedBody, `DAV:sync-level must be "1" or "infinite".`)
		}
	}
	if limit := body.child(davName("limit")); limit != nil { // RFC 5323 §5.17
		if n := limit.child(davName("nresults")); n != nil {
			if r.limit, err = strconv.Atoi(n.value()); err != nil || r.limit < 1 {
				return svc.Errorf(svc.MalformedBody, "DAV:nresults must be a positive integer.")
			}
		}
	}
	r.want, err = q.readReportProperties(body)
	return err
}

func (r *syncCollection) respond(q *request) error { return q.multistatusFor(r.responses) }

func (r *syncCollection) responses(x *writer, snap Snapshot, c *resource, at path) error {
	if at.kind == kindHome {
		return r.home(x, snap, at)
	}
	changes, err := snap.Changes(c.segment, r.since, r.limit, r.want.etagOnly())
	if err != nil {
		return err
	}
	if err := x.objects(snap, c, changes.Changed, r.want, nil); err != nil {
		return err
	}
	deleted := make([]path, len(changes.Deleted))
	for i, name := range changes.Deleted {
		deleted[i] = path{kindObject, c.member, c.segment, name}
	}
	return x.endSync(at, deleted, changes.Truncated, changes.Token)
}

// home writes the changes of a home: its calendars and folders.
func (r *syncCollection) home(x *writer, snap Snapshot, at path) error {
	changes, err := snap.HomeChanges(r.since, r.limit)
	if err != nil {
		return err
	}
	list, err := find(snap, at, 1, false)
	if err == nil && r.want.dead {
		err = addDeadProperties(snap, list)
	}
	if err != nil {
		return err
	}
	bySegment := make(map[string]*resource, len(list))
	for i := range list {
		bySegment[list[i].segment] = &list[i]
	}
	for _, segment := range changes.Changed {
		if err := x.response(bySegment[segment], r.want); err != nil {
			return err
		}
	}
	deleted := make([]path, len(changes.Deleted))
	for i, segment := range changes.Deleted {
		deleted[i] = path{kind: kindCalendar, member: at.member, segment: segment}
	}
	return x.endSync(at, deleted, changes.Truncated, changes.Token)
}

// endSync writes the part of a sync-collection response after the changed
// resources of the collection at.
func (x *writer) endSync(at path, deleted []path, truncated bool, token string) error {
	for _, p := range deleted {
		if err := x.notFoundResponse(p.href(x.prefix)); err != nil {
			return err
		}
	}
	if truncated {
		x.truncatedResponse(at)
	}
	x.element(davName("sync-token"), token)
	return nil
}

// truncatedResponse writes the response for a truncated result (RFC 6578 §3.6).
func (x *writer) truncatedResponse(p path) {
	x.start(davName("response"))
	x.href(p)
	x.statusLine(http.StatusInsufficientStorage)
	x.start(davName("error"))
	x.empty(davName("number-of-matches-within-limits"))
	x.end(davName("error"))
	x.end(davName("response"))
}
