package calendar

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/mirror"
	"appliance/svc/identity"
	"appliance/svc/svctest"
)

// dinner is a push of an event of ann's, to be changed.
func dinner(revision int64, who ...svc.Attendee) mirror.EventPush {
	return mirror.EventPush{
		Operation: "update", EventID: "evt_dinner", Revision: revision, Audience: who,
		Event: mirror.PushedEvent{
			Title: "Dinner", Start: "2026-12-24T18:00:00", End: "2026-12-24T22:00:00", Timezone: "Europe/Berlin", Status: "scheduled",
			Host: svc.EventHost{ID: 1, DisplayName: "Ann"},
		},
	}
}

func attends(c *apptest.Client, rsvp string) svc.Attendee {
	return svc.Attendee{MemberID: c.ID, RSVP: rsvp, Role: "guest"}
}

// push sends a push as an outside authority does.
func push(h *apptest.Server, p mirror.EventPush) *apptest.Answer {
	h.T.Helper()
	return h.Unauthenticated().With("Authorization", "Service "+apptest.ServiceKey).Do("POST", "/integrations/social/events", p)
}

// Covers T-20, T-36 and the answers of B-62.
func TestAPushMakesMirrors(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea, cid, dan := h.Member("ann"), h.Member("bea"), h.Member("cid"), h.Member("dan")
	p := dinner(3, svc.Attendee{MemberID: ann.ID, RSVP: "going", Role: "host"}, attends(bea, "maybe"), attends(cid, "declined"), attends(dan, "none"),
		svc.Attendee{MemberID: 99, RSVP: "going", Role: "guest"})
	p.Event.Description, p.Event.Location = "Line one\nand, two; \\three", "At home,\nupstairs"
	p.Event.Latitude, p.Event.Longitude = new(52.52), new(13.405)
	p.Event.RRule = new("FREQ=WEEKLY;COUNT=3")
	p.Event.Host.DisplayName = `Ann "the cook"; Müller`
	if got := push(h, p).Want(200); got.At("applied") != true || fmt.Sprint(got.At("mirrors")) != "map[created:2 removed:0 updated:0]" {
		t.Errorf("first push: %s", got.Body)
	}
	_, text := bea.Mirror()
	want := []string{
		"UID:evt_dinner@appliance", "SUMMARY:Dinner", `LOCATION:At home\,\nupstairs`, `DESCRIPTION:Line one\nand\, two\; \\three`,
		"DTSTART;TZID=Europe/Berlin:20261224T180000", "DTEND;TZID=Europe/Berlin:20261224T220000", "RRULE:FREQ=WEEKLY;COUNT=3", "STATUS:CONFIRMED",
		"GEO:52.520000;13.405000", `ORGANIZER;CN="Ann ^'the cook^'; Müller":urn:appliance:member:1`, "ATTENDEE;PARTSTAT=TENTATIVE:urn:appliance:member:2",
	}
	event := text[strings.Index(text, "BEGIN:VEVENT"):]
	if got := apptest.ContentLines(event, "UID", "SUMMARY", "LOCATION", "DESCRIPTION", "DTSTART", "DTEND", "RRULE", "STATUS", "GEO", "ORGANIZER", "ATTENDEE"); !slices.Equal(got, want) {
		t.Errorf("the mirror says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !strings.Contains(text, "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin") {
		t.Errorf("nothing explains its zone:\n%s", text)
	}
	o := bea.Do("GET", "/world/time/objects?start=2026-12-24&end=2027-02-01").Want(200)
	if len(o.List("objects")) != 3 || o.Str("objects.0.state.source_service") != "social" || o.Str("objects.0.state.source_object_type") != "event" ||
		o.Str("objects.0.state.source_object_id") != "evt_dinner" || o.Str("objects.0.object_type") != "calendar_event" {
		t.Errorf("natively it is %s", o.Body)
	}
	if strings.Contains(o.Body, "/social/") {
		t.Errorf("Time tells of an address of Social's: %s", o.Body)
	}
	if len(cid.Mirrors())+len(dan.Mirrors()) != 0 {
		t.Error("who does not come has a mirror")
	}
	if got := push(h, p).Want(200); got.At("applied") != false || got.Str("reason") != "stale_revision" || got.At("revision") != 3.0 {
		t.Errorf("the same again: %s", got.Body)
	}
	p.Operation, p.Revision, p.Event, p.Audience = "delete", 4, mirror.PushedEvent{}, nil
	if got := push(h, p).Want(200); fmt.Sprint(got.At("mirrors")) != "map[created:0 removed:2 updated:0]" {
		t.Errorf("deletion: %s", got.Body)
	}
	if len(bea.Mirrors()) != 0 || len(bea.Do("GET", "/world/time/trash").List("trash")) != 0 {
		t.Error("a mirror outlives its event")
	}
	if got := push(h, dinner(2, attends(bea, "going"))).Want(200); got.At("applied") != false || len(bea.Mirrors()) != 0 {
		t.Errorf("a push from before the deletion: %s", got.Body)
	}
}

// Covers T-36 and PT-40: what a push must be.
func TestAPushIsChecked(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann := h.Member("ann")
	ann.Do("POST", "/integrations/social/events", dinner(1)).WantError(404, "not_found")
	for _, c := range []struct {
		name   string
		change func(*mirror.EventPush)
		status int
		code   string
		field  string
	}{
		{"no operation", func(p *mirror.EventPush) { p.Operation = "" }, 400, "field_required", "operation"},
		{"another operation", func(p *mirror.EventPush) { p.Operation = "upsert" }, 422, "invalid_value", "operation"},
		{"no event", func(p *mirror.EventPush) { p.EventID = "" }, 400, "field_required", "event_id"},
		{"no revision", func(p *mirror.EventPush) { p.Revision = 0 }, 422, "invalid_value", "revision"},
		{"no title", func(p *mirror.EventPush) { p.Event.Title = " " }, 400, "field_required", "event.title"},
		{"no start", func(p *mirror.EventPush) { p.Event.Start = "" }, 400, "field_required", "event.start"},
		{"no zone", func(p *mirror.EventPush) { p.Event.Timezone = "" }, 400, "field_required", "event.timezone"},
		{"an end before the start", func(p *mirror.EventPush) { p.Event.End = "2026-12-24T17:00:00" }, 422, "end_before_start", "event.end"},
		{"a rule that is none", func(p *mirror.EventPush) { p.Event.RRule = new("FREQ=SOMETIMES") }, 422, "invalid_recurrence", "event.rrule"},
		{"another status", func(p *mirror.EventPush) { p.Event.Status = "ended" }, 422, "invalid_value", "event.status"},
		{"half a place", func(p *mirror.EventPush) { p.Event.Latitude = new(1.0) }, 422, "invalid_value", "event.latitude"},
		{"a place nowhere", func(p *mirror.EventPush) { p.Event.Latitude, p.Event.Longitude = new(91.0), new(1.0) }, 422, "invalid_value", "event.latitude"},
		{"an answer that is none", func(p *mirror.EventPush) { p.Audience[0].RSVP = "yes" }, 422, "invalid_value", "audience.0.rsvp"},
		{"no role", func(p *mirror.EventPush) { p.Audience[0].Role = "" }, 400, "field_required", "audience.0.role"},
		{"somebody twice", func(p *mirror.EventPush) { p.Audience = append(p.Audience, p.Audience[0]) }, 422, "invalid_value", "audience.1.member_id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := dinner(1, attends(ann, "going"))
			c.change(&p)
			push(h, p).WantError(c.status, c.code).WantFields(c.field)
		})
	}
	if len(ann.Mirrors()) != 0 {
		t.Error("a push that was refused has made a mirror")
	}
}

