package calendar

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

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
	Cut     bool             `json:"-"` // there is more that took too much work to find (B-60)
}

// place is where an instance stands in the order of a list.
type place struct {
	From int64  `json:"f"`
	ID   string `json:"i"`
	RID  string `json:"r"`
}

func (a place) compare(b place) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.ID, b.ID), cmp.Compare(a.RID, b.RID))
}

// placed is an instance, as an object with that occurrence, in its place.
type placed struct {
	place
	Object
}

// Between lists the instances that overlap the query's range, each as an
// object of its own with that occurrence, briefly. Floating times are read in loc.
func (s *Service) Between(tx *store.Tx, v svc.Viewer, loc *time.Location, q Query) (Page, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), "time.objects", v)
	limit, err := svc.PageLimit(q.Limit)
	var after *place
	if err := svc.Join(err, cursors.Read(q.Cursor, &after), q.check()); err != nil {
		return Page{}, err
	}
	if q.CalendarID != "" {
		if _, err := s.Calendar(tx, v, q.CalendarID); err != nil {
			return Page{}, err
		}
	}
	list, cut, err := s.firstAfter(tx, v, loc, q, after, limit+1)
	if err != nil {
		return Page{}, err
	}
	list, page := svc.CutPage(cursors, list, fitting(list, limit), func(p placed) any { return p.place })
	page.Limit = limit
	objects := make(svc.List[Object], len(list))
	for i, p := range list {
		objects[i] = p.Object
	}
	return Page{objects, page, cut}, nil
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

// firstAfter returns the first instances after a place, count of them if there
// are so many. What is before the place is not expanded again, so that a
// series with an instance each second has pages like any other.
func (s *Service) firstAfter(tx *store.Tx, v svc.Viewer, loc *time.Location, q Query, after *place, count int) (list []placed, cut bool, err error) {
	from := q.From
	if after != nil && after.From > from.UnixMilli() {
		from = time.UnixMilli(after.From)
	}
	r := spanIn(from, q.To, loc)
	var rows []viewed
	err = tx.Select(&rows, s.q.Between, store.Args{
		"member": v.Member(), "bands": r.bands(tx.Now(), loc), "from": r.actual.from, "to": r.actual.to,
		"calendar": q.CalendarID, "component": map[string]string{EventType: "VEVENT", TaskType: "VTODO"}[q.ObjectType],
	})
	if err != nil {
		return nil, false, err
	}
	f := first{after: after, count: count}
	_, cut, err = s.readWithin(tx, refs(rows), func(n int, o *ics.Object) error {
		f.take(&rows[n], o, o.Each(from, q.To, loc))
		return nil
	})
	f.cut()
	return f.list, cut, err
}

// fitting returns how many of the list make a page: limit, or fewer if they are
// large.
func fitting(list []placed, limit int) int {
	octets := 0
	for n := range list {
		octets += list[n].size()
		if n == limit || octets > maxPage && n > 0 {
			return n
		}
	}
	return len(list)
}

// first gathers the first instances after a place.
type first struct {
	after  *place
	count  int
	list   []placed
	octets int    // of list, since it was last cut
	bound  *place // what is beyond is not among them; nil as long as nothing is known
}

// take takes those of the object's instances that may be among the first.
func (f *first) take(row *viewed, o *ics.Object, all iter.Seq[ics.Instance]) {
	// The instances of a series come in the order of time, but for the hours in
	// which clocks are changed, and unless an override moves all that follow.
	ordered := !slices.ContainsFunc(o.Overrides, func(c *ics.Component) bool { return c.Future })
	briefly := briefly{row, o, make(map[*ics.Component]Object)}
	for i := range all {
		switch {
		case f.bound != nil && ordered && i.Component == o.Master && i.From > f.bound.From+int64(day):
			return
		case f.bound != nil && i.From > f.bound.From, f.after != nil && i.From < f.after.From:
			continue
		}
		p := place{i.From, row.ID, i.ID.String()}
		if f.after != nil && p.compare(*f.after) <= 0 {
			continue
		}
		f.list = append(f.list, placed{p, briefly.instance(i)})
		f.octets += f.list[len(f.list)-1].size()
		if len(f.list) >= 2*f.count || f.octets > 2*maxPage {
			f.cut()
		}
	}
}

// cut throws away what is not among the first: all beyond the page, but for one
// that tells that there is more.
func (f *first) cut() {
	slices.SortFunc(f.list, func(a, b placed) int { return a.compare(b.place) })
	if n := fitting(f.list, f.count-1); n < len(f.list) {
		clear(f.list[n+1:])
		f.list = f.list[:n+1]
		f.bound = new(f.list[n].place)
	}
	f.octets = 0
}
