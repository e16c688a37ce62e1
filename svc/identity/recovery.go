package identity

import (
	"appliance/store"
	"appliance/svc"
)

type recoveryQueries struct {
	AddRecoveryCode     store.Query `sql:"add-recovery-code"`
	CountRecoveryCodes  store.Query `sql:"count-recovery-codes"`
	UseRecoveryCode     store.Query `sql:"use-recovery-code"`
	DeleteRecoveryCodes store.Query `sql:"delete-recovery-codes"`
}

// recoveryCodeCount is the number of recovery codes of a member. They have the form of
// device passwords.
const recoveryCodeCount = 10

// RenewRecoveryCodes replaces the recovery codes of a member who has just proved their
// identity.
func (s *Service) RenewRecoveryCodes(tx *store.Tx, p Proof) (svc.List[string], error) {
	row, err := s.provenMember(tx, p)
	if err != nil {
		return nil, err
	}
	if !row.HasFactor {
		return nil, svc.Errorf(svc.ActionUnavailable, "Recovery codes replace a second factor. Add a second factor first.")
	}
	codes, err := s.replaceRecoveryCodes(tx, row.ID)
	if err != nil {
		return nil, err
	}
	return codes, s.audit(tx, row.ID.String(), auditRecoveryCodes, row.ID, "")
}

// replaceRecoveryCodes deletes the recovery codes of a member and returns new ones.
// Only their hashes are stored.
func (s *Service) replaceRecoveryCodes(tx *store.Tx, member svc.MemberID) (codes []string, err error) {
	if _, err := tx.Exec(s.q.DeleteRecoveryCodes, store.Args{"member": member}); err != nil {
		return nil, err
	}
	tx.Touch(svc.CredentialsChanged, int64(member))
	codes = make([]string, recoveryCodeCount)
	for i := range codes {
		codes[i] = newDevicePassword()
		canonical, _ := canonicalDevice(codes[i])
		if _, err := tx.Exec(s.q.AddRecoveryCode, store.Args{"member": member, "hash": digest(canonical)}); err != nil {
			return nil, err
		}
	}
	return codes, nil
}