// Covers T-21, T-27, C-26, PT-24 and PT-25 over pushes: what is the member's
// own survives, to the octet, and what is Social's is as Social says.
func TestPushesLeaveAloneWhatIsTheMembersOwn(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	h.Member("ann")
	bea := h.Member("bea")
	p := dinner(1, attends(bea, "going"))
	p.Event.RRule = new("FREQ=DAILY")
	push(h, p).Want(200)
	href, text := bea.Mirror()
	const alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT17M\r\nDESCRIPTION:f\r\n \xc3\r\n \xbc\r\nX-MOZ-LASTACK:20261101T000000Z\r\nEND:VALARM\r\n"
	const own = "COLOR:red\r\nTRANSP:TRANSPARENT\r\nCATEGORIES:Fun,\r\n Food\r\nX-APPLE-TRAVEL;X-A=1:PT5M\r\n"
	// A program may have other lines for one instance, as long as they are of
	// the member's own.
	override := strings.NewReplacer("RRULE:FREQ=DAILY\r\n", "RECURRENCE-ID;TZID=Europe/Berlin:20261226T180000\r\n", "20261224T", "20261226T").
		Replace(text[strings.Index(text, "BEGIN:VEVENT"):strings.Index(text, "END:VCALENDAR")])
	override = strings.Replace(override, "END:VEVENT", alarm+"END:VEVENT", 1)
	mine := strings.Replace(text, "END:VEVENT\r\n", own+alarm+"END:VEVENT\r\n"+override, 1)
	bea.Basic().Do("PUT", href, mine).Want(204)
	if got := bea.Basic().Do("GET", href).Body; got != mine {
		t.Fatalf("what a program wrote is now\n%s", got)
	}
	bea.Basic().Do("PUT", href, strings.Replace(mine, "SUMMARY:Dinner", "SUMMARY:Mine", 1)).Want(403)
	second := strings.LastIndex(mine, "SUMMARY:Dinner")
	bea.Basic().Do("PUT", href, mine[:second]+"SUMMARY:Mine"+mine[second+len("SUMMARY:Dinner"):]).Want(403)

	p.Revision, p.Event.Title, p.Event.Status = 2, "Supper", "cancelled"
	p.Audience[0].RSVP = "maybe"
	if got := push(h, p).Want(200); fmt.Sprint(got.At("mirrors")) != "map[created:0 removed:0 updated:1]" {
		t.Errorf("second push: %s", got.Body)
	}
	got := bea.Basic().Do("GET", href).Want(200).Body
	want := strings.NewReplacer("SUMMARY:Dinner", "SUMMARY:Supper", "STATUS:CONFIRMED", "STATUS:CANCELLED", "PARTSTAT=ACCEPTED", "PARTSTAT=TENTATIVE").Replace(mine)
	if stampless(got) != stampless(want) {
		t.Errorf("after a push it is\n%s\nwant\n%s", got, want)
	}
	// A second push with the same words changes nothing: no program has to read it again.
	etag := bea.Basic().Do("GET", href).Header.Get("ETag")
	p.Revision = 3
	if got := push(h, p).Want(200); fmt.Sprint(got.At("applied"), got.At("mirrors")) != "true map[created:0 removed:0 updated:0]" {
		t.Errorf("third push: %s", got.Body)
	}
	if bea.Basic().Do("GET", href).Header.Get("ETag") != etag {
		t.Error("the same was written again")
	}
	// At another time there is no such instance; the alarm of all of them is kept.
	p.Revision, p.Event.Start, p.Event.End = 4, "2026-12-24T19:30:00", "2026-12-24T22:30:00"
	push(h, p).Want(200)
	got = bea.Basic().Do("GET", href).Want(200).Body
	if strings.Count(got, "BEGIN:VEVENT") != 1 || !strings.Contains(got, own) || !strings.Contains(got, alarm) || !strings.Contains(got, "T193000") {
		t.Errorf("after it moved\n%s", got)
	}
}

