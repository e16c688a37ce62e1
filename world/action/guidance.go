package action

import (
	"errors"

	"appliance/svc"
	"appliance/svc/words"
)

// guidance contains the alternatives to rejected requests, by error code.
var guidance = map[svc.Code]*svc.Guidance{
	svc.ParticipantsFixed: {
		Kind: "use_social", Targets: svc.List[string]{"community", "conversation", "event"},
		Actions: guidanceActions(Social.Offers(words.English, SocialViewer{}, "create_conversation", "create_community", "create_event")),
	},
	svc.NoCommonGround: {
		Kind: "use_messages", Targets: svc.List[string]{"message_thread"}, Actions: guidanceActions(NewThreads.Offers(words.English, struct{}{})),
	},
}

func guidanceActions(offers []Offer) (list svc.List[svc.GuidanceAction]) {
	for _, o := range offers {
		list = append(list, svc.GuidanceAction{Label: o.Label, Type: o.Type, Method: string(o.Method), URL: o.URL})
	}
	return list
}

// WithGuidance returns err with the guidance for its code, if there is one.
// Instead of a thread of Messages with more than two participants, it suggests
// Social. Instead of a direct message of Social to a member without a shared
// community or event, it suggests Messages.
func WithGuidance(err error) error {
	var e *svc.Error
	if !errors.As(err, &e) || guidance[e.Code] == nil {
		return err
	}
	guided := *e
	guided.Guidance = guidance[e.Code]
	return &guided
}
