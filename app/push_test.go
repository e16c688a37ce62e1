package app

import (
	"database/sql"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/mirror"
	"appliance/svc/identity"
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

func attends(c *client, rsvp string) svc.Attendee {
	return svc.Attendee{MemberID: c.id, RSVP: rsvp, Role: "guest"}
}

// push sends a push as an outside authority does.
func (h *house) push(p mirror.EventPush) *answer {
	h.t.Helper()
	return h.nobody().with("Authorization", "Service "+serviceKey).do("POST", "/integrations/social/events", p)
}

var hrefForm = regexp.MustCompile(`href>([^<]+)</`)

// mirrors returns the texts of the member's mirrors, by name.
func (c *client) mirrors() map[string]string {
	c.t.Helper()
	list := make(map[string]string)
	path := c.defaultCalendar()
	for _, href := range hrefForm.FindAllStringSubmatch(c.basic().with("Depth", "1").do("PROPFIND", path, allETags).want(207).body, -1) {
		if strings.HasSuffix(href[1], ".ics") {
			list[href[1]] = c.basic().do("GET", href[1]).want(200).body
		}
	}
	return list
}

// mirror returns where the only one is, and its text.
func (c *client) mirror() (href, text string) {
	c.t.Helper()
	list := c.mirrors()
	if len(list) != 1 {
		c.t.Fatalf("%s has %d mirrors", c.name, len(list))
	}
	for href, text = range list {
	}
	return href, text
}

// lines are the lines of a text that begin with any of the names, unfolded.
func icsLines(text string, names ...string) (list []string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n ", ""), "\r\n") {
		if slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(line, n+":") || strings.HasPrefix(line, n+";") }) {
			list = append(list, line)
		}
	}
	return list
}

// Covers T-20, T-36 and the answers of B-62.
func TestAPushMakesMirrors(t *testing.T) {
	h := open(t, withKey)
	ann, bea, cid, dan := h.member("ann"), h.member("bea"), h.member("cid"), h.member("dan")
	p := dinner(3, svc.Attendee{MemberID: ann.id, RSVP: "going", Role: "host"}, attends(bea, "maybe"), attends(cid, "declined"), attends(dan, "none"),
		svc.Attendee{MemberID: 99, RSVP: "going", Role: "guest"})
	p.Event.Description, p.Event.Location = "Line one\nand, two; \\three", "At home,\nupstairs"
	p.Event.Latitude, p.Event.Longitude = new(52.52), new(13.405)
	p.Event.RRule = new("FREQ=WEEKLY;COUNT=3")
	p.Event.Host.DisplayName = `Ann "the cook"; Müller`
	if got := h.push(p).want(200); got.at("applied") != true || fmt.Sprint(got.at("mirrors")) != "map[created:2 removed:0 updated:0]" {
		t.Errorf("first push: %s", got.body)
	}
	_, text := bea.mirror()
	want := []string{
		"UID:evt_dinner@appliance", "SUMMARY:Dinner", `LOCATION:At home\,\nupstairs`, `DESCRIPTION:Line one\nand\, two\; \\three`,
		"DTSTART;TZID=Europe/Berlin:20261224T180000", "DTEND;TZID=Europe/Berlin:20261224T220000", "RRULE:FREQ=WEEKLY;COUNT=3", "STATUS:CONFIRMED",
		"GEO:52.520000;13.405000", `ORGANIZER;CN="Ann ^'the cook^'; Müller":urn:appliance:member:1`, "ATTENDEE;PARTSTAT=TENTATIVE:urn:appliance:member:2",
	}
	event := text[strings.Index(text, "BEGIN:VEVENT"):]
	if got := icsLines(event, "UID", "SUMMARY", "LOCATION", "DESCRIPTION", "DTSTART", "DTEND", "RRULE", "STATUS", "GEO", "ORGANIZER", "ATTENDEE"); !slices.Equal(got, want) {
		t.Errorf("the mirror says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !strings.Contains(text, "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin") {
		t.Errorf("nothing explains its zone:\n%s", text)
	}
	o := bea.do("GET", "/world/time/objects?start=2026-12-24&end=2027-02-01").want(200)
	if len(o.list("objects")) != 3 || o.str("objects.0.state.source_service") != "social" || o.str("objects.0.state.source_object_type") != "event" ||
		o.str("objects.0.state.source_object_id") != "evt_dinner" || o.str("objects.0.object_type") != "calendar_event" {
		t.Errorf("natively it is %s", o.body)
	}
	if strings.Contains(o.body, "/social/") {
		t.Errorf("Time tells of an address of Social's: %s", o.body)
	}
	if len(cid.mirrors())+len(dan.mirrors()) != 0 {
		t.Error("who does not come has a mirror")
	}
	if got := h.push(p).want(200); got.at("applied") != false || got.str("reason") != "stale_revision" || got.at("revision") != 3.0 {
		t.Errorf("the same again: %s", got.body)
	}
	p.Operation, p.Revision, p.Event, p.Audience = "delete", 4, mirror.PushedEvent{}, nil
	if got := h.push(p).want(200); fmt.Sprint(got.at("mirrors")) != "map[created:0 removed:2 updated:0]" {
		t.Errorf("deletion: %s", got.body)
	}
	if len(bea.mirrors()) != 0 || len(bea.do("GET", "/world/time/trash").list("trash")) != 0 {
		t.Error("a mirror outlives its event")
	}
	if got := h.push(dinner(2, attends(bea, "going"))).want(200); got.at("applied") != false || len(bea.mirrors()) != 0 {
		t.Errorf("a push from before the deletion: %s", got.body)
	}
}

// Covers T-36 and PT-40: what a push must be.
func TestAPushIsChecked(t *testing.T) {
	h := open(t, withKey)
	ann := h.member("ann")
	ann.do("POST", "/integrations/social/events", dinner(1)).refused(404, "not_found")
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
			h.push(p).refused(c.status, c.code).names(c.field)
		})
	}
	if len(ann.mirrors()) != 0 {
		t.Error("a push that was refused has made a mirror")
	}
}