// stampless is a text without the lines that say when it was written.
func stampless(text string) string {
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(text, "\r\n"), func(line string) bool {
		return strings.HasPrefix(line, "DTSTAMP") || strings.HasPrefix(line, "LAST-MODIFIED") || strings.HasPrefix(line, "SEQUENCE")
	}), "")
}

// A calendar that a member has chosen, that they hide it and its color stay.
// Covers T-21 and T-23 over pushes.
func TestPushesLeaveAMirrorWhereItIs(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	h.Member("ann")
	bea := h.Member("bea").Runtime()
	push(h, dinner(1, attends(bea, "going"))).Want(200)
	id := bea.Do("GET", "/world/time/objects?start=2026-12-24").Str("objects.0.id")
	other := bea.Do("POST", "/world/calendars", `{"name": "Social"}`).Str("calendar.id")
	bea.Do("PATCH", "/world/time/objects/"+id, map[string]any{"calendar_id": other, "color": "#112233"}).Want(200)
	p := dinner(2, attends(bea, "maybe"))
	p.Event.Title = "Supper"
	push(h, p).Want(200)
	o := bea.Do("GET", "/world/time/objects/"+id).Want(200)
	if o.Str("object.title") != "Supper" || o.Str("object.state.calendar_id") != other || o.Str("object.state.color") != "#112233" {
		t.Errorf("after a push: %s", o.Body)
	}
	bea.Do("PATCH", "/world/time/objects/"+id, `{"local_visibility": "hidden"}`).Want(200)
	p.Revision, p.Event.Title = 3, "Breakfast"
	push(h, p).Want(200)
	if strings.Contains(bea.Do("GET", "/world/runtime").Body, "Breakfast") {
		t.Error("a push shows what is hidden")
	}
	bea.Do("PATCH", "/world/time/objects/"+id, `{"local_visibility": "visible"}`).Want(200)
	if !strings.Contains(bea.Do("GET", "/world/runtime").Body, "Breakfast") {
		t.Error("what shows again is not what was pushed meanwhile")
	}
	// It goes to the default calendar when its own goes, and never to the trash.
	bea.Do("DELETE", "/world/calendars/"+other).Want(200)
	if _, text := bea.Mirror(); !strings.Contains(text, "SUMMARY:Breakfast") {
		t.Errorf("after its calendar has gone:\n%s", text)
	}
}

