package calendar

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Upcoming is what of a member's entries belongs into a dataset: those that
// have an instance from a week ago until two months ahead, and the tasks that
// are still to do (B-61).
type Upcoming struct {
	Entries []UpcomingEntry // one more than a dataset may have if there are too many
	Until   time.Time       // when time alone changes the answer
	Cut     bool            // there may be more that took too much work to find (B-60)
}

// UpcomingEntry names an entry. Whoever has its object of the same Version,
// and of calendars that have not changed, need not [Service.Load] it again.
type UpcomingEntry struct {
	ID, Version string
	Size        int // of its text, in octets
}

// maxUpcoming is how many entries a dataset has at most (B-82).
const maxUpcoming = 1000

// datasetWindow is how far a dataset looks from today. Days begin where loc
// says.
func datasetWindow(now time.Time, loc *time.Location) (from, to time.Time) {
	return midnight(now, loc, -7), midnight(now, loc, 60)
}

// midnight returns when the day begins in loc that is so many days from that
// of t.
func midnight(t time.Time, loc *time.Location, days int) time.Time {
	t = t.In(loc)
	return time.Date(t.Year(), t.Month(), t.Day()+days, 0, 0, 0, 0, loc)
}

// upcomingRow is a row of the query upcoming.
type upcomingRow struct {
	dataRef
	ID       string       `db:"id"`
	Calendar string       `db:"calendar_id"`
	Seq      int64        `db:"seq"` // of the entry in its calendar
	Open     bool         `db:"open"`
	Certain  bool         `db:"certain"`
	Pick     store.Millis `db:"pick"`  // start of the instance to speak of, farFuture if there is none
	Until    store.Millis `db:"until"` // when that is over
}

// Upcoming lists what belongs into v's dataset in the order of time. Floating
// times are read in loc.
func (s *Service) Upcoming(tx *store.Tx, v svc.Viewer, loc *time.Location) (Upcoming, error) {
	now := tx.Now()
	rows, cut, err := s.upcoming(tx, v, usualWindow(now, loc))
	if err != nil {
		return Upcoming{}, err
	}
	u := Upcoming{Entries: make([]UpcomingEntry, len(rows)), Until: midnight(now, loc, 1), Cut: cut}
	_, offset := now.In(loc).Zone()
	for i, r := range rows {
		u.Entries[i] = UpcomingEntry{ID: r.ID, Version: r.version(), Size: r.Size}
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

// window is a range of time as somebody in loc sees it at a moment within it.
type window struct {
	from, now, to time.Time
	loc           *time.Location
}

func usualWindow(now time.Time, loc *time.Location) window {
	from, to := datasetWindow(now, loc)
	return window{from, now, to, loc}
}

// upcoming lists the rows of what belongs into a window, one more than a
// dataset may have if there are too many. Cut says that finding all would have
// taken too much work.
func (s *Service) upcoming(tx *store.Tx, v svc.Viewer, w window) (rows []upcomingRow, cut bool, err error) {
	r := spanIn(w.from, w.to, w.loc)
	err = tx.Select(&rows, s.q.Upcoming, store.Args{
		"member": v.Member(), "bands": r.bands(w.now, w.loc), "from": r.actual.from, "to": r.actual.to,
	})
	if err == nil {
		rows, cut, err = s.ascertain(tx, rows, w)
	}
	slices.SortFunc(rows, func(a, b upcomingRow) int { return cmp.Or(cmp.Compare(a.Pick, b.Pick), cmp.Compare(a.ID, b.ID)) })
	return rows[:min(len(rows), maxUpcoming+1)], cut, err
}

// ascertain looks at the entries themselves where the index is not certain,
// and leaves out those that do not belong.
func (s *Service) ascertain(tx *store.Tx, rows []upcomingRow, w window) (certain []upcomingRow, cut bool, err error) {
	certain = make([]upcomingRow, 0, len(rows))
	var others []upcomingRow
	var list []dataRef
	for _, r := range rows {
		if r.Certain {
			certain = append(certain, r)
		} else {
			others, list = append(others, r), append(list, r.dataRef)
		}
	}
	if len(others) == 0 {
		return certain, false, nil
	}
	_, cut, err = s.readWithin(tx, list, func(n int, o *ics.Object) error {
		r := others[n]
		r.Pick, r.Until = farFuture, farFuture
		if i := nextWithin(o, w.from, w.now, w.to, w.loc); i != nil {
			r.Pick, r.Until = store.Millis(i.From), store.Millis(i.To)
		} else if !r.Open {
			return nil
		}
		certain = append(certain, r)
		return nil
	})
	return certain, cut, err
}

// version identifies the state of the entry and the occurrence that it shows.
func (r upcomingRow) version() string {
	text := make([]byte, 0, 64)
	text = append(append(text, r.Calendar...), ' ')
	text = append(strconv.AppendInt(text, r.Seq, 10), ' ')
	return string(strconv.AppendInt(text, int64(r.Pick), 10))
}
