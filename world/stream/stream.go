package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/world/dataset"
)

// Stream is the connection of one client.
type Stream struct {
	hub          *Hub
	member       svc.MemberID
	checkSession func(*store.Tx) error
	wake         chan struct{} // has one element if the member's data may have changed
	ended        chan struct{} // closed when the server stops

	lastPosition position // state that the client has received
	ids          idCipher
}

// Event is the data of an event. Schema: service.world.stream_event.
type Event struct {
	Revision string           `json:"revision"` // the id of the event
	Sections svc.List[string] `json:"sections"` // sections of the dataset to read again
	Services svc.List[string] `json:"services"` // source_ids of the services whose panels or objects have changed
}

// reconnectTime is the time after which a client that is disconnected connects again, in
// milliseconds.
const reconnectTime = 3000

// Begin reads the position of the stream, and returns the first lines to send. lastID is
// the id of the last event that the client has received, "" for none. If something has
// changed since, the lines contain one event; an unknown id counts as a change of
// everything.
func (s *Stream) Begin(ctx context.Context, lastID string) (lines []byte, err error) {
	changed, err := s.read(ctx, func(now position) dataset.Changed {
		if lastID == "" {
			s.lastPosition = now
			return dataset.Changed{}
		}
		var ok bool
		if s.lastPosition, ok = s.ids.decode(lastID, s.hub.started, now); ok {
			return dataset.Changed{}
		}
		s.lastPosition = now
		return s.hub.composer.Everything()
	})
	if err != nil {
		return nil, err
	}
	lines = fmt.Appendf(nil, "retry: %d\nid: %s\n\n", reconnectTime, s.ids.encode(s.lastPosition))
	return s.appendEvent(lines, changed)
}

// Run sends events until ctx ends, the session or the server ends, or send fails. Begin
// must have been called. send sends lines to the client within a time limit.
func (s *Stream) Run(ctx context.Context, send func([]byte) error) {
	intervals := s.hub.intervals
	timer := time.NewTimer(intervals.Comment)
	defer timer.Stop()
	for s.next(ctx, timer, send) == nil {
		timer.Reset(intervals.Comment)
	}
}

var errEnded = errors.New("the stream has ended")

// next waits for a change or for the time of the next comment, and sends it.
func (s *Stream) next(ctx context.Context, timer *time.Timer, send func([]byte) error) error {
	lines := []byte(":\n\n")
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ended:
		return errEnded
	case <-timer.C: // the session may have expired
	case <-s.wake:
		lines = nil
	}
	changed, err := s.read(ctx, nil)
	if err != nil {
		return err
	}
	if !changed.None() {
		if lines, err = s.appendEvent(nil, changed); err != nil {
			return err
		}
	}
	if lines == nil {
		return nil
	}
	if err := send(lines); err != nil || changed.None() {
		return err
	}
	return s.pause(ctx)
}

// pause waits between two events, so that many changes in quick succession become
// few events.
func (s *Stream) pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ended:
		return errEnded
	case <-time.After(s.hub.intervals.Pause):
		return nil
	}
}

// read checks the session, and returns the changes since s.lastPosition, which it then
// sets to the current position. If begin is not nil, it is called first: it sets
// s.lastPosition and returns earlier changes.
func (s *Stream) read(ctx context.Context, begin func(now position) dataset.Changed) (changed dataset.Changed, err error) {
	select {
	case s.hub.reads <- struct{}{}:
	case <-ctx.Done():
		return changed, ctx.Err()
	}
	defer func() { <-s.hub.reads }()
	composer := s.hub.composer
	err = s.hub.db.Read(ctx, func(tx *store.Tx) error {
		if err := s.checkSession(tx); err != nil {
			return err
		}
		revisions := tx.Revisions(int64(s.member))
		now := position{revisions.Latest(), tx.Now()}
		if begin != nil {
			s.ids = newIDCipher(tx, s.member)
			changed = begin(now)
		}
		changed = composer.Union(changed, composer.ChangedSince(revisions, s.lastPosition.revision))
		changed = composer.Union(changed, composer.ChangedBetween(s.member, s.lastPosition.at, now.at))
		s.lastPosition = now
		return nil
	})
	return changed, err
}

// appendEvent appends the lines of an event, or nothing if nothing has changed.
func (s *Stream) appendEvent(lines []byte, changed dataset.Changed) ([]byte, error) {
	if changed.None() {
		return lines, nil
	}
	id := s.ids.encode(s.lastPosition)
	data, err := svc.EncodeJSON(Event{Revision: id, Sections: changed.Sections, Services: changed.Services})
	if err != nil {
		return nil, fmt.Errorf("encoding an event: %w", err)
	}
	return fmt.Appendf(lines, "event: changed\nid: %s\ndata: %s\n", id, data), nil // the data ends with a line feed
}
