package edit

import (
	"slices"
	"strings"
	"testing"

	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
)

// otherLines returns the lines of the first event of an object without those that every
// change alters.
func otherLines(text string) (lines []string) {
	_, text, _ = strings.Cut(text, "UID:a\r\n")
	text, _, _ = strings.Cut(text, "END:VEVENT\r\n")
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		name, _, _ := strings.Cut(line, ":")
		if !slices.Contains([]string{"DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "DTSTART"}, name) {
			lines = append(lines, line)
		}
	}
	return lines
}

// A changed text removes the forms that other programs have derived from the former
// one, so that no program shows it any more. Other lines stay. Covers B-122.
func TestChangedTextRemovesDerivedForms(t *testing.T) {
	for _, c := range []struct{ name, lines, change, want string }{
		{"a title", "SUMMARY;ALTREP=\"cid:1\";LANGUAGE=de:Choir|X-ALT-DESC;FMTTYPE=text/html:<b>x</b>", `"title": "Singing"`, "SUMMARY:Singing|X-ALT-DESC;FMTTYPE=text/html:<b>x</b>"},
		{"a description", "SUMMARY:Choir|DESCRIPTION;ALTREP=\"cid:1\":Old|X-ALT-DESC;FMTTYPE=text/html:<b>Old</b>|LOCATION:Hall|GEO:1;2", `"description": "New"`, "SUMMARY:Choir|DESCRIPTION:New|LOCATION:Hall|GEO:1;2"},
		{"a description as rich text", "SUMMARY:Choir|DESCRIPTION;X-KDE-TEXTFORMAT=HTML:<b>Old</b>", `"description": "1 < 2"`, "SUMMARY:Choir|DESCRIPTION:1 < 2"},
		{"no description any more", "SUMMARY:Choir|DESCRIPTION:Old|X-ALT-DESC:<b>Old</b>|X-ALT-DESC;LANGUAGE=de:<b>Alt</b>", `"description": null`, "SUMMARY:Choir"},
		{"a styled description", "SUMMARY:Choir|DESCRIPTION:Old|STYLED-DESCRIPTION;DERIVED=true;FMTTYPE=text/html:<b>Old</b>|STYLED-DESCRIPTION:<i>Mine</i>", `"description": "New"`, "SUMMARY:Choir|DESCRIPTION:New|STYLED-DESCRIPTION:<i>Mine</i>"},
		{"a description that is derived from the styled one", "SUMMARY:Choir|DESCRIPTION;DERIVED=TRUE:Old|STYLED-DESCRIPTION;VALUE=TEXT:<b>Old</b>", `"description": "New"`, "SUMMARY:Choir|DESCRIPTION:New"},
		{"a place of Apple", "SUMMARY:Choir|LOCATION:Hall|X-APPLE-STRUCTURED-LOCATION;X-TITLE=Hall:geo:1,2|X-APPLE-TRAVEL-START;ROUTING=CAR:|X-APPLE-TRAVEL-DURATION:PT5M|X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC|X-APPLE-CREATOR-IDENTITY:x|GEO:1;2",
			`"location": "Lake"`, "SUMMARY:Choir|LOCATION:Lake|X-APPLE-CREATOR-IDENTITY:x"},
		{"a place of Outlook", `SUMMARY:Choir|LOCATION:Hall|X-MICROSOFT-LOCATIONDISPLAYNAME:Hall|X-MICROSOFT-LOCATIONS:[{"DisplayName":"Hall"}]|X-MICROSOFT-LATITUDE:1|X-MICROSOFT-LONGITUDE:2|X-MICROSOFT-CDO-BUSYSTATUS:OOF`,
			`"location": "Lake"`, "SUMMARY:Choir|LOCATION:Lake|X-MICROSOFT-CDO-BUSYSTATUS:OOF"},
		{"a place as a component", "SUMMARY:Choir|LOCATION:Hall\\, 2|BEGIN:VLOCATION|UID:l1|NAME:Hall\\, 2|GEO:1;2|END:VLOCATION|BEGIN:VLOCATION|UID:l2|NAME:Car park|END:VLOCATION",
			`"location": "Lake"`, "SUMMARY:Choir|LOCATION:Lake|BEGIN:VLOCATION|UID:l2|NAME:Car park|END:VLOCATION"},
		{"no place any more", "SUMMARY:Choir|LOCATION:Hall|GEO:1;2", `"location": ""`, "SUMMARY:Choir"},
		{"a first place", "SUMMARY:Choir|GEO:1;2", `"location": "Lake"`, "SUMMARY:Choir|GEO:1;2|LOCATION:Lake"},
		{"a first place beside one of Apple", "SUMMARY:Choir|X-APPLE-STRUCTURED-LOCATION;X-TITLE=Hall:geo:1,2|GEO:1;2", `"location": "Lake"`, "SUMMARY:Choir|LOCATION:Lake"},
		{"the same texts", "SUMMARY;ALTREP=\"cid:1\":Choir|DESCRIPTION:Old|X-ALT-DESC:<b>Old</b>|LOCATION:Hall|GEO:1;2", `"title": "Choir", "description": "Old", "location": "Hall"`,
			"SUMMARY;ALTREP=\"cid:1\":Choir|DESCRIPTION:Old|X-ALT-DESC:<b>Old</b>|LOCATION:Hall|GEO:1;2"},
		{"free time", "SUMMARY:Choir|TRANSP:OPAQUE|X-MICROSOFT-CDO-BUSYSTATUS:BUSY|X-MICROSOFT-CDO-INTENDEDSTATUS:BUSY|X-MICROSOFT-CDO-IMPORTANCE:1", `"transparency": "transparent"`, "SUMMARY:Choir|TRANSP:TRANSPARENT|X-MICROSOFT-CDO-IMPORTANCE:1"},
		{"a whole day", "SUMMARY:Choir|X-MICROSOFT-CDO-ALLDAYEVENT:FALSE|X-FUNAMBOL-ALLDAY:0", `"all_day": true`, "SUMMARY:Choir"},
		{"another start", "SUMMARY:Choir|X-MICROSOFT-CDO-ALLDAYEVENT:FALSE|X-APPLE-TRAVEL-DURATION:PT5M", `"start": "2026-12-02T18:00:00"`, "SUMMARY:Choir|X-MICROSOFT-CDO-ALLDAYEVENT:FALSE|X-APPLE-TRAVEL-DURATION:PT5M"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := icstest.Parse(t, icstest.Event("a", append([]string{"DTSTART:20261201T180000Z"}, strings.Split(c.lines, "|")...)...))
			after := mustApply(t, o, "{"+c.change+"}").Object
			got := slices.DeleteFunc(otherLines(string(after.Raw)), func(line string) bool { return strings.HasPrefix(line, "DTSTART;") })
			if want := strings.Split(c.want, "|"); !slices.Equal(got, want) {
				t.Errorf("got\n%q\nwant\n%q", got, want)
			}
		})
	}
}

