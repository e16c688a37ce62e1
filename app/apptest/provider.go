package apptest

import (
	"appliance/svc/provider/providertest"
)

// AddProvider registers a provider with the command line, which also acquires its
// payload.
func (s *Server) AddProvider(p *providertest.Server) {
	s.T.Helper()
	status, _, stderr := s.RunCommand(p.SecretText()+"\n", "provider", "add", p.ID, "--label", "Name of "+p.ID,
		"--source-url", p.SourceURL, "--action-url", p.ActionURL, "--secret-stdin")
	if status != 0 {
		s.T.Fatalf("provider add: got status %d, want 0\n%s", status, stderr)
	}
}

// SyncProvider acquires the payload of a provider with the command line. It returns the
// exit status and the messages.
func (s *Server) SyncProvider(id string) (status int, messages string) {
	s.T.Helper()
	status, _, messages = s.RunCommand("", "provider", "sync", id)
	return status, messages
}
