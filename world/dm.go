package world

import (
	"errors"

	"appliance/svc"
	"appliance/svc/social"
)

// dmsURL is where the first message of a DM is sent to, and below which DMs
// are.
const dmsURL = "/world/social/dms"

// SocialDM is a DM with the addresses where it is read and written to. Schema:
// service.social.dm.
type SocialDM struct {
	social.DM
	Links   DMLinks          `json:"links"`
	Actions svc.Dict[string] `json:"actions"` // open_thread is for GET, the others for POST
}

// DMLinks are addresses of a DM.
type DMLinks struct {
	Self     string `json:"self"`
	Messages string `json:"messages"`
}

// NewSocialDM returns the DM as World shows it.
func NewSocialDM(d social.DM) SocialDM {
	self := dmsURL + "/" + d.ID
	dm := SocialDM{d, DMLinks{self, self + "/messages"}, svc.Dict[string]{"open_thread": self, "mark_read": self + "/read"}}
	if d.CanReply {
		dm.Actions["send_message"] = dm.Links.Messages
	}
	return dm
}

// SocialDMs is a page of a member's DMs.
type SocialDMs struct {
	DMs         svc.List[SocialDM] `json:"dms"` // the latest first
	Page        svc.Page           `json:"page"`
	UnreadTotal int64              `json:"unread_total"`
	Actions     svc.Dict[string]   `json:"actions"`
}

// NewSocialDMs returns the page as World shows it.
func NewSocialDMs(p social.DMPage) SocialDMs {
	list := make(svc.List[SocialDM], len(p.DMs))
	for i, d := range p.DMs {
		list[i] = NewSocialDM(d)
	}
	return SocialDMs{list, p.Page, p.UnreadTotal, svc.Dict[string]{"start_dm": dmsURL}}
}

// SocialDMDetail is a DM with some of its messages.
type SocialDMDetail struct {
	DM       SocialDM                   `json:"dm"`
	Messages svc.List[social.DMMessage] `json:"messages"` // the oldest first
	Page     svc.HistoryPage           `json:"page"`
	Actions  svc.Dict[string]           `json:"actions"`
}

// NewSocialDMDetail returns the detail as World shows it.
func NewSocialDMDetail(d social.DMDetail) SocialDMDetail {
	dm := NewSocialDM(d.DM)
	return SocialDMDetail{dm, d.Messages, d.Page, dm.Actions}
}

// useMessages leads to where any two members can write to each other.
var useMessages = &svc.Guidance{
	Kind: "use_messages", Targets: svc.List[string]{"message_thread"},
	Actions: svc.List[svc.GuidanceAction]{{Label: "New message", Type: "start_thread", Method: "POST", URL: "/world/messages"}},
}

// GuidedDM returns err with what to do instead, where Messages can.
func GuidedDM(err error) error {
	var e *svc.Error
	if !errors.As(err, &e) || e.Code != svc.NoCommonGround {
		return err
	}
	guided := *e
	guided.Guidance = useMessages
	return &guided
}
