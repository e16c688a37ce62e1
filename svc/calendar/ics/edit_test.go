package ics

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/emersion/go-ical"
)

// untidy has what a document must not tidy up: folds in odd places, line feeds
// among CRLFs, blank lines, names in lower case, properties out of order.
const untidy = "\ufeffBEGIN:VCALENDAR\r\n" +
	"VERSION:2.0\r\n" +
	"\r\n" +
	"begin:VEVENT \n" +
	"UID:1\r\n" +
	"DTSTART:20260501T090000Z\r\n" +
	"summary;LANGUAGE=de:Erster\r\n" +
	"\t Titel\r\n" +
	"X-Thing;A=\"b;c\":d\r\n" +
	"SUMMARY:Zweiter\r\n" +
	"BEGIN:VALARM\r\n" +
	"TRIGGER:-PT5M\r\n" +
	"END:VALARM\r\n" +
	"LOCATION:b\r\n" +
	"  ehind the alarm\r\n" +
	"end:vevent\r\n" +
	"END:VCALENDAR\r\n" +
	"\r\n"

func TestEditingLeavesTheRestAlone(t *testing.T) {
	o := mustParse(t, untidy)
	for _, c := range []struct {
		name     string
		edit     func(d *Document, e *Block)
		old, new string
	}{
		{"nothing", func(*Document, *Block) {}, "", ""},
		{"set what is there", func(_ *Document, e *Block) { e.Set(TextProp("uid", "2")) }, "UID:1\r\n", "UID:2\n"},
		{"set what is there twice", func(_ *Document, e *Block) { e.Set(TextProp("SUMMARY", "Ü, 1")) },
			"summary;LANGUAGE=de:Erster\r\n\t Titel\r\nX-Thing;A=\"b;c\":d\r\nSUMMARY:Zweiter\r\n", "SUMMARY:Ü\\, 1\nX-Thing;A=\"b;c\":d\r\n"},
		{"set what is not there", func(_ *Document, e *Block) { e.Set(IntProp("PRIORITY", 1)) }, "BEGIN:VALARM", "PRIORITY:1\nBEGIN:VALARM"},
		{"set what stands behind a component", func(_ *Document, e *Block) { e.Set(TextProp("LOCATION", "x")) }, "LOCATION:b\r\n  ehind the alarm\r\n", "LOCATION:x\n"},
		{"add to what is there", func(_ *Document, e *Block) { e.Add(TextProp("SUMMARY", "Dritter")) }, "BEGIN:VALARM", "SUMMARY:Dritter\nBEGIN:VALARM"},
		{"remove folded lines", func(_ *Document, e *Block) { e.Remove("Location", "X-Nothing") }, "LOCATION:b\r\n  ehind the alarm\r\n", ""},
		{"remove a component", func(_ *Document, e *Block) { e.RemoveBlocks(e.Blocks("VALARM")...) }, "BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n", ""},
		{"add a component", func(_ *Document, e *Block) {
			e.AddAlarm(Alarm{Action: "DISPLAY", Description: "Now", Offset: Duration{Days: -1}, RelatedToEnd: true, Repeat: 2, Interval: Duration{Seconds: 60}})
		}, "end:vevent", "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER;RELATED=END:-P1D\nDESCRIPTION:Now\nREPEAT:2\nDURATION:PT1M\nEND:VALARM\nend:vevent"},
		{"add an alarm at a time of its own", func(d *Document, _ *Block) {
			d.Calendar.AddAlarm(Alarm{Action: "AUDIO", At: UTC(utcDay(2026, 5, 1))})
		}, "END:VCALENDAR", "BEGIN:VALARM\r\nACTION:AUDIO\r\nTRIGGER;VALUE=DATE-TIME:20260501T000000Z\r\nEND:VALARM\r\nEND:VCALENDAR"},
		{"change a copy", func(d *Document, e *Block) {
			copied := e.Clone()
			copied.Remove("UID")
			copied.Blocks()[0].Remove("TRIGGER")
		}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := o.Edit()
			c.edit(d, d.Block(o.Master))
			if got, want := string(d.Bytes()), strings.Replace(untidy, c.old, c.new, 1); got != want {
				t.Errorf("\n got %q\nwant %q", got, want)
			}
		})
	}
}