// Whatever a member has in the place of a mirror, or how full their calendars
// are, does not keep an event from going on.
func TestNothingOfAMembersStopsAPush(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	h.Member("ann")
	bea := h.Member("bea")
	bea.Basic().Do("PUT", bea.DefaultCalendar()+"mine.ics", apptest.VEvent("evt_dinner@appliance", "DTSTART:20261201T180000Z", "SUMMARY:Mine")).Want(201)
	h.App.Objects.Quota.Objects = 1
	push(h, dinner(1, attends(bea, "going"))).Want(200)
	if _, text := bea.Mirror(); !strings.Contains(text, "SUMMARY:Dinner") {
		t.Errorf("the mirror is\n%s", text)
	}
	if got := bea.Do("GET", "/world/time/trash").Want(200); got.Str("trash.0.title") != "Mine" {
		t.Errorf("what was in its place: %s", got.Body)
	}
}

// Covers PT-26: in any order and however often, pushes end in what the one of
// the highest revision says; and PT-23, the columns follow from the octets.
func TestPushesConverge(t *testing.T) {
	svctest.Long(t)
	for seed := range uint64(8) {
		d := apptest.NewRand(seed)
		h := apptest.New(t)
		members := []*apptest.Client{h.Member("ann"), h.Member("bea"), h.Member("cid")}
		var list []mirror.EventPush
		for revision := range int64(8) {
			list = append(list, randomPush(d, revision+1, members))
		}
		last := list[len(list)-1]
		for _, i := range append(d.Perm(len(list)), d.Perm(len(list))...) {
			h.Write(func(tx *store.Tx) error {
				_, err := h.App.Mirrors.Push(tx, list[i])
				return err
			})
			if d.OneIn(3) {
				h.Restart()
			}
		}
		fresh := apptest.New(t)
		for range members {
			fresh.Member(apptest.Pick(d, "x", "y", "z") + fmt.Sprint(d.Uint64()))
		}
		fresh.Write(func(tx *store.Tx) error {
			_, err := fresh.App.Mirrors.Push(tx, last)
			return err
		})
		for _, m := range members {
			got, want := mirrored(h, m.ID), mirrored(fresh, m.ID)
			if !maps.Equal(got, want) {
				t.Errorf("seed %d: member %d has %v, want %v", seed, m.ID, got, want)
			}
		}
	}
}

// push makes a random one.
func randomPush(d apptest.Rand, revision int64, members []*apptest.Client) mirror.EventPush {
	p := dinner(revision)
	p.Event.Title = apptest.Pick(d, "Dinner", "Lunch", "Tea; with, cake")
	p.Event.Location = apptest.Pick(d, "", "Home")
	p.Event.Timezone = apptest.Pick(d, apptest.Zones...)
	p.Event.Start = d.Clock().Format("2006-01-02T15:04:05")
	p.Event.End = ""
	if d.OneIn(3) {
		p.Event.Start, p.Event.AllDay = p.Event.Start[:10], true
	}
	if d.OneIn(3) {
		p.Event.RRule = new(apptest.Pick(d, "FREQ=DAILY", "FREQ=WEEKLY;COUNT=5"))
	}
	p.Event.Status = apptest.Pick(d, "scheduled", "cancelled")
	p.Operation = apptest.Pick(d, "create", "update", "update", "update", "delete")
	for _, m := range members {
		if !d.OneIn(4) {
			p.Audience = append(p.Audience, svc.Attendee{MemberID: m.ID, RSVP: apptest.Pick(d, "going", "maybe", "declined", "none"), Role: apptest.Pick(d, "host", "guest")})
		}
	}
	return p
}

