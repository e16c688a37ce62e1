package action

import (
	"net/url"
	"strconv"

	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/provider"
	"appliance/svc/words"
)

// OperatorViewURL returns the URL of a view of the panel of operators with further
// parameters; empty ones are left out.
func OperatorViewURL(view string, parameters url.Values) string {
	query := url.Values{"view": {view}}
	for name, values := range parameters {
		if len(values) > 0 && values[0] != "" {
			query[name] = values
		}
	}
	return OperatorPanelURL + "?" + query.Encode()
}

// ServerState is the state on which the actions of operators that concern no record
// depend.
type ServerState struct {
	InvitationsWork bool // registration is not closed
	BackupRunning   bool // a backup is being made
	InPanel         bool // the actions are for the panel, not for the dataset
}

// Operators declares the actions of operators that concern no record.
var Operators = Table[ServerState]{
	Kind: "admin",
	Entries: []Entry[ServerState]{
		{
			Name: "add_member", Type: "admin.member.add", Label: "Add member", Request: "POST /world/operator/members",
			Controls: func(ServerState) svc.List[Control] {
				return svc.List[Control]{
					requiredControl("email", "E-mail address", identity.MaxEmail, ""), textControl("username", "User name", identity.MaxUsername, ""),
					textControl("display_name", "Display name", svc.MaxName, ""), passwordControl("password", "Password"),
				}
			},
		},
		{
			Name: "invite", Type: "admin.invitation.create", Label: "Create invitation", Request: "POST /world/operator/invitations",
			Allowed: func(s ServerState) bool { return s.InvitationsWork },
			Controls: func(ServerState) svc.List[Control] {
				return svc.List[Control]{textControl("email", "Only for this e-mail address", identity.MaxEmail, "")}
			},
		},
		{
			Name: "back_up", Type: "admin.backup.create", Label: "Back up now", Request: "POST /world/operator/backups",
			Allowed: func(s ServerState) bool { return !s.BackupRunning },
		},
		{
			Name: "open_members", Type: "admin.member.find", Label: "Find members", Request: "GET /world/panels/operator",
			Allowed: func(s ServerState) bool { return s.InPanel },
			Body:    func(ServerState) svc.Map { return svc.Map{"view": "members"} },
			Controls: func(ServerState) svc.List[Control] {
				return svc.List[Control]{textControl("q", "Name or e-mail address", svc.MaxName, ""), {
					ID: "status", Type: SelectorInput, Label: "Status", Default: "",
					Options: append(svc.List[Option]{{Value: "", Label: "Active and disabled"}}, Options(identity.Status("").Values()...)...),
				}}
			},
		},
	},
}

// MemberInvitations declares the action on an invitation to the server.
var MemberInvitations = Table[identity.Invitation]{
	Kind: "admin",
	ID:   func(i identity.Invitation) string { return i.ID },
	Entries: []Entry[identity.Invitation]{{
		Name: "revoke", Type: "admin.invitation.revoke", Label: "Cancel invitation", Request: "DELETE /world/operator/invitations/{id}",
		Allowed: func(i identity.Invitation) bool { return i.UsedAt == nil },
		Confirm: "Its link stops working.", Destructive: true,
	}},
}

// MapRegion is a region of the map as an operator administers it.
type MapRegion struct {
	ID        int64
	Name      string
	Removable bool // Maps is on, and the region is not part of the program
}

// MapRegions declares the action on a region of the map.
var MapRegions = Table[MapRegion]{
	Kind: "admin",
	ID:   func(r MapRegion) string { return strconv.FormatInt(r.ID, 10) },
	Entries: []Entry[MapRegion]{{
		Name: "remove", Type: "admin.region.remove", Request: "DELETE /world/operator/regions/{id}",
		LabelOf: func(r MapRegion) words.Text { return words.Textf("Remove %s", r.Name) },
		Allowed: func(r MapRegion) bool { return r.Removable },
		Confirm: "All places of the region are deleted. You can import it again.", Destructive: true,
	}},
}

// ManagedProvider is a provider as an operator administers it.
type ManagedProvider struct {
	provider.Provider
	Off bool // Find is switched off
}

// ManagedProviders declares the actions on a provider.
var ManagedProviders = Table[ManagedProvider]{
	Kind: "admin",
	ID:   func(p ManagedProvider) string { return p.ID },
	Entries: []Entry[ManagedProvider]{
		{
			Name: "sync", Type: "admin.provider.sync", Label: "Update now", Request: "POST /world/operator/providers/{id}/sync",
			Allowed: func(p ManagedProvider) bool { return !p.Off },
		},
		{
			Name: "remove", Type: "admin.provider.remove", Request: "DELETE /world/operator/providers/{id}",
			LabelOf: func(p ManagedProvider) words.Text { return words.Textf("Remove %s", p.Label) },
			Allowed: func(p ManagedProvider) bool { return !p.Off },
			Confirm: "All its records are deleted for all members.", Destructive: true,
		},
	},
}
