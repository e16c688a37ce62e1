package messages

import (
	"math"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

// inboxQueries are the statements for the inbox that package thread does not
// have.
type inboxQueries struct {
	ThreadVersions store.Query `sql:"thread-versions"`
}

// Inbox is a page of a member's threads, the latest first.
type Inbox struct {
	Threads     []Thread
	Page        svc.Page
	UnreadTotal int64 // unread messages in all threads of the member
}

// Inbox returns a page of v's threads. A new message moves its thread to the
// first page; no thread appears on two pages.
func (s *Service) Inbox(tx *store.Tx, v svc.Viewer, limit int, cursor string) (Inbox, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), "messages.inbox", v)
	limit, errLimit := svc.PageLimit(limit)
	before := int64(math.MaxInt64)
	if err := svc.Join(errLimit, cursors.Decode(cursor, &before)); err != nil {
		return Inbox{}, err
	}
	rows, err := s.threads.Page(tx, v.Member(), before, limit+1)
	if err != nil {
		return Inbox{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r thread.Thread) any { return r.Position })
	threads, err := s.loadThreads(tx, v, rows)
	if err != nil {
		return Inbox{}, err
	}
	unread, err := s.UnreadTotal(tx, v)
	return Inbox{threads, page, unread}, err
}

// Versions returns the versions of up to limit latest threads of v. A version
// depends on the messages and the read cursor; the caller must also depend on
// [svc.BlocksTopic], which changes with the partner's name and with blocks.
func (s *Service) Versions(tx *store.Tx, v svc.Viewer, limit int) (versions []svc.Version, truncated bool, err error) {
	err = tx.Select(&versions, s.q.inbox.ThreadVersions, store.Args{"member": v.Member(), "limit": limit + 1})
	return versions[:min(len(versions), limit)], len(versions) > limit, err
}

// UnreadTotal returns the number of unread messages in all threads of v.
func (s *Service) UnreadTotal(tx *store.Tx, v svc.Viewer) (int64, error) {
	return s.threads.UnreadTotal(tx, v.Member())
}
