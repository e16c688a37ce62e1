package calendar

import (
	"strings"

	"appliance/app/apptest"
)

// checkProgress compares whether a task is open, done or overdue, and its first open occurrence,
// with the row: in the dataset, in the panel of tasks and in the record. It is 21 November 2026,
// 09:00 UTC.
func (f *shapeFixture) checkProgress() {
	if !strings.Contains(f.Text, "BEGIN:VTODO") {
		return
	}
	for where, list := range map[string][]any{
		"dataset": f.dataset(), "panel": f.ann.Do("GET", "/world/panels/time?view=tasks").Want(200).List("tasks"),
	} {
		var got []string
		for _, o := range list {
			if apptest.At(o, "object_type") != "task" && apptest.At(o, "type") != "task" {
				continue
			}
			got = append(got, progress(o))
			if where == "panel" {
				got = append(got, progress(f.ann.Do("GET", apptest.Text(apptest.At(o, "links.self"))).Want(200).At("object")))
			}
		}
		for _, p := range got {
			if p != f.Fields["progress"] {
				f.fail("%s: got %q, want %q", where, p, f.Fields["progress"])
			}
		}
		if len(got) == 0 && (where == "dataset" || f.Fields["progress"] != "done") { // the panel shows tasks that were completed recently
			f.fail("%s: got no task, want one", where)
		}
	}
}

// progress returns "open", "overdue" or "done", and the occurrence of a record of a task that is
// not done.
func progress(record any) string {
	switch apptest.At(record, "state.status") {
	case "completed", "cancelled":
		return "done"
	}
	text := "open"
	if apptest.At(record, "state.is_overdue") == true {
		text = "overdue"
	}
	return strings.TrimSpace(text + " " + fromRecord(record).String())
}
