package account

import (
	"net/http"

	"appliance/app/authlog"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// Confirmation proves the identity of a signed-in member again, before a change of
// credentials: by the password or by a code of the second factor.
type Confirmation struct {
	Password string `json:"current_password"`
	Code     string `json:"code"`
}

// Confirm verifies a confirmation of v.
func (s *Service) Confirm(r *http.Request, v svc.Viewer, in Confirmation) (proof identity.Proof, err error) {
	switch {
	case in.Password != "":
		return s.confirmPassword(r, v, in.Password)
	case in.Code != "":
		return s.confirmCode(r, v, in.Code)
	}
	return proof, svc.FieldError(svc.FieldRequired, "current_password", "Enter your current password, or a code of your second factor.")
}

// confirmPassword verifies the password of v.
func (s *Service) confirmPassword(r *http.Request, v svc.Viewer, password string) (proof identity.Proof, err error) {
	var c identity.Candidate
	err = s.db.Lookup(r.Context(), func(tx *store.Tx) (err error) {
		c, err = s.identity.OwnCandidate(tx, v)
		return err
	})
	if err != nil {
		return proof, err
	}
	return s.verifyCandidate(r, c, password)
}

// confirmCode verifies a code of the second factor of v, and uses it up.
func (s *Service) confirmCode(r *http.Request, v svc.Viewer, code string) (proof identity.Proof, err error) {
	var account identity.Account
	err = s.db.Lookup(r.Context(), func(tx *store.Tx) (err error) {
		account, err = s.identity.OwnAccount(tx, v)
		return err
	})
	if err != nil {
		return proof, err
	}
	err = s.guard.Try(r, account, code, nil, func() (err error) {
		var refused error
		err = s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
			proof, refused, err = s.identity.ProveByCode(tx, v, code)
			return err
		})
		if err == nil {
			err = refused
		}
		return err
	})
	s.signIns.RecordFailure(r, authlog.SecondFactor, v.Member(), err)
	return proof, err
}

// SetPassword changes the password of v after checking the current one.
func (s *Service) SetPassword(r *http.Request, v svc.Viewer, current, password string) error {
	var missing [2]error
	if current == "" {
		missing[0] = svc.Required("current_password")
	}
	if password == "" {
		missing[1] = svc.Required("new_password")
	}
	if err := svc.Join(missing[:]...); err != nil {
		return err
	}
	caller, err := s.Authenticate(r)
	if err != nil {
		return err
	}
	proof, err := s.confirmPassword(r, v, current)
	if err != nil {
		return err
	}
	hash, err := s.HashPassword(r, password, proof.Email())
	if err != nil {
		return svc.RenameField("password", "new_password", err)
	}
	return s.db.Write(r.Context(), func(tx *store.Tx) error {
		return s.identity.ChangePassword(tx, proof, hash, caller.TokenID)
	})
}

// HashPassword checks and hashes a new password.
func (s *Service) HashPassword(r *http.Request, password, email string) (hash identity.PasswordHash, err error) {
	err = s.guard.Hash(r, func() (err error) {
		hash, err = s.identity.HashPassword(r.Context(), password, email)
		return err
	})
	return hash, err
}
