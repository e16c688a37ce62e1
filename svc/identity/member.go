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
}

// Status determines whether a member can sign in.
type Status string

const (
	Active   Status = "active"
	Disabled Status = "disabled" // until an operator enables the member again
	Deleted  Status = "deleted"  // permanently; only the id remains
)

// Values implements [svc.Set].
func (Status) Values() []string { return svc.Values(Active, Disabled, Deleted) }

// Member is an account as its member and operators see it. Schema:
// service.identity.member.
type Member struct {
	ID          svc.MemberID `json:"id"`
	Email       string       `json:"email"`
	Username    string       `json:"username"`
	DisplayName string       `json:"display_name"`
	Status      Status       `json:"status"`
	Timezone    *string      `json:"timezone"` // IANA name; null until a browser of the member reports one
	Locale      string       `json:"locale"`   // BCP 47 tag
	Formats     *string      `json:"formats"`  // BCP 47 tag of the formats of dates and numbers; null for those of the locale and the browser
	svc.Appearance

	// IsOperator reports whether the member is an active operator.
	IsOperator bool `json:"is_operator"`

	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`

	Zone svc.ZoneInUse `json:"-"`
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
	Timezone     string        `db:"timezone"` // "" for that of the server
	Locale       string        `db:"locale"`
	Formats      string        `db:"formats"` // "" for those of the locale
	PasswordHash string        `db:"password_hash"`
	Generation   int64         `db:"generation"`
	CreatedAt    store.Millis  `db:"created_at"`
	UpdatedAt    store.Millis  `db:"updated_at"`
	LastSeenAt   *store.Millis `db:"last_seen_at"`
	HasFactor    bool          `db:"has_factor"`
	Color        svc.Color     `db:"color"`       // "" for the default
	Avatar       string        `db:"avatar"`      // key; "" for none
	IsOperator   bool          `db:"is_operator"` // without effect unless the member is active
}

// setEmail and setDisplayName also set the folded forms.
func (r *memberRow) setEmail(email string)      { r.Email, r.EmailKey = email, fold(email) }
func (r *memberRow) setDisplayName(name string) { r.DisplayName, r.NameKey = name, fold(name) }

func (s *Service) member(r memberRow) Member {
	m := Member{
		ID:          r.ID,
		Email:       r.Email,
		Username:    r.Username,
		DisplayName: r.DisplayName,
		Status:      r.Status,
		Locale:      r.Locale,
		Appearance:  r.appearance(),
		IsOperator:  r.Status == Active && r.IsOperator,
		CreatedAt:   r.CreatedAt.Timestamp(),
		UpdatedAt:   r.UpdatedAt.Timestamp(),
		Zone:        s.zoneOf(r),
	}
	if r.Timezone != "" {
		m.Timezone = &r.Timezone
	}
	if r.Formats != "" {
		m.Formats = &r.Formats
	}
	return m
}

// appearance returns the appearance of a member as the member and operators see it.
func (r memberRow) appearance() svc.Appearance {
	switch r.Status {
	case Deleted:
		return svc.FormerAppearance
	case Disabled:
		r.Avatar = "" // not visible
	}
	return svc.MemberAppearance(r.ID, r.Color, r.Avatar)
}

// memberByID reads a member who is not deleted.
func (s *Service) memberByID(tx *store.Tx, id svc.MemberID) (memberRow, error) {
	var r memberRow
	err := tx.Get(&r, s.q.MemberByID, store.Args{"id": id})
	if store.IsNoRows(err) || err == nil && r.Status == Deleted {
		return memberRow{}, svc.Errorf(svc.NotFound, "This member does not exist.")
	}
	return r, err
}

// save stores the row of a member.
func (s *Service) save(tx *store.Tx, r memberRow) error {
	_, err := tx.Exec(s.q.UpdateMember, store.Args{
		"id": r.ID, "email": r.Email, "email_key": r.EmailKey, "username": r.Username,
		"display_name": r.DisplayName, "name_key": r.NameKey, "status": r.Status,
		"timezone": r.Timezone, "locale": r.Locale, "formats": r.Formats, "password_hash": r.PasswordHash,
		"is_operator": r.IsOperator, "generation": r.Generation, "color": r.Color, "updated_at": r.UpdatedAt, "last_seen_at": r.LastSeenAt,
	})
	return err
}

// checkUnique returns an error if another member uses the e-mail address or the user
// name of r.
func (s *Service) checkUnique(tx *store.Tx, r memberRow) error {
	var inUse []struct {
		Email    bool `db:"email"`
		Username bool `db:"username"`
	}
	err := tx.Select(&inUse, s.q.NamesInUse, store.Args{"id": r.ID, "email_key": r.EmailKey, "username": r.Username})
	var email, username error
	for _, t := range inUse {
		if t.Email {
			email = svc.FieldError(svc.AlreadyExists, "email", "Another member already has this e-mail address.")
		}
		if t.Username {
			username = svc.FieldError(svc.AlreadyExists, "username", "Another member already has this user name.")
		}
	}
	return svc.Join(err, email, username)
}

// MaxEmail limits the length of an e-mail address in bytes: a path of 256 octets
// without its angle brackets (RFC 5321 §4.5.3.1.3).
const MaxEmail = 254

// MaxUsername limits the length of a user name in characters.
const MaxUsername = 32

// CheckEmail validates an e-mail address and returns it without surrounding white
// space. It accepts any addr-spec of RFC 5322 §3.4.1, extended by RFC 6532, without
// quoted strings and invisible characters.
func CheckEmail(email string) (string, error) {
	email = strings.TrimSpace(email)
	errInvalid := svc.FieldError(svc.InvalidValue, "email", "This is not an e-mail address. It should look like ann@example.org.")
	if len(email) > MaxEmail || strings.IndexFunc(email, isInvisible) >= 0 {
		return "", errInvalid
	}
	a, err := mail.ParseAddress(email)
	if err != nil || a.Address != email {
		return "", errInvalid
	}
	return email, nil
}

func isInvisible(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }

var (
	usernameForm   = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{1,31}$`)
	containsLetter = regexp.MustCompile(`[a-z]`)
	localeForm     = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$`)
)

// validUsername reports whether a folded name is a valid user name. It must contain
// a letter, so that it cannot be mistaken for a member id.
func validUsername(name string) bool {
	return usernameForm.MatchString(name) && containsLetter.MatchString(name)
}

// checkUsername validates a user name and returns it folded.
func checkUsername(name string) (string, error) {
	name = fold(name)
	if !validUsername(name) {
		return "", svc.FieldError(svc.InvalidValue, "username",
			"User name must have 2 to 32 characters: letters a to z, digits, dots, hyphens and underscores. "+
				"It must begin with a letter or digit and contain a letter.")
	}
	return name, nil
}

// maxDerivedUsername limits the length of a derived user name in bytes, so that
// a number can be appended to it.
const maxDerivedUsername = 24

// deriveUsername derives a user name from the local part of an e-mail address.
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
	if name = name[:min(len(name), maxDerivedUsername)]; !validUsername(name) {
		return "member"
	}
	return name
}

// checkDisplayName validates a display name and returns it without surrounding
// white space.
func checkDisplayName(name string) (string, error) {
	name = strings.TrimSpace(name)
	return name, svc.CheckName("display_name", name)
}

// checkLocale validates a language tag: language, script, region and variants of
// RFC 5646 §2.1.
func checkLocale(tag string) error {
	if !localeForm.MatchString(tag) {
		return svc.FieldError(svc.InvalidValue, "locale", "Locale must be a language tag such as en or pt-BR.")
	}
	return nil
}

// checkFormats validates the language tag of formats, which may be empty.
func checkFormats(tag string) error {
	if tag != "" && !localeForm.MatchString(tag) {
		return svc.FieldError(svc.InvalidValue, "formats", "Dates and numbers must be a language tag such as en-GB or de-AT.")
	}
	return nil
}
