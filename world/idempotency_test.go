package world_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/world"
	"appliance/world/worldtest"
)

// writer counts the writes that it runs.
type writer struct {
	*worldtest.Server
	*world.Idempotency
	count int
}

func newWriter(t *testing.T) (*writer, []svc.Viewer) {
	t.Helper()
	s, viewers := worldtest.New(t, "ann", "bea")
	return &writer{Server: s, Idempotency: world.NewIdempotency(s.DB)}, viewers
}

func keyedRequest(key, body string) world.WriteRequest {
	return world.WriteRequest{Key: key, Route: "POST /world/calendars", Body: sha256.Sum256([]byte(body))}
}

// write runs a write that returns result, or the number of the write if result is
// nil.
func (w *writer) write(v svc.Viewer, r world.WriteRequest, result any) (world.WriteResponse, error) {
	return w.Do(w.T.Context(), v, r, http.StatusCreated, func(*store.Tx) (any, error) {
		w.count++
		if result == nil {
			return w.count, nil
		}
		return result, nil
	})
}

// want runs a write and compares the response.
func (w *writer) want(about string, v svc.Viewer, r world.WriteRequest, want string) {
	w.T.Helper()
	response, err := w.write(v, r, nil)
	if got := strings.TrimSpace(fmt.Sprint(response.Status, " ", string(response.Body))); got != want || err != nil {
		w.T.Errorf("%s: got %q, %v, want %q", about, got, err, want)
	}
}

func TestKeyReplaysTheFirstResponse(t *testing.T) {
	w, v := newWriter(t)
	w.want("no key", v[0], keyedRequest("", "a"), "201 1")
	w.want("no key again", v[0], keyedRequest("", "a"), "201 2")
	w.want("first use", v[0], keyedRequest("k", "a"), "201 3")
	w.want("replay", v[0], keyedRequest("k", "a"), "201 3")
	w.want("another key", v[0], keyedRequest("l", "a"), "201 4")
	w.want("another member", v[1], keyedRequest("k", "a"), "201 5")
	route := keyedRequest("k", "a")
	route.Route = "POST /world/messages"
	w.want("another route", v[0], route, "201 6")
	_, err := w.write(v[0], keyedRequest("k", "b"), nil)
	worldtest.WantError(t, "another body", err, svc.IdempotencyMismatch)
	_, err = w.write(v[0], keyedRequest(strings.Repeat("k", 129), "a"), nil)
	worldtest.WantError(t, "long key", err, svc.IdempotencyMismatch)
	if w.count != 6 {
		t.Errorf("got %d writes, want 6", w.count)
	}
}

func TestFailedWriteIsNotReplayed(t *testing.T) {
	w, v := newWriter(t)
	failure := errors.New("failure")
	_, err := w.Do(t.Context(), v[0], keyedRequest("k", "a"), http.StatusOK, func(*store.Tx) (any, error) { return nil, failure })
	if !errors.Is(err, failure) {
		t.Errorf("got error %v, want %v", err, failure)
	}
	if _, err := w.write(v[0], keyedRequest("k", "a"), func() {}); err == nil {
		t.Error("a result that JSON cannot express: got no error")
	}
	w.want("after failures", v[0], keyedRequest("k", "a"), "201 2")
}

func TestInterimTransactionIsCommittedAndContinued(t *testing.T) {
	failure := errors.New("failure")
	for _, c := range []struct {
		about   string
		ends    []error // of the transactions
		err     error
		commits int
	}{
		{"three transactions", []error{world.Interim{}, world.Interim{}, nil}, nil, 3},
		{"an error that keeps its transaction", []error{world.Interim{}, world.Interim{Err: failure}}, failure, 2},
		{"an error that rolls its transaction back", []error{world.Interim{}, failure}, failure, 1},
	} {
		w, v := newWriter(t)
		commits := 0
		_, err := w.Do(t.Context(), v[0], keyedRequest("k", "a"), http.StatusOK, func(tx *store.Tx) (any, error) {
			tx.AfterCommit(func() { commits++ })
			w.count++
			return w.count, c.ends[w.count-1]
		})
		if !errors.Is(err, c.err) || w.count != len(c.ends) || commits != c.commits {
			t.Errorf("%s: got error %v, %d transactions, %d commits, want %v, %d, %d", c.about, err, w.count, commits, c.err, len(c.ends), c.commits)
		}
	}
}

