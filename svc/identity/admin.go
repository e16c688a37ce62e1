package identity

import (
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
)

type adminQueries struct {
	Members     store.Query `sql:"members"`
	TokenCounts store.Query `sql:"token-counts"`

	DeviceCounts store.Query `sql:"device-counts"`
	MemberCounts store.Query `sql:"member-counts"`
}

// AdminMember is a member as operators see it. Schema:
// service.admin.members.
type AdminMember struct {
	Member
	LastSeenAt   *time.Time `json:"last_seen_at"`  // accurate to an hour, null if never
	TokenCount   int        `json:"token_count"`   // sessions
	DeviceCount  int        `json:"device_count"`  // device passwords
	SecondFactor bool       `json:"second_factor"` // sign-in requires a second factor
}

// MemberQuery selects members for operators.
type MemberQuery struct {
	Q      string // part of a display name, user name or e-mail address; "" for all
	Status Status // "" for active and disabled
	Limit  int
	Cursor string
}

// MemberPage is a page of members, ordered by id.
type MemberPage struct {
	Members svc.List[AdminMember] `json:"members"`
	Page    svc.Page              `json:"page"`
}

// maxSearchText limits the length of a search text in bytes.
const maxSearchText = 100

// searchKey validates a search text and returns it folded.
func searchKey(q string) (string, error) {
	if len(q) > maxSearchText {
		return "", svc.ParameterError("q", "The search text must have at most %d bytes.", maxSearchText)
	}
	return fold(q), nil
}

