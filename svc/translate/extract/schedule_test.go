package extract

import (
	"regexp"
	"strings"
	"testing"
)

// describe returns a schedule as "mon 09:00-18:00; sun closed; ? text".
func describe(s schedule) string {
	s.resolveZero()
	var parts []string
	for i, key := range append(weekdays[:7:7], "ph") {
		var hours []string
		for _, p := range periodsOf(s.periods[i]) {
			next := ""
			if p.Overnight {
				next = "+"
			}
			hours = append(hours, p.Open+"-"+p.Close+next)
		}
		switch {
		case len(hours) > 0:
			parts = append(parts, key+" "+strings.Join(hours, " "))
		case s.closed&(1<<i) != 0:
			parts = append(parts, key+" closed")
		}
	}
	for _, text := range s.unparsed {
		parts = append(parts, "? "+text)
	}
	return strings.Join(parts, "; ")
}

// sameHours returns a description of the same hours for several days.
func sameHours(hours string, keys ...string) string {
	for i, key := range keys {
		keys[i] = key + " " + hours
	}
	return strings.Join(keys, "; ")
}

// Covers S-50 for texts.
func TestParseTextReadsOpeningHours(t *testing.T) {
	workdays := []string{"mon", "tue", "wed", "thu", "fri"}
	all := func() []string { return append(workdays[:5:5], "sat", "sun") }
	five := func() []string { return append([]string{}, workdays...) }
	for _, c := range []struct{ text, want string }{
		{"Mo-Fr 09:00-18:00", sameHours("09:00-18:00", five()...)},
		{"Mo-Fr 09:00-12:00,13:00-18:00", sameHours("09:00-12:00 13:00-18:00", five()...)},
		{"Mo, Tu, We 07:30-17:00 Th 08:00-12:00", sameHours("07:30-17:00", "mon", "tue", "wed") + "; thu 08:00-12:00"},
		{"Th,Fr08:00-16:00", sameHours("08:00-16:00", "thu", "fri")},
		{"Th,Fr08:00", "? Th,Fr08:00"},
		{"Mon - Thurs: 8:00am - 6:00pmFri: 8:00am - 4:00pm", sameHours("08:00-18:00", "mon", "tue", "wed", "thu") + "; fri 08:00-16:00"},
		{"Mon - Thurs: 8:00am - 6:00pmFri:", sameHours("08:00-18:00", "mon", "tue", "wed", "thu") + "; ? Fri:"},
		{"Mo-Su 09:00-18:00; Sa 10:00-12:00; Su off", sameHours("09:00-18:00", five()...) + "; sat 10:00-12:00; sun closed"},
		{"Fr-Mo 10:00-12:00", sameHours("10:00-12:00", "mon", "fri", "sat", "sun")},
		{"Mo-Fr 0900-1730", sameHours("09:00-17:30", five()...)},
		{"Sa 9am–5pm", "sat 09:00-17:00"},
		{"Sa 9 a.m. to 5:30 p.m.", "sat 09:00-17:30"},
		{"Sa 9-5pm", "sat 09:00-17:00"},
		{"Sa 6-10pm", "sat 18:00-22:00"},
		{"Sa 11:00 AM - 12:00 AM", "sat 11:00-24:00"},
		{"Sa 8am - 6", "sat 08:00-18:00"},
		{"Sa 8am - 11", "? Sa 8am - 11"},
		{"Sa 9-5", "? Sa 9-5"},
		{"Montag bis Freitag von 9 bis 17 Uhr", sameHours("09:00-17:00", five()...)},
		{"Montag: Ruhetag, Dienstag 11.30–14.00 Uhr und 17.30–22.00 Uhr", "mon closed; tue 11:30-14:00 17:30-22:00"},
		{"daily 10:00-18:00", sameHours("10:00-18:00", all()...)},
		{"10:00-18:00", sameHours("10:00-18:00", all()...)},
		{"Weekdays 10:00 until 18:00", sameHours("10:00-18:00", five()...)},
		// after midnight
		{"Fr 18:00-02:00", "fri 18:00-02:00+"},
		{"Fr 18:00-26:00", "fri 18:00-02:00+"},
		{"Fr 18:00-00:00", "fri 18:00-24:00"},
		{"Fr 10pm - 2am", "fri 22:00-02:00+"},
		// the whole day
		{"24/7", sameHours("00:00-24:00", all()...)},
		{"Open 24 hours", sameHours("00:00-24:00", all()...)},
		{"Mo-Su", sameHours("00:00-24:00", all()...)},
		{"Mo-Fr 00:00-24:00", sameHours("00:00-24:00", five()...)},
		{"Mo-Fr", "? Mo-Fr"},
		{"Mo-Fr 09:00-09:00", "? Mo-Fr 09:00-09:00"},
		// 00:00–00:00 means closed only if there are other hours
		{"Mo 09:00-17:00, Tu 00:00-00:00", "mon 09:00-17:00; tue closed"},
		{"Mo-Su 00:00-00:00", "? Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday 00:00–00:00"},
		// closed days
		{"Mon-Fri 9:00-17:00, closed Sat and Sun", sameHours("09:00-17:00", five()...) + "; sat closed; sun closed"},
		{"Closed on Sundays", "? Closed on Sundays"},
		{"Closed", "? Closed"},
		{"Mo 10:00-12:00; PH off", "mon 10:00-12:00; ph closed"},
		// text that cannot be parsed
		{"Mo-Fr 09:00-18:00 by appointment", sameHours("09:00-18:00", five()...) + "; ? by appointment"},
		{"Apr-Oct: Mo 09:00-18:00", "? Apr-Oct: Mo 09:00-18:00"},
		{"Mo sunrise-sunset", "? Mo sunrise-sunset"},
		{"Mo 09:75-10:00", "? Mo 09:75-10:00"},
		{"by appointment only", "? by appointment only"},
		{"", ""},
	} {
		var s schedule
		s.parseText(c.text)
		if got := describe(s); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// All hours are valid times in order, and text without hours is in unparsed.
func FuzzParseText(f *testing.F) {
	for _, text := range []string{
		"Mo-Fr 09:00-12:00,13:00-18:00; Sa 10:00-14:00; PH off", "Mon - Thurs: 8:00am - 6:00pmFri: 9-5", "24/7", "Closed Sun, Mo 00:00-00:00", "Sa 9 a.m. to noon", "Th,Fr08:00 x",
	} {
		f.Add(text)
	}
	clock := regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d$|^24:00$`)
	f.Fuzz(func(t *testing.T, text string) {
		var s schedule
		s.parseText(text)
		s.resolveZero()
		known := s.closed != 0
		for i, spans := range s.periods {
			if len(spans) > maxPeriods {
				t.Fatalf("%q: got %d periods, want at most %d", text, len(spans), maxPeriods)
			}
			known = known || len(spans) > 0
			for _, p := range periodsOf(spans) {
				if !clock.MatchString(p.Open) || !clock.MatchString(p.Close) || p.Open == "24:00" {
					t.Fatalf("%q: got %+v, want times", text, p)
				}
				if p.Overnight != (p.Close <= p.Open) {
					t.Fatalf("%q: got %+v, want Overnight if the end is not after the start", text, p)
				}
			}
			if len(spans) > 0 && s.closed&(1<<i) != 0 {
				t.Fatalf("%q: got day %d open and closed, want one of them", text, i)
			}
		}
		if meaningful := regexp.MustCompile(`\d|\p{L}{4}`).MatchString(text); meaningful && !known && len(s.unparsed) == 0 && !hasOnlyFillers(text) {
			t.Fatalf("%q: got nothing, want hours or text", text)
		}
	})
}

// hasOnlyFillers reports whether a text consists of separators, such as "and" and "open".
func hasOnlyFillers(text string) bool {
	for _, token := range tokens(text) {
		if token.kind != listToken && token.kind != endToken {
			return false
		}
	}
	return true
}

func TestSpecificationTimes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"09:00", "09:00"}, {"09:00:00", "09:00"}, {"9:00", "09:00"}, {"800", "08:00"}, {"0800", "08:00"}, {"8", "08:00"}, {"T08:00", "08:00"},
		{"08:00:00+01:00", "08:00"}, {"08:00Z", "08:00"}, {"2026-01-01T08:00:00+01:00", "08:00"}, {"8:00 AM", "08:00"}, {"8 p.m.", "20:00"},
		{"24:00", "24:00"}, {"23:59", "23:59"}, {"noon", "12:00"}, {"", ""}, {"closed", ""}, {"25:61", ""}, {"8000000", ""}, {"<b>9:00</b>", "09:00"},
	} {
		got := ""
		if at, ok := specificationTime(c.text); ok {
			got = clockText(at.minute)
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}
