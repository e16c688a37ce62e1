package social

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
)

// mirrors implements Calendars. It stores the last sync of each event.
type mirrors struct {
	synced         map[string]svc.EventSync // the last sync of each event
	complete, left map[string]int           // number of mirrors by event that the last sync has written, and that are left
	perWrite       int                      // limit of the mirrors of one event per call; 0 for none
	failingEvent   string                   // id of the event that SyncEvents fails for
}

const localTime = "2006-01-02T15:04:05"

// ResolveTimes accepts local times or dates in the format of JSON and, for a series, FREQ=WEEKLY
// with or without COUNT.
func (*mirrors) ResolveTimes(tx *store.Tx, _ svc.MemberID, old svc.EventTimes, c svc.EventTimesChange) (t svc.EventTimes, first, last time.Time, err error) {
	t = old
	if c.Start.Set {
		t.AllDay = len(c.Start.Value) == len(time.DateOnly)
		if t.Start, err = parseLocal(c.Start.Value); err != nil {
			return t, first, last, svc.FieldError(svc.InvalidValue, "start", "start is not a time.")
		}
		t.End = t.Start.Add(time.Hour)
	}
	if c.End.Set && c.End.Value != "" {
		if t.End, err = parseLocal(c.End.Value); err != nil || !t.End.After(t.Start) {
			return t, first, last, svc.FieldError(svc.EndBeforeStart, "end", "end is before start.")
		}
	}
	if c.RRule.Set {
		t.RRule = c.RRule.Value
	}
	t.Timezone = "UTC"
	last = t.End
	if count, finite := strings.CutPrefix(t.RRule, "FREQ=WEEKLY;COUNT="); finite {
		var n int
		fmt.Sscan(count, &n)
		last = last.AddDate(0, 0, 7*(n-1))
	} else if t.RRule != "" {
		last = time.Time{}
	}
	return t, t.Start, last, nil
}

func parseLocal(text string) (time.Time, error) {
	if len(text) == len(time.DateOnly) {
		return time.Parse(time.DateOnly, text)
	}
	return time.Parse(localTime, text)
}

// SyncEvents stores the syncs. If perWrite is set, each call changes at most perWrite mirrors of an
// event.
func (m *mirrors) SyncEvents(_ *store.Tx, syncs ...svc.EventSync) (results []svc.SyncResult, err error) {
	for _, sync := range syncs {
		if sync.EventID == m.failingEvent {
			return nil, errors.New("the mirrors cannot be written")
		}
		old := m.synced[sync.EventID]
		if old.Revision >= sync.Revision && m.left[sync.EventID] == 0 || old.Revision > sync.Revision {
			results = append(results, svc.SyncResult{Revision: old.Revision})
			continue
		}
		if old.Revision != sync.Revision {
			m.complete[sync.EventID] = 0
			m.left[sync.EventID] = max(len(sync.Audience), len(old.Audience))
		}
		n := m.left[sync.EventID]
		if m.perWrite > 0 {
			n = min(n, m.perWrite)
		}
		m.complete[sync.EventID] += n
		m.left[sync.EventID] -= n
		if !sync.Deleted || m.left[sync.EventID] == 0 {
			m.synced[sync.EventID] = sync
		} else {
			old.Revision = sync.Revision
			m.synced[sync.EventID] = old
		}
		results = append(results, svc.SyncResult{Applied: true, Revision: sync.Revision, Left: m.left[sync.EventID]})
	}
	return results, nil
}

// mirrorOwners returns the ids of the members who have a mirror of an event, with
// their responses, such as "1:going 2:maybe".
func (m *mirrors) mirrorOwners(event string) string {
	sync := m.synced[event]
	var list []string
	for _, a := range sync.Audience {
		if !sync.Deleted && (a.Role == "host" || a.RSVP == "going" || a.RSVP == "maybe") {
			list = append(list, fmt.Sprintf("%d:%s", a.MemberID, a.RSVP))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// mirrorHosts returns the name of the host in each mirror of an event, such as
// "1:Ann 2:Former member".
func (m *mirrors) mirrorHosts(event string) string {
	sync := m.synced[event]
	var list []string
	for _, a := range sync.Audience {
		name := sync.Event.Host.DisplayName
		if a.HostHidden {
			name = svc.FormerMember
		}
		list = append(list, fmt.Sprintf("%d:%s", a.MemberID, name))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}
