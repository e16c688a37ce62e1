package social

import (
	"strings"

	"appliance/svc"
)

// Among says in a word among whom something is, for forms, in which it is one
// choice: "open" (every member), "circle:1" to "circle:3" (around whoever makes
// it), or the id of a community.
type AudienceSpec string

// read returns the same as a context has it.
func (a AudienceSpec) read() (ConversationContext, error) {
	switch depth := strings.TrimPrefix(string(a), "circle:"); {
	case a == "open":
		return ConversationContext{Kind: "open"}, nil
	case depth == "1" || depth == "2" || depth == "3":
		return ConversationContext{Kind: "circle", Depth: new(int(depth[0] - '0'))}, nil
	case strings.HasPrefix(string(a), "com_"):
		return ConversationContext{Kind: "community", ID: new(string(a))}, nil
	}
	return ConversationContext{}, svc.FieldError(svc.InvalidValue, "among", "among must be open, circle:1, circle:2, circle:3 or a community.")
}
