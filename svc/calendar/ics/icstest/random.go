package icstest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"appliance/store/storetest"
	"appliance/svc/calendar/ics"
)

// Rand generates random times and calendar objects, which depend only on the seed.
type Rand struct{ *rand.Rand }

// NewRand returns a Rand with a seed.
func NewRand(seed uint64) Rand { return Rand{rand.New(rand.NewPCG(4791, seed))} }

// OneIn returns true with probability 1/n.
func (d Rand) OneIn(n int) bool { return d.IntN(n) == 0 }

// Pick returns an item of list.
func Pick[T any](d Rand, list ...T) T { return list[d.IntN(len(list))] }

// Zones are time zones with offsets far from UTC, with offsets that are not whole
// hours, and with unusual changes of clocks.
var Zones = []string{
	"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Tokyo", "Australia/Lord_Howe", "Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC",
}

// Zone returns the location of a random item of Zones.
func (d Rand) Zone() *time.Location {
	z, ok := ics.LoadZone(Pick(d, Zones...))
	if !ok {
		panic("icstest: Zones contains an unknown time zone")
	}
	return z.Location()
}

// Clock returns a local time, usually near storetest.Start and often near a
// change of clocks.
func (d Rand) Clock() time.Time {
	now := storetest.Start
	switch d.IntN(8) {
	case 0:
		return now.AddDate(-d.IntN(20), -d.IntN(12), d.IntN(28)).Truncate(time.Second)
	case 1:
		return now.AddDate(d.IntN(5), d.IntN(12), d.IntN(28)).Truncate(time.Second)
	case 2, 3: // a day of a clock change in Berlin, New York or Lord Howe
		day := Pick(d, "2026-10-25", "2027-03-28", "2026-11-01", "2027-03-14", "2026-10-04", "2027-04-04")
		t, _ := time.Parse(time.DateOnly, day)
		return t.Add(time.Duration(d.IntN(6*4)) * 15 * time.Minute)
	}
	return now.Add(time.Duration(d.IntN(200*24*4)-100*24*4) * 15 * time.Minute)
}

// startForm is one form of DTSTART.
type startForm struct{ param, layout string }

var startForms = []startForm{
	{";VALUE=DATE", "20060102"}, {"", "20060102T150405"}, {"", "20060102T150405Z"},
	{";TZID=Europe/Berlin", "20060102T150405"}, {";TZID=America/New_York", "20060102T150405"},
	{";TZID=Australia/Lord_Howe", "20060102T150405"}, {";TZID=Office", "20060102T150405"},
}

func (f startForm) isDate() bool { return f.layout == "20060102" }

// prop returns a property with a time.
func (f startForm) prop(name string, clock time.Time) string {
	return name + f.param + ":" + clock.Format(f.layout)
}

// officeZone defines a time zone without an IANA name.
const officeZone = `BEGIN:VTIMEZONE
TZID:Office
BEGIN:STANDARD
DTSTART:20001001T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20000401T020000
RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
`

// CalendarObject returns a calendar object of any form that clients write,
// including unusual ones.
func (d Rand) CalendarObject(uid string) string {
	component := Pick(d, "VEVENT", "VEVENT", "VTODO")
	f := Pick(d, startForms...)
	start := d.Clock()
	if f.isDate() {
		start = start.Truncate(24 * time.Hour)
	}
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//dice//EN\n")
	if strings.Contains(f.param, "Office") {
		b.WriteString(officeZone)
	}
	rule := d.rule(f, start)
	if component == "VEVENT" || !d.OneIn(12) {
		if !d.OneIn(25) { // otherwise it has overrides only
			fmt.Fprintf(&b, "BEGIN:%s\nUID:%s\n%s%sEND:%s\n", component, uid, d.timeLines(component, f, start), rule, component)
		}
		d.overrides(&b, component, uid, f, start, rule)
	}
	if !strings.Contains(b.String(), "UID:") { // neither a master nor an override was written
		fmt.Fprintf(&b, "BEGIN:%s\nUID:%s\n", component, uid)
		if component == "VEVENT" {
			b.WriteString(f.prop("DTSTART", start) + "\n")
		}
		if d.OneIn(2) {
			b.WriteString("CREATED:" + d.Clock().Format("20060102T150405Z") + "\n")
		}
		if component == "VTODO" && d.OneIn(2) {
			b.WriteString("STATUS:COMPLETED\nCOMPLETED:" + d.Clock().Format("20060102T150405Z") + "\n")
		}
		fmt.Fprintf(&b, "END:%s\n", component)
	}
	b.WriteString("END:VCALENDAR\n")
	return strings.ReplaceAll(b.String(), "\n", "\r\n")
}

