package action

import (
	"net/url"

	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/words"
)

// ManagedMember is a member as an operator administers them.
type ManagedMember struct {
	identity.AdminMember
	OperatorsFixed bool // the environment or a flag sets the operators
	Factor         bool // the operator who administers has a second factor
}

const changeMember = "PATCH /world/operator/members/{member_id}"

// ManagedMembers declares the actions of operators on a member.
var ManagedMembers = Table[ManagedMember]{
	Kind: "admin",
	ID:   func(m ManagedMember) string { return m.ID.String() },
	Entries: []Entry[ManagedMember]{
		{
			Name: "open", Type: "open_panel", Label: "Open",
			Allowed: ManagedMember.exists,
			Link:    func(m ManagedMember) string { return OperatorViewURL("members", url.Values{"member": {m.ID.String()}}) },
		},
		{
			Name: "open_audit", Type: "open_panel", Label: "Show audit log",
			Link: func(m ManagedMember) string { return OperatorViewURL("audit", url.Values{"member": {m.ID.String()}}) },
		},
		{
			Name: "update", Type: "admin.member.update", Label: "Edit member", Request: changeMember,
			Allowed: ManagedMember.exists,
			Controls: func(m ManagedMember) svc.List[Control] {
				return append(svc.List[Control]{
					requiredControl("display_name", "Display name", svc.MaxName, m.DisplayName), requiredControl("email", "E-mail address", identity.MaxEmail, m.Email),
					requiredControl("username", "User name", identity.MaxUsername, m.Username),
				}, m.confirmation("Your own password, to change the e-mail address or the user name", false)...)
			},
		},
		{
			Name: "disable", Type: "admin.member.disable", Label: "Disable", Request: changeMember,
			Allowed: func(m ManagedMember) bool { return m.Status == identity.Active },
			Fixed:   svc.Map{"status": identity.Disabled},
			Confirm: "All sessions of the member end. You can enable the member again.", Destructive: true,
		},
		{
			Name: "enable", Type: "admin.member.enable", Label: "Enable", Request: changeMember,
			Allowed: func(m ManagedMember) bool { return m.Status == identity.Disabled },
			Fixed:   svc.Map{"status": identity.Active},
		},
		{
			Name: "end_sessions", Type: "admin.member.end_sessions", Label: "End all sessions", Request: "POST /world/operator/members/{member_id}/end_sessions",
			Allowed: ManagedMember.exists,
			Confirm: "The member has to sign in again on all devices.", Destructive: true,
		},
		{
			Name: "revoke_access", Type: "admin.member.revoke_access", Label: "End all sessions and remove all device passwords",
			Request: "POST /world/operator/members/{member_id}/revoke_access",
			Allowed: ManagedMember.exists,
			Confirm: "The member has to sign in and to connect all calendar apps again.", Destructive: true,
		},
		{
			Name: "reset_password", Type: "admin.member.reset_password", Label: "Create link to choose a new password", Request: "POST /world/operator/members/{member_id}/reset_password",
			Allowed:  func(m ManagedMember) bool { return m.Status == identity.Active },
			Controls: ManagedMember.requiredConfirmation,
		},
		{
			Name: "reset_factor", Type: "admin.member.reset_factor", Label: "Remove second factors", Request: "POST /world/operator/members/{member_id}/reset_factor",
			Allowed:  func(m ManagedMember) bool { return m.SecondFactor },
			Controls: ManagedMember.requiredConfirmation, Destructive: true,
		},
		{
			Name: "export", Type: "admin.member.export", Label: "Export all data", Request: "POST /world/operator/members/{member_id}/export",
			Allowed:  ManagedMember.exists,
			Controls: ManagedMember.requiredConfirmation,
		},
		{
			Name: "promote", Type: "admin.member.promote", Label: "Make operator", Request: "POST /world/operator/members/{member_id}/promote",
			Allowed:  func(m ManagedMember) bool { return m.Status == identity.Active && !m.IsOperator && !m.OperatorsFixed },
			Controls: ManagedMember.requiredConfirmation,
		},
		{
			Name: "demote", Type: "admin.member.demote", Label: "Remove operator rights", Request: "POST /world/operator/members/{member_id}/demote",
			Allowed:  func(m ManagedMember) bool { return m.IsOperator && !m.OperatorsFixed },
			Controls: ManagedMember.requiredConfirmation, Destructive: true,
		},
		{
			Name: "delete", Type: "admin.member.delete", Request: "DELETE /world/operator/members/{member_id}",
			LabelOf:  func(m ManagedMember) words.Text { return words.Textf("Delete %s with all data", m.Username) },
			Allowed:  ManagedMember.exists,
			Controls: ManagedMember.requiredConfirmation, Destructive: true,
		},
	},
}

func (m ManagedMember) exists() bool { return m.Status != identity.Deleted }

// requiredConfirmation returns the controls with which the operator confirms an
// action that always needs it.
func (m ManagedMember) requiredConfirmation() svc.List[Control] {
	return m.confirmation("Your own password", true)
}

// confirmation returns the controls with which the operator confirms an action. password
// is the label of the first one; required is false if only some values of the form need it.
func (m ManagedMember) confirmation(password string, required bool) svc.List[Control] {
	return confirmationControls(password, "Or a code of your own second factor", m.Factor, required)
}

// ManagedDevice is a device password of a member as an operator administers it.
type ManagedDevice struct {
	identity.Device
	Member svc.MemberID
}

// ManagedDevices declares the action of operators on a device password.
var ManagedDevices = Table[ManagedDevice]{
	Kind:   "admin",
	ID:     func(d ManagedDevice) string { return d.ID },
	Values: func(d ManagedDevice) []string { return []string{d.Member.String(), d.ID} },
	Entries: []Entry[ManagedDevice]{{
		Name: "remove", Type: "admin.device.remove", Request: "DELETE /world/operator/members/{member_id}/devices/{device_id}",
		LabelOf: func(d ManagedDevice) words.Text { return words.Textf("Remove %s", d.Label) },
		Confirm: devicePasswordWarning, Destructive: true,
	}},
}
