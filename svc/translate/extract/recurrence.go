package extract

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"appliance/svc/translate/schemaorg"
)

// Limits of the search for the next occurrence of an event.
const (
	maxSearch    = 10 * 366 // days
	maxSchedules = 100      // schedules of a page that are searched
)

// recurrence is the rule of a Schedule of schema.org: the days on which an event
// repeats.
type recurrence struct {
	unit     string // "D", "W", "M" or "Y"
	interval int
	on       days // byDay, 0 for all days
	months   []int
	dates    []int    // byMonthDay
	weeks    []int    // byMonthWeek: 1 for the first seven days of a month, -1 for the last
	count    int      // 0 if unlimited
	except   []string // yyyy-mm-dd
}

var (
	repeatDuration = regexp.MustCompile(`^P([1-9]\d{0,2})([DWMY])$`)
	repeatWords    = map[string]string{"DAILY": "P1D", "WEEKLY": "P1W", "MONTHLY": "P1M", "YEARLY": "P1Y", "ANNUALLY": "P1Y"}
)

// newRecurrence returns the rule of a Schedule. ok is false if it states none, or one
// with values that cannot be parsed.
func newRecurrence(s *schemaorg.Node) (r recurrence, ok bool) {
	frequency := strings.ToUpper(strings.TrimSpace(textOf(s, "repeatFrequency")))
	if p := repeatWords[frequency]; p != "" {
		frequency = p
	}
	d := repeatDuration.FindStringSubmatch(frequency)
	if d == nil {
		return r, false
	}
	r.interval, _ = strconv.Atoi(d[1]) // the pattern matches digits only
	r.unit = d[2]
	if r.on, ok = daysOf(s, "byDay"); !ok {
		return r, false
	}
	var counts []int
	for property, list := range map[string]*[]int{"byMonth": &r.months, "byMonthDay": &r.dates, "byMonthWeek": &r.weeks, "repeatCount": &counts} {
		for _, text := range textsOf(s, property) {
			n, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil || n == 0 {
				return r, false
			}
			*list = append(*list, n)
		}
	}
	r.count = max(0, first(counts))
	for _, text := range textsOf(s, "exceptDate") {
		r.except = append(r.except, dayOf(text))
	}
	return r, true
}

// String returns the interval as an ISO 8601 duration.
func (r recurrence) String() string { return "P" + strconv.Itoa(r.interval) + r.unit }

// includes reports whether the event, which is first on the day start, repeats on a
// day. Both are midnights in UTC.
func (r recurrence) includes(day, start time.Time) bool {
	weekday := days(1) << ((day.Weekday() + 6) % 7)
	switch {
	case r.on != 0 && r.on&weekday == 0,
		r.months != nil && !slices.Contains(r.months, int(day.Month())),
		r.dates != nil && !slices.Contains(r.dates, day.Day()),
		r.weeks != nil && !slices.Contains(r.weeks, (day.Day()+6)/7) && !(slices.Contains(r.weeks, -1) && day.AddDate(0, 0, 7).Month() != day.Month()):
		return false
	}
	passed := daysBetween(start, day)
	months := (day.Year()-start.Year())*12 + int(day.Month()-start.Month())
	anyDay := r.on == 0 && r.dates == nil
	switch r.unit {
	case "D":
		return passed%r.interval == 0
	case "W":
		fromMonday := int(start.Weekday()+6) % 7
		return (passed+fromMonday)/7%r.interval == 0 && (r.on != 0 || passed%7 == 0)
	case "M":
		return months%r.interval == 0 && (!anyDay || day.Day() == start.Day())
	}
	return (day.Year()-start.Year())%r.interval == 0 && (r.months != nil || day.Month() == start.Month()) && (!anyDay || day.Day() == start.Day())
}

func daysBetween(a, b time.Time) int { return int(b.Sub(a) / (24 * time.Hour)) }

// midnight returns the day of a time in its zone as midnight in UTC.
func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// next returns the first occurrence that is not over, of an event that is first at start
// and lasts for length. until is the last day, zero if there is none. ok is false if
// there is no further occurrence.
func (r recurrence) next(start moment, length time.Duration, until, now time.Time) (m moment, ok bool) {
	begin := midnight(start.Time)
	day := begin
	if r.count == 0 { // otherwise all occurrences are counted
		earliest := midnight(now.In(start.Location()).Add(-length))
		day = begin.AddDate(0, 0, max(0, daysBetween(begin, earliest)))
	}
	last := day.AddDate(0, 0, maxSearch)
	if !until.IsZero() && until.Before(last) {
		last = until
	}
	occurrences := 0
	for ; !day.After(last); day = day.AddDate(0, 0, 1) {
		if !r.includes(day, begin) {
			continue
		}
		if occurrences++; r.count > 0 && occurrences > r.count {
			break
		}
		hour, minute, second := start.Clock()
		m = moment{time.Date(day.Year(), day.Month(), day.Day(), hour, minute, second, 0, start.Location()), start.hasTime, start.hasZone}
		if !m.end().Add(length).Before(now) && !slices.Contains(r.except, day.Format(time.DateOnly)) {
			return m, true
		}
	}
	return m, false
}

// repeat sets the times of an event with a schedule to those of its next occurrence. ok
// is false if there is none. An event without a rule keeps its times.
func (o *datedEvent) repeat(s *schemaorg.Node, now time.Time) (ok bool) {
	rule, ok := newRecurrence(s)
	if !ok {
		return true
	}
	at := func(property string) (m moment, ok bool) { // a time of the schedule on the first day
		m, ok = parseMoment(join("T", o.start.Format(time.DateOnly), plain(textOf(s, property), maxLine)))
		return m.in(strings.TrimSpace(textOf(s, "scheduleTimezone"))), ok && m.hasTime
	}
	if m, ok := at("startTime"); ok && !o.start.hasTime {
		o.start = m
	}
	var length time.Duration
	ofSeries := o.hasEnd // the end is not that of the first occurrence
	if m, ok := at("endTime"); ok && o.start.hasTime {
		if length = inZone(m.Time, o.start.Location()).Sub(o.start.Time); length <= 0 {
			length += 24 * time.Hour
		}
	} else if o.hasEnd && o.end.hasTime && o.end.Sub(o.start.Time) < 24*time.Hour {
		length, ofSeries = o.end.Sub(o.start.Time), false
	}
	var until time.Time
	if m, ok := parseMoment(plain(textOf(s, "endDate"), maxLine)); ok {
		until = midnight(m.Time)
	} else if ofSeries {
		until = midnight(o.end.Time)
	}
	if o.start, ok = rule.next(o.start, length, until, now); !ok {
		return false
	}
	o.end, o.hasEnd, o.repeats = moment{o.start.Add(length), true, o.start.hasZone}, length > 0, rule.String()
	return true
}
