package world

import (
	"fmt"
	"slices"
	"testing"

	"appliance/svc/svctest"
)

// largeCount is the number of records of each kind that a large member has.
const largeCount = 3000

// insertRows inserts the rows of a query. The query can select from c(i), the numbers from 1 to
// largeCount.
func (s *objectFixture) insertRows(table, columns, query string, args ...any) {
	s.T.Helper()
	s.Exec(fmt.Sprintf(`WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < %d)
		INSERT INTO %s (%s) %s`, largeCount, table, columns, query), args...)
}

// addLargeContent gives the owner largeCount records of each kind that one action may change.
func (s *objectFixture) addLargeContent() {
	s.T.Helper()
	owner, guest := int64(s.owner.ID), int64(s.participant.ID)
	event := s.owner.CreateEvent()
	s.insertRows("social_conversation", `id, title, body, context, audience_id, author_id, state, revision, seq, participants, active_at, created_at, updated_at`,
		`SELECT o.id || i, title, body, context, audience_id, author_id, state, revision, 0, 1, active_at, o.created_at, o.updated_at
		   FROM c CROSS JOIN social_conversation AS o WHERE c.i <= 900 AND o.id = (SELECT conversation_id FROM social_event WHERE id = ?)`, event)
	s.insertRows("social_event", `id, conversation_id, title, description, start_local, end_local, timezone, all_day, starts_at, ends_at, location, visibility,
		audience_id, host_id, revision, created_at, updated_at`,
		`SELECT o.id || i, o.conversation_id || i, title, description, start_local, end_local, timezone, all_day, starts_at, ends_at - (i % 2) * 100000000000,
		        location, visibility, audience_id, host_id, revision, created_at, updated_at FROM c CROSS JOIN social_event AS o WHERE c.i <= 900 AND o.id = ?`, event)
	s.Exec(`INSERT INTO social_rsvp (event_id, member_id, response, note, responded_at, seq)
		SELECT id, ?, 'going', '', created_at, 0 FROM social_event WHERE host_id = ? ON CONFLICT DO NOTHING`, guest, owner)
	s.Exec(`UPDATE social_event SET community_id = com.id, visibility = 'community', audience_id = a.id
		  FROM social_community AS com JOIN social_audience AS a ON a.community_id = com.id
		 WHERE social_event.host_id = ?1 AND com.created_by = ?1 AND social_event.id LIKE '%5'`, owner)
	s.insertRows("social_notification", "id, member_id, kind, actor_id, target_type, target_id, created_at",
		`SELECT 'ntf_' || ?1 || '_' || i, ?1, 'reply', ?2, 'conversation', o.conversation_id, i FROM c CROSS JOIN social_event AS o WHERE o.id = ?3`, owner, guest, event)
	s.insertRows("social_reply", "id, conversation_id, seq, author_id, body, created_at",
		`SELECT 'rep_' || o.id || '_' || i, o.id, 100000 + i, ?1, 'Well', o.created_at FROM social_conversation AS o CROSS JOIN c
		  WHERE o.author_id = ?1 AND o.context = 'community'`, owner)
	s.insertRows("social_read_cursor", "conversation_id, member_id, seq, marked_unread",
		`SELECT o.conversation_id, ?1, 0, 0 FROM c JOIN social_event AS o ON o.id = ?2 || i`, owner, event)
	s.insertRows("world_idempotency", "member_id, route, key, body_hash, status, response, created_at", `SELECT ?, 'POST /x', 'k' || i, x'00', 200, x'00', 0 FROM c`, owner)
	s.insertRows("identity_audit", "at, actor, action, member_id, detail", `SELECT i, ?1, iif(i % 2, 'sign-in', 'change-email'), ?1, 'x' FROM c`, owner)
	s.insertRows("calendar_home_tombstone", "member_id, segment, home_seq", `SELECT ?, 'gone' || i, i FROM c`, owner)
	s.insertRows("messages_message", "id, thread_id, seq, sender_id, body, created_at",
		`SELECT 'msg_' || o.id || '_' || i, o.id, 100000 + i, ?1, 'Well', 0 FROM messages_thread AS o CROSS JOIN c WHERE ?1 IN (o.low_id, o.high_id)`, owner)
	s.insertRows("social_dm_message", "id, thread_id, seq, sender_id, body, created_at",
		`SELECT 'sdmm_' || o.id || '_' || i, o.id, 100000 + i, ?1, 'Well', 0 FROM social_dm_thread AS o CROSS JOIN c WHERE ?1 IN (o.low_id, o.high_id)`, owner)
}

// Covers B-130: each published action of a member with many records, and each batch of the deletion
// of that member, is a small write. The database fails the test if a write exceeds its limit.
func TestActionsOfALargeMemberAreBounded(t *testing.T) {
	svctest.Long(t)
	h, number := serverWithBakery(t), 0
	for _, k := range slices.Concat(objectKinds, operatorKinds) {
		t.Run(k.name, func(t *testing.T) {
			h.T = t
			fixture := func() *objectFixture {
				s := k.newFixture(t, h, &number)
				s.addLargeContent()
				return s
			}
			s := fixture()
			all := k.publishedActions(s, s.owner)
			current := all
			for _, o := range all {
				find := func() int {
					return slices.IndexFunc(current, func(c publishedAction) bool { return c.source == o.source && c.name == o.name })
				}
				if i := find(); i < 0 || k.send(s, s.owner, current[i], current).Status >= 400 { // an earlier action has changed the object
					s = fixture()
					current = k.publishedActions(s, s.owner)
					if i := find(); i >= 0 {
						k.send(s, s.owner, current[i], current)
					}
				}
			}
			h.DeleteMember(s.owner.ID)
		})
	}
}
