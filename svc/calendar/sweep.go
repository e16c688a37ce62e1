package calendar

import (
	"appliance/store"
)

// What is gone for good nobody sees, but its rows may be millions, and nobody
// shall wait while they are deleted. So it is only cut loose: a calendar from
// its owner, a bin from its member. A job then deletes what hangs on neither, a
// little in each write, and goes on with it after a crash.
const (
	sweepWeight = 2000 // rows and pages of text deleted in one write
	sweepAtOnce = 100  // entries looked at for it
)

// weighed is something with as many rows and pages of text.
type weighed struct {
	N      int64 `db:"n"`
	Weight int   `db:"weight"`
}

// Sweep deletes some of what is gone for good, and what has been in the trash
// for too long. It reports whether there may be more.
func (s *Service) Sweep(tx *store.Tx) (more bool, err error) {
	more, err = s.sweepTrash(tx)
	if err != nil || more {
		return more, err
	}
	return s.sweepCalendar(tx)
}

func (s *Service) sweepTrash(tx *store.Tx) (some bool, err error) {
	list, err := s.sweepable(tx, s.q.Rubbish, store.Args{"before": store.MillisOf(tx.Now().Add(-TrashTime))})
	if err != nil || list == nil {
		return false, err
	}
	args := store.Args{"list": store.JSONArray(list)}
	for _, q := range []store.Query{s.q.AbandonRubbish, s.q.DeleteRubbish} {
		if _, err := tx.Exec(q, args); err != nil {
			return false, err
		}
	}
	_, err = tx.Exec(s.q.DeleteBins, nil)
	return true, err
}

// sweepCalendar deletes some of what a calendar without owner holds, and at
// last the calendar.
func (s *Service) sweepCalendar(tx *store.Tx) (some bool, err error) {
	var id string
	err = tx.Get(&id, s.q.Abandoned, nil)
	if err != nil {
		if store.IsNoRows(err) {
			err = nil
		}
		return false, err
	}
	list, err := s.sweepable(tx, s.q.Remains, store.Args{"calendar": id})
	if err != nil {
		return false, err
	}
	if list != nil {
		_, err = tx.Exec(s.q.DeleteRemains, store.Args{"list": store.JSONArray(list)})
		return true, err
	}
	rows, err := tx.Exec(s.q.DeleteTombstones, store.Args{"calendar": id, "most": sweepWeight})
	if err == nil && rows == 0 {
		_, err = tx.Exec(s.q.DeleteCalendar, store.Args{"calendar": id})
	}
	return true, err
}

// sweepable returns of what q finds as much as one write may delete, at least
// one thing; nil if there is nothing.
func (s *Service) sweepable(tx *store.Tx, q store.Query, args store.Args) (list []int64, err error) {
	args["limit"] = sweepAtOnce
	var found []weighed
	if err := tx.Select(&found, q, args); err != nil {
		return nil, err
	}
	weight := 0
	for _, one := range found {
		if weight += one.Weight; weight > sweepWeight && list != nil {
			break
		}
		list = append(list, one.N)
	}
	return list, nil
}
