package calendar

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Object returns an entry of v's.
func (s *Service) Object(tx *store.Tx, v svc.Viewer, id string) (Object, error) {
	row, o, err := s.viewed(tx, v, id)
	if err != nil {
		return Object{}, err
	}
	return row.series(o, tx.Now(), svc.StoredZone(row.Zone)), nil
}

// Titles returns what those of the entries are called that are v's, by their
// ids.
func (s *Service) Titles(tx *store.Tx, v svc.Viewer, ids []string) (map[string]string, error) {
	var rows []struct {
		ID    string `db:"id"`
		Title string `db:"title"`
	}
	err := tx.Select(&rows, s.q.Titles, store.Args{"member": v.Member(), "ids": store.JSONArray(ids)})
	titles := make(map[string]string, len(rows))
	for _, r := range rows {
		titles[r.ID] = r.Title
	}
	return titles, err
}

// viewed reads an entry of v's.
func (s *Service) viewed(tx *store.Tx, v svc.Viewer, id string) (row viewed, o *ics.Object, err error) {
	err = tx.Get(&row, s.q.Object, store.Args{"member": v.Member(), "id": id})
	if store.IsNoRows(err) {
		err = errNoObject
	}
	if err == nil {
		o, err = s.readOne(tx, row.dataRef)
	}
	return row, o, err
}

// Load returns entries of v's by id, in no order and briefly. What is not
// there, or cannot be read, is left out. Floating times are read in loc. Cut
// says that finding out all about them would have taken too much work.
func (s *Service) Load(tx *store.Tx, v svc.Viewer, loc *time.Location, ids []string) (list []Object, cut bool, err error) {
	list = make([]Object, 0, len(ids))
	cut, err = s.load(tx, v, ids, func(r viewed, o *ics.Object) {
		c := o.Components()[0]
		list = append(list, r.about(r.brief(o, c), next(o, tx.Now(), loc), c))
	})
	return list, cut, err
}

func (s *Service) load(tx *store.Tx, v svc.Viewer, ids []string, visit func(viewed, *ics.Object)) (cut bool, err error) {
	var rows []viewed
	if err := tx.Select(&rows, s.q.Objects, store.Args{"member": v.Member(), "ids": store.JSONArray(ids)}); err != nil {
		return false, err
	}
	_, cut, err = s.readWithin(tx, refs(rows), func(i int, o *ics.Object) error {
		visit(rows[i], o)
		return nil
	})
	return cut, err
}
