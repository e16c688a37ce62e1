package apptest

import (
	"fmt"
)

// Paths of Social.
const (
	CommunitiesPath   = "/world/social/communities"
	ConversationsPath = "/world/social/conversations"
)

// CreateCommunity creates a community with the others as members, and returns
// its path.
func (c *Client) CreateCommunity(body string, others ...*Client) (path string) {
	c.T.Helper()
	a := c.Do("POST", CommunitiesPath, body).Want(201)
	a.WantSchema("service.social.community", a.At("community"))
	path = CommunitiesPath + "/" + a.Str("community.id")
	for _, other := range others {
		other.AnswerInvitation(c.InviteToCommunity(path, other), "accept").Want(200)
	}
	return path
}

// InviteToCommunity invites another member to a community, given its path, and
// returns the id of the invitation.
func (c *Client) InviteToCommunity(path string, other *Client) (id string) {
	c.T.Helper()
	a := c.Do("POST", path+"/invitations", map[string]any{"recipient": other.Name}).Want(201)
	a.WantSchema("service.social.invitation", a.At("invitation"))
	return a.Str("invitation.id")
}

// AnswerInvitation responds to an invitation. The answer is accept, decline or
// revoke.
func (c *Client) AnswerInvitation(id, answer string) *Answer {
	c.T.Helper()
	return c.Do("POST", "/world/social/invitations/"+id+"/"+answer)
}

// StartConversation starts an open conversation and returns its id.
func (c *Client) StartConversation(title string) (id string) {
	c.T.Helper()
	return c.StartConversationIn(title, `{"kind": "open"}`)
}

// StartConversationIn starts a conversation in a context and returns its id.
func (c *Client) StartConversationIn(title, context string) (id string) {
	c.T.Helper()
	return c.Do("POST", ConversationsPath, fmt.Sprintf(`{"title": %q, "body": "About %s", "context": %s}`, title, title, context)).
		Want(201).Str("conversation.id")
}

// Reply posts a reply in a conversation and returns the id of the reply.
func (c *Client) Reply(conversation, body string) (id string) {
	c.T.Helper()
	return c.Do("POST", ConversationsPath+"/"+conversation+"/replies", map[string]any{"body": body}).Want(201).Str("reply.id")
}

// SendDM sends a message to a member, in a new or an existing DM, and returns
// the path of the DM.
func (c *Client) SendDM(to *Client, body string) (path string) {
	c.T.Helper()
	a := c.Do("POST", "/world/social/dms", map[string]any{"recipient": to.Name, "body": body}).Want(201)
	return "/world/social/dms/" + a.Str("dm.id")
}

// CreateEvent creates an event with the fields of [EventBody] and returns its
// id.
func (c *Client) CreateEvent(fields ...any) (id string) {
	c.T.Helper()
	a := c.Do("POST", "/world/social/events", EventBody(fields...)).Want(201)
	a.WantSchema("service.social.event", a.At("event"))
	return a.Str("event.id")
}

// EventBody returns the request body of an event, a dinner on 24 December. Pairs
// of a field name and a value replace or add fields.
func EventBody(fields ...any) map[string]any {
	body := map[string]any{"title": "Dinner", "start": "2026-12-24T18:00:00", "end": "2026-12-24T22:00:00", "timezone": "Europe/Berlin"}
	for i := 0; i < len(fields); i += 2 {
		body[fields[i].(string)] = fields[i+1]
	}
	return body
}

// Block blocks another member.
func (c *Client) Block(other *Client) *Answer {
	c.T.Helper()
	return c.Do("POST", "/world/social/blocks", map[string]any{"member_id": other.ID})
}
