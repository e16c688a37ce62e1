package load

import (
	"fmt"
	"testing"

	"appliance/app/apptest"
	"appliance/svc"
)

// newDiscussions returns a server with 5,000 open conversations of 20 replies each,
// by 100 members, and 50,000 notifications of ann. The rows are inserted by SQL,
// because the API would take minutes.
func newDiscussions(b *testing.B) (h *apptest.Server, ann *apptest.Client) {
	h = apptest.New(b, apptest.Unlimited)
	ann = h.Member("ann")
	for _, statement := range []string{
		`WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
		 INSERT INTO identity_member (id, email, email_key, username, display_name, name_key, status, timezone, locale, password_hash, generation, created_at, updated_at)
		 SELECT i, 'm' || i || '@example.org', 'm' || i || '@example.org', 'm' || i, 'M ' || i, 'm ' || i, 'active', 'UTC', 'en', '', 1, 0, 0 FROM n`,
		`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
		 INSERT INTO social_conversation (id, title, body, context, audience_id, author_id, state, revision, seq, participants, active_at, created_at, updated_at)
		 SELECT printf('cnv_%026d', i), 'Talk ' || i, 'Well?', 'open', 1, 1 + i % 100, 'open', 0, 20, 21, 1000000 * i + 20, 1000000 * i, 1000000 * i FROM n`,
		`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
		 INSERT INTO social_reply (id, conversation_id, seq, author_id, body, created_at)
		 SELECT printf('rep_%026d', i), printf('cnv_%026d', 1 + i / 20), 1 + i % 20, 1 + (i / 20 + 2 + i % 20) % 100, 'Yes', 1000000 * (1 + i / 20) + 1 + i % 20 FROM n`,
		`INSERT INTO social_activity (id, kind, actor_id, target_type, target_id, audience_id, author_id, created_at)
		 SELECT replace(r.id, 'rep', 'act'), 'reply.posted', r.author_id, 'conversation', r.conversation_id, 1, c.author_id, r.created_at
		   FROM social_reply AS r JOIN social_conversation AS c ON c.id = r.conversation_id`,
		`INSERT INTO social_notification (id, member_id, kind, actor_id, target_type, target_id, audience_id, author_id, created_at)
		 SELECT replace(id, 'act', 'ntf'), 1, 'reply', actor_id, target_type, target_id, 1, author_id, created_at FROM social_activity WHERE actor_id > 1 ORDER BY id LIMIT 50000`,
	} {
		h.Exec(statement)
	}
	return h, ann
}

// BenchmarkConversations reads the first page of lists and posts replies, for a
// member with and without blocks.
func BenchmarkConversations(b *testing.B) {
	h, ann := newDiscussions(b)
	get, post := ann.Bench(b, "GET", 200), ann.Bench(b, "POST", 201)
	for _, blocks := range []int{0, 5} {
		for i := range blocks {
			ann.Do("POST", "/world/social/blocks", map[string]any{"member_id": svc.MemberID(50 + i)}).Want(201)
		}
		h.Restart()
		for _, list := range []string{"conversations", "activity", "notifications", "conversations/cnv_00000000000000000000000007?peek=1"} {
			b.Run(fmt.Sprintf("%.13s with %d blocks", list, blocks), func(b *testing.B) {
				for b.Loop() {
					get("/world/social/"+list, "")
				}
			})
		}
		b.Run(fmt.Sprintf("reply with %d blocks", blocks), func(b *testing.B) {
			for b.Loop() {
				post(apptest.ConversationsPath+"/cnv_00000000000000000000000007/replies", `{"body": "Yes, @m7"}`)
			}
		})
	}
}
