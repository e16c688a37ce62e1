package app

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// put runs a statement behind the server's back.
func (h *house) put(statement string, args ...any) {
	h.t.Helper()
	db, err := sql.Open("sqlite", h.settings.Database())
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement, args...); err != nil {
		h.t.Fatal(err)
	}
}

// together makes a community of members, and returns its id.
func (h *house) together(visibility string, members ...*client) string {
	h.t.Helper()
	id, now := svc.NewID("com"), h.clock.Now().UnixMilli()
	h.put(`INSERT INTO social_community (id, name, summary, visibility, join_policy, member_count, created_by, created_at, updated_at)
	       VALUES (?, 'Us', '', ?, 'invite', ?, ?, ?, ?)`, id, visibility, len(members), members[0].id, now, now)
	ids := make([]svc.MemberID, len(members))
	for i, m := range members {
		ids[i] = m.id
	}
	h.put(`INSERT INTO social_membership (community_id, member_id, state, role, joined_at, updated_at)
	       SELECT ?, value, 'active', 'owner', ?, ? FROM json_each(?)`, id, now, now, store.JSONArray(ids))
	h.regraph()
	return id
}

// apart has a member leave a community.
func (h *house) apart(community string, m *client) {
	h.t.Helper()
	h.put("UPDATE social_membership SET state = 'left' WHERE community_id = ? AND member_id = ?", community, m.id)
	h.regraph()
}

func (h *house) regraph() {
	h.t.Helper()
	h.put("UPDATE social_graph SET revision = random()")
}

// chain puts each of the members into a private community with the next: the
// circles of the first are the others in their order.
func (h *house) chain(members ...*client) {
	h.t.Helper()
	for i := range members[1:] {
		h.together("private", members[i], members[i+1])
	}
}

// party makes a public event that its host holds, with what others respond.
func (h *house) party(host *client, responses map[*client]string) string {
	h.t.Helper()
	conversation, event, now := svc.NewID("cnv"), svc.NewID("evt"), h.clock.Now().UnixMilli()
	h.put(`INSERT INTO social_conversation (id, title, body, context, audience_id, author_id, state, revision, seq, participants, active_at, created_at, updated_at)
	       VALUES (?, '', '', 'event', 1, ?, 'open', 0, 0, 1, ?, ?, ?)`, conversation, host.id, now, now, now)
	h.put(`INSERT INTO social_event (id, conversation_id, title, description, start_local, end_local, timezone, all_day, starts_at, ends_at, location,
	                                 visibility, audience_id, host_id, revision, created_at, updated_at)
	       VALUES (?, ?, 'Party', '', 1798135200000, 1798149600000, 'UTC', 0, ?, ?, '', 'public', 1, ?, 1, ?, ?)`,
		event, conversation, now, now+4*3600*1000, host.id, now, now)
	for m, response := range responses {
		h.put("INSERT INTO social_rsvp (event_id, member_id, response, note, responded_at) VALUES (?, ?, ?, '', ?)", event, m.id, response, now)
	}
	return event
}

// leave deletes a member.
func (h *house) leave(m *client) {
	h.t.Helper()
	h.write(func(tx *store.Tx) error { return h.identity.Delete(tx, identity.CommandLine("test"), m.id) })
}

// column returns what the items of a list have at a path, with spaces between.
func (a *answer) column(list, path string) string {
	a.t.Helper()
	var texts []string
	for _, item := range a.list(list) {
		texts = append(texts, asText(dig(item, path)))
	}
	return strings.Join(texts, " ")
}

func asText(v any) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(v)
}

// newHouse opens a server with members of those names.
func newHouse(t *testing.T, names ...string) (*house, map[string]*client) {
	t.Helper()
	h := open(t, withKey)
	who := make(map[string]*client)
	for _, name := range names {
		who[name] = h.member(name)
	}
	return h, who
}
