package svc

import "strconv"

// MemberID is a member's number. It is given once and never again.
type MemberID int64

func (id MemberID) String() string { return strconv.FormatInt(int64(id), 10) }

// Viewer is the trusted answer to "who is asking?". The zero Viewer is the
// public: nobody signed in. Only [Trust] makes any other.
type Viewer struct{ member MemberID }

// Trust asserts that the caller has proved to be member. The architecture
// test keeps the list of those who may call it.
func Trust(member MemberID) Viewer { return Viewer{member: member} }

// Member returns who is asking, 0 for the public.
func (v Viewer) Member() MemberID { return v.member }

// Require returns the member, or the error that asks the public to sign in.
func (v Viewer) Require() (MemberID, error) {
	if v.member == 0 {
		return 0, Errorf(Unauthenticated, "Sign in first.")
	}
	return v.member, nil
}

// String is for log lines: the member's number, or "public".
func (v Viewer) String() string {
	if v.member == 0 {
		return "public"
	}
	return v.member.String()
}

// Person is a member as others see them: the directory entry. Schema:
// service.identity.directory.
type Person struct {
	ID          MemberID `json:"id" db:"id"`
	Email       string   `json:"email" db:"email"` // as far as the settings show it
	Username    string   `json:"username" db:"username"`
	DisplayName string   `json:"display_name" db:"display_name"`
}
