package extract

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"appliance/svc"
)

// moment is a date, or a date with a time, with or without an offset.
type moment struct {
	time.Time      // in UTC if the offset is unknown
	hasTime   bool // false for a date
	hasZone   bool // the offset is known
}

// Years of the dates on pages.
const (
	minYear = 1800
	maxYear = 2200
)

// isoDatePattern matches ISO 8601 and common deviations: slashes, spaces, no seconds, and
// offsets without a colon.
var isoDatePattern = regexp.MustCompile(`^(\d{4})([-/.]?)(\d{1,2})([-/.]?)(\d{1,2})(.*)$`)

// clockPattern matches a time with an offset. JavaScript adds the name of the zone in
// parentheses.
var clockPattern = regexp.MustCompile(`^[\sT,@]*(?:at |um |à )?\s*(\d{1,2})[:.h](\d{2})(?::?(\d{2})(?:[.,:]\d+)?)?\s*([AaPp]\.?[Mm]\.?)?(?:\s*Uhr)?\s*(Z|UTC|GMT)?\s*([+-]\d{1,2}(?::?\d{2})?)?\s*(?:\([^)]*\)|[A-Z]{2,5})?\s*$`)

// compactClockPattern matches the time in 20260102T150405Z.
var compactClockPattern = regexp.MustCompile(`^T(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?$`)

// offsetPattern matches the offset of a date, as in 2026-01-02+02:00.
var offsetPattern = regexp.MustCompile(`^T?\s*(Z|[+-]\d{2}:?\d{2})?$`)

// parseMoment parses a date in one of the forms that pages use. It rejects ambiguous
// dates, such as 03/04/2026.
func parseMoment(text string) (m moment, ok bool) {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) < 6 || len(text) > 80 {
		return m, false
	}
	if d := isoDatePattern.FindStringSubmatch(text); d != nil && d[2] == d[4] && (d[2] != "" || len(d[3]) == 2 && len(d[5]) == 2) {
		if m, ok = newMoment(d[1], d[3], d[5], d[6]); ok {
			return m, true
		}
	}
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return unixTime(seconds)
	}
	return parseWords(text)
}

// unixTime returns the time of a number of seconds or milliseconds since 1970.
func unixTime(n int64) (m moment, ok bool) {
	if n > 100_000_000_000 {
		n /= 1000
	}
	m = moment{time.Unix(n, 0).UTC(), true, true}
	return m, n > 100_000_000 && m.Year() <= maxYear
}

// newMoment returns the moment of a year, month and day in digits; rest is the text of
// the time. ok is false if they are invalid.
func newMoment(year, month, day, rest string) (m moment, ok bool) {
	y, _ := strconv.Atoi(year) // the patterns match digits only
	mo, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	date := time.Date(y, time.Month(mo), d, 0, 0, 0, 0, time.UTC)
	if y < minYear || y > maxYear || date.Day() != d || int(date.Month()) != mo {
		return m, false
	}
	if c := offsetPattern.FindStringSubmatch(rest); c != nil {
		loc, hasZone := offset(c[1])
		return moment{inZone(date, loc), false, hasZone}, true
	}
	var c []string
	if c = compactClockPattern.FindStringSubmatch(rest); c != nil {
		c = []string{"", c[1], c[2], c[3], "", "", c[4]}
	} else if c = clockPattern.FindStringSubmatch(rest); c == nil {
		return m, false
	}
	hour, _ := strconv.Atoi(c[1])
	minute, _ := strconv.Atoi(c[2])
	second, _ := strconv.Atoi(c[3])
	if c[4] != "" {
		if hour < 1 || hour > 12 {
			return m, false
		}
		if hour %= 12; strings.EqualFold(c[4][:1], "p") {
			hour += 12
		}
	}
	if hour > 24 || minute > 59 || second > 60 || hour == 24 && minute > 0 {
		return m, false
	}
	zone := c[6]
	if zone == "" {
		zone = c[5]
	}
	loc, hasZone := offset(zone)
	date = date.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second)
	return moment{inZone(date, loc), true, hasZone}, true
}

// inZone returns the time in a zone with the date and the clock time that t has
// in UTC.
func inZone(t time.Time, loc *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, loc)
}

// offset returns the zone of an offset such as "+02:00", "-5" or "Z", UTC and false for
// other texts and for offsets of more than 14 hours.
func offset(text string) (loc *time.Location, ok bool) {
	switch text {
	case "":
		return time.UTC, false
	case "Z", "UTC", "GMT":
		return time.UTC, true
	}
	digits := strings.Replace(text[1:], ":", "", 1)
	if len(digits) <= 2 {
		digits += "00"
	}
	n, err := strconv.Atoi(digits)
	seconds := (n/100*60 + n%100) * 60
	if err != nil || n%100 > 59 || seconds > 14*60*60 {
		return time.UTC, false
	}
	if text[0] == '-' {
		seconds = -seconds
	}
	if seconds == 0 {
		return time.UTC, true
	}
	return time.FixedZone("", seconds), true
}

