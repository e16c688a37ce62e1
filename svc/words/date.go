package words

import (
	"strings"
	"time"
)

// Date formats a time in the language l and the formats of its region. layout is the English
// layout, as for [time.Time.Format]: "2 January 2006, 15:04" yields "1. Dezember 2026, 09:00" in
// German, and "December 1, 2026, 9:00 AM" in English of the United States.
func (l Language) Date(t time.Time, layout string) string {
	f := l.formatter()
	for _, part := range f.layouts {
		layout = strings.Replace(layout, part[0], part[1], 1)
	}
	text := t.Format(layout)
	if f.names != nil {
		text = f.names.Replace(text)
	}
	return text
}
