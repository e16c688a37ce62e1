package ics

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// series is a weekly series with EXDATEs, an RDATE and an override.
const series = "BEGIN:VCALENDAR\r\n" +
	"VERSION:2.0\r\n" +
	"BEGIN:VEVENT\r\n" +
	"UID:1\r\n" +
	"DTSTART;TZID=Europe/Berlin:20260504T090000\r\n" +
	"DTEND;TZID=Europe/Berlin:20260504T100000\r\n" +
	"RRULE:FREQ=WEEKLY;COUNT=6;X-KEPT=1\r\n" +
	"EXDATE;TZID=Europe/Berlin:20260511T090000,20260601T090000\r\n" +
	"RDATE;TZID=Europe/Berlin:20260506T120000\r\n" +
	"X-NOTE:kept\r\n" +
	"SUMMARY:Choir\r\n" +
	"BEGIN:VALARM\r\n" +
	"TRIGGER:-PT5M\r\n" +
	"END:VALARM\r\n" +
	"END:VEVENT\r\n" +
	"BEGIN:VEVENT\r\n" +
	"UID:1\r\n" +
	"RECURRENCE-ID;TZID=Europe/Berlin:20260608T090000\r\n" +
	"DTSTART;TZID=Europe/Berlin:20260609T090000\r\n" +
	"SUMMARY:Concert\r\n" +
	"END:VEVENT\r\n" +
	"END:VCALENDAR\r\n"

// mustFind returns the instance with the recurrence id.
func mustFind(t *testing.T, o *Object, id string) Instance {
	t.Helper()
	at, ok := parseTime(id, nil)
	if !ok {
		t.Fatal(id)
	}
	i, ok := o.FindInstance(at, nil)
	if !ok {
		t.Fatalf("instance %s not found", id)
	}
	return i
}

// formatStarts formats the starts of all instances, without the year.
func formatStarts(t *testing.T, text []byte) string {
	t.Helper()
	list, truncated := mustParse(t, string(text)).Instances(time.Time{}, time.Time{}, nil, 100)
	if truncated {
		t.Error("got truncated instances")
	}
	var all []string
	for _, i := range list {
		text := i.Start.String()
		all = append(all, text[4:min(11, len(text))])
	}
	return strings.Join(all, " ")
}

func TestOverrideAppliesToOneInstance(t *testing.T) {
	o := mustParse(t, series)
	d := o.Edit()
	b := d.Override(mustFind(t, o, "20260518T090000"))
	b.Set(TextProp("SUMMARY", "Rehearsal"))
	want := strings.Replace(series, "END:VCALENDAR\r\n", "BEGIN:VEVENT\r\nUID:1\r\n"+
		"DTSTART;TZID=Europe/Berlin:20260518T090000\r\n"+
		"DTEND;TZID=Europe/Berlin:20260518T100000\r\n"+
		"X-NOTE:kept\r\n"+
		"SUMMARY:Rehearsal\r\n"+
		"RECURRENCE-ID;TZID=Europe/Berlin:20260518T090000\r\n"+
		"BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n"+
		"END:VEVENT\r\nEND:VCALENDAR\r\n", 1)
	if got := string(d.Bytes()); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := formatStarts(t, d.Bytes()); got != formatStarts(t, []byte(series)) {
		t.Errorf("instances: got %s, want %s", got, formatStarts(t, []byte(series)))
	}

	d = o.Edit()
	d.Override(mustFind(t, o, "20260608T090000")).Set(TextProp("SUMMARY", "Party"))
	if got, want := string(d.Bytes()), strings.Replace(series, "Concert", "Party", 1); got != want {
		t.Errorf("existing override: got %s\nwant %s", got, want)
	}

	plain := mustParse(t, event("DTSTART:20260504T090000Z", "SUMMARY:Once"))
	list, _ := plain.Instances(time.Time{}, time.Time{}, nil, 1)
	d = plain.Edit()
	if b := d.Override(list[0]); b != d.Block(plain.Master) {
		t.Error("event without recurrence: got a new block, want that of the master")
	}

	due := mustParse(t, wrap("VTODO", "DUE;VALUE=DATE:20260504", "RRULE:FREQ=DAILY"))
	d = due.Edit()
	d.Override(mustFind(t, due, "20260510"))
	if text := string(d.Bytes()); !strings.Contains(text, "DUE;VALUE=DATE:20260510\r\nRECURRENCE-ID;VALUE=DATE:20260510\r\n") || strings.Contains(text, "DTSTART") {
		t.Errorf("VTODO with DUE only: got %s", text)
	}
}