// mirrored is what a member's mirrors say for Social, and when the index has
// them.
func mirrored(h *apptest.Server, member svc.MemberID) map[string]string {
	h.T.Helper()
	list := make(map[string]string)
	db, err := sql.Open("sqlite", "file:"+h.Settings.Database()+"?mode=ro")
	if err != nil {
		h.T.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT CAST(d.data AS TEXT), (SELECT group_concat(starts || '-' || ends || '-' || busy) FROM
		(SELECT * FROM calendar_occurrence AS x WHERE x.n = o.n ORDER BY starts)) || ' ' || o.first_start || ' ' || o.last_end
		FROM calendar_object AS o JOIN calendar_data AS d ON d.n = o.n JOIN calendar_calendar AS c ON c.id = o.calendar_id WHERE c.owner_id = ?`, member)
	if err != nil {
		h.T.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text, index string
		if err := rows.Scan(&text, &index); err != nil {
			h.T.Fatal(err)
		}
		said := apptest.ContentLines(text[strings.Index(text, "BEGIN:VEVENT"):], "UID", "SUMMARY", "LOCATION", "DESCRIPTION", "DTSTART", "DTEND", "RRULE", "STATUS", "ORGANIZER", "ATTENDEE")
		slices.Sort(said)
		list[strings.Join(said, "\n")] = index
	}
	return list
}

// An event that 500 members go to is changed: all of it is in one write, which
// must not take longer than a write may.
func BenchmarkPush(b *testing.B) {
	h := apptest.New(b)
	p := dinner(0)
	h.Write(func(tx *store.Tx) error {
		for i := range svc.MemberID(500) {
			a, err := h.App.Identity.Prepare(b.Context(), identity.Registration{
				Email: fmt.Sprintf("m%d@example.org", i), Username: fmt.Sprintf("m%d", i), DisplayName: "Member", Password: apptest.Password,
			})
			if err != nil {
				return err
			}
			m, err := h.App.Identity.AddMember(tx, identity.CommandLine("bench"), a)
			if err != nil {
				return err
			}
			p.Audience = append(p.Audience, svc.Attendee{MemberID: m.ID, RSVP: "going", Role: "guest"})
		}
		return nil
	})
	for _, c := range []struct {
		name   string
		rrule  *string
		change func(*mirror.EventPush)
	}{
		{"nothing", nil, func(*mirror.EventPush) {}},
		{"one answer", nil, func(p *mirror.EventPush) {
			p.Audience[7].RSVP = apptest.Pick(apptest.NewRand(uint64(p.Revision)), "maybe", "going", "none")
		}},
		{"its title", nil, func(p *mirror.EventPush) { p.Event.Title = fmt.Sprint(p.Revision) }},
		{"its time", nil, func(p *mirror.EventPush) { p.Event.End = fmt.Sprintf("2026-12-24T22:%02d:00", p.Revision%60) }},
		{"the title of a weekly series", new("FREQ=WEEKLY"), func(p *mirror.EventPush) { p.Event.Title = fmt.Sprint(p.Revision) }},
		{"the time of a weekly series", new("FREQ=WEEKLY"), func(p *mirror.EventPush) { p.Event.End = fmt.Sprintf("2026-12-24T22:%02d:00", p.Revision%60) }},
		{"the time of a daily series", new("FREQ=DAILY"), func(p *mirror.EventPush) { p.Event.End = fmt.Sprintf("2026-12-24T22:%02d:00", p.Revision%60) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			p.EventID, p.Revision, p.Event.RRule = "evt_"+svc.NewID("x"), 1, c.rrule
			push := func() {
				h.Write(func(tx *store.Tx) error {
					_, err := h.App.Mirrors.Push(tx, p)
					return err
				})
			}
			push()
			for b.Loop() {
				p.Revision++
				c.change(&p)
				push()
			}
		})
	}
}
