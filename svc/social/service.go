package social

import (
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/storage"
	"appliance/svc/thread"
)

// Service is the Social service. Its methods may be called from any goroutine.
type Service struct {
	DMs *thread.Service // except their start, which is [Service.StartDM]

	directory     Directory
	calendars     Calendars
	storage       *storage.Limiter
	circleCache   memberCache[*circles]
	audienceCache memberCache[string] // audience ids as a list for json_each
	onFollowUp    func()              // see OnFollowUp; may be nil
	q             queries
}

// queries are the statements of sql/queries/social.sql. Each group is declared
// in the file that uses it.
type queries struct {
	audienceQueries
	avatarQueries
	blockQueries
	circleQueries
	communityQueries
	conversationQueries
	attentionQueries
	countQueries
	datasetQueries
	eventQueries
	expiryQueries
	exportQueries
	feedQueries
	followUpQueries
	invitationQueries
	membershipQueries
	presenceQueries
	profileQueries
	replyQueries
	rsvpQueries
}

// New returns the service.
func New(directory Directory, calendars Calendars, limiter *storage.Limiter) *Service {
	s := &Service{directory: directory, calendars: calendars, storage: limiter}
	s.DMs = s.newDMs(limiter)
	q := &s.q
	store.Bind("social", &q.audienceQueries, &q.avatarQueries, &q.blockQueries, &q.circleQueries, &q.communityQueries,
		&q.attentionQueries, &q.conversationQueries, &q.countQueries, &q.datasetQueries, &q.eventQueries, &q.expiryQueries, &q.exportQueries, &q.feedQueries,
		&q.followUpQueries, &q.invitationQueries, &q.membershipQueries, &q.presenceQueries, &q.profileQueries, &q.replyQueries, &q.rsvpQueries)
	return s
}

// write runs a statement that changes the storage of author.
func (s *Service) write(tx *store.Tx, author svc.MemberID, q store.Query, args store.Args) error {
	return s.storage.Charge(tx, author, func() error {
		_, err := tx.Exec(q, args)
		return err
	})
}

// update is like write for a change by the viewer, who may not be the author.
func (s *Service) update(tx *store.Tx, viewer, author svc.MemberID, q store.Query, args store.Args) error {
	err := s.write(tx, author, q, args)
	if viewer != author && svc.KindOf(err) == svc.OverQuota {
		return svc.Errorf(svc.QuotaExceeded, "The storage of the member who created this is full. Enter a shorter text.")
	}
	return err
}

// MemberDeleted deletes the profile and the presence of a member, cancels their events and
// revokes their RSVPs. Conversations, replies and messages stay and show a former member as the
// author.
func (s *Service) MemberDeleted(tx *store.Tx, member svc.MemberID) error {
	for _, q := range []store.Query{s.q.DeleteProfile, s.q.DeletePresence} {
		if _, err := tx.Exec(q, store.Args{"member": member}); err != nil {
			return err
		}
	}
	return s.leaveEvents(tx, member)
}

// DeleteData deletes at most limit rows of the data of a deleted member, or ends some of their
// memberships. It returns the number of rows.
func (s *Service) DeleteData(tx *store.Tx, member svc.MemberID, limit int) (rows int, err error) {
	left, err := s.leaveCommunities(tx, member)
	if err != nil || left == maxCommunitiesLeft {
		return limit, err
	}
	invitations, err := tx.Exec(s.q.RevokeInvitationsOf, store.Args{"member": member, "now": store.MillisOf(tx.Now()), "limit": limit})
	if rows = int(invitations); err != nil || rows >= limit {
		return rows, err
	}
	blocks, err := tx.ExecUpTo(limit-rows, store.Args{"member": member}, s.q.DeleteBlocks)
	if err == nil && blocks > 0 {
		err = s.bumpCircleRevision(tx)
	}
	if rows += blocks; err != nil || rows >= limit {
		return rows, err
	}
	dms, err := s.DMs.DeleteData(tx, member, limit-rows)
	if rows += dms; err != nil || rows >= limit {
		return rows, err
	}
	others, err := tx.ExecUpTo(limit-rows, store.Args{"member": member}, s.q.DeleteGuestRows, s.q.DeleteReadCursors, s.q.DeleteMemberNotifications)
	return rows + others, err
}

// Retention of activity and notifications.
const (
	activityTime     = 365 * 24 * time.Hour
	notificationTime = 90 * 24 * time.Hour
)

// sweepBatch limits the rows that one call of Sweep deletes from each table, so
// that the write stays short.
const sweepBatch = 1000

// replyBatch limits the replies that one call of Sweep deletes: their texts are long.
const replyBatch = 400

// Sweep deletes expired activity and notifications, and the conversations of
// deleted communities. It reports whether there may be more.
func (s *Service) Sweep(tx *store.Tx) (more bool, err error) {
	if more, err = s.sweepDeletedCommunities(tx); err != nil {
		return false, err
	}
	expired := func(retention time.Duration) store.Args {
		return store.Args{"before": store.MillisOf(tx.Now().Add(-retention)), "limit": sweepBatch}
	}
	n, err := tx.Exec(s.q.DeleteExpiredActivity, expired(activityTime))
	if err != nil {
		return false, err
	}
	var members []int64 // of the deleted notifications, which badges and panels count
	if err := tx.Select(&members, s.q.DeleteExpiredNotifications, expired(notificationTime)); err != nil {
		return false, err
	}
	more = more || n == sweepBatch || len(members) == sweepBatch
	slices.Sort(members)
	tx.Touch(svc.NotificationsRead, slices.Compact(members)...)
	return more, nil
}

// sweepDeletedCommunities deletes a batch of replies of a conversation in a deleted
// community, or the conversation once it has none. The events of the community
// stay, cancelled.
func (s *Service) sweepDeletedCommunities(tx *store.Tx) (more bool, err error) {
	var id string
	err = tx.Get(&id, s.q.ConversationOfDeletedCommunity, nil)
	if store.IsNoRows(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	n, err := tx.Exec(s.q.DeleteReplies, store.Args{"conversation": id, "limit": replyBatch})
	if err != nil || n > 0 {
		return true, err
	}
	targets := store.Args{"targets": store.JSONArray([]string{id})}
	for _, q := range []store.Query{s.q.DeleteActivity, s.q.DeleteNotifications} {
		if _, err := tx.Exec(q, targets); err != nil {
			return false, err
		}
	}
	_, err = tx.Exec(s.q.DeleteConversation, store.Args{"id": id})
	return true, err
}
