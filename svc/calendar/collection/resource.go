package collection

import (
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/mirror"
	"appliance/svc/calendar/object"
)

// Resource is an object resource: a calendar object with its path in a
// collection.
type Resource struct {
	N         int64        `db:"n"`
	Segment   string       `db:"segment"`
	Component string       `db:"component"`
	ETag      string       `db:"etag"`
	Size      int          `db:"size"`
	UpdatedAt store.Millis `db:"updated_at"`
	Data      []byte       `db:"data"` // nil unless requested
}

// Resources returns the object resources of a calendar without data; with
// etagsOnly, only Segment and ETag are set.
func (s *Service) Resources(tx *store.Tx, v svc.Viewer, calendar string, etagsOnly bool) (list []Resource, err error) {
	c, err := s.objects.CalendarAt(tx, v.Member(), calendar)
	if err != nil {
		return nil, err
	}
	args := store.Args{"calendar": c.ID}
	if !etagsOnly {
		err = tx.Select(&list, s.q.Resources, args)
		return list, err
	}
	var lines string
	if err := tx.Get(&lines, s.q.ETags, args); err != nil || lines == "" {
		return nil, err
	}
	list = make([]Resource, 0, strings.Count(lines, "\n")+1)
	for line := range strings.SplitSeq(lines, "\n") {
		end := strings.IndexByte(line[1:], '"') + 2
		list = append(list, Resource{ETag: line[:end], Segment: line[end:]})
	}
	return list, nil
}

// ResourcesByName returns the object resources of a calendar with the given
// segments, in that order. It leaves out those that do not exist.
func (s *Service) ResourcesByName(tx *store.Tx, v svc.Viewer, calendar string, names []string, withData bool) (list []Resource, err error) {
	c, err := s.objects.CalendarAt(tx, v.Member(), calendar)
	if err == nil {
		err = tx.Select(&list, s.q.ResourcesByName, store.Args{"calendar": c.ID, "names": store.JSONArray(names), "with_data": withData})
	}
	return list, err
}

// Data returns the data of resources, by the N that they have in the same
// transaction.
func (s *Service) Data(tx *store.Tx, keys []int64) ([][]byte, error) { return s.objects.Data(tx, keys) }

// Put stores an object at a segment of a calendar.
func (s *Service) Put(tx *store.Tx, v svc.Viewer, calendar, segment string, p *object.Prepared, precondition Precondition) (etag string, created bool, err error) {
	c, err := s.objects.WritableCalendarAt(tx, v.Member(), calendar)
	if err != nil {
		return "", false, err
	}
	if !c.Accepts(p.Object.Component) {
		return "", false, &UnsupportedComponent{p.Object.Component}
	}
	old, found, err := s.objects.At(tx, c.ID, segment)
	if err != nil {
		return "", false, err
	}
	if err := precondition(old.ETag); err != nil {
		return "", false, err
	}
	if found {
		return p.ETag, false, s.replace(tx, old, p)
	}
	if other, err := s.objects.SegmentOfUID(tx, c.ID, p.Object.UID); err != nil {
		return "", false, err
	} else if other != "" {
		return "", false, &UIDConflict{other}
	}
	_, err = s.objects.Add(tx, c, segment, p)
	return p.ETag, true, err
}

func (s *Service) replace(tx *store.Tx, old object.Row, p *object.Prepared) error {
	if old.UID != p.Object.UID {
		return &UIDConflict{old.Segment}
	}
	if old.IsMirror() {
		before, err := s.objects.Parse(tx, old.Ref)
		if err != nil {
			return err
		}
		if err := mirror.Check(before, p.Object); err != nil {
			return err
		}
	}
	return s.objects.Replace(tx, old.CalendarID, old.N, p)
}

// Delete moves the object at a segment of a calendar to the trash.
func (s *Service) Delete(tx *store.Tx, v svc.Viewer, calendar, segment string, precondition Precondition) error {
	c, err := s.objects.WritableCalendarAt(tx, v.Member(), calendar)
	if err != nil {
		return err
	}
	r, found, err := s.objects.At(tx, c.ID, segment)
	switch {
	case err != nil:
		return err
	case !found:
		return object.ErrNotFound
	}
	if err := precondition(r.ETag); err != nil {
		return err
	}
	if r.IsMirror() {
		return object.ErrMirror
	}
	return s.objects.Remove(tx, r)
}
