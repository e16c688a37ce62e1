package app

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"appliance/app/limits"
	"appliance/svc"
)

// Whatever ann asks for at once, bea is answered: ann's own requests wait for
// one another.
func TestOneMemberWaitsForNobodyElse(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	over, end := context.WithCancel(t.Context())
	end()
	var giveBack [readsRunning]func()
	for i := range giveBack {
		var err error
		if giveBack[i], err = h.reading.Acquire(t.Context(), ann.id.String()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.reading.Acquire(over, ann.id.String()); !errors.Is(err, context.Canceled) {
		t.Errorf("one more of ann: %v; it should have had to wait", err)
	}
	bea.do("GET", "/identity/me").want(200)
	bea.basic().with("Depth", "0").do("PROPFIND", "/caldav/").want(207)
	ann.do("POST", "/world/calendars", `{"name": "Writes do not wait"}`).want(201)
	for _, give := range giveBack {
		give()
	}
	ann.do("GET", "/identity/me").want(200)
	if n := h.reading.InUse(); n != 0 {
		t.Errorf("%d members are remembered who wait for nothing", n)
	}
}

// One request too many is refused, with a word when to come again. Covers L-13.
func TestTooManyWaitingRequests(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	h.reading = limits.NewConcurrency(1, 0)
	giveBack, err := h.reading.Acquire(t.Context(), ann.id.String())
	if err != nil {
		t.Fatal(err)
	}
	defer giveBack()
	refused := ann.do("GET", "/world/time/objects").refused(429, "rate_limited")
	if refused.header.Get("Retry-After") == "" {
		t.Error("it does not say when to come again")
	}
	ann.basic().do("PROPFIND", "/caldav/").want(429)
	bea.do("GET", "/world/time/objects").want(200)
}

// A turn ends when the answer begins, so that a client may read slowly.
func TestATurnEndsWhenTheAnswerBegins(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	h.reading = limits.NewConcurrency(1, 0)
	free := func() bool {
		giveBack, err := h.reading.Acquire(t.Context(), ann.id.String())
		if err == nil {
			giveBack()
		}
		return err == nil
	}
	var before, after bool
	rt := route{access: member, handle: func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
		before = free()
		w.WriteHeader(http.StatusOK)
		after = free()
		return nil
	}}
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Authorization", ann.headers["Authorization"])
	h.serve(rt).ServeHTTP(&response{ResponseWriter: httptest.NewRecorder()}, r)
	if before || !after {
		t.Errorf("the turn was free before the answer: %t, and once it had begun: %t", before, after)
	}
}

// Whoever reads links often waits for themselves, as members do. Covers L-13.
func TestFeedsWaitInLine(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	id := ann.do("GET", "/world/calendars").str("calendars.0.id")
	feed := ann.do("POST", "/world/calendars/"+id+"/feed").want(201).str("feed.path")
	h.reading = limits.NewConcurrency(1, 0)
	giveBack, err := h.reading.Acquire(t.Context(), "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	h.nobody().do("GET", feed).refused(429, "rate_limited")
	ann.do("GET", "/world/calendars").want(200)
	giveBack()
	got := h.nobody().do("GET", feed).want(200)
	h.nobody().with("If-None-Match", got.header.Get("ETag")).do("GET", feed).want(304)
	h.nobody().do("GET", feed).want(200)
}
