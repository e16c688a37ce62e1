package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

// Service is the Social service. Its methods may be called from any goroutine.
type Service struct {
	directory     Directory
	calendars     Calendars
	threads       *thread.Store // DMs
	circleCache   memberCache[*circles]
	audienceCache memberCache[string] // audience ids as a list for json_each
	q             queries
}

// queries are the statements of sql/queries/social.sql. Each group is declared
// in the file that uses it.
type queries struct {
	audienceQueries
	blockQueries
	circleQueries
	communityQueries
	conversationQueries
	countQueries
	datasetQueries
	dmQueries
	eventQueries
	exportQueries
	feedQueries
	invitationQueries
	membershipQueries
	presenceQueries
	profileQueries
	replyQueries
	rsvpQueries
}

// New returns the service.
func New(directory Directory, calendars Calendars) *Service {
	s := &Service{directory: directory, calendars: calendars, threads: thread.New("sdm", "sdmm")}
	q := &s.q
	store.Bind("social", s.threads.Queries(), &q.audienceQueries, &q.blockQueries, &q.circleQueries, &q.communityQueries,
		&q.conversationQueries, &q.countQueries, &q.datasetQueries, &q.dmQueries, &q.eventQueries, &q.exportQueries, &q.feedQueries,
		&q.invitationQueries, &q.membershipQueries, &q.presenceQueries, &q.profileQueries, &q.replyQueries, &q.rsvpQueries)
	return s
}

// MemberDeleted deletes the data of a member and ends their memberships.
// Conversations, replies and messages stay and show a former member as the author.
func (s *Service) MemberDeleted(tx *store.Tx, member svc.MemberID) error {
	if err := s.leaveEvents(tx, member); err != nil {
		return err
	}
	for _, q := range []store.Query{s.q.DeleteBlocks, s.q.DeleteProfile, s.q.DeletePresence, s.q.LeaveDMs, s.q.DeleteOrphanDMs,
		s.q.DeleteReadCursors, s.q.DeleteMemberNotifications} {
		if _, err := tx.Exec(q, store.Args{"member": member}); err != nil {
			return err
		}
	}
	return s.leaveAllCommunities(tx, member)
}

// Retention of activity and notifications.
const (
	activityTime     = 365 * 24 * time.Hour
	notificationTime = 90 * 24 * time.Hour
)

// maxSwept limits the rows that one call of Sweep deletes from each table, so
// that the write stays short.
const maxSwept = 10000

// Sweep deletes expired activity and notifications. It reports whether there
// may be more.
func (s *Service) Sweep(tx *store.Tx) (more bool, err error) {
	for _, feed := range []struct {
		deleteExpired store.Query
		retention     time.Duration
	}{{s.q.DeleteExpiredActivity, activityTime}, {s.q.DeleteExpiredNotifications, notificationTime}} {
		n, err := tx.Exec(feed.deleteExpired, store.Args{
			"before": store.MillisOf(tx.Now().Add(-feed.retention)), "limit": maxSwept,
		})
		if err != nil {
			return false, err
		}
		more = more || n == maxSwept
	}
	return more, nil
}
