package index

import (
	"cmp"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
)

// Query selects occurrences.
type Query struct {
	From, To   time.Time // half-open
	Range      string    // the range as the request states it, which its cursors contain
	CalendarID string    // "" for all visible calendars of the viewer
	ObjectType string    // "" for events and tasks
	Limit      int
	Cursor     string
}

// Page is a page of objects.
type Page struct {
	Objects   svc.List[view.Object] `json:"objects"`
	Page      svc.Page              `json:"page"`
	Truncated bool                  `json:"-"` // occurrences are missing because of the limits of a request
}

// position identifies an occurrence in a list, which is ordered by start.
type position struct {
	From         int64  `json:"f"`
	ID           string `json:"i"`
	RecurrenceID string `json:"r"`
}

func (a position) compare(b position) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.ID, b.ID), cmp.Compare(a.RecurrenceID, b.RecurrenceID))
}

// Occurrences lists the occurrences that overlap the range of the query, each
// as a summarized object, in the order of their start. Floating times are read
// in loc.
func (x *Index) Occurrences(tx *store.Tx, v svc.Viewer, loc *time.Location, q Query) (Page, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), "time.objects", v, q.Range, q.CalendarID, q.ObjectType)
	limit, err := svc.PageLimit(q.Limit)
	var after *position
	if err := svc.Join(err, cursors.Decode(q.Cursor, &after), q.check()); err != nil {
		return Page{}, err
	}
	if q.CalendarID != "" {
		if _, err := x.objects.Calendar(tx, v.Member(), q.CalendarID); err != nil {
			return Page{}, err
		}
	}
	c := collector{after: after, limit: limit + 1}
	if err := x.collect(tx, v, loc, q, &c); err != nil {
		return Page{}, err
	}
	list, page := cutPage(cursors, c.list, limit, c.textFull, func(o listItem) any { return o.position })
	return Page{objectsOf(list), page, c.outOfWork}, nil
}

// cutPage is like svc.CutPage, but for a list that textFull may have ended
// before the limit. The last item of such a list only shows that there are
// more.
func cutPage[T any](c svc.Cursors, list []T, limit int, textFull bool, position func(T) any) ([]T, svc.Page) {
	n := limit
	if textFull {
		n = min(limit, max(1, len(list)-1))
	}
	list, page := svc.CutPage(c, list, n, position)
	page.Limit = limit
	return list, page
}

func (q Query) check() error {
	switch {
	case q.ObjectType != "" && view.Component(q.ObjectType) == "":
		return svc.ParameterError("object_type", "Choose a calendar event or a task.")
	case !q.From.Before(q.To):
		return svc.ParameterError("end", "The end must be after the start.")
	}
	return nil
}

// collect passes all occurrences that the query selects to c. It expands series
// from the position after which the collector begins, so that a later page of a
// series with an occurrence each second needs no more work than the first one.
func (x *Index) collect(tx *store.Tx, v svc.Viewer, loc *time.Location, q Query, c *collector) error {
	c.now, c.zone, c.language, c.declined = tx.Now(), loc, v.Language(), x.declined(tx, v)
	from := q.From
	if c.after != nil && c.after.From > from.UnixMilli() {
		from = time.UnixMilli(c.after.From)
	}
	r := occurrence.NewRange(from, q.To, loc)
	var rows []object.Visible
	err := tx.Select(&rows, x.q.ObjectsInRange, store.Args{
		"member": v.Member(), "bands": store.JSONArray(r.Bands(tx.Now())), "from": r.From, "to": r.To,
		"calendar": q.CalendarID, "component": view.Component(q.ObjectType),
	})
	if err != nil {
		return err
	}
	_, c.outOfWork, err = x.objects.EachWithin(tx, refs(rows), func(n int, o *ics.Object) error {
		c.add(&rows[n], o, o.InstancesSeq(from, q.To, loc))
		return nil
	})
	c.trim()
	return err
}
