package load

import (
	"fmt"
	"testing"

	"appliance/app/apptest"
	"appliance/svc"
)

// BenchmarkConversations measures the first pages of the lists of Social, with
// and without blocks, and a reply.
func BenchmarkConversations(b *testing.B) {
	p, id := newConversationsServer(b)
	ann := p.Client(1)
	conversation := apptest.ConversationsPath + "/" + id
	post := ann.With("Content-Type", "application/json").Bench(b, "POST", 201)
	for _, blocks := range []int{0, 5} {
		for i := range blocks {
			ann.Do("POST", "/world/social/blocks", map[string]any{"member_id": svc.MemberID(50 + i)}).Want(201)
		}
		p.Restart()
		for _, g := range []measuredGet{
			{"conversations", apptest.ConversationsPath}, {"activity", "/world/social/activity"}, {"notifications", "/world/social/notifications"},
			{"conversation", conversation + "?peek=1"},
		} {
			b.Run(fmt.Sprintf("%s with %d blocks", g.name, blocks), func(b *testing.B) { benchGet(b, p.Server, ann, g.path) })
		}
		b.Run(fmt.Sprintf("reply with %d blocks", blocks), func(b *testing.B) {
			for b.Loop() {
				post(conversation+"/replies", `{"body": "Yes, @m7"}`)
			}
		})
	}
}

// BenchmarkSocialPanel measures the views of the panel of Social.
func BenchmarkSocialPanel(b *testing.B) {
	p, id := newConversationsServer(b)
	ann := p.Client(1)
	for _, name := range []string{"club", "choir", "chess"} {
		ann.CreateCommunity(`{"name": "` + name + `"}`)
	}
	p.Restart()
	for _, view := range apptest.SocialViews {
		b.Run(view, func(b *testing.B) { benchGet(b, p.Server, ann, apptest.SocialPanelPath+"?view="+view) })
	}
	b.Run("one conversation", func(b *testing.B) {
		benchGet(b, p.Server, ann, apptest.SocialPanelPath+"?view=conversations&id="+id)
	})
}
