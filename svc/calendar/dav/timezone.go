package dav

import (
	"errors"
	"strings"

	"appliance/svc"
)

var errZone = errors.New("it must be an iCalendar object with exactly one VTIMEZONE, which has a TZID")

// readZone reads the iCalendar object of a calendar-timezone property or a
// timezone element (RFC 4791 §5.2.2 and §9.8) and returns the IANA name of its
// zone. The name is "" if the VTIMEZONE is one that somebody made up.
func readZone(text string) (name string, err error) {
	text = strings.NewReplacer("\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "").Replace(strings.TrimSpace(text))
	begins, ends, zones := 0, 0, 0
	id, location := "", ""
	for line := range strings.Lines(text) {
		head, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		head, _, _ = strings.Cut(strings.ToUpper(head), ";")
		switch {
		case head == "BEGIN":
			begins++
			if strings.EqualFold(value, "VTIMEZONE") {
				zones++
			}
		case head == "END":
			ends++
		case head == "TZID" && id == "":
			id = value
		case head == "X-LIC-LOCATION" && location == "":
			location = value
		}
	}
	if zones != 1 || begins != ends || id == "" || len(id)+len(location) > maxSegment || !strings.EqualFold(text[:min(len(text), 15)], "BEGIN:VCALENDAR") {
		return "", errZone
	}
	for _, c := range []string{id, location} {
		// "/freeassociation.sourceforge.net/Europe/Berlin" ends in the name.
		for rest, ok := c, true; ok; _, rest, ok = strings.Cut(rest, "/") {
			if _, known := svc.Zone(rest); known {
				return rest, nil
			}
		}
	}
	return "", nil
}
