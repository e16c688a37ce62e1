package edit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
)

// modelForm is the form of all times of a series.
type modelForm struct {
	zone   string // "" for floating times
	isDate bool
}

// time returns a local time in the form.
func (f modelForm) time(wall time.Time) ics.Time {
	if f.isDate {
		return ics.Date(wall.Date())
	}
	t := ics.Floating(wall)
	if f.zone != "" {
		t = t.WithZone(zone(f.zone))
	}
	return t
}

// prop returns a property with local times.
func (f modelForm) prop(name string, walls ...time.Time) string {
	param, layout := "", "20060102T150405"
	switch {
	case f.isDate:
		param, layout = ";VALUE=DATE", "20060102"
	case f.zone == "UTC":
		layout += "Z"
	case f.zone != "":
		param = ";TZID=" + f.zone
	}
	values := make([]string, len(walls))
	for i, wall := range walls {
		values[i] = wall.Format(layout)
	}
	return name + param + ":" + strings.Join(values, ",") + "\n"
}

// modelSeries is a series as the decision on moves sees it: the dates of its rule, further
// dates, and exceptions.
type modelSeries struct {
	modelForm
	start     time.Time
	rule      modelRule
	rdates    []time.Time
	exdates   []time.Time
	exdays    []time.Time // days that are excluded as a whole
	overrides map[time.Time]modelOverride

	times   []time.Time // that the rule selects, whatever its end; see selected
	through time.Time
}

// modelOverride is an override with its local start.
type modelOverride struct {
	modelForm
	start  time.Time
	length time.Duration
}

// object returns the series as an object.
func (s *modelSeries) object() string {
	length := func(isDate bool, d time.Duration) string {
		if isDate {
			return fmt.Sprintf("DURATION:P%dD\n", int(d.Hours())/24)
		}
		return fmt.Sprintf("DURATION:PT%dM\n", int(d.Minutes()))
	}
	text := "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//model//EN\nBEGIN:VEVENT\nUID:a\nSUMMARY:Series\n" + s.prop("DTSTART", s.start)
	text += "RRULE:" + s.rule.text(s.untilText()) + "\n"
	if len(s.rdates) > 0 {
		text += s.prop("RDATE", s.rdates...)
	}
	if len(s.exdates) > 0 {
		text += s.prop("EXDATE", s.exdates...)
	}
	if len(s.exdays) > 0 {
		text += modelForm{isDate: true}.prop("EXDATE", s.exdays...)
	}
	text += "END:VEVENT\n"
	for _, id := range slices.SortedFunc(maps.Keys(s.overrides), time.Time.Compare) {
		o := s.overrides[id]
		text += "BEGIN:VEVENT\nUID:a\nSUMMARY:Other\n" + s.prop("RECURRENCE-ID", id) + o.prop("DTSTART", o.start) + length(o.isDate, o.length) + "END:VEVENT\n"
	}
	return strings.ReplaceAll(text+"END:VCALENDAR\n", "\n", "\r\n")
}

// untilText returns the value of UNTIL in the form that the start requires.
func (s *modelSeries) untilText() string {
	switch {
	case s.rule.until.IsZero():
		return ""
	case s.isDate:
		return s.rule.until.Format("20060102")
	case s.zone == "":
		return s.rule.until.Format("20060102T150405")
	}
	return s.time(s.rule.until).Instant(nil).Format("20060102T150405Z")
}

// selected returns the local times that the rule selects at or after the start, without its
// end, and the time before which they are complete.
func (s *modelSeries) selected() (times []time.Time, through time.Time) {
	if s.times == nil {
		s.times, s.through = s.rule.selected(s.start, s.isDate)
	}
	return s.times, s.through
}

// startsOutside reports whether the rule does not select the start.
func (s *modelSeries) startsOutside() bool {
	times, _ := s.selected()
	return len(times) == 0 || !times[0].Equal(s.start)
}

