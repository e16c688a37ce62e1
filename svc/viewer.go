package svc

import (
	"strconv"

	"appliance/svc/words"
)

// MemberID is the id of a member. Ids are never reused.
type MemberID int64

func (id MemberID) String() string { return strconv.FormatInt(int64(id), 10) }

// URN returns the URI of a member in iCalendar text. It is not an e-mail address, so
// that clients send no invitations.
func (id MemberID) URN() string { return "urn:appliance:member:" + id.String() }

// Viewer is the authenticated caller of a request. The zero Viewer is an
// unauthenticated client. Every other Viewer is returned by [Trust].
type Viewer struct {
	member   MemberID
	language words.Language
}

// Trust returns the Viewer for a member that the caller has authenticated. The
// architecture test restricts its callers.
func Trust(member MemberID) Viewer { return Viewer{member: member} }

// Member returns the member, or 0 for an unauthenticated client.
func (v Viewer) Member() MemberID { return v.member }

// In returns v as a reader of the language l.
func (v Viewer) In(l words.Language) Viewer {
	v.language = l
	return v
}

// Language returns the language in which v reads texts of the server, with the formats of dates
// and numbers.
func (v Viewer) Language() words.Language { return v.language }

// Require returns the member, or an Unauthenticated error for the zero Viewer.
func (v Viewer) Require() (MemberID, error) {
	if v.member == 0 {
		return 0, Errorf(Unauthenticated, "Sign in to continue.")
	}
	return v.member, nil
}

// String returns the member id or "public", for log lines.
func (v Viewer) String() string {
	if v.member == 0 {
		return "public"
	}
	return v.member.String()
}

// FormerMember is the display name of a member who is deleted, disabled or hidden
// from the viewer by a block. One name for all three keeps blocks secret.
const FormerMember = "Former member"

// Person is a member as other members see it in the directory. Schema:
// service.identity.directory.
type Person struct {
	ID          MemberID `json:"id" db:"id"`
	Email       string   `json:"email" db:"email"` // may be masked or empty, depending on the settings
	Username    string   `json:"username" db:"username"`
	DisplayName string   `json:"display_name" db:"display_name"`
	Appearance
}
