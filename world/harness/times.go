package harness

import (
	"regexp"
	"strings"
	"time"
)

// timePrefix matches the beginning of a date with a time.
var timePrefix = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d`)

// isUTC reports whether a text is an RFC 3339 time that ends in Z.
func isUTC(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	return err == nil && strings.HasSuffix(text, "Z")
}

// isLocal reports whether a text is a local time, without an offset.
func isLocal(text string) bool {
	_, err := time.Parse("2006-01-02T15:04:05", text)
	return err == nil
}

// checkTimes checks every time of a document: it must be in UTC, or local with
// the key timezone in the same record or an enclosing record. A null time zone
// means that the time is the same in every zone.
func checkTimes(rec *recorder, v value) { checkTimesBelow(rec, "", v, false) }

func checkTimesBelow(rec *recorder, key string, v value, hasZone bool) {
	hasZone = hasZone || v.has("timezone")
	text := v.str()
	switch {
	case isMemberKey(key):
		return
	case timePrefix.MatchString(text):
		if !isUTC(text) && !(isLocal(text) && hasZone) {
			rec.addUnexpected(v, "RFC 3339 with Z, or a local time with a timezone beside it")
		}
	case strings.HasSuffix(key, "_at") && !v.is("null") && !v.is("object") && !v.is("array"):
		rec.addUnexpected(v, "a time")
	}
	for k, part := range v.fields() {
		checkTimesBelow(rec, k, part, hasZone)
	}
	for _, item := range v.list() {
		checkTimesBelow(rec, key, item, hasZone)
	}
}
