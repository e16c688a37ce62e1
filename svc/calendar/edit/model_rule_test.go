package edit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"appliance/svc/calendar/ics"
)

// This file evaluates recurrence rules a second time, for comparison with package ics: day
// by day, without any shortcut. Local times are times in UTC.

// The number of dates, and the time, that are evaluated of a rule.
const (
	modelDates = 600
	modelYears = 60
	modelSteps = 300_000
)

// modelRule is a recurrence rule. Absent parts are empty.
type modelRule struct {
	freq, skip      string
	interval, count int
	until           time.Time // a local time, and the last instant of a date; zero if absent
	wkst            time.Weekday
	numbers         map[string][]int // by the name of the part
	days            []ics.Day
}

var modelFreqs = []string{"YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"}

func (r modelRule) rank() int { return slices.Index(modelFreqs, r.freq) }

func (r modelRule) clone() modelRule {
	numbers := make(map[string][]int)
	for name, list := range r.numbers {
		numbers[name] = slices.Clone(list)
	}
	r.numbers, r.days = numbers, slices.Clone(r.days)
	return r
}

// text returns the value of an RRULE. until is that of UNTIL.
func (r modelRule) text(until string) string {
	parts := []string{"FREQ=" + r.freq}
	if r.skip != "" {
		parts = append(parts, "RSCALE=GREGORIAN", "SKIP="+r.skip)
	}
	if r.interval > 1 {
		parts = append(parts, fmt.Sprint("INTERVAL=", r.interval))
	}
	if r.count > 0 {
		parts = append(parts, fmt.Sprint("COUNT=", r.count))
	}
	if until != "" {
		parts = append(parts, "UNTIL="+until)
	}
	for _, name := range []string{"BYMONTH", "BYWEEKNO", "BYYEARDAY", "BYMONTHDAY", "BYHOUR", "BYMINUTE", "BYSECOND", "BYSETPOS"} {
		if list := r.numbers[name]; len(list) > 0 {
			parts = append(parts, name+"="+strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]"))
		}
	}
	var days []string
	for _, d := range r.days {
		text := strings.ToUpper(d.Weekday.String()[:2])
		if d.N != 0 {
			text = fmt.Sprint(d.N, text)
		}
		days = append(days, text)
	}
	if len(days) > 0 {
		parts = append(parts, "BYDAY="+strings.Join(days, ","))
	}
	return strings.Join(append(parts, "WKST="+strings.ToUpper(r.wkst.String()[:2])), ";")
}

func (r modelRule) has(part string) bool { return len(r.numbers[part]) > 0 }

// limitsDays reports whether a part restricts the days.
func (r modelRule) limitsDays() bool {
	return len(r.days) > 0 || r.has("BYMONTH") || r.has("BYMONTHDAY") || r.has("BYYEARDAY") || r.has("BYWEEKNO")
}

// contains reports whether a list has a number, or its counterpart that counts from the end
// of a range with a length.
func contains(list []int, n, length int) bool {
	return slices.Contains(list, n) || slices.Contains(list, n-length-1)
}

func daysIn(from, to time.Time) int { return int(to.Sub(from).Hours()) / 24 }

func dateAt(t time.Time) time.Time { return t.Truncate(24 * time.Hour) }

func firstOf(year int, month time.Month) time.Time {
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
}

// weekOf returns the first day of the week of d, and of the first week of a year.
func weekOf(d time.Time, wkst time.Weekday) time.Time {
	for d = dateAt(d); d.Weekday() != wkst; {
		d = d.AddDate(0, 0, -1)
	}
	return d
}

func firstWeek(year int, wkst time.Weekday) time.Time {
	return weekOf(firstOf(year, 1).AddDate(0, 0, 3), wkst)
}

// weekYear returns the year to which the week of d belongs.
func weekYear(d time.Time, wkst time.Weekday) int {
	for year := d.Year() + 1; ; year-- {
		if !d.Before(firstWeek(year, wkst)) {
			return year
		}
	}
}

