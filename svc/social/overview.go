package social

import (
	"maps"
	"math"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

type datasetQueries struct {
	DatasetCommunities store.Query `sql:"dataset-communities"`
	CountCommunities   store.Query `sql:"count-communities"`
	ModeratedMembers   store.Query `sql:"moderated-members"`
	DatasetInvitations store.Query `sql:"dataset-invitations"`
}

// Overview is what a dataset shows a member of social life. Each part is read
// when it is asked for, so that whoever knows one already asks for the others
// alone. Those that change most are brought up to date by what has changed of
// their items, as long as social life at large does not change.
type Overview struct {
	service *Service
	tx      *store.Tx
	viewer  svc.Viewer
	seen    *view // nil until something is read
}

// Listed is a part of an overview.
type Listed[T any] struct {
	List  []T
	Cut   bool      // there is more of it
	Until time.Time // when it is another one by itself; zero if it never is
}

// How many of each are in an overview: as many as a dataset has room for beside
// calendar entries and threads (B-82).
const (
	maxCommunities   = 100
	maxConversations = 120
	maxDMs           = 60
	maxEvents        = 80
	pastEvents       = 20
	maxProfiles      = 80
	maxInvitations   = 200
	maxBlocks        = 200
	maxCharges       = 100
)

// Overview returns what there is of social life for v.
func (s *Service) Overview(tx *store.Tx, v svc.Viewer) *Overview {
	return &Overview{service: s, tx: tx, viewer: v}
}

func (o *Overview) view() (view, error) {
	if o.seen == nil {
		w, err := o.service.view(o.tx, o.viewer)
		if err != nil {
			return w, err
		}
		o.seen = &w
	}
	return *o.seen, nil
}

// first returns the first of a list, and notes whether there is more.
func first[T any](cut *bool, list []T, limit int) []T {
	if *cut = len(list) > limit; *cut {
		return list[:limit]
	}
	return list
}

// ends notes that there is another one from t on.
func (l *Listed[T]) ends(t time.Time) {
	if l.Until.IsZero() || t.Before(l.Until) {
		l.Until = t
	}
}

// Blocks are those of the member, the newest first.
func (o *Overview) Blocks() (l Listed[Block], err error) {
	list, err := o.service.Blocks(o.tx, o.viewer.Member())
	l.List = first(&l.Cut, list, maxBlocks)
	return l, err
}

// Communities are the member's own before others, the newest first.
func (o *Overview) Communities() (l Listed[Community], err error) {
	w, err := o.view()
	if err != nil {
		return l, err
	}
	s := o.service
	var ids []string
	err = o.tx.Select(&ids, s.q.DatasetCommunities, store.Args{"member": w.member, "limit": maxCommunities + 1})
	if err != nil {
		return l, err
	}
	rows, err := s.visibleCommunities(o.tx, w, first(&l.Cut, ids, maxCommunities)...)
	for _, row := range rows {
		l.List = append(l.List, row.contract())
		if row.InvitedUntil > 0 {
			l.ends(row.InvitedUntil.Time())
		}
	}
	return l, err
}

// Conversations are those that are not of an event, the latest activity first.
func (o *Overview) Conversations(known *Current[Conversation], changed []string) (*Current[Conversation], error) {
	w, err := o.view()
	if err != nil {
		return nil, err
	}
	s := o.service
	these := func(ids []string) ([]placed[Conversation], error) {
		rows, err := s.visibleConversations(o.tx, w, ids...)
		if err != nil {
			return nil, err
		}
		rows = slices.DeleteFunc(rows, func(r conversationRow) bool { return r.EventID != nil })
		shown, err := s.conversationContracts(o.tx, w, rows)
		list := make([]placed[Conversation], len(rows))
		for i, r := range rows {
			at := r.CreatedAt
			if r.LastReplyAt != nil {
				at = *r.LastReplyAt
			}
			list[i] = placed[Conversation]{position: position{past: true, at: int64(at), id: r.ID}, is: &shown[i]}
		}
		return list, err
	}
	return upToDate(known, changed, most{0, maxConversations}, func() ([]placed[Conversation], error) {
		places, err := s.latestConversations(o.tx, w, latestActivity, maxConversations+1)
		if err != nil {
			return nil, err
		}
		return these(idsOf(places))
	}, these)
}

// DMs are the latest first. Who goes to the same event may write to one another:
// those who may for that reason alone, or not yet, are read anew if elsewhere
// there was a change to events.
func (o *Overview) DMs(known *Current[DM], changed []string, elsewhere bool) (*Current[DM], error) {
	w, err := o.view()
	if err != nil {
		return nil, err
	}
	if known != nil && elsewhere {
		for _, d := range known.List() {
			if (d.Context == nil || d.Context.Kind == "event") && !slices.Contains(changed, d.ID) {
				changed = append(changed, d.ID)
			}
		}
	}
	show := func(rows []thread.Thread) ([]placed[DM], error) {
		shown, err := o.service.dmContracts(o.tx, w, rows...)
		list := make([]placed[DM], len(rows))
		for i, r := range rows {
			list[i] = placed[DM]{position: position{past: true, at: r.Position, id: r.ID}, is: &shown[i]}
		}
		return list, err
	}
	return upToDate(known, changed, most{0, maxDMs}, func() ([]placed[DM], error) {
		rows, err := o.service.threads.Page(o.tx, w.member, math.MaxInt64, maxDMs+1)
		if err != nil {
			return nil, err
		}
		return show(rows)
	}, func(ids []string) ([]placed[DM], error) {
		rows, err := o.service.threads.ByID(o.tx, w.member, ids...)
		if err != nil {
			return nil, err
		}
		return show(rows)
	})
}

// Events are those that are not over by their beginning, then the last that
// are.
func (o *Overview) Events(known *Current[Event], changed []string) (*Current[Event], error) {
	w, err := o.view()
	if err != nil {
		return nil, err
	}
	s, now := o.service, store.MillisOf(o.tx.Now())
	these := func(ids []string) ([]placed[Event], error) {
		rows, err := s.visibleEvents(o.tx, w, ids...)
		if err != nil {
			return nil, err
		}
		shown, err := s.eventContracts(o.tx, w, rows)
		list := make([]placed[Event], len(rows))
		for i, e := range rows {
			list[i] = placed[Event]{position: position{at: int64(e.StartsAt), id: e.ID}, until: e.EndsAt.Time(), is: &shown[i]}
			if e.EndsAt <= now {
				list[i].position, list[i].until = position{past: true, at: int64(e.EndsAt), id: e.ID}, time.Time{}
			}
		}
		return list, err
	}
	return upToDate(known, changed, most{maxEvents, pastEvents}, func() ([]placed[Event], error) {
		var next, past []eventCursor
		if err := o.tx.Select(&next, s.q.UpcomingEvents, w.args(store.Args{
			"from": now, "to": endless, "at": int64(math.MinInt64), "id": "", "limit": maxEvents + 1,
		})); err != nil {
			return nil, err
		}
		if err := o.tx.Select(&past, s.q.PastEvents, w.args(store.Args{
			"now": now, "at": int64(math.MaxInt64), "id": "", "limit": pastEvents + 1,
		})); err != nil {
			return nil, err
		}
		return these(idsOf(append(next, past...)))
	}, these)
}

// Profiles are the member's own, then those of their circles, the nearest
// first. They are never hidden from a circle.
func (o *Overview) Profiles() (l Listed[Profile], err error) {
	w, err := o.view()
	if err != nil {
		return l, err
	}
	s := o.service
	near := slices.DeleteFunc(slices.Collect(maps.Keys(w.circles.entries)), w.hides)
	here, err := s.names(o.tx, near...)
	if err != nil {
		return l, err
	}
	near = slices.DeleteFunc(near, func(m svc.MemberID) bool { return !here.has(m) })
	slices.SortFunc(near, w.circles.compare)
	l.List, err = s.profiles(o.tx, w, first(&l.Cut, slices.Insert(near, 0, w.member), maxProfiles)...)
	return l, err
}

// Here are profiles with who of them is there. What changes are members.
func (o *Overview) Here(profiles []Profile, known *Current[Here], changed []string) (*Current[Here], error) {
	w, err := o.view()
	if err != nil {
		return nil, err
	}
	show := func(wanted func(id string) bool) (list []placed[Here], err error) {
		var shown []svc.MemberID
		for _, p := range profiles {
			if wanted(p.MemberID.String()) {
				shown = append(shown, p.MemberID)
			}
		}
		present, err := o.service.presenceOf(o.tx, w, shown)
		for i, p := range profiles {
			if id := p.MemberID.String(); wanted(id) {
				one := placed[Here]{position: position{at: int64(i), id: id}, is: &Here{p, present[p.MemberID]}}
				if one.is.Presence != nil {
					one.until = *one.is.Presence.ExpiresAt
				}
				list = append(list, one)
			}
		}
		return list, err
	}
	return upToDate(known, changed, most{len(profiles), 0}, func() ([]placed[Here], error) {
		return show(func(string) bool { return true })
	}, func(ids []string) ([]placed[Here], error) {
		return show(func(id string) bool { return slices.Contains(ids, id) })
	})
}

// Charge is somebody in a community that the member looks after.
type Charge struct {
	CommunityMember
	Community string // what it is called
}

// Charges are whoever asks to join the communities that the member looks after,
// and who is in them, but for the member.
func (o *Overview) Charges() (l Listed[Charge], err error) {
	w, err := o.view()
	if err != nil {
		return l, err
	}
	s := o.service
	var rows []struct {
		Community string `db:"community_id"`
		memberRow
	}
	if err := o.tx.Select(&rows, s.q.ModeratedMembers, store.Args{"member": w.member, "limit": maxCharges + 1}); err != nil {
		return l, err
	}
	rows = first(&l.Cut, rows, maxCharges)
	var ids []string
	var members []svc.MemberID
	for _, r := range rows {
		if !slices.Contains(ids, r.Community) {
			ids = append(ids, r.Community)
		}
		members = append(members, r.Member)
	}
	communities, err := s.visibleCommunities(o.tx, w, ids...)
	if err != nil {
		return l, err
	}
	names, err := s.visibleNames(o.tx, w.hidden, members...)
	for _, r := range rows {
		c := communities[slices.IndexFunc(communities, func(c communityRow) bool { return c.ID == r.Community })]
		l.List = append(l.List, Charge{c.memberContract(r.memberRow, w.member, names), c.Name})
	}
	return l, err
}

// Invitations are those to and from the member that are pending, the newest
// first.
func (o *Overview) Invitations() (l Listed[Invitation], err error) {
	w, err := o.view()
	if err != nil {
		return l, err
	}
	s := o.service
	var rows []invitationRow
	err = o.tx.Select(&rows, s.q.DatasetInvitations, store.Args{
		"member": w.member, "now": store.MillisOf(o.tx.Now()), "limit": maxInvitations + 1, "hidden": w.hiddenList,
	})
	if err != nil {
		return l, err
	}
	rows = first(&l.Cut, rows, maxInvitations)
	for _, i := range rows {
		l.ends(i.ExpiresAt.Time())
	}
	l.List, err = s.invitationContracts(o.tx, w, rows, func(i invitationRow) bool { return i.Inviter == w.member })
	return l, err
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
	if err := tx.Get(&events, s.q.CountEvents, w.args(store.Args{"now": store.MillisOf(tx.Now()), "endless": endless})); err != nil {
		return n, until, err
	}
	n.Events = events.N
	n.Presence, until, err = s.countPresent(tx, w)
	if next := events.Next.Time(); events.N > 0 && (until.IsZero() || next.Before(until)) {
		until = next
	}
	return n, until, err
}
