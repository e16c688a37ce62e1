package identity

import (
	"net/mail"
	"regexp"
	"strings"
	"time"
	"unicode"

	"appliance/store"
	"appliance/svc"
)

type memberQueries struct {
	AddMember           store.Query `sql:"add-member"`
	MemberByID          store.Query `sql:"member-by-id"`
	MemberByLogin       store.Query `sql:"member-by-login"`
	UpdateMember        store.Query `sql:"update-member"`
	SetLastSeen         store.Query `sql:"set-last-seen"`
	NamesInUse          store.Query `sql:"names-in-use"`
	UsernamesWithSuffix store.Query `sql:"usernames-with-suffix"`
	AnyMember           store.Query `sql:"any-member"`
}

// Status is whether a member may come in.
type Status string

const (
	Active   Status = "active"
	Disabled Status = "disabled" // for now; an operator can enable them again
	Deleted  Status = "deleted"  // for good; only the number is left
)

// Member is the record of a member, as they and operators see it. Schema:
// service.identity.member.
type Member struct {
	ID          svc.MemberID `json:"id"`
	Email       string       `json:"email"`
	Username    string       `json:"username"`
	DisplayName string       `json:"display_name"`
	Status      Status       `json:"status"`
	Timezone    string       `json:"timezone"` // IANA name
	Locale      string       `json:"locale"`   // BCP 47 tag

	// IsOperator follows from the current address and the operators' list.
	IsOperator bool `json:"is_operator"`

	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// memberRow is a row of identity_member.
type memberRow struct {
	ID           svc.MemberID  `db:"id"`
	Email        string        `db:"email"`
	EmailKey     string        `db:"email_key"`
	Username     string        `db:"username"`
	DisplayName  string        `db:"display_name"`
	NameKey      string        `db:"name_key"`
	Status       Status        `db:"status"`
	Timezone     string        `db:"timezone"`
	Locale       string        `db:"locale"`
	PasswordHash string        `db:"password_hash"`
	Generation   int64         `db:"generation"`
	CreatedAt    store.Millis  `db:"created_at"`
	UpdatedAt    store.Millis  `db:"updated_at"`
	LastSeenAt   *store.Millis `db:"last_seen_at"`
}

// setEmail and setDisplayName keep the folded forms in step.
func (r *memberRow) setEmail(email string)      { r.Email, r.EmailKey = email, fold(email) }
func (r *memberRow) setDisplayName(name string) { r.DisplayName, r.NameKey = name, fold(name) }

func (s *Service) member(r memberRow) Member {
	return Member{
		ID:          r.ID,
		Email:       r.Email,
		Username:    r.Username,
		DisplayName: r.DisplayName,
		Status:      r.Status,
		Timezone:    r.Timezone,
		Locale:      r.Locale,
		IsOperator:  r.Status == Active && s.isOperatorEmail(r.EmailKey),
		CreatedAt:   r.CreatedAt.Timestamp(),
		UpdatedAt:   r.UpdatedAt.Timestamp(),
	}
}

// row reads a member who is not deleted.
func (s *Service) memberByID(tx *store.Tx, id svc.MemberID) (memberRow, error) {
	var r memberRow
	err := tx.Get(&r, s.q.MemberByID, store.Args{"id": id})
	if store.IsNoRows(err) || err == nil && r.Status == Deleted {
		return memberRow{}, svc.Errorf(svc.NotFound, "There is no such member.")
	}
	return r, err
}

// save writes a member back.
func (s *Service) save(tx *store.Tx, r memberRow) error {
	_, err := tx.Exec(s.q.UpdateMember, store.Args{
		"id": r.ID, "email": r.Email, "email_key": r.EmailKey, "username": r.Username,
		"display_name": r.DisplayName, "name_key": r.NameKey, "status": r.Status,
		"timezone": r.Timezone, "locale": r.Locale, "password_hash": r.PasswordHash,
		"generation": r.Generation, "updated_at": r.UpdatedAt, "last_seen_at": r.LastSeenAt,
	})
	return err
}

// checkFree reports which of a member's address and username somebody else
// has.
func (s *Service) checkFree(tx *store.Tx, r memberRow) error {
	var taken []struct {
		Email    bool `db:"email"`
		Username bool `db:"username"`
	}
	err := tx.Select(&taken, s.q.NamesInUse, store.Args{"id": r.ID, "email_key": r.EmailKey, "username": r.Username})
	var email, username error
	for _, t := range taken {
		if t.Email {
			email = svc.FieldError(svc.AlreadyExists, "email", "There is a member with that e-mail address already.")
		}
		if t.Username {
			username = svc.FieldError(svc.AlreadyExists, "username", "There is a member with that username already.")
		}
	}
	return svc.Join(err, email, username)
}

// maxEmail is the longest address that mail can be sent to: a path of 256
// octets less its angle brackets (RFC 5321 §4.5.3.1.3).
const maxEmail = 254

// checkEmail returns an address without the space around it. It may be any
// addr-spec of RFC 5322 §3.4.1 with the extension of RFC 6532, except that
// nothing is quoted and nothing is invisible.
func checkEmail(email string) (string, error) {
	email = strings.TrimSpace(email)
	invalid := svc.FieldError(svc.InvalidValue, "email", "email must be an e-mail address, like ann@example.org.")
	if len(email) > maxEmail || strings.IndexFunc(email, invisible) >= 0 {
		return "", invalid
	}
	a, err := mail.ParseAddress(email)
	if err != nil || a.Address != email {
		return "", invalid.WithCause(err)
	}
	return email, nil
}

func invisible(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }

var (
	usernameForm   = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{1,31}$`)
	containsLetter = regexp.MustCompile(`[a-z]`)
	localeForm     = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$`)
)

// validUsername reports whether a folded name may be a username. It has a
// letter, so that it never reads as a member's number.
func validUsername(name string) bool {
	return usernameForm.MatchString(name) && containsLetter.MatchString(name)
}

// checkUsername returns a username folded.
func checkUsername(name string) (string, error) {
	name = fold(name)
	if !validUsername(name) {
		return "", svc.FieldError(svc.InvalidValue, "username",
			"username must be 2 to 32 of the characters a-z, 0-9, dot, hyphen and underscore, "+
				"begin with a letter or digit, and have at least one letter.")
	}
	return name, nil
}

// maxDerived leaves room for a number after a derived username.
const maxDerived = 24

// deriveUsername makes a username of the local part of an address.
func deriveUsername(email string) string {
	local := fold(email[:strings.LastIndexByte(email, '@')])
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return -1
	}, local)
	name = strings.TrimLeft(name, "._-")
	if name = name[:min(len(name), maxDerived)]; !validUsername(name) {
		return "member"
	}
	return name
}

// checkDisplayName returns a display name without the space around it.
func checkDisplayName(name string) (string, error) {
	name = strings.TrimSpace(name)
	return name, svc.CheckName("display_name", name)
}

// checkTimezone checks an IANA time zone name.
func checkTimezone(name string) error {
	if _, ok := svc.Zone(name); !ok {
		return svc.FieldError(svc.InvalidValue, "timezone", "timezone must be the name of a time zone, like Europe/Lisbon.")
	}
	return nil
}

// checkLocale checks a language tag for the form of RFC 5646 §2.1, as far as
// locales go.
func checkLocale(tag string) error {
	if !localeForm.MatchString(tag) {
		return svc.FieldError(svc.InvalidValue, "locale", "locale must be a language tag, like en or pt-BR.")
	}
	return nil
}
