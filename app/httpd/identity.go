package httpd

import (
	"cmp"
	"net/http"

	"appliance/app/authlog"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// read responds with the result of fn, which runs in a read transaction.
func (s *Server) read(w http.ResponseWriter, r *http.Request, fn func(*store.Tx) (any, error)) error {
	var answer any
	err := s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		answer, err = fn(tx)
		return err
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, answer)
}

// write responds with the result of fn, which runs in a write transaction. It is
// for responses that must not be stored, such as secrets; other writes use
// [idempotent].
func (s *Server) write(w http.ResponseWriter, r *http.Request, status int, fn func(*store.Tx) (any, error)) error {
	var answer any
	err := s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
		answer, err = fn(tx)
		return err
	})
	if err != nil {
		return err
	}
	return writeJSON(w, status, answer)
}

// register handles a registration and signs the new member in.
func (s *Server) register(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	var in identity.Registration
	if err := decode(r, &in); err != nil {
		return err
	}
	session, err := s.registerMember(r, in)
	if err != nil {
		return err
	}
	s.setCookies(w, session, false)
	return writeJSON(w, http.StatusCreated, session)
}

// registerMember creates a member and a session. An invalid invitation is
// rejected before any costly work and counts as a wrong secret. After that the
// attempt counts towards the limit of registrations even if it fails, because
// the response reveals whether an e-mail address belongs to a member.
func (s *Server) registerMember(r *http.Request, in identity.Registration) (session identity.Session, err error) {
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

// logIn creates a session for a user name or e-mail address and a password, or for
// the answer to the challenge of an earlier request.
func (s *Server) logIn(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	var in struct {
		Login    string `json:"login"`
		Email    string `json:"email"`    // alias of login
		Username string `json:"username"` // alias of login
		Password string `json:"password"`
		Stay     *bool  `json:"stay"` // whether the cookies outlast the browser; true by default

		Challenge    string `json:"challenge"`
		RecoveryCode string `json:"recovery_code"` // alias of code
		identity.Answer
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	if in.Challenge != "" {
		in.Code = cmp.Or(in.Code, in.RecoveryCode)
		session, err := s.answerChallenge(r, in.Challenge, in.Answer)
		if err != nil {
			return err
		}
		return s.writeSession(w, session, in.Stay)
	}
	for _, alias := range []string{in.Email, in.Username} {
		if in.Login == "" {
			in.Login = alias
		}
	}
	var missing [2]error
	if in.Login == "" {
		missing[0] = svc.Required("login")
	}
	if in.Password == "" {
		missing[1] = svc.Required("password")
	}
	if err := svc.Join(missing[:]...); err != nil {
		return err
	}
	session, err := s.signIn(r, in.Login, in.Password)
	if err != nil {
		return err
	}
	return s.writeSession(w, session, in.Stay)
}

// writeSession responds with a new session, and sets its cookies, which outlast the browser unless
// stay is false.
func (s *Server) writeSession(w http.ResponseWriter, session identity.Session, stay *bool) error {
	s.setCookies(w, session, stay != nil && !*stay)
	return writeJSON(w, http.StatusOK, session)
}

// signIn verifies a password and creates a session.
func (s *Server) signIn(r *http.Request, login, password string) (identity.Session, error) {
	proof, err := s.verifyPassword(r, login, password)
	if err != nil {
		return identity.Session{}, err
	}
	return s.startSession(r, func(*store.Tx) (identity.Proof, error) { return proof, nil })
}

// logOutRequest ends a session, or all sessions.
type logOutRequest struct {
	All bool `json:"all"`
}

// logOut ends the session, or all sessions of the member.
func (s *Server) logOut(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in logOutRequest
	if err := decode(r, &in); err != nil {
		return err
	}
	if err := s.endSession(r, v, in.All); err != nil {
		return err
	}
	s.forget(w)
	return writeJSON(w, http.StatusOK, map[string]bool{"logged_out": true})
}

// endSession ends the session of a request, or all sessions of v.
func (s *Server) endSession(r *http.Request, v svc.Viewer, all bool) error {
	caller, err := s.authenticate(r)
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

func (s *Server) getDirectory(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	if _, err := v.Require(); err != nil {
		return svc.Errorf(svc.MemberContextRequired, "Name the member in the header X-Service-Member-Id.")
	}
	var in struct {
		Q      string `json:"-" query:"q"`
		Limit  int    `json:"-" query:"limit"`
		Cursor string `json:"-" query:"cursor"`
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		return s.identity.Directory(tx, v, identity.DirectoryQuery{Q: in.Q, Limit: in.Limit, Cursor: in.Cursor})
	})
}

// validateDAV checks CalDAV credentials for another service.
func (s *Server) validateDAV(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	var in struct {
		Login    string `json:"login"`
		Password string `json:"password"`
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	answer, err := s.dav.CheckCredentials(r, in.Login, in.Password)
	if svc.KindOf(err) == svc.Anonymous {
		return writeJSON(w, http.StatusOK, identity.DAVAuthentication{})
	}
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, answer)
}

func (s *Server) getMembers(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		Q      string `json:"-" query:"q"`
		Status string `json:"-" query:"status"`
		Limit  int    `json:"-" query:"limit"`
		Cursor string `json:"-" query:"cursor"`
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		by, err := s.identity.Operator(tx, v)
		if err != nil {
			return nil, err
		}
		return s.identity.Members(tx, by, identity.MemberQuery{
			Q: in.Q, Status: identity.Status(in.Status), Limit: in.Limit, Cursor: in.Cursor,
		})
	})
}

