package ics

import (
	"fmt"
	"strings"
	"time"
)

const day = 24 * 60 * 60 // seconds

// Wall clock times are limited to these years, so that no conversion leaves the
// years with four digits, the only ones that RFC 3339 and iCalendar can
// represent.
var (
	minWall = time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC).Unix()
	maxWall = time.Date(9998, 12, 30, 23, 59, 59, 0, time.UTC).Unix()
)

// Time is a DATE or DATE-TIME value in the form in which it was written
// (RFC 5545 §3.3.4, §3.3.5): a wall clock time and its zone. The zero Time is
// an absent value. Times of one object can be compared with ==.
type Time struct {
	wall int64 // Unix time of a clock in UTC that shows the same date and time
	form timeForm
	zone *Zone // if form is formZoned
}

// timeForm is the form of a Time, as in RFC 5545 §3.3.5.
type timeForm uint8

const (
	formNone     timeForm = iota
	formDate              // 20260501: a DATE
	formFloating          // 20260501T090000: local time without a zone
	formZoned             // 20260501T090000Z, or with a TZID
)

// Date returns a DATE.
func Date(year int, month time.Month, dom int) Time {
	return Time{wall: clampWall(time.Date(year, month, dom, 0, 0, 0, 0, time.UTC).Unix()), form: formDate}
}

// Floating returns the wall clock time of t without a zone.
func Floating(t time.Time) Time {
	_, offset := t.Zone()
	return Time{wall: clampWall(t.Unix() + int64(offset)), form: formFloating}
}

// UTC returns the instant t in UTC.
func UTC(t time.Time) Time { return Time{wall: clampWall(t.Unix()), form: formZoned, zone: utc} }

// Zoned returns the instant t in the zone z.
func Zoned(t time.Time, z *Zone) Time { return UTC(t).convertTo(Time{form: formZoned, zone: z}) }

// WithZone returns the same wall clock time in the zone z. A DATE becomes
// midnight.
func (t Time) WithZone(z *Zone) Time { return Time{wall: t.wall, form: formZoned, zone: z} }

// IsZero reports whether t is absent.
func (t Time) IsZero() bool { return t.form == formNone }

// IsDate reports whether t is a DATE.
func (t Time) IsDate() bool { return t.form == formDate }

// IsFloating reports whether t is a DATE-TIME without a zone.
func (t Time) IsFloating() bool { return t.form == formFloating }

// Zone returns the zone of t, nil for a DATE or a floating time.
func (t Time) Zone() *Zone { return t.zone }

// Clock returns the wall clock time as a time.Time in UTC.
func (t Time) Clock() time.Time { return time.Unix(t.wall, 0).UTC() }

// Instant returns the instant of t as a time in UTC. A DATE and a floating time
// are interpreted in loc; nil means UTC.
func (t Time) Instant(loc *time.Location) time.Time { return time.Unix(t.unix(loc), 0).UTC() }

func (t Time) unix(loc *time.Location) int64 {
	if t.form == formZoned && t.zone.loc != nil {
		loc = t.zone.loc
	}
	return wallToUnix(loc, t.wall)
}

// offsetChange returns the absolute difference, in seconds, between the UTC offsets
// one day before t and one day after t.
func (t Time) offsetChange(loc *time.Location) int64 {
	if t.form == formZoned {
		loc = t.zone.loc
	}
	if loc == nil {
		return 0
	}
	u := t.unix(loc)
	d := utcOffset(loc, u+day) - utcOffset(loc, u-day)
	return max(d, -d)
}

// String formats the value as in iCalendar, without the TZID.
func (t Time) String() string {
	switch {
	case t.form == formNone:
		return ""
	case t.form == formDate:
		return t.Clock().Format("20060102")
	case t.zone == utc:
		return t.Clock().Format("20060102T150405Z")
	}
	return t.Clock().Format("20060102T150405")
}

// Add returns t plus d. Days are nominal, seconds are exact (RFC 5545 §3.3.6).
func (t Time) Add(d Duration) Time {
	t.wall = clampWall(t.wall + int64(d.Days)*day)
	switch {
	case t.form == formDate:
		t.wall = clampWall(t.wall + floorDiv(d.Seconds, day)*day)
	case t.form == formZoned && t.zone.loc != nil && d.Seconds != 0:
		u := wallToUnix(t.zone.loc, t.wall) + d.Seconds
		t.wall = clampWall(u + utcOffset(t.zone.loc, u))
	default:
		t.wall = clampWall(t.wall + d.Seconds)
	}
	return t
}

// unixAfter returns the instant of t plus d; a DATE starts at midnight. Unlike
// [Time.Add], it distinguishes the two occurrences of a local time when the
// clock is set back.
func (t Time) unixAfter(d Duration, loc *time.Location) int64 {
	if t.form == formDate {
		t.form = formFloating
	}
	if t.form != formZoned || t.zone.loc == nil {
		return t.Add(d).unix(loc)
	}
	return clampWall(t.Add(Duration{Days: d.Days}).unix(loc) + d.Seconds)
}

