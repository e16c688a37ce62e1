package calendar

import (
	"strings"

	"appliance/svc"

	"golang.org/x/text/language"
)

// Week describes the week of a member's country.
type Week struct {
	WeekendDays    []Weekday
	WeekNumberRule WeekRule
}

// WeekRule determines week 1 of a year.
type WeekRule string

const (
	FirstDay      WeekRule = "first_day"       // the week with 1 January
	FirstFourDays WeekRule = "first_four_days" // the first week with at least four days in the year, as in ISO 8601
)

// Values implements [svc.Set].
func (WeekRule) Values() []string { return svc.Values(FirstDay, FirstFourDays) }

// The countries whose week rule or weekend differs from that of most countries,
// from weekData in the file supplementalData.xml of CLDR 48 (Unicode License v3).
const (
	fourDayCountries = "AD AN AT AX BE BG CH CZ DE DK EE ES FI FJ FO FR GB GF GG GI GP GR HU IE IM IS IT JE LI LT LU MC MQ NL NO PL PT RE RU " +
		"SE SJ SK SM VA"
	fridayWeekendCountries = "BH DZ EG IL IQ JO KW LY OM QA SA SD SY YE"
)

// weekends has the days of the weekend for countries where it is neither Saturday and Sunday
// nor Friday and Saturday.
var weekends = map[string][]Weekday{"AF": {Thursday, Friday}, "IR": {Friday}, "IN": {Sunday}, "UG": {Sunday}}

// WeekOf returns the week of the country of a locale, or of the country where most
// speakers of its language live.
func WeekOf(locale string) Week {
	country := "ZZ"
	if tag, err := language.Parse(locale); err == nil {
		region, _ := tag.Region()
		country = region.Canonicalize().String()
	}
	w := Week{[]Weekday{Saturday, Sunday}, FirstDay}
	if strings.Contains(fourDayCountries, country) {
		w.WeekNumberRule = FirstFourDays
	}
	if strings.Contains(fridayWeekendCountries, country) {
		w.WeekendDays = []Weekday{Friday, Saturday}
	}
	if days, ok := weekends[country]; ok {
		w.WeekendDays = days
	}
	return w
}
