package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Notification tells one member about an action of another. It contains no
// text that the actor wrote, except the title of the target. Schema:
// service.social.notification.
type Notification struct {
	ID        string           `json:"id"`
	Kind      NotificationKind `json:"kind"`
	Title     string           `json:"title"`   // the actor and the action, such as "Bea replied"
	Summary   string           `json:"summary"` // the title of the target
	Actor     MemberRef        `json:"actor"`
	Target    Target           `json:"target"`
	ReadAt    *time.Time       `json:"read_at"` // null while unread
	CreatedAt time.Time        `json:"created_at"`
}

// NotificationPage is a page of notifications, newest first.
type NotificationPage struct {
	Notifications []Notification
	Page          svc.Page
	UnreadCount   int // unread notifications on all pages
}

// NotificationSelection selects notifications to mark as read.
type NotificationSelection struct {
	IDs svc.List[string] `json:"ids"`
	All bool             `json:"all"`
}

// newNotification is a notification to send.
type newNotification struct {
	kind       NotificationKind
	actor      svc.MemberID
	targetType TargetType
	target     string
	audience   audienceID // audience of the target; 0 for a target that belongs to the recipient, such as an invitation
}

// notificationTitles are the titles by kind. The argument is the name of the actor.
var notificationTitles = map[NotificationKind]words.Word{
	InvitationNotification: "%s invited you", JoinRequestNotification: "%s asked to join", ReplyNotification: "%s replied", MentionNotification: "%s mentioned you",
	RSVPNotification: "%s responded to your event", EventChangedNotification: "%s changed the event", DMNotification: "%s sent you a message",
}