// timeLines returns the lines with the times of a component and the status of a
// task.
func (d Rand) timeLines(component string, f startForm, start time.Time) string {
	unit := 15 * time.Minute
	if f.isDate() {
		unit = 24 * time.Hour
	}
	length := time.Duration(d.IntN(8)) * unit
	if d.OneIn(10) {
		length = time.Duration(Pick(d, 3, 40, 900)) * 24 * time.Hour // some are in other bands of the occurrence index
	}
	end, name := start.Add(length), "DTEND"
	lines := []string{f.prop("DTSTART", start)}
	if component == "VTODO" {
		name = "DUE"
		if d.OneIn(3) {
			lines = append(lines, "STATUS:"+Pick(d, "COMPLETED", "CANCELLED", "IN-PROCESS"))
		}
		if d.OneIn(3) {
			lines[0], length = f.prop("DUE", start), 0
		}
	}
	switch d.IntN(4) {
	case 0:
	case 1:
		if f.isDate() {
			lines = append(lines, fmt.Sprintf("DURATION:P%dD", int(length/unit)))
		} else if !strings.HasPrefix(lines[0], "DUE") {
			lines = append(lines, fmt.Sprintf("DURATION:PT%dM", int(length.Minutes())))
		}
	default:
		if length > 0 {
			lines = append(lines, f.prop(name, end))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// rule returns the lines with the recurrence of a component, "" for none.
func (d Rand) rule(f startForm, start time.Time) string {
	if d.OneIn(2) {
		return ""
	}
	rule := Pick(d, "FREQ=DAILY", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=-1SU",
		"FREQ=YEARLY", "FREQ=YEARLY;INTERVAL=4", "FREQ=DAILY;INTERVAL=100", "FREQ=HOURLY", "FREQ=HOURLY;BYMONTH=2", "FREQ=MINUTELY;BYHOUR=9;BYDAY=MO",
		"FREQ=MINUTELY;INTERVAL=7", "FREQ=DAILY;BYHOUR=1,2,3")
	switch d.IntN(4) {
	case 0:
		rule += fmt.Sprintf(";COUNT=%d", Pick(d, 1, 3, 30, 119, 120, 121, 500, 3000))
	case 1:
		until := start.AddDate(0, d.IntN(30), d.IntN(30))
		if f.isDate() {
			rule += ";UNTIL=" + until.Format("20060102")
		} else {
			rule += ";UNTIL=" + until.Format("20060102T150405Z")
		}
	}
	lines := "RRULE:" + rule + "\n"
	for range d.IntN(3) {
		lines += f.prop(Pick(d, "EXDATE", "RDATE"), start.AddDate(0, 0, d.IntN(40))) + "\n"
	}
	return lines
}

// overrides writes overrides of a series. They differ from it in start, length or
// form of time, and some have RANGE=THISANDFUTURE.
func (d Rand) overrides(b *strings.Builder, component, uid string, f startForm, start time.Time, rule string) {
	count := 0
	if rule != "" && d.OneIn(2) || !strings.Contains(b.String(), "UID:") {
		count = 1 + d.IntN(3)
	}
	for n := range count {
		id := start.AddDate(0, 0, 7*(n+d.IntN(2)+2*n))
		moved, as := id, f
		if d.OneIn(2) {
			moved = id.Add(time.Duration(d.IntN(400)-200) * time.Hour)
		}
		if d.OneIn(6) {
			as = startForms[d.IntN(len(startForms)-1)] // except the one that needs a VTIMEZONE
		}
		if as.isDate() {
			moved = moved.Truncate(24 * time.Hour)
		}
		line := f.prop("RECURRENCE-ID", id)
		if d.OneIn(8) {
			line = strings.Replace(line, "RECURRENCE-ID", "RECURRENCE-ID;RANGE=THISANDFUTURE", 1)
		}
		fmt.Fprintf(b, "BEGIN:%s\nUID:%s\n%s\n%sEND:%s\n", component, uid, line, d.timeLines(component, as, moved), component)
	}
}

// Range returns a time range with a length between a quarter of an hour and
// some years.
func (d Rand) Range() (from, to time.Time) {
	from = d.Clock()
	switch d.IntN(6) {
	case 0:
		return from, from.Add(time.Duration(1+d.IntN(12)) * 15 * time.Minute)
	case 1:
		return from, from.AddDate(0, 0, 1)
	case 2:
		return from, from.AddDate(1+d.IntN(3), 0, 0)
	}
	return from, from.AddDate(0, 0, 1+d.IntN(60))
}
