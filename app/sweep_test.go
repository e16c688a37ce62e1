package app

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/identity"
)

// dense stores n series with an instance each twelve hours, which is nearly as
// many as are indexed of one, in the calendar of that name.
func (c *client) dense(n int, segment string) {
	c.t.Helper()
	v, ok := c.viewer(), func(string) error { return nil }
	for i := range n {
		o, err := ics.Parse([]byte(vevent(fmt.Sprint("dense-", i), "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY;INTERVAL=12", fmt.Sprint("SUMMARY:Number ", i))))
		if err != nil {
			c.t.Fatal(err)
		}
		c.h.write(func(tx *store.Tx) error {
			_, _, err := c.h.collections.Put(tx, v, segment, fmt.Sprint(i, ".ics"), object.Prepare(o, tx.Now()), ok)
			return err
		})
	}
}

// number is the answer to a question to the database.
func (h *house) number(query string) (n int) {
	h.t.Helper()
	db, err := sql.Open("sqlite", h.settings.Database())
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		h.t.Fatal(err)
	}
	return n
}

// hoard has ann keep a calendar of dense series and an entry in the trash, and
// bea an entry. It returns the calendar.
func (h *house) hoard(series int) (ann, bea *client, id string) {
	h.t.Helper()
	ann, bea = h.member("ann"), h.member("bea")
	event := vevent("one", "DTSTART:20261201T100000Z", "SUMMARY:One")
	bea.basic().do("PUT", bea.defaultCalendar()+"one.ics", event).want(201)
	ann.basic().do("PUT", ann.defaultCalendar()+"one.ics", event).want(201)
	ann.basic().do("DELETE", ann.defaultCalendar()+"one.ics").want(204)
	id = ann.do("POST", "/world/calendars", `{"name": "Dense"}`).want(201).str("calendar.id")
	ann.dense(series, id)
	return ann, bea, id
}

// swept fails the test unless all that is gone for good is deleted in small
// writes, one that is killed in between going on with it, and so many entries
// are left.
func (h *house) swept(left int) {
	h.t.Helper()
	before, writes := h.number(instances), 0
	for more := true; more; writes++ {
		more = h.sweepOnce()
		after := h.number(instances)
		if before-after > 3000 {
			h.t.Errorf("one write deleted %d instances", before-after)
		}
		before = after
		if writes == 1 {
			h.restart()
		}
	}
	if writes < 4 {
		h.t.Errorf("there were %d writes", writes)
	}
	if entries, n := h.number("SELECT count(*) FROM calendar_object"), h.number(instances); entries != left || n != left {
		h.t.Errorf("%d entries are left with %d instances", entries, n)
	}
	if n := h.number(`SELECT (SELECT count(*) FROM calendar_trashed) + (SELECT count(*) FROM calendar_calendar WHERE owner_id IS NULL)
		+ (SELECT count(*) FROM calendar_trash WHERE member_id IS NULL)`); n != 0 {
		h.t.Errorf("%d rows of what is gone are left", n)
	}
	h.counted()
}

const instances = "SELECT count(*) FROM calendar_occurrence"

