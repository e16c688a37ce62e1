package feeds

import (
	"strings"
	"time"
)

// layouts are the forms of dates in feeds. Those of RFC 822 have no weekday, because
// parseDate removes it.
var layouts = []string{
	time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z0700",
	"2006-01-02 15:04:05", "2006-01-02",
	"2 Jan 2006 15:04:05 Z0700", "2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04 Z0700", "2 Jan 2006 15:04 MST", "2 Jan 2006 15:04:05", "2 Jan 2006",
	"2 Jan 06 15:04:05 Z0700", "2 Jan 06 15:04 Z0700",
	"2 January 2006 15:04:05 Z0700", "2 January 2006 15:04:05 MST", "2 January 2006",
}

// zones are the time zones of RFC 822 §5.1 other than UTC. Package time parses their
// names, but sets the offset 0.
var zones = strings.NewReplacer(
	" EST", " -0500", " EDT", " -0400", " CST", " -0600", " CDT", " -0500", " MST", " -0700", " MDT", " -0600", " PST", " -0800", " PDT", " -0700",
	" CET", " +0100", " CEST", " +0200", " BST", " +0100", " UT", " +0000", " GMT", " +0000", " UTC", " +0000", " Z", " +0000",
)

// parseDate returns the time that a text describes, zero if it describes none.
func parseDate(text string) time.Time {
	text = strings.Join(strings.Fields(text), " ")
	if day, rest, ok := strings.Cut(text, ","); ok && len(day) <= 9 {
		text = strings.TrimSpace(rest)
	}
	if len(text) > 60 {
		return time.Time{}
	}
	text = zones.Replace(text)
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil && t.Year() > 0 && t.Year() < 10000 {
			return t.UTC()
		}
	}
	return time.Time{}
}
