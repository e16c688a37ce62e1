package edit

import (
	"cmp"
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
	named := c.Start
	hasEndZone := c.EndTimezone.Set && c.EndTimezone.Value != view.EndTimezone(start, end) // then the same figures are another time
	if dropText(&c.Start, start.Text()); !c.Start.Set && !hasEndZone {                     // otherwise an end that stays changes the duration
		dropText(&c.End, end.Text())
		dropText(&c.Due, end.Text())
	}
	if c.Due.Set {
		c.Start = named // a start that stays does not follow the due time, see startFollowsDue
	}
	dropText(&c.Timezone, valueOf(st.Timezone))
	dropText(&c.EndTimezone, view.EndTimezone(start, end))
	drop(&c.AllDay, c.AllDay.Value == st.AllDay)
	dropText(&c.RRule, valueOf(st.Recurrence.RRule))
	drop(&c.RDates, slices.Equal(c.RDates.Value, st.Recurrence.RDates))
	drop(&c.ExDates, slices.Equal(c.ExDates.Value, st.Recurrence.ExDates))
	if plan, err := c.planAlarms(view.VisibleAlarms(main)); c.setsAlarms() && err == nil && plan.isEmpty() {
		c.Alarms, c.AlarmMinutes = svc.Optional[[]view.Alarm]{}, svc.Optional[int]{}
	}
	if st.TaskState == nil || st.IsDone() || len(main.Props("COMPLETED")) == 0 { // otherwise the status removes COMPLETED
		dropText(&c.Status, st.Status)
	}
	drop(&c.Class, c.Class.Value == Class(st.Class))
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
	zones, err := c.changedZones(zonesOf(i.Start, i.End))
	if err != nil {
		return c, err
	}
	isDate, seriesIsDate := firstTime(i.Component, "DTSTART", "DUE").IsDate(), firstTime(o.Master, "DTSTART", "DUE").IsDate()
	if c.AllDay.Set {
		isDate, seriesIsDate = c.AllDay.Value, c.AllDay.Value
	}
	shift := func(field string, change *svc.Optional[string], zone *ics.Zone, old, series ics.Time) error {
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
	own := c
	err = svc.Join(
		shift("start", &c.Start, zones.start, i.Start, first),
		shift("end", &c.End, zones.end, i.End, last), shift("due", &c.Due, zones.end, i.End, last),
	)
	series, _ := c.changedZones(zonesOf(first, last))
	if err == nil && !isDate && !seriesIsDate && !zones.areEqual() && zones.areKnown() && series.areKnown() {
		c.setSeriesEnd(own, i, zones, first, series)
	}
	return c, err
}

// setSeriesEnd sets the end of the series whose times are in the zones series, and which
// starts at first, so that it has the length that the change own gives its occurrence i.
// This differs from a shift of the local time if the zones of start and end differ: the
// difference between their local times is another one on other dates.
func (c *Change) setSeriesEnd(own Change, i ics.Instance, zones timeZones, first ics.Time, series timeZones) {
	change := &c.End
	if c.Due.Value != "" {
		change = &c.Due
	}
	parse := func(text string, zone *ics.Zone) ics.Time {
		t, _ := parseTime("start", text, zone, false) // relativeTo has parsed the times of own
		return t
	}
	start, seriesStart := i.Start, inZone(first.Clock(), series.start)
	if c.Start.Value != "" {
		start, seriesStart = parse(own.Start.Value, zones.start), parse(c.Start.Value, series.start)
	}
	end := parse(cmp.Or(own.Due.Value, own.End.Value), zones.end)
	if start.IsZero() || seriesStart.IsZero() || end.IsZero() {
		return
	}
	length := end.Instant(nil).Sub(start.Instant(nil))
	change.Value = view.FormatTime(ics.Zoned(seriesStart.Instant(nil).Add(length), series.end))
}