// convertTo returns t in the form and zone of like. A zoned time keeps its
// instant if like has another zone; otherwise the wall clock time is kept.
func (t Time) convertTo(like Time) Time {
	switch {
	case like.form == formDate:
		t.wall = floorDiv(t.wall, day) * day
	case t.form == formZoned && like.form == formZoned && t.zone != like.zone && t.zone.loc != nil && like.zone.loc != nil:
		u := t.unix(nil)
		t.wall = clampWall(u + utcOffset(like.zone.loc, u))
	}
	return Time{wall: t.wall, form: like.form, zone: like.zone}
}

// parseTime parses a DATE or DATE-TIME. The form follows from the value,
// because some clients omit VALUE=DATE. A "Z" overrides the zone.
func parseTime(value string, zone *Zone) (Time, bool) {
	s := strings.TrimSpace(value)
	year, ok1 := parseDigits(s, 0, 4)
	month, ok2 := parseDigits(s, 4, 6)
	dom, ok3 := parseDigits(s, 6, 8)
	if !ok1 || !ok2 || !ok3 || month < 1 || month > 12 || dom < 1 || dom > monthLen(year, month) {
		return Time{}, false
	}
	t := Date(year, time.Month(month), dom)
	if len(s) == 8 {
		return t, true
	}
	hour, ok1 := parseDigits(s, 9, 11)
	minute, ok2 := parseDigits(s, 11, 13)
	second, ok3 := parseDigits(s, 13, 15)
	if !ok1 || !ok2 || !ok3 || s[8] != 'T' || hour > 23 || minute > 59 || second > 60 {
		return Time{}, false
	}
	// A leap second is interpreted as the second before it (RFC 5545 §3.3.12).
	t.wall = clampWall(t.wall + int64(hour*3600+minute*60+min(second, 59)))
	switch {
	case len(s) == 16 && s[15] == 'Z':
		t.form, t.zone = formZoned, utc
	case len(s) != 15:
		return Time{}, false
	case zone != nil:
		t.form, t.zone = formZoned, zone
	default:
		t.form = formFloating
	}
	return t, true
}

// parseDigits returns the decimal number s[from:to].
func parseDigits(s string, from, to int) (n int, ok bool) {
	if len(s) < to {
		return 0, false
	}
	for _, c := range []byte(s[from:to]) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// Duration is a DURATION value (RFC 5545 §3.3.6): nominal days, which last 23
// to 25 hours, and exact seconds. Both have the same sign.
type Duration struct {
	Days    int
	Seconds int64
}

// ParseDuration parses a DURATION value. It accepts a T without a time, as in
// P1DT, which older Apple clients write.
func ParseDuration(value string) (Duration, bool) {
	s := strings.ToUpper(strings.TrimSpace(value))
	s, negative := strings.CutPrefix(s, "-")
	s, ok := strings.CutPrefix(strings.TrimPrefix(s, "+"), "P")
	if !ok || s == "" || s == "T" {
		return Duration{}, false
	}
	var d Duration
	units := "WD"
	for s != "" {
		if rest, ok := strings.CutPrefix(s, "T"); ok && units == "WD" {
			if s, units = rest, "HMS"; s == "" {
				break
			}
		}
		i := 0
		for i < len(s) && i < 9 && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		n, ok := parseDigits(s, 0, i)
		if !ok || i == 0 || i == len(s) || strings.IndexByte(units, s[i]) < 0 {
			return Duration{}, false
		}
		switch s[i] {
		case 'W':
			d.Days += 7 * n
		case 'D':
			d.Days += n
		case 'H':
			d.Seconds += int64(n) * 3600
		case 'M':
			d.Seconds += int64(n) * 60
		case 'S':
			d.Seconds += int64(n)
		}
		s = s[i+1:]
		if d.approxSeconds() > maxWall {
			return Duration{}, false
		}
	}
	if negative {
		d.Days, d.Seconds = -d.Days, -d.Seconds
	}
	return d, true
}

// String formats the value as in iCalendar.
func (d Duration) String() string {
	if d == (Duration{}) {
		return "PT0S"
	}
	var b strings.Builder
	days, seconds := d.Days, d.Seconds
	if days < 0 || seconds < 0 {
		b.WriteByte('-')
		days, seconds = -days, -seconds
	}
	b.WriteByte('P')
	if days > 0 {
		fmt.Fprintf(&b, "%dD", days)
	}
	if seconds > 0 {
		b.WriteByte('T')
	}
	for _, unit := range []struct {
		letter  byte
		seconds int64
	}{{'H', 3600}, {'M', 60}, {'S', 1}} {
		if n := seconds / unit.seconds; n > 0 {
			fmt.Fprintf(&b, "%d%c", n, unit.letter)
		}
		seconds %= unit.seconds
	}
	return b.String()
}

// approxSeconds returns the length in seconds with days of 24 hours. It is
// exact to within a few hours, which is sufficient for bounds.
func (d Duration) approxSeconds() int64 { return int64(d.Days)*day + d.Seconds }

func clampWall(wall int64) int64 { return min(max(wall, minWall), maxWall) }

// floorDiv returns a/b rounded down; b is positive.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
