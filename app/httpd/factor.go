package httpd

import (
	"encoding/json"
	"net/http"

	"appliance/app/authlog"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// confirmation proves the identity of a signed-in member again, before a change of
// credentials: by the password or by a code of the second factor.
type confirmation struct {
	Password string `json:"current_password"`
	Code     string `json:"code"`
}

// confirm verifies a confirmation of v.
func (s *Server) confirm(r *http.Request, v svc.Viewer, in confirmation) (proof identity.Proof, err error) {
	switch {
	case in.Password != "":
		return s.confirmPassword(r, v, in.Password)
	case in.Code != "":
		return s.confirmCode(r, v, in.Code)
	}
	return proof, svc.FieldError(svc.FieldRequired, "current_password", "Enter your current password, or a code of your second factor.")
}

// confirmPassword verifies the password of v.
func (s *Server) confirmPassword(r *http.Request, v svc.Viewer, password string) (proof identity.Proof, err error) {
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
func (s *Server) confirmCode(r *http.Request, v svc.Viewer, code string) (proof identity.Proof, err error) {
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

// answerChallenge creates a session for the answer to a sign-in challenge.
func (s *Server) answerChallenge(r *http.Request, challenge string, a identity.Answer) (session identity.Session, err error) {
	if a.Code == "" && len(a.Passkey) == 0 {
		return session, svc.Required("code")
	}
	var account identity.Account
	err = s.db.Lookup(r.Context(), func(tx *store.Tx) (err error) {
		account, err = s.identity.ChallengeAccount(tx, challenge)
		return err
	})
	if err != nil {
		return session, err
	}
	answer := func() error {
		var refused error
		err := s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
			session, refused, err = s.identity.AnswerChallenge(tx, challenge, a, s.client(r))
			return err
		})
		if err == nil {
			err = refused
		}
		return err
	}
	if len(a.Passkey) > 0 { // a passkey cannot be guessed: failures need not be counted
		err = answer()
	} else {
		err = s.guard.Try(r, account, a.Code, nil, answer)
	}
	method := authlog.SecondFactor
	if err == nil {
		method = session.Method()
	}
	s.signIns.Record(r, method, account.Member, err)
	return session, err
}

func (s *Server) getSecondFactor(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		f, err := s.identity.SecondFactor(tx, v)
		return map[string]any{"second_factor": f}, err
	})
}

// enrolledTOTP is the response to a request that creates the secret of an authenticator
// app. No other response contains it.
type enrolledTOTP struct {
	identity.NewTOTP
	QR qrCode `json:"qr"` // of the URI
}

// enrollTOTP creates the secret of an authenticator app.
func (s *Server) enrollTOTP(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in confirmation
	if err := decode(r, &in); err != nil {
		return err
	}
	app, err := s.newTOTP(r, v, in)
	if err != nil {
		return err
	}
	code, err := newQRCode(app.URI)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, map[string]any{"totp": enrolledTOTP{app, code}})
}

func (s *Server) newTOTP(r *http.Request, v svc.Viewer, in confirmation) (app identity.NewTOTP, err error) {
	proof, err := s.confirm(r, v, in)
	if err != nil {
		return app, err
	}
	err = s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
		app, err = s.identity.EnrollTOTP(tx, proof)
		return err
	})
	return app, err
}

// totpRequest is a code of a new authenticator app.
type totpRequest struct {
	Code string `json:"code"`
}

// confirmTOTP makes an authenticator app a second factor.
func (s *Server) confirmTOTP(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in totpRequest
	if err := decode(r, &in); err != nil {
		return err
	}
	codes, err := s.activateTOTP(r, v, in.Code)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]any{"recovery_codes": codes})
}

func (s *Server) activateTOTP(r *http.Request, v svc.Viewer, code string) (codes svc.List[string], err error) {
	if code == "" {
		return nil, svc.Required("code")
	}
	caller, err := s.authenticate(r)
	if err != nil {
		return nil, err
	}
	err = s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
		codes, err = s.identity.ConfirmTOTP(tx, v, code, caller.TokenID)
		return err
	})
	return codes, err
}

// changeFactors runs change, which needs a proof, for a member who confirms their
// identity. keep is the id of the token of the request.
func (s *Server) changeFactors(r *http.Request, v svc.Viewer, in confirmation, change func(tx *store.Tx, p identity.Proof, keep string) error) error {
	caller, err := s.authenticate(r)
	if err != nil {
		return err
	}
	proof, err := s.confirm(r, v, in)
	if err != nil {
		return err
	}
	return s.db.Write(r.Context(), func(tx *store.Tx) error { return change(tx, proof, caller.TokenID) })
}

func (s *Server) deleteTOTP(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in confirmation
	if err := decode(r, &in); err != nil {
		return err
	}
	if err := s.changeFactors(r, v, in, s.identity.RemoveTOTP); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]bool{"deleted": true})
}

// renewRecoveryCodes replaces the recovery codes.
func (s *Server) renewRecoveryCodes(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in confirmation
	if err := decode(r, &in); err != nil {
		return err
	}
	codes, err := s.newRecoveryCodes(r, v, in)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, map[string]any{"recovery_codes": codes})
}

func (s *Server) newRecoveryCodes(r *http.Request, v svc.Viewer, in confirmation) (codes svc.List[string], err error) {
	err = s.changeFactors(r, v, in, func(tx *store.Tx, p identity.Proof, _ string) (err error) {
		codes, err = s.identity.RenewRecoveryCodes(tx, p)
		return err
	})
	return codes, err
}

// beginPasskey returns the options for creating a passkey.
func (s *Server) beginPasskey(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in confirmation
	if err := decode(r, &in); err != nil {
		return err
	}
	p, err := s.newPasskey(r, v, in)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, p)
}

func (s *Server) newPasskey(r *http.Request, v svc.Viewer, in confirmation) (p identity.NewPasskey, err error) {
	err = s.changeFactors(r, v, in, func(tx *store.Tx, proof identity.Proof, _ string) (err error) {
		p, err = s.identity.BeginPasskey(tx, proof)
		return err
	})
	return p, err
}

// passkeyRequest is a new passkey.
type passkeyRequest struct {
	Challenge string          `json:"challenge"`
	Label     string          `json:"label"`
	Passkey   json.RawMessage `json:"passkey"`
}

// addPasskey stores a new passkey.
func (s *Server) addPasskey(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in passkeyRequest
	if err := decode(r, &in); err != nil {
		return err
	}
	passkey, codes, err := s.registerPasskey(r, v, in.Challenge, in.Label, in.Passkey)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, map[string]any{"passkey": passkey, "recovery_codes": codes})
}

func (s *Server) registerPasskey(r *http.Request, v svc.Viewer, challenge, label string, response json.RawMessage) (passkey identity.Passkey, codes svc.List[string], err error) {
	caller, err := s.authenticate(r)
	if err != nil {
		return passkey, nil, err
	}
	err = s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
		passkey, codes, err = s.identity.AddPasskey(tx, v, identity.PasskeyRegistration{Challenge: challenge, Label: label, Response: response}, caller.TokenID)
		return err
	})
	return passkey, codes, err
}

func (s *Server) deletePasskey(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in confirmation
	if err := decode(r, &in); err != nil {
		return err
	}
	if err := s.removePasskey(r, v, in, r.PathValue("id")); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]bool{"deleted": true})
}

func (s *Server) removePasskey(r *http.Request, v svc.Viewer, in confirmation, id string) error {
	return s.changeFactors(r, v, in, func(tx *store.Tx, p identity.Proof, keep string) error {
		return s.identity.RemovePasskey(tx, p, id, keep)
	})
}
