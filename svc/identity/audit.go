package identity

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
)

type auditQueries struct {
	AddAudit    store.Query `sql:"add-audit"`
	Audit       store.Query `sql:"audit"`
	MemberAudit store.Query `sql:"member-audit"`

	DeleteSurplusSignIns store.Query `sql:"delete-surplus-sign-ins"`
}

// AuditEntry is an action on an account or an invitation.
type AuditEntry struct {
	ID     int64         `json:"id"`
	At     time.Time     `json:"at"`
	Actor  string        `json:"actor"`  // member id, cli:<user>, setup or settings
	Action string        `json:"action"` // one of the actions below
	Member *svc.MemberID `json:"member_id"`
	Detail string        `json:"detail"` // as described for each action
}

// The actions in the audit log. The comments describe the detail field of each entry.
const (
	auditAdd           = "add"
	auditRegister      = "register"     // id of the invitation
	auditSignIn        = "sign-in"      // method and address of the client
	auditUpdate        = "update"       // names of the changed fields, with the new value for status
	auditEmail         = "change-email" // the previous address
	auditPassword      = "change-password"
	auditReset         = "reset-password" // by a reset link
	auditResetLink     = "reset-link"
	auditAddDevice     = "add-device"    // id of the device password, and its label if a command created it
	auditRevoke        = "revoke"        // ids, with the label as for add-device, or sessions, other-sessions and device-passwords
	auditAddFactor     = "add-factor"    // totp, or id of the passkey
	auditRemoveFactor  = "remove-factor" // totp, or id of the passkey
	auditResetFactor   = "reset-factor"
	auditRecoveryCodes = "renew-recovery-codes"
	auditPromote       = "promote"
	auditDemote        = "demote"
	auditInvite        = "invite"            // id of the invitation
	auditUninvite      = "revoke-invitation" // id of the invitation
	auditExport        = "export"
	auditDelete        = "delete"
)

// AuditPage is a page of the audit log, newest first.
type AuditPage struct {
	Entries []AuditEntry `json:"entries"`
	Page    svc.Page     `json:"page"`
}

type auditRow struct {
	ID     int64         `db:"id"`
	At     store.Millis  `db:"at"`
	Actor  string        `db:"actor"`
	Action string        `db:"action"`
	Member *svc.MemberID `db:"member_id"`
	Detail string        `db:"detail"`
}

func auditEntries(rows []auditRow) []AuditEntry {
	list := make([]AuditEntry, len(rows))
	for i, r := range rows {
		list[i] = AuditEntry{r.ID, r.At.Timestamp(), r.Actor, r.Action, r.Member, r.Detail}
	}
	return list
}

// AuditQuery selects entries of the audit log.
type AuditQuery struct {
	Member svc.MemberID // 0 for all
	Limit  int
	Cursor string
}

// Audit returns a page of the audit log.
func (s *Service) Audit(tx *store.Tx, by Actor, query AuditQuery) (AuditPage, error) {
	if err := by.require(); err != nil {
		return AuditPage{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "identity.audit", by.viewer, query.Member)
	limit, err := svc.PageLimit(query.Limit)
	before := int64(math.MaxInt64)
	if err := svc.Join(err, cursors.Decode(query.Cursor, &before)); err != nil {
		return AuditPage{}, err
	}
	rows, err := s.auditRows(tx, query.Member, before, limit+1)
	if err != nil {
		return AuditPage{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r auditRow) any { return r.ID })
	return AuditPage{auditEntries(rows), page}, nil
}

// auditRows reads the latest entries below an id. member is 0 for the entries about
// all members.
func (s *Service) auditRows(tx *store.Tx, member svc.MemberID, before int64, limit int) (rows []auditRow, err error) {
	q, args := s.q.Audit, store.Args{"before": before, "limit": limit}
	if member != 0 {
		q, args["member"] = s.q.MemberAudit, member
	}
	err = tx.Select(&rows, q, args)
	return rows, err
}

// RecordExport adds an entry to the audit log before the data of a member are exported by
// an operator.
func (s *Service) RecordExport(tx *store.Tx, by Actor, id svc.MemberID) error {
	if err := by.require(); err != nil {
		return err
	}
	if _, err := s.memberByID(tx, id); err != nil {
		return err
	}
	return s.audit(tx, by.name, auditExport, id, "")
}

// audit adds an entry to the audit log. member is 0 if the action is not about a
// member.
func (s *Service) audit(tx *store.Tx, actor, action string, member svc.MemberID, detail string) error {
	_, err := tx.Exec(s.q.AddAudit, store.Args{
		"now": store.MillisOf(tx.Now()), "actor": actor, "action": action, "member": member, "detail": detail,
	})
	return err
}
