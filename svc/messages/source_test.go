package messages

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

// Covers M-31, M-32, M-33, M-34 and M-35.
func TestSourcesDescribeThreads(t *testing.T) {
	s := newServer(t)
	started := s.startThread(ann, bea, "Hello")
	var sources Sources
	s.read(func(tx *store.Tx) (err error) {
		sources, _, err = s.Sources(tx, svc.Trust(bea))
		return err
	})
	encoded, err := json.Marshal(sources)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`{"threads":[{"source":{"service":"messages","resource_type":"thread","resource_id":"%[1]s"},"object_type":"message_thread",`+
		`"title":"Ann","summary":"Hello","state":{"id":"%[1]s","current_identity_user_id":"2","participants":[`+
		`{"id":"2","display_name":"Bea","username":"bea","color":"pine","avatar":null,"is_self":true},{"id":"1","display_name":"Ann","username":"ann","color":"sea","avatar":null,"is_self":false}],`+
		`"participant_count":2,"message_count":1,"unread_count":1,"last_message_at":"2026-11-21T09:00:00Z","created_at":"2026-11-21T09:00:00Z",`+
		`"updated_at":"2026-11-21T09:00:00Z"},"domain_permissions":{"can_view":true,"can_reply":true,"can_add_participant":false},`+
		`"domain_actions":["open_thread","send_message"],"relationships":[]}]}`, started)
	if string(encoded) != want {
		t.Errorf("got\n%s\nwant\n%s", encoded, want)
	}
	for _, word := range []string{"/world/", "panel", "surface", "stack", "placement", "dock", "rail"} {
		if strings.Contains(string(encoded), word) {
			t.Errorf("got %q in a source, want no presentation term", word)
		}
	}
}

// Sources contain at most maxSources threads, exports contain all threads.
func TestSourcesAreTruncatedAndExportsAreNot(t *testing.T) {
	s := newServer(t)
	s.addThreads(maxSources + 1)
	s.read(func(tx *store.Tx) error {
		list, truncated, err := s.Sources(tx, svc.Trust(ann))
		if err != nil {
			return err
		}
		if len(list.Threads) != maxSources || !truncated || list.Threads[0].Title != fmt.Sprint("M", maxSources) {
			t.Errorf("sources: got %d, truncated %v; want the latest %d, truncated", len(list.Threads), truncated, maxSources)
		}
		exported := make(map[string]bool)
		err = s.EachThread(tx, ann, func(t thread.Thread) error { exported[t.Title] = true; return nil })
		if len(exported) != maxSources+1 {
			t.Errorf("export: got %d threads, want %d", len(exported), maxSources+1)
		}
		return err
	})
}
