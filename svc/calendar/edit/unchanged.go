package edit

import (
	"slices"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/view"
	"appliance/svc/words"
)

// withoutUnchanged returns the change without the fields that equal those of
// component main of o; start and end are compared with those of the occurrence i
// unless it is nil. A form sends all of its fields. The fields that the member
// did not change must change neither the series nor other occurrences.
func (c Change) withoutUnchanged(o *ics.Object, main *ics.Component, i *ics.Instance) Change {
	obj := view.Render(words.English, view.Info{}, o, main, i)
	st := obj.State
	start, end := st.Start, (*view.Moment)(nil)
	if st.EventState != nil {
		end = &st.End
	} else if st.TaskState != nil {
		end = st.Due
	}
	if i != nil {
		start, end = st.Occurrence.Start, st.Occurrence.End
	}
	dropText(&c.Title, obj.Title)
	dropText(&c.Description, st.Description)
	dropText(&c.Location, st.Location)
	dropText(&c.Start, start.Text())
	dropText(&c.End, end.Text())
	dropText(&c.Due, end.Text())
	dropText(&c.Timezone, valueOf(st.Timezone))
	drop(&c.AllDay, c.AllDay.Value == st.AllDay)
	dropText(&c.RRule, valueOf(st.Recurrence.RRule))
	drop(&c.RDates, slices.Equal(c.RDates.Value, st.Recurrence.RDates))
	drop(&c.ExDates, slices.Equal(c.ExDates.Value, st.Recurrence.ExDates))
	if plan, err := c.planAlarms(view.VisibleAlarms(main)); c.setsAlarms() && err == nil && plan.isEmpty() {
		c.Alarms, c.AlarmMinutes = svc.Optional[[]view.Alarm]{}, svc.Optional[int]{}
	}
	dropText(&c.Status, st.Status)
	drop(&c.Categories, slices.Equal(c.Categories.Value, st.Categories))
	if st.EventState != nil {
		drop(&c.Transparency, string(c.Transparency.Value) == st.Transparency)
	}
	if task := st.TaskState; task != nil {
		completed := ""
		if task.CompletedAt != nil {
			completed = task.CompletedAt.Format(time.RFC3339)
		}
		drop(&c.Priority, c.Priority.Value == task.Priority)
		drop(&c.PercentComplete, c.PercentComplete.Value == task.PercentComplete)
		dropText(&c.CompletedAt, completed)
	}
	return c
}

// drop removes a field from a change if it keeps its value.
func drop[T any](field *svc.Optional[T], same bool) {
	if same {
		*field = svc.Optional[T]{}
	}
}

func dropText(field *svc.Optional[string], value string) { drop(field, field.Value == value) }

func valueOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// relativeTo converts a change with the start and end of the occurrence i to a
// change of the whole series: the series moves by as much as the occurrence.
func (c Change) relativeTo(o *ics.Object, i ics.Instance) (Change, error) {
	if o.Master == nil || c.Start.Value == "" && c.End.Value == "" && c.Due.Value == "" {
		return c, nil
	}
	first, last := o.Master.Time("DTSTART"), componentEnd(o.Master)
	if o.Component == "VEVENT" {
		last = view.EventEnd(o.Master)
	}
	zone := firstTime(i.Component, "DTSTART", "DTEND", "DUE").Zone()
	if c.Timezone.Set {
		var err error
		if zone, err = loadZone(c.Timezone.Value); err != nil {
			return c, err
		}
	}
	isDate, seriesIsDate := firstTime(i.Component, "DTSTART", "DUE").IsDate(), firstTime(o.Master, "DTSTART", "DUE").IsDate()
	if c.AllDay.Set {
		isDate, seriesIsDate = c.AllDay.Value, c.AllDay.Value
	}
	shift := func(field string, change *svc.Optional[string], old, series ics.Time) error {
		if change.Value == "" || old.IsZero() || series.IsZero() {
			return nil
		}
		t, err := parseTime(field, change.Value, zone, isDate)
		if err != nil {
			return err
		}
		from, to, layout := old.Clock(), series.Clock(), view.LocalLayout
		if seriesIsDate {
			from, to, layout = from.Truncate(24*time.Hour), to.Truncate(24*time.Hour), time.DateOnly
		}
		change.Value = to.Add(t.Clock().Sub(from)).Format(layout)
		return nil
	}
	err := svc.Join(
		shift("start", &c.Start, i.Start, first), shift("end", &c.End, i.End, last), shift("due", &c.Due, i.End, last),
	)
	return c, err
}
