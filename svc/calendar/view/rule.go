package view

import (
	"fmt"
	"strings"
	"time"

	"appliance/svc/calendar/ics"
)

// customRule is the text for a rule that has no short sentence.
const customRule = "Repeats by a custom rule"

// maxNamed limits the days and months that a text names.
const maxNamed = 7

// RecurrenceText describes in English how a series recurs, "" for an object that
// does not recur. A translation replaces this function.
func RecurrenceText(o *ics.Object) string {
	switch {
	case !o.Recurs():
		return ""
	case o.Master == nil:
		return customRule
	}
	dates := len(o.Master.RDates())
	rule := o.Master.Rule()
	if rule == nil {
		return "On selected dates"
	}
	text := ruleText(rule, o.Master.Time("DTSTART"))
	if dates > 0 {
		text += ", and on selected dates"
	}
	return text
}

// ruleText describes the rule of a series that begins at start: "Every 2 weeks on
// Monday, 6 times".
func ruleText(r *ics.Rule, start ics.Time) string {
	on, ok := ruleDays(r)
	if on == "" && r.Freq == ics.Weekly && !start.IsZero() {
		on = " on " + start.Clock().Weekday().String()
	}
	if !ok || r.Freq > ics.Daily {
		return customRule
	}
	text := "Every " + []string{"year", "month", "week", "day"}[r.Freq]
	if r.Interval > 1 {
		text = fmt.Sprintf("Every %d %ss", r.Interval, strings.ToLower(strings.TrimPrefix(text, "Every ")))
	}
	text += on
	switch {
	case r.Count == 1:
		text += ", once"
	case r.Count > 1:
		text += fmt.Sprintf(", %d times", r.Count)
	case !r.Until.IsZero():
		text += ", until " + r.Until.Clock().Format("2 January 2006")
	}
	return text
}

// ruleDays describes the days of a rule: " on Monday and Friday". It returns
// false for rules with other parts.
func ruleDays(r *ics.Rule) (text string, ok bool) {
	if len(r.BySecond)+len(r.ByMinute)+len(r.ByHour)+len(r.ByYearDay)+len(r.ByWeekNo)+len(r.BySetPos) > 0 ||
		len(r.ByDay) > maxNamed || len(r.ByMonthDay) > maxNamed || len(r.ByMonth) > maxNamed || len(r.ByDay) > 0 && len(r.ByMonthDay) > 0 {
		return "", false
	}
	var days, months []string
	for _, d := range r.ByDay {
		position, known := positions[d.N]
		if !known || d.N != 0 && r.Freq > ics.Monthly {
			return "", false
		}
		days = append(days, position+d.Weekday.String())
	}
	for _, d := range r.ByMonthDay {
		switch {
		case d == -1:
			days = append(days, "the last day of the month")
		case d < 0:
			return "", false
		default:
			days = append(days, fmt.Sprintf("day %d of the month", d))
		}
	}
	for _, m := range r.ByMonth {
		months = append(months, time.Month(m).String())
	}
	if len(days) > 0 {
		text = " on " + joinWords(days)
	}
	if len(months) > 0 {
		text += " in " + joinWords(months)
	}
	return text, true
}

// positions are the words for the positions of a weekday in a month or year.
var positions = map[int]string{0: "", 1: "the first ", 2: "the second ", 3: "the third ", 4: "the fourth ", 5: "the fifth ", -1: "the last "}

// joinWords joins words with commas and "and".
func joinWords(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