// notify sends a notification to members, except the actor.
func (s *Service) notify(tx *store.Tx, n newNotification, members ...svc.MemberID) error {
	var rows [][2]any
	for _, m := range members {
		if m != n.actor {
			rows = append(rows, [2]any{svc.NewID("ntf"), m})
			tx.Touch(svc.NotificationSent, int64(m))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	var audience *audienceID
	if n.audience != 0 {
		audience = &n.audience
	}
	_, err := tx.Exec(s.q.AddNotifications, store.Args{
		"rows": store.JSONArray(rows), "kind": n.kind, "actor": n.actor, "target_type": n.targetType, "target": n.target,
		"audience": audience, "now": store.MillisOf(tx.Now()),
	})
	return err
}

// Notifications returns a page of the notifications of v whose actor and target
// v still sees.
func (s *Service) Notifications(tx *store.Tx, v svc.Viewer, limit int, cursor string) (NotificationPage, error) {
	return s.notifications(tx, v, false, limit, cursor)
}

// UnreadNotifications returns the latest unread notifications of v.
func (s *Service) UnreadNotifications(tx *store.Tx, v svc.Viewer, limit int) (NotificationPage, error) {
	return s.notifications(tx, v, true, limit, "")
}

func (s *Service) notifications(tx *store.Tx, v svc.Viewer, unread bool, limit int, cursor string) (NotificationPage, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return NotificationPage{}, err
	}
	args := w.args(store.Args{"member": w.member, "unread": unread})
	rows, page, err := feedPage[NotificationKind](tx, v, s.q.ListNotifications, args, "social.notifications", limit, cursor)
	if err != nil {
		return NotificationPage{}, err
	}
	names, titles, err := feedNames(s, tx, w, rows)
	if err != nil {
		return NotificationPage{}, err
	}
	list := make([]Notification, len(rows))
	for i, r := range rows {
		list[i] = toNotification(r, names, titles)
	}
	count, err := s.countUnreadNotifications(tx, w)
	return NotificationPage{list, page, count}, err
}

func toNotification(r feedRow[NotificationKind], names names, titles map[string]string) Notification {
	actor := names.ref(r.Actor)
	title := titles[r.TargetID]
	if r.TargetType == TargetDM {
		title = actor.DisplayName // the title of a DM is the name of the other member
	}
	return Notification{
		ID: r.ID, Kind: r.Kind, Title: names.language.Textf(string(notificationTitles[r.Kind]), actor.DisplayName), Summary: title, Actor: actor,
		Target: Target{r.TargetType, r.TargetID, title}, ReadAt: store.OptionalTimestamp(r.ReadAt), CreatedAt: r.CreatedAt.Timestamp(),
	}
}

// countUnreadNotifications counts the visible unread notifications.
func (s *Service) countUnreadNotifications(tx *store.Tx, w view) (n int, err error) {
	err = tx.Get(&n, s.q.CountUnreadNotifications, w.args(store.Args{"member": w.member}))
	return n, err
}

// MarkNotificationRead marks a notification of v as read and returns how many
// are still unread.
func (s *Service) MarkNotificationRead(tx *store.Tx, v svc.Viewer, id string) (unread int, err error) {
	var found bool
	if err := tx.Get(&found, s.q.HasNotification, store.Args{"member": v.Member(), "id": id}); err != nil {
		return 0, err
	}
	if !found {
		return 0, svc.Errorf(svc.NotFound, "There is no such notification.")
	}
	return s.MarkNotificationsRead(tx, v, NotificationSelection{IDs: []string{id}})
}

// MarkNotificationsRead marks notifications of v as read and returns how many
// are still unread. It ignores unknown ids.
func (s *Service) MarkNotificationsRead(tx *store.Tx, v svc.Viewer, in NotificationSelection) (unread int, err error) {
	if len(in.IDs) == 0 && !in.All {
		return 0, svc.Required("ids")
	}
	w, err := s.view(tx, v)
	if err != nil {
		return 0, err
	}
	var marked int64
	switch {
	case in.All:
		marked, err = s.markAllRead(tx, w.member)
	case len(in.IDs) > maxMarkedRead:
		err = svc.FieldError(svc.InvalidValue, "ids", "Select up to %d notifications, or all.", maxMarkedRead)
	default:
		marked, err = tx.Exec(s.q.MarkNotificationsRead, store.Args{"member": w.member, "ids": store.JSONArray(in.IDs), "now": store.MillisOf(tx.Now())})
	}
	if err != nil {
		return 0, err
	}
	if marked > 0 {
		tx.Touch(svc.NotificationsRead, int64(w.member))
	}
	return s.countUnreadNotifications(tx, w)
}

// maxMarkedRead limits the notifications that one write marks as read.
const maxMarkedRead = 1000

// readMark records that all notifications of a member up to a row count as read. [Service.FollowUp]
// marks the rows and then deletes the record.
type readMark struct {
	Member svc.MemberID `db:"member_id"`
	Last   int64        `db:"last_row"`
	ReadAt store.Millis `db:"read_at"`
}

// markAllRead marks all notifications of a member as read and returns the number of rows marked in
// this write. FollowUp marks the others.
func (s *Service) markAllRead(tx *store.Tx, member svc.MemberID) (marked int64, err error) {
	m := readMark{Member: member, ReadAt: store.MillisOf(tx.Now())}
	if err := tx.Get(&m.Last, s.q.LastNotification, nil); err != nil {
		return 0, err
	}
	if marked, err = s.markRead(tx, m); err != nil || marked < maxMarkedRead {
		return marked, err
	}
	if s.onFollowUp != nil {
		tx.AfterCommit(s.onFollowUp)
	}
	_, err = tx.Exec(s.q.PutNotificationsRead, store.Args{"member": m.Member, "last": m.Last, "now": m.ReadAt})
	return marked, err
}

// markRead marks up to maxMarkedRead notifications of m as read. A lower result means that no
// others are left.
func (s *Service) markRead(tx *store.Tx, m readMark) (marked int64, err error) {
	return tx.Exec(s.q.MarkUnreadNotifications, store.Args{"member": m.Member, "last": m.Last, "now": m.ReadAt, "limit": maxMarkedRead})
}

// followReadMark marks a batch of the notifications of the next readMark as read. It reports
// whether there was a readMark.
func (s *Service) followReadMark(tx *store.Tx) (found bool, err error) {
	var m readMark
	if err := tx.Get(&m, s.q.NextNotificationsRead, nil); err != nil {
		if store.IsNoRows(err) {
			err = nil
		}
		return false, err
	}
	marked, err := s.markRead(tx, m)
	if err == nil && marked < maxMarkedRead {
		_, err = tx.Exec(s.q.DeleteNotificationsRead, store.Args{"member": m.Member})
	}
	return true, err
}
