package index

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
)

// Upcoming lists the objects of a member's dataset: the objects with an
// occurrence in the dataset window, and all open tasks.
type Upcoming struct {
	Entries   []UpcomingEntry // at most maxUpcoming+1, so that the caller can tell that there are more
	From, To  time.Time       // the dataset window, from midnight to midnight
	Until     time.Time       // the list does not change before this time without a write
	Truncated bool            // objects are missing because of the limits of a request
}

// UpcomingEntry identifies an object. As long as its Version and the calendars
// do not change, Load returns the same object.
type UpcomingEntry struct {
	ID, Version string
	Size        int // octets of its text
}

// maxUpcoming limits the objects of a dataset.
const maxUpcoming = 1000

// upcomingRow is a row of the query upcoming.
type upcomingRow struct {
	object.Ref
	ID         string       `db:"id"`
	Calendar   string       `db:"calendar_id"`
	Seq        int64        `db:"seq"`         // number of the last change to the object in its calendar
	Certain    bool         `db:"certain"`     // if false, only the text shows whether the object belongs to the list
	ShownStart store.Millis `db:"shown_start"` // of the occurrence to show; FarFuture if there is none
	ShownEnd   store.Millis `db:"shown_end"`   // when another one follows; FarFuture for never
}

// version returns a version that changes with the object and with the
// occurrence to show.
func (r upcomingRow) version() string {
	text := make([]byte, 0, 64)
	text = append(append(text, r.Calendar...), ' ')
	text = append(strconv.AppendInt(text, r.Seq, 10), ' ')
	return string(strconv.AppendInt(text, int64(r.ShownStart), 10))
}

// Upcoming returns the objects for the dataset of v in the order of time. Floating
// times are read in loc.
func (x *Index) Upcoming(tx *store.Tx, v svc.Viewer, loc *time.Location) (Upcoming, error) {
	now := tx.Now()
	from, to := occurrence.DatasetWindow(now, loc)
	rows, truncated, err := x.upcoming(tx, v, window{from, now, to, loc})
	if err != nil {
		return Upcoming{}, err
	}
	u := Upcoming{Entries: make([]UpcomingEntry, len(rows)), From: from, To: to, Until: occurrence.Midnight(now, loc, 1), Truncated: truncated}
	_, offset := now.In(loc).Zone()
	for i, r := range rows {
		u.Entries[i] = UpcomingEntry{ID: r.ID, Version: r.version(), Size: r.Size}
		// ShownEnd is an instant, or a local time if the occurrence is
		// floating, but the row does not state which. The list uses the earlier
		// of both, which only causes a needless read.
		end := r.ShownEnd.Time()
		for _, until := range []time.Time{end, end.Add(-time.Duration(offset) * time.Second)} {
			if until.After(now) && until.Before(u.Until) {
				u.Until = until
			}
		}
	}
	return u, nil
}

// window is a time range and the current time, for a reader in loc.
type window struct {
	from, now, to time.Time
	loc           *time.Location
}

// upcoming returns the rows of all objects in a window, and one more than a
// dataset may have if there are too many.
func (x *Index) upcoming(tx *store.Tx, v svc.Viewer, w window) (rows []upcomingRow, truncated bool, err error) {
	r := occurrence.NewRange(w.from, w.to, w.loc)
	err = tx.Select(&rows, x.q.Upcoming, store.Args{
		"member": v.Member(), "bands": store.JSONArray(r.Bands(w.now)), "from": r.From, "to": r.To,
	})
	if err == nil {
		rows, truncated, err = x.resolveUncertain(tx, rows, w)
	}
	slices.SortFunc(rows, func(a, b upcomingRow) int {
		return cmp.Or(cmp.Compare(a.ShownStart, b.ShownStart), cmp.Compare(a.ID, b.ID))
	})
	return rows[:min(len(rows), maxUpcoming+1)], truncated, err
}

// resolveUncertain expands the objects for which the index does not determine
// the result, and omits those that have no occurrence in the window.
func (x *Index) resolveUncertain(tx *store.Tx, rows []upcomingRow, w window) (certain []upcomingRow, truncated bool, err error) {
	certain = make([]upcomingRow, 0, len(rows))
	var uncertain []upcomingRow
	var list []object.Ref
	for _, r := range rows {
		if r.Certain {
			certain = append(certain, r)
		} else {
			uncertain, list = append(uncertain, r), append(list, r.Ref)
		}
	}
	if len(uncertain) == 0 {
		return certain, false, nil
	}
	_, truncated, err = x.objects.EachWithin(tx, list, func(n int, o *ics.Object) error {
		r := uncertain[n]
		if i := occurrence.NextWithin(o, w.from, w.now, w.to, w.loc); i != nil {
			r.ShownStart, r.ShownEnd = store.Millis(i.From), store.Millis(i.To)
			certain = append(certain, r)
		}
		return nil
	})
	return certain, truncated, err
}
