package ics

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Freq is the value of FREQ, ordered from the longest period to the shortest.
type Freq int

const (
	Yearly Freq = iota
	Monthly
	Weekly
	Daily
	Hourly
	Minutely
	Secondly
)

var freqNames = [...]string{"YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"}

func (f Freq) String() string { return freqNames[f] }

// Day is a value of BYDAY: every such weekday if N is 0, otherwise the N-th in
// the month or year, counted from the end if N is negative.
type Day struct {
	N       int
	Weekday time.Weekday
}

var dayNames = [...]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// Skip is the value of SKIP: what becomes of a day that its month or year does not
// have, such as 30 February (RFC 7529 §4.1).
type Skip int

const (
	Omit     Skip = iota // no instance; also without SKIP
	Forward              // the next day
	Backward             // the day before
)

var skipNames = [...]string{"OMIT", "FORWARD", "BACKWARD"}

func (s Skip) String() string { return skipNames[s] }

// gregorian is the only calendar scale in which rules are evaluated.
const gregorian = "GREGORIAN"

// Rule is a recurrence rule (RFC 5545 §3.3.10). Its lists are sorted and have
// no duplicates.
type Rule struct {
	RScale string // the value of RSCALE (RFC 7529 §4.1); "" if absent
	Skip   Skip

	Freq     Freq
	Interval int  // at least 1
	Count    int  // 0 if absent
	Until    Time // the zero Time if absent

	BySecond, ByMinute, ByHour                         []int
	ByDay                                              []Day
	ByMonthDay, ByYearDay, ByWeekNo, ByMonth, BySetPos []int

	WeekStart time.Weekday

	text string // the value as it was parsed, if the rule is not supported
}

// Supported reports whether the rule can be evaluated. A rule with another calendar
// scale than the Gregorian one has only FREQ, INTERVAL, COUNT and UNTIL.
func (r *Rule) Supported() bool { return r.RScale == "" || r.RScale == gregorian }

// Endless reports whether the rule has neither COUNT nor UNTIL.
func (r *Rule) Endless() bool { return r.Count == 0 && r.Until.IsZero() }

// numberParts returns the rule parts that are lists of numbers, with their
// ranges.
func (r *Rule) numberParts() []numberPart {
	return []numberPart{
		{"BYMONTH", &r.ByMonth, 1, 12, false},
		{"BYWEEKNO", &r.ByWeekNo, 1, 53, true},
		{"BYYEARDAY", &r.ByYearDay, 1, 366, true},
		{"BYMONTHDAY", &r.ByMonthDay, 1, 31, true},
		{"BYHOUR", &r.ByHour, 0, 23, false},
		{"BYMINUTE", &r.ByMinute, 0, 59, false},
		{"BYSECOND", &r.BySecond, 0, 60, false},
		{"BYSETPOS", &r.BySetPos, 1, 366, true},
	}
}

// numberPart describes a rule part that is a list of numbers.
type numberPart struct {
	name     string
	list     *[]int
	min, max int
	negative bool
}

// ParseRule parses the value of an RRULE. It accepts lower case and ignores X-
// parts, both of which clients write. It rejects unknown parts, because they
// may change the meaning of the rule. The result may not be [Rule.Supported].
func ParseRule(value string) (*Rule, error) {
	r := &Rule{Freq: -1, Interval: 1, WeekStart: time.Monday}
	value = strings.TrimSpace(strings.ToUpper(value))
	if strings.Contains(value, "RSCALE=") { // the other parts depend on it
		if err := r.readScale(value); err != nil {
			return nil, err
		}
	}
	for part := range strings.SplitSeq(value, ";") {
		name, text, ok := strings.Cut(strings.TrimSpace(part), "=")
		if name == "" && !ok || strings.HasPrefix(name, "X-") {
			continue
		}
		if err := r.setPart(name, strings.TrimSpace(text)); err != nil {
			return nil, err
		}
	}
	if r.Freq < 0 {
		return nil, errors.New("FREQ is missing")
	}
	return r, nil
}

// readScale sets RScale, and text if the rule is not supported.
func (r *Rule) readScale(value string) error {
	for part := range strings.SplitSeq(value, ";") {
		name, scale, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name != "RSCALE" {
			continue
		}
		if r.RScale = strings.TrimSpace(scale); !scaleForm.MatchString(r.RScale) {
			return fmt.Errorf("RSCALE=%.20s is not supported", r.RScale)
		}
		if !r.Supported() {
			r.text = value
		}
		return nil
	}
	return nil
}

