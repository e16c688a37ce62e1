package action

import (
	"errors"

	"appliance/svc"
)

// guidance is what an error proposes instead of the rejected request.
var guidance = map[svc.Code]*svc.Guidance{
	svc.ParticipantsFixed: {
		Kind: "use_social", Targets: svc.List[string]{"community", "conversation", "event"},
		Actions: svc.List[svc.GuidanceAction]{
			{Label: "New conversation", Type: "social.conversation.create", Method: "POST", URL: ConversationsURL},
			{Label: "New community", Type: "social.community.create", Method: "POST", URL: CommunitiesURL},
			{Label: "New event", Type: "social.event.create", Method: "POST", URL: EventsURL},
		},
	},
	svc.NoCommonGround: {
		Kind: "use_messages", Targets: svc.List[string]{"message_thread"},
		Actions: svc.List[svc.GuidanceAction]{{Label: NewMessage, Type: "start_thread", Method: "POST", URL: MessagesURL}},
	},
}

// WithGuidance returns err with the guidance for its code, if there is one: a
// thread of Messages has two participants, Social has conversations for more; a
// direct message of Social needs a shared community or event, Messages does not.
func WithGuidance(err error) error {
	var e *svc.Error
	if !errors.As(err, &e) || guidance[e.Code] == nil {
		return err
	}
	guided := *e
	guided.Guidance = guidance[e.Code]
	return &guided
}
