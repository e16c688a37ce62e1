package action

import (
	"slices"

	"appliance/svc"
	"appliance/svc/social"
)

const changeConversation = "PATCH /world/social/conversations/{id}"

// Conversations declares the actions on conversations.
var Conversations = Table[social.Conversation]{
	Kind: "social",
	ID:   func(c social.Conversation) string { return c.ID },
	Entries: []Entry[social.Conversation]{
		{Name: "open", Type: "social.conversation.open", Label: "Open", Request: "GET /world/social/conversations/{id}"},
		{
			Name: "reply", Type: "social.conversation.reply", Label: "Reply", Request: "POST /world/social/conversations/{id}/replies",
			Allowed:  func(c social.Conversation) bool { return c.Permissions.CanReply },
			Controls: func(social.Conversation) svc.List[Control] { return svc.List[Control]{bodyControl("Reply", "")} },
		},
		markReadEntry(typedRequest{"social.conversation.read", "POST /world/social/conversations/{id}/read"}, repliesState),
		markUnreadEntry(typedRequest{"social.conversation.unread", "POST /world/social/conversations/{id}/unread"}, repliesState),
		{
			Name: "update", Type: "social.conversation.update", Label: "Edit", Request: changeConversation,
			Allowed: func(c social.Conversation) bool { return c.Permissions.CanUpdate },
			Controls: func(c social.Conversation) svc.List[Control] {
				return svc.List[Control]{titleControl(c.Title), bodyControl("Text", c.Body)}
			},
		},
		{
			Name: "close", Type: "social.conversation.close", Label: "Close conversation", Request: "DELETE /world/social/conversations/{id}",
			Allowed: func(c social.Conversation) bool { return c.Permissions.CanClose && c.State == social.ConversationOpen }, Destructive: true,
		},
		{
			Name: "reopen", Type: "social.conversation.reopen", Label: "Reopen conversation", Request: changeConversation,
			Allowed: func(c social.Conversation) bool { return c.Permissions.CanClose && c.State != social.ConversationOpen },
			Fixed:   svc.Map{"state": "open"},
		},
	},
}

// repliesState returns the read state of the replies and, unless the member has written it, of the
// first post. An event has no first post.
func repliesState(c social.Conversation) readState {
	state := readState{c.ReplyCount, c.UnreadCount, c.MarkedUnread}
	if c.Context.Kind != social.ContextEvent && !c.Permissions.CanUpdate {
		state.count++
	}
	return state
}

// Audience selects the members who see a new conversation or event.
type Audience struct {
	Fixed   string           // value of the field "among"; "" if the member selects the audience
	Choices svc.List[Option] // communities that the member can choose besides Circles; nil if Fixed is set
}

// Circles are the audiences that every member can choose.
var Circles = svc.List[Option]{
	{Value: "open", Label: "Everyone"}, {Value: "circle:1", Label: "Your inner circle"}, {Value: "circle:2", Label: "Your inner and trusted circles"}, {Value: "circle:3", Label: "All your circles"},
}

// body returns a request body with the fixed audience, or nil if the member
// selects the audience.
func (a Audience) body() svc.Map {
	if a.Fixed == "" {
		return nil
	}
	return svc.Map{"among": a.Fixed}
}

// controls returns the control that selects the audience: the communities, the options
// in first, and the circles. Its default is the community of a member who has one
// only, and the first of the other options otherwise, because the server cannot guess
// which of several communities the member means. It returns none if the audience is
// fixed.
func (a Audience) controls(first ...Option) svc.List[Control] {
	if a.Fixed != "" {
		return nil
	}
	others := slices.Concat(first, Circles)
	preset := others[0]
	if len(a.Choices) == 1 {
		preset = a.Choices[0]
	}
	return svc.List[Control]{selectorControl("among", "Visible to", preset.Value, slices.Concat(a.Choices, others))}
}

// conversationEntry returns the entry of the action that starts a conversation.
func conversationEntry[R any](allowed func(R) bool, audience func(R) Audience) Entry[R] {
	return Entry[R]{
		Name: "create_conversation", Type: "social.conversation.create", Label: "New conversation", Request: "POST /world/social/conversations",
		Allowed: allowed,
		Body:    func(r R) svc.Map { return audience(r).body() },
		Controls: func(r R) svc.List[Control] {
			return append(svc.List[Control]{titleControl(""), bodyControl("Text", "")}, audience(r).controls()...)
		},
	}
}
