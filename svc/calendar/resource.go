package calendar

import (
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Resource is an entry as CalDAV sees it: a file in a folder.
type Resource struct {
	N         int64        `db:"n"`
	Segment   string       `db:"segment"`
	Component string       `db:"component"`
	ETag      string       `db:"etag"`
	Size      int          `db:"size"`
	UpdatedAt store.Millis `db:"updated_at"`
	Data      []byte       `db:"data"` // nil if it was not asked for
}

// UIDConflict is the refusal of an entry whose UID another one has, or that
// has another UID than the one it would replace.
type UIDConflict struct{ Segment string }

func (e *UIDConflict) Error() string { return "the UID is that of " + e.Segment }

// WrongComponent is the refusal of an entry that the calendar does not hold.
type WrongComponent struct{ Component string }

func (e *WrongComponent) Error() string { return "the calendar holds no " + e.Component }

// Resources returns all entries of a calendar of v's, without their data;
// brief ones have no more than Segment and ETag.
func (s *Service) Resources(tx *store.Tx, v svc.Viewer, calendar string, brief bool) (list []Resource, err error) {
	row, err := s.one(tx, s.q.CalendarAt, store.Args{"member": v.Member(), "segment": calendar})
	if err != nil {
		return nil, err
	}
	args := store.Args{"calendar": row.ID}
	if !brief {
		err = tx.Select(&list, s.q.Resources, args)
		return list, err
	}
	var lines string
	if err := tx.Get(&lines, s.q.Tags, args); err != nil || lines == "" {
		return nil, err
	}
	list = make([]Resource, 0, strings.Count(lines, "\n")+1)
	for line := range strings.SplitSeq(lines, "\n") {
		end := strings.IndexByte(line[1:], '"') + 2
		list = append(list, Resource{ETag: line[:end], Segment: line[end:]})
	}
	return list, nil
}

// ResourcesNamed returns the entries of those names.
func (s *Service) ResourcesNamed(tx *store.Tx, v svc.Viewer, calendar string, names []string, data bool) (list []Resource, err error) {
	row, err := s.one(tx, s.q.CalendarAt, store.Args{"member": v.Member(), "segment": calendar})
	if err == nil {
		err = tx.Select(&list, s.q.ResourcesNamed, store.Args{"calendar": row.ID, "names": store.JSONArray(names), "data": data})
	}
	return list, err
}

// ResourceData returns the data of entries, by the numbers that a resource has
// had in the same transaction, in their order.
func (s *Service) ResourceData(tx *store.Tx, numbers []int64) ([][]byte, error) {
	return numbered[[]byte](tx, s.q.Data, numbers...)
}

// matchRow is a resource that an index has found; it is not certain if the
// index does not tell.
type matchRow struct {
	Resource
	Certain bool `db:"certain"`
}

// Matching returns the entries of a calendar that match the filter, and those
// of which it would take too much work to find out. Floating times are read in
// zone; nil means the calendar's own.
func (s *Service) Matching(tx *store.Tx, v svc.Viewer, calendar string, f ics.Filter, zone *time.Location) ([]Resource, error) {
	row, err := s.one(tx, s.q.CalendarAt, store.Args{"member": v.Member(), "segment": calendar})
	if err != nil {
		return nil, err
	}
	if zone == nil {
		zone = svc.StoredZone(row.Timezone)
	}
	component, from, to, exact := f.Window()
	var rows []matchRow
	if from.IsZero() && to.IsZero() {
		err = tx.Select(&rows, s.q.ResourcesOf, store.Args{"calendar": row.ID, "component": component})
	} else {
		r := spanIn(from, to, zone)
		err = tx.Select(&rows, s.q.ResourcesIn, store.Args{
			"calendar": row.ID, "component": component, "bands": r.bands(tx.Now(), zone), "from": r.actual.from, "to": r.actual.to,
		})
	}
	if err != nil {
		return nil, err
	}
	list := make([]Resource, 0, len(rows))
	var doubtful []Resource
	var data []dataRef
	for _, r := range rows {
		if exact && r.Certain {
			list = append(list, r.Resource)
		} else {
			doubtful, data = append(doubtful, r.Resource), append(data, dataRef{r.N, r.Size})
		}
	}
	done, _, err := s.readWithin(tx, data, func(i int, o *ics.Object) error {
		if f.Match(o, zone) {
			list = append(list, doubtful[i])
		}
		return nil
	})
	return append(list, doubtful[done:]...), err
}

// Put stores an entry under a name in a calendar of v's. ok is asked whether
// the ETag that stands there now, "" for none, is what the caller expects.
func (s *Service) Put(tx *store.Tx, v svc.Viewer, calendar, segment string, e *Entry, ok func(etag string) error) (etag string, created bool, err error) {
	c, err := s.writableAt(tx, v, calendar)
	if err != nil {
		return "", false, err
	}
	if !c.holds(e.object.Component) {
		return "", false, &WrongComponent{e.object.Component}
	}
	old, found, err := s.at(tx, c.ID, segment)
	if err != nil {
		return "", false, err
	}
	if err := ok(old.ETag); err != nil {
		return "", false, err
	}
	if found && old.UID != e.object.UID {
		return "", false, &UIDConflict{segment}
	}
	if found {
		if err := s.keepSocial(tx, old, e); err != nil {
			return "", false, err
		}
		return e.etag, false, s.replace(tx, c.ID, old.N, e)
	}
	if other, err := s.withUID(tx, c.ID, e.object.UID); err != nil {
		return "", false, err
	} else if other != "" {
		return "", false, &UIDConflict{other}
	}
	_, err = s.add(tx, c, segment, e)
	return e.etag, true, err
}

// Remove deletes the entry of a name. ok is asked only if there is one.
func (s *Service) Remove(tx *store.Tx, v svc.Viewer, calendar, segment string, ok func(etag string) error) error {
	c, err := s.writableAt(tx, v, calendar)
	if err != nil {
		return err
	}
	old, found, err := s.at(tx, c.ID, segment)
	if err != nil {
		return err
	}
	if !found {
		return errNoObject
	}
	if err := ok(old.ETag); err != nil {
		return err
	}
	if old.Source != nil {
		return errMirror
	}
	return s.remove(tx, c.ID, segment, old.N)
}

func (s *Service) writableAt(tx *store.Tx, v svc.Viewer, segment string) (calendarRow, error) {
	c, err := s.one(tx, s.q.CalendarAt, store.Args{"member": v.Member(), "segment": segment})
	if err == nil && !c.writable() {
		err = errReadOnly
	}
	return c, err
}

// at returns what of an entry a write must know.
func (s *Service) at(tx *store.Tx, calendar, segment string) (row objectRow, found bool, err error) {
	err = tx.Get(&row, s.q.ObjectAt, store.Args{"calendar": calendar, "segment": segment})
	if store.IsNoRows(err) {
		return row, false, nil
	}
	return row, err == nil, err
}

// withUID returns the name of the entry that has a UID, "" if none has.
func (s *Service) withUID(tx *store.Tx, calendar, uid string) (segment string, err error) {
	err = tx.Get(&segment, s.q.ObjectWithUID, store.Args{"calendar": calendar, "uid": uid})
	if store.IsNoRows(err) {
		return "", nil
	}
	return segment, err
}
