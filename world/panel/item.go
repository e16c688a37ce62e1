package panel

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/view"
	"appliance/svc/social"
)

// PanelItem is an item of a section.
type PanelItem struct {
	ID       string                `json:"id"` // unique within the section
	Title    string                `json:"title"`
	Summary  string                `json:"summary"`
	Metadata svc.Map               `json:"metadata"`
	Actions  svc.List[PanelAction] `json:"actions"`

	ActionDescriptors svc.List[Descriptor] `json:"action_descriptors,omitzero"` // actions on the item that need input

	Actor        *social.Actor `json:"actor,omitzero"` // the member of the item, such as the author or the other participant; only of items about a member
	*ItemText                  // only of texts
	*ItemReplies               // only of items with replies or messages
	*ItemEvent                 // only of events
	Context      *ItemContext  `json:"context,omitzero"` // where the item belongs; only of records of Social
}

// ItemText is the text of an item.
type ItemText struct {
	Body     string               `json:"body"`
	Entities svc.List[svc.Entity] `json:"entities"` // mentions in the body
}

// ItemReplies are the replies to an item, or the messages of a thread.
type ItemReplies struct {
	ReplyCount int64          `json:"reply_count"`
	LastReply  *ItemLastReply `json:"last_reply"` // null if there is none
}

// ItemLastReply is the latest reply or message.
type ItemLastReply struct {
	Actor     *social.Actor `json:"actor"`
	Excerpt   string        `json:"excerpt"` // the beginning of the text, in one line
	CreatedAt time.Time     `json:"created_at"`
}

// ItemEvent is the data of an event.
type ItemEvent struct {
	Start          view.Moment          `json:"start"` // of the first occurrence
	End            view.Moment          `json:"end"`   // exclusive
	Description    string               `json:"description"`
	Location       social.Location      `json:"location"`
	Host           *social.Actor        `json:"host"`
	Counts         social.RSVPCounts    `json:"counts"`
	Capacity       *int                 `json:"capacity"`  // limit of members who are going, null for none
	Community      *social.CommunityRef `json:"community"` // null unless the event is of a community
	CanAnswerUntil *time.Time           `json:"can_answer_until"`
	IsOver         bool                 `json:"is_over"`
}

// ItemContext is the record to which an item belongs, or its audience.
type ItemContext struct {
	ID    *string     `json:"id"` // null for an audience
	Title string      `json:"title"`
	Type  ContextType `json:"type"`
}

// ContextType is the type of an [ItemContext]: that of a social.Target, or of an audience.
type ContextType string

const (
	CommunityContext    ContextType = "community"
	ConversationContext ContextType = "conversation"
	EventContext        ContextType = "event"
	InvitationContext   ContextType = "invitation"
	DMContext           ContextType = "dm"
	CircleContext       ContextType = "circle"
	OpenContext         ContextType = "open"
	InvitedContext      ContextType = "invited"
)

// Values implements [svc.Set].
func (ContextType) Values() []string {
	return svc.Values(CommunityContext, ConversationContext, EventContext, InvitationContext, DMContext, CircleContext, OpenContext, InvitedContext)
}

// actorOf returns a member of an item, whose other fields CompleteActors sets.
func actorOf(member svc.MemberID) *social.Actor { return &social.Actor{MemberID: member} }

// CompleteActors sets the fields of the members of all items to those that v sees,
// with the same few queries for any number of items.
func CompleteActors(tx *store.Tx, s *social.Service, v svc.Viewer, sections []Section, more ...*social.Actor) error {
	pending := more
	for _, section := range sections {
		for _, item := range section.Items {
			pending = append(pending, item.actors()...)
		}
	}
	var members []svc.MemberID
	for _, a := range pending {
		members = append(members, a.MemberID)
	}
	if len(members) == 0 {
		return nil
	}
	actors, err := s.Actors(tx, v, members...)
	for _, a := range pending {
		*a = actors[a.MemberID]
	}
	return err
}

// actors returns the members of an item whose fields are not set.
func (i PanelItem) actors() (list []*social.Actor) {
	all := []*social.Actor{i.Actor}
	if i.ItemReplies != nil && i.LastReply != nil {
		all = append(all, i.LastReply.Actor)
	}
	if i.ItemEvent != nil {
		all = append(all, i.Host)
	}
	for _, a := range all {
		if a != nil && a.DisplayName == "" {
			list = append(list, a)
		}
	}
	return list
}

// repliesTo returns the replies to a conversation.
func repliesTo(c social.Conversation) *ItemReplies {
	r := &ItemReplies{ReplyCount: c.ReplyCount}
	if last := c.LastReply; last != nil {
		r.LastReply = &ItemLastReply{actorOf(last.Author.ID), last.Excerpt, last.CreatedAt}
	}
	return r
}
