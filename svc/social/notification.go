package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// Notification is something that a member should know of. It repeats nothing
// of what somebody wrote. Schema: service.social.notification.
type Notification struct {
	ID        string     `json:"id"`
	Kind      string     `json:"kind"`    // "invitation", "join_request", "reply", "mention", "rsvp", "event_changed" or "dm"
	Title     string     `json:"title"`   // who did what, such as "Bea replied"
	Summary   string     `json:"summary"` // the title of the target
	Target    Target     `json:"target"`
	ReadAt    *time.Time `json:"read_at"` // null while it is unread
	CreatedAt time.Time  `json:"created_at"`
}

// NotificationPage is a page of notifications, the latest first.
type NotificationPage struct {
	Notifications []Notification
	Page          svc.Page
	UnreadCount   int // on all pages
}

// NotificationsRead says which notifications have been read.
type NotificationSelection struct {
	IDs svc.List[string] `json:"ids"`
	All bool             `json:"all"`
}

// note is something that members should know of.
type note struct {
	kind       string // as in the schema
	actor      svc.MemberID
	targetType string
	target     string
	audience   audience // of the target; 0 if it is the member's anyway, such as an invitation
}

// did is what an actor did, by the kind of the notification.
var did = map[string]string{
	"invitation": "invited you", "join_request": "asks to join", "reply": "replied", "mention": "mentioned you",
	"rsvp": "answered", "event_changed": "changed the event", "dm": "wrote to you",
}

// notify tells members of something, but for whoever did it.
func (s *Service) notify(tx *store.Tx, n note, members ...svc.MemberID) error {
	var rows [][2]any
	for _, m := range members {
		if m != n.actor {
			rows = append(rows, [2]any{svc.NewID("ntf"), m})
			tx.Touch(svc.NotificationsTopic, int64(m))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	var a *audience
	if n.audience != 0 {
		a = &n.audience
	}
	_, err := tx.Exec(s.q.AddNotifications, store.Args{
		"rows": store.JSONArray(rows), "kind": n.kind, "actor": n.actor, "target_type": n.targetType, "target": n.target,
		"audience": a, "now": store.MillisOf(tx.Now()),
	})
	return err
}

// Notifications lists what v should know of and may still see.
func (s *Service) Notifications(tx *store.Tx, v svc.Viewer, limit int, cursor string) (NotificationPage, error) {
	return s.notifications(tx, v, false, limit, cursor)
}

// NewNotifications lists the latest of them that v has not read.
func (s *Service) UnreadNotifications(tx *store.Tx, v svc.Viewer, limit int) (NotificationPage, error) {
	return s.notifications(tx, v, true, limit, "")
}

func (s *Service) notifications(tx *store.Tx, v svc.Viewer, unread bool, limit int, cursor string) (NotificationPage, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return NotificationPage{}, err
	}
	args := w.args(store.Args{"member": w.member, "unread": unread})
	rows, page, err := s.happenings(tx, v, s.q.Notifications, args, "social.notifications", limit, cursor)
	if err != nil {
		return NotificationPage{}, err
	}
	names, titles, err := s.called(tx, w, rows)
	if err != nil {
		return NotificationPage{}, err
	}
	list := make([]Notification, len(rows))
	for i, h := range rows {
		list[i] = h.notification(names, titles)
	}
	count, err := s.unreadNotifications(tx, w)
	return NotificationPage{list, page, count}, err
}

func (h happening) notification(names names, titles map[string]string) Notification {
	actor := names.of(h.Actor).DisplayName
	title := titles[h.TargetID]
	if h.TargetType == "dm" {
		title = actor // it is called as the other is
	}
	n := Notification{
		ID: h.ID, Kind: h.Kind, Title: actor + " " + did[h.Kind], Summary: title,
		Target: Target{h.TargetType, h.TargetID, title}, CreatedAt: h.CreatedAt.Timestamp(),
	}
	if h.ReadAt != nil {
		n.ReadAt = new(h.ReadAt.Timestamp())
	}
	return n
}

// UnreadNotifications returns how many of those that v sees are unread.
func (s *Service) CountUnreadNotifications(tx *store.Tx, v svc.Viewer) (int, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return 0, err
	}
	return s.unreadNotifications(tx, w)
}

func (s *Service) unreadNotifications(tx *store.Tx, w view) (n int, err error) {
	err = tx.Get(&n, s.q.UnreadNotifications, w.args(store.Args{"member": w.member}))
	return n, err
}

// ReadNotifications notes which of v's have been read, and returns how many
// are not. Those that are not there, or not any more, need no reading.
func (s *Service) MarkNotificationsRead(tx *store.Tx, v svc.Viewer, in NotificationSelection) (unread int, err error) {
	if len(in.IDs) == 0 && !in.All {
		return 0, svc.Required("ids")
	}
	w, err := s.view(tx, v)
	if err != nil {
		return 0, err
	}
	read, err := tx.Exec(s.q.ReadNotifications, store.Args{
		"member": w.member, "ids": jsonList(in.IDs), "all": in.All, "now": store.MillisOf(tx.Now()),
	})
	if err != nil {
		return 0, err
	}
	if read > 0 {
		tx.Touch(svc.NotificationsTopic, int64(w.member))
	}
	return s.unreadNotifications(tx, w)
}
