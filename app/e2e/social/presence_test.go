package social

import (
	"testing"
	"time"

	"appliance/app/apptest"
)

// Covers O-23 and B-69.
func TestPresenceIsSetOverHTTP(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	none := ann.Do("GET", presencePath).Want(200)
	none.WantSchema("service.social.presence", none.At("mine"))
	none.WantValues("", map[string]any{"presence": []any{}, "mine.state": "offline", "mine.expires_at": nil, "mine.visible_to": "members"})
	set := bea.Do("POST", presencePath, apptest.Form("state=away&ttl_seconds=30&note=Soup")).Want(200)
	set.WantSchema("service.social.presence", set.At("presence"))
	set.WantValues("presence", map[string]any{"state": "away", "note": "Soup", "visible_to": "members", "expires_at": "2026-11-21T09:00:30Z"})
	list := ann.Do("GET", presencePath).Want(200)
	list.WantSchema("service.social.presence", list.At("presence.0"))
	list.WantValues("presence.0", map[string]any{"member_id": 2, "state": "away", "note": "Soup"})
	s.Clock.Advance(30 * time.Second)
	want(t, "present members after the presence has expired", len(ann.Do("GET", presencePath).Want(200).List("presence")), 0)
}

// Covers B-69 and PT-40.
func TestPresenceErrorsHaveTheirStatus(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	wantRejected(s, []rejectedRequest{
		{ann, "POST", presencePath, `{}`, "400 field_required state"},
		{ann, "POST", presencePath, `{"state": "sleeping"}`, "422 invalid_value state"},
		{ann, "POST", presencePath, `{"state": "online", "ttl_seconds": 29}`, "422 invalid_value ttl_seconds"},
		{ann, "POST", presencePath, `{"state": "online", "ttl_seconds": "x"}`, "400 malformed_body ttl_seconds"},
		{ann, "GET", presencePath + "?cursor=x", nil, "400 invalid_parameter cursor"},
	})
}
