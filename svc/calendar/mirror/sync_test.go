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
)

// One write changes a limited number of mirrors. The same push continues until no mirror is left,
// and a newer push replaces it. Covers B-130.
func TestManyMirrorsAreWrittenInSeveralWrites(t *testing.T) {
	f := calendartest.New(t)
	guests := make([]svc.Viewer, 60)
	for i := range guests {
		guests[i] = f.Member(fmt.Sprint("m", i))
	}
	p := dinnerPush(1)
	for _, g := range guests {
		p.Audience = append(p.Audience, guest(g, "going"))
	}
	wantPush := func(about string, want svc.MirrorChanges, left int) {
		t.Helper()
		if got := push(f, p); !got.Applied || got.Mirrors != want || got.Left != left {
			t.Errorf("%s: got %+v, want %+v and %d left", about, got, want, left)
		}
	}
	wantPush("a new event", svc.MirrorChanges{Created: 50}, 10)
	wantPush("the rest", svc.MirrorChanges{Created: 10}, 0)
	if got := push(f, p); got.Applied {
		t.Errorf("a complete push again: got %+v, want it to be ignored", got)
	}
	p.Revision, p.Event.Title = 2, "Supper"
	wantPush("another title", svc.MirrorChanges{Updated: 50}, 10)
	p.Revision, p.Audience = 3, p.Audience[5:]
	wantPush("fewer guests before the title is complete", svc.MirrorChanges{Updated: 10, Removed: 5}, 0)
	for i, g := range guests {
		if got := len(mirrors(f, g)); got != map[bool]int{true: 0, false: 1}[i < 5] {
			t.Errorf("guest %d has %d mirrors", i, got)
		} else if i >= 5 && !strings.Contains(mirrorText(f, g), "SUMMARY:Supper") {
			t.Errorf("guest %d has another title in\n%s", i, mirrorText(f, g))
		}
	}
	f.WantCounts()
}

// Several events are synchronized with as many statements as one event. Each mirror gets the state
// of its event. Covers B-130.
func TestEventsAreSynchronizedTogether(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	var statements []int
	sync := func(revision int64, events int, rsvp string) []svc.SyncResult {
		t.Helper()
		syncs := make([]svc.EventSync, events)
		for i := range syncs {
			p := dinnerPush(revision, svc.Attendee{MemberID: ann.Member(), RSVP: "going", Role: "host"}, guest(bea, rsvp))
			syncs[i] = svc.EventSync{EventID: fmt.Sprint("evt_", i), Revision: revision, Audience: p.Audience, Event: svc.SyncedEvent{
				Title: fmt.Sprint("Dinner ", i, " of revision ", revision), Host: p.Event.Host,
				Times: svc.EventTimes{Start: storetest.Start.AddDate(0, 0, i), End: storetest.Start.AddDate(0, 0, i).Add(time.Hour), Timezone: "Europe/Berlin"},
			}}
		}
		var results []svc.SyncResult
		f.Write(func(tx *store.Tx) (err error) {
			before := tx.Statements()
			results, err = f.Mirrors.SyncEvents(tx, syncs...)
			statements = append(statements, tx.Statements()-before)
			return err
		})
		return results
	}
	for _, c := range []struct {
		revision int64
		rsvp     string
		want     svc.MirrorChanges // of each event
	}{
		{1, "going", svc.MirrorChanges{Created: 2}}, {2, "maybe", svc.MirrorChanges{Updated: 2}}, {3, "declined", svc.MirrorChanges{Updated: 1, Removed: 1}},
	} {
		for i, r := range sync(c.revision, 20, c.rsvp) {
			if !r.Applied || r.Mirrors != c.want || r.Left != 0 {
				t.Errorf("revision %d of event %d: got %+v, want %+v", c.revision, i, r, c.want)
			}
		}
	}
	for _, v := range []svc.Viewer{ann, bea} {
		var titles []string
		for _, segment := range mirrors(f, v) {
			_, after, _ := strings.Cut(f.Text(v, f.DefaultCalendar(v), segment), "SUMMARY:")
			title, _, _ := strings.Cut(after, "\r\n")
			titles = append(titles, title)
		}
		slices.Sort(titles)
		if want := map[bool]int{true: 20, false: 0}[v == ann]; len(titles) != want || want > 0 && (titles[0] != "Dinner 0 of revision 3" || len(slices.Compact(titles)) != want) {
			t.Errorf("member %d has the mirrors %q, want %d", v.Member(), titles, want)
		}
	}
	f.WantCounts()
	many := slices.Clone(statements)
	statements = nil
	for revision := range int64(3) {
		sync(10+revision, 1, []string{"going", "maybe", "declined"}[revision])
	}
	if slices.Max(many) > slices.Max(statements)+2 {
		t.Errorf("got %d statements for 20 events and %d for one, want about as many", many, statements)
	}
}
