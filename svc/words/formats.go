package words

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Formats are the formats of the server in a language, and the names of months and days, which
// English does not need.
type Formats struct {
	RegionFormats
	Months        []string `json:"months,omitempty"`         // from January
	MonthsShort   []string `json:"months_short,omitempty"`   // from January
	Weekdays      []string `json:"weekdays,omitempty"`       // from Sunday
	WeekdaysShort []string `json:"weekdays_short,omitempty"` // from Sunday
}

// RegionFormats are the formats of dates, times and numbers that differ between regions of a
// language. Layouts are those of [time.Time.Format].
type RegionFormats struct {
	Day        string   `json:"day,omitempty"`         // the layout "2 Jan", such as "2. Jan"
	DayYear    string   `json:"day_year,omitempty"`    // the layout "2 Jan 2006", such as "Jan 2, 2006"
	Time       string   `json:"time,omitempty"`        // the layout "15:04", such as "3:04 PM"
	DayPeriods []string `json:"day_periods,omitempty"` // in place of AM and PM
	Decimal    string   `json:"decimal,omitempty"`     // separator, such as ","
	Group      string   `json:"group,omitempty"`       // separator of thousands, in examples
}

// Region is a region with formats of its own. Empty formats are those of the language.
type Region struct {
	Name string `json:"name"` // in the language of the catalog
	RegionFormats
}

// formatter formats dates and numbers.
type formatter struct {
	layouts [][2]string       // parts of English layouts that differ, and their replacements
	names   *strings.Replacer // of the English names of months and days; nil for English names
	decimal string
}

// addFormatters adds the formatters of the language and its regions.
func (c *Catalog) addFormatters() {
	c.formatters, c.regions = []formatter{c.Formats.formatter()}, make(map[string]uint8)
	for _, name := range slices.Sorted(maps.Keys(c.Regions)) {
		region, f := c.Regions[name].RegionFormats, c.Formats
		f.Day, f.DayYear, f.Time = cmp.Or(region.Day, f.Day), cmp.Or(region.DayYear, f.DayYear), cmp.Or(region.Time, f.Time)
		f.Decimal = cmp.Or(region.Decimal, f.Decimal)
		if region.DayPeriods != nil {
			f.DayPeriods = region.DayPeriods
		}
		if f.RegionFormats.equal(c.Formats.RegionFormats) {
			c.regions[name] = 0
			continue
		}
		c.regions[name] = uint8(len(c.formatters))
		c.formatters = append(c.formatters, f.formatter())
	}
}

func (f RegionFormats) equal(g RegionFormats) bool {
	return f.Day == g.Day && f.DayYear == g.DayYear && f.Time == g.Time && f.Decimal == g.Decimal && slices.Equal(f.DayPeriods, g.DayPeriods)
}

func (f Formats) formatter() formatter {
	long := func(layout string) string { return strings.ReplaceAll(layout, "Jan", "January") }
	r := formatter{names: f.names(), decimal: f.Decimal}
	// A layout precedes the layouts that it begins with.
	for _, layout := range [][2]string{{"2 January 2006", long(f.DayYear)}, {"2 Jan 2006", f.DayYear}, {"2 January", long(f.Day)}, {"2 Jan", f.Day}, {"15:04", f.Time}} {
		if layout[0] != layout[1] {
			r.layouts = append(r.layouts, layout)
		}
	}
	return r
}

// names returns a replacer of the English names of months, days and parts of the day, or nil if
// there are no others. The long names precede the short ones, which they begin with.
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
	for i, name := range f.DayPeriods {
		pairs = append(pairs, []string{"AM", "PM"}[i], name)
	}
	if pairs == nil {
		return nil
	}
	return strings.NewReplacer(pairs...)
}

func (l Language) formatter() formatter { return catalogs[l.catalog].formatters[l.formats] }

// Example returns the name of a region with a date, a time and a number in its formats and the
// language l: "Austria: 3 December 2026, 14:30, 1.234,5".
func (l Language) Example(region string) string {
	c := l.Catalog()
	r := c.Regions[region]
	in := l.WithoutRegion().InRegion(region)
	at := time.Date(2026, time.December, 3, 14, 30, 0, 0, time.UTC)
	return r.Name + ": " + in.Date(at, "2 January 2006, 15:04") + ", 1" + cmp.Or(r.Group, c.Formats.Group) + in.Decimal(234.5, 1)
}

// InRegion returns the language l with the formats of a region by its ISO 3166 code. It returns l
// if the catalog does not have the region.
func (l Language) InRegion(region string) Language {
	if i, ok := l.Catalog().regions[region]; ok {
		l.formats = i
	}
	return l
}
