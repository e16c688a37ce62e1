package social

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

// NewConversation is a conversation to start.
type NewConversation struct {
	Title    string              `json:"title"`
	Body     string              `json:"body"`
	Context  ConversationContext `json:"context"`
	Audience AudienceSpec        `json:"among"` // replaces Context in a request from a form
}

// ConversationChange is an update of a conversation.
type ConversationChange struct {
	Title svc.Optional[string]            `json:"title"`
	Body  svc.Optional[string]            `json:"body"`
	State svc.Optional[ConversationState] `json:"state"`
}

// newConversation is a row of social_conversation to insert.
type newConversation struct {
	ID          string
	Title       string
	Body        string
	Context     ContextKind
	CommunityID *string
	Depth       *int
	Audience    audienceID
	Author      svc.MemberID
}

// StartConversation starts a conversation with v as its author.
func (s *Service) StartConversation(tx *store.Tx, v svc.Viewer, in NewConversation) (Conversation, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Conversation{}, err
	}
	if in.Audience != "" {
		if in.Context, err = in.Audience.context(); err != nil {
			return Conversation{}, err
		}
	}
	err = svc.Join(svc.CheckTitle("title", in.Title, svc.MaxTitle), thread.CheckBody(in.Body), in.Context.validate())
	if err != nil {
		return Conversation{}, err
	}
	c := newConversation{ID: svc.NewID("cnv"), Title: in.Title, Body: in.Body, Context: in.Context.Kind, Author: w.member}
	if err := s.resolveContext(tx, w, in.Context, &c); err != nil {
		return Conversation{}, err
	}
	if err := s.addConversation(tx, c); err != nil {
		return Conversation{}, err
	}
	if err := s.recordActivity(tx, ConversationStartedActivity, w.member, TargetConversation, c.ID, c.Audience); err != nil {
		return Conversation{}, err
	}
	w.audienceList = store.JSONArray([]audienceID{c.Audience}) // a new audience is not in the view
	row, err := s.visibleConversation(tx, w, c.ID)
	if err != nil {
		return Conversation{}, err
	}
	if _, err := s.notifyMentioned(tx, row, w.member, c.Body); err != nil {
		return Conversation{}, err
	}
	if err := s.touchAudience(tx, svc.ConversationUpdated, c.Audience); err != nil {
		return Conversation{}, err
	}
	list, err := s.completeConversations(tx, w, []conversationRow{row})
	if err != nil {
		return Conversation{}, err
	}
	return list[0], nil
}

// resolveContext sets the audience of a new conversation. The context is valid.
func (s *Service) resolveContext(tx *store.Tx, w view, c ConversationContext, row *newConversation) (err error) {
	switch c.Kind {
	case ContextCommunity:
		row.CommunityID = c.ID
		if err := s.checkMembership(tx, w, "context.id", *c.ID); err != nil {
			return err
		}
		row.Audience, err = s.communityAudience(tx, *c.ID)
	case ContextCircle:
		row.Depth = c.Depth
		row.Audience, err = s.circleAudience(tx, w.member, *c.Depth)
	case ContextOpen:
		row.Audience = everyoneAudience
	}
	return err
}

// checkMembership checks that the viewer is a member of the community of the request field field. A
// private community of other members is reported as absent.
func (s *Service) checkMembership(tx *store.Tx, w view, field, community string) error {
	role, err := s.memberRole(tx, community, w.member)
	switch {
	case store.IsNoRows(err):
		return svc.FieldError(svc.NotFound, field, "There is no such community.")
	case err == nil && role == "":
		return svc.FieldError(svc.PermissionDenied, field, "Join this community first.")
	}
	return err
}

func (s *Service) addConversation(tx *store.Tx, c newConversation) error {
	return s.write(tx, c.Author, s.q.AddConversation, store.Args{
		"id": c.ID, "title": c.Title, "body": c.Body, "context": c.Context, "community": c.CommunityID, "depth": c.Depth,
		"audience": c.Audience, "author": c.Author, "now": store.MillisOf(tx.Now()),
	})
}

// validate checks the context of a new conversation. It rejects fields of another kind, because the
// author may have intended a smaller audience.
func (c ConversationContext) validate() error {
	if c.ID != nil && *c.ID != "" && (c.Kind == ContextCircle || c.Kind == ContextOpen) {
		return svc.FieldError(svc.InvalidValue, "context.id", "Only a community context has an id.")
	}
	if c.Depth != nil && *c.Depth != 0 && (c.Kind == ContextCommunity || c.Kind == ContextOpen) {
		return svc.FieldError(svc.InvalidValue, "context.depth", "Only a circle context has a depth.")
	}
	switch c.Kind {
	case ContextOpen:
	case ContextCommunity:
		if c.ID == nil || *c.ID == "" {
			return svc.Required("context.id")
		}
	case ContextCircle:
		if c.Depth == nil {
			return svc.Required("context.depth")
		}
		if *c.Depth < 1 || *c.Depth > MaxDepth {
			return svc.FieldError(svc.InvalidValue, "context.depth", "Choose circle 1, 2 or 3.")
		}
	case ContextEvent:
		return svc.FieldError(svc.InvalidValue, "context.kind", "Every event already has a conversation. Reply to the event.")
	}
	return svc.CheckChosen("context.kind", c.Kind)
}

// UpdateConversation updates a conversation. The author can change all of it,
// owners and moderators of its community only the state.
func (s *Service) UpdateConversation(tx *store.Tx, v svc.Viewer, id string, change ConversationChange) (Conversation, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Conversation{}, err
	}
	r, err := s.visibleConversation(tx, w, id)
	if err != nil {
		return Conversation{}, err
	}
	permissions := r.permissions(w.member)
	if (change.Title.Set || change.Body.Set) && !permissions.CanUpdate || !permissions.CanClose {
		return Conversation{}, svc.Errorf(svc.PermissionDenied,
			"Only the author can change a conversation. Owners and moderators of its community can close it.")
	}
	old := r
	if err := change.apply(&r); err != nil {
		return Conversation{}, err
	}
	if r == old {
		return s.conversation(tx, w, id)
	}
	if err := s.update(tx, w.member, r.Author, s.q.UpdateConversation, store.Args{
		"id": id, "title": r.Title, "body": r.Body, "state": r.State, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return Conversation{}, err
	}
	updated := svc.ConversationUpdated
	if r.EventID != nil { // the record of the event contains can_reply, which depends on the state
		updated = svc.EventUpdated
	}
	if err := s.touchAudience(tx, updated, r.Audience); err != nil {
		return Conversation{}, err
	}
	return s.conversation(tx, w, id)
}

// apply validates the change and applies it to r.
func (c ConversationChange) apply(r *conversationRow) error {
	var title, body, state error
	if c.Title.Set {
		r.Title, title = c.Title.Value, svc.CheckTitle("title", c.Title.Value, svc.MaxTitle)
	}
	if c.Body.Set {
		r.Body, body = c.Body.Value, thread.CheckBody(c.Body.Value)
	}
	if c.State.Set {
		r.State, state = c.State.Value, svc.CheckChosen("state", c.State.Value)
	}
	return svc.Join(title, body, state)
}
