package social

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Presence is the presence that a member has set. Only the member sets it, and
// it expires. Schema: service.social.presence.
type Presence struct {
	MemberID    svc.MemberID `json:"member_id"`
	DisplayName string       `json:"display_name"`
	svc.Appearance
	State             PresenceState    `json:"state"`
	Note              string           `json:"note"`
	VisibleTo         PresenceAudience `json:"visible_to"`
	UpdatedAt         *time.Time       `json:"updated_at"`          // null if it was never set
	ExpiresAt         *time.Time       `json:"expires_at"`          // the member is offline from then on
	RenewAfterSeconds *int             `json:"renew_after_seconds"` // time after updated_at at which the member's client renews the presence; null if it was never set
}

// NewPresence is a presence to set.
type NewPresence struct {
	State     PresenceState    `json:"state"`
	Note      string           `json:"note"`
	VisibleTo PresenceAudience `json:"visible_to"`  // "" keeps the last one, which defaults to members
	TTL       *int             `json:"ttl_seconds"` // 30 to 3600, default 300
}

// PresencePage is a page of the present members, by id, with the presence of
// the viewer.
type PresencePage struct {
	Presence svc.List[Presence]
	Page     svc.Page
	Mine     Presence
}

// Limits of the time to live, in seconds.
const (
	minTTL     = 30
	defaultTTL = 300
	maxTTL     = 3600
)

// presenceDepths maps values of visible_to to the depth of the circle audience.
// "members" is the audience of everyone.
var presenceDepths = map[PresenceAudience]int{PresenceNobody: 0, PresenceInner: 1, PresenceTrusted: 2, PresenceExtended: 3}

// presenceRow is a row of social_presence.
type presenceRow struct {
	Member    svc.MemberID     `db:"member_id"`
	State     PresenceState    `db:"state"`
	Note      string           `db:"note"`
	VisibleTo PresenceAudience `db:"visible_to"`
	Audience  audienceID       `db:"audience_id"`
	UpdatedAt store.Millis     `db:"updated_at"`
	ExpiresAt store.Millis     `db:"expires_at"`
}

type presenceQueries struct {
	Presence       store.Query `sql:"presence"`
	ListPresence   store.Query `sql:"list-presence"`
	PresenceOf     store.Query `sql:"presence-of"`
	LastSeen       store.Query `sql:"last-seen"`
	PutPresence    store.Query `sql:"put-presence"`
	DeletePresence store.Query `sql:"delete-presence"`
}

// isPresent reports whether the member is present at now.
func (r presenceRow) isPresent(now store.Millis) bool {
	return r.State != PresenceOffline && r.ExpiresAt > now
}

// toPresence returns the presence at now.
func (r presenceRow) toPresence(names names, now store.Millis) Presence {
	member := names.ref(r.Member)
	p := Presence{MemberID: r.Member, DisplayName: member.DisplayName, Appearance: member.Appearance, State: PresenceOffline, VisibleTo: r.VisibleTo}
	if r.ExpiresAt > now {
		p.State, p.Note = r.State, r.Note
	}
	if r.UpdatedAt != 0 {
		p.UpdatedAt, p.ExpiresAt = new(r.UpdatedAt.Timestamp()), new(r.ExpiresAt.Timestamp())
		p.RenewAfterSeconds = new(int(r.ExpiresAt.Time().Sub(r.UpdatedAt.Time()).Seconds()) / 2)
	}
	return p
}

// SetPresence sets the presence of v.
func (s *Service) SetPresence(tx *store.Tx, v svc.Viewer, in NewPresence) (Presence, error) {
	member, err := v.Require()
	if err != nil {
		return Presence{}, err
	}
	old, err := s.presenceRow(tx, member)
	if err != nil {
		return Presence{}, err
	}
	if in.VisibleTo == "" {
		in.VisibleTo = old.VisibleTo
	}
	ttl := defaultTTL
	if in.TTL != nil {
		ttl = *in.TTL
	}
	if err := in.validate(ttl); err != nil {
		return Presence{}, err
	}
	row := presenceRow{
		Member: member, State: in.State, Note: in.Note, VisibleTo: in.VisibleTo, Audience: everyoneAudience,
		UpdatedAt: store.MillisOf(tx.Now()), ExpiresAt: store.MillisOf(tx.Now().Add(time.Duration(ttl) * time.Second)),
	}
	if depth, ok := presenceDepths[in.VisibleTo]; ok {
		if row.Audience, err = s.circleAudience(tx, member, depth); err != nil {
			return Presence{}, err
		}
	}
	if err := s.putPresence(tx, old, row); err != nil {
		return Presence{}, err
	}
	names, err := s.names(tx, v.Language(), member)
	return row.toPresence(names, row.UpdatedAt), err
}

func (in NewPresence) validate(ttl int) error {
	var errTTL error
	if ttl < minTTL || ttl > maxTTL {
		errTTL = svc.FieldError(svc.InvalidValue, "ttl_seconds", "The presence must last between %d and %d seconds.", minTTL, maxTTL)
	}
	return svc.Join(svc.CheckChosen("state", in.State), checkOptionalLine("note", in.Note, svc.MaxTitle),
		svc.CheckChosen("visible_to", in.VisibleTo), errTTL)
}

