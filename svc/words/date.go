package words

import (
	"strings"
	"time"
)

// Date formats a time in the language l. layout is the English layout, as for
// [time.Time.Format]: "2 January 2006, 15:04" yields "1. Dezember 2026, 09:00" in German.
func (l Language) Date(t time.Time, layout string) string {
	c := catalogs[l]
	if c.Formats.Day == "" {
		return t.Format(layout)
	}
	return c.names.Replace(t.Format(strings.ReplaceAll(layout, "2 Jan", c.Formats.Day)))
}

// names returns a replacer of the English names of months and days. The long names precede the
// short ones, which they begin with.
func (f Formats) names() *strings.Replacer {
	var pairs []string
	for i, name := range f.Months {
		pairs = append(pairs, time.Month(i+1).String(), name)
	}
	for i, name := range f.Weekdays {
		pairs = append(pairs, time.Weekday(i).String(), name)
	}
	for i, name := range f.MonthsShort {
		pairs = append(pairs, time.Month(i + 1).String()[:3], name)
	}
	for i, name := range f.WeekdaysShort {
		pairs = append(pairs, time.Weekday(i).String()[:3], name)
	}
	return strings.NewReplacer(pairs...)
}
