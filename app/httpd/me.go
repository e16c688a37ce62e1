package httpd

import (
	"errors"
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

func (s *Server) getMe(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) { return s.identity.Me(tx, v) })
}

// myChanges are changes to the member's own account. A change of the e-mail
// address or the user name needs a confirmation.
type myChanges struct {
	identity.ProfileChanges
	identity.SignInDetailsChanges
	confirmation
}

// updateMe changes the account of v.
func (s *Server) updateMe(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in myChanges
	if err := decode(r, &in); err != nil {
		return err
	}
	if err := s.changeMe(r, v, in); err != nil {
		return err
	}
	return s.getMe(w, r, v)
}

// changeMe applies all changes to the account of v, or none.
func (s *Server) changeMe(r *http.Request, v svc.Viewer, in myChanges) error {
	var proof identity.Proof
	undo := func() error { return nil }
	changesLogin := in.Email != nil || in.Username != nil
	if changesLogin {
		var err error
		if proof, undo, err = s.prepareLoginChange(r, v, in); err != nil {
			return err
		}
	}
	err := s.db.Write(r.Context(), func(tx *store.Tx) error {
		if changesLogin {
			if err := s.identity.ChangeSignInDetails(tx, proof, in.SignInDetailsChanges); err != nil {
				return err
			}
		}
		_, err := s.identity.UpdateProfile(tx, v, in.ProfileChanges)
		return err
	})
	if err != nil {
		return errors.Join(err, undo())
	}
	return nil
}

// prepareLoginChange verifies the confirmation of a change of the e-mail address or the
// user name. If the address of an operator changes, it also changes the settings file;
// undo restores the file.
func (s *Server) prepareLoginChange(r *http.Request, v svc.Viewer, in myChanges) (proof identity.Proof, undo func() error, err error) {
	undo = func() error { return nil }
	var before, after identity.Member
	var moves bool
	err = s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		before, after, moves, err = s.identity.CheckSignInDetails(tx, v, in.SignInDetailsChanges)
		return err
	})
	if err != nil {
		return proof, undo, err
	}
	if proof, err = s.confirm(r, v, in.confirmation); err != nil {
		return proof, undo, err
	}
	if moves {
		undo, err = s.setup.MoveOperator(before.Email, after.Email)
	}
	return proof, undo, err
}

// passwordRequest is a new password.
type passwordRequest struct {
	Current string `json:"current_password"`
	New     string `json:"new_password"`
}

// changePassword changes the member's own password. All other sessions end.
func (s *Server) changePassword(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in passwordRequest
	if err := decode(r, &in); err != nil {
		return err
	}
	if err := s.setOwnPassword(r, v, in.Current, in.New); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]bool{"changed": true})
}

// setOwnPassword changes the password of v after checking the current one.
func (s *Server) setOwnPassword(r *http.Request, v svc.Viewer, current, password string) error {
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
	caller, err := s.authenticate(r)
	if err != nil {
		return err
	}
	proof, err := s.confirmPassword(r, v, current)
	if err != nil {
		return err
	}
	hash, err := s.hashPassword(r, password, proof.Email())
	if err != nil {
		return svc.RenameField("password", "new_password", err)
	}
	return s.db.Write(r.Context(), func(tx *store.Tx) error {
		return s.identity.ChangePassword(tx, proof, hash, caller.TokenID)
	})
}

// hashPassword checks and hashes a new password.
func (s *Server) hashPassword(r *http.Request, password, email string) (hash identity.PasswordHash, err error) {
	err = s.guard.Hash(r, func() (err error) {
		hash, err = s.identity.HashPassword(r.Context(), password, email)
		return err
	})
	return hash, err
}
