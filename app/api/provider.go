package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"appliance/app/httpd"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider"
	"appliance/svc/provider/contract"
	"appliance/svc/provider/feeds"
	"appliance/world"
	"appliance/world/action"
)

// providerOperations declares the operations on providers and the feeds of a member.
func (s *Server) providerOperations() []declaration {
	return []declaration{
		operation[newFeed, addedFeed]{
			Action: action.Feeds.Endpoint("add"), Service: "find",
			Summary: "Add a feed that only the member sees", Status: http.StatusCreated, Once: true, Errors: []int{http.StatusConflict, http.StatusFailedDependency},
			Serve: s.addOwnFeed,
		},
		operation[acquisitionRequest, acquisition]{
			Request: "POST /find/provider-source", Access: httpd.ServiceKey, Service: "find",
			Handle: s.acquireFromProvider,
		},
		operation[struct{}, contract.Result]{
			Request: "POST /find/provider-actions", Access: httpd.ServiceKey, Service: "find",
			Serve: s.postProviderActions,
		},
	}
}

// relay sends the command of an action of a provider. A repeated request sends nothing:
// see [Server.callOut].
func (s *Server) relay(ctx context.Context, v svc.Viewer, r *world.Relay) error {
	if err := s.Rates.Take(limits.ProviderActions, v.String()); err != nil {
		return err
	}
	err := s.World.PerformRelay(ctx, r)
	if rejection, ok := errors.AsType[*contract.Rejection](err); ok {
		s.logInvalidResult(r.Provider(), rejection)
	}
	return err
}

// logInvalidResult logs the places of the problems of a result, for the operator. It
// does not log the messages, which quote the result.
func (s *Server) logInvalidResult(provider string, rejection *contract.Rejection) {
	var places []string
	for _, p := range rejection.Problems {
		places = append(places, cmp.Or(p.Pointer, "/"))
	}
	s.Log.Warn("a provider answered with an invalid result", "provider", provider, "problems", rejection.Total, "at", places)
}

// newFeed is a feed that a member adds for themselves.
type newFeed struct {
	URL string `json:"url"`
}

// addedFeed is the response to a [newFeed].
type addedFeed struct {
	Status  string      `json:"status"` // "ok"
	Title   string      `json:"title"`  // of the feed
	Refresh refreshHint `json:"refresh"`
}

// addOwnFeed adds a feed that only the member sees. The feed is fetched before the
// transaction, but not for a request that repeats an idempotency key.
func (s *Server) addOwnFeed(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in newFeed
	body, err := httpd.DecodeBody(r, &in, nil)
	if err != nil {
		return err
	}
	refresh, err := parseReturn(r)
	if err != nil {
		return err
	}
	if in.URL == "" {
		return svc.Required("url")
	}
	stored, ok, err := s.Idempotency.Find(r.Context(), v, writeRequest(r, v, body, nil))
	if err != nil {
		return err
	}
	if ok {
		return s.writeResult(w, r, v, refresh, stored)
	}
	if err := s.Rates.Take(limits.ProviderActions, v.String()); err != nil {
		return err
	}
	release, err := s.previews.Acquire(r.Context(), v.String()) // while the feed is in memory
	if err != nil {
		return err
	}
	defer release()
	fetched, err := s.Feeds.CheckOwn(r.Context(), in.URL)
	if err != nil {
		return err
	}
	own := ownFeeds(v.Member())
	written, err := s.doOnce(r, v, body, http.StatusCreated, func(tx *store.Tx) (any, error) {
		if _, err := s.Providers.Provider(tx, own.ID); svc.KindOf(err) == svc.Missing {
			if err := s.Providers.Add(tx, own); err != nil {
				return nil, err
			}
		} else if err != nil {
			return nil, err
		}
		subject := provider.Subject(tx.InstanceKey(), own.ID, v.Member())
		return addedFeed{"ok", fetched.Title, providerRefresh}, s.Feeds.Add(tx, own.ID, subject, []*feeds.Fetched{fetched})
	}, nil)
	if err != nil {
		return err
	}
	if _, err := s.Providers.Acquire(r.Context(), own.ID, nil); err != nil { // the job tries again
		s.Log.Warn("the articles of a new feed could not be stored", "provider", own.ID, "err", err)
	}
	return s.writeResult(w, r, v, refresh, written)
}

// ownFeeds returns the provider of the feeds that only a member sees.
func ownFeeds(member svc.MemberID) provider.Registration {
	r := provider.Registration{ID: provider.OwnID(member), Owner: member, Label: "My feeds", Secret: []byte{}, Interval: ownInterval}
	r.SourceURL, r.ActionURL = feeds.Addresses(r.ID)
	return r
}

// ownInterval is the time between two acquisitions of the feeds of a member.
const ownInterval = 30 * time.Minute

var providerRefresh = refreshHint{svc.List[string]{"objects", "contexts", "actions", "sources"}}

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

// acquireFromProvider acquires the payload of a provider.
func (s *Server) acquireFromProvider(_ http.ResponseWriter, r *http.Request, _ svc.Viewer, in acquisitionRequest) (acquisition, error) {
	if in.Provider == "" {
		return acquisition{}, svc.Required("provider")
	}
	counts, err := s.Providers.Acquire(r.Context(), in.Provider, in.Request)
	return acquisition{"ingested", in.Provider, counts}, err
}

// postProviderActions sends a command to its provider and responds with the validated
// result.
func (s *Server) postProviderActions(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	body, err := httpd.DecodeBody(r, new(struct{}), nil)
	if err != nil {
		return err
	}
	command, err := contract.ParseCommand(body)
	if err != nil {
		return provider.RejectionError("The command", err)
	}
	result, err := s.Providers.Relay(r.Context(), command)
	if err != nil {
		return err
	}
	return httpd.WriteJSON(w, http.StatusOK, result)
}
