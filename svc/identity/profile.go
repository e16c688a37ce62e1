package identity

import (
	"math"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Me is the viewer's own account. Some fields of Member are repeated at the top
// level, where some clients expect them.
type Me struct {
	Member      Member       `json:"member"`
	ID          svc.MemberID `json:"id"`
	Email       string       `json:"email"`
	DisplayName string       `json:"display_name"`
}

// Me returns the account of v.
func (s *Service) Me(tx *store.Tx, v svc.Viewer) (Me, error) {
	id, err := v.Require()
	if err != nil {
		return Me{}, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return Me{}, err
	}
	return Me{Member: s.member(row), ID: row.ID, Email: row.Email, DisplayName: row.DisplayName}, nil
}

// DefaultLocale returns the locale of new members.
func (s *Service) DefaultLocale() string { return s.cfg.Locale }

// Locale returns the locale of v, such as "de-CH".
func (s *Service) Locale(tx *store.Tx, v svc.Viewer) (string, error) {
	me, err := s.Me(tx, v)
	return me.Member.Locale, err
}

// OnBehalf returns a Viewer for an active member without the member's credentials.
// Only commands and handlers that have verified the service key may call it.
func (s *Service) OnBehalf(tx *store.Tx, id svc.MemberID) (svc.Viewer, error) {
	row, err := s.memberByID(tx, id)
	if err == nil && row.Status != Active {
		err = svc.Errorf(svc.NotFound, "This member does not exist.")
	}
	if err != nil {
		return svc.Viewer{}, err
	}
	return svc.Trust(row.ID).In(words.WithFormats(row.Locale, row.Formats)), nil
}

// ProfileChanges contains a member's changes to their own account. Nil fields
// stay unchanged.
type ProfileChanges struct {
	DisplayName *string `json:"display_name"`
	Timezone    *string `json:"timezone"`
	Locale      *string `json:"locale"`

	Formats svc.Optional[string]    `json:"formats"` // null or empty for those of the locale
	Color   svc.Optional[svc.Color] `json:"color"`   // null for the default
}

// UpdateProfile changes the account of v.
func (s *Service) UpdateProfile(tx *store.Tx, v svc.Viewer, c ProfileChanges) (Member, error) {
	id, err := v.Require()
	if err != nil {
		return Member{}, err
	}
	before, err := s.memberByID(tx, id)
	if err != nil {
		return Member{}, err
	}
	after := before
	var invalid [4]error
	if c.DisplayName != nil {
		var name string
		name, invalid[0] = checkDisplayName(*c.DisplayName)
		after.setDisplayName(name)
	}
	if c.Timezone != nil {
		after.Timezone, invalid[1] = *c.Timezone, checkTimezone(*c.Timezone)
	}
	if c.Locale != nil {
		after.Locale, invalid[2] = *c.Locale, checkLocale(*c.Locale)
	}
	c.Formats.Apply(&after.Formats, "")
	invalid[3] = checkFormats(after.Formats)
	c.Color.Apply(&after.Color, "")
	if err := svc.Join(invalid[:]...); err != nil {
		return Member{}, err
	}
	if after == before {
		return s.member(before), nil
	}
	if after.DisplayName != before.DisplayName || after.Color != before.Color {
		tx.Touch(svc.MemberUpdated, store.Everyone)
	} else {
		tx.Touch(svc.AccountUpdated, int64(id))
	}
	after.UpdatedAt = store.MillisOf(tx.Now())
	if err := s.save(tx, after); err != nil {
		return Member{}, err
	}
	if after.DisplayName != before.DisplayName {
		err = s.runNameHooks(tx, id)
	}
	if err == nil && after.Timezone != before.Timezone {
		err = s.runZoneHooks(tx, id, after.Timezone)
	}
	return s.member(after), err
}

// Rename changes the display name of v.
func (s *Service) Rename(tx *store.Tx, v svc.Viewer, displayName string) error {
	_, err := s.UpdateProfile(tx, v, ProfileChanges{DisplayName: &displayName})
	return err
}

// Export contains all data of a member in this service, except secrets.
type Export struct {
	Member  AdminMember  `json:"member"`
	Tokens  []Token      `json:"tokens"`
	Devices []Device     `json:"device_passwords"`
	Factor  SecondFactor `json:"second_factor"`
	Audit   []AuditEntry `json:"audit"`

	// Networks are the networks from which the member has signed in.
	Networks []string `json:"networks"`
}

// Export returns the export of a member.
func (s *Service) Export(tx *store.Tx, id svc.MemberID) (Export, error) {
	row, err := s.memberByID(tx, id)
	if err != nil {
		return Export{}, err
	}
	var e Export
	if e.Member, err = s.adminMember(tx, row); err != nil {
		return Export{}, err
	}
	if e.Tokens, err = s.Tokens(tx, id); err != nil {
		return Export{}, err
	}
	if e.Devices, err = s.Devices(tx, id); err != nil {
		return Export{}, err
	}
	if e.Factor, err = s.secondFactor(tx, row); err != nil {
		return Export{}, err
	}
	if e.Networks, err = s.networks(tx, id); err != nil {
		return Export{}, err
	}
	rows, err := s.auditRows(tx, id, math.MaxInt64, math.MaxInt32)
	e.Audit = auditEntries(rows)
	return e, err
}