// scaleForm is the form of the name of a calendar scale.
var scaleForm = regexp.MustCompile(`^[A-Z0-9-]{1,32}$`)

func (r *Rule) setPart(name, text string) error {
	ok := true
	switch name {
	case "FREQ":
		r.Freq = Freq(slices.Index(freqNames[:], text))
		ok = r.Freq >= 0
	case "INTERVAL":
		r.Interval, ok = parsePositive(text)
	case "COUNT":
		r.Count, ok = parsePositive(text)
	case "UNTIL":
		r.Until, ok = parseTime(text, nil)
	case "WKST":
		i := slices.Index(dayNames[:], text)
		r.WeekStart, ok = time.Weekday(i), i >= 0
	case "BYDAY":
		if r.Supported() {
			r.ByDay, ok = parseDays(text)
		}
	case "RSCALE": // ParseRule has set it
		ok = text == r.RScale
	case "SKIP":
		i := slices.Index(skipNames[:], text)
		r.Skip, ok = Skip(i), i >= 0
	default:
		if !r.Supported() { // numbers of other calendars, such as BYMONTH=5L
			return nil
		}
		all := r.numberParts()
		i := slices.IndexFunc(all, func(n numberPart) bool { return n.name == name })
		if i < 0 {
			return fmt.Errorf("the part %.20s is unknown", name)
		}
		ok = all[i].parse(text)
	}
	if !ok {
		return fmt.Errorf("%s=%.20s is not supported", name, text)
	}
	return nil
}

func (n numberPart) parse(text string) bool {
	*n.list = nil
	for item := range strings.SplitSeq(text, ",") {
		v, err := strconv.Atoi(strings.TrimSpace(item))
		size := v
		if n.negative {
			size = max(v, -v)
		}
		if err != nil || size < n.min || size > n.max {
			return false
		}
		*n.list = append(*n.list, v)
	}
	slices.Sort(*n.list)
	*n.list = slices.Compact(*n.list)
	return true
}

// parseDays parses the value of BYDAY.
func parseDays(text string) (days []Day, ok bool) {
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		if len(item) < 2 {
			return nil, false
		}
		number, name := item[:len(item)-2], item[len(item)-2:]
		d := Day{Weekday: time.Weekday(slices.Index(dayNames[:], name))}
		if number != "" {
			n, err := strconv.Atoi(number)
			if err != nil || n == 0 || n < -53 || n > 53 {
				return nil, false
			}
			d.N = n
		}
		if d.Weekday < 0 {
			return nil, false
		}
		days = append(days, d)
	}
	sortDays(days)
	return slices.Compact(days), true
}

func sortDays(days []Day) {
	slices.SortFunc(days, func(a, b Day) int {
		return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.Weekday, b.Weekday))
	})
}

// parsePositive parses a number between 1 and 999,999,999.
func parsePositive(text string) (int, bool) {
	if len(text) > 9 {
		return 0, false
	}
	n, ok := parseDigits(text, 0, len(text))
	return n, ok && n > 0
}

// String formats the rule as the value of an RRULE.
func (r *Rule) String() string {
	if !r.Supported() {
		return r.text
	}
	var b strings.Builder
	if r.Skip != Omit { // SKIP requires RSCALE
		b.WriteString("RSCALE=" + gregorian + ";")
	}
	b.WriteString("FREQ=" + r.Freq.String())
	if r.Skip != Omit {
		b.WriteString(";SKIP=" + r.Skip.String())
	}
	if r.Interval > 1 {
		fmt.Fprintf(&b, ";INTERVAL=%d", r.Interval)
	}
	if r.Count > 0 {
		fmt.Fprintf(&b, ";COUNT=%d", r.Count)
	}
	if !r.Until.IsZero() {
		b.WriteString(";UNTIL=" + r.Until.String())
	}
	list := func(name string, items []string) {
		if len(items) > 0 {
			b.WriteString(";" + name + "=" + strings.Join(items, ","))
		}
	}
	var items []string
	for _, d := range r.ByDay {
		item := dayNames[d.Weekday]
		if d.N != 0 {
			item = strconv.Itoa(d.N) + item
		}
		items = append(items, item)
	}
	list("BYDAY", items)
	for _, n := range r.numberParts() {
		items = nil
		for _, v := range *n.list {
			items = append(items, strconv.Itoa(v))
		}
		list(n.name, items)
	}
	if r.WeekStart != time.Monday {
		b.WriteString(";WKST=" + dayNames[r.WeekStart])
	}
	return b.String()
}
