package api_test

import (
	"testing"
	"time"

	"appliance/app/apptest"
)

// Covers I-23, W-38 and B-16.
func TestHealthAndReadinessAreReported(t *testing.T) {
	h := apptest.New(t)
	if got := h.Unauthenticated().Do("GET", "/health").Want(200).Str("status"); got != "ok" {
		t.Errorf("health: got %q, want ok", got)
	}
	if got := h.Unauthenticated().Do("GET", "/ready").Want(200).Body; got != "appliance ready: identity world surface messages social time maps find\n" {
		t.Errorf("ready: got %q, want all services", got)
	}
	if got := h.Unauthenticated().Do("GET", "/ready/time").Want(200).Body; got != "time ready\n" {
		t.Errorf("ready/time: got %q, want time ready", got)
	}
	h.Unauthenticated().Do("GET", "/ready/unknown").WantError(404, "not_found")
	if got := h.Unauthenticated().Do("GET", "/health/identity").Want(200).Str("service"); got != "identity" {
		t.Errorf("health/identity: got %q, want identity", got)
	}
}

// A second line of /ready reports pending follow-ups that are older than a minute or have
// failed. Covers B-130.
func TestReadinessReportsLateFollowUps(t *testing.T) {
	h := apptest.New(t)
	const ready = "appliance ready: identity world surface messages social time maps find\n"
	h.Exec(`INSERT INTO social_follow_up (guest_id, host_id, community_id, only_event_id, revoked_at, revoked_seq, cancelled, changed_at, ends_at, event_id, failed)
		VALUES (0, 1, '', '', 0, 0, 0, ?, 0, '', 0)`, h.Clock.Now().UnixMilli())
	for _, c := range []struct {
		change func()
		want   string
	}{
		{func() {}, ready},
		{func() { h.Clock.Advance(time.Minute + time.Second) }, ready + "changes of Social that are not yet in all calendars: 1, after an error: 0\n"},
		{func() {
			h.Exec("UPDATE social_follow_up SET failed = 1, changed_at = ?", h.Clock.Now().UnixMilli())
		}, ready + "changes of Social that are not yet in all calendars: 1, after an error: 1\n"},
		{func() { h.Exec("DELETE FROM social_follow_up") }, ready},
	} {
		c.change()
		if got := h.Unauthenticated().Do("GET", "/ready").Want(200).Body; got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