// dates returns the dates of the rule, and the local time before which they are complete.
// The start is the first date, and a local time that the clocks skip is none if it is the
// same instant as another.
func (s *modelSeries) dates() (dates []time.Time, through time.Time) {
	times, through := s.selected()
	if s.startsOutside() {
		times = slices.Insert(slices.Clone(times), 0, s.start)
	}
	if s.zone != "" && (s.rule.rank() >= 4 || s.rule.has("BYHOUR") || s.rule.has("BYMINUTE") || s.rule.has("BYSECOND")) {
		times = s.distinct(times)
	}
	for i, t := range times {
		isAfter := !s.rule.until.IsZero() && s.time(t).Instant(nil).After(s.time(s.rule.until).Instant(nil))
		switch {
		case s.rule.count > 0 && i >= s.rule.count, isAfter && s.zone == "":
			return dates, firstOf(9000, 1)
		case i > modelDates:
			return dates, t
		case !isAfter: // a later local time may be an earlier instant
			dates = append(dates, t)
		}
	}
	return dates, through
}

// distinct returns times without those that are skipped and equal to another instant.
func (s *modelSeries) distinct(times []time.Time) (list []time.Time) {
	isSkipped := func(t time.Time) (later time.Time, ok bool) {
		local := ics.Zoned(s.time(t).Instant(nil), zone(s.zone)).Clock()
		return local, !local.Equal(t)
	}
	later, startIsSkipped := isSkipped(s.start)
	for _, t := range times {
		if startIsSkipped && t.Equal(later) {
			continue
		}
		if at, ok := isSkipped(t); ok && !t.Equal(s.start) {
			if _, isTwice := slices.BinarySearchFunc(times, at, time.Time.Compare); isTwice {
				continue
			}
		}
		list = append(list, t)
	}
	return list
}

// occurrences returns the occurrences that start before a local time, sorted.
func (s *modelSeries) occurrences(before time.Time) (list []string) {
	add := func(title string, f modelForm, start time.Time, length time.Duration) {
		if start.Before(before) {
			list = append(list, fmt.Sprint(start.Format(time.DateTime), " ", f.zone, f.isDate, " ", length, " ", title))
		}
	}
	dates, _ := s.dates()
	all := slices.Concat(dates, s.rdates)
	slices.SortFunc(all, time.Time.Compare)
	for _, d := range slices.Compact(all) {
		_, isOverridden := s.overrides[d]
		if !isOverridden && !slices.Contains(s.exdates, d) && !slices.Contains(s.exdays, dateAt(d)) {
			add("Series", s.modelForm, d, 0)
		}
	}
	for _, o := range s.overrides {
		add("Other", o.modelForm, o.start, o.length)
	}
	slices.Sort(list)
	return list
}

// occurrencesOf returns the occurrences of objects in the form of modelSeries.
func occurrencesOf(before time.Time, objects ...*ics.Object) (list []string, truncated bool) {
	for _, o := range objects {
		if o == nil {
			continue
		}
		for i := range o.InstancesSeq(time.Time{}, before.AddDate(0, 0, 3), time.UTC) {
			f := modelForm{isDate: i.Start.IsDate()}
			if z := i.Start.Zone(); z != nil {
				f.zone = z.Name()
			}
			length, _ := i.Component.Duration("DURATION")
			if i.Start.Clock().Before(before) {
				list = append(list, fmt.Sprint(i.Start.Clock().Format(time.DateTime), " ", f.zone, f.isDate, " ",
					time.Duration(length.Days)*24*time.Hour+time.Duration(length.Seconds)*time.Second, " ", i.Component.Text("SUMMARY")))
			}
		}
	}
	slices.Sort(list)
	return list, len(list) > 50_000
}

