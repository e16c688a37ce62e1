package provider

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider/contract"
	"appliance/svc/provider/transport"
)

// Transport sends requests to providers. Its errors have the code
// [svc.TransportFailed].
type Transport interface {
	// Fetch sends a request for the payload and returns the response.
	Fetch(ctx context.Context, e transport.Endpoint, request []byte) ([]byte, error)

	// Perform sends a command and returns the response.
	Perform(ctx context.Context, e transport.Endpoint, c *contract.Command) ([]byte, error)
}

// Acquire requests the payload of a provider and ingests it. request is the body of the
// request, a JSON object. Acquire stores whether it succeeded; if it fails, members see
// the previous records.
func (s *Service) Acquire(ctx context.Context, id string, request []byte) (Counts, error) {
	release, err := s.lock(ctx, id)
	if err != nil {
		return Counts{}, err
	}
	defer release()
	s.requested.Delete(id)
	var p Provider
	err = s.db.Read(ctx, func(tx *store.Tx) (err error) {
		p, err = s.Provider(tx, id)
		return err
	})
	if err != nil {
		return Counts{}, err
	}
	counts, err := s.acquire(ctx, p, request)
	if ctx.Err() != nil {
		return counts, ctx.Err()
	}
	if errors.Is(err, errSuperseded) { // the other acquisition stores its result
		return counts, err
	}
	return counts, errors.Join(err, s.recordAttempt(ctx, p, err))
}

// lock waits until no other request of this process to a provider is running, so that an
// older payload cannot replace a newer one, and few payloads are in memory.
func (s *Service) lock(ctx context.Context, id string) (release func(), err error) {
	slot, _ := s.acquiring.LoadOrStore(id, make(chan struct{}, 1))
	select {
	case slot.(chan struct{}) <- struct{}{}:
		return func() { <-slot.(chan struct{}) }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *Service) acquire(ctx context.Context, p Provider, request []byte) (Counts, error) {
	data, err := s.transport.Fetch(ctx, p.endpoint(), request)
	if err != nil {
		return Counts{}, err
	}
	return s.ingestText(ctx, p, data)
}

// ingestText parses and ingests a payload, unless p has the records of the same text.
func (s *Service) ingestText(ctx context.Context, p Provider, data []byte) (counts Counts, err error) {
	digest := sha256.Sum256(data)
	if bytes.Equal(digest[:], p.payload) {
		return counts, json.Unmarshal([]byte(p.counts), &counts)
	}
	select {
	case s.ingesting <- struct{}{}:
	case <-ctx.Done():
		return Counts{}, ctx.Err()
	}
	defer func() { <-s.ingesting }()
	payload, err := contract.ParseSource(data, p.ID)
	if err != nil {
		return Counts{}, RejectionError("The payload of the provider", err)
	}
	return s.ingest(ctx, p.ID, payload, digest[:], p.generation)
}

// RejectionError returns the error for a document that package contract rejects. document is its
// name at the start of the message.
func RejectionError(document string, err error) error {
	rejection, ok := errors.AsType[*contract.Rejection](err)
	if !ok {
		return err
	}
	e := svc.Errorf(svc.ProviderRejected, "%s was rejected: it has %s.", document, problemCount(rejection.Total))
	for _, p := range rejection.Problems {
		e.Fields = append(e.Fields, svc.Field{Name: p.Pointer, Pointer: p.Pointer, Code: svc.InvalidValue.Name, Message: p.Message})
	}
	return e
}

func problemCount(n int) string {
	if n == 1 {
		return "1 problem"
	}
	return fmt.Sprintf("%d problems", n)
}

// failureText returns the message for the operator about a failed acquisition.
func failureText(err error) string {
	if err == nil {
		return ""
	}
	e, ok := errors.AsType[*svc.Error](err)
	if !ok {
		return "Internal error: " + err.Error()
	}
	text := e.Message
	for _, f := range e.Fields[:min(3, len(e.Fields))] {
		text += " " + strings.TrimPrefix(f.Pointer+": ", ": ") + f.Message
	}
	return strings.TrimSpace(text)
}
