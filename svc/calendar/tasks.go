package calendar

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// taskRow is a row of the query tasks.
type taskRow struct {
	viewed
	Open bool         `db:"open"`
	Done store.Millis `db:"completed_at"` // 0 if it is not, or not said
}

// taskPlace is where a task stands in the order of the query tasks.
type taskPlace struct {
	Open bool   `json:"o"`
	ID   string `json:"i"`
}

// foundTask is a task as a whole, with its next instance.
type foundTask struct {
	taskPlace
	order int64 // of what is to do, when that is; of what is done, how long ago
	Object
}

// errEnough ends a reading of entries that have too much text.
var errEnough = errors.New("that is enough")

// tasks lists tasks that are to do, and those that were done in a time, or
// all for a zero time; at most count of them, after a place. It is full if
// there are fewer, or there would be too much text.
func (s *Service) tasks(tx *store.Tx, v svc.Viewer, loc *time.Location, since, until time.Time, after *taskPlace, count int) (list []foundTask, full bool, err error) {
	args := store.Args{
		"member": v.Member(), "all": since.IsZero(), "since": store.MillisOf(since), "until": store.MillisOf(until),
		"open": 2, "id": "", "limit": count,
	}
	if after != nil {
		args["open"], args["id"] = after.Open, after.ID
	}
	var rows []taskRow
	if err := tx.Select(&rows, s.q.Tasks, args); err != nil {
		return nil, false, err
	}
	data := make([]dataRef, len(rows))
	for i, r := range rows {
		data[i] = r.dataRef
	}
	texts := 0
	done, _, err := s.readWithin(tx, data, func(i int, o *ics.Object) error {
		r, which := rows[i], nextToDo(o, tx.Now(), loc)
		c := o.Components()[0]
		t := foundTask{taskPlace{r.Open, r.ID}, -int64(r.Done), r.about(r.brief(o, c), which, c)}
		if r.Open {
			t.order = dueAt(which)
		}
		t.Summary = summary(beginning(which, ics.Time{}), loc, t.State.Location, r.Calendar)
		if texts += t.octets(); len(list) >= 2 && texts > maxTexts {
			return errEnough
		}
		list = append(list, t)
		return nil
	})
	if err == errEnough {
		return list, true, nil
	}
	return list, done < len(data), err
}

// Tasks lists all tasks in v's visible calendars, those that are to do first,
// or those of one status. A page may be short of some: those of another one.
func (s *Service) Tasks(tx *store.Tx, v svc.Viewer, loc *time.Location, status string, limit int, cursor string) (Page, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), "time.tasks", v)
	limit, err := svc.PageLimit(limit)
	var after *taskPlace
	if err := svc.Join(err, cursors.Decode(cursor, &after)); err != nil {
		return Page{}, err
	}
	if status != "" && !slices.Contains(taskStatuses, status) {
		return Page{}, svc.ParameterError("status", "There is no status %.40q.", status)
	}
	list, full, err := s.tasks(tx, v, loc, time.Time{}, time.Time{}, after, limit+1)
	if err != nil {
		return Page{}, err
	}
	list, page := cutPage(cursors, list, limit, full, func(t foundTask) any { return t.taskPlace })
	answer := Page{Page: page}
	for _, t := range list {
		if status == "" || t.State.Status == status {
			answer.Objects = append(answer.Objects, t.Object)
		}
	}
	return answer, nil
}

// toDo puts tasks into a workspace: what is to do by when it is due, and then
// what was done, the last first.
func (s *Service) toDo(tx *store.Tx, v svc.Viewer, loc *time.Location, w *Workspace) error {
	list, full, err := s.tasks(tx, v, loc, midnightOf(w.From, loc), midnightOf(w.To, loc), nil, maxTasks+1)
	if err != nil {
		return err
	}
	w.MoreTasks = full || len(list) > maxTasks
	list = list[:min(len(list), maxTasks)]
	slices.SortStableFunc(list, func(a, b foundTask) int {
		if a.Open != b.Open {
			if a.Open {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.order, b.order)
	})
	for _, t := range list {
		w.Tasks = append(w.Tasks, t.Object)
	}
	return nil
}

// nextToDo returns the next instance of a task that is not done, if there is
// one within two years: whoever has ticked one off wants to see the one after
// it.
func nextToDo(o *ics.Object, now time.Time, loc *time.Location) *ics.Instance {
	var first *ics.Instance
	for i := range o.InstancesSeq(now, now.AddDate(2, 0, 0), loc) {
		if status := statusOf(i.Component); status == "completed" || status == "cancelled" {
			continue
		}
		if first == nil || i.From < first.From {
			first = &i
		}
		if i.Component == o.Master { // all others of the series are later
			break
		}
	}
	if first == nil {
		return next(o, now, loc)
	}
	return first
}

// dueAt is when a task is due, in milliseconds since 1970; it is late for one
// that has no time.
func dueAt(i *ics.Instance) int64 {
	switch {
	case i == nil || !dated(*i):
		return math.MaxInt64
	case i.End.IsZero():
		return i.StartsAt.UnixMilli()
	}
	return i.EndsAt.UnixMilli()
}
