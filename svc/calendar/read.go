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

// Load returns entries of v's by id, in no order. What is not there, or cannot
// be read, is left out. Floating times are read in loc.
func (s *Service) Load(tx *store.Tx, v svc.Viewer, loc *time.Location, ids []string) ([]Object, error) {
	list := make([]Object, 0, len(ids))
	err := s.load(tx, v, ids, func(r viewed, o *ics.Object) { list = append(list, r.series(o, tx.Now(), loc)) })
	return list, err
}

func (s *Service) load(tx *store.Tx, v svc.Viewer, ids []string, visit func(viewed, *ics.Object)) error {
	var rows []viewed
	if err := tx.Select(&rows, s.q.Objects, store.Args{"member": v.Member(), "ids": store.JSON(ids)}); err != nil {
		return err
	}
	return s.read(tx, refs(rows), func(i int, o *ics.Object) error {
		visit(rows[i], o)
		return nil
	})
}
