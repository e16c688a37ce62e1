package mirror_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/mirror"
	"appliance/svc/calendar/view"
	"appliance/svc/svctest"
)

// dinnerPush returns a push of the event Dinner.
func dinnerPush(revision int64, audience ...svc.Attendee) mirror.EventPush {
	return mirror.EventPush{
		Operation: "update", EventID: "evt_dinner", Revision: revision, Audience: audience,
		Event: mirror.PushedEvent{
			Title: "Dinner", Start: "2026-12-24T18:00:00", End: "2026-12-24T22:00:00", Timezone: "Europe/Berlin", Status: "scheduled",
			Host: svc.EventHost{ID: 1, DisplayName: "Ann"},
		},
	}
}

func guest(v svc.Viewer, rsvp string) svc.Attendee {
	return svc.Attendee{MemberID: v.Member(), RSVP: svc.Response(rsvp), Role: "guest"}
}

// push sends a push, which must be valid.
func push(f *calendartest.Fixture, p mirror.EventPush) (result svc.SyncResult) {
	f.T.Helper()
	f.Write(func(tx *store.Tx) (err error) {
		result, err = f.Mirrors.Push(tx, p)
		return err
	})
	return result
}

// mirrors returns the segments of the mirrors in the default calendar of v.
func mirrors(f *calendartest.Fixture, v svc.Viewer) []string {
	f.T.Helper()
	return f.Segments(v, f.DefaultCalendar(v))
}

// mirrorText returns the text of the mirror of v, who has exactly one.
func mirrorText(f *calendartest.Fixture, v svc.Viewer) string {
	f.T.Helper()
	list := mirrors(f, v)
	if len(list) != 1 {
		f.T.Fatalf("member %d has mirrors %q, want one", v.Member(), list)
	}
	return f.Text(v, f.DefaultCalendar(v), list[0])
}

