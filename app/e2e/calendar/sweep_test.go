package calendar

import (
	"fmt"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc/calendar/object"
	"appliance/svc/identity"
)

// hoard has ann keep a calendar of dense series and an entry in the trash, and
// bea an entry. It returns the calendar.
func hoard(h *apptest.Server, series int) (ann, bea *apptest.Client, id string) {
	h.T.Helper()
	ann, bea = h.Member("ann"), h.Member("bea")
	event := apptest.VEvent("one", "DTSTART:20261201T100000Z", "SUMMARY:One")
	bea.Basic().Do("PUT", bea.DefaultCalendar()+"one.ics", event).Want(201)
	ann.Basic().Do("PUT", ann.DefaultCalendar()+"one.ics", event).Want(201)
	ann.Basic().Do("DELETE", ann.DefaultCalendar()+"one.ics").Want(204)
	id = ann.Do("POST", "/world/calendars", `{"name": "Dense"}`).Want(201).Str("calendar.id")
	ann.PutSeries(series, id)
	return ann, bea, id
}

// swept fails the test unless all that is gone for good is deleted in small
// writes, one that is killed in between going on with it, and so many entries
// are left.
func swept(h *apptest.Server, left int) {
	h.T.Helper()
	before, writes := h.QueryInt(instances), 0
	for more := true; more; writes++ {
		more = sweepOnce(h)
		after := h.QueryInt(instances)
		if before-after > 3000 {
			h.T.Errorf("one write deleted %d instances", before-after)
		}
		before = after
		if writes == 1 {
			h.Restart()
		}
	}
	if writes < 4 {
		h.T.Errorf("there were %d writes", writes)
	}
	if entries, n := h.QueryInt("SELECT count(*) FROM calendar_object"), h.QueryInt(instances); entries != left || n != left {
		h.T.Errorf("%d entries are left with %d instances", entries, n)
	}
	if n := h.QueryInt(`SELECT (SELECT count(*) FROM calendar_trashed) + (SELECT count(*) FROM calendar_calendar WHERE owner_id IS NULL)
		+ (SELECT count(*) FROM calendar_trash WHERE member_id IS NULL)`); n != 0 {
		h.T.Errorf("%d rows of what is gone are left", n)
	}
	counted(h)
}

const instances = "SELECT count(*) FROM calendar_occurrence"

// What its member deletes for good is gone at once, and the room that it took
// is free.
func TestForgotten(t *testing.T) {
	for name, forget := range map[string]func(ann *apptest.Client, id string){
		"all": func(ann *apptest.Client, _ string) {
			if n := ann.Do("DELETE", "/world/time/trash").Want(200).At("deleted"); n != 2.0 { // the calendar and an entry
				ann.T.Errorf("%v were deleted", n)
			}
		},
		"one by one": func(ann *apptest.Client, id string) {
			ann.Do("DELETE", "/world/time/trash/"+id).Want(200)
			ann.Do("POST", ann.Do("GET", "/world/time/trash").Str("trash.0.actions.delete")).Want(200)
		},
	} {
		t.Run(name, func(t *testing.T) {
			const series = 8
			h := apptest.New(t, apptest.Unlimited)
			ann, bea, id := hoard(h, series)
			path := ann.Do("GET", "/world/calendars").Str("calendars.1.caldav_path")
			ann.Do("DELETE", "/world/calendars/"+id).Want(200)
			h.App.Objects.Quota = object.Quota{Calendars: 2, Objects: series + 1, Octets: 1 << 20}
			ann.Do("POST", "/world/calendars", `{"name": "Another"}`).WantError(422, "quota_exceeded")
			ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).WantError(422, "quota_exceeded")
			forget(ann, id)

			if got := ann.Trashed(); got != "" {
				t.Errorf("the trash has %s", got)
			}
			ann.Do("POST", "/world/time/trash/"+id+"/restore").WantError(404, "not_found")
			ann.Do("DELETE", "/world/time/trash/"+id).WantError(404, "not_found")
			ann.Basic().Do("GET", path+"0.ics").Want(404)
			ann.Do("POST", "/world/calendars", `{"name": "Another"}`).Want(201)
			event := apptest.VEvent("two", "DTSTART:20261201T100000Z", "SUMMARY:Two")
			ann.Basic().Do("PUT", ann.DefaultCalendar()+"two.ics", event).Want(201)
			ann.Basic().Do("DELETE", ann.DefaultCalendar()+"two.ics").Want(204)
			ann.Do("POST", ann.Do("GET", "/world/time/trash").Str("trash.0.actions.restore")).Want(200)
			swept(h, 2)
			ann.Basic().Do("GET", ann.DefaultCalendar()+"two.ics").Want(200)
			bea.Basic().Do("GET", bea.DefaultCalendar()+"one.ics").Want(200)
		})
	}
}

// So is what was in the trash for too long, and what only a member had who is
// gone.
func TestGoneWithTime(t *testing.T) {
	for name, goes := range map[string]func(h *apptest.Server, ann *apptest.Client, id string){
		"its time is up": func(h *apptest.Server, ann *apptest.Client, id string) {
			ann.Do("DELETE", "/world/calendars/"+id).Want(200)
			h.Clock.Advance(30*24*time.Hour + time.Hour)
		},
		"the member leaves": func(h *apptest.Server, ann *apptest.Client, id string) {
			h.Write(func(tx *store.Tx) error { return h.App.Identity.Delete(tx, identity.CommandLine("test"), ann.ID) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := apptest.New(t, apptest.Unlimited)
			ann, bea, id := hoard(h, 8)
			path := bea.DefaultCalendar()
			goes(h, ann, id)
			swept(h, 1)
			bea.Basic().Do("GET", path+"one.ics").Want(200)
		})
	}
}

// sweepOnce does one portion of what the job does.
func sweepOnce(h *apptest.Server) (more bool) {
	h.T.Helper()
	h.Write(func(tx *store.Tx) (err error) {
		more, err = h.App.Calendar.Sweep(tx)
		return err
	})
	return more
}

// Deleting for good a calendar of dense series: how long others wait at most.
func BenchmarkSweep(b *testing.B) {
	const series = 300
	h := apptest.New(b, apptest.Unlimited)
	ann := h.Member("ann")
	var longest time.Duration
	for b.Loop() {
		b.StopTimer()
		id := ann.Do("POST", "/world/calendars", `{"name": "Dense"}`).Want(201).Str("calendar.id")
		ann.PutSeries(series, id)
		ann.Do("DELETE", "/world/calendars/"+id).Want(200)
		ann.Do("DELETE", "/world/time/trash").Want(200)
		b.StartTimer()
		for more := true; more; {
			begun := time.Now()
			more = sweepOnce(h)
			longest = max(longest, time.Since(begun))
		}
	}
	b.ReportMetric(float64(longest.Milliseconds()), "ms/longest")
}

// The page on which people find what they deleted, with 10,000 entries.
func BenchmarkTrashPage(b *testing.B) {
	h := apptest.New(b, apptest.Unlimited)
	ann := h.Member("ann")
	ann.FillCalendar(b, 10_000)
	path, remove := ann.DefaultCalendar(), ann.Basic().Bench(b, "DELETE", 204)
	for i := range 10_000 {
		remove(fmt.Sprintf("%s%d.ics", path, i), "")
	}
	get := ann.With("Authorization", "").With("Cookie", apptest.CookieName+"="+ann.Token).Bench(b, "GET", 200)
	for b.Loop() {
		get("/account/calendars", "")
	}
}
