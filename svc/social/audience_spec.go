package social

import (
	"strings"

	"appliance/svc"
)

// AudienceSpec selects the audience of a new conversation or event in one form
// field: "open" (every member), "circle:1" to "circle:3" (a circle of the
// author), or the id of a community.
type AudienceSpec string

// context returns the same selection as a conversation context.
func (a AudienceSpec) context() (ConversationContext, error) {
	switch depth := strings.TrimPrefix(string(a), "circle:"); {
	case a == "open":
		return ConversationContext{Kind: ContextOpen}, nil
	case depth == "1" || depth == "2" || depth == "3":
		return ConversationContext{Kind: ContextCircle, Depth: new(int(depth[0] - '0'))}, nil
	case strings.HasPrefix(string(a), "com_"):
		return ConversationContext{Kind: ContextCommunity, ID: new(string(a))}, nil
	}
	return ConversationContext{}, svc.FieldError(svc.InvalidValue, "among", "Choose everyone, one of your circles or a community.")
}