// dayFirst matches "2 January 2026", "Fri, 02 Jan 2026" and "2. Januar 2026";
// monthFirst matches "January 2nd, 2026" and the form of JavaScript, "Fri Jan 02 2026".
// numeric matches "02.01.2026" and "31/12/2026".
var (
	dayFirst       = regexp.MustCompile(`(?i)^(?:\p{L}+\.?,? )?(\d{1,2})(?:\.|st|nd|rd|th)?(?: de| of)?[ -](\p{L}{3,10})\.?(?: de)?,?[ -](\d{4})(.*)$`)
	monthFirst     = regexp.MustCompile(`(?i)^(?:\p{L}+\.?,? )?(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(.*)$`)
	numericPattern = regexp.MustCompile(`^(\d{1,2})([./-])(\d{1,2})([./-])(\d{4})(.*)$`)
)

// months contains the beginnings of the names of the months in English, German, French,
// Spanish, Italian, Dutch and Portuguese.
var months = []string{"jan gen ene", "feb fév fev", "mar mär maa", "apr avr abr", "may mai maj mei mag", "jun juin giu", "jul juil lug", "aug aoû ago", "sep set", "oct okt ott out", "nov", "dec dez déc dic"}

// month returns the number of a month by its name, "" if it is unknown.
func month(name string) string {
	name = strings.ToLower(name)
	for _, letters := range []int{4, 3} {
		runes := []rune(name)
		if len(runes) < letters {
			continue
		}
		for i, list := range months {
			for prefix := range strings.FieldsSeq(list) {
				if prefix == string(runes[:letters]) {
					return strconv.Itoa(i + 1)
				}
			}
		}
	}
	return ""
}

// parseWords parses a date with the name of a month, or with the day before the year.
func parseWords(text string) (m moment, ok bool) {
	if d := dayFirst.FindStringSubmatch(text); d != nil {
		return newMoment(d[3], month(d[2]), d[1], d[4])
	}
	if d := monthFirst.FindStringSubmatch(text); d != nil {
		return newMoment(d[3], month(d[1]), d[2], d[4])
	}
	d := numericPattern.FindStringSubmatch(text)
	if d == nil || d[2] != d[4] {
		return m, false
	}
	first, _ := strconv.Atoi(d[1])
	second, _ := strconv.Atoi(d[3])
	switch {
	case d[2] == "." || first > 12 || first == second:
		return newMoment(d[5], d[3], d[1], d[6])
	case second > 12:
		return newMoment(d[5], d[1], d[3], d[6])
	}
	return m, false // the order of day and month is unknown
}

// String returns the moment as RFC 3339, local without an offset, or a date.
func (m moment) String() string {
	switch {
	case !m.hasTime:
		return m.Format(time.DateOnly)
	case !m.hasZone:
		return m.Format("2006-01-02T15:04:05")
	}
	return m.Format(time.RFC3339)
}

// utcString returns the moment as contents contain it: RFC 3339 in UTC, local without
// an offset, or a date.
func (m moment) utcString() string {
	if m.hasTime && m.hasZone {
		m.Time = m.UTC()
	}
	return m.String()
}

// inWords returns the moment in the local time of the page, such as "1 May 2026, 19:30".
func (m moment) inWords() string {
	if m.hasTime {
		return m.Format("2 January 2006, 15:04")
	}
	return m.Format("2 January 2006")
}

// end returns the moment itself or, for a date, the end of its day.
func (m moment) end() time.Time {
	if m.hasTime {
		return m.Time
	}
	return m.AddDate(0, 0, 1)
}

// in returns the moment in a time zone with an IANA name, if it has no offset itself.
func (m moment) in(zone string) moment {
	if loc, ok := svc.Zone(zone); ok && !m.hasZone {
		return moment{inZone(m.Time, loc), m.hasTime, true}
	}
	return m
}

// dateText returns the first date of texts, as contents contain it, "" if there is
// none. Times without an offset are dropped from their dates.
func dateText(texts ...string) string {
	for _, text := range texts {
		if m, ok := parseMoment(plain(text, maxLine)); ok {
			m.hasTime = m.hasTime && m.hasZone
			return m.utcString()
		}
	}
	return ""
}

// dayOf returns the date of a text in the form yyyy-mm-dd, "" if it is invalid.
func dayOf(text string) string {
	m, ok := parseMoment(plain(text, maxLine))
	if !ok {
		return ""
	}
	return m.Format(time.DateOnly)
}
