package httpd

import (
	"context"
	"encoding/json"
	"net/http"

	"appliance/app/limits"
	"appliance/svc"
	"appliance/svc/provider"
	"appliance/svc/provider/contract"
	"appliance/world"
)

// relay sends the command of an action of a provider. A repeated request sends nothing:
// see [Server.callOut].
func (s *Server) relay(ctx context.Context, v svc.Viewer, r *world.Relay) error {
	if err := s.rates.Take(limits.ProviderActions, v.String()); err != nil {
		return err
	}
	return s.world.PerformRelay(ctx, r)
}

// acquisitionRequest asks for the payload of a provider.
type acquisitionRequest struct {
	Provider string          `json:"provider"`
	Request  json.RawMessage `json:"request"` // sent to the provider unchanged
}

// acquisition is the response to an [acquisitionRequest].
type acquisition struct {
	Status   string          `json:"status"` // "ingested"
	Provider string          `json:"provider"`
	Counts   provider.Counts `json:"counts"`
}

// postProviderSource acquires the payload of a provider.
func (s *Server) postProviderSource(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	var in acquisitionRequest
	if err := decode(r, &in); err != nil {
		return err
	}
	if in.Provider == "" {
		return svc.Required("provider")
	}
	counts, err := s.providers.Acquire(r.Context(), in.Provider, in.Request)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, acquisition{"ingested", in.Provider, counts})
}

// postProviderActions sends a command to its provider and responds with the validated
// result.
func (s *Server) postProviderActions(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	body, err := decodeBody(r, new(struct{}))
	if err != nil {
		return err
	}
	command, err := contract.ParseCommand(body)
	if err != nil {
		return provider.Rejected("The command", err)
	}
	result, err := s.providers.Relay(r.Context(), command)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, result)
}
