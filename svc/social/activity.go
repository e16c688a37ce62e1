package social

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Target is what something is about.
type Target struct {
	Type  string `json:"type"` // "community", "conversation", "event", "invitation" or "dm"
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Activity is something that happened. Schema: service.social.activity.
type Activity struct {
	ID        string    `json:"id"`
	Kind      string    `json:"kind"` // "community.created", "member.joined", "conversation.started", "reply.posted", "event.created", "event.updated", "event.cancelled" or "rsvp.changed"
	Actor     MemberRef `json:"actor"`
	Target    Target    `json:"target"`
	CreatedAt time.Time `json:"created_at"`
}

// ActivityPage is a page of what happened, the latest first.
type ActivityPage struct {
	Activity []Activity
	Page     svc.Page
}

// happening is a row of social_activity or social_notification.
type happening struct {
	ID         string        `db:"id"`
	Kind       string        `db:"kind"`
	Actor      svc.MemberID  `db:"actor_id"`
	TargetType string        `db:"target_type"`
	TargetID   string        `db:"target_id"`
	CreatedAt  store.Millis  `db:"created_at"`
	ReadAt     *store.Millis `db:"read_at"` // of a notification; NULL while it is unread
}

// happeningPlace is where something stands in a list by time.
type happeningPlace struct {
	At store.Millis `json:"a"`
	ID string       `json:"i"`
}

func (h happening) place() any { return happeningPlace{h.CreatedAt, h.ID} }

// record adds to the activity what an actor did to a target, for those who may
// see it.
func (s *Service) record(tx *store.Tx, kind string, actor svc.MemberID, targetType, target string, a audience) error {
	_, err := tx.Exec(s.q.AddActivity, store.Args{
		"id": svc.NewID("act"), "kind": kind, "actor": actor, "target_type": targetType, "target": target,
		"audience": a, "now": store.MillisOf(tx.Now()),
	})
	return err
}

// Activity lists what happened of which v sees both who did it and to what.
func (s *Service) Activity(tx *store.Tx, v svc.Viewer, limit int, cursor string) (ActivityPage, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return ActivityPage{}, err
	}
	rows, page, err := s.happenings(tx, v, s.q.Activity, w.args(nil), "social.activity", limit, cursor)
	if err != nil {
		return ActivityPage{}, err
	}
	names, titles, err := s.called(tx, w, rows)
	list := make([]Activity, len(rows))
	for i, h := range rows {
		list[i] = Activity{h.ID, h.Kind, names.of(h.Actor), Target{h.TargetType, h.TargetID, titles[h.TargetID]}, h.CreatedAt.Timestamp()}
	}
	return ActivityPage{list, page}, err
}

// happenings reads a page of a list by time.
func (s *Service) happenings(tx *store.Tx, v svc.Viewer, q store.Query, args store.Args, list string, limit int, cursor string) (rows []happening, page svc.Page, err error) {
	cursors := svc.NewCursors(tx.InstanceKey(), list, v)
	limit, err = svc.PageLimit(limit)
	before := happeningPlace{At: math.MaxInt64}
	if err := svc.Join(err, cursors.Decode(cursor, &before)); err != nil {
		return nil, page, err
	}
	args["before"], args["before_id"], args["limit"] = before.At, before.ID, limit+1
	if err := tx.Select(&rows, q, args); err != nil {
		return nil, page, err
	}
	rows, page = svc.CutPage(cursors, rows, limit, happening.place)
	return rows, page, nil
}

// called returns what those who did something are called, and what they did it
// to.
func (s *Service) called(tx *store.Tx, w view, rows []happening) (names, map[string]string, error) {
	actors, targets := make([]svc.MemberID, len(rows)), make([]string, len(rows))
	for i, h := range rows {
		actors[i], targets[i] = h.Actor, h.TargetID
	}
	names, err := s.names(tx, actors...)
	if err != nil {
		return nil, nil, err
	}
	titles, err := s.titles(tx, w, targets)
	return names, titles, err
}

// titles returns what targets that the member sees are called. An invitation
// has a title as long as they may know what it is to.
func (s *Service) titles(tx *store.Tx, w view, targets []string) (map[string]string, error) {
	var list []struct {
		ID    string `db:"id"`
		Title string `db:"title"`
	}
	args := w.args(store.Args{"targets": jsonList(targets), "member": w.member, "now": store.MillisOf(tx.Now())})
	err := tx.Select(&list, s.q.Titles, args)
	titles := make(map[string]string, len(list))
	for _, t := range list {
		titles[t.ID] = t.Title
	}
	return titles, err
}
