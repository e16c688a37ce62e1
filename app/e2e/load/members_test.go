package load

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// 50 members read and write at once, over the JSON API and CalDAV. Each request has
// the response that it would have without the other members, no response contains
// content for other members, and in the end each member has the tasks that they
// wrote. Covers PT-07, PT-39 and W-17. For a longer time:
//
//	go test ./app/e2e/load -run ConcurrentMembers -members 1m
func TestConcurrentMembersSeeTheirContent(t *testing.T) {
	requests := 8
	if svctest.IsLong() {
		requests = 30
	}
	s := apptest.New(t, apptest.Unlimited)
	members := make([]*member, 50)
	for i := range members {
		members[i] = newMember(s, i+1)
	}
	for i := 0; i < len(members); i += 2 {
		members[i].shareConversation(members[i+1])
	}
	end := time.Now().Add(*membersFor)
	var running sync.WaitGroup
	for _, m := range members {
		running.Go(func() {
			for m.requests < requests && *membersFor == 0 || time.Now().Before(end) {
				m.request()
			}
		})
	}
	running.Wait()
	total, tags := 0, 0
	for _, m := range members {
		m.wantTasks()
		total += m.requests
		tags += m.tags
	}
	if tags < total {
		t.Errorf("got %d audience tags in the responses to %d requests, want at least one for each", tags, total)
	}
	log := s.Log.String()
	for _, unwanted := range []string{"locked", "level=ERROR"} {
		if strings.Contains(log, unwanted) {
			t.Errorf("log: got %q in %.2000s, want no errors", unwanted, log)
		}
	}
	t.Logf("%d requests", total)
}

// ownText returns a new text for the member only. It ends with an audience tag.
func (m *member) ownText() string { return fmt.Sprintf("Number %d [for %d]", m.requests, m.n) }

// sharedText returns a text for the member and the partner.
func (m *member) sharedText() string {
	return fmt.Sprintf("Between us [for %d %d]", min(m.n, m.partner.n), max(m.n, m.partner.n))
}
