package action

import (
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/words"
)

// OwnAccount is the target of actions on the account of the member.
var OwnAccount = Target{Kind: MemberTarget}

// Account contains the data of the actions on the account of the viewer.
type Account struct {
	Member         identity.Member
	Factor         identity.SecondFactor
	HasDeviceLinks bool // see [identity.Service.HasDeviceLinks]
}

// Requests that several entries share.
const (
	changeAccount = "PATCH /world/identity/me"
	signOut       = "POST /world/identity/logout"
)

// Accounts declares the actions on the account of the member, other than those on its
// second factors.
var Accounts = Table[Account]{
	Kind: "member",
	Entries: []Entry[Account]{
		{
			Name: "update", Type: "member.profile.update", Label: "Edit account", Request: changeAccount,
			Controls: func(a Account) svc.List[Control] {
				m := a.Member
				return svc.List[Control]{
					requiredControl("display_name", "Display name", svc.MaxName, m.DisplayName),
					timezoneControl("timezone", "Time zone", m.Zone.Timezone), localeControl(m.Locale), formatsControl(m),
				}
			},
		},
		{
			Name: "sign_in_details", Type: "member.sign_in_details.update", Label: "Change sign-in details", Request: changeAccount,
			Controls: func(a Account) svc.List[Control] {
				return append(svc.List[Control]{
					requiredControl("email", "E-mail address", identity.MaxEmail, a.Member.Email), requiredControl("username", "User name", identity.MaxUsername, a.Member.Username),
				}, a.confirmation()...)
			},
		},
		{
			Name: "report_timezone", Type: "member.timezone.report", Label: "Report the time zone of the browser", Request: "POST /world/identity/me/browser-timezone",
			Controls: func(Account) svc.List[Control] {
				return svc.List[Control]{timezoneControl("timezone", "Time zone", "")}
			},
		},
		{
			Name: "change_password", Type: "member.password.change", Label: "Change password", Request: "POST /world/identity/password",
			Controls: func(Account) svc.List[Control] {
				return svc.List[Control]{passwordControl("current_password", "Current password"), passwordControl("new_password", "New password")}
			},
		},
		{
			Name: "create_device", Type: "member.device.create", Label: "Create device password", Request: "POST /world/identity/device-passwords",
			Controls: func(Account) svc.List[Control] {
				return svc.List[Control]{requiredControl("label", "Device name", svc.MaxName, "")}
			},
		},
		{
			Name: "set_up_device", Type: "member.device.set_up", Label: "Set up a device", Request: "POST /world/identity/device-setups",
			Allowed: func(a Account) bool { return a.HasDeviceLinks },
			Controls: func(Account) svc.List[Control] {
				return svc.List[Control]{requiredControl("label", "Device name", svc.MaxName, "")}
			},
		},
		{Name: "sign_out", Type: "member.sign_out", Label: "Sign out", Request: signOut},
		{
			Name: "sign_out_others", Type: "member.sessions.delete_others", Label: "Sign out everywhere else", Request: "DELETE /world/identity/sessions", Alias: "delete",
			Confirm: "All your other sessions end. Calendar apps with a device password stay connected.", Destructive: true,
		},
		{
			Name: "sign_out_everywhere", Type: "member.sessions.delete_all", Label: "Sign out everywhere", Request: "POST /world/identity/logout/all",
			Confirm: "All your sessions end, also this one. Calendar apps with a device password stay connected.", Destructive: true,
		},
		{Name: "open_export", Type: "member.export", Label: "Download all your data", Request: "GET /world/identity/export"},
	},
}

// Appearances declares the change of the language and the time zone alone. The dataset
// does not contain it: the action update of Accounts has the same controls.
var Appearances = Table[Account]{
	Entries: []Entry[Account]{{
		Name: "appearance", Type: "member.appearance.update", Label: "Edit language and time zone", Request: changeAccount,
		Controls: func(a Account) svc.List[Control] {
			return svc.List[Control]{localeControl(a.Member.Locale), formatsControl(a.Member), timezoneControl("timezone", "Time zone", a.Member.Zone.Timezone)}
		},
	}},
}

// confirmation returns the controls with which the member confirms a change of
// credentials.
func (a Account) confirmation() svc.List[Control] {
	password := "Current password"
	if a.Factor.Enabled {
		password = "Current password, unless you enter a code"
	}
	return confirmationControls(password, "Code of your second factor", a.Factor.Enabled, true)
}

// confirmationControls returns the controls with which members prove their identity
// again: the password or, if they have a second factor, a code. required is false if only
// some values of the form need the proof.
func confirmationControls(password, code string, factor, required bool) svc.List[Control] {
	control := passwordControl("current_password", password)
	control.Required = required && !factor
	if !factor {
		return svc.List[Control]{control}
	}
	return svc.List[Control]{control, textControl("code", code, maxCode, "")}
}

// maxCode limits a code of an authenticator app or a recovery code, in characters.
const maxCode = 40

// devicePasswordWarning is the text that confirms the removal of a device
// password.
const devicePasswordWarning = "Calendar apps with this password can no longer sign in."

// Devices declares the action on a device password.
var Devices = Table[identity.Device]{
	ID: func(d identity.Device) string { return d.ID },
	Entries: []Entry[identity.Device]{{
		Name: "delete", Type: "member.device.delete", Request: "DELETE /world/identity/device-passwords/{id}",
		LabelOf: func(d identity.Device) words.Text { return words.Textf("Remove %s", d.Label) },
		Confirm: devicePasswordWarning, Destructive: true,
	}},
}

// Session is a session of the member who reads it.
type Session struct {
	identity.Token
	Current bool // whether it is the session of the request
}

// Sessions declares the actions on a session.
var Sessions = Table[Session]{
	ID: func(s Session) string { return s.ID },
	Entries: []Entry[Session]{
		{
			Name: "sign_out", Type: "member.sign_out", Label: "Sign out", Request: signOut,
			Allowed: func(s Session) bool { return s.Current },
		},
		{
			Name: "delete", Type: "member.session.delete", Label: "Sign out", Request: "DELETE /world/identity/sessions/{id}",
			Allowed: func(s Session) bool { return !s.Current }, Destructive: true,
		},
	},
}