// putPresence replaces the presence of a member. A renewal without a visible
// change is not announced to other members: their cached copies are read again
// when the old presence expires. A write of a member who is not present is announced if
// other members see their last_seen.
func (s *Service) putPresence(tx *store.Tx, old, row presenceRow) error {
	_, err := tx.Exec(s.q.PutPresence, store.Args{
		"member": row.Member, "state": row.State, "note": row.Note, "visible_to": row.VisibleTo, "audience": row.Audience,
		"now": row.UpdatedAt, "expires": row.ExpiresAt,
	})
	if err != nil {
		return err
	}
	tx.Touch(svc.PresenceRenewed, int64(row.Member))
	before, after := old.isPresent(row.UpdatedAt), row.isPresent(row.UpdatedAt)
	if before && after && old.State == row.State && old.Note == row.Note && old.Audience == row.Audience && old.ExpiresAt <= row.ExpiresAt {
		return nil
	}
	shown := false // reports whether other members see last_seen
	if !before || !after {
		details, err := s.ProfileDetails(tx, row.Member)
		if err != nil {
			return err
		}
		shown = details.ShowLastSeen
	}
	if before || shown && old.UpdatedAt != 0 {
		err = s.touchAudience(tx, svc.PresenceChanged, old.Audience)
	}
	if (after || shown) && err == nil {
		err = s.touchAudience(tx, svc.PresenceChanged, row.Audience)
	}
	return err
}

// presenceRow reads the presence that a member has set last.
func (s *Service) presenceRow(tx *store.Tx, member svc.MemberID) (presenceRow, error) {
	var row presenceRow
	err := tx.Get(&row, s.q.Presence, store.Args{"member": member})
	if store.IsNoRows(err) {
		return presenceRow{Member: member, State: PresenceOffline, VisibleTo: PresenceMembers}, nil
	}
	return row, err
}

// OwnPresence returns the presence of a member for the member themselves.
func (s *Service) OwnPresence(tx *store.Tx, member svc.MemberID) (Presence, error) {
	row, err := s.presenceRow(tx, member)
	if err != nil {
		return Presence{}, err
	}
	names, err := s.names(tx, words.English, member) // the member is active
	return row.toPresence(names, store.MillisOf(tx.Now())), err
}

// Presence returns a page of the present members that v sees, v included.
func (s *Service) Presence(tx *store.Tx, v svc.Viewer, limit int, cursor string) (PresencePage, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return PresencePage{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "social.presence", v)
	limit, errLimit := svc.PageLimit(limit)
	var after svc.MemberID
	if err := svc.Join(errLimit, cursors.Decode(cursor, &after)); err != nil {
		return PresencePage{}, err
	}
	rows, err := s.listPresence(tx, w, after, limit+1)
	if err != nil {
		return PresencePage{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r presenceRow) any { return r.Member })
	mine, err := s.presenceRow(tx, w.member)
	if err != nil {
		return PresencePage{}, err
	}
	list, names, err := s.completePresences(tx, rows, w.member)
	if err != nil {
		return PresencePage{}, err
	}
	return PresencePage{list, page, mine.toPresence(names, store.MillisOf(tx.Now()))}, nil
}

// countPresent counts the present members that the viewer sees. The count is valid
// until the first presence expires; until is zero if no member is present.
func (s *Service) countPresent(tx *store.Tx, w view) (count int, until time.Time, err error) {
	rows, err := s.listPresence(tx, w, 0, math.MaxInt32)
	if err != nil {
		return 0, time.Time{}, err
	}
	list, _, err := s.completePresences(tx, rows)
	for _, r := range rows {
		if t := r.ExpiresAt.Time(); until.IsZero() || t.Before(until) {
			until = t
		}
	}
	return len(list), until, err
}

// listPresence reads the presence of up to limit present members that the viewer
// sees. It begins with the member whose id follows after.
func (s *Service) listPresence(tx *store.Tx, w view, after svc.MemberID, limit int) (rows []presenceRow, err error) {
	err = tx.Select(&rows, s.q.ListPresence, w.args(store.Args{"now": store.MillisOf(tx.Now()), "after": after, "limit": limit}))
	return rows, err
}

// presenceOf returns the presence of members, by id. It omits members who are not present, or whose
// presence the viewer cannot see.
func (s *Service) presenceOf(tx *store.Tx, w view, members []svc.MemberID) (map[svc.MemberID]*Presence, error) {
	var rows []presenceRow
	err := tx.Select(&rows, s.q.PresenceOf, w.args(store.Args{"members": store.JSONArray(members), "now": store.MillisOf(tx.Now())}))
	if err != nil {
		return nil, err
	}
	list, _, err := s.completePresences(tx, rows)
	present := make(map[svc.MemberID]*Presence, len(list))
	for _, p := range list {
		present[p.MemberID] = &p
	}
	return present, err
}

// lastSeen returns the minute in which each of the members has last set or renewed their presence.
// It omits members who are present, who do not show the time, or whose presence is not visible to
// the viewer. Reading requests do not change the time, so that they need no write.
func (s *Service) lastSeen(tx *store.Tx, w view, members []svc.MemberID) (map[svc.MemberID]*time.Time, error) {
	var rows []struct {
		Member svc.MemberID `db:"member_id"`
		At     store.Millis `db:"updated_at"`
	}
	err := tx.Select(&rows, s.q.LastSeen, w.args(store.Args{"members": store.JSONArray(members), "now": store.MillisOf(tx.Now())}))
	seen := make(map[svc.MemberID]*time.Time, len(rows))
	for _, r := range rows {
		seen[r.Member] = new(r.At.Timestamp().Truncate(time.Minute))
	}
	return seen, err
}

// completePresences returns the presence of the active members in rows. It also
// returns the names of the members in rows and in others.
func (s *Service) completePresences(tx *store.Tx, rows []presenceRow, others ...svc.MemberID) ([]Presence, names, error) {
	ids := others
	for _, r := range rows {
		ids = append(ids, r.Member)
	}
	names, err := s.names(tx, words.English, ids...)
	list := make([]Presence, 0, len(rows))
	for _, r := range rows {
		if names.has(r.Member) {
			list = append(list, r.toPresence(names, store.MillisOf(tx.Now())))
		}
	}
	return list, names, err
}