// Covers T-21, T-27, C-26, PT-24 and PT-25 over pushes: what is the member's
// own survives, to the octet, and what is Social's is as Social says.
func TestPushesLeaveAloneWhatIsTheMembersOwn(t *testing.T) {
	h := open(t, withKey)
	h.member("ann")
	bea := h.member("bea")
	p := dinner(1, attends(bea, "going"))
	p.Event.RRule = new("FREQ=DAILY")
	h.push(p).want(200)
	href, text := bea.mirror()
	const alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT17M\r\nDESCRIPTION:f\r\n \xc3\r\n \xbc\r\nX-MOZ-LASTACK:20261101T000000Z\r\nEND:VALARM\r\n"
	const own = "COLOR:red\r\nTRANSP:TRANSPARENT\r\nCATEGORIES:Fun,\r\n Food\r\nX-APPLE-TRAVEL;X-A=1:PT5M\r\n"
	// A program may have other lines for one instance, as long as they are of
	// the member's own.
	override := strings.NewReplacer("RRULE:FREQ=DAILY\r\n", "RECURRENCE-ID;TZID=Europe/Berlin:20261226T180000\r\n", "20261224T", "20261226T").
		Replace(text[strings.Index(text, "BEGIN:VEVENT"):strings.Index(text, "END:VCALENDAR")])
	override = strings.Replace(override, "END:VEVENT", alarm+"END:VEVENT", 1)
	mine := strings.Replace(text, "END:VEVENT\r\n", own+alarm+"END:VEVENT\r\n"+override, 1)
	bea.basic().do("PUT", href, mine).want(204)
	if got := bea.basic().do("GET", href).body; got != mine {
		t.Fatalf("what a program wrote is now\n%s", got)
	}
	bea.basic().do("PUT", href, strings.Replace(mine, "SUMMARY:Dinner", "SUMMARY:Mine", 1)).want(403)
	second := strings.LastIndex(mine, "SUMMARY:Dinner")
	bea.basic().do("PUT", href, mine[:second]+"SUMMARY:Mine"+mine[second+len("SUMMARY:Dinner"):]).want(403)

	p.Revision, p.Event.Title, p.Event.Status = 2, "Supper", "cancelled"
	p.Audience[0].RSVP = "maybe"
	if got := h.push(p).want(200); fmt.Sprint(got.at("mirrors")) != "map[created:0 removed:0 updated:1]" {
		t.Errorf("second push: %s", got.body)
	}
	got := bea.basic().do("GET", href).want(200).body
	want := strings.NewReplacer("SUMMARY:Dinner", "SUMMARY:Supper", "STATUS:CONFIRMED", "STATUS:CANCELLED", "PARTSTAT=ACCEPTED", "PARTSTAT=TENTATIVE").Replace(mine)
	if stampless(got) != stampless(want) {
		t.Errorf("after a push it is\n%s\nwant\n%s", got, want)
	}
	// A second push with the same words changes nothing: no program has to read it again.
	etag := bea.basic().do("GET", href).header.Get("ETag")
	p.Revision = 3
	if got := h.push(p).want(200); fmt.Sprint(got.at("applied"), got.at("mirrors")) != "true map[created:0 removed:0 updated:0]" {
		t.Errorf("third push: %s", got.body)
	}
	if bea.basic().do("GET", href).header.Get("ETag") != etag {
		t.Error("the same was written again")
	}
	// At another time there is no such instance; the alarm of all of them is kept.
	p.Revision, p.Event.Start, p.Event.End = 4, "2026-12-24T19:30:00", "2026-12-24T22:30:00"
	h.push(p).want(200)
	got = bea.basic().do("GET", href).want(200).body
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
	h := open(t, withKey)
	h.member("ann")
	bea := h.member("bea").runtime()
	h.push(dinner(1, attends(bea, "going"))).want(200)
	id := bea.do("GET", "/world/time/objects?start=2026-12-24").str("objects.0.id")
	other := bea.do("POST", "/world/calendars", `{"name": "Social"}`).str("calendar.id")
	bea.do("PATCH", "/world/time/objects/"+id, map[string]any{"calendar_id": other, "color": "#112233"}).want(200)
	p := dinner(2, attends(bea, "maybe"))
	p.Event.Title = "Supper"
	h.push(p).want(200)
	o := bea.do("GET", "/world/time/objects/"+id).want(200)
	if o.str("object.title") != "Supper" || o.str("object.state.calendar_id") != other || o.str("object.state.color") != "#112233" {
		t.Errorf("after a push: %s", o.body)
	}
	bea.do("PATCH", "/world/time/objects/"+id, `{"local_visibility": "hidden"}`).want(200)
	p.Revision, p.Event.Title = 3, "Breakfast"
	h.push(p).want(200)
	if strings.Contains(bea.do("GET", "/world/runtime").body, "Breakfast") {
		t.Error("a push shows what is hidden")
	}
	bea.do("PATCH", "/world/time/objects/"+id, `{"local_visibility": "visible"}`).want(200)
	if !strings.Contains(bea.do("GET", "/world/runtime").body, "Breakfast") {
		t.Error("what shows again is not what was pushed meanwhile")
	}
	// It goes to the default calendar when its own goes, and never to the trash.
	bea.do("DELETE", "/world/calendars/"+other).want(200)
	if _, text := bea.mirror(); !strings.Contains(text, "SUMMARY:Breakfast") {
		t.Errorf("after its calendar has gone:\n%s", text)
	}
}