func TestExcludeRemovesOneInstance(t *testing.T) {
	o := mustParse(t, series)
	for id, want := range map[string]string{
		"20260504T090000": "0506T12 0518T09 0525T09 0609T09",
		"20260506T120000": "0504T09 0518T09 0525T09 0609T09",
		"20260608T090000": "0504T09 0506T12 0518T09 0525T09",
	} {
		d := o.Edit()
		d.Exclude(mustFind(t, o, id))
		if got := formatStarts(t, d.Bytes()); got != want {
			t.Errorf("without %s: got %s, want %s", id, got, want)
		}
	}
	once := mustParse(t, event("DTSTART:20260504T090000Z"))
	list, _ := once.Instances(time.Time{}, time.Time{}, nil, 1)
	d := once.Edit()
	d.Exclude(list[0])
	if string(d.Bytes()) != string(once.Raw) {
		t.Errorf("event without recurrence: got %s, want it unchanged", d.Bytes())
	}
}

func TestSplitDividesTheInstances(t *testing.T) {
	all := events([]string{"UID:1", "DTSTART;VALUE=DATE:20260504", "RRULE:FREQ=DAILY;UNTIL=20260508", "EXDATE;VALUE=DATE:20260505", "EXDATE;VALUE=DATE:20260507"})
	floatingSeries := event("DTSTART:20260504T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY")
	for _, c := range []struct {
		name, text, id, before, after string
		lines                         []string // of the new object
	}{
		{"in the middle", series, "20260525T090000", "0504T09 0506T12 0518T09", "0525T09 0609T09",
			[]string{"RRULE:FREQ=WEEKLY;COUNT=3", "DTSTART;TZID=Europe/Berlin:20260525T090000", "DTEND;TZID=Europe/Berlin:20260525T100000",
				"EXDATE;TZID=Europe/Berlin:20260601T090000", "RELATED-TO;RELTYPE=SIBLING:1", "X-NOTE:kept"}},
		{"at an override", series, "20260608T090000", "0504T09 0506T12 0518T09 0525T09", "0609T09",
			[]string{"RRULE:FREQ=WEEKLY;COUNT=1", "DTSTART;TZID=Europe/Berlin:20260608T090000"}},
		{"at an RDATE", series, "20260506T120000", "0504T09", "0506T12 0518T09 0525T09 0609T09",
			[]string{"RRULE:FREQ=WEEKLY;COUNT=5", "DTSTART;TZID=Europe/Berlin:20260511T090000", "RDATE;TZID=Europe/Berlin:20260506T120000"}},
		{"at the first instance", series, "20260504T090000", "", "0504T09 0506T12 0518T09 0525T09 0609T09", nil},
		{"a series of DATEs", all, "20260506", "0504", "0506 0508", []string{"RRULE:FREQ=DAILY;UNTIL=20260508", "EXDATE;VALUE=DATE:20260507", "DTSTART;VALUE=DATE:20260506"}},
		{"RDATEs without a rule", event("DTSTART:20260504T090000Z", "RDATE:20260505T090000Z,20260506T090000Z"), "20260505T090000Z", "0504T09", "0505T09 0506T09",
			[]string{"RDATE:20260505T090000Z,20260506T090000Z"}},
		{"RDATEs after the last instance of the rule", event("DTSTART:20260504T090000Z", "RRULE:FREQ=DAILY;COUNT=1", "RDATE:20260505T090000Z,20260506T090000Z"), "20260505T090000Z", "0504T09", "0505T09 0506T09",
			[]string{"DTSTART:20260505T090000Z"}},
		{"at an RDATE after COUNT", event("DTSTART:20260504T090000Z", "RRULE:FREQ=DAILY;COUNT=2", "RDATE:20260510T090000Z"), "20260510T090000Z", "0504T09 0505T09", "0510T09", nil},
		{"at an RDATE after UNTIL", event("DTSTART:20260504T090000Z", "RRULE:FREQ=DAILY;UNTIL=20260505T090000Z", "RDATE:20260510T090000Z"), "20260510T090000Z", "0504T09 0505T09", "0510T09", nil},
		{"at an RDATE after UNTIL, floating", event("DTSTART:20260504T090000", "RRULE:FREQ=DAILY;UNTIL=20260506T090000", "RDATE:20260601T090000"), "20260601T090000", "0504T09 0505T09 0506T09", "0601T09",
			[]string{"DTSTART:20260601T090000"}},
		{"at a PERIOD after COUNT", event("DTSTART:20260504T090000", "RRULE:FREQ=DAILY;COUNT=2", "RDATE;VALUE=PERIOD:20260601T090000/PT5H"), "20260601T090000", "0504T09 0505T09", "0601T09",
			[]string{"DTSTART:20260601T090000"}},
		{"at an instance whose end is in the second occurrence of a local time", event("DTSTART;TZID=Europe/Berlin:20261010T220000", "DTEND;TZID=Europe/Berlin:20261011T033000", "RRULE:FREQ=WEEKLY;COUNT=4"), "20261024T220000", "1010T22 1017T22", "1024T22 1031T22",
			[]string{"DTSTART;TZID=Europe/Berlin:20261024T220000", "DURATION:PT5H30M"}},
		{"a floating series", strings.Replace(floatingSeries, "DAILY", "DAILY;UNTIL=20260507T090000", 1), "20260506T090000", "0504T09 0505T09", "0506T09 0507T09",
			[]string{"DURATION:PT1H", "DTSTART:20260506T090000"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := mustParse(t, c.text)
			before, after, err := o.Split(mustFind(t, o, c.id), "new")
			if err != nil {
				t.Fatal(err)
			}
			if c.before == "" && before != nil || c.before != "" && formatStarts(t, before) != c.before {
				t.Errorf("before: got %s\nwant %s", before, c.before)
			}
			if got := formatStarts(t, after); got != c.after || mustParse(t, string(after)).UID != "new" {
				t.Errorf("after: got %s, want %s, in\n%s", got, c.after, after)
			}
			lines := strings.Split(string(after), "\r\n")
			for _, line := range c.lines {
				if !slices.Contains(lines, line) {
					t.Errorf("after: got %s\nwant the line %s", after, line)
				}
			}
		})
	}
}

