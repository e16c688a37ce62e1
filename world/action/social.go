package action

import (
	"appliance/svc"
	"appliance/svc/social"
)

// SocialViewer contains the data of the viewer for the actions of Social that concern no record.
type SocialViewer struct {
	Communities svc.List[Option] // that the viewer can choose as an audience
	Presence    *social.Presence // nil in the dataset, where the profile of the viewer has the action
}

// CommunityOptions returns the options for communities of the viewer as an audience.
func CommunityOptions(communities []social.Community) (options svc.List[Option]) {
	for _, c := range communities {
		options = append(options, Option{Value: c.ID, Label: c.Name, Name: true})
	}
	return options
}

func (v SocialViewer) audience() Audience {
	return Audience{Choices: v.Communities}
}

// Social declares the actions of Social that concern no record.
var Social = Table[SocialViewer]{
	Kind: "social",
	Entries: []Entry[SocialViewer]{
		conversationEntry(nil, SocialViewer.audience),
		{
			Name: "create_community", Type: "social.community.create", Label: "New community", Request: "POST /world/social/communities",
			Controls: func(SocialViewer) svc.List[Control] {
				visibility := svc.List[Option]{
					option(social.CommunityPrivate, "Private: its members become your inner circle"), option(social.CommunityPublic, "Public: every member sees it"),
				}
				return append(communityControls(social.Community{}), selectorControl("visibility", "Visibility", "private", visibility),
					selectorControl("join_policy", "Who can join", "invite", joinPolicies)) // the one policy that is valid for both
			},
		},
		eventEntry(nil, SocialViewer.audience),
		presenceEntry(func(v SocialViewer) bool { return v.Presence != nil }, func(v SocialViewer) social.Presence { return *v.Presence }),
		{
			Name: "start_dm", Type: "social.dm.start", Label: "New direct message", Request: "POST /world/social/dms",
			Controls: func(SocialViewer) svc.List[Control] { return svc.List[Control]{recipientControl(), messageControl()} },
		},
		{Name: "read_notifications", Type: "social.notifications.read", Label: "Mark all as read", Request: "POST /world/social/notifications/read/all"},
		{
			Name: "block", Type: "social.block", Label: "Block a member", Request: "POST /world/social/blocks", Destructive: true,
			Controls: func(SocialViewer) svc.List[Control] {
				return svc.List[Control]{memberControl("recipient", "Name or e-mail address")}
			},
		},
	},
}

// SourceActions returns the domain_actions of the sources of Social.
var SourceActions = social.SourceActions{
	Community:    func(c social.Community) svc.List[string] { return Communities.DomainActions(c) },
	Conversation: func(c social.Conversation) svc.List[string] { return Conversations.DomainActions(c) },
	Event:        func(e social.Event) svc.List[string] { return Events.DomainActions(e) },
	DM:           func(d social.DM) svc.List[string] { return DMs.DomainActions(d.Thread) },
	Profile: func(p social.PresentProfile) svc.List[string] {
		return Profiles.DomainActions(ProfileMember(p.Profile))
	},
}

// TargetViews maps the type of a record to the view of the social panel that shows
// it.
var TargetViews = map[social.TargetType]string{
	social.TargetCommunity: "communities", social.TargetConversation: "conversations", social.TargetEvent: "events", social.TargetDM: "dms",
	social.TargetInvitation: "notifications",
}

// targetURL returns the URL at which the social panel shows a target.
func targetURL(t social.Target) string { return SocialViewURL(TargetViews[t.Type], t.ID, "") }

// Activities declares the action on entries of the activity feed.
var Activities = Table[social.Activity]{
	Entries: []Entry[social.Activity]{{
		Name: "open", Type: "open_panel", Label: "Open",
		Link: func(a social.Activity) string { return targetURL(a.Target) },
	}},
}

// Notifications declares the actions on notifications.
var Notifications = Table[social.Notification]{
	ID: func(n social.Notification) string { return n.ID },
	Entries: []Entry[social.Notification]{
		{
			Name: "open", Type: "open_panel", Label: "Open",
			Link: func(n social.Notification) string { return targetURL(n.Target) },
		},
		{
			Name: "mark_read", Type: "social.notifications.read", Label: "Mark as read", Request: "POST /world/social/notifications/{id}/read",
			Useful: func(n social.Notification) bool { return n.ReadAt == nil },
		},
	},
}
