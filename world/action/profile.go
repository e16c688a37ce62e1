package action

import (
	"cmp"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/words"
)

// Member is a member in a profile, a list or the dataset.
type Member struct {
	ID          svc.MemberID
	Permissions social.ProfilePermissions
	Avatar      *svc.Avatar
	Profile     social.Profile  // zero for a member in a list
	Presence    social.Presence // presence that the viewer has set, in the dataset's profile of the viewer; zero otherwise
}

// ProfileMember returns the member of a profile.
func ProfileMember(p social.Profile) Member {
	return Member{ID: p.MemberID, Permissions: p.Permissions, Avatar: p.Avatar, Profile: p}
}

// Profiles declares the actions on members.
var Profiles = Table[Member]{
	Kind: "social",
	ID:   func(m Member) string { return m.ID.String() },
	Entries: []Entry[Member]{
		{
			Name: "open", Type: "social.profile.open", Label: "Open", Request: "GET /world/social/profiles/{member_id}",
			Allowed: func(m Member) bool { return m.Permissions.CanView },
		},
		{
			Name: "update", Type: "social.profile.update", Label: "Edit profile", Request: "PATCH /world/social/profile",
			Allowed: func(m Member) bool { return m.Permissions.CanUpdate },
			Controls: func(m Member) svc.List[Control] {
				p := m.Profile
				return svc.List[Control]{
					requiredControl("display_name", "Display name", svc.MaxName, p.DisplayName), textControl("pronouns", "Pronouns", svc.MaxName, p.Pronouns),
					areaControl("bio", "About you", social.MaxBio, p.Bio), selectorControl("visibility", "Visible to", p.Visibility, profileVisibilities),
					checkboxControl("show_last_seen", "Show when you were last online", p.ShowLastSeen),
					namedColorControl(p.Color),
				}
			},
		},
		{
			Name: "set_avatar", Type: "social.profile.avatar.set", Label: "Set picture", Request: "POST /world/social/profile/avatar",
			Allowed:  func(m Member) bool { return m.Permissions.CanUpdate },
			Controls: func(Member) svc.List[Control] { return svc.List[Control]{pictureControl()} },
		},
		{
			Name: "delete_avatar", Type: "social.profile.avatar.delete", Label: "Remove picture", Request: "DELETE /world/social/profile/avatar", Alias: "delete",
			Allowed: func(m Member) bool { return m.Permissions.CanUpdate && m.Avatar != nil }, Confirm: irreversibleWarning, Destructive: true,
		},
		presenceEntry(func(m Member) bool { return m.Permissions.CanUpdate }, func(m Member) social.Presence { return m.Presence }),
		{
			Name: "start_dm", Type: "social.dm.start", Label: "Send message", Request: "POST /world/social/profiles/{member_id}/dms",
			Allowed:  func(m Member) bool { return m.Permissions.CanDM },
			Controls: func(Member) svc.List[Control] { return svc.List[Control]{messageControl()} },
		},
		{
			Name: "block", Type: "social.block", Label: "Block", Request: "POST /world/social/profiles/{member_id}/block",
			Allowed: func(m Member) bool { return !m.Permissions.CanUpdate }, Destructive: true,
			Confirm: "Invitations between you are canceled, and your answers to each other's events are removed, also if you unblock the member later.",
		},
	},
}

var profileVisibilities = svc.List[Option]{option(social.ProfileCircle, "Your circles"), option(social.ProfileMembers, "All members"), option(social.ProfilePublic, "Everyone")}

// presenceEntry returns the entry of the action that sets the presence of the
// viewer. presence returns the current presence.
func presenceEntry[R any](allowed func(R) bool, presence func(R) social.Presence) Entry[R] {
	return Entry[R]{
		Name: "set_presence", Type: "social.presence.set", Label: "Set status", Request: "POST /world/social/presence",
		Allowed: allowed,
		Controls: func(r R) svc.List[Control] {
			now := presence(r)
			return svc.List[Control]{
				selectorControl("state", "Status", cmp.Or(now.State, social.PresenceOnline), Options(social.PresenceState("").Values()...)),
				textControl("note", "Note", svc.MaxTitle, now.Note),
				selectorControl("visible_to", "Visible to", cmp.Or(now.VisibleTo, social.PresenceMembers), presenceAudiences),
				{ID: "ttl_seconds", Type: NumberInput, Label: "Duration in seconds (30 to 3600)", Default: 300},
			}
		},
	}
}

var presenceAudiences = svc.List[Option]{
	option(social.PresenceInner, "Your inner circle"), option(social.PresenceTrusted, "Your inner and trusted circles"),
	option(social.PresenceExtended, "All your circles"), option(social.PresenceMembers, "All members"), option(social.PresenceNobody, "Only you"),
}

// Blocks declares the action that removes a block.
var Blocks = Table[social.Block]{
	Kind: "social",
	ID:   func(b social.Block) string { return b.MemberID.String() },
	Entries: []Entry[social.Block]{{
		Name: "unblock", Type: "social.unblock", Request: "DELETE /world/social/blocks/{member_id}",
		LabelOf: func(b social.Block) words.Text { return words.Textf("Unblock %s", b.DisplayName) },
	}},
}