func TestBlockValue(t *testing.T) {
	d, err := ParseDocument([]byte(untidy))
	if err != nil {
		t.Fatal(err)
	}
	e := d.Calendar.Blocks("VEVENT")[0]
	if got := e.Value("summary"); got != "Erster Titel" {
		t.Errorf("got %q", got)
	}
	if got := e.Value("TRIGGER"); got != "" {
		t.Errorf("got %q, which is the alarm's", got)
	}
	if _, err := ParseDocument([]byte("BEGIN:VEVENT\r\nEND:VEVENT\r\n")); err == nil {
		t.Error("an event alone is a document")
	}
}

func TestLinesAreFolded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("x", 75-len("SUMMARY:")),
		strings.Repeat("x", 76-len("SUMMARY:")),
		strings.Repeat("x", 1000),
		strings.Repeat("ä", 500),
		"x" + strings.Repeat("漢", 300),
		strings.Repeat("\U0001F389", 200),
	} {
		line := formatLine(TextProp("SUMMARY", text), "\r\n")
		for part := range bytes.SplitSeq(bytes.TrimSuffix(line, []byte("\r\n")), []byte("\r\n")) {
			if len(part) > 75 || !utf8.Valid(part) {
				t.Errorf("a line of %d octets: %q", len(part), part)
			}
		}
		if got := string(unfold(line)); got != "SUMMARY:"+text {
			t.Errorf("got %q", got)
		}
	}
}

func TestPropsArePrinted(t *testing.T) {
	berlin, _ := LoadZone("Europe/Berlin")
	nine := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	for want, p := range map[string]ical.Prop{
		`SUMMARY:a\\b\;c\,d\ne\nf\ng`:                               TextProp("summary", "a\\b;c,d\ne\r\nf\rg"),
		`CATEGORIES:Home,Work\, paid`:                               ListProp("CATEGORIES", []string{"Home", "Work, paid"}),
		"DTSTART;VALUE=DATE:20260501":                               TimeProp("DTSTART", Date(2026, 5, 1)),
		"DTSTART:20260501T090000":                                   TimeProp("DTSTART", Floating(nine)),
		"DTSTART:20260501T090000Z":                                  TimeProp("DTSTART", UTC(nine)),
		"EXDATE;TZID=Europe/Berlin:20260501T110000,20260502T110000": TimeProp("EXDATE", Zoned(nine, berlin), Zoned(nine.AddDate(0, 0, 1), berlin)),
		"PRIORITY:5":                     IntProp("PRIORITY", 5),
		"DURATION:PT1H30M":               DurationProp("DURATION", Duration{Seconds: 5400}),
		"RRULE:FREQ=DAILY":               RuleProp(&Rule{Freq: Daily, Interval: 1, WeekStart: time.Monday}),
		"X:a b":                          {Name: "X", Value: "a\x00 \r\nb"},
		"X:a\ufffdb":                     {Name: "X", Value: "a\xffb"},
		`X;A=b^'c^^d^ne,"f;g";B="h,i":j`: {Name: "X", Params: ical.Params{"B": {"h,i"}, "A": {"b\"c^d\ne", "f;g"}}, Value: "j"},
	} {
		line := formatLine(p, "\n")
		if got := strings.TrimSuffix(string(line), "\n"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if problem := (&contentLine{text: unfold(line)}).parse(); problem != "" {
			t.Errorf("%q: the line %s", line, problem)
		}
	}
}

// Covers T-08.
func TestDocumentFromNothing(t *testing.T) {
	berlin, _ := LoadZone("Europe/Berlin")
	start := Zoned(time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC), berlin)
	d := NewDocument("-//Test//EN")
	e := d.Calendar.NewBlock("VEVENT")
	e.Add(TextProp("UID", "1"))
	e.Add(TimeProp("DTSTART", start))
	e.Add(TimeProp("DTEND", start.Add(Duration{Seconds: 1800})))
	e.Add(TextProp("SUMMARY", "Dentist"))
	want := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\nBEGIN:VEVENT\r\nUID:1\r\n" +
		"DTSTART;TZID=Europe/Berlin:20261201T090000\r\nDTEND;TZID=Europe/Berlin:20261201T093000\r\nSUMMARY:Dentist\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	if got := string(d.Bytes()); got != want {
		t.Errorf("got %q", got)
	}
	mustParse(t, want)
}

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

