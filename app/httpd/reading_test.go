package httpd_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"appliance/app/apptest"
	"appliance/app/httpd"
	"appliance/app/limits"
)

// Whatever ann asks for at once, bea is answered: ann's own requests wait for
// one another.
func TestOneMemberWaitsForNobodyElse(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	over, end := context.WithCancel(t.Context())
	end()
	var giveBack [httpd.ReadsRunning]func()
	for i := range giveBack {
		var err error
		if giveBack[i], err = h.App.HTTP.Reads().Acquire(t.Context(), ann.ID.String()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.App.HTTP.Reads().Acquire(over, ann.ID.String()); !errors.Is(err, context.Canceled) {
		t.Errorf("one more of ann: %v; it should have had to wait", err)
	}
	bea.Do("GET", "/identity/me").Want(200)
	bea.Basic().With("Depth", "0").Do("PROPFIND", "/caldav/").Want(207)
	ann.Do("POST", "/world/calendars", `{"name": "Writes do not wait"}`).Want(201)
	for _, give := range giveBack {
		give()
	}
	ann.Do("GET", "/identity/me").Want(200)
	if n := h.App.HTTP.Reads().InUse(); n != 0 {
		t.Errorf("%d members are remembered who wait for nothing", n)
	}
}

// One request too many is refused, with a word when to come again. Covers L-13.
func TestTooManyWaitingRequests(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	h.App.HTTP.SetReads(limits.NewConcurrency(1, 0))
	giveBack, err := h.App.HTTP.Reads().Acquire(t.Context(), ann.ID.String())
	if err != nil {
		t.Fatal(err)
	}
	defer giveBack()
	refused := ann.Do("GET", "/world/time/objects").WantError(429, "rate_limited")
	if refused.Header.Get("Retry-After") == "" {
		t.Error("it does not say when to come again")
	}
	ann.Basic().Do("PROPFIND", "/caldav/").Want(429)
	bea.Do("GET", "/world/time/objects").Want(200)
}

// A turn ends when the answer begins, so that a client may read slowly.
func TestATurnEndsWhenTheAnswerBegins(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	h.App.HTTP.SetReads(limits.NewConcurrency(1, 0))
	free := func() bool {
		giveBack, err := h.App.HTTP.Reads().Acquire(t.Context(), ann.ID.String())
		if err == nil {
			giveBack()
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
		t.Errorf("the turn was free before the answer: %t, and once it had begun: %t", before, after)
	}
}

// Whoever reads links often waits for themselves, as members do. Covers L-13.
func TestFeedsWaitInLine(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	id := ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	feed := ann.Do("POST", "/world/calendars/"+id+"/feed").Want(201).Str("feed.path")
	h.App.HTTP.SetReads(limits.NewConcurrency(1, 0))
	giveBack, err := h.App.HTTP.Reads().Acquire(t.Context(), "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	h.Unauthenticated().Do("GET", feed).WantError(429, "rate_limited")
	ann.Do("GET", "/world/calendars").Want(200)
	giveBack()
	got := h.Unauthenticated().Do("GET", feed).Want(200)
	h.Unauthenticated().With("If-None-Match", got.Header.Get("ETag")).Do("GET", feed).Want(304)
	h.Unauthenticated().Do("GET", feed).Want(200)
}
