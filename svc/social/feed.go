package social

import (
	"math"

	"appliance/store"
	"appliance/svc"
)

// Target is the record that an activity, a notification or an invitation is
// about.
type Target struct {
	Type  TargetType `json:"type"`
	ID    string     `json:"id"`    // empty if an invitation is for a record that the viewer cannot see
	Title string     `json:"title"` // empty if the viewer cannot see the record
}

// feedRow is a row of social_activity or social_notification, whose kinds are of the type K.
type feedRow[K ~string] struct {
	ID         string        `db:"id"`
	Kind       K             `db:"kind"`
	Actor      svc.MemberID  `db:"actor_id"`
	TargetType TargetType    `db:"target_type"`
	TargetID   string        `db:"target_id"`
	CreatedAt  store.Millis  `db:"created_at"`
	ReadAt     *store.Millis `db:"read_at"` // notifications only; NULL while unread
}

// feedCursor is a position in a feed, newest first.
type feedCursor struct {
	At store.Millis `json:"a"`
	ID string       `json:"i"`
}

type feedQueries struct {
	AddActivity                store.Query `sql:"add-activity"`
	ListActivity               store.Query `sql:"list-activity"`
	DeleteExpiredActivity      store.Query `sql:"delete-expired-activity"`
	DeleteActivity             store.Query `sql:"delete-activity"`
	TargetTitles               store.Query `sql:"target-titles"`
	AddNotifications           store.Query `sql:"add-notifications"`
	ListNotifications          store.Query `sql:"list-notifications"`
	CountUnreadNotifications   store.Query `sql:"count-unread-notifications"`
	HasNotification            store.Query `sql:"has-notification"`
	MarkNotificationsRead      store.Query `sql:"mark-notifications-read"`
	MarkUnreadNotifications    store.Query `sql:"mark-unread-notifications"`
	LastNotification           store.Query `sql:"last-notification"`
	PutNotificationsRead       store.Query `sql:"put-notifications-read"`
	NextNotificationsRead      store.Query `sql:"next-notifications-read"`
	DeleteNotificationsRead    store.Query `sql:"delete-notifications-read"`
	DeleteExpiredNotifications store.Query `sql:"delete-expired-notifications"`
	DeleteNotifications        store.Query `sql:"delete-notifications"`
	DeleteMemberNotifications  store.Query `sql:"delete-member-notifications"`
}

// feedPage reads a page of the feed that query selects. list names the feed in
// cursors.
func feedPage[K ~string](tx *store.Tx, v svc.Viewer, query store.Query, args store.Args, list string, limit int, cursor string) (rows []feedRow[K], page svc.Page, err error) {
	cursors := svc.NewCursors(tx.InstanceKey(), list, v)
	limit, err = svc.PageLimit(limit)
	before := feedCursor{At: math.MaxInt64}
	if err := svc.Join(err, cursors.Decode(cursor, &before)); err != nil {
		return nil, page, err
	}
	args["before"], args["before_id"], args["limit"] = before.At, before.ID, limit+1
	if err := tx.Select(&rows, query, args); err != nil {
		return nil, page, err
	}
	rows, page = svc.CutPage(cursors, rows, limit, func(r feedRow[K]) any { return feedCursor{r.CreatedAt, r.ID} })
	return rows, page, nil
}

// feedNames returns the names of the actors and the titles of the targets.
func feedNames[K ~string](s *Service, tx *store.Tx, w view, rows []feedRow[K]) (names, map[string]string, error) {
	actors, targets := make([]svc.MemberID, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		actors[i], targets[i] = r.Actor, r.TargetID
	}
	names, err := s.names(tx, w.language, actors...)
	if err != nil {
		return names, nil, err
	}
	titles, err := s.targetTitles(tx, w, targets)
	return names, titles, err
}

// targetTitles returns the titles of targets that are visible to the viewer. An invitation has the
// title of its target, as long as the invitee can see or join the target.
func (s *Service) targetTitles(tx *store.Tx, w view, targets []string) (map[string]string, error) {
	var rows []struct {
		ID    string `db:"id"`
		Title string `db:"title"`
	}
	args := w.args(store.Args{"targets": store.JSONArray(targets), "member": w.member, "now": store.MillisOf(tx.Now())})
	err := tx.Select(&rows, s.q.TargetTitles, args)
	titles := make(map[string]string, len(rows))
	for _, r := range rows {
		titles[r.ID] = r.Title
	}
	return titles, err
}