func TestSplitRejectsUnsupportedSeries(t *testing.T) {
	for name, text := range map[string]string{
		"a single event":          event("DTSTART:20260504T090000Z"),
		"an RDATE before DTSTART": event("DTSTART:20260504T090000Z", "RDATE:20260501T090000Z"),
		"two rules":               event("DTSTART:20260504T090000Z", "RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"),
		"only an override":        events([]string{"UID:1", "RECURRENCE-ID:20260504T090000Z", "DTSTART:20260504T090000Z"}),
		"RANGE=THISANDFUTURE": events([]string{"UID:1", "DTSTART:20260504T090000Z", "RRULE:FREQ=DAILY"},
			[]string{"UID:1", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260505T090000Z", "DTSTART:20260505T100000Z"}),
	} {
		o := mustParse(t, text)
		list, _ := o.Instances(time.Time{}, utcDay(2026, 6, 1), nil, 10)
		if before, after, err := o.Split(list[0], "new"); err == nil || before != nil || after != nil {
			t.Errorf("%s: got no error", name)
		}
	}
	many := mustParse(t, event("DTSTART:20260504T090000Z", "RRULE:FREQ=SECONDLY;BYSECOND=0;COUNT=90000", "RDATE:20300101T000000Z"))
	if _, _, err := many.Split(mustFind(t, many, "20300101T000000Z"), "new"); err == nil {
		t.Error("series beyond the work budget: got no error")
	}
}
