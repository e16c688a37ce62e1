package apptest

import (
	"fmt"
	"strings"

	"appliance/store"
	"appliance/svc"
)

const CommunitiesPath = "/world/social/communities"

// community makes a community and brings others into it, and returns its
// address.
func (c *Client) CreateCommunity(body string, others ...*Client) string {
	c.T.Helper()
	a := c.Do("POST", CommunitiesPath, body).Want(201)
	a.WantSchema("service.social.community", a.At("community"))
	at := CommunitiesPath + "/" + a.Str("community.id")
	for _, other := range others {
		other.AnswerInvitation(c.InviteToCommunity(at, other), "accept").Want(200)
	}
	return at
}

// invites asks another into a community, and returns the id of the invitation.
func (c *Client) InviteToCommunity(at string, other *Client) string {
	c.T.Helper()
	a := c.Do("POST", at+"/invitations", map[string]any{"recipient": other.Name}).Want(201)
	a.WantSchema("service.social.invitation", a.At("invitation"))
	return a.Str("invitation.id")
}

// answers is accept, decline or revoke.
func (c *Client) AnswerInvitation(invitation, how string) *Answer {
	c.T.Helper()
	return c.Do("POST", "/world/social/invitations/"+invitation+"/"+how)
}

// says posts a reply, and returns its id.
func (c *Client) Reply(conversation, body string) (id string) {
	c.T.Helper()
	return c.Do("POST", ConversationsPath+"/"+conversation+"/replies", map[string]any{"body": body}).Want(201).Str("reply.id")
}

// writes sends a message in a new or an old DM, and returns its path.
func (c *Client) SendDM(to *Client, body string) string {
	c.T.Helper()
	a := c.Do("POST", "/world/social/dms", map[string]any{"recipient": to.Name, "body": body}).Want(201)
	return "/world/social/dms/" + a.Str("dm.id")
}

// plan makes an event: a dinner on Christmas Eve, but for what fields say.
func (c *Client) CreateEvent(fields ...any) string {
	c.T.Helper()
	a := c.Do("POST", "/world/social/events", EventBody(fields...)).Want(201)
	a.WantSchema("service.social.event", a.At("event"))
	return a.Str("event.id")
}

// EventBody returns the request body of an event, a dinner on Christmas Eve,
// with pairs of a field name and its value changed.
func EventBody(fields ...any) map[string]any {
	body := map[string]any{"title": "Dinner", "start": "2026-12-24T18:00:00", "end": "2026-12-24T22:00:00", "timezone": "Europe/Berlin"}
	for i := 0; i < len(fields); i += 2 {
		body[fields[i].(string)] = fields[i+1]
	}
	return body
}

// What members learn of what they do not see, or not any more, and of whom they
// do not meet: nothing.

// blocks has a member block another.
func (c *Client) Block(other *Client) *Answer {
	c.T.Helper()
	return c.Do("POST", "/world/social/blocks", map[string]any{"member_id": other.ID})
}

// comID is the id of a community by its address.
func CommunityID(at string) string { return strings.TrimPrefix(at, CommunitiesPath+"/") }

// begins begins a conversation, and returns its id.
func (c *Client) StartConversationIn(title, context string) string {
	c.T.Helper()
	return c.Do("POST", "/world/social/conversations", fmt.Sprintf(`{"title": %q, "body": "About %s", "context": %s}`, title, title, context)).
		Want(201).Str("conversation.id")
}

// last is what comes last in a path.
func LastSegment(path string) string { return path[strings.LastIndex(path, "/")+1:] }

// together makes a community of members, and returns its id.
func (h *Server) CreateCommunity(visibility string, members ...*Client) string {
	h.T.Helper()
	id, now := svc.NewID("com"), h.Clock.Now().UnixMilli()
	h.Exec(`INSERT INTO social_community (id, name, summary, visibility, join_policy, member_count, created_by, created_at, updated_at)
	       VALUES (?, 'Us', '', ?, 'invite', ?, ?, ?, ?)`, id, visibility, len(members), members[0].ID, now, now)
	ids := make([]svc.MemberID, len(members))
	for i, m := range members {
		ids[i] = m.ID
	}
	h.Exec(`INSERT INTO social_membership (community_id, member_id, state, role, joined_at, updated_at)
	       SELECT ?, value, 'active', 'owner', ?, ? FROM json_each(?)`, id, now, now, store.JSONArray(ids))
	h.InvalidateCircles()
	return id
}

func (h *Server) InvalidateCircles() {
	h.T.Helper()
	h.Exec("UPDATE social_graph SET revision = random()")
}

// converse begins an open conversation.
func (c *Client) StartConversation(title string) (id string) {
	c.T.Helper()
	return c.Do("POST", "/world/social/conversations", map[string]any{"title": title, "body": "Well?", "context": map[string]any{"kind": "open"}}).
		Want(201).Str("conversation.id")
}

const ConversationsPath = "/world/social/conversations"
