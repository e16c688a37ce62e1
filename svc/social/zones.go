package social

import (
	"appliance/store"
	"appliance/svc"
)

// maxRetimed limits the events of one call of FollowZones.
const maxRetimed = 50

// retimedEvent is a row of the query events-to-retime.
type retimedEvent struct {
	N int64 `db:"n"` // internal key
	eventRow
}

// FollowZones stores the first and the last instants of the next events, in the order of their
// keys from after on, by the time zone data in use: their local times stay. It skips events that
// have ended. last is the key of the last event, 0 if there are no more.
func (s *Service) FollowZones(tx *store.Tx, after int64) (last int64, err error) {
	var list []retimedEvent
	err = tx.Select(&list, s.q.EventsToRetime, store.Args{"after": after, "now": store.MillisOf(tx.Now()), "limit": maxRetimed})
	if err != nil {
		return 0, err
	}
	var changed [][3]any
	for _, e := range list {
		starts, ends := e.StartsAt, e.EndsAt
		if err := s.setTimes(tx, &e.eventRow, e.times(), svc.EventTimesChange{}); err != nil {
			continue // times that are invalid by the new data stay
		}
		if e.StartsAt != starts || e.EndsAt != ends {
			changed = append(changed, [3]any{e.N, e.StartsAt, e.EndsAt})
		}
	}
	if len(changed) > 0 {
		if _, err := tx.Exec(s.q.RetimeEvents, store.Args{"rows": store.JSONArray(changed)}); err != nil {
			return 0, err
		}
		tx.Touch(svc.ZonesUpdated, store.Everyone)
	}
	if len(list) == maxRetimed {
		last = list[len(list)-1].N
	}
	return last, nil
}
