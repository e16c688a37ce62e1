package dav

import (
	"net/http"
	"strconv"

	"appliance/svc"
)

// syncCollection is DAV:sync-collection (RFC 6578 §3.2). It has meaning for
// Depth 0 only; Thunderbird sends 1, so the header is not looked at. Calendars
// have no collections in them, so both sync levels mean the same there; homes
// know the first one only.
type syncCollection struct {
	want  *selection
	since string
	limit int // 0 is none
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
				return forbidden(davName("sync-traversal-supported"), "Ask for the home with the DAV:sync-level 1, and for each calendar by itself.")
			}
		default:
			return svc.Errorf(svc.MalformedBody, `DAV:sync-level is "1" or "infinite".`)
		}
	}
	if limit := body.child(davName("limit")); limit != nil { // RFC 5323 §5.17
		if n := limit.child(davName("nresults")); n != nil {
			if r.limit, err = strconv.Atoi(n.value()); err != nil || r.limit < 1 {
				return svc.Errorf(svc.MalformedBody, "DAV:nresults is a number from 1.")
			}
		}
	}
	r.want, err = q.readReportProperties(body)
	return err
}

func (r *syncCollection) answer(q *request) error { return q.multistatusFor(r.responses) }

func (r *syncCollection) responses(x *writer, t Snapshot, c *resource, at path) error {
	if at.kind == kindHome {
		return r.home(x, t, at)
	}
	changes, err := t.Changes(c.segment, r.since, r.limit, r.want.etagOnly())
	if err != nil {
		return err
	}
	if err := x.objects(t, c, changes.Changed, r.want, nil); err != nil {
		return err
	}
	for _, name := range changes.Deleted {
		p := path{kindObject, c.member, c.segment, name}
		if err := x.notFoundResponse(p.href(x.prefix)); err != nil {
			return err
		}
	}
	if changes.Truncated {
		x.truncatedResponse(at)
	}
	x.element(davName("sync-token"), changes.Token)
	return nil
}

// home writes what changed in a home: its calendars and plain collections.
func (r *syncCollection) home(x *writer, t Snapshot, at path) error {
	changes, err := t.HomeChanges(r.since, r.limit)
	if err != nil {
		return err
	}
	list, err := find(t, at, 1, false)
	if err == nil && r.want.dead {
		err = addDeadProperties(t, list)
	}
	if err != nil {
		return err
	}
	there := make(map[string]*resource, len(list))
	for i := range list {
		there[list[i].segment] = &list[i]
	}
	for _, segment := range changes.Changed {
		if err := x.response(there[segment], r.want); err != nil {
			return err
		}
	}
	for _, segment := range changes.Deleted {
		p := path{kind: kindCalendar, member: at.member, segment: segment}
		if err := x.notFoundResponse(p.href(x.prefix)); err != nil {
			return err
		}
	}
	if changes.Truncated {
		x.truncatedResponse(at)
	}
	x.element(davName("sync-token"), changes.Token)
	return nil
}

// truncatedResponse writes that there is more to ask for (RFC 6578 §3.6).
func (x *writer) truncatedResponse(p path) {
	x.start(davName("response"))
	x.href(p)
	x.statusLine(http.StatusInsufficientStorage)
	x.start(davName("error"))
	x.empty(davName("number-of-matches-within-limits"))
	x.end(davName("error"))
	x.end(davName("response"))
}