func TestResponsesAreStoredForADay(t *testing.T) {
	w, v := newWriter(t)
	w.want("first use", v[0], keyedRequest("k", "a"), "201 1")
	w.Clock.Advance(24*time.Hour - time.Second)
	w.want("within a day", v[0], keyedRequest("k", "a"), "201 1")
	w.Clock.Advance(time.Second)
	w.want("after a day", v[0], keyedRequest("k", "b"), "201 2")
	w.Clock.Advance(25 * time.Hour)
	w.want("another", v[0], keyedRequest("l", "a"), "201 3")
	w.Write(func(tx *store.Tx) error { _, err := w.Clean(tx); return err })
	if got := storetest.Rows(t, w.DB, "SELECT key FROM world_idempotency"); len(got) != 1 || got[0] != "l" {
		t.Errorf("after Clean: got keys %q, want l", got)
	}
	w.Write(func(tx *store.Tx) error { _, err := w.DeleteData(tx, v[0].Member(), 100); return err })
	if got := storetest.Rows(t, w.DB, "SELECT key FROM world_idempotency"); len(got) > 0 {
		t.Errorf("after the deletion of the member: got keys %q, want none", got)
	}
}

func TestNewestResponsesAreKept(t *testing.T) {
	w, v := newWriter(t)
	w.want("oldest", v[0], keyedRequest("k0", "a"), "201 1")
	storetest.Exec(t, w.DB, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
		INSERT INTO world_idempotency SELECT member_id, route, 'n' || i, body_hash, status, response, created_at + i FROM world_idempotency, n`)
	w.want("the thousandth", v[0], keyedRequest("k0", "a"), "201 1")
	w.Clock.Advance(time.Minute)
	w.want("one more", v[0], keyedRequest("k1", "a"), "201 2")
	w.want("deleted", v[0], keyedRequest("k0", "a"), "201 3")
}

// longResponse is a response whose size exceeds the limit of stored responses.
type longResponse struct {
	Text string `json:"text"`
	ID   string `json:"id"`
}

func (l longResponse) Short() any { return map[string]string{"id": l.ID} }

// acceptedResponse is a response that defines its status.
type acceptedResponse struct{}

func (acceptedResponse) Status() int { return http.StatusAccepted }

func TestLongResponsesAreShortened(t *testing.T) {
	w, v := newWriter(t)
	longText := strings.Repeat("x", 65<<10)
	for _, c := range []struct {
		key    string
		result any
		want   string
		status int
	}{
		{"short", longResponse{"", "7"}, `{"text":"","id":"7"}`, 201},
		{"long", longResponse{longText, "7"}, `{"id":"7"}`, 201},
		{"text", longText, `{}`, 201},
		{"status", acceptedResponse{}, `{}`, 202},
	} {
		first, err := w.write(v[0], keyedRequest(c.key, "a"), c.result)
		if err != nil || first.Status != c.status {
			t.Errorf("%s: got status %d, %v, want %d", c.key, first.Status, err, c.status)
		}
		replayed, err := w.write(v[0], keyedRequest(c.key, "a"), c.result)
		if got := strings.TrimSpace(string(replayed.Body)); got != c.want || err != nil || replayed.Status != c.status {
			t.Errorf("%s replayed: got %d %.100s, %v, want %d %s", c.key, replayed.Status, got, err, c.status, c.want)
		}
	}
}

func TestReplayComputesTheResponse(t *testing.T) {
	w, v := newWriter(t)
	w.want("first use", v[0], keyedRequest("k", "a"), "201 1")
	failure := errors.New("failure")
	for _, c := range []struct {
		result any
		err    error
		want   string
	}{{"again 1", nil, `"again 1"`}, {nil, nil, "1"}, {nil, failure, "1"}} {
		r := keyedRequest("k", "a")
		r.Replay = func(_ *store.Tx, stored []byte) (any, error) {
			if got := strings.TrimSpace(string(stored)); got != "1" {
				t.Errorf("got the stored response %s, want 1", got)
			}
			return c.result, c.err
		}
		response, err := w.write(v[0], r, nil)
		if got := strings.TrimSpace(string(response.Body)); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("replay returns %v, %v: got %s, %v, want %s", c.result, c.err, got, err, c.want)
		}
	}
}
