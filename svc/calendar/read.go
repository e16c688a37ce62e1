package calendar

import (
	"cmp"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Object returns an entry of v's.
func (s *Service) Object(tx *store.Tx, v svc.Viewer, id string) (Object, error) {
	row, err := s.viewed(tx, v, id)
	if err != nil {
		return Object{}, err
	}
	o, err := row.parse()
	if err != nil {
		return Object{}, err
	}
	return row.series(o, tx.Now()), nil
}

func (s *Service) viewed(tx *store.Tx, v svc.Viewer, id string) (row viewed, err error) {
	err = tx.Get(&row, s.q.Object, store.Args{"member": v.Member(), "id": id})
	if store.IsNoRows(err) {
		err = errNoObject
	}
	return row, err
}

// How far a dataset looks from today (B-61).
const (
	datasetBefore = 7
	datasetAfter  = 60
)

// Upcoming is what of a member's entries belongs into a dataset: those that
// have an instance from a week ago until two months ahead, and the tasks that
// are still to do.
type Upcoming struct {
	Entries []UpcomingEntry

	// Until is when time alone changes the answer.
	Until time.Time
}

// UpcomingEntry names an entry. Whoever has its object of the same Version,
// and of calendars that have not changed, need not [Service.Load] it again.
type UpcomingEntry struct {
	ID      string
	Version string // "" if it must be loaded whatever was there
}

// upcomingRow is a row of the query upcoming.
type upcomingRow struct {
	ID      string        `db:"id"`
	Version string        `db:"version"`
	Until   *store.Millis `db:"until"`
}

// maxUpcoming is how many entries a dataset has at most (B-82).
const maxUpcoming = 1000

// Upcoming lists what belongs into v's dataset. Days begin where loc says.
// There is one entry more than a dataset may have if there are too many.
func (s *Service) Upcoming(tx *store.Tx, v svc.Viewer, loc *time.Location) (Upcoming, error) {
	now := tx.Now()
	today := midnight(now, loc, 0)
	window := spanIn(midnight(now, loc, -datasetBefore), midnight(now, loc, datasetAfter), loc)
	var rows []upcomingRow
	err := tx.Select(&rows, s.q.Upcoming, store.Args{
		"member": v.Member(), "bands": window.bands(now, loc),
		"from": window.from, "to": window.to, "limit": maxUpcoming + 1,
	})
	if err != nil {
		return Upcoming{}, err
	}
	u := Upcoming{Entries: make([]UpcomingEntry, len(rows)), Until: midnight(today, loc, 1)}
	_, offset := now.In(loc).Zone()
	for i, r := range rows {
		u.Entries[i] = UpcomingEntry{ID: r.ID, Version: r.Version}
		if r.Version == "" { // nobody has looked when it is next
			r.Until = new(store.MillisOf(now.Add(time.Minute)))
		}
		if r.Until == nil {
			continue
		}
		// Of what is in floating time this may be off by the offset of the
		// zone; looking again too early costs nothing but the look.
		for _, until := range []time.Time{r.Until.Time(), r.Until.Time().Add(-time.Duration(offset) * time.Second)} {
			if until.After(now) && until.Before(u.Until) {
				u.Until = until
			}
		}
	}
	return u, nil
}

// midnight returns when the day begins in loc that is so many days from that
// of t.
func midnight(t time.Time, loc *time.Location, days int) time.Time {
	t = t.In(loc)
	return time.Date(t.Year(), t.Month(), t.Day()+days, 0, 0, 0, 0, loc)
}

// Load returns entries of v's by id, in no order. What is not there, or cannot
// be read, is left out: one bad entry must not cost its member all others.
func (s *Service) Load(tx *store.Tx, v svc.Viewer, ids []string) ([]Object, error) {
	var rows []viewed
	if err := tx.Select(&rows, s.q.Objects, store.Args{"member": v.Member(), "ids": store.JSON(ids)}); err != nil {
		return nil, err
	}
	list := make([]Object, 0, len(rows))
	for _, row := range rows {
		if o, err := row.parse(); err == nil {
			list = append(list, row.series(o, tx.Now()))
		}
	}
	return list, nil
}

// Query selects instances of entries.
type Query struct {
	From, To   time.Time // half open
	CalendarID string    // "" for all of the viewer's visible calendars
	ObjectType string    // "" for both
	Limit      int
	Cursor     string
}

// Page is a page of instances in the order of time.
type Page struct {
	Objects svc.List[Object] `json:"objects"`
	Page    svc.Page         `json:"page"`
}

// The most instances of one entry, and of all, that are made for one question
// (B-60).
const (
	maxInstances    = 1000
	maxAllInstances = 5000
)

// instanceOf is one instance with the entry it is of.
type instanceOf struct {
	row *viewed
	o   *ics.Object
	i   ics.Instance
}

// place is where an instance stands in the order of a list.
type place struct {
	From int64  `json:"f"`
	ID   string `json:"i"`
	RID  string `json:"r"`
}

func (i instanceOf) place() place { return place{i.i.From, i.row.ID, i.i.ID.String()} }

func (a place) compare(b place) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.ID, b.ID), cmp.Compare(a.RID, b.RID))
}

