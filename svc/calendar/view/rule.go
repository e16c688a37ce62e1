package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"appliance/svc/calendar/ics"
	"appliance/svc/words"
)

// customRule is the text for a rule that has no short sentence.
const customRule = "Repeats by a custom rule"

// maxNamed limits the days and months that a text names.
const maxNamed = 7

// RecurrenceText describes in the language l how a series recurs, "" for an object that
// does not recur.
func RecurrenceText(l words.Language, o *ics.Object) string {
	switch {
	case !o.Recurs():
		return ""
	case o.Master == nil:
		return l.Text(customRule)
	}
	dates := len(o.Master.RDates())
	rule := o.Master.Rule()
	if rule == nil {
		return l.Text("On selected dates")
	}
	text := RuleText(l, rule, o.Master.Time("DTSTART"))
	if dates > 0 {
		text = l.Textf("%s, and on selected dates", text)
	}
	return text
}

// RuleText describes the rule of a series that begins at start: "Every 2 weeks on
// Monday, 6 times".
func RuleText(l words.Language, r *ics.Rule, start ics.Time) string {
	if !r.Supported() {
		return l.Textf("Repeats in another calendar system (%s). Only the first occurrence is shown", r.RScale)
	}
	if r.Freq > ics.Daily || r.Skip != ics.Omit {
		return l.Text(customRule)
	}
	days, months, ok := ruleDays(l, r)
	if !ok {
		return l.Text(customRule)
	}
	if len(days)+len(months) == 0 && r.Freq == ics.Weekly && !start.IsZero() {
		days = []string{weekdayText(l, start.Clock().Weekday())}
	}
	text := intervalText(l, r)
	if len(days) > 0 {
		text = l.Textf("%s on %s", text, joinWords(l, days))
	}
	if len(months) > 0 {
		text = l.Textf("%s in %s", text, joinWords(l, months))
	}
	switch {
	case r.Count == 1:
		text = l.Textf("%s, once", text)
	case r.Count > 1:
		text = l.Textf("%s, %d times", text, r.Count)
	case !r.Until.IsZero():
		text = l.Textf("%s, until %s", text, l.Date(untilClock(r, start), "2 January 2006"))
	}
	return text
}

// untilClock returns the end of a rule in the local time of the series. An UNTIL in UTC can
// be on another day (RFC 5545 §3.3.10).
func untilClock(r *ics.Rule, start ics.Time) time.Time {
	zone := start.Zone()
	if zone == nil || zone.Location() == nil || r.Until.Zone() == nil {
		return r.Until.Clock()
	}
	return ics.Zoned(r.Until.Instant(nil), zone).Clock()
}

// intervalTexts are the texts for the frequencies, with the interval 1 and with others.
var intervalTexts = [][2]string{{"Every year", "Every %d years"}, {"Every month", "Every %d months"}, {"Every week", "Every %d weeks"}, {"Every day", "Every %d days"}}

// intervalText describes the frequency and the interval of a rule.
func intervalText(l words.Language, r *ics.Rule) string {
	texts := intervalTexts[r.Freq]
	if r.Interval > 1 {
		return l.Textf(texts[1], r.Interval)
	}
	return l.Text(texts[0])
}

// ruleDays describes the days and the months of a rule: "Monday" and "the last Friday",
// and "May". It returns false for rules with other parts.
func ruleDays(l words.Language, r *ics.Rule) (days, months []string, ok bool) {
	if position, known := positionInWeek(r); known {
		return []string{l.Textf(position, words.Word("day from Monday to Friday"))}, monthNames(l, r), true
	}
	if len(r.BySecond)+len(r.ByMinute)+len(r.ByHour)+len(r.ByYearDay)+len(r.ByWeekNo)+len(r.BySetPos) > 0 ||
		len(r.ByDay) > maxNamed || len(r.ByMonthDay) > maxNamed || len(r.ByMonth) > maxNamed || len(r.ByDay) > 0 && len(r.ByMonthDay) > 0 {
		return nil, nil, false
	}
	for i, d := range r.ByDay {
		position, known := positions[d.N]
		if !known || d.N != 0 && r.Freq > ics.Monthly {
			return nil, nil, false
		}
		day := weekdayText(l, d.Weekday)
		if i+1 < len(r.ByDay) && d.N != 0 && r.ByDay[i+1].N != 0 && r.ByDay[i+1].Weekday == d.Weekday {
			day = "" // the next position names it: "the first and the third Monday"
		}
		if d.N != 0 {
			day = strings.TrimSpace(l.Textf(position, day))
		}
		days = append(days, day)
	}
	if slices.ContainsFunc(r.ByMonthDay, func(d int) bool { return d < -1 }) {
		return nil, nil, false
	}
	if r.Freq == ics.Yearly && len(r.ByMonth) == 1 && len(r.ByMonthDay) > 0 && !slices.Contains(r.ByMonthDay, -1) {
		return datesOfYear(l, r), nil, true
	}
	return append(days, daysOfMonth(l, r.ByMonthDay)...), monthNames(l, r), true
}

// datesOfYear describes the days of the only month of a rule: "11 June".
func datesOfYear(l words.Language, r *ics.Rule) (days []string) {
	for _, d := range r.ByMonthDay {
		days = append(days, l.Date(time.Date(2000, time.Month(r.ByMonth[0]), d, 0, 0, 0, 0, time.UTC), "2 January"))
	}
	return days
}

// daysOfMonth describes days of the month, of which -1 is the last one: "day 10" and "day 20
// of the month".
func daysOfMonth(l words.Language, list []int) (days []string) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b int) int { return cmp.Compare(uint(a), uint(b)) }) // the last day is last
	for i, d := range list {
		switch {
		case d == -1:
			days = append(days, l.Text("the last day of the month"))
		case i+1 < len(list):
			days = append(days, l.Textf("day %d", d))
		default:
			days = append(days, l.Textf("day %d of the month", d))
		}
	}
	return days
}

// monthNames returns the names of the months of a rule.
func monthNames(l words.Language, r *ics.Rule) (months []string) {
	for _, m := range r.ByMonth {
		months = append(months, l.Date(time.Date(2000, time.Month(m), 1, 0, 0, 0, 0, time.UTC), "January"))
	}
	return months
}

// positionInWeek returns the text for the position of a rule of one day from Monday to
// Friday in each month, such as BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1, and false for other rules.
func positionInWeek(r *ics.Rule) (position string, known bool) {
	plain := *r
	plain.ByMonth, plain.Count, plain.Until, plain.Interval, plain.WeekStart = nil, 0, ics.Time{}, 1, time.Monday
	if len(r.BySetPos) != 1 || plain.String() != fmt.Sprintf("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=%d", r.BySetPos[0]) {
		return "", false
	}
	position, known = positions[r.BySetPos[0]]
	return position, known
}

// positions are the texts for the positions of a weekday in a month or year.
var positions = map[int]string{0: "", 1: "the first %s", 2: "the second %s", 3: "the third %s", 4: "the fourth %s", 5: "the fifth %s", -1: "the last %s", -2: "the second to last %s"}

// weekdayText returns the name of a weekday.
func weekdayText(l words.Language, d time.Weekday) string {
	return l.Date(time.Date(2000, time.January, 2+int(d), 0, 0, 0, 0, time.UTC), "Monday") // 2 January 2000 was a Sunday
}

// joinWords joins words with commas and "and".
func joinWords(l words.Language, list []string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return l.Textf("%s and %s", strings.Join(list[:last], ", "), list[last])
}