// Whatever a member has in the place of a mirror, or how full their calendars
// are, does not keep an event from going on.
func TestNothingOfAMembersStopsAPush(t *testing.T) {
	h := open(t, withKey)
	h.member("ann")
	bea := h.member("bea")
	bea.basic().do("PUT", bea.defaultCalendar()+"mine.ics", vevent("evt_dinner@appliance", "DTSTART:20261201T180000Z", "SUMMARY:Mine")).want(201)
	h.objects.Quota.Objects = 1
	h.push(dinner(1, attends(bea, "going"))).want(200)
	if _, text := bea.mirror(); !strings.Contains(text, "SUMMARY:Dinner") {
		t.Errorf("the mirror is\n%s", text)
	}
	if got := bea.do("GET", "/world/time/trash").want(200); got.str("trash.0.title") != "Mine" {
		t.Errorf("what was in its place: %s", got.body)
	}
}

// Covers PT-26: in any order and however often, pushes end in what the one of
// the highest revision says; and PT-23, the columns follow from the octets.
func TestPushesConverge(t *testing.T) {
	long(t)
	for seed := range uint64(8) {
		d := newDice(seed)
		h := open(t)
		members := []*client{h.member("ann"), h.member("bea"), h.member("cid")}
		var list []mirror.EventPush
		for revision := range int64(8) {
			list = append(list, d.push(revision+1, members))
		}
		last := list[len(list)-1]
		for _, i := range append(d.Perm(len(list)), d.Perm(len(list))...) {
			h.write(func(tx *store.Tx) error {
				_, err := h.mirrors.Push(tx, list[i])
				return err
			})
			if d.one(3) {
				h.restart()
			}
		}
		fresh := open(t)
		for range members {
			fresh.member(pick(d, "x", "y", "z") + fmt.Sprint(d.Uint64()))
		}
		fresh.write(func(tx *store.Tx) error {
			_, err := fresh.mirrors.Push(tx, last)
			return err
		})
		for _, m := range members {
			got, want := mirrored(h, m.id), mirrored(fresh, m.id)
			if !maps.Equal(got, want) {
				t.Errorf("seed %d: member %d has %v, want %v", seed, m.id, got, want)
			}
		}
	}
}