func find(t *testing.T, o *Object, id string) Instance {
	t.Helper()
	at, ok := parseTime(id, nil)
	if !ok {
		t.Fatal(id)
	}
	i, ok := o.FindInstance(at, nil)
	if !ok {
		t.Fatalf("there is no instance %s", id)
	}
	return i
}

func starts(t *testing.T, text []byte) string {
	t.Helper()
	list, cut := mustParse(t, string(text)).Instances(time.Time{}, time.Time{}, nil, 100)
	if cut {
		t.Error("cut")
	}
	var all []string
	for _, i := range list {
		text := i.Start.String()
		all = append(all, text[4:min(11, len(text))])
	}
	return strings.Join(all, " ")
}

func TestOverride(t *testing.T) {
	o := mustParse(t, series)
	d := o.Edit()
	b := d.Override(find(t, o, "20260518T090000"))
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
	if got := starts(t, d.Bytes()); got != starts(t, []byte(series)) {
		t.Errorf("the series is %s", got)
	}

	d = o.Edit()
	d.Override(find(t, o, "20260608T090000")).Set(TextProp("SUMMARY", "Party"))
	if got, want := string(d.Bytes()), strings.Replace(series, "Concert", "Party", 1); got != want {
		t.Errorf("an override that was there: %s", got)
	}

	plain := mustParse(t, event("DTSTART:20260504T090000Z", "SUMMARY:Once"))
	list, _ := plain.Instances(time.Time{}, time.Time{}, nil, 1)
	d = plain.Edit()
	if b := d.Override(list[0]); b != d.Block(plain.Master) {
		t.Error("what does not recur got an override")
	}

	due := mustParse(t, wrap("VTODO", "DUE;VALUE=DATE:20260504", "RRULE:FREQ=DAILY"))
	d = due.Edit()
	d.Override(find(t, due, "20260510"))
	if text := string(d.Bytes()); !strings.Contains(text, "DUE;VALUE=DATE:20260510\r\nRECURRENCE-ID;VALUE=DATE:20260510\r\n") || strings.Contains(text, "DTSTART") {
		t.Errorf("a to-do: %s", text)
	}
}

func TestExclude(t *testing.T) {
	o := mustParse(t, series)
	for id, want := range map[string]string{
		"20260504T090000": "0506T12 0518T09 0525T09 0609T09",
		"20260506T120000": "0504T09 0518T09 0525T09 0609T09",
		"20260608T090000": "0504T09 0506T12 0518T09 0525T09",
	} {
		d := o.Edit()
		d.Exclude(find(t, o, id))
		if got := starts(t, d.Bytes()); got != want {
			t.Errorf("without %s: %s", id, got)
		}
	}
	once := mustParse(t, event("DTSTART:20260504T090000Z"))
	list, _ := once.Instances(time.Time{}, time.Time{}, nil, 1)
	d := once.Edit()
	d.Exclude(list[0])
	if string(d.Bytes()) != string(once.Raw) {
		t.Errorf("what does not recur became %s", d.Bytes())
	}
}

