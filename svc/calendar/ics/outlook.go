package ics

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"appliance/svc"
)

// offsetName matches the names of time zones that consist of an offset from UTC
// and, in Outlook, of places: "GMT+0200", "UTC-5", "(UTC+01:00) Amsterdam, Berlin".
var offsetName = regexp.MustCompile(`^\(?(?:UTC|GMT)(?:([+-])([0-9]{1,2})(?:[:.]?([0-9]{2}))?)?\)?(?: +(.+))?$`)

// offsetLocation returns the location for a name that matches offsetName, nil for
// other names. If one of its places has that offset as its standard time, the
// result is the zone of the place, since an offset does not tell when daylight
// saving time applies.
func offsetLocation(name string) *time.Location {
	m := offsetName.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	hours, _ := strconv.Atoi(m[2]) // at most two digits; "" is 0
	minutes, _ := strconv.Atoi(m[3])
	offset := hours*3600 + minutes*60
	if hours > 14 || minutes > 59 {
		return nil
	}
	if m[1] == "-" {
		offset = -offset
	}
	for _, place := range strings.FieldsFunc(m[4], func(r rune) bool { return r == ',' || r == '/' }) {
		place, _, _ = strings.Cut(place, "(")
		if loc, ok := svc.Zone(outlookPlaces()[strings.TrimSpace(place)]); ok && standardOffset(loc) == offset {
			return loc
		}
	}
	if offset == 0 {
		return time.UTC
	}
	if minutes == 0 {
		if loc, ok := svc.Zone(fmt.Sprintf("Etc/GMT%+d", -offset/3600)); ok { // the sign is reversed
			return loc
		}
	}
	return time.FixedZone(name, offset)
}

// IANAName returns the IANA name of a time zone. name is an IANA name, a Windows
// name or an offset. ok is false if the zone has no IANA name.
func IANAName(name string) (iana string, ok bool) {
	loc := namedLocation(name)
	if loc == nil {
		loc = offsetLocation(name)
	}
	if loc == nil {
		return "", false
	}
	_, ok = svc.Zone(loc.String()) // false for an offset with minutes
	return loc.String(), ok
}

// standardOffset returns the offset of the standard time of a zone in seconds.
func standardOffset(loc *time.Location) int {
	_, january := time.Date(2026, 1, 1, 0, 0, 0, 0, loc).Zone()
	_, july := time.Date(2026, 7, 1, 0, 0, 0, 0, loc).Zone()
	return min(january, july)
}

// outlookPlaces maps the places in the names that Outlook displays to IANA names.
// Each name has at least one of them: the place of the IANA zone, or that of the
// Windows name.
var outlookPlaces = sync.OnceValue(func() map[string]string {
	places := map[string]string{
		"Alaska": "America/Anchorage", "Aleutian Islands": "America/Adak", "Baja California": "America/Tijuana",
		"Greenland": "America/Godthab", "Helsinki": "Europe/Helsinki", "Indiana": "America/Indianapolis", "Kyiv": "Europe/Kiev",
		"Lord Howe Island": "Australia/Lord_Howe", "Norfolk Island": "Pacific/Norfolk",
	}
	for windows, iana := range windowsZones {
		place := strings.TrimSuffix(windows, " Standard Time")
		places[place], places[place+" Time"] = iana, iana
	}
	for _, iana := range windowsZones {
		places[strings.ReplaceAll(iana[strings.LastIndexByte(iana, '/')+1:], "_", " ")] = iana
	}
	return places
})
