package ics_test

import (
	"slices"
	"strings"
	"testing"

	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
)

// A reader sees the components that their classes allow. Covers B-112.
func TestRedactAppliesTheClass(t *testing.T) {
	const start, rule = "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;COUNT=3"
	details := []string{start, rule, "SUMMARY:Doctor", "LOCATION:Clinic", "ATTACH:https://example.org/x", "ORGANIZER:mailto:ann@example.org", "ATTENDEE;CN=Bea:mailto:bea@example.org",
		"BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT15M", "END:VALARM"}
	override := func(lines ...string) string {
		text := icstest.Event("a", append([]string{"RECURRENCE-ID:20261202T090000Z", "DTSTART:20261202T100000Z", "SUMMARY:Moved"}, lines...)...)
		return text[strings.Index(text, "BEGIN:VEVENT"):strings.Index(text, "END:VCALENDAR")]
	}
	series := func(override string, lines ...string) string {
		return strings.Replace(icstest.Event("a", append(details, lines...)...), "END:VCALENDAR", override+"END:VCALENDAR", 1)
	}
	for _, c := range []struct {
		name, text string
		timesOnly  bool
		want       string // the properties after DTSTAMP without their parameters; "" if nothing is left
	}{
		{"no class", series(""), false, "DTSTART RRULE SUMMARY:Doctor LOCATION"},
		{"public", series("", "CLASS:Public"), false, "DTSTART RRULE SUMMARY:Doctor LOCATION CLASS"},
		{"private", series("", "CLASS:PRIVATE"), false, ""},
		{"unknown class", series("", "CLASS:X-SECRET"), false, ""},
		{"confidential", series("", "CLASS:CONFIDENTIAL", "TRANSP:TRANSPARENT"), false, "DTSTART RRULE TRANSP SUMMARY:Busy"},
		{"private override", series(override("CLASS:PRIVATE")), false, "DTSTART RRULE SUMMARY:Doctor LOCATION EXDATE"},
		{"public override of a private series", series(override("CLASS:PUBLIC"), "CLASS:PRIVATE"), false, ""},
		{"override of a confidential series", series(override(), "CLASS:CONFIDENTIAL"), false, "DTSTART RRULE SUMMARY:Busy RECURRENCE-ID DTSTART SUMMARY:Busy"},
		{"confidential override", series(override("CLASS:CONFIDENTIAL")), false, "DTSTART RRULE SUMMARY:Doctor LOCATION RECURRENCE-ID DTSTART SUMMARY:Busy"},
		{"private rest of a series", series(strings.Replace(override("CLASS:PRIVATE"), "RECURRENCE-ID:", "RECURRENCE-ID;RANGE=THISANDFUTURE:", 1)), false, ""},
		{"times of an event", series(""), true, "DTSTART RRULE SUMMARY:Busy"},
		{"times of a free event", series("", "TRANSP:TRANSPARENT"), true, ""},
		{"times of a free series with a busy override", series(override(), "TRANSP:transparent"), true, "RECURRENCE-ID DTSTART SUMMARY:Busy"},
		{"times of a series with a canceled override", series(override("STATUS:CANCELLED")), true, "DTSTART RRULE SUMMARY:Busy EXDATE"},
		{"times of a task", icstest.Object("VTODO", "a", "DUE:20261201T090000Z", "SUMMARY:Pay"), true, ""},
		{"details of a task", icstest.Object("VTODO", "a", "DUE:20261201T090000Z", "SUMMARY:Pay"), false, "DUE SUMMARY:Pay"},
	} {
		d, err := ics.ParseDocument([]byte(c.text))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var got, uids []string
		if d.Redact(ics.Redaction{Title: "Busy", TimesOnly: c.timesOnly}) {
			icstest.Parse(t, string(d.Bytes()))
			for line := range strings.Lines(string(d.Bytes())) {
				switch name, value, _ := strings.Cut(strings.TrimSpace(line), ":"); name {
				case "BEGIN", "END", "VERSION", "PRODID", "DTSTAMP":
				case "UID":
					uids = append(uids, value)
				case "SUMMARY":
					got = append(got, name+":"+value)
				default:
					got = append(got, name)
				}
			}
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		isHidden := !strings.Contains(c.want, "Doctor") && !strings.Contains(c.want, "Pay")
		if len(slices.Compact(uids)) > 1 || len(uids) > 0 && (uids[0] == "a") == isHidden {
			t.Errorf("%s: got the UIDs %q, want the same in all components, and another one if only times are left (%t)", c.name, uids, isHidden)
		}
	}
}

// No property or component that a reader may not see is left, whatever the text contains.
func FuzzRedact(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(icstest.NewRand(seed).CalendarObject("a"), seed%2 == 0)
	}
	f.Add("BEGIN:VCALENDAR\nBEGIN:VTODO\nEND:VTODO\nBEGIN:VTODO\nEND:VTODO\nEND:VCALENDAR", true) // two series
	f.Add(icstest.Event("a", "DTSTART:20261201T090000Z", "CLASS:\r\n CONFIDENTIAL", "SUMMARY:x", "BEGIN:VALARM", "END:VALARM"), false)
	f.Fuzz(func(t *testing.T, text string, timesOnly bool) {
		d, err := ics.ParseDocument([]byte(text))
		if err != nil || !d.Redact(ics.Redaction{Title: "Busy", TimesOnly: timesOnly}) {
			return
		}
		left, err := ics.ParseDocument(d.Bytes())
		if err != nil {
			t.Fatalf("the redacted text is invalid: %v\n%s", err, d.Bytes())
		}
		for _, b := range left.Calendar.Blocks() {
			if b.Name == "VTIMEZONE" {
				continue
			}
			for _, name := range []string{"ATTENDEE", "ORGANIZER", "ATTACH"} {
				if value := b.Value(name); value != "" {
					t.Errorf("got %s:%s, want none", name, value)
				}
			}
			if n := len(b.Blocks("VALARM")); n > 0 {
				t.Errorf("got %d alarms, want none", n)
			}
			class := strings.ToUpper(strings.TrimSpace(b.Value("CLASS")))
			if class != "" && class != "PUBLIC" {
				t.Errorf("got a component of the class %s, want none", class)
			}
			if title := b.Value("SUMMARY"); timesOnly && title != "Busy" {
				t.Errorf("got the title %q, want Busy", title)
			}
		}
	})
}