// Members lists members for operators.
func (s *Service) Members(tx *store.Tx, by Actor, query MemberQuery) (MemberPage, error) {
	if err := by.require(); err != nil {
		return MemberPage{}, err
	}
	if err := svc.CheckParameter("status", query.Status); err != nil { // the command line does not check it
		return MemberPage{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "identity.members", by.viewer, query.Q, query.Status)
	limit, errLimit := svc.PageLimit(query.Limit)
	q, errQ := searchKey(query.Q)
	var after svc.MemberID
	if err := svc.Join(errLimit, errQ, cursors.Decode(query.Cursor, &after)); err != nil {
		return MemberPage{}, err
	}
	var rows []memberRow
	err := tx.Select(&rows, s.q.Members, store.Args{
		"after": after, "status": query.Status, "q": q, "limit": limit + 1,
	})
	if err != nil {
		return MemberPage{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r memberRow) any { return r.ID })
	members, err := s.adminMembers(tx, rows)
	return MemberPage{members, page}, err
}

// FindMember returns the member with the id, e-mail address or user name, including
// disabled members.
func (s *Service) FindMember(tx *store.Tx, by Actor, identifier string) (AdminMember, error) {
	if err := by.require(); err != nil {
		return AdminMember{}, err
	}
	row, err := s.findByIdentifier(tx, strings.TrimSpace(identifier), func(memberRow) bool { return true })
	if err != nil {
		return AdminMember{}, err
	}
	if row.ID == 0 {
		return AdminMember{}, svc.Errorf(svc.NotFound, "No member matches “%s”.", svc.Excerpt(identifier))
	}
	return s.adminMember(tx, row)
}

func (s *Service) adminMember(tx *store.Tx, row memberRow) (AdminMember, error) {
	list, err := s.adminMembers(tx, []memberRow{row})
	if err != nil {
		return AdminMember{}, err
	}
	return list[0], nil
}

func (s *Service) adminMembers(tx *store.Tx, rows []memberRow) ([]AdminMember, error) {
	list := make([]AdminMember, len(rows))
	ids := make([]svc.MemberID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
		list[i] = AdminMember{Member: s.member(r), LastSeenAt: store.OptionalTimestamp(r.LastSeenAt), SecondFactor: r.HasFactor}
	}
	members := store.JSONArray(ids)
	tokens, err := countByMember(tx, s.q.TokenCounts, store.Args{"members": members, "now": store.MillisOf(tx.Now())})
	if err != nil {
		return nil, err
	}
	devices, err := countByMember(tx, s.q.DeviceCounts, store.Args{"members": members})
	for i, m := range list {
		list[i].TokenCount, list[i].DeviceCount = tokens[m.ID], devices[m.ID]
	}
	return list, err
}

// countByMember returns the result of a query of the columns member_id and n.
func countByMember(tx *store.Tx, q store.Query, args store.Args) (map[svc.MemberID]int, error) {
	var rows []struct {
		Member svc.MemberID `db:"member_id"`
		N      int          `db:"n"`
	}
	err := tx.Select(&rows, q, args)
	counts := make(map[svc.MemberID]int, len(rows))
	for _, r := range rows {
		counts[r.Member] = r.N
	}
	return counts, err
}

// MemberCounts counts the members of the server. Deleted members do not count.
type MemberCounts struct {
	Active    int `json:"active"`
	Disabled  int `json:"disabled"`
	Operators int `json:"operators"`
	Recent    int `json:"recent"` // active members who used the server in the last 24 hours
}

// MemberCounts counts the members by status. It fails unless by is an operator.
func (s *Service) MemberCounts(tx *store.Tx, by Actor) (c MemberCounts, err error) {
	if err := by.require(); err != nil {
		return c, err
	}
	var row struct {
		Active   int `db:"active"`
		Disabled int `db:"disabled"`
		Seen     int `db:"seen"`
	}
	if err := tx.Get(&row, s.q.MemberCounts, store.Args{"since": store.MillisOf(tx.Now().Add(-day))}); err != nil {
		return c, err
	}
	c = MemberCounts{Active: row.Active, Disabled: row.Disabled, Recent: row.Seen}
	c.Operators, err = s.countOtherOperators(tx, 0)
	return c, err
}

// Changes contains an operator's changes to a member. Nil fields stay unchanged.
type Changes struct {
	DisplayName  *string `json:"display_name"`
	Email        *string `json:"email"`
	Username     *string `json:"username"`
	Status       *Status `json:"status"` // active or disabled
	RevokeTokens bool    `json:"revoke_tokens"`

	// Password is the new password, hashed by [Service.HashPassword].
	Password *PasswordHash `json:"-"`
}

// Update changes a member. If it disables the member or removes operator rights, it
// revokes open invitations and reset links, and for a disabled member also tokens. A
// new password revokes tokens, device passwords and the member's unused invitations.
func (s *Service) Update(tx *store.Tx, by Actor, id svc.MemberID, c Changes) (AdminMember, error) {
	before, after, err := s.planUpdate(tx, by, id, c)
	if err != nil {
		return AdminMember{}, err
	}
	visibleFields := changedFields(before, after)
	auditedFields := visibleFields
	if c.RevokeTokens {
		auditedFields = append(auditedFields, "revoke_tokens")
	}
	if c.Password != nil {
		auditedFields = append(auditedFields, "password")
	}
	if len(auditedFields) == 0 {
		return s.adminMember(tx, before)
	}
	if len(visibleFields) > 0 {
		tx.Touch(svc.MemberUpdated, store.Everyone)
		after.UpdatedAt = store.MillisOf(tx.Now())
	}
	if err := s.saveUpdate(tx, before, &after, c); err != nil {
		return AdminMember{}, err
	}
	if err := s.audit(tx, by.name, auditUpdate, id, strings.Join(auditedFields, " ")); err != nil {
		return AdminMember{}, err
	}
	return s.adminMember(tx, after)
}

// CheckUpdate returns the member with the id, or an error if Update would not make
// the changes.
func (s *Service) CheckUpdate(tx *store.Tx, by Actor, id svc.MemberID, c Changes) (Member, error) {
	before, _, err := s.planUpdate(tx, by, id, c)
	return s.member(before), err
}

// planUpdate returns the rows of a member before and after the changes, or an error
// if they are not permitted.
func (s *Service) planUpdate(tx *store.Tx, by Actor, id svc.MemberID, c Changes) (before, after memberRow, err error) {
	if err := by.require(); err != nil {
		return before, after, err
	}
	if before, err = s.memberByID(tx, id); err != nil {
		return before, after, err
	}
	if after, err = c.apply(before); err != nil {
		return before, after, err
	}
	if err := s.moveOperator(tx, before, &after); err != nil {
		return before, after, err
	}
	return before, after, s.checkUpdate(tx, by, before, after)
}

// saveUpdate stores the changed row and revokes the credentials and links that the change
// invalidates.
func (s *Service) saveUpdate(tx *store.Tx, before memberRow, after *memberRow, c Changes) error {
	if loginState(before) != loginState(*after) || c.RevokeTokens {
		after.Generation++
	}
	if before.EmailKey != after.EmailKey {
		if err := s.useOperatorEmail(tx, after.EmailKey); err != nil {
			return err
		}
	}
	if err := s.save(tx, *after); err != nil {
		return err
	}
	if before.DisplayName != after.DisplayName || before.Status != after.Status {
		if err := s.runNameHooks(tx, after.ID); err != nil {
			return err
		}
	}
	disabled := before.Status == Active && after.Status == Disabled
	demoted := s.member(before).IsOperator && !s.member(*after).IsOperator
	if disabled || demoted {
		if err := s.deleteLinks(tx, *after); err != nil {
			return err
		}
	}
	if disabled || c.RevokeTokens {
		if err := s.deleteTokens(tx, after.ID, ""); err != nil {
			return err
		}
	}
	if c.Password != nil {
		return s.replacePassword(tx, after, *c.Password)
	}
	return nil
}

// apply returns the row with the changes applied, or an error with all invalid
// fields.
func (c Changes) apply(r memberRow) (memberRow, error) {
	var invalid [4]error
	if c.DisplayName != nil {
		var name string
		name, invalid[0] = checkDisplayName(*c.DisplayName)
		r.setDisplayName(name)
	}
	if c.Email != nil {
		var email string
		email, invalid[1] = CheckEmail(*c.Email)
		r.setEmail(email)
	}
	if c.Username != nil {
		r.Username, invalid[2] = checkUsername(*c.Username)
	}
	if c.Status != nil {
		if r.Status = *c.Status; r.Status != Active && r.Status != Disabled {
			invalid[3] = svc.FieldError(svc.InvalidValue, "status", "Status must be active or disabled.")
		}
	}
	return r, svc.Join(invalid[:]...)
}

// checkUpdate returns an error if the change to a member is not permitted.
func (s *Service) checkUpdate(tx *store.Tx, by Actor, before, after memberRow) error {
	if err := s.checkUnique(tx, after); err != nil {
		return err
	}
	if after.EmailKey != before.EmailKey && !by.commandLine {
		if reserved, err := s.isReservedEmail(tx, after.EmailKey); err != nil {
			return err
		} else if reserved {
			return errReservedEmail()
		}
	}
	if s.member(before).IsOperator && !s.member(after).IsOperator {
		return s.checkOtherOperators(tx, before.ID)
	}
	return nil
}

// changedFields returns the names of the changed fields that other members can
// see.
func changedFields(a, b memberRow) []string {
	var names []string
	if a.DisplayName != b.DisplayName {
		names = append(names, "display_name")
	}
	if a.Email != b.Email {
		names = append(names, "email")
	}
	if a.Username != b.Username {
		names = append(names, "username")
	}
	if a.Status != b.Status {
		names = append(names, "status="+string(b.Status))
	}
	return names
}

// loginState returns the columns that determine whether a login succeeds.
func loginState(r memberRow) [3]string { return [3]string{r.EmailKey, r.Username, string(r.Status)} }

// Delete deletes a member permanently. The id stays, as the author of records that other members
// can see; the personal data is removed. [Service.DeleteData] then deletes the other data in
// batches, because one write may take only a short time.
func (s *Service) Delete(tx *store.Tx, by Actor, id svc.MemberID) error {
	if err := by.require(); err != nil {
		return err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return err
	}
	if s.member(row).IsOperator {
		if err := s.checkOtherOperators(tx, id); err != nil {
			return err
		}
	}
	for _, h := range s.hooks {
		if h.MemberDeleted == nil {
			continue
		}
		if err := h.MemberDeleted(tx, id); err != nil {
			return err
		}
	}
	if err := s.deleteCredentials(tx, row); err != nil {
		return err
	}
	placeholder := memberRow{
		ID: id, Status: Deleted, Locale: "en",
		Generation: row.Generation + 1, UpdatedAt: store.MillisOf(tx.Now()),
	}
	placeholder.setDisplayName(svc.FormerMember)
	if err := s.save(tx, placeholder); err != nil {
		return err
	}
	tx.Touch(svc.MemberDeleted, store.Everyone)
	if err := s.runNameHooks(tx, id); err != nil {
		return err
	}
	if err := s.audit(tx, by.name, auditDelete, id, ""); err != nil {
		return err
	}
	return s.startDeletion(tx, id)
}

// Revocation selects credentials of a member.
type Revocation struct {
	Sessions  bool
	Devices   bool     // all device passwords
	DeviceIDs []string // these device passwords
}

// Revoke revokes credentials of a member.
func (s *Service) Revoke(tx *store.Tx, by Actor, id svc.MemberID, r Revocation) (AdminMember, error) {
	if err := by.require(); err != nil {
		return AdminMember{}, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return AdminMember{}, err
	}
	if r.Sessions {
		if err := s.deleteTokens(tx, id, ""); err != nil {
			return AdminMember{}, err
		}
		if err := s.audit(tx, by.name, auditRevoke, id, revokedSessions); err != nil {
			return AdminMember{}, err
		}
	}
	if r.Devices {
		if err := s.deleteDevices(tx, id); err != nil {
			return AdminMember{}, err
		}
		tx.Touch(svc.CredentialsChanged, int64(id))
		if err := s.audit(tx, by.name, auditRevoke, id, revokedDevices); err != nil {
			return AdminMember{}, err
		}
	}
	for _, device := range r.DeviceIDs {
		if err := s.revokeOne(tx, s.q.DeleteDevice, by.name, id, device, device); svc.KindOf(err) == svc.Missing {
			return AdminMember{}, svc.Errorf(svc.NotFound, "This member has no device password %s.", svc.Excerpt(device))
		} else if err != nil {
			return AdminMember{}, err
		}
	}
	if err := s.bumpGeneration(tx, id); err != nil {
		return AdminMember{}, err
	}
	return s.adminMember(tx, row)
}

// deleteCredentials deletes all credentials of a member, all records of sign-ins, and the
// avatar.
func (s *Service) deleteCredentials(tx *store.Tx, row memberRow) error {
	if err := s.deleteTokens(tx, row.ID, ""); err != nil {
		return err
	}
	for _, q := range []store.Query{
		s.q.DeleteDevices, s.q.DeleteFactor, s.q.DeleteTOTP, s.q.DeleteRecoveryCodes, s.q.DeletePasskeys,
		s.q.DeleteChallenges, s.q.DeleteNetworks, s.q.DeleteAvatar,
	} {
		if _, err := tx.Exec(q, store.Args{"member": row.ID}); err != nil {
			return err
		}
	}
	return s.deleteLinks(tx, row)
}

// deleteLinks deletes the links that are for a member, were created by the member,
// or name the member's e-mail address.
func (s *Service) deleteLinks(tx *store.Tx, r memberRow) error {
	_, err := tx.Exec(s.q.DeleteLinks, store.Args{"member": r.ID, "actor": r.ID.String(), "email": r.EmailKey})
	return err
}
