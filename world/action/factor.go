package action

import (
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/words"
)

// Factors declares the actions on the second factors of the member.
var Factors = Table[Account]{
	Kind: "member",
	Entries: []Entry[Account]{
		{
			Name: "enroll_totp", Type: "member.totp.enroll", Label: "Add authenticator app", Request: "POST /world/identity/second-factor/totp",
			Allowed:  func(a Account) bool { return a.Factor.TOTPAvailable && a.Factor.TOTP == nil },
			Controls: Account.confirmation,
		},
		{
			Name: "confirm_totp", Type: "member.totp.confirm", Label: "Confirm authenticator app", Request: "POST /world/identity/second-factor/totp/confirm",
			Allowed: func(a Account) bool { return a.Factor.TOTPPending },
			Controls: func(Account) svc.List[Control] {
				return svc.List[Control]{requiredControl("code", "Code that the app shows", maxCode, "")}
			},
		},
		{
			Name: "remove_totp", Type: "member.totp.delete", Label: "Remove authenticator app", Request: "DELETE /world/identity/second-factor/totp", Alias: "delete",
			Allowed:  func(a Account) bool { return a.Factor.TOTP != nil },
			Controls: Account.confirmation, Destructive: true,
		},
		{
			Name: "renew_recovery_codes", Type: "member.recovery_codes.renew", Label: "Create new recovery codes", Request: "POST /world/identity/second-factor/recovery-codes",
			Allowed:  func(a Account) bool { return a.Factor.Enabled },
			Controls: Account.confirmation,
		},
		{
			Name: "begin_passkey", Type: "member.passkey.begin", Label: "Add passkey", Request: "POST /world/identity/second-factor/passkeys/begin",
			Allowed:  canAddPasskeys,
			Controls: Account.confirmation,
		},
		{
			// The runtime sends it itself: it needs the response to begin_passkey and an
			// authenticator.
			Name: "add_passkey", Type: "member.passkey.add", Label: "Store passkey", Request: "POST /world/identity/second-factor/passkeys",
			Allowed: canAddPasskeys,
			Useful:  func(Account) bool { return false },
		},
	},
}

func canAddPasskeys(a Account) bool { return a.Factor.PasskeysAvailable }

// Passkey is a passkey of the member who reads it.
type Passkey struct {
	identity.Passkey
	Account
}

// Passkeys declares the action on a passkey.
var Passkeys = Table[Passkey]{
	ID: func(p Passkey) string { return p.Passkey.ID },
	Entries: []Entry[Passkey]{{
		Name: "delete", Type: "member.passkey.delete", Request: "DELETE /world/identity/second-factor/passkeys/{id}",
		LabelOf:  func(p Passkey) words.Text { return words.Textf("Remove passkey %s", p.Label) },
		Controls: func(p Passkey) svc.List[Control] { return p.confirmation() }, Destructive: true,
	}},
}
