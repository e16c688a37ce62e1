package social

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Overview is what a dataset shows a member of social life.
type Overview struct {
	Communities   []Community // the member's own before others, the newest first
	Conversations []Conversation
	DMs           []DM
	Events        []Event      // that are not over by their beginning, then the last that are
	Profiles      []Here       // the member's own, then those of their circles, the nearest first
	Invitations   []Invitation // to and from the member that are pending, the newest first
	Blocks        []Block      // of the member
	Cut           bool         // there is more of something
	Until         time.Time    // when it is another one by itself; zero if it never is
}

// How many of each are in an overview: as many as a dataset has room for beside
// calendar entries and threads (B-82).
const (
	maxCommunities   = 60
	maxConversations = 80
	maxDMs           = 40
	maxEvents        = 50
	maxProfiles      = 50
	maxInvitations   = 200
	maxBlocks        = 200
	pastEvents       = 10
)

// Overview returns what there is of social life for v.
func (s *Service) Overview(tx *store.Tx, v svc.Viewer) (o Overview, err error) {
	w, err := s.view(tx, v)
	if err != nil {
		return o, err
	}
	return s.overview(tx, w)
}

func (s *Service) overview(tx *store.Tx, w view) (o Overview, err error) {
	if o.Blocks, err = s.Blocks(tx, w.member); err != nil {
		return o, err
	}
	o.Blocks = first(&o, o.Blocks, maxBlocks)
	for _, read := range []func(*store.Tx, view, *Overview) error{
		s.nearestCommunities, s.latestConversations, s.latestDMs, s.nextEvents, s.nearestProfiles, s.pendingInvitations,
	} {
		if err := read(tx, w, &o); err != nil {
			return o, err
		}
	}
	return o, nil
}

// first returns the first of a list that an overview has no more of.
func first[T any](o *Overview, list []T, limit int) []T {
	if len(list) <= limit {
		return list
	}
	o.Cut = true
	return list[:limit]
}

// ends notes that the overview is another one from t on.
func (o *Overview) ends(t time.Time) {
	if o.Until.IsZero() || t.Before(o.Until) {
		o.Until = t
	}
}

func (s *Service) nearestCommunities(tx *store.Tx, w view, o *Overview) error {
	var ids []string
	err := tx.Select(&ids, s.q.NearestCommunities, store.Args{"member": w.member, "limit": maxCommunities + 1})
	if err != nil {
		return err
	}
	rows, err := s.seenCommunities(tx, w, first(o, ids, maxCommunities)...)
	for _, row := range rows {
		o.Communities = append(o.Communities, row.community())
	}
	return err
}

func (s *Service) latestConversations(tx *store.Tx, w view, o *Overview) error {
	places, err := s.latest(tx, w, start, maxConversations+1)
	if err != nil {
		return err
	}
	o.Conversations, err = s.conversations(tx, w, idsOf(first(o, places, maxConversations))...)
	return err
}

func (s *Service) latestDMs(tx *store.Tx, w view, o *Overview) error {
	rows, err := s.dmRows(tx, w.member, math.MaxInt64, maxDMs+1)
	if err != nil {
		return err
	}
	o.DMs, err = s.dms(tx, w, first(o, rows, maxDMs)...)
	return err
}

func (s *Service) nextEvents(tx *store.Tx, w view, o *Overview) error {
	var rows, past []eventRow
	now := store.MillisOf(tx.Now())
	if err := tx.Select(&rows, s.q.Events, w.args(store.Args{
		"member": w.member, "from": now, "to": forever, "at": int64(math.MinInt64), "id": "", "limit": maxEvents + 1,
	})); err != nil {
		return err
	}
	rows = first(o, rows, maxEvents)
	for _, e := range rows {
		o.ends(e.EndsAt.Time())
	}
	if err := tx.Select(&past, s.q.PastEvents, w.args(store.Args{
		"member": w.member, "now": now, "at": int64(math.MaxInt64), "id": "", "limit": pastEvents,
	})); err != nil {
		return err
	}
	events, err := s.shownEvents(tx, w, append(rows, past...))
	o.Events = events
	return err
}

// nearestProfiles reads the profiles of the member and of their circles, and
// who of them is there. Profiles are never hidden from a circle.
func (s *Service) nearestProfiles(tx *store.Tx, w view, o *Overview) error {
	near := slices.DeleteFunc(slices.Collect(maps.Keys(w.circles.places)), w.hides)
	here, err := s.names(tx, near...)
	if err != nil {
		return err
	}
	near = slices.DeleteFunc(near, func(m svc.MemberID) bool { _, active := here[m]; return !active })
	slices.SortFunc(near, func(a, b svc.MemberID) int {
		return cmp.Or(cmp.Compare(w.circles.depth(a), w.circles.depth(b)), cmp.Compare(a, b))
	})
	shown := first(o, slices.Insert(near, 0, w.member), maxProfiles)
	profiles, err := s.profiles(tx, w, shown...)
	if err != nil {
		return err
	}
	present, err := s.presentAmong(tx, w, shown)
	for _, p := range profiles {
		here := present[p.MemberID]
		o.Profiles = append(o.Profiles, Here{p, here})
		if here != nil {
			o.ends(*here.ExpiresAt)
		}
	}
	return err
}

func (s *Service) pendingInvitations(tx *store.Tx, w view, o *Overview) error {
	var rows []invitationRow
	err := tx.Select(&rows, s.q.PendingInvitations, store.Args{
		"member": w.member, "now": store.MillisOf(tx.Now()), "limit": maxInvitations + 1, "hidden": w.hiding,
	})
	if err != nil {
		return err
	}
	rows = first(o, rows, maxInvitations)
	for _, i := range rows {
		o.ends(i.ExpiresAt.Time())
	}
	o.Invitations, err = s.shownInvitations(tx, w, rows, func(i invitationRow) bool { return i.Inviter == w.member })
	return err
}

// Counts are how many of each a member sees: as many as the lists of them
// have (PT-42).
type Counts struct {
	Conversations int `json:"conversations"`
	Communities   int `json:"communities"`
	Events        int `json:"events"`   // that are not over
	Presence      int `json:"presence"` // who is there, the member among them
}

// Counts returns how many there are of everything for v, and when that is
// otherwise by itself: the zero time if it never is.
func (s *Service) Counts(tx *store.Tx, v svc.Viewer) (n Counts, until time.Time, err error) {
	w, err := s.view(tx, v)
	if err != nil {
		return n, until, err
	}
	return s.counts(tx, w)
}

func (s *Service) counts(tx *store.Tx, w view) (n Counts, until time.Time, err error) {
	if err := tx.Get(&n.Communities, s.q.CountCommunities, store.Args{"member": w.member}); err != nil {
		return n, until, err
	}
	if err := tx.Get(&n.Conversations, s.q.CountConversations, w.args(nil)); err != nil {
		return n, until, err
	}
	var events struct {
		N    int          `db:"n"`
		Next store.Millis `db:"next"`
	}
	if err := tx.Get(&events, s.q.CountEvents, w.args(store.Args{"now": store.MillisOf(tx.Now()), "forever": forever})); err != nil {
		return n, until, err
	}
	n.Events = events.N
	n.Presence, until, err = s.countPresent(tx, w)
	if next := events.Next.Time(); events.N > 0 && (until.IsZero() || next.Before(until)) {
		until = next
	}
	return n, until, err
}
