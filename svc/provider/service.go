package provider

import (
	"sync"

	"appliance/store"
)

// Service stores the records of providers and relays actions to them.
type Service struct {
	db        *store.DB
	transport Transport
	ingesting chan struct{} // a slot for one ingestion: a payload needs much memory
	acquiring sync.Map      // slots for one acquisition, by id of the provider
	acquired  sync.Map      // times of the last successful acquisitions, by id of the provider
	requested sync.Map      // ids of the providers that Due returns although their interval has not passed
	q         queries
}

// New returns the service.
func New(db *store.DB, t Transport) *Service {
	s := &Service{db: db, transport: t, ingesting: make(chan struct{}, 1)}
	store.Bind("provider", &s.q.registry, &s.q.ingest, &s.q.read, &s.q.sweep)
	return s
}

// queries are the statements of sql/queries/provider.sql, grouped by the file that
// runs them.
type queries struct {
	registry registryQueries
	ingest   ingestQueries
	read     readQueries
	sweep    sweepQueries
}
