package social

import (
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// apart has a member leave a community.
func apart(h *apptest.Server, community string, m *apptest.Client) {
	h.T.Helper()
	h.Exec("UPDATE social_membership SET state = 'left' WHERE community_id = ? AND member_id = ?", community, m.ID)
	h.InvalidateCircles()
}

// chain puts each of the members into a private community with the next: the
// circles of the first are the others in their order.
func chain(h *apptest.Server, members ...*apptest.Client) {
	h.T.Helper()
	for i := range members[1:] {
		h.CreateCommunity("private", members[i], members[i+1])
	}
}

// party makes a public event that its host holds, with what others respond.
func party(h *apptest.Server, host *apptest.Client, responses map[*apptest.Client]string) string {
	h.T.Helper()
	conversation, event, now := svc.NewID("cnv"), svc.NewID("evt"), h.Clock.Now().UnixMilli()
	h.Exec(`INSERT INTO social_conversation (id, title, body, context, audience_id, author_id, state, revision, seq, participants, active_at, created_at, updated_at)
	       VALUES (?, '', '', 'event', 1, ?, 'open', 0, 0, 1, ?, ?, ?)`, conversation, host.ID, now, now, now)
	h.Exec(`INSERT INTO social_event (id, conversation_id, title, description, start_local, end_local, timezone, all_day, starts_at, ends_at, location,
	                                 visibility, audience_id, host_id, revision, created_at, updated_at)
	       VALUES (?, ?, 'Party', '', 1798135200000, 1798149600000, 'UTC', 0, ?, ?, '', 'public', 1, ?, 1, ?, ?)`,
		event, conversation, now, now+4*3600*1000, host.ID, now, now)
	for m, response := range responses {
		h.Exec("INSERT INTO social_rsvp (event_id, member_id, response, note, responded_at) VALUES (?, ?, ?, '', ?)", event, m.ID, response, now)
	}
	return event
}

// leave deletes a member.
func leave(h *apptest.Server, m *apptest.Client) {
	h.T.Helper()
	h.Write(func(tx *store.Tx) error { return h.App.Identity.Delete(tx, identity.CommandLine("test"), m.ID) })
}

// newHouse opens a server with members of those names.
func newHouse(t *testing.T, names ...string) (*apptest.Server, map[string]*apptest.Client) {
	t.Helper()
	h := apptest.New(t, apptest.WithServiceKey)
	who := make(map[string]*apptest.Client)
	for _, name := range names {
		who[name] = h.Member(name)
	}
	return h, who
}