// The host, and each member with the response going or maybe, has a mirror with
// the state of the event. Covers T-20, T-36 and B-62.
func TestSyncAddsAndRemovesMirrors(t *testing.T) {
	f := calendartest.New(t)
	ann, bea, cid, dan := f.Member("ann"), f.Member("bea"), f.Member("cid"), f.Member("dan")
	p := dinnerPush(3, svc.Attendee{MemberID: ann.Member(), RSVP: "going", Role: "host"}, guest(bea, "maybe"), guest(cid, "declined"), guest(dan, "none"),
		svc.Attendee{MemberID: 99, RSVP: "going", Role: "guest"})
	p.Event.Description, p.Event.Location = "Line one\nand, two; \\three", "At home,\nupstairs"
	p.Event.Latitude, p.Event.Longitude = new(52.52), new(13.405)
	p.Event.RRule = new("FREQ=WEEKLY;COUNT=3")
	p.Event.Host.DisplayName = `Ann "the cook"; Müller`
	if got, want := push(f, p), (svc.SyncResult{Applied: true, Revision: 3, Mirrors: svc.MirrorChanges{Created: 2}}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	text := mirrorText(f, bea)
	for _, line := range []string{
		"UID:evt_dinner@appliance", "SUMMARY:Dinner", `LOCATION:At home\,\nupstairs`, `DESCRIPTION:Line one\nand\, two\; \\three`,
		"DTSTART;TZID=Europe/Berlin:20261224T180000", "DTEND;TZID=Europe/Berlin:20261224T220000", "RRULE:FREQ=WEEKLY;COUNT=3", "STATUS:CONFIRMED",
		"GEO:52.520000;13.405000", `ORGANIZER;CN="Ann ^'the cook^'; Müller":urn:appliance:member:1`, "ATTENDEE;PARTSTAT=TENTATIVE:urn:appliance:member:2",
		"BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin",
	} {
		if !strings.Contains(strings.ReplaceAll(text, "\r\n ", ""), "\r\n"+line+"\r\n") {
			t.Errorf("got no line %s in\n%s", line, text)
		}
	}
	if got := len(mirrors(f, ann)); got != 1 {
		t.Errorf("the host has %d mirrors, want 1", got)
	}
	if got := append(mirrors(f, cid), mirrors(f, dan)...); len(got) != 0 {
		t.Errorf("members who are not going have mirrors %q", got)
	}
	if got, want := push(f, p), (svc.SyncResult{Reason: "stale_revision", Revision: 3}); got != want {
		t.Errorf("repeated: got %+v, want %+v", got, want)
	}
	p.Revision, p.Audience = 4, []svc.Attendee{guest(bea, "declined"), guest(cid, "going")}
	if got, want := push(f, p).Mirrors, (svc.MirrorChanges{Created: 1, Removed: 2}); got != want {
		t.Errorf("other responses: got %+v, want %+v", got, want)
	}
	p.Operation, p.Revision, p.Event, p.Audience = "delete", 5, mirror.PushedEvent{}, nil
	if got, want := push(f, p).Mirrors, (svc.MirrorChanges{Removed: 1}); got != want {
		t.Errorf("deletion: got %+v, want %+v", got, want)
	}
	if got := append(mirrors(f, cid), f.TrashTitles(cid)...); len(got) != 0 {
		t.Errorf("after the deletion there are %q, want nothing in the calendar and the trash", got)
	}
	if got := push(f, dinnerPush(2, guest(bea, "going"))); got.Applied || len(mirrors(f, bea)) != 0 {
		t.Errorf("a push from before the deletion: got %+v", got)
	}
	f.WantCounts()
}

// An invalid push is rejected and changes nothing. Covers T-36 and PT-40.
func TestInvalidPushesAreRejected(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	type event = mirror.EventPush
	for _, c := range []struct {
		name   string
		change func(*event)
		code   svc.Code
		field  string
	}{
		{"no operation", func(p *event) { p.Operation = "" }, svc.FieldRequired, "operation"},
		{"an unknown operation", func(p *event) { p.Operation = "upsert" }, svc.InvalidValue, "operation"},
		{"no event", func(p *event) { p.EventID = "" }, svc.FieldRequired, "event_id"},
		{"no revision", func(p *event) { p.Revision = 0 }, svc.InvalidValue, "revision"},
		{"no revision of a deletion", func(p *event) { p.Operation, p.Revision = "delete", 0 }, svc.InvalidValue, "revision"},
		{"no title", func(p *event) { p.Event.Title = " " }, svc.FieldRequired, "event.title"},
		{"no start", func(p *event) { p.Event.Start = "" }, svc.FieldRequired, "event.start"},
		{"no time zone", func(p *event) { p.Event.Timezone = "" }, svc.FieldRequired, "event.timezone"},
		{"an end before the start", func(p *event) { p.Event.End = "2026-12-24T17:00:00" }, svc.EndBeforeStart, "event.end"},
		{"an invalid rule", func(p *event) { p.Event.RRule = new("FREQ=SOMETIMES") }, svc.InvalidRecurrence, "event.rrule"},
		{"an unknown status", func(p *event) { p.Event.Status = "ended" }, svc.InvalidValue, "event.status"},
		{"a latitude alone", func(p *event) { p.Event.Latitude = new(1.0) }, svc.InvalidValue, "event.latitude"},
		{"a latitude out of range", func(p *event) { p.Event.Latitude, p.Event.Longitude = new(91.0), new(1.0) }, svc.InvalidValue, "event.latitude"},
		{"an unknown response", func(p *event) { p.Audience[0].RSVP = "yes" }, svc.InvalidValue, "audience.0.rsvp"},
		{"no role", func(p *event) { p.Audience[0].Role = "" }, svc.FieldRequired, "audience.0.role"},
		{"a member twice", func(p *event) { p.Audience = append(p.Audience, p.Audience[0]) }, svc.InvalidValue, "audience.1.member_id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := dinnerPush(1, guest(ann, "going"))
			c.change(&p)
			err := f.TryWrite(func(tx *store.Tx) error {
				_, err := f.Mirrors.Push(tx, p)
				return err
			})
			calendartest.WantError(t, err, c.code, c.field)
		})
	}
	if got := mirrors(f, ann); len(got) != 0 {
		t.Errorf("rejected pushes added mirrors %q", got)
	}
}