// push makes a random one.
func (d dice) push(revision int64, members []*client) mirror.EventPush {
	p := dinner(revision)
	p.Event.Title = pick(d, "Dinner", "Lunch", "Tea; with, cake")
	p.Event.Location = pick(d, "", "Home")
	p.Event.Timezone = pick(d, zones...)
	p.Event.Start = d.clock().Format("2006-01-02T15:04:05")
	p.Event.End = ""
	if d.one(3) {
		p.Event.Start, p.Event.AllDay = p.Event.Start[:10], true
	}
	if d.one(3) {
		p.Event.RRule = new(pick(d, "FREQ=DAILY", "FREQ=WEEKLY;COUNT=5"))
	}
	p.Event.Status = pick(d, "scheduled", "cancelled")
	p.Operation = pick(d, "create", "update", "update", "update", "delete")
	for _, m := range members {
		if !d.one(4) {
			p.Audience = append(p.Audience, svc.Attendee{MemberID: m.id, RSVP: pick(d, "going", "maybe", "declined", "none"), Role: pick(d, "host", "guest")})
		}
	}
	return p
}

// mirrored is what a member's mirrors say for Social, and when the index has
// them.
func mirrored(h *house, member svc.MemberID) map[string]string {
	h.t.Helper()
	list := make(map[string]string)
	db, err := sql.Open("sqlite", "file:"+h.settings.Database()+"?mode=ro")
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT CAST(d.data AS TEXT), (SELECT group_concat(starts || '-' || ends || '-' || busy) FROM
		(SELECT * FROM calendar_occurrence AS x WHERE x.n = o.n ORDER BY starts)) || ' ' || o.first_start || ' ' || o.last_end
		FROM calendar_object AS o JOIN calendar_data AS d ON d.n = o.n JOIN calendar_calendar AS c ON c.id = o.calendar_id WHERE c.owner_id = ?`, member)
	if err != nil {
		h.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text, index string
		if err := rows.Scan(&text, &index); err != nil {
			h.t.Fatal(err)
		}
		said := icsLines(text[strings.Index(text, "BEGIN:VEVENT"):], "UID", "SUMMARY", "LOCATION", "DESCRIPTION", "DTSTART", "DTEND", "RRULE", "STATUS", "ORGANIZER", "ATTENDEE")
		slices.Sort(said)
		list[strings.Join(said, "\n")] = index
	}
	return list
}

// An event that 500 members go to is changed: all of it is in one write, which
// must not take longer than a write may.
func BenchmarkPush(b *testing.B) {
	h := open(b)
	p := dinner(0)
	h.write(func(tx *store.Tx) error {
		for i := range svc.MemberID(500) {
			a, err := h.identity.Prepare(b.Context(), identity.Registration{
				Email: fmt.Sprintf("m%d@example.org", i), Username: fmt.Sprintf("m%d", i), DisplayName: "Member", Password: password,
			})
			if err != nil {
				return err
			}
			m, err := h.identity.AddMember(tx, identity.CommandLine("bench"), a)
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
			p.Audience[7].RSVP = pick(newDice(uint64(p.Revision)), "maybe", "going", "none")
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
				h.write(func(tx *store.Tx) error {
					_, err := h.mirrors.Push(tx, p)
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
