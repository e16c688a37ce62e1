package account

import (
	"net/http"

	"appliance/app/authlog"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// SignIn verifies a password and creates a session.
func (s *Service) SignIn(r *http.Request, login, password string) (identity.Session, error) {
	proof, err := s.VerifyPassword(r, login, password)
	if err != nil {
		return identity.Session{}, err
	}
	return s.startSession(r, func(*store.Tx) (identity.Proof, error) { return proof, nil })
}

// VerifyPassword checks a user name or e-mail address and a password. The error
// does not tell which of them is wrong.
func (s *Service) VerifyPassword(r *http.Request, login, password string) (proof identity.Proof, err error) {
	if len(login) > identity.MaxLogin {
		return proof, svc.Errorf(svc.InvalidCredentials, "The user name or the password is wrong, or the account is disabled.")
	}
	var c identity.Candidate
	err = s.db.Lookup(r.Context(), func(tx *store.Tx) (err error) {
		c, err = s.identity.Candidate(tx, login)
		return err
	})
	if err != nil {
		return proof, err
	}
	return s.verifyCandidate(r, c, password)
}

// verifyCandidate checks the password of a candidate within the limits for wrong
// passwords, and logs a failure.
func (s *Service) verifyCandidate(r *http.Request, c identity.Candidate, password string) (proof identity.Proof, err error) {
	err = s.guard.Try(r, c.Account(), password, c.Refusal(), func() error {
		return s.guard.Hash(r, func() (err error) {
			proof, err = s.identity.Verify(r.Context(), c, password)
			return err
		})
	})
	s.signIns.RecordFailure(r, authlog.Password, c.Account().Member, err)
	return proof, err
}

// startSession creates a session for the member whose proof prove returns. If
// the member has a second factor, the error contains the challenge.
func (s *Service) startSession(r *http.Request, prove func(*store.Tx) (identity.Proof, error)) (session identity.Session, err error) {
	var challenge *svc.Challenge
	err = s.db.Write(r.Context(), func(tx *store.Tx) error {
		proof, err := prove(tx)
		if err != nil {
			return err
		}
		session, challenge, err = s.identity.Login(tx, proof, s.Client(r))
		return err
	})
	if err != nil {
		return session, err
	}
	if challenge != nil {
		e := svc.Errorf(svc.SecondFactorRequired, "Enter the code of your authenticator app, a recovery code, or use a passkey.")
		e.Challenge = challenge
		return session, e
	}
	s.signIns.Record(r, session.Method(), session.Member.ID, nil)
	return session, nil
}

// AnswerChallenge creates a session for the answer to a sign-in challenge.
func (s *Service) AnswerChallenge(r *http.Request, challenge string, a identity.Answer) (session identity.Session, err error) {
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

// Register creates a member and a session. An invalid invitation is
// rejected before any costly work and counts as a wrong secret. After that the
// attempt counts towards the limit of registrations even if it fails, because
// the response reveals whether an e-mail address belongs to a member.
func (s *Service) Register(r *http.Request, in identity.Registration) (session identity.Session, err error) {
	if err := s.identity.CheckPolicy(in.InviteCode); err != nil {
		return session, err
	}
	if in.InviteCode != "" {
		err := s.guard.Try(r, identity.Account{Name: "invitation", Code: true}, in.InviteCode, nil, func() error {
			return s.db.Read(r.Context(), func(tx *store.Tx) error {
				_, err := s.identity.Invitation(tx, in.InviteCode)
				return err
			})
		})
		s.signIns.RecordFailure(r, authlog.InvitationLink, 0, err)
		if err != nil {
			return session, err
		}
	}
	addressPrefix := limits.Prefix(s.proxies.ClientAddr(r))
	if err := s.rates.Take(limits.Registrations, addressPrefix); err != nil {
		return session, err
	}
	var applicant identity.Applicant
	err = s.guard.Hash(r, func() (err error) {
		applicant, err = s.identity.Prepare(r.Context(), in)
		return err
	})
	if err != nil { // an invalid form, or too many concurrent hashes
		s.rates.Return(limits.Registrations, addressPrefix)
		return session, err
	}
	return s.startSession(r, func(tx *store.Tx) (identity.Proof, error) { return s.identity.Register(tx, applicant) })
}

// Reset sets a new password with a reset code and creates a session.
func (s *Service) Reset(r *http.Request, code, password string) (session identity.Session, err error) {
	var m identity.Member
	err = s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		m, err = s.identity.ResetMember(tx, code)
		return err
	})
	if err != nil {
		return session, err
	}
	hash, err := s.HashPassword(r, password, m.Email)
	if err != nil {
		return session, err
	}
	return s.startSession(r, func(tx *store.Tx) (identity.Proof, error) { return s.identity.ResetPassword(tx, code, hash) })
}

// EndSession ends the session of a request, or all sessions of v.
func (s *Service) EndSession(r *http.Request, v svc.Viewer, all bool) error {
	caller, err := s.Authenticate(r)
	if err != nil {
		return err
	}
	return s.db.Write(r.Context(), func(tx *store.Tx) error {
		if all {
			return s.identity.RevokeTokens(tx, v, "")
		}
		return s.identity.Logout(tx, caller)
	})
}