// withoutStamps returns the text without DTSTAMP, LAST-MODIFIED and SEQUENCE.
func withoutStamps(text string) string {
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(text, "\r\n"), func(line string) bool {
		return strings.HasPrefix(line, "DTSTAMP") || strings.HasPrefix(line, "LAST-MODIFIED") || strings.HasPrefix(line, "SEQUENCE")
	}), "")
}

const (
	ownAlarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT17M\r\nDESCRIPTION:f\r\n \xc3\r\n \xbc\r\nX-MOZ-LASTACK:20261101T000000Z\r\nEND:VALARM\r\n"
	ownLines = "COLOR:red\r\nTRANSP:TRANSPARENT\r\nCATEGORIES:Fun,\r\n Food\r\nX-APPLE-TRAVEL;X-A=1:PT5M\r\n"
)

// A sync keeps every octet of the member's lines and writes the lines of the
// event. Covers T-21, T-27, C-26, PT-24 and PT-25.
func TestSyncKeepsTheLinesOfTheMember(t *testing.T) {
	f := calendartest.New(t)
	f.Member("ann")
	bea := f.Member("bea")
	defaultCal := f.DefaultCalendar(bea)
	p := dinnerPush(1, guest(bea, "going"))
	p.Event.RRule = new("FREQ=DAILY")
	push(f, p)
	segment, text := mirrors(f, bea)[0], mirrorText(f, bea)
	override := strings.NewReplacer("RRULE:FREQ=DAILY\r\n", "RECURRENCE-ID;TZID=Europe/Berlin:20261226T180000\r\n", "20261224T", "20261226T").
		Replace(text[strings.Index(text, "BEGIN:VEVENT"):strings.Index(text, "END:VCALENDAR")])
	override = strings.Replace(override, "END:VEVENT", ownAlarm+"END:VEVENT", 1)
	own := strings.Replace(text, "END:VEVENT\r\n", ownLines+ownAlarm+"END:VEVENT\r\n"+override, 1)
	f.Put(bea, defaultCal, segment, own)
	last := strings.LastIndex(own, "SUMMARY:Dinner")
	for _, changed := range []string{
		strings.Replace(own, "SUMMARY:Dinner", "SUMMARY:Mine", 1), own[:last] + "SUMMARY:Mine" + own[last+len("SUMMARY:Dinner"):],
	} {
		calendartest.WantError(t, f.TryPut(bea, defaultCal, segment, changed), svc.SocialOwnedField)
	}

	p.Revision, p.Event.Title, p.Event.Status, p.Audience[0].RSVP = 2, "Supper", "cancelled", "maybe"
	if got, want := push(f, p).Mirrors, (svc.MirrorChanges{Updated: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got := f.Text(bea, defaultCal, segment)
	want := strings.NewReplacer("SUMMARY:Dinner", "SUMMARY:Supper", "STATUS:CONFIRMED", "STATUS:CANCELLED", "PARTSTAT=ACCEPTED", "PARTSTAT=TENTATIVE").Replace(own)
	if withoutStamps(got) != withoutStamps(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	p.Revision = 3
	if result := push(f, p); !result.Applied || result.Mirrors != (svc.MirrorChanges{}) || f.Text(bea, defaultCal, segment) != got {
		t.Errorf("the same state again: got %+v, want no change", result)
	}
	p.Revision, p.Event.Start, p.Event.End = 4, "2026-12-24T19:30:00", "2026-12-24T22:30:00"
	push(f, p)
	moved := f.Text(bea, defaultCal, segment)
	if strings.Count(moved, "BEGIN:VEVENT") != 1 || !strings.Contains(moved, ownLines) || !strings.Contains(moved, ownAlarm) || !strings.Contains(moved, "T193000") {
		t.Errorf("after a move got\n%s", moved)
	}
}

// A client can change no property of an event with a PUT, a COPY over its
// mirror or a DELETE. Covers C-25, C-26 and T-37.
func TestClientsCannotChangeTheEvent(t *testing.T) {
	f := calendartest.New(t)
	f.Member("ann")
	bea := f.Member("bea")
	defaultCal := f.DefaultCalendar(bea)
	p := dinnerPush(1, guest(bea, "going"))
	p.Event.Latitude, p.Event.Longitude = new(52.52), new(13.405)
	push(f, p)
	segment, text := mirrors(f, bea)[0], mirrorText(f, bea)
	for _, c := range []struct{ name, old, new string }{
		{"the title", "SUMMARY:Dinner", "SUMMARY:Lunch"},
		{"the start", "T180000", "T170000"},
		{"a rule", "SUMMARY:Dinner", "SUMMARY:Dinner\r\nRRULE:FREQ=DAILY"},
		{"a location", "SUMMARY:Dinner", "SUMMARY:Dinner\r\nLOCATION:Elsewhere"},
		{"the coordinates", "GEO:52.520000;13.405000", "GEO:52.520000;13.500000"},
		{"no coordinates", "GEO:52.520000;13.405000\r\n", ""},
		{"an attendee", "SUMMARY:Dinner", "SUMMARY:Dinner\r\nATTENDEE:mailto:bea@example.org"},
	} {
		t.Run(c.name, func(t *testing.T) {
			calendartest.WantError(t, f.TryPut(bea, defaultCal, segment, strings.Replace(text, c.old, c.new, 1)), svc.SocialOwnedField)
		})
	}
	if got := f.Text(bea, defaultCal, segment); got != text {
		t.Errorf("got\n%s\nwant it unchanged", got)
	}
	same := strings.NewReplacer("DTEND;TZID=Europe/Berlin:20261224T220000", "DURATION:PT4H", "SUMMARY:Dinner", "SUMMARY:Dinner\r\nTRANSP:TRANSPARENT\r\nX-APPLE-TRAVEL:PT5M").Replace(text)
	f.Put(bea, defaultCal, segment, same)
	f.Put(bea, defaultCal, "other.ics", icstest.Event("other", "DTSTART:20261201T180000Z"))
	for name, err := range map[string]error{
		"DELETE": f.TryWrite(func(tx *store.Tx) error {
			return f.Collections.Delete(tx, bea, defaultCal.Segment, segment, calendartest.NoPrecondition)
		}),
		"COPY": f.TryWrite(func(tx *store.Tx) error {
			_, err := f.Collections.Copy(tx, bea, collection.Place{Calendar: defaultCal.Segment, Segment: "other.ics"}, collection.Place{Calendar: defaultCal.Segment, Segment: segment},
				collection.CopyRequest{Overwrite: true}, calendartest.NoPrecondition)
			return err
		}),
		"JSON": f.TryWrite(func(tx *store.Tx) error {
			return f.Calendar.Delete(tx, bea, f.IDAt(defaultCal, segment), edit.Deletion{}, nil)
		}),
	} {
		if svc.KindOf(err) != svc.Forbidden {
			t.Errorf("%s: got %v, want an error of kind Forbidden", name, err)
		}
	}
}

// patch changes a mirror as the JSON API does.
func patch(f *calendartest.Fixture, v svc.Viewer, id string, in edit.ObjectChange) {
	f.T.Helper()
	f.Write(func(tx *store.Tx) error {
		_, err := f.Calendar.Patch(tx, v, id, in, nil)
		return err
	})
}

// A sync keeps the calendar, the color and the visibility of the mirror. Covers
// T-21 and T-23.
func TestSyncKeepsTheDisplayOfTheMember(t *testing.T) {
	f := calendartest.New(t)
	f.Member("ann")
	bea := f.Member("bea")
	push(f, dinnerPush(1, guest(bea, "going")))
	id := f.IDAt(f.DefaultCalendar(bea), mirrors(f, bea)[0])
	other := f.AddCalendar(bea, "Social")
	patch(f, bea, id, edit.ObjectChange{Change: edit.Change{CalendarID: svc.Some(other.ID), Color: svc.Some("#AABBCC")}})
	p := dinnerPush(2, guest(bea, "maybe"))
	p.Event.Title = "Supper"
	push(f, p)
	if o := f.Object(bea, id); o.Title != "Supper" || o.State.CalendarID != other.ID || o.State.Color != "#aabbcc" {
		t.Errorf("got %s in %s, color %s", o.Title, o.State.CalendarName, o.State.Color)
	}
	patch(f, bea, id, edit.ObjectChange{Change: edit.Change{LocalVisibility: svc.Some(view.LocallyHidden), Color: svc.Optional[string]{Set: true, Null: true}}})
	p.Revision, p.Event.Title = 3, "Breakfast"
	push(f, p)
	if o := f.Object(bea, id); o.State.LocalVisibility != "hidden" || o.Title != "Breakfast" || o.State.Color != other.Color {
		t.Errorf("got %s, visibility %s, color %s; want Breakfast, hidden, %s", o.Title, o.State.LocalVisibility, o.State.Color, other.Color)
	}
	if got := f.Segments(bea, other); len(got) != 0 {
		t.Errorf("WebDAV clients see %q, want nothing", got)
	}
	// A mirror moves to the default calendar when its calendar is deleted.
	patch(f, bea, id, edit.ObjectChange{Change: edit.Change{LocalVisibility: svc.Some(view.LocallyVisible)}})
	f.Write(func(tx *store.Tx) error {
		_, err := f.Calendar.DeleteCalendar(tx, bea, other.ID, "")
		return err
	})
	if text := mirrorText(f, bea); !strings.Contains(text, "SUMMARY:Breakfast") {
		t.Errorf("got\n%s", text)
	}
}

// WebDAV clients see a sync as a change of the calendar: a new or updated mirror
// is changed, a removed one is deleted. A sync of a hidden mirror is no change
// (RFC 6578 §3.5). Covers PT-28 and B-62.
func TestSyncIsAChangeOfTheCalendar(t *testing.T) {
	f := calendartest.New(t)
	f.Member("ann")
	bea := f.Member("bea")
	defaultCal := f.DefaultCalendar(bea)
	p, token := dinnerPush(1, guest(bea, "none")), ""
	for _, c := range []struct {
		name             string
		change           func()
		changed, deleted bool
	}{
		{"no mirror", func() {}, false, false},
		{"a new mirror", func() { p.Audience[0].RSVP = "going" }, true, false},
		{"the same state", func() {}, false, false},
		{"another title", func() { p.Event.Title = "Supper" }, true, false},
		{"a hidden mirror", func() {
			patch(f, bea, f.IDAt(defaultCal, mirrors(f, bea)[0]), edit.ObjectChange{Change: edit.Change{LocalVisibility: svc.Some(view.LocallyHidden)}})
			p.Event.Title = "Lunch"
		}, false, true},
		{"another title of a hidden mirror", func() { p.Event.Title = "Breakfast" }, false, false},
		{"a removed mirror", func() { p.Audience[0].RSVP = "declined" }, false, true},
	} {
		c.change()
		push(f, p)
		p.Revision++
		for _, etagsOnly := range []bool{false, true} {
			var got collection.Changes
			f.Read(func(tx *store.Tx) (err error) {
				got, err = f.Collections.Changes(tx, bea, defaultCal.Segment, token, 0, etagsOnly)
				return err
			})
			if (len(got.Changed) > 0) != c.changed || (len(got.Deleted) > 0) != c.deleted {
				t.Errorf("%s: got %d changed and %q deleted, want changed %t, deleted %t", c.name, len(got.Changed), got.Deleted, c.changed, c.deleted)
			}
			if etagsOnly {
				token = got.Token
			}
		}
	}
}

// A sync succeeds even if another object has the UID of the mirror or the quota
// is exhausted.
func TestSyncReplacesAnObjectWithItsUID(t *testing.T) {
	f := calendartest.New(t)
	f.Member("ann")
	bea := f.Member("bea")
	f.Put(bea, f.DefaultCalendar(bea), "own.ics", icstest.Event("evt_dinner@appliance", "DTSTART:20261201T180000Z", "SUMMARY:Own"))
	f.Objects.Quota.Objects = 1
	push(f, dinnerPush(1, guest(bea, "going")))
	if text := mirrorText(f, bea); !strings.Contains(text, "SUMMARY:Dinner") {
		t.Errorf("got\n%s", text)
	}
	if got := f.TrashTitles(bea); !slices.Equal(got, []string{"Own"}) {
		t.Errorf("got %q in the trash, want Own", got)
	}
	f.WantCounts()
}

// A long series with many mirrors is not indexed, and queries find it by
// expanding it.
func TestMirrorsOfALongSeriesAreExpanded(t *testing.T) {
	f := calendartest.New(t)
	f.Member("ann")
	p := dinnerPush(1)
	p.Event.RRule = new("FREQ=DAILY")
	var viewers []svc.Viewer
	for i := range 6 {
		v := f.Member(fmt.Sprint("m", i))
		viewers, p.Audience = append(viewers, v), append(p.Audience, guest(v, "going"))
	}
	push(f, p)
	if rows := storetest.Rows(t, f.DB, "SELECT count(*) FROM calendar_occurrence"); rows[0] != "0" {
		t.Errorf("got %s indexed occurrences, want 0", rows[0])
	}
	f.Read(func(tx *store.Tx) error {
		from := time.Date(2026, 12, 24, 0, 0, 0, 0, time.UTC)
		list, err := f.Index.FreeBusy(tx, viewers[5], f.DefaultCalendar(viewers[5]).Segment, from, from.AddDate(0, 0, 3), time.UTC, 10)
		if len(list) != 3 {
			t.Errorf("got busy periods %v, want 3", list)
		}
		return err
	})
}

// Syncs in any order result in the state of the latest revision, and the columns
// follow from the text. Covers PT-26 and PT-23.
func TestSyncsConverge(t *testing.T) {
	for seed := range svctest.Seeds(16) {
		d := icstest.NewRand(seed)
		shuffled, direct := calendartest.New(t), calendartest.New(t)
		var viewers []svc.Viewer
		for _, name := range []string{"ann", "bea", "cid"} {
			viewers = append(viewers, shuffled.Member(name))
			direct.Member(name)
		}
		var list []mirror.EventPush
		for revision := range int64(8) {
			list = append(list, randomPush(d, revision+1, viewers))
		}
		for _, i := range append(d.Perm(len(list)), d.Perm(len(list))...) {
			push(shuffled, list[i])
		}
		push(direct, list[len(list)-1])
		if got, want := mirrorStates(shuffled), mirrorStates(direct); !slices.Equal(got, want) {
			t.Errorf("seed %d: got\n%s\nwant\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func randomPush(d icstest.Rand, revision int64, viewers []svc.Viewer) mirror.EventPush {
	p := dinnerPush(revision)
	p.Event.Title = icstest.Pick(d, "Dinner", "Lunch", "Tea; with, cake")
	p.Event.Location = icstest.Pick(d, "", "Home")
	p.Event.Timezone = icstest.Pick(d, icstest.Zones...)
	p.Event.Start, p.Event.End = d.Clock().Format("2006-01-02T15:04:05"), ""
	if d.OneIn(3) {
		p.Event.Start, p.Event.AllDay = p.Event.Start[:10], true
	}
	if d.OneIn(3) {
		p.Event.RRule = new(icstest.Pick(d, "FREQ=DAILY", "FREQ=WEEKLY;COUNT=5"))
	}
	p.Event.Status = icstest.Pick(d, mirror.EventScheduled, mirror.EventCancelled)
	p.Operation = icstest.Pick(d, mirror.CreateEvent, mirror.UpdateEvent, mirror.UpdateEvent, mirror.UpdateEvent, mirror.DeleteEvent)
	for _, v := range viewers {
		if !d.OneIn(4) {
			a := guest(v, icstest.Pick(d, "going", "maybe", "declined", "none"))
			a.Role = icstest.Pick(d, svc.HostRole, svc.GuestRole)
			p.Audience = append(p.Audience, a)
		}
	}
	return p
}

// mirrorStates returns the owner, the event's lines and the index of each mirror.
func mirrorStates(f *calendartest.Fixture) (list []string) {
	f.T.Helper()
	for _, row := range storetest.Rows(f.T, f.DB, `
		SELECT c.owner_id, o.first_start, o.last_end, (SELECT group_concat(starts || '-' || ends || '-' || busy) FROM
		       (SELECT * FROM calendar_occurrence AS x WHERE x.n = o.n ORDER BY starts)), hex(d.data)
		  FROM calendar_object AS o JOIN calendar_data AS d ON d.n = o.n JOIN calendar_calendar AS c ON c.id = o.calendar_id
		 ORDER BY c.owner_id`) {
		columns, data, _ := cutLast(row)
		text := unhex(f.T, data)
		_, event, _ := strings.Cut(text, "BEGIN:VEVENT")
		lines := slices.DeleteFunc(strings.Split(withoutStamps(event), "\r\n"), func(line string) bool { return strings.HasPrefix(line, "CREATED") })
		slices.Sort(lines)
		list = append(list, columns+strings.Join(lines, "\n"))
	}
	return list
}

func cutLast(s string) (before, after string, found bool) {
	i := strings.LastIndexByte(s, ' ')
	return s[:i+1], s[i+1:], i >= 0
}

func unhex(t testing.TB, s string) string {
	t.Helper()
	var b strings.Builder
	for i := 0; i+1 < len(s); i += 2 {
		var c byte
		if _, err := fmt.Sscanf(s[i:i+2], "%02X", &c); err != nil {
			t.Fatal(err)
		}
		b.WriteByte(c)
	}
	return b.String()
}

// The times of an event follow the rules for a calendar object. An event must
// have a duration and an occurrence.
func TestResolvedTimesHaveBounds(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	some := svc.Some[string]
	for _, c := range []struct {
		name        string
		change      svc.EventTimesChange
		first, last string
	}{
		{"the time zone of the host", svc.EventTimesChange{Start: some("2026-12-24T18:00:00")}, "2026-12-24T17:00:00Z", "2026-12-24T18:00:00Z"},
		{"a series", svc.EventTimesChange{Start: some("2026-12-24T18:00:00"), Timezone: some("UTC"), RRule: some("FREQ=DAILY;COUNT=3")}, "2026-12-24T18:00:00Z", "2026-12-26T19:00:00Z"},
		{"an endless series", svc.EventTimesChange{Start: some("2026-12-24"), Timezone: some("UTC"), RRule: some("FREQ=DAILY")}, "2026-12-24T00:00:00Z", "0001-01-01T00:00:00Z"},
	} {
		f.Read(func(tx *store.Tx) error {
			_, first, last, err := f.Mirrors.ResolveTimes(tx, ann.Member(), svc.EventTimes{}, c.change)
			if got := first.Format(time.RFC3339); got != c.first {
				t.Errorf("%s: got first start %s, want %s", c.name, got, c.first)
			}
			if got := last.Format(time.RFC3339); got < c.last || c.last[:4] == "0001" && !last.IsZero() {
				t.Errorf("%s: got last end %s, want %s or later", c.name, got, c.last)
			}
			return err
		})
	}
	for _, c := range []struct {
		change svc.EventTimesChange
		code   svc.Code
		field  string
	}{
		{svc.EventTimesChange{Start: some("2026-12-24T18:00:00"), End: some("2026-12-24T18:00:00")}, svc.EndBeforeStart, "end"},
		{svc.EventTimesChange{Start: some("2026-12-24T18:00:00"), RRule: some("FREQ=DAILY;UNTIL=20261201T000000Z")}, svc.InvalidRecurrence, "rrule"},
	} {
		f.Read(func(tx *store.Tx) error {
			_, _, _, err := f.Mirrors.ResolveTimes(tx, ann.Member(), svc.EventTimes{}, c.change)
			calendartest.WantError(t, err, c.code, c.field)
			return nil
		})
	}
}
