package panel

import (
	"strings"

	"appliance/svc/identity"
	"appliance/svc/words"
)

// auditSentence has the sentences for an action in the audit log.
type auditSentence struct {
	own   words.Word // on the actor's own account, or without a member; with the name of the actor
	other words.Word // on another account; with the names of the actor and of the member
}

// auditSentences are the sentences by the action, see [identity.AuditEntry]. Those of some actions
// depend on the detail, see auditKey.
var auditSentences = map[string]auditSentence{
	"add":                  {other: "%s added %s"},
	"register":             {own: "%s registered"},
	"sign-in":              {own: "%s signed in"},
	"update":               {"%s changed their own account", "%s changed the account of %s"},
	"update disabled":      {other: "%s disabled the account of %s"},
	"update enabled":       {other: "%s enabled the account of %s"},
	"change-email":         {"%s changed their e-mail address", "%s changed the e-mail address of %s"},
	"change-password":      {own: "%s changed their password"},
	"reset-password":       {own: "%s chose a new password with a reset link"},
	"reset-link":           {"%s created a link for a new password", "%s created a link for a new password of %s"},
	"add-device":           {"%s created a device password", "%s created a device password of %s"},
	"revoke":               {"%s ended sessions or device passwords of their own", "%s ended sessions or device passwords of %s"},
	"revoke sessions":      {"%s signed out everywhere", "%s ended all sessions of %s"},
	"revoke others":        {own: "%s signed out everywhere else"},
	"revoke session":       {"%s ended one of their sessions", "%s ended a session of %s"},
	"revoke device":        {"%s removed a device password of their own", "%s removed a device password of %s"},
	"revoke devices":       {"%s removed all their device passwords", "%s removed all device passwords of %s"},
	"add-factor":           {own: "%s added a second factor"},
	"remove-factor":        {own: "%s removed their second factor"},
	"reset-factor":         {"%s removed their second factor", "%s removed the second factor of %s"},
	"renew-recovery-codes": {own: "%s created new recovery codes"},
	"promote":              {"%s became an operator", "%s made %s an operator"},
	"demote":               {"%s gave up the rights of an operator", "%s ended the rights of %s as an operator"},
	"invite":               {own: "%s created an invitation"},
	"revoke-invitation":    {own: "%s withdrew an invitation"},
	"export":               {"%s exported their data", "%s exported the data of %s"},
	"delete":               {"%s removed their own account", "%s removed %s"},
}

// auditFields are the words for the fields in the detail of the action "update".
var auditFields = map[string]words.Word{
	"display_name": "Display name", "username": "User name", "email": "E-mail address", "status=disabled": "Disabled", "status=active": "Active", "password": "Password",
	"revoke_tokens": "Sessions",
}

// auditTitle returns an entry of the audit log as a sentence. names returns the name of a member
// by their id.
func auditTitle(l words.Language, e identity.AuditEntry, names func(string) string) string {
	actor := names(e.Actor)
	if user, ok := strings.CutPrefix(e.Actor, "cli:"); ok {
		actor = l.Textf("The command line (%s)", user)
	}
	if e.Actor == "settings" {
		actor = l.Text("The setting admin-allowed-emails")
	}
	if e.Actor == "setup" && e.Member != nil {
		return l.Textf("%s set up the server", names(e.Member.String()))
	}
	s := auditSentences[auditKey(e)]
	if _, label, ok := strings.Cut(e.Detail, " "); ok && e.Member != nil {
		switch e.Action {
		case "add-device":
			return l.Textf("%s created the device password “%s” of %s", actor, label, names(e.Member.String()))
		case "revoke":
			return l.Textf("%s removed the device password “%s” of %s", actor, label, names(e.Member.String()))
		}
	}
	if e.Member != nil && e.Member.String() != e.Actor && s.other != "" {
		return l.Textf(string(s.other), actor, names(e.Member.String()))
	}
	if s.own == "" { // an action of a later version
		return joinNonEmpty(actor, e.Action)
	}
	return l.Textf(string(s.own), actor)
}

// auditKey returns the key of an entry in auditSentences.
func auditKey(e identity.AuditEntry) string {
	switch {
	case e.Action == "revoke":
		return e.Action + revokedKind(e.Detail)
	case e.Action == "update" && e.Detail == "status=disabled":
		return "update disabled"
	case e.Action == "update" && e.Detail == "status=active":
		return "update enabled"
	}
	return e.Action
}

// revokedKind returns the part of the key in auditSentences that follows from the detail of the
// action "revoke".
func revokedKind(detail string) string {
	switch {
	case detail == "sessions":
		return " sessions"
	case detail == "other-sessions":
		return " others"
	case detail == "device-passwords":
		return " devices"
	case strings.HasPrefix(detail, "tok_"):
		return " session"
	case strings.HasPrefix(detail, "dev_"):
		return " device"
	}
	return ""
}

// auditDetail returns what the sentence of an entry does not say, without ids.
func auditDetail(l words.Language, e identity.AuditEntry) string {
	switch e.Action {
	case "register":
		if e.Detail != "" {
			return l.Text("With an invitation")
		}
	case "sign-in":
		_, address, _ := strings.Cut(e.Detail, " ")
		return address
	case "change-email":
		if e.Detail != "" {
			return l.Textf("Before: %s", e.Detail)
		}
	case "update":
		if auditKey(e) != e.Action {
			return ""
		}
		fields := strings.Fields(e.Detail)
		for i, f := range fields {
			fields[i] = wordOf(l, auditFields, f)
		}
		return strings.Join(fields, ", ")
	}
	return ""
}
