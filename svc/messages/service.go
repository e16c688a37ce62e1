package messages

import "appliance/store"

// Service is the Messages service. It keeps all state in the database.
type Service struct {
	members Members
	blocks  Blocks
	q       queries
}

// New returns the service.
func New(members Members, blocks Blocks) *Service {
	s := &Service{members: members, blocks: blocks}
	store.Bind("messages", &s.q.thread, &s.q.inbox, &s.q.history, &s.q.send, &s.q.search, &s.q.sweep)
	return s
}

// queries are the statements of sql/queries/messages.sql, grouped by the file
// that runs them.
type queries struct {
	thread  threadQueries
	inbox   inboxQueries
	history historyQueries
	send    sendQueries
	search  searchQueries
	sweep   sweepQueries
}