// memberUpdate is a change of a member by an operator.
type memberUpdate struct {
	ID      svc.MemberID `json:"id"`
	Changes struct {
		identity.Changes
		Password *string `json:"password"`
	} `json:"changes"`
	confirmation
}

// needsConfirmation reports whether the change would let the operator sign in as the
// member, so that they must prove their identity again, as for a change of their own
// sign-in details. A change of the status needs no proof: it must be quick in an
// emergency, and can be undone.
func (u memberUpdate) needsConfirmation() bool {
	c := u.Changes
	return c.Email != nil || c.Username != nil || c.Password != nil
}

// updateMember changes a member on behalf of an operator.
func (s *Server) updateMember(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in memberUpdate
	if err := decode(r, &in); err != nil {
		return err
	}
	if in.ID == 0 {
		return svc.Required("id")
	}
	return s.performUpdate(w, r, v, &in, func(m identity.AdminMember) any { return map[string]any{"member": m} })
}

// performUpdate performs the update of a member by the operator v, and responds with the
// result of respond. It verifies the confirmation first, if the update needs one.
func (s *Server) performUpdate(w http.ResponseWriter, r *http.Request, v svc.Viewer, in *memberUpdate, respond func(identity.AdminMember) any) error {
	actor := func(tx *store.Tx) (identity.Actor, error) { return s.identity.Operator(tx, v) }
	if in.needsConfirmation() {
		proof, err := s.confirmUpdate(r, v, in)
		if err != nil {
			return err
		}
		actor = func(tx *store.Tx) (identity.Actor, error) { return s.identity.ProvenOperator(tx, proof) }
	}
	return s.write(w, r, http.StatusOK, func(tx *store.Tx) (any, error) {
		by, err := actor(tx)
		if err != nil {
			return nil, err
		}
		m, err := s.identity.Update(tx, by, in.ID, in.Changes.Changes)
		return respond(m), err
	})
}

// confirmUpdate verifies the confirmation of an operator, and hashes the new password
// of the member, if any. It rejects an invalid change first, so that no code is used
// up for it.
func (s *Server) confirmUpdate(r *http.Request, v svc.Viewer, in *memberUpdate) (proof identity.Proof, err error) {
	var m identity.Member
	err = s.db.Read(r.Context(), func(tx *store.Tx) error {
		by, err := s.identity.Operator(tx, v)
		if err != nil {
			return err
		}
		m, err = s.identity.CheckUpdate(tx, by, in.ID, in.Changes.Changes)
		return err
	})
	if err != nil {
		return proof, err
	}
	if proof, err = s.confirm(r, v, in.confirmation); err != nil || in.Changes.Password == nil {
		return proof, err
	}
	hash, err := s.hashPassword(r, *in.Changes.Password, m.Email)
	in.Changes.Changes.Password = &hash
	return proof, err
}

func (s *Server) getDevices(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		list, err := s.identity.Devices(tx, v.Member())
		return map[string]any{"device_passwords": list}, err
	})
}

// deviceRequest is a new device password.
type deviceRequest struct {
	Label string `json:"label"`
	Name  string `json:"name"` // alias of label
}

func (s *Server) addDevice(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in deviceRequest
	if err := decode(r, &in); err != nil {
		return err
	}
	if in.Label == "" {
		in.Label = in.Name
	}
	return s.write(w, r, http.StatusCreated, func(tx *store.Tx) (any, error) {
		d, err := s.identity.AddDevice(tx, v, in.Label)
		return map[string]any{"device_password": d}, err
	})
}

func (s *Server) deleteDevice(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.write(w, r, http.StatusOK, func(tx *store.Tx) (any, error) {
		return map[string]bool{"deleted": true}, s.identity.RevokeDevice(tx, v, r.PathValue("id"))
	})
}

func (s *Server) getSessions(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		list, err := s.identity.Tokens(tx, v.Member())
		return map[string]any{"sessions": list}, err
	})
}

func (s *Server) deleteSession(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.write(w, r, http.StatusOK, func(tx *store.Tx) (any, error) {
		return map[string]bool{"deleted": true}, s.identity.RevokeToken(tx, v, r.PathValue("id"))
	})
}
