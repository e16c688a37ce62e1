package httpd

import (
	"encoding/json"
	"net/http"

	"appliance/app/authlog"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/world/action"
)

// factorOperations declares the operations on the second factors of the member.
func (s *Server) factorOperations() []declaration {
	return []declaration{
		operation[struct{}, secondFactorResponse]{
			Request: "GET /world/identity/second-factor", Traits: Traits{Enrollment: true, Secret: true},
			Summary: "Read the second factors",
			Do:      s.readSecondFactor,
		},
		operation[confirmation, totpResponse]{
			Action: action.Factors.Endpoint("enroll_totp"), Traits: Traits{Enrollment: true},
			Summary: "Add an authenticator app", Status: http.StatusCreated, Errors: confirmed,
			Handle: s.enrollTOTP,
		},
		operation[totpRequest, recoveryCodes]{
			Action: action.Factors.Endpoint("confirm_totp"), Traits: Traits{Enrollment: true},
			Summary: "Confirm an authenticator app", Errors: confirmed,
			Handle: s.confirmTOTP,
		},
		operation[confirmation, deletion]{
			Action: action.Factors.Endpoint("remove_totp"), Traits: Traits{Enrollment: true},
			Summary: "Remove the authenticator app", Errors: notFound,
			Handle: s.deleteTOTP,
		},
		operation[confirmation, recoveryCodes]{
			Action: action.Factors.Endpoint("renew_recovery_codes"), Traits: Traits{Enrollment: true},
			Summary: "Replace the recovery codes", Status: http.StatusCreated, Errors: confirmed,
			Handle: s.renewRecoveryCodes,
		},
		operation[confirmation, identity.NewPasskey]{
			Action: action.Factors.Endpoint("begin_passkey"), Traits: Traits{Enrollment: true},
			Summary: "Begin to add a passkey", Status: http.StatusCreated, Errors: confirmed,
			Handle: s.beginPasskey,
		},
		operation[passkeyRequest, passkeyResponse]{
			Action: action.Factors.Endpoint("add_passkey"), Traits: Traits{Enrollment: true},
			Summary: "Add a passkey", Status: http.StatusCreated, Errors: confirmed,
			Handle: s.addPasskey,
		},
		operation[confirmation, deletion]{
			Action: action.Passkeys.Endpoint("delete"), Traits: Traits{Enrollment: true},
			Summary: "Remove a passkey",
			Handle:  s.deletePasskey,
		},
	}
}

// confirmed are the errors of a request that confirms the identity of the member.
var confirmed = []int{http.StatusConflict}

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
			session, refused, err = s.identity.AnswerChallenge(tx, challenge, a, s.Client(r))
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

type secondFactorResponse = struct {
	SecondFactor identity.SecondFactor `json:"second_factor"`
}

func (s *Server) readSecondFactor(tx *store.Tx, v svc.Viewer, _ struct{}) (secondFactorResponse, error) {
	f, err := s.identity.SecondFactor(tx, v)
	return secondFactorResponse{f}, err
}

// enrolledTOTP is part of the response to a request that creates the secret of an authenticator
// app. No other response contains it.
type enrolledTOTP struct {
	identity.NewTOTP
	QR qrCode `json:"qr"` // of the URI
}

type totpResponse = struct {
	TOTP enrolledTOTP `json:"totp"`
}

// enrollTOTP creates the secret of an authenticator app.
func (s *Server) enrollTOTP(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (out totpResponse, err error) {
	app, err := s.newTOTP(r, v, in)
	if err != nil {
		return out, err
	}
	code, err := newQRCode(app.URI)
	return totpResponse{enrolledTOTP{app, code}}, err
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

type recoveryCodes = struct {
	RecoveryCodes svc.List[string] `json:"recovery_codes"`
}

// confirmTOTP makes an authenticator app a second factor.
func (s *Server) confirmTOTP(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in totpRequest) (recoveryCodes, error) {
	codes, err := s.activateTOTP(r, v, in.Code)
	return recoveryCodes{codes}, err
}

func (s *Server) activateTOTP(r *http.Request, v svc.Viewer, code string) (codes svc.List[string], err error) {
	if code == "" {
		return nil, svc.Required("code")
	}
	caller, err := s.Authenticate(r)
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
	caller, err := s.Authenticate(r)
	if err != nil {
		return err
	}
	proof, err := s.confirm(r, v, in)
	if err != nil {
		return err
	}
	return s.db.Write(r.Context(), func(tx *store.Tx) error { return change(tx, proof, caller.TokenID) })
}

func (s *Server) deleteTOTP(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (deletion, error) {
	return deletion{Deleted: true}, s.changeFactors(r, v, in, s.identity.RemoveTOTP)
}

// renewRecoveryCodes replaces the recovery codes.
func (s *Server) renewRecoveryCodes(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (recoveryCodes, error) {
	codes, err := s.newRecoveryCodes(r, v, in)
	return recoveryCodes{codes}, err
}

func (s *Server) newRecoveryCodes(r *http.Request, v svc.Viewer, in confirmation) (codes svc.List[string], err error) {
	err = s.changeFactors(r, v, in, func(tx *store.Tx, p identity.Proof, _ string) (err error) {
		codes, err = s.identity.RenewRecoveryCodes(tx, p)
		return err
	})
	return codes, err
}

// beginPasskey returns the options for creating a passkey.
func (s *Server) beginPasskey(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (identity.NewPasskey, error) {
	return s.newPasskey(r, v, in)
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

type passkeyResponse = struct {
	Passkey       identity.Passkey `json:"passkey"`
	RecoveryCodes svc.List[string] `json:"recovery_codes"`
}

// addPasskey stores a new passkey.
func (s *Server) addPasskey(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in passkeyRequest) (passkeyResponse, error) {
	passkey, codes, err := s.registerPasskey(r, v, in.Challenge, in.Label, in.Passkey)
	return passkeyResponse{passkey, codes}, err
}

func (s *Server) registerPasskey(r *http.Request, v svc.Viewer, challenge, label string, response json.RawMessage) (passkey identity.Passkey, codes svc.List[string], err error) {
	caller, err := s.Authenticate(r)
	if err != nil {
		return passkey, nil, err
	}
	err = s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
		passkey, codes, err = s.identity.AddPasskey(tx, v, identity.PasskeyRegistration{Challenge: challenge, Label: label, Response: response}, caller.TokenID)
		return err
	})
	return passkey, codes, err
}

func (s *Server) deletePasskey(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (deletion, error) {
	return deletion{Deleted: true}, s.removePasskey(r, v, in, r.PathValue("id"))
}

func (s *Server) removePasskey(r *http.Request, v svc.Viewer, in confirmation, id string) error {
	return s.changeFactors(r, v, in, func(tx *store.Tx, p identity.Proof, keep string) error {
		return s.identity.RemovePasskey(tx, p, id, keep)
	})
}
