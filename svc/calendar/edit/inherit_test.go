package edit

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
)

// A change of a series applies to the fields in which an override equals the
// series, and does not change the times of the override. Covers T-13 and PT-24.
func TestSeriesChangeAppliesToInheritedFields(t *testing.T) {
	const shared = "SUMMARY:Dinner\r\nDESCRIPTION:At Ann's\r\nLOCATION:Home\r\nCATEGORIES:fun\r\nSTATUS:CONFIRMED\r\nTRANSP:OPAQUE\r\n" +
		"BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT10M\r\nDESCRIPTION:Dinner\r\nEND:VALARM\r\n"
	moved := "BEGIN:VEVENT\r\nUID:e\r\nRECURRENCE-ID:20261208T180000Z\r\nDTSTART:20261208T200000Z\r\nDTEND:20261208T210000Z\r\n" + shared + "END:VEVENT\r\n"
	own := "BEGIN:VEVENT\r\nUID:e\r\nRECURRENCE-ID:20261215T180000Z\r\nDTSTART:20261215T180000Z\r\nDTEND:20261215T190000Z\r\n" +
		"SUMMARY:Birthday\r\nDESCRIPTION:Bring cake\r\nLOCATION:Garden\r\nCATEGORIES:cake\r\nSTATUS:TENTATIVE\r\nTRANSP:TRANSPARENT\r\nEND:VEVENT\r\n"
	text := icstest.Event("e", "DTSTART:20261201T180000Z", "DTEND:20261201T190000Z", "RRULE:FREQ=WEEKLY;COUNT=4")
	text = strings.Replace(text, "END:VEVENT\r\n", shared+"END:VEVENT\r\n"+moved+own, 1)
	for _, line := range []string{"SUMMARY:Test\r\n", "SUMMARY:e\r\n"} {
		text = strings.Replace(text, line, "", 1)
	}
	for _, c := range []struct{ change, property, series string }{
		{`"title": "Supper"`, "SUMMARY", "Supper"},
		{`"description": null`, "DESCRIPTION", ""},
		{`"location": "Lake"`, "LOCATION", "Lake"},
		{`"categories": ["food", "fun"]`, "CATEGORIES", "food,fun"},
		{`"status": "cancelled"`, "STATUS", "CANCELLED"},
		{`"transparency": "transparent"`, "TRANSP", "TRANSPARENT"},
	} {
		before := icstest.Parse(t, text)
		after := mustApply(t, before, "{"+c.change+"}").Object
		value := func(component *ics.Component) string { return strings.Join(values(component, c.property), ",") }
		got := fmt.Sprintf("%s|%s|%s", value(after.Master), value(after.Overrides[0]), value(after.Overrides[1]))
		if want := fmt.Sprintf("%s|%s|%s", c.series, c.series, value(before.Overrides[1])); got != want {
			t.Errorf("%s: got series|moved|own %s, want %s", c.change, got, want)
		}
		for i, o := range before.Overrides {
			if got, want := values(after.Overrides[i], "DTSTART"), values(o, "DTSTART"); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: got the start %s of override %d, want %s", c.change, got, i, want)
			}
		}
	}
	after := mustApply(t, icstest.Parse(t, text), `{"alarm_minutes": 5}`).Object
	if got, want := fmt.Sprint(len(after.Overrides[0].Alarms()), len(after.Overrides[1].Alarms())), "1 0"; got != want || strings.Count(string(after.Raw), "TRIGGER:-PT5M") != 2 {
		t.Errorf("alarms: got %s in the overrides, want %s and the new alarm twice\n%s", got, want, after.Raw)
	}
}

// A change of the class of a series applies to overrides with the same class. An unknown class is
// private, and is kept.
func TestClassOfASeriesAppliesToOverrides(t *testing.T) {
	object := func(series string, overrides ...string) *ics.Object {
		text := icstest.Event("e", "DTSTART:20261201T180000Z", "RRULE:FREQ=WEEKLY;COUNT=4", series)
		for i, class := range overrides {
			override := fmt.Sprintf("BEGIN:VEVENT\r\nUID:e\r\nRECURRENCE-ID:202612%02dT180000Z\r\nDTSTART:20261208T200000Z\r\n%s\r\nEND:VEVENT\r\nEND:VCALENDAR", 8+7*i, class)
			text = strings.Replace(text, "END:VCALENDAR", override, 1)
		}
		return icstest.Parse(t, text)
	}
	for _, c := range []struct {
		before *ics.Object
		change string
		want   string // the values of CLASS
	}{
		{object("X-A:1", "X-B:1", "CLASS:PUBLIC", "CLASS:CONFIDENTIAL"), `{"class": "private"}`, "PRIVATE PRIVATE PRIVATE CONFIDENTIAL"},
		{object("CLASS:PRIVATE", "X-B:1", "CLASS:PRIVATE", "CLASS:X-TOP-SECRET"), `{"class": "public"}`, "- - - X-TOP-SECRET"},
		{object("CLASS:X-TOP-SECRET", "CLASS:X-TOP-SECRET"), `{"class": "private", "title": "Dinner"}`, "X-TOP-SECRET X-TOP-SECRET"},
		{object("CLASS:X-TOP-SECRET"), `{"class": "confidential"}`, "CONFIDENTIAL"},
		{object("CLASS:CONFIDENTIAL"), `{"class": null}`, "-"},
		{object("CLASS:PUBLIC"), `{"class": "public", "title": "Dinner"}`, "PUBLIC"},
		{object("CLASS:CONFIDENTIAL"), `{"class": "private", "scope": "this", "recurrence_id": "2026-12-08T18:00:00"}`, "CONFIDENTIAL PRIVATE"},
		{object("X-A:1"), `{"title": "Dinner", "scope": "this", "recurrence_id": "2026-12-08T18:00:00"}`, "- -"},
	} {
		var got []string
		for _, component := range mustApply(t, c.before, c.change).Object.Components() {
			got = append(got, cmp.Or(component.Text("CLASS"), "-"))
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: got %s, want %s\n%s", c.change, got, c.want, c.before.Raw)
		}
	}
	for _, class := range []string{"public", "confidential"} {
		change := fmt.Sprintf(`{"class": %q, "scope": "this", "recurrence_id": "2026-12-08T18:00:00"}`, class)
		_, err := apply(t, object("CLASS:PRIVATE"), change)
		var refused *svc.Error
		if !errors.As(err, &refused) || refused.Code != svc.InvalidValue || refused.Fields[0].Name != "class" {
			t.Errorf("%s: got the error %v, want %s of class", change, err, svc.InvalidValue.Name)
		}
	}
}