func TestSplit(t *testing.T) {
	all := events([]string{"UID:1", "DTSTART;VALUE=DATE:20260504", "RRULE:FREQ=DAILY;UNTIL=20260508", "EXDATE;VALUE=DATE:20260505", "EXDATE;VALUE=DATE:20260507"})
	floatingSeries := event("DTSTART:20260504T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY")
	for _, c := range []struct {
		name, text, id, before, after string
		has                           []string // lines of the new object
	}{
		{"in the middle", series, "20260525T090000", "0504T09 0506T12 0518T09", "0525T09 0609T09",
			[]string{"RRULE:FREQ=WEEKLY;COUNT=3", "DTSTART;TZID=Europe/Berlin:20260525T090000", "DTEND;TZID=Europe/Berlin:20260525T100000",
				"EXDATE;TZID=Europe/Berlin:20260601T090000", "RELATED-TO;RELTYPE=SIBLING:1", "X-NOTE:kept"}},
		{"at an override", series, "20260608T090000", "0504T09 0506T12 0518T09 0525T09", "0609T09",
			[]string{"RRULE:FREQ=WEEKLY;COUNT=1", "DTSTART;TZID=Europe/Berlin:20260608T090000"}},
		{"at a date that the rule does not make", series, "20260506T120000", "0504T09", "0506T12 0518T09 0525T09 0609T09",
			[]string{"RRULE:FREQ=WEEKLY;COUNT=5", "DTSTART;TZID=Europe/Berlin:20260511T090000", "RDATE;TZID=Europe/Berlin:20260506T120000"}},
		{"at the beginning", series, "20260504T090000", "", "0504T09 0506T12 0518T09 0525T09 0609T09", nil},
		{"days", all, "20260506", "0504", "0506 0508", []string{"RRULE:FREQ=DAILY;UNTIL=20260508", "EXDATE;VALUE=DATE:20260507", "DTSTART;VALUE=DATE:20260506"}},
		{"dates without a rule", event("DTSTART:20260504T090000Z", "RDATE:20260505T090000Z,20260506T090000Z"), "20260505T090000Z", "0504T09", "0505T09 0506T09",
			[]string{"RDATE:20260505T090000Z,20260506T090000Z"}},
		{"dates after the rule", event("DTSTART:20260504T090000Z", "RRULE:FREQ=DAILY;COUNT=1", "RDATE:20260505T090000Z,20260506T090000Z"), "20260505T090000Z", "0504T09", "0505T09 0506T09",
			[]string{"DTSTART:20260505T090000Z"}},
		{"a date after the last of so many", event("DTSTART:20260504T090000Z", "RRULE:FREQ=DAILY;COUNT=2", "RDATE:20260510T090000Z"), "20260510T090000Z", "0504T09 0505T09", "0510T09", nil},
		{"a date after the rule has ended", event("DTSTART:20260504T090000Z", "RRULE:FREQ=DAILY;UNTIL=20260505T090000Z", "RDATE:20260510T090000Z"), "20260510T090000Z", "0504T09 0505T09", "0510T09", nil},
		{"at a date after the rule has ended", event("DTSTART:20260504T090000", "RRULE:FREQ=DAILY;UNTIL=20260506T090000", "RDATE:20260601T090000"), "20260601T090000", "0504T09 0505T09 0506T09", "0601T09",
			[]string{"DTSTART:20260601T090000"}},
		{"at a date after the rule has been counted", event("DTSTART:20260504T090000", "RRULE:FREQ=DAILY;COUNT=2", "RDATE;VALUE=PERIOD:20260601T090000/PT5H"), "20260601T090000", "0504T09 0505T09", "0601T09",
			[]string{"DTSTART:20260601T090000"}},
		{"at an end in the second hour of two", event("DTSTART;TZID=Europe/Berlin:20261010T220000", "DTEND;TZID=Europe/Berlin:20261011T033000", "RRULE:FREQ=WEEKLY;COUNT=4"), "20261024T220000", "1010T22 1017T22", "1024T22 1031T22",
			[]string{"DTSTART;TZID=Europe/Berlin:20261024T220000", "DURATION:PT5H30M"}},
		{"a rule without end", strings.Replace(floatingSeries, "DAILY", "DAILY;UNTIL=20260507T090000", 1), "20260506T090000", "0504T09 0505T09", "0506T09 0507T09",
			[]string{"DURATION:PT1H", "DTSTART:20260506T090000"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := mustParse(t, c.text)
			before, after, err := o.Split(find(t, o, c.id), "new")
			if err != nil {
				t.Fatal(err)
			}
			if c.before == "" && before != nil || c.before != "" && starts(t, before) != c.before {
				t.Errorf("before: %s", before)
			}
			if got := starts(t, after); got != c.after || mustParse(t, string(after)).UID != "new" {
				t.Errorf("after: %s\n%s", got, after)
			}
			lines := strings.Split(string(after), "\r\n")
			for _, line := range c.has {
				if !slices.Contains(lines, line) {
					t.Errorf("%s is not in\n%s", line, after)
				}
			}
		})
	}
}

