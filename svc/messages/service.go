package messages

import (
	"appliance/store"
	"appliance/svc/storage"
	"appliance/svc/thread"
)

// Service is the Messages service. It keeps all state in the database.
type Service struct {
	members Members
	blocks  Blocks
	threads *thread.Store
	storage *storage.Limiter
	q       queries
}

// New returns the service.
func New(members Members, blocks Blocks, limiter *storage.Limiter) *Service {
	s := &Service{members: members, blocks: blocks, storage: limiter, threads: thread.New("thr", "msg")}
	store.Bind("messages", s.threads.Queries(), &s.q.thread, &s.q.inbox, &s.q.send, &s.q.search, &s.q.sweep)
	return s
}

// queries are the statements of sql/queries/messages.sql that package thread
// does not run, grouped by the file that runs them.
type queries struct {
	thread threadQueries
	inbox  inboxQueries
	send   sendQueries
	search searchQueries
	sweep  sweepQueries
}