// What its member deletes for good is gone at once, and the room that it took
// is free.
func TestForgotten(t *testing.T) {
	for name, forget := range map[string]func(ann *client, id string){
		"all": func(ann *client, _ string) {
			if n := ann.do("DELETE", "/world/time/trash").want(200).at("deleted"); n != 2.0 { // the calendar and an entry
				ann.t.Errorf("%v were deleted", n)
			}
		},
		"one by one": func(ann *client, id string) {
			ann.do("DELETE", "/world/time/trash/"+id).want(200)
			ann.do("DELETE", ann.do("GET", "/world/time/trash").str("trash.0.actions.delete")).want(200)
		},
	} {
		t.Run(name, func(t *testing.T) {
			const series = 8
			h := open(t, unlimited)
			ann, bea, id := h.hoard(series)
			path := ann.do("GET", "/world/calendars").str("calendars.1.caldav_path")
			ann.do("DELETE", "/world/calendars/"+id).want(200)
			h.objects.Quota = object.Quota{Calendars: 2, Objects: series + 1, Octets: 1 << 20}
			ann.do("POST", "/world/calendars", `{"name": "Another"}`).refused(422, "quota_exceeded")
			ann.do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).refused(422, "quota_exceeded")
			forget(ann, id)

			if got := ann.trashed(); got != "" {
				t.Errorf("the trash has %s", got)
			}
			ann.do("POST", "/world/time/trash/"+id+"/restore").refused(404, "not_found")
			ann.do("DELETE", "/world/time/trash/"+id).refused(404, "not_found")
			ann.basic().do("GET", path+"0.ics").want(404)
			ann.do("POST", "/world/calendars", `{"name": "Another"}`).want(201)
			event := vevent("two", "DTSTART:20261201T100000Z", "SUMMARY:Two")
			ann.basic().do("PUT", ann.defaultCalendar()+"two.ics", event).want(201)
			ann.basic().do("DELETE", ann.defaultCalendar()+"two.ics").want(204)
			ann.do("POST", ann.do("GET", "/world/time/trash").str("trash.0.actions.restore")).want(200)
			h.swept(2)
			ann.basic().do("GET", ann.defaultCalendar()+"two.ics").want(200)
			bea.basic().do("GET", bea.defaultCalendar()+"one.ics").want(200)
		})
	}
}

// So is what was in the trash for too long, and what only a member had who is
// gone.
func TestGoneWithTime(t *testing.T) {
	for name, goes := range map[string]func(h *house, ann *client, id string){
		"its time is up": func(h *house, ann *client, id string) {
			ann.do("DELETE", "/world/calendars/"+id).want(200)
			h.clock.Advance(30*24*time.Hour + time.Hour)
		},
		"the member leaves": func(h *house, ann *client, id string) {
			h.write(func(tx *store.Tx) error { return h.identity.Delete(tx, identity.CommandLine("test"), ann.id) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t, unlimited)
			ann, bea, id := h.hoard(8)
			path := bea.defaultCalendar()
			goes(h, ann, id)
			h.swept(1)
			bea.basic().do("GET", path+"one.ics").want(200)
		})
	}
}

// sweepOnce does one portion of what the job does.
func (h *house) sweepOnce() (more bool) {
	h.t.Helper()
	h.write(func(tx *store.Tx) (err error) {
		more, err = h.calendar.Sweep(tx)
		return err
	})
	return more
}

// Deleting for good a calendar of dense series: how long others wait at most.
func BenchmarkSweep(b *testing.B) {
	const series = 300
	h := open(b, unlimited)
	ann := h.member("ann")
	var longest time.Duration
	for b.Loop() {
		b.StopTimer()
		id := ann.do("POST", "/world/calendars", `{"name": "Dense"}`).want(201).str("calendar.id")
		ann.dense(series, id)
		ann.do("DELETE", "/world/calendars/"+id).want(200)
		ann.do("DELETE", "/world/time/trash").want(200)
		b.StartTimer()
		for more := true; more; {
			begun := time.Now()
			more = h.sweepOnce()
			longest = max(longest, time.Since(begun))
		}
	}
	b.ReportMetric(float64(longest.Milliseconds()), "ms/longest")
}

// The page on which people find what they deleted, with 10,000 entries.
func BenchmarkTrashPage(b *testing.B) {
	h := open(b, unlimited)
	ann := h.member("ann")
	ann.fill(b, 10_000)
	path, remove := ann.defaultCalendar(), ann.basic().request(b, "DELETE", 204)
	for i := range 10_000 {
		remove(fmt.Sprintf("%s%d.ics", path, i), "")
	}
	get := ann.with("Authorization", "").with("Cookie", cookieName+"="+ann.token).request(b, "GET", 200)
	for b.Loop() {
		get("/account/calendars", "")
	}
}
