package social

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Presence is whether a member is there, as they say themselves: nothing else
// makes it, and it ends by itself (B-69). Schema: service.social.presence.
type Presence struct {
	MemberID    svc.MemberID `json:"member_id"`
	DisplayName string       `json:"display_name"`
	State       string       `json:"state"` // "online", "away", "busy" or "offline"
	Note        string       `json:"note"`
	VisibleTo   string       `json:"visible_to"` // "inner", "trusted", "extended", "members" or "nobody"
	UpdatedAt   *time.Time   `json:"updated_at"` // null if they never said
	ExpiresAt   *time.Time   `json:"expires_at"` // they are offline from then on
}

// NewPresence is what a member says of being there.
type NewPresence struct {
	State     string `json:"state"`
	Note      string `json:"note"`
	VisibleTo string `json:"visible_to"`  // "" leaves it as it is, "members" at first
	TTL       *int   `json:"ttl_seconds"` // 30 to 3600; nil is 300
}

// PresencePage is a page of whoever is present, by number, and the viewer.
type PresencePage struct {
	Presence svc.List[Presence]
	Page     svc.Page
	Mine     Presence
}

// How long a presence holds that is not said again, in seconds.
const (
	minTTL   = 30
	usualTTL = 300
	maxTTL   = 3600
)

const offline = "offline"

// presenceDepths are how far from a member their presence is seen, where not
// everybody sees it.
var presenceDepths = map[string]int{"nobody": 0, "inner": 1, "trusted": 2, "extended": 3}

// presenceRow is a row of social_presence.
type presenceRow struct {
	Member    svc.MemberID `db:"member_id"`
	State     string       `db:"state"`
	Note      string       `db:"note"`
	VisibleTo string       `db:"visible_to"`
	Audience  audience     `db:"audience_id"`
	UpdatedAt store.Millis `db:"updated_at"`
	ExpiresAt store.Millis `db:"expires_at"`
}

// live reports whether it holds at a moment.
func (r presenceRow) live(now store.Millis) bool { return r.State != offline && r.ExpiresAt > now }

// presence returns the row as it is at a moment.
func (r presenceRow) presence(names names, now store.Millis) Presence {
	p := Presence{MemberID: r.Member, DisplayName: names.of(r.Member).DisplayName, State: offline, VisibleTo: r.VisibleTo}
	if r.ExpiresAt > now {
		p.State, p.Note = r.State, r.Note
	}
	if r.UpdatedAt != 0 {
		updated, expires := r.UpdatedAt.Timestamp(), r.ExpiresAt.Timestamp()
		p.UpdatedAt, p.ExpiresAt = &updated, &expires
	}
	return p
}

// SetPresence says that v is there, or is not.
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
	ttl := usualTTL
	if in.TTL != nil {
		ttl = *in.TTL
	}
	if err := in.check(ttl); err != nil {
		return Presence{}, err
	}
	row := presenceRow{
		Member: member, State: in.State, Note: in.Note, VisibleTo: in.VisibleTo, Audience: everybody,
		UpdatedAt: store.MillisOf(tx.Now()), ExpiresAt: store.MillisOf(tx.Now().Add(time.Duration(ttl) * time.Second)),
	}
	if depth, some := presenceDepths[in.VisibleTo]; some {
		if row.Audience, err = s.ofCircle(tx, member, depth); err != nil {
			return Presence{}, err
		}
	}
	if err := s.putPresence(tx, old, row); err != nil {
		return Presence{}, err
	}
	names, err := s.names(tx, member)
	return row.presence(names, row.UpdatedAt), err
}

func (in NewPresence) check(ttl int) error {
	var state, span error
	if in.State == "" {
		state = svc.Required("state")
	} else {
		state = oneOf("state", in.State, "online", "away", "busy", offline)
	}
	if ttl < minTTL || ttl > maxTTL {
		span = svc.FieldError(svc.InvalidValue, "ttl_seconds", "ttl_seconds must be between %d and %d.", minTTL, maxTTL)
	}
	return svc.Join(state, optionalLine("note", in.Note, svc.MaxTitle),
		oneOf("visible_to", in.VisibleTo, "inner", "trusted", "extended", "members", "nobody"), span)
}

