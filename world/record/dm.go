package record

import (
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
)

// SocialDM is a DM with its addresses. Schema: service.social.dm.
type SocialDM struct {
	social.DM
	Links   DMLinks          `json:"links"`
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// DMLinks are the addresses of a DM and of its messages.
type DMLinks struct {
	Self     string `json:"self"`
	Messages string `json:"messages"`
}

// NewSocialDM returns the record of d.
func NewSocialDM(d social.DM) SocialDM {
	self := action.DMsURL + "/" + d.ID
	return SocialDM{d, DMLinks{self, self + "/messages"}, action.DMs.URLs(d)}
}

// SocialDMs is a page of a member's DMs.
type SocialDMs struct {
	DMs         svc.List[SocialDM] `json:"dms"` // newest first
	Page        svc.Page           `json:"page"`
	UnreadTotal int64              `json:"unread_total"`
	Actions     svc.Dict[string]   `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewSocialDMs returns the records of p.
func NewSocialDMs(p social.DMPage) SocialDMs {
	list := make(svc.List[SocialDM], len(p.DMs))
	for i, d := range p.DMs {
		list[i] = NewSocialDM(d)
	}
	return SocialDMs{list, p.Page, p.UnreadTotal, action.Social.URLs(action.General{}, "start_dm")}
}

// SocialDMDetail is a DM with a page of its messages.
type SocialDMDetail struct {
	DM       SocialDM                   `json:"dm"`
	Messages svc.List[social.DMMessage] `json:"messages"` // oldest first
	Page     svc.HistoryPage            `json:"page"`
	Actions  svc.Dict[string]           `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewSocialDMDetail returns the record of d.
func NewSocialDMDetail(d social.DMDetail) SocialDMDetail {
	dm := NewSocialDM(d.DM)
	return SocialDMDetail{dm, d.Messages, d.Page, dm.Actions}
}
