package words

import (
	"strings"
	"time"
)

// germanNames replaces the English names of months and days. Long names precede the
// short ones that they begin with.
var germanNames = strings.NewReplacer(
	"January", "Januar", "February", "Februar", "March", "März", "April", "April", "May", "Mai", "June", "Juni",
	"July", "Juli", "August", "August", "September", "September", "October", "Oktober", "November", "November", "December", "Dezember",
	"Mar", "Mär", "Oct", "Okt", "Dec", "Dez",
	"Monday", "Montag", "Tuesday", "Dienstag", "Wednesday", "Mittwoch", "Thursday", "Donnerstag", "Friday", "Freitag",
	"Saturday", "Samstag", "Sunday", "Sonntag",
	"Mon", "Mo", "Tue", "Di", "Wed", "Mi", "Thu", "Do", "Fri", "Fr", "Sat", "Sa", "Sun", "So",
)

// Date formats a time in the language l. layout is the English layout, as for
// [time.Time.Format]: "2 January 2006, 15:04" yields "1. Dezember 2026, 09:00" in German.
func (l Language) Date(t time.Time, layout string) string {
	if l == English {
		return t.Format(layout)
	}
	return germanNames.Replace(t.Format(strings.ReplaceAll(layout, "2 Jan", "2. Jan")))
}
