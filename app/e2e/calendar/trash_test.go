package calendar

import (
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
)

// An entry that was deleted over the JSON API or CalDAV is in the trash, and the
// actions of the trash restore and purge it.
func TestDeletedEntriesAreInTheTrash(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	path := ann.DefaultCalendar()
	text := apptest.VEvent("choir", "DTSTART;TZID=Europe/Berlin:20261124T190000", "SUMMARY:Choir", "X-NOTE:kept", "RRULE:FREQ=WEEKLY")
	ann.Basic().Do("PUT", path+"choir.ics", text).Want(201)
	taskPath := ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201).Str("object.links.self")
	ann.Basic().Do("DELETE", path+"choir.ics").Want(204)
	h.Clock.Advance(time.Minute)
	ann.Do("DELETE", taskPath).Want(200)

	trash := ann.Do("GET", "/world/time/trash?limit=1").Want(200)
	next := ann.Do("GET", "/world/time/trash?limit=1&cursor="+trash.Str("page.next_cursor")).Want(200)
	if trash.Str("trash.0.title") != "Taxes" || next.Str("trash.0.title") != "Choir" || next.At("page.next_cursor") != nil {
		t.Errorf("got pages %s and %s, want Taxes and Choir", trash.Body, next.Body)
	}
	id, restore := next.Str("trash.0.id"), next.Str("trash.0.actions.restore")
	h.WantUnchanged("rejected requests", func() {
		bea.Do("POST", restore).WantError(404, "not_found")
		bea.Do("DELETE", "/world/time/trash/"+id).WantError(404, "not_found")
		ann.Do("POST", restore, `{"calendar_id": "cal_none"}`).WantError(404, "not_found")
		ann.Do("GET", "/world/time/trash?cursor=x").WantError(400, "invalid_parameter").WantFields("cursor")
	})
	restored := ann.Do("POST", restore).Want(200)
	if restored.Str("object.id") != id || restored.At("calendar") != nil {
		t.Errorf("got %s, want the object %s and no calendar", restored.Body, id)
	}
	if got := ann.Basic().Do("GET", path+"choir.ics").Want(200).Body; got != text {
		t.Errorf("got\n%s\nwant\n%s", got, text)
	}
	ann.Do("POST", restore).WantError(404, "not_found")
	ann.Do("POST", trash.Str("trash.0.actions.delete")).Want(200)
	if got := ann.TrashTitles(); got != "" {
		t.Errorf("got trash %s, want none", got)
	}
}

// An object that COPY or MOVE replaces (RFC 4918 §9.8.4) moves to the trash. It cannot
// be restored while another object uses its UID. With Overwrite: F nothing is
// replaced.
func TestReplacedObjectIsInTheTrash(t *testing.T) {
	for _, method := range []string{"COPY", "MOVE"} {
		t.Run(method, func(t *testing.T) {
			h := apptest.New(t)
			ann := h.Member("ann")
			dav, path := ann.Basic(), ann.DefaultCalendar()
			other := ann.Do("POST", "/world/calendars", `{"name": "Other"}`).Want(201).Str("calendar.caldav_path")
			dav.Do("PUT", other+"a.ics", apptest.VEvent("a", "DTSTART:20261201T100000Z", "SUMMARY:Old")).Want(201)
			dav.Do("PUT", path+"a.ics", apptest.VEvent("a", "DTSTART:20261201T100000Z", "SUMMARY:New")).Want(201)
			dav.With("Destination", other+"a.ics").With("Overwrite", "F").Do(method, path+"a.ics").Want(412)
			if got := ann.TrashTitles(); got != "" {
				t.Errorf("after a rejected %s got trash %s, want none", method, got)
			}
			dav.With("Destination", other+"a.ics").Do(method, path+"a.ics").Want(204)
			if got := ann.TrashTitles(); got != "Old" {
				t.Errorf("got trash %s, want Old", got)
			}
			ann.Do("POST", ann.Do("GET", "/world/time/trash").Str("trash.0.actions.restore")).WantError(409, "already_exists").WantFields("calendar_id")
		})
	}
}

// A calendar that was deleted over CalDAV is restored over the JSON API, without
// its feed. Dead properties of trashed objects are in the export (RFC 4918 §4.3).
func TestTrashedCalendarIsRestored(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	work := ann.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201)
	id, path := work.Str("calendar.id"), work.Str("calendar.caldav_path")
	ann.Basic().Do("PUT", path+"a.ics", apptest.VEvent("a", "DTSTART:20261125T100000Z")).Want(201)
	ann.Basic().Do("PUT", path+"b.ics", apptest.VEvent("b", "DTSTART:20261125T100000Z")).Want(201)
	ann.Basic().Do("PROPPATCH", path+"b.ics", `<propertyupdate xmlns="DAV:"><set><prop><note xmlns="urn:x">three</note></prop></set></propertyupdate>`).Want(207)
	ann.Basic().Do("DELETE", path+"b.ics").Want(204)
	feed := ann.Do("POST", "/world/calendars/"+id+"/feed").Want(201).Str("feed.path")
	h.Clock.Advance(time.Minute)
	ann.Basic().Do("DELETE", path).Want(204)
	h.Unauthenticated().Do("GET", feed).Want(404)
	ann.Basic().Do("GET", path+"a.ics").Want(404)
	if got := ann.Do("GET", "/world/identity/export").Want(200).List("trash"); !strings.Contains(apptest.JSON(got), "three") {
		t.Errorf("got no property in the trash of the export: %v", got)
	}
	trash := ann.Do("GET", "/world/time/trash").Want(200)
	if got, want := apptest.Values(trash.List("trash"), "object_type"), []string{"calendar", "calendar_event"}; !slices.Equal(got, want) {
		t.Fatalf("got trash %q, want %q", got, want)
	}
	restored := ann.Do("POST", trash.Str("trash.0.actions.restore")).Want(200)
	if restored.Str("calendar.caldav_path") != path || restored.At("object") != nil {
		t.Errorf("got %s, want the calendar at %s and no object", restored.Body, path)
	}
	ann.Basic().Do("GET", path+"a.ics").Want(200)
	h.Unauthenticated().Do("GET", feed).Want(404)
	ann.Do("POST", trash.Str("trash.1.actions.restore")).Want(200)
	ann.Basic().Do("GET", path+"b.ics").Want(200)
}

// The background job deletes the entries of a deleted member, also if the program restarts
// meanwhile.
func TestJobDeletesTheEntriesOfADeletedMember(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	href := bea.DefaultCalendar() + "one.ics"
	bea.Basic().Do("PUT", href, apptest.VEvent("one", "DTSTART:20261201T100000Z")).Want(201)
	ann.PutSeries(8, ann.Do("GET", "/world/calendars").Str("calendars.0.id"))
	h.DeleteMember(ann.ID)
	h.Write(func(tx *store.Tx) error {
		_, err := h.App.Calendar.Sweep(tx)
		return err
	})
	const objects = "SELECT count(*) FROM calendar_object"
	if got := h.QueryInt(objects); got <= 1 {
		t.Errorf("got %d objects after one batch, want more than 1", got)
	}
	h.Restart()
	if err := h.App.SweepCalendars(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := h.QueryInt(objects); got != 1 {
		t.Errorf("got %d objects after the job, want 1", got)
	}
	bea.Basic().Do("GET", href).Want(200)
}
