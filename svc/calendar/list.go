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
	starts, ends time.Time
	Object
}

// Between lists the instances that overlap the query's range, each as an
// object of its own with that occurrence, briefly. Floating times are read in loc.
func (s *Service) Between(tx *store.Tx, v svc.Viewer, loc *time.Location, q Query) (Page, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), "time.objects", v)
	limit, err := svc.PageLimit(q.Limit)
	var after *place
	if err := svc.Join(err, cursors.Decode(q.Cursor, &after), q.check()); err != nil {
		return Page{}, err
	}
	if q.CalendarID != "" {
		if _, err := s.Calendar(tx, v, q.CalendarID); err != nil {
			return Page{}, err
		}
	}
	f := first{after: after, count: limit + 1}
	if err := s.gather(tx, v, loc, q, &f); err != nil {
		return Page{}, err
	}
	list, page := cutPage(cursors, f.list, limit, f.full, func(p placed) any { return p.place })
	objects := make(svc.List[Object], len(list))
	for i, p := range list {
		objects[i] = p.Object
	}
	return Page{objects, page, f.short}, nil
}

// cutPage is [svc.CutPage] for a list that ends before the limit if it is full.
func cutPage[T any](c svc.Cursors, list []T, limit int, full bool, place func(T) any) ([]T, svc.Page) {
	most := limit
	if full {
		most = min(limit, max(1, len(list)-1))
	}
	list, page := svc.CutPage(c, list, most, place)
	page.Limit = limit
	return list, page
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

// gather lets f take from all instances that the query selects. What is before
// the place after which f begins is not expanded again, so that a series with
// an instance each second has pages like any other.
func (s *Service) gather(tx *store.Tx, v svc.Viewer, loc *time.Location, q Query, f *first) error {
	from := q.From
	if f.after != nil && f.after.From > from.UnixMilli() {
		from = time.UnixMilli(f.after.From)
	}
	r := spanIn(from, q.To, loc)
	var rows []viewed
	err := tx.Select(&rows, s.q.Between, store.Args{
		"member": v.Member(), "bands": r.bands(tx.Now(), loc), "from": r.actual.from, "to": r.actual.to,
		"calendar": q.CalendarID, "component": map[string]string{EventType: "VEVENT", TaskType: "VTODO"}[q.ObjectType],
	})
	if err != nil {
		return err
	}
	_, f.short, err = s.readWithin(tx, refs(rows), func(n int, o *ics.Object) error {
		f.take(&rows[n], o, o.InstancesSeq(from, q.To, loc))
		return nil
	})
	f.cut()
	return err
}

// first gathers the first instances after a place.
type first struct {
	after *place
	count int
	loc   *time.Location          // where summaries are read; nil: where each entry is
	each  int                     // how many of one entry there may be; 0: all
	keep  func(ics.Instance) bool // nil: all
	list  []placed
	texts int    // octets of the list
	bound *place // what is beyond is not among them; nil as long as nothing is known
	more  bool   // an entry has more than each of them
	full  bool   // there are fewer than count, or there would be too much text
	short bool   // finding all would have taken too much work
}

// take takes those of the object's instances that may be among the first.
func (f *first) take(row *viewed, o *ics.Object, all iter.Seq[ics.Instance]) {
	// The instances of a series come in the order of time, but for the hours in
	// which clocks are changed, and unless an override moves all that follow.
	ordered := !slices.ContainsFunc(o.Overrides, func(c *ics.Component) bool { return c.ThisAndFuture })
	briefly := briefly{row, o, make(map[*ics.Component]Object)}
	taken := 0
	for i := range all {
		switch {
		case f.keep != nil && !f.keep(i):
			continue
		case f.bound != nil && ordered && i.Component == o.Master && i.From > f.bound.From+int64(day):
			return
		case f.bound != nil && i.From > f.bound.From, f.after != nil && i.From < f.after.From:
			continue
		}
		p := place{i.From, row.ID, i.RecurrenceID.String()}
		if f.after != nil && p.compare(*f.after) <= 0 {
			continue
		}
		if taken == f.each && f.each > 0 {
			f.more = true
			return
		}
		taken++
		obj := briefly.instance(i)
		if f.loc != nil {
			obj.Summary = summary(beginning(&i, ics.Time{}), f.loc, obj.State.Location, row.Calendar)
		}
		f.list, f.texts = append(f.list, placed{p, i.StartsAt, i.EndsAt, obj}), f.texts+obj.octets()
		if len(f.list) >= 2*f.count || f.texts >= 2*maxTexts {
			f.cut()
		}
	}
}

// cut throws away what is not among the first. Of however long ones it leaves
// two: a page of one, and that there is more.
func (f *first) cut() {
	slices.SortFunc(f.list, func(a, b placed) int { return a.compare(b.place) })
	keep, texts := 0, 0
	for ; keep < min(len(f.list), f.count); keep++ {
		n := f.list[keep].octets()
		if keep >= 2 && texts+n > maxTexts {
			f.full = true
			break
		}
		texts += n
	}
	if keep < len(f.list) {
		f.list = slices.Delete(f.list, keep, len(f.list)) // and lets go of their texts
		f.bound = new(f.list[keep-1].place)
	}
	f.texts = texts
}
