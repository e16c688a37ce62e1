package httpd_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"appliance/app/apptest"
	"appliance/app/limits"
)

func TestConcurrentReadsOfOneMemberDoNotDelayOthers(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	var release [2]func()
	for i := range release {
		var err error
		if release[i], err = h.App.HTTP.Reads.Acquire(t.Context(), ann.ID.String()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.App.HTTP.Reads.Acquire(canceled, ann.ID.String()); !errors.Is(err, context.Canceled) {
		t.Errorf("another read of ann: got %v, want it to wait until the context ends", err)
	}
	bea.Do("GET", "/identity/me").Want(200)
	bea.Basic().With("Depth", "0").Do("PROPFIND", "/caldav/").Want(207)
	ann.Do("POST", "/world/calendars", `{"name": "Writes do not wait"}`).Want(201)
	for _, end := range release {
		end()
	}
	ann.Do("GET", "/identity/me").Want(200)
	if n := h.App.HTTP.Reads.InUse(); n != 0 {
		t.Errorf("got %d keys in use, want 0", n)
	}
}

// Covers L-13.
func TestTooManyWaitingReadsAreRejected(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	h.App.HTTP.Reads = limits.NewConcurrency(limits.Capacity{Each: 1})
	release, err := h.App.HTTP.Reads.Acquire(t.Context(), ann.ID.String())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	rejected := ann.Do("GET", "/world/time/objects").WantError(429, "rate_limited")
	if rejected.Header.Get("Retry-After") == "" {
		t.Error("got no Retry-After, want one")
	}
	ann.Basic().Do("PROPFIND", "/caldav/").Want(429)
	bea.Do("GET", "/world/time/objects").Want(200)
}

// A slow client must not occupy the read slot of its member while it receives the
// response.
func TestReadSlotIsReleasedWhenTheResponseStarts(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	h.App.HTTP.Reads = limits.NewConcurrency(limits.Capacity{Each: 1})
	free := func() bool {
		release, err := h.App.HTTP.Reads.Acquire(t.Context(), ann.ID.String())
		if err == nil {
			release()
		}
		return err == nil
	}
	var before, after bool
	h.App.HTTP.HandleMember("GET /slow", func(w http.ResponseWriter, r *http.Request) error {
		before = free()
		w.WriteHeader(http.StatusOK)
		after = free()
		return nil
	})
	ann.Do("GET", "/slow").Want(200)
	if before || !after {
		t.Errorf("slot free before the response: got %t, want false; after its start: got %t, want true", before, after)
	}
}

// Covers L-13.
func TestReadsOfFeedsAreLimitedByAddress(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	id := ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	feed := ann.Do("POST", "/world/calendars/"+id+"/feed").Want(201).Str("feed.path")
	h.App.HTTP.Reads = limits.NewConcurrency(limits.Capacity{Each: 1})
	release, err := h.App.HTTP.Reads.Acquire(t.Context(), "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	h.Unauthenticated().Do("GET", feed).WantError(429, "rate_limited")
	ann.Do("GET", "/world/calendars").Want(200)
	release()
	got := h.Unauthenticated().Do("GET", feed).Want(200)
	h.Unauthenticated().With("If-None-Match", got.Header.Get("ETag")).Do("GET", feed).Want(304)
	h.Unauthenticated().Do("GET", feed).Want(200)
}
