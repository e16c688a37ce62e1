package dataset_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/svctest"
	"appliance/world/dataset"
	"appliance/world/worldtest"
)

// view is the dataset of a member at a revision and a time, by section.
type view struct {
	sections map[string]json.RawMessage
	revision int64
	at       time.Time
}

// alwaysRead are the sections that every response contains, and which a stream does not
// name: their content follows from the other sections or is not data of the member.
var alwaysRead = []string{"contract", "capabilities", "fallbacks", "sources"}

// readView returns the dataset of v. It reports false if the member is disabled.
func (h *randomWorkload) readView(v svc.Viewer) (w view, ok bool) {
	h.T.Helper()
	text := h.readBody(h.World, v, request(h.T, ""))
	if err := json.Unmarshal(text, &w.sections); err != nil {
		return w, false
	}
	h.Read(func(tx *store.Tx) error {
		w.revision, w.at = tx.Revision(int64(v.Member())), tx.Now()
		return nil
	})
	return w, true
}

// changedSince returns the sections and services that the composer reports as changed
// for v since an earlier view.
func (h *randomWorkload) changedSince(v svc.Viewer, w view) (changed dataset.Changed) {
	h.Read(func(tx *store.Tx) error {
		changed = h.World.Union(h.World.ChangedSince(tx.Revisions(int64(v.Member())), w.revision), h.World.ChangedBetween(v.Member(), w.at, tx.Now()))
		return nil
	})
	return changed
}

// Every section that differs after a write, or after time has passed, is named. Covers
// B-104.
func TestChangedSectionsAreNamed(t *testing.T) {
	for seed := range svctest.Seeds(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s, viewers := worldtest.New(t, "m1", "m2", "m3", "m4")
			h := &randomWorkload{Server: s, Rand: icstest.NewRand(9300 + seed), viewers: viewers}
			for i, v := range viewers {
				s.CreateCommunity(v, fmt.Sprint("Community ", i), viewers[i:]...)
				s.CreateEvent(v, fmt.Sprint("Event ", i), "2026-12-01T20:00:00")
			}
			views := make(map[svc.Viewer]view)
			check := func(about string) {
				for _, v := range viewers {
					before, seen := views[v]
					changed := dataset.Changed{}
					if seen {
						changed = h.changedSince(v, before)
					}
					now, ok := h.readView(v)
					if !ok {
						delete(views, v)
						continue
					}
					for section, text := range now.sections {
						if seen && !slices.Contains(alwaysRead, section) && !bytes.Equal(text, before.sections[section]) && !slices.Contains(changed.Sections, section) {
							t.Errorf("%s, %v: section %s differs, got the sections %q and services %q", about, v, section, changed.Sections, changed.Services)
						}
					}
					views[v] = now
				}
			}
			names := slices.Sorted(maps.Keys(writes))
			h.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			for _, name := range names {
				h.tryWrite(name)
				check("after " + name)
				pause := time.Duration(1+h.IntN(100)) * time.Minute
				s.Clock.Advance(pause)
				check(fmt.Sprint(pause, " after ", name))
			}
		})
	}
}

// After a change of a topic, Changed names only the sections and services that depend on it,
// and nothing for other members. Covers B-104.
func TestChangedNamesTheReadersOfATopic(t *testing.T) {
	s, viewers := worldtest.New(t, "ann", "bea")
	all := s.World.Everything()
	for topic, want := range map[string]dataset.Changed{
		svc.AllTopics:          all,
		svc.TimeTopic:          {Sections: []string{"workspace", "objects", "contexts", "actions"}, Services: []string{"time"}},
		svc.PreferencesTopic:   {Sections: []string{"member"}, Services: []string{"identity"}},
		svc.MessagesTopic:      {Sections: []string{"workspace", "objects", "contexts", "actions"}, Services: []string{"messages"}},
		svc.SurfaceTopic:       {Sections: []string{"workspace", "objects", "contexts", "actions", "findings"}, Services: []string{"workspace", "find"}},
		svc.BlocksTopic:        {Sections: []string{"workspace", "objects", "contexts", "actions"}, Services: []string{"time", "messages", "social"}},
		svc.PresenceTopic:      {Sections: []string{"workspace", "objects", "contexts", "actions"}, Services: []string{"messages", "social"}},
		svc.NotificationsTopic: {Services: []string{"social"}},
		svc.SearchesTopic:      {Services: []string{"find"}},
		svc.AccountTopic:       {Sections: []string{"contexts", "actions"}, Services: []string{"identity"}},
		svc.MapsTopic:          {Sections: []string{"contexts", "actions", "field"}, Services: []string{"maps", "find"}},
		svc.ProvidersTopic:     {Sections: []string{"workspace", "objects", "contexts", "actions"}, Services: []string{"providers"}},
	} {
		before := make(map[svc.Viewer]int64)
		for _, v := range viewers {
			s.Read(func(tx *store.Tx) error { before[v] = tx.Revision(int64(v.Member())); return nil })
		}
		s.Write(func(tx *store.Tx) error {
			tx.Touch(svc.Change{Topics: []string{topic}}, int64(viewers[0].Member()))
			return nil
		})
		for i, v := range viewers {
			var got dataset.Changed
			s.Read(func(tx *store.Tx) error {
				got = s.World.ChangedSince(tx.Revisions(int64(v.Member())), before[v])
				return nil
			})
			if i > 0 {
				want = dataset.Changed{}
			}
			if join(got) != join(want) {
				t.Errorf("topic %q for the member %v: got %s, want %s", topic, v, join(got), join(want))
			}
		}
	}
}

func join(c dataset.Changed) string {
	return strings.Join(c.Sections, " ") + " of " + strings.Join(c.Services, " ")
}