// putPresence replaces what a member has said. Whoever says the same again in
// time changes nothing for others: what they have read of it is asked for
// again when the old one would have ended.
func (s *Service) putPresence(tx *store.Tx, old, row presenceRow) error {
	_, err := tx.Exec(s.q.PutPresence, store.Args{
		"member": row.Member, "state": row.State, "note": row.Note, "visible_to": row.VisibleTo, "audience": row.Audience,
		"now": row.UpdatedAt, "expires": row.ExpiresAt,
	})
	if err != nil {
		return err
	}
	tx.TouchItem(svc.PresenceTopic, row.Member.String(), int64(row.Member))
	was, is := old.live(row.UpdatedAt), row.live(row.UpdatedAt)
	if was && is && old.State == row.State && old.Note == row.Note && old.Audience == row.Audience && old.ExpiresAt <= row.ExpiresAt {
		return nil
	}
	if was {
		err = s.touch(tx, svc.PresenceTopic, row.Member.String(), old.Audience)
	}
	if is && err == nil {
		err = s.touch(tx, svc.PresenceTopic, row.Member.String(), row.Audience)
	}
	return err
}

// presenceRow reads what a member has said last.
func (s *Service) presenceRow(tx *store.Tx, member svc.MemberID) (presenceRow, error) {
	var row presenceRow
	err := tx.Get(&row, s.q.Presence, store.Args{"member": member})
	if store.IsNoRows(err) {
		return presenceRow{Member: member, State: offline, VisibleTo: "members"}, nil
	}
	return row, err
}

// OwnPresence returns what a member has said last, to themselves.
func (s *Service) OwnPresence(tx *store.Tx, member svc.MemberID) (Presence, error) {
	row, err := s.presenceRow(tx, member)
	if err != nil {
		return Presence{}, err
	}
	names, err := s.names(tx, member)
	return row.presence(names, store.MillisOf(tx.Now())), err
}

// Presence returns whoever is present as far as v may know, v among them.
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
	rows, err := s.present(tx, w, after, limit+1)
	if err != nil {
		return PresencePage{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r presenceRow) any { return r.Member })
	mine, err := s.presenceRow(tx, w.member)
	if err != nil {
		return PresencePage{}, err
	}
	list, names, err := s.named(tx, rows, w.member)
	if err != nil {
		return PresencePage{}, err
	}
	return PresencePage{list, page, mine.presence(names, store.MillisOf(tx.Now()))}, nil
}

// Present returns how many members are present as far as v may know, and
// until when that holds by itself: the first of them to expire, or the zero
// time if there is none.
func (s *Service) CountPresent(tx *store.Tx, v svc.Viewer) (count int, until time.Time, err error) {
	w, err := s.view(tx, v)
	if err != nil {
		return 0, time.Time{}, err
	}
	return s.countPresent(tx, w)
}

func (s *Service) countPresent(tx *store.Tx, w view) (count int, until time.Time, err error) {
	rows, err := s.present(tx, w, 0, math.MaxInt32)
	if err != nil {
		return 0, time.Time{}, err
	}
	list, _, err := s.named(tx, rows)
	for _, r := range rows {
		if t := r.ExpiresAt.Time(); until.IsZero() || t.Before(until) {
			until = t
		}
	}
	return len(list), until, err
}

// present reads whoever is present as far as the viewer may know, after one of
// them.
func (s *Service) present(tx *store.Tx, w view, after svc.MemberID, limit int) (rows []presenceRow, err error) {
	err = tx.Select(&rows, s.q.Present, w.args(store.Args{"now": store.MillisOf(tx.Now()), "after": after, "limit": limit}))
	return rows, err
}

// named returns the rows of those who are still members, in their order, and
// what they and some others are called.
func (s *Service) named(tx *store.Tx, rows []presenceRow, others ...svc.MemberID) ([]Presence, names, error) {
	ids := others
	for _, r := range rows {
		ids = append(ids, r.Member)
	}
	names, err := s.names(tx, ids...)
	list := make([]Presence, 0, len(rows))
	for _, r := range rows {
		if _, active := names[r.Member]; active {
			list = append(list, r.presence(names, store.MillisOf(tx.Now())))
		}
	}
	return list, names, err
}