// selectsDay reports whether the rule of a series that starts at start selects the day d.
func (r modelRule) selectsDay(d, start time.Time) bool {
	monthLength, yearLength := daysIn(firstOf(d.Year(), d.Month()), firstOf(d.Year(), d.Month()+1)), daysIn(firstOf(d.Year(), 1), firstOf(d.Year()+1, 1))
	if r.has("BYMONTH") && !slices.Contains(r.numbers["BYMONTH"], int(d.Month())) ||
		r.has("BYMONTHDAY") && !contains(r.numbers["BYMONTHDAY"], d.Day(), monthLength) ||
		r.has("BYYEARDAY") && !contains(r.numbers["BYYEARDAY"], d.YearDay(), yearLength) {
		return false
	}
	if r.has("BYWEEKNO") {
		year := weekYear(d, r.wkst)
		first := firstWeek(year, r.wkst)
		if !contains(r.numbers["BYWEEKNO"], daysIn(first, d)/7+1, daysIn(first, firstWeek(year+1, r.wkst))/7) {
			return false
		}
	}
	if len(r.days) == 0 && !r.has("BYMONTHDAY") && !r.has("BYYEARDAY") && r.rank() <= 2 {
		switch {
		case r.freq == "WEEKLY" || r.has("BYWEEKNO"):
			return d.Weekday() == start.Weekday()
		case r.freq == "YEARLY" && !r.has("BYMONTH") && d.Month() != start.Month():
			return false
		}
		return d.Day() == start.Day()
	}
	return r.selectsWeekday(d)
}

// selectsWeekday reports whether BYDAY allows the day d.
func (r modelRule) selectsWeekday(d time.Time) bool {
	for _, want := range r.days {
		if want.Weekday != d.Weekday() {
			continue
		}
		begin, end := firstOf(d.Year(), d.Month()), firstOf(d.Year(), d.Month()+1)
		if r.freq == "YEARLY" && !r.has("BYMONTH") {
			begin, end = firstOf(d.Year(), 1), firstOf(d.Year()+1, 1)
		}
		before, total := 0, 0 // such weekdays of the month or year up to d, and all
		for day := begin; day.Before(end); day = day.AddDate(0, 0, 1) {
			if day.Weekday() == d.Weekday() {
				if total++; !day.After(d) {
					before++
				}
			}
		}
		if want.N == 0 || r.rank() > 1 || want.N == before || want.N == before-total-1 {
			return true
		}
	}
	return len(r.days) == 0
}

// period returns the first time of the period with a number, and of the next one.
func (r modelRule) period(n int, start time.Time) (begin, end time.Time) {
	n *= r.interval
	switch r.freq {
	case "YEARLY":
		return firstOf(start.Year()+n, 1), firstOf(start.Year()+n+1, 1)
	case "MONTHLY":
		return firstOf(start.Year(), start.Month()+time.Month(n)), firstOf(start.Year(), start.Month()+time.Month(n+1))
	case "WEEKLY":
		begin = weekOf(start, r.wkst).AddDate(0, 0, 7*n)
		return begin, begin.AddDate(0, 0, 7)
	case "DAILY":
		begin = dateAt(start).AddDate(0, 0, n)
		return begin, begin.AddDate(0, 0, 1)
	}
	unit := map[string]time.Duration{"HOURLY": time.Hour, "MINUTELY": time.Minute, "SECONDLY": time.Second}[r.freq]
	begin = start.Truncate(unit).Add(time.Duration(n) * unit)
	return begin, begin.Add(unit)
}

