package stream_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"appliance/store"
	"appliance/world/stream"
	"appliance/world/worldtest"
)

// While nothing changes, a stream has comments, and ends with the first one after its
// session has expired, without a write. Covers B-104.
func TestSilentStreamHasCommentsUntilTheSessionExpires(t *testing.T) {
	s, viewers := worldtest.New(t, "ann")
	hub := stream.New(s.DB, s.World.Composer, stream.Intervals{Comment: time.Millisecond, Pause: time.Millisecond, Poll: time.Hour})
	expires := s.Clock.Now().Add(time.Hour)
	ctx := store.WithWriteGuard(t.Context(), func(tx *store.Tx) error {
		if tx.Now().After(expires) {
			return errors.New("the session has expired")
		}
		return nil
	})
	open, err := hub.Open(ctx, viewers[0])
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if _, err := open.Begin(ctx, ""); err != nil {
		t.Fatal(err)
	}
	comments := 0
	open.Run(ctx, func(lines []byte) error {
		if string(lines) != ":\n\n" {
			t.Errorf("got %q, want a comment", lines)
		}
		if comments++; comments == 3 {
			s.Clock.Advance(2 * time.Hour)
		}
		return nil
	})
	if comments != 3 {
		t.Errorf("got %d comments, want 3", comments)
	}
	if _, err := open.Begin(ctx, ""); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("after the end: got %v, want the error of the session", err)
	}
}