// randomModel returns a random series with exceptions among its first dates.
func randomModel(d icstest.Rand) *modelSeries {
	for {
		s := &modelSeries{overrides: make(map[time.Time]modelOverride)}
		s.zone = icstest.Pick(d, "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "UTC", "")
		s.isDate = d.OneIn(5)
		s.start = d.Clock()
		if s.isDate {
			s.zone, s.start = "", dateAt(s.start)
		}
		s.rule = randomModelRule(d, s.start, s.isDate)
		if times, _ := s.rule.selected(s.start, s.isDate); len(times) == 0 {
			continue
		} else if !d.OneIn(8) { // otherwise the start may be outside the rule
			s.start = times[0]
		}
		s.setEnd(d)
		s.addExceptions(d)
		return s
	}
}

// setEnd gives some rules a COUNT or an UNTIL.
func (s *modelSeries) setEnd(d icstest.Rand) {
	dates, _ := s.dates()
	switch d.IntN(4) {
	case 0:
		s.rule.count = 1 + d.IntN(40)
	case 1:
		s.rule.until = dates[d.IntN(len(dates))]
		if d.OneIn(2) && s.isDate {
			s.rule.until = s.rule.until.AddDate(0, 0, d.IntN(3))
		} else if d.OneIn(2) && s.rule.rank() < 5 { // otherwise the end may be after the known dates
			s.rule.until = s.rule.until.Add(time.Duration(d.IntN(30)) * time.Minute)
		}
	}
}

// addExceptions adds RDATEs, EXDATEs and overrides.
func (s *modelSeries) addExceptions(d icstest.Rand) {
	dates, _ := s.dates()
	dates = dates[:min(len(dates), 60)]
	unit := time.Hour
	if s.isDate {
		unit = 24 * time.Hour
	}
	for range d.IntN(3) {
		s.rdates = append(s.rdates, s.start.Add(time.Duration(1+d.IntN(400))*unit))
	}
	for range d.IntN(4) {
		switch at := icstest.Pick(d, dates...); {
		case d.OneIn(6) && s.rule.rank() < 4: // of no date
			s.exdates = append(s.exdates, at.Add(unit))
		case d.OneIn(5) && !s.isDate && s.rule.rank() < 5: // otherwise a day has more dates than the model knows
			s.exdays = append(s.exdays, dateAt(at))
		default:
			s.exdates = append(s.exdates, at)
		}
	}
	for range d.IntN(4) {
		at, o := icstest.Pick(d, slices.Concat(dates, s.rdates)...), modelOverride{modelForm: s.modelForm, length: unit}
		if o.start = at; !d.OneIn(3) {
			o.start = at.Add(time.Duration(d.IntN(40)-20) * unit)
		}
		s.overrides[at] = o
	}
}

// randomModelRule returns a random rule with any parts of RFC 5545 and RFC 7529.
func randomModelRule(d icstest.Rand, start time.Time, isDate bool) modelRule {
	r := modelRule{freq: modelFreqs[d.IntN(4)], interval: 1, wkst: time.Monday, numbers: make(map[string][]int)}
	if !isDate && d.OneIn(6) {
		r.freq = modelFreqs[4+d.IntN(3)]
	}
	if d.OneIn(3) {
		r.interval = 1 + d.IntN(4)
	}
	if d.OneIn(4) {
		r.wkst = time.Weekday(d.IntN(7))
	}
	add := func(part string, chance, most, low, high int, own int) {
		if !d.OneIn(chance) {
			return
		}
		list := []int{own}
		for range d.IntN(most) {
			n := low + d.IntN(high-low+1)
			if part != "BYMONTH" && part != "BYHOUR" && part != "BYMINUTE" && part != "BYSECOND" && d.OneIn(3) {
				n = -n
			}
			if !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
		r.numbers[part] = list
	}
	if r.rank() <= 1 || d.OneIn(4) {
		add("BYMONTH", 3, 2, 1, 12, int(start.Month()))
	}
	if r.rank() != 2 {
		add("BYMONTHDAY", 3, 2, 1, 31, icstest.Pick(d, start.Day(), start.Day(), -1, 31, 30))
	}
	if r.freq == "YEARLY" {
		add("BYYEARDAY", 8, 2, 1, 366, icstest.Pick(d, start.YearDay(), 366, -1))
		add("BYWEEKNO", 8, 2, 1, 53, icstest.Pick(d, 20, 1, -1, 53))
	}
	if d.OneIn(3) || r.freq == "WEEKLY" && d.OneIn(2) {
		for range 1 + d.IntN(2) {
			day := ics.Day{Weekday: icstest.Pick(d, start.Weekday(), time.Weekday(d.IntN(7)))}
			if r.rank() <= 1 && !r.has("BYWEEKNO") && !d.OneIn(4) {
				day.N = icstest.Pick(d, -1, 1, 2, 3, 4, 5, -2)
			}
			if !slices.ContainsFunc(r.days, func(other ics.Day) bool { return other.Weekday == day.Weekday }) {
				r.days = append(r.days, day)
			}
		}
	}
	if !isDate {
		add("BYHOUR", 8, 2, 0, 23, start.Hour())
		add("BYMINUTE", 10, 2, 0, 59, start.Minute())
		add("BYSECOND", 20, 2, 0, 59, start.Second())
	}
	add("BYSETPOS", 12, 2, 1, 4, icstest.Pick(d, 1, -1))
	if r.rank() <= 1 && d.OneIn(6) {
		r.skip = icstest.Pick(d, "OMIT", "FORWARD", "BACKWARD")
	}
	return r
}