// Between lists the instances that overlap the query's range, each as an
// object of its own with that occurrence. Floating times are read in loc.
func (s *Service) Between(tx *store.Tx, v svc.Viewer, loc *time.Location, q Query) (Page, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), "time.objects", v)
	limit, err := svc.PageLimit(q.Limit)
	after := place{From: int64(farPast) * 2}
	if err := svc.Join(err, cursors.Read(q.Cursor, &after), q.check()); err != nil {
		return Page{}, err
	}
	if q.CalendarID != "" {
		if _, err := s.Calendar(tx, v, q.CalendarID); err != nil {
			return Page{}, err
		}
	}
	all, err := s.instances(tx, v, loc, q)
	if err != nil {
		return Page{}, err
	}
	slices.SortFunc(all, func(a, b instanceOf) int { return a.place().compare(b.place()) })
	begin, found := slices.BinarySearchFunc(all, after, func(i instanceOf, p place) int { return i.place().compare(p) })
	if found {
		begin++
	}
	all = all[begin:min(len(all), begin+limit+1)]
	all, page := svc.CutPage(cursors, all, limit, func(i instanceOf) any { return i.place() })
	list := make(svc.List[Object], len(all))
	for i, one := range all {
		list[i] = one.row.instance(one.o, one.i)
	}
	return Page{list, page}, nil
}

func (q Query) check() error {
	switch {
	case q.ObjectType != "" && q.ObjectType != EventType && q.ObjectType != TaskType:
		return svc.ParameterError("object_type", "object_type must be %s or %s.", EventType, TaskType)
	case !q.From.Before(q.To):
		return svc.ParameterError("end", "end must be after start.")
	}
	return nil
}

// instances returns what overlaps the query's range, as far as the limits
// allow.
func (s *Service) instances(tx *store.Tx, v svc.Viewer, loc *time.Location, q Query) ([]instanceOf, error) {
	var rows []viewed
	r := spanIn(q.From, q.To, loc)
	err := tx.Select(&rows, s.q.Between, store.Args{
		"member": v.Member(), "bands": r.bands(tx.Now(), loc), "from": r.from, "to": r.to,
		"calendar": q.CalendarID, "component": map[string]string{EventType: "VEVENT", TaskType: "VTODO"}[q.ObjectType],
	})
	if err != nil {
		return nil, err
	}
	var all []instanceOf
	for n := range rows {
		o, err := rows[n].parse()
		if err != nil {
			continue // as in Load
		}
		list, _ := o.Instances(q.From, q.To, loc, maxInstances)
		for _, i := range list {
			all = append(all, instanceOf{&rows[n], o, i})
		}
		if len(all) > maxAllInstances {
			return all[:maxAllInstances], nil
		}
	}
	return all, nil
}