func TestShift(t *testing.T) {
	o := mustParse(t, events(
		[]string{"UID:1", "DTSTART;TZID=Europe/Berlin:20260504T090000", "DTEND;TZID=Europe/Berlin:20260504T100000", "RRULE:FREQ=WEEKLY;COUNT=8",
			"EXDATE:20260511T070000Z,20260518T070000Z", "EXDATE;VALUE=DATE:20260622", "EXDATE:", "RDATE;TZID=Europe/Berlin;VALUE=PERIOD:20260506T120000/20260506T133000,20260507T120000/PT2H"},
		[]string{"UID:1", "RECURRENCE-ID;TZID=Europe/Berlin:20260525T090000", "DTSTART;TZID=Europe/Berlin:20260525T090000", "DTEND;TZID=Europe/Berlin:20260525T093000"},
		[]string{"UID:1", "RECURRENCE-ID;TZID=Europe/Berlin:20260601T090000", "DTSTART;TZID=Europe/Berlin:20260602T150000"}))
	berlin, _ := LoadZone("Europe/Berlin")
	for _, c := range []struct {
		name  string
		start Time
		want  string
		has   []string
	}{
		{"to another hour", Zoned(time.Date(2026, 5, 4, 12, 30, 0, 0, time.UTC), berlin), "0504T14 0506T17 0507T17 0525T14 0602T15 0608T14 0615T14", []string{
			"EXDATE;TZID=Europe/Berlin:20260511T143000,20260518T143000",
			"RDATE;TZID=Europe/Berlin;VALUE=PERIOD:20260506T173000/PT1H30M,20260507T173000/PT2H",
			"DTEND;TZID=Europe/Berlin:20260525T150000"}},
		{"to another day", Zoned(time.Date(2026, 5, 6, 7, 0, 0, 0, time.UTC), berlin), "0506T09 0508T12 0509T12 0527T09 0602T15 0610T09 0617T09",
			[]string{"EXDATE;VALUE=DATE:20260624"}},
		{"to UTC", UTC(time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)), "0504T09 0506T12 0507T12 0525T09 0602T15 0608T09 0615T09", []string{"EXDATE:20260511T090000Z,20260518T090000Z"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := o.Edit()
			d.AddTimeZone(berlin, c.start.Instant(nil)) // in front of the events: they are found all the same
			d.ShiftSeries(o, c.start)
			b := d.Block(o.Master)
			b.Set(TimeProp("DTSTART", c.start))
			b.Set(TimeProp("DTEND", c.start.Add(Duration{Seconds: 3600})))
			if got := starts(t, d.Bytes()); got != c.want {
				t.Errorf("got %s\n%s", got, d.Bytes())
			}
			lines := strings.Split(strings.ReplaceAll(string(d.Bytes()), "\r\n ", ""), "\r\n")
			for _, line := range c.has {
				if !slices.Contains(lines, line) {
					t.Errorf("%s is not in\n%s", line, d.Bytes())
				}
			}
		})
	}
	days := mustParse(t, event("DTSTART;VALUE=DATE:20260504", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20260505"))
	d := days.Edit()
	start := Floating(time.Date(2026, 5, 11, 9, 0, 0, 0, time.UTC))
	d.ShiftSeries(days, start)
	d.Block(days.Master).Set(TimeProp("DTSTART", start))
	if got := starts(t, d.Bytes()); got != "0511T09 0513T09" {
		t.Errorf("days that got a time: %s", got)
	}
}

// What a client folded inside a letter is whole; all other octets stay.
func TestUTF8(t *testing.T) {
	raw := []byte(event("DTSTART:20260501", "SUMMARY:caf\xc3\r\n \xa9 au\r\n  lait", "X-A:b\r\n c"))
	want := event("DTSTART:20260501", "SUMMARY:café au lait", "X-A:b\r\n c")
	if got := RefoldUTF8(raw); string(got) != want {
		t.Errorf("got %q", got)
	}
	if got := RefoldUTF8([]byte(want)); &got[0] == &raw[0] || string(got) != want {
		t.Errorf("got %q", got)
	}
}

func TestSplitRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"one event":     event("DTSTART:20260504T090000Z"),
		"an early date": event("DTSTART:20260504T090000Z", "RDATE:20260501T090000Z"),
		"two rules":     event("DTSTART:20260504T090000Z", "RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"),
		"only override": events([]string{"UID:1", "RECURRENCE-ID:20260504T090000Z", "DTSTART:20260504T090000Z"}),
		"a future": events([]string{"UID:1", "DTSTART:20260504T090000Z", "RRULE:FREQ=DAILY"},
			[]string{"UID:1", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260505T090000Z", "DTSTART:20260505T100000Z"}),
	} {
		o := mustParse(t, text)
		list, _ := o.Instances(time.Time{}, utcDay(2026, 6, 1), nil, 10)
		if before, after, err := o.Split(list[0], "new"); err == nil || before != nil || after != nil {
			t.Errorf("%s was split", name)
		}
	}
	many := mustParse(t, event("DTSTART:20260504T090000Z", "RRULE:FREQ=SECONDLY;BYSECOND=0;COUNT=90000", "RDATE:20300101T000000Z"))
	if _, _, err := many.Split(find(t, many, "20300101T000000Z"), "new"); err == nil {
		t.Error("a series was split without knowing where")
	}
}

func TestExpand(t *testing.T) {
	o := mustParse(t, series)
	text, cut := o.Expand(utcDay(2026, 5, 17), utcDay(2026, 6, 10), nil, 100)
	want := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"
	for _, dom := range []string{"18", "25"} {
		want += "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:202605" + dom + "T070000Z\r\nDTEND:202605" + dom + "T080000Z\r\nX-NOTE:kept\r\nSUMMARY:Choir\r\nRECURRENCE-ID:202605" + dom + "T070000Z\r\n" +
			"BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT\r\n"
	}
	want += "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260609T070000Z\r\nSUMMARY:Concert\r\nRECURRENCE-ID:20260608T070000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	if string(text) != want || cut {
		t.Errorf("cut %v, got %s", cut, text)
	}
	if _, cut := o.Expand(time.Time{}, time.Time{}, nil, 2); !cut {
		t.Error("it is not cut")
	}
	for name, c := range map[string]struct{ text, line string }{
		"a day that the clock makes shorter": {event("DTSTART;TZID=Europe/Berlin:20260328T090000", "DURATION:P1D"), "DURATION:PT23H"},
		"a day of 24 hours":                  {event("DTSTART;TZID=Europe/Berlin:20260501T090000", "DURATION:P1D"), "DURATION:P1D"},
		"an end in an hour that comes twice": {event("DTSTART;TZID=Europe/Berlin:20261024T020000", "DTEND;TZID=Europe/Berlin:20261025T023000", "RRULE:FREQ=YEARLY", "RDATE;TZID=Europe/Berlin:20261023T230000"), "DTEND:20261025T003000Z"},
		"and in its second half":             {event("DTSTART;TZID=Europe/Berlin:20260101T010000", "DTEND;TZID=Europe/Berlin:20260102T030000", "RDATE;TZID=Europe/Berlin:20261024T010000"), "DTEND:20261025T010000Z"},
		"a length of an RDATE's own":         {event("DTSTART;TZID=Europe/Berlin:20260501T090000", "DURATION:PT1H", "RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20260502T090000/PT3H"), "DURATION:PT3H"},
		"a length where there is none":       {event("DTSTART:20260501T090000", "RDATE;VALUE=PERIOD:20260502T090000/20260502T100000"), "DURATION:PT1H"},
	} {
		text, _ := mustParse(t, c.text).Expand(time.Time{}, utcDay(2027, 1, 1), nil, 10)
		if !strings.Contains(string(text), "\r\n"+c.line+"\r\n") {
			t.Errorf("%s: no %s in %s", name, c.line, text)
		}
	}
	for _, text := range []string{
		wrap("VFREEBUSY", "FREEBUSY:20260501T090000Z/PT1H,20260502T090000Z/PT1H"),
		wrap("VAVAILABILITY", "DTSTART;TZID=Europe/Berlin:20260501T090000"),
	} {
		if got, cut := mustParse(t, text).Expand(time.Time{}, time.Time{}, nil, 1); string(got) != text || cut {
			t.Errorf("what has no instances became %s", got)
		}
	}
	large, cut := mustParse(t, event("DTSTART:20260501T090000Z", "RRULE:FREQ=DAILY", "BEGIN:VALARM", "DESCRIPTION:"+strings.Repeat("x", MaxSize-1000), "END:VALARM")).Expand(utcDay(2026, 5, 1), utcDay(2027, 5, 1), nil, 1000)
	if n := bytes.Count(large, []byte("BEGIN:VEVENT")); len(large) > maxExpansion+1000 || n < 10 || !cut {
		t.Errorf("a large object became %d octets with %d instances, cut %v", len(large), n, cut)
	}
	twice, _ := mustParse(t, event("DTSTART;TZID=Europe/Berlin:20260329T010000", "RRULE:FREQ=DAILY;BYHOUR=2,3;BYMINUTE=30")).Expand(utcDay(2026, 3, 29), utcDay(2026, 3, 30), nil, 10)
	if n := strings.Count(string(twice), "RECURRENCE-ID:20260329T013000Z"); n != 1 {
		t.Errorf("what the clock skips is there %d times in %s", n, twice)
	}
	floats := event("DTSTART;VALUE=DATE:20260501", "DTEND;VALUE=DATE:20260502")
	if text, _ := mustParse(t, floats).Expand(time.Time{}, time.Time{}, nil, 2); string(text) != floats {
		t.Errorf("a day became %s", text)
	}
}