// replaced returns the days that replace those which the period does not have.
func (r modelRule) replaced(begin, end, start time.Time) (days []time.Time) {
	if r.skip != "FORWARD" && r.skip != "BACKWARD" || r.rank() > 1 || r.has("BYWEEKNO") || r.has("BYYEARDAY") && (r.freq == "MONTHLY" || r.has("BYMONTHDAY")) {
		return nil
	}
	add := func(next time.Time) { // the first day after the missing one
		if r.skip == "BACKWARD" {
			next = next.AddDate(0, 0, -1)
		}
		if r.selectsWeekday(next) {
			days = append(days, next)
		}
	}
	for first := begin; first.Before(end); first = first.AddDate(0, 1, 0) {
		if r.has("BYMONTH") && !slices.Contains(r.numbers["BYMONTH"], int(first.Month())) {
			continue
		}
		numbers := r.numbers["BYMONTHDAY"]
		if len(r.days) == 0 && len(numbers) == 0 && !r.has("BYYEARDAY") && (r.freq == "MONTHLY" || r.has("BYMONTH") || first.Month() == start.Month()) {
			numbers = []int{start.Day()}
		}
		next := first.AddDate(0, 1, 0)
		for _, n := range numbers {
			switch length := daysIn(first, next); {
			case n > length:
				add(next)
			case n < -length:
				add(first)
			}
		}
		isLeap := daysIn(firstOf(first.Year(), 1), firstOf(first.Year()+1, 1)) == 366
		if !isLeap && first.Month() == 12 && slices.Contains(r.numbers["BYYEARDAY"], 366) {
			add(next)
		}
		if !isLeap && first.Month() == 1 && slices.Contains(r.numbers["BYYEARDAY"], -366) {
			add(first)
		}
	}
	return days
}

// times returns the local times of a period that the rule selects.
func (r modelRule) times(begin, end, start time.Time, isDate bool) (times []time.Time) {
	or := func(part string, rank, value int) []int { // the values of a part that the frequency does not determine
		if list := r.numbers[part]; len(list) > 0 && !isDate && r.rank() < rank {
			return list
		}
		if r.rank() >= rank || isDate {
			value = 0
		}
		return []int{value}
	}
	allows := func(part string, value int) bool {
		return !r.has(part) || slices.Contains(r.numbers[part], value)
	}
	var moments []time.Time
	if r.rank() < 4 {
		for d := begin; d.Before(end); d = d.AddDate(0, 0, 1) {
			if r.selectsDay(d, start) {
				moments = append(moments, d)
			}
		}
		moments = append(moments, r.replaced(begin, end, start)...)
	} else if r.selectsDay(dateAt(begin), start) && allows("BYHOUR", begin.Hour()) &&
		(r.rank() < 5 || allows("BYMINUTE", begin.Minute())) && (r.rank() < 6 || allows("BYSECOND", begin.Second())) {
		moments = []time.Time{begin}
	}
	for _, at := range moments {
		for _, hour := range or("BYHOUR", 4, start.Hour()) {
			for _, minute := range or("BYMINUTE", 5, start.Minute()) {
				for _, second := range or("BYSECOND", 6, start.Second()) {
					times = append(times, at.Add(time.Duration(hour*3600+minute*60+second)*time.Second))
				}
			}
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	times = slices.Compact(times)
	if !r.has("BYSETPOS") {
		return times
	}
	var chosen []time.Time
	for i, at := range times {
		if contains(r.numbers["BYSETPOS"], i+1, len(times)) {
			chosen = append(chosen, at)
		}
	}
	return chosen
}

// selected returns the local times that the rule selects at or after start, and the time
// before which they are complete.
func (r modelRule) selected(start time.Time, isDate bool) (times []time.Time, until time.Time) {
	limit := start.AddDate(modelYears, 0, 0)
	until = limit
	for n := 0; ; n++ {
		begin, end := r.period(n, start)
		if begin.After(limit) {
			break
		}
		if len(times) > modelDates+1 && begin.After(times[modelDates].Add(3*time.Hour)) || n > modelSteps { // a gap is shorter
			if until = begin; r.rank() < 4 { // a day may be replaced by the one before
				until = begin.AddDate(0, 0, -2)
			}
			break
		}
		times = append(times, r.times(begin, end, start, isDate)...)
	}
	slices.SortFunc(times, time.Time.Compare)
	times = slices.DeleteFunc(slices.Compact(times), func(t time.Time) bool { return t.Before(start) })
	return times, until
}