// The derived forms go in each component that the change reaches: in overrides with the
// text of the series, in a single occurrence, and in the second part of a split series.
func TestDerivedFormsGoInAllEditedComponents(t *testing.T) {
	const place = "LOCATION:Hall\r\nX-APPLE-STRUCTURED-LOCATION;X-TITLE=Hall:geo:1,2\r\n"
	text := icstest.Event("a", "DTSTART:20261201T180000Z", "DTEND:20261201T190000Z", "RRULE:FREQ=DAILY;COUNT=6", "SUMMARY:Choir", strings.TrimSuffix(place, "\r\n"))
	override := func(day, lines string) string {
		return "BEGIN:VEVENT\r\nUID:a\r\nRECURRENCE-ID:202612" + day + "T180000Z\r\nDTSTART:202612" + day + "T200000Z\r\nDTEND:202612" + day + "T210000Z\r\n" + lines + "END:VEVENT\r\n"
	}
	text = strings.Replace(text, "END:VCALENDAR", override("04", place)+override("05", strings.ReplaceAll(place, "Hall", "Lake"))+"END:VCALENDAR", 1)
	places := func(o *ics.Object) string {
		if o == nil {
			return ""
		}
		var list []string
		for _, c := range o.Components() {
			list = append(list, c.Text("LOCATION")+":"+map[bool]string{true: "derived"}[len(c.Props("X-APPLE-STRUCTURED-LOCATION")) > 0])
		}
		return strings.Join(list, " ")
	}
	for _, c := range []struct{ name, scope, object, rest string }{
		{"all", ``, "Park: Park: Lake:derived", ""},
		{"one", `, "scope": "this", "recurrence_id": "2026-12-02T18:00:00Z"`, "Hall:derived Park: Hall:derived Lake:derived", ""},
		{"an override", `, "scope": "this", "recurrence_id": "2026-12-05T18:00:00Z"`, "Hall:derived Hall:derived Park:", ""},
		{"the later ones", `, "scope": "this_and_future", "recurrence_id": "2026-12-03T18:00:00Z"`, "Hall:derived", "Park: Park: Lake:derived"},
	} {
		r := mustApply(t, icstest.Parse(t, text), `{"location": "Park"`+c.scope+`}`)
		if got, rest := places(r.Object), places(r.Rest); got != c.object || rest != c.rest {
			t.Errorf("%s: got %q and %q, want %q and %q", c.name, got, rest, c.object, c.rest)
		}
	}
}