func TestLimitRecurrences(t *testing.T) {
	o := mustParse(t, series)
	without := series[:strings.LastIndex(series, "BEGIN:VEVENT")] + "END:VCALENDAR\r\n"
	for _, c := range []struct {
		name     string
		from, to time.Time
		want     string
	}{
		{"where it was", utcDay(2026, 6, 8), utcDay(2026, 6, 9), series},
		{"where it is", utcDay(2026, 6, 9), utcDay(2026, 6, 10), series},
		{"neither", utcDay(2026, 5, 1), utcDay(2026, 6, 8), without},
	} {
		if got := string(o.LimitRecurrences(c.from, c.to, nil)); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// Reading lines and writing them changes no octet, and taking them apart or
// folding them anew makes them no worse. After a change all other lines are as
// they were, and the new one says what it was told to.
//
// Covers PT-24.
func FuzzDocument(f *testing.F) {
	f.Add([]byte(untidy), "Title", 0)
	f.Add([]byte(weekly), "A title, with\n\"everything\" \\ in it", 3)
	f.Add([]byte(series), strings.Repeat("ä", 100), 7)
	f.Fuzz(func(t *testing.T, raw []byte, text string, which int) {
		d, err := ParseDocument(raw)
		if err != nil {
			return
		}
		if got := d.Bytes(); !bytes.Equal(got, raw) {
			t.Fatalf("%q became %q", raw, got)
		}
		clean := RefoldUTF8(raw)
		if read := mustRead(t, clean); !utf8.Valid(clean) || fmt.Sprint(texts(read)) != fmt.Sprint(texts(d)) {
			t.Errorf("%q in UTF-8 is %q", raw, clean)
		}
		whole, err := ReadStream(bytes.NewReader(raw), int64(len(raw)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for one := range whole.Entries() {
			if one.Err == nil {
				mustRead(t, one.Text)
			}
		}
		blocks := func(d *Document) []*Block { return append(d.Calendar.Blocks(), d.Calendar) }
		which = max(which, -which-1) % len(blocks(d))
		blocks(d)[which].Set(TextProp("SUMMARY", text))

		again, err := ParseDocument(d.Bytes())
		if err != nil {
			if len(d.Bytes()) > MaxSize {
				return
			}
			t.Fatalf("%q cannot be read: %v", d.Bytes(), err)
		}
		if got, want := others(again, which), others(mustRead(t, raw), which); !slices.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("the other lines of %q became those of %q", raw, d.Bytes())
		}
		want := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string([]rune(text)))
		want = strings.Map(func(r rune) rune {
			if r < ' ' && r != '\t' && r != '\n' {
				return -1
			}
			return r
		}, want)
		if got := unescapeText(blocks(again)[which].Value("SUMMARY")); got != want {
			t.Errorf("%q is read as %q", text, got)
		}
	})
}

func mustRead(t *testing.T, raw []byte) *Document {
	t.Helper()
	d, err := ParseDocument(raw)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// texts returns the lines of the calendar, unfolded.
func texts(d *Document) (lines []string) {
	all := others(d, len(d.Calendar.Blocks()))
	for _, raw := range all[:len(all)-2] {
		lines = append(lines, string(unfold(raw)))
	}
	return lines
}

// others returns the octets of all lines but the SUMMARYs of one block: a
// component in the calendar or, after those, the calendar.
func others(d *Document, which int) (lines [][]byte) {
	blocks := append(d.Calendar.Blocks(), d.Calendar)
	var walk func(b *Block)
	walk = func(b *Block) {
		lines = append(lines, b.begin)
		for _, it := range b.items {
			if it.block != nil {
				walk(it.block)
			} else if b != blocks[which] || it.name != "SUMMARY" {
				lines = append(lines, it.raw)
			}
		}
		lines = append(lines, b.end)
	}
	walk(d.Calendar)
	return append(lines, d.before, d.after)
}
