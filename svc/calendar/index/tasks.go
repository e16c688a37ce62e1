package index

import (
	"cmp"
	"errors"
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
	"appliance/svc/words"
)

// taskRow is a row of the query tasks.
type taskRow struct {
	object.Visible
	Open        bool         `db:"open"`
	CompletedAt store.Millis `db:"completed_at"` // 0 if unknown
}

// taskPosition is the position of a task in the results of the query tasks.
type taskPosition struct {
	Open bool   `json:"o"`
	ID   string `json:"i"`
}

// task is a task with its next occurrence.
type task struct {
	taskPosition
	order  int64 // for an open task, the time when it is due; for a completed one, the negative time of completion
	object view.Object
}

// taskQuery selects all open tasks and the tasks completed in [since, until), or
// all tasks if since is the zero time.
type taskQuery struct {
	since, until time.Time
	after        *taskPosition
	limit        int
}

// errTextFull ends the iteration over tasks when their text reaches the limit.
var errTextFull = errors.New("too much text")

// listTasks returns tasks in the order of the query. truncated reports whether
// tasks are missing because of the size of their text or the limits of a
// request.
func (x *Index) listTasks(tx *store.Tx, v svc.Viewer, loc *time.Location, q taskQuery) (list []task, truncated bool, err error) {
	args := store.Args{
		"member": v.Member(), "all": q.since.IsZero(), "since": store.MillisOf(q.since), "until": store.MillisOf(q.until),
		"open": 2, "id": "", "limit": q.limit,
	}
	if q.after != nil {
		args["open"], args["id"] = q.after.Open, q.after.ID
	}
	var rows []taskRow
	if err := tx.Select(&rows, x.q.Tasks, args); err != nil {
		return nil, false, err
	}
	refs := make([]object.Ref, len(rows))
	for i, r := range rows {
		refs[i] = r.Ref
	}
	octets := 0
	visited, _, err := x.objects.EachWithin(tx, refs, func(i int, o *ics.Object) error {
		t := newTask(v.Language(), rows[i], o, tx.Now(), loc)
		if octets += t.object.TextSize(); len(list) >= 2 && octets > view.MaxText {
			return errTextFull
		}
		list = append(list, t)
		return nil
	})
	if err == errTextFull {
		return list, true, nil
	}
	return list, visited < len(refs), err
}

func newTask(l words.Language, r taskRow, o *ics.Object, now time.Time, loc *time.Location) task {
	next := occurrence.Next(o, now, loc)
	t := task{taskPosition{r.Open, r.ID}, -int64(r.CompletedAt), view.Summarize(l, r.Info(), o, view.MainComponent(o, next), next)}
	if r.Open {
		t.order = dueAt(next)
	}
	t.object.SummarizeIn(l, loc, next)
	t.object.SetOverdue(o, next, now, loc)
	return t
}

// Tasks lists all tasks in the visible calendars of v, open ones first, or only
// the tasks with a status. A page may have fewer tasks than its limit, because it
// omits tasks with another status.
func (x *Index) Tasks(tx *store.Tx, v svc.Viewer, loc *time.Location, status edit.TaskStatus, limit int, cursor string) (Page, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), "time.tasks", v, status)
	limit, err := svc.PageLimit(limit)
	var after *taskPosition
	if err := svc.Join(err, cursors.Decode(cursor, &after)); err != nil {
		return Page{}, err
	}
	list, truncated, err := x.listTasks(tx, v, loc, taskQuery{after: after, limit: limit + 1})
	if err != nil {
		return Page{}, err
	}
	list, page := cutPage(cursors, list, limit, truncated, func(t task) any { return t.taskPosition })
	result := Page{Page: page}
	for _, t := range list {
		if status == "" || t.object.State.Status == string(status) {
			result.Objects = append(result.Objects, t.object)
		}
	}
	return result, nil
}

// compareTasks orders open tasks by due time, and then completed tasks, the
// latest first.
func compareTasks(a, b task) int {
	if a.Open != b.Open {
		if a.Open {
			return -1
		}
		return 1
	}
	return cmp.Compare(a.order, b.order)
}

// dueAt returns when a task is due, in milliseconds since 1970, and the maximum
// for a task without a date, which sorts last.
func dueAt(i *ics.Instance) int64 {
	switch {
	case i == nil || !hasDate(*i):
		return math.MaxInt64
	case i.End.IsZero():
		return i.StartsAt.UnixMilli()
	}
	return i.EndsAt.UnixMilli()
}

// hasDate reports whether an occurrence has a start or an end. The occurrence
// of a task may have neither.
func hasDate(i ics.Instance) bool { return !i.Start.IsZero() || !i.End.IsZero() }
