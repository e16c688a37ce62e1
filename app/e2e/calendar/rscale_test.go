package calendar

import (
	"strings"
	"testing"

	"appliance/app/apptest"
)

// birthdayRule is a rule in the Hebrew calendar.
const birthdayRule = "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD"

// A rule in another calendar system cannot be PUT, but imported. The entry shows its first
// occurrence and says so, and a native change of another field keeps the rule. Covers B-116.
func TestRuleInAnotherCalendarSystemIsImportedOnly(t *testing.T) {
	f := newFixture(t)
	text := event("birthday", "SUMMARY:Birthday", "RRULE:"+birthdayRule)
	f.WantUnchanged("PUT", func() {
		wantDAVError(f.dav.Do("PUT", f.path+"birthday.ics", text), 403, "supported-rscale")
	})
	scales := f.dav.With("Depth", "0").Do("PROPFIND", f.path, propfind("<C:supported-rscale-set/>")).Want(207).Body
	if want := "<C:supported-rscale>GREGORIAN</C:supported-rscale>"; !strings.Contains(scales, want) {
		t.Errorf("got %s, want %s in it", scales, want)
	}

	report := f.importText(f.defaultID(), text).Want(200)
	report.WantValues("report", map[string]any{"imported": 1.0, "refused_count": 0.0})
	if got, want := report.Column("report.notes", "code"), "unsupported_rule"; got != want {
		t.Errorf("got the notes %s, want %s", got, want)
	}
	list := f.ann.Do("GET", "/world/time/objects?start=2026-01-01&end=2028-12-01").Want(200)
	if got := list.Column("objects", "state.occurrence.start.date_time"); got != "2026-12-01T15:00:00" {
		t.Fatalf("got occurrences at %s, want the first one only", got)
	}
	id := list.Str("objects.0.id")
	changed := f.ann.Do("PATCH", "/world/time/objects/"+id, map[string]any{"title": "Birthday of Dora"}).Want(200)
	changed.WantValues("object.state.recurrence", map[string]any{
		"is_recurring": true, "supported": false, "rrule": birthdayRule,
		"text": "Repeats in another calendar system (HEBREW). Only the first occurrence is shown",
	})
	stored := f.dav.Do("GET", f.path).Want(200).Body
	if !strings.Contains(stored, "RRULE:"+birthdayRule+"\r\n") || !strings.Contains(stored, "SUMMARY:Birthday of Dora\r\n") {
		t.Errorf("got %s, want the rule and the new title", stored)
	}
	f.ann.Do("POST", "/world/time/objects", map[string]any{
		"object_type": "calendar_event", "title": "x", "start": "2026-12-01T15:00:00", "rrule": birthdayRule,
	}).WantError(422, "invalid_recurrence").WantFields("rrule")
}

// Rules with SKIP are stored and evaluated, also by an import. Covers B-116.
func TestSkippedDaysAreEvaluated(t *testing.T) {
	f := newFixture(t)
	f.put("rent.ics", apptest.VEvent("rent", "DTSTART;VALUE=DATE:20270131", "SUMMARY:Rent", "RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;COUNT=4"))
	list := f.ann.Do("GET", "/world/time/objects?start=2027-01-01&end=2027-12-01").Want(200)
	if got, want := list.Column("objects", "state.occurrence.start.date"), "2027-01-31 2027-02-28 2027-03-31 2027-04-30"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	filter := eventFilter(timeRange("20270228T000000Z", "20270301T000000Z"))
	if names := f.dav.Do("REPORT", f.path, query("<getetag/>", filter)).Multistatus().Names(); len(names) != 1 {
		t.Errorf("got %q in the time range of the second occurrence, want rent.ics", names)
	}
}
