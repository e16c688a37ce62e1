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
}

// AuditEntry is an administrative action on an account or an invitation.
type AuditEntry struct {
	ID     int64         `json:"id"`
	At     time.Time     `json:"at"`
	Actor  string        `json:"actor"`  // member id, cli:<user> or setup
	Action string        `json:"action"` // add, update, delete, reset-link, invite, revoke-invitation
	Member *svc.MemberID `json:"member_id"`
	Detail string        `json:"detail"` // the changed fields, or the id of the invitation
}

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

// Audit returns a page of the audit log.
func (s *Service) Audit(tx *store.Tx, by Actor, limit int, cursor string) (AuditPage, error) {
	if err := by.require(); err != nil {
		return AuditPage{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "identity.audit", by.viewer)
	limit, err := svc.PageLimit(limit)
	before := int64(math.MaxInt64)
	if err := svc.Join(err, cursors.Decode(cursor, &before)); err != nil {
		return AuditPage{}, err
	}
	var rows []auditRow
	if err := tx.Select(&rows, s.q.Audit, store.Args{"before": before, "limit": limit + 1}); err != nil {
		return AuditPage{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r auditRow) any { return r.ID })
	return AuditPage{auditEntries(rows), page}, nil
}

// audit adds an entry to the audit log. member is 0 if the action is not about one.
func (s *Service) audit(tx *store.Tx, actor, action string, member svc.MemberID, detail string) error {
	_, err := tx.Exec(s.q.AddAudit, store.Args{
		"now": store.MillisOf(tx.Now()), "actor": actor, "action": action, "member": member, "detail": detail,
	})
	return err
}
