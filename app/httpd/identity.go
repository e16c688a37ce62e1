package httpd

import (
	"errors"
	"net/http"
	"slices"
	"strings"

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
	http.SetCookie(w, s.cookie(session.Token.AccessToken))
	return writeJSON(w, http.StatusCreated, session)
}

// registerMember creates a member and a session. An invalid invitation is
// rejected before any costly work and counts as a wrong secret. After that the
// attempt counts towards the limit of registrations even if it fails, because
// the response reveals whether an e-mail address belongs to a member.
func (s *Server) registerMember(r *http.Request, in identity.Registration) (session identity.Session, err error) {
	if err := s.identity.Admits(in.InviteCode); err != nil {
		return session, err
	}
	if in.InviteCode != "" {
		err := s.guard.Try(r, identity.Account{Name: "invitation"}, in.InviteCode, nil, func() error {
			return s.db.Read(r.Context(), func(tx *store.Tx) error {
				_, err := s.identity.Invitation(tx, in.InviteCode)
				return err
			})
		})
		if err != nil {
			return session, err
		}
	}
	from := limits.Prefix(s.proxies.ClientAddr(r))
	if err := s.rates.Take(limits.Registrations, from); err != nil {
		return session, err
	}
	var applicant identity.Applicant
	err = s.guard.Hash(r, func() (err error) {
		applicant, err = s.identity.Prepare(r.Context(), in)
		return err
	})
	if err != nil { // an invalid form, or too many concurrent hashes
		s.rates.Return(limits.Registrations, from)
		return session, err
	}
	err = s.db.Write(r.Context(), func(tx *store.Tx) error {
		proof, err := s.identity.Register(tx, applicant)
		if err != nil {
			return err
		}
		session, err = s.identity.Login(tx, proof, clientLabel(r))
		return err
	})
	return session, err
}

// logIn creates a session for a user name or e-mail address and a password.
func (s *Server) logIn(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	var in struct {
		Login    string `json:"login"`
		Email    string `json:"email"`    // alias of login
		Username string `json:"username"` // alias of login
		Password string `json:"password"`
	}
	if err := decode(r, &in); err != nil {
		return err
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
	http.SetCookie(w, s.cookie(session.Token.AccessToken))
	return writeJSON(w, http.StatusOK, session)
}

// signIn verifies a password and creates a session.
func (s *Server) signIn(r *http.Request, login, password string) (identity.Session, error) {
	proof, err := s.verifyPassword(r, login, password)
	if err != nil {
		return identity.Session{}, err
	}
	return s.startSession(r.Context(), r, proof)
}

// logOut ends the session, or all sessions of the member.
func (s *Server) logOut(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		All bool `json:"all"`
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	if err := s.endSession(r, v, in.All); err != nil {
		return err
	}
	http.SetCookie(w, s.cookie(""))
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
			return s.identity.RevokeTokens(tx, v)
		}
		return s.identity.Logout(tx, caller)
	})
}

func (s *Server) getMe(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) { return s.identity.Me(tx, v) })
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

// updateMember changes a member on behalf of an operator.
func (s *Server) updateMember(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		ID      svc.MemberID `json:"id"`
		Changes struct {
			identity.Changes
			Password *string `json:"password"`
		} `json:"changes"`
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	if in.ID == 0 {
		return svc.Required("id")
	}
	if in.Changes.Password != nil {
		hash, err := s.hashForMember(r, v, in.ID, *in.Changes.Password)
		if err != nil {
			return err
		}
		in.Changes.Changes.Password = &hash
	}
	return s.write(w, r, http.StatusOK, func(tx *store.Tx) (any, error) {
		by, err := s.identity.Operator(tx, v)
		if err != nil {
			return nil, err
		}
		m, err := s.identity.Update(tx, by, in.ID, in.Changes.Changes)
		return map[string]any{"member": m}, err
	})
}

// hashForMember hashes a password that an operator sets for a member.
func (s *Server) hashForMember(r *http.Request, v svc.Viewer, id svc.MemberID, password string) (hash identity.PasswordHash, err error) {
	var m identity.AdminMember
	err = s.db.Read(r.Context(), func(tx *store.Tx) error {
		by, err := s.identity.Operator(tx, v)
		if err != nil {
			return err
		}
		m, err = s.identity.FindMember(tx, by, id.String())
		return err
	})
	if err != nil {
		return hash, err
	}
	return s.hashPassword(r, password, m.Email)
}

// changePassword changes the member's own password. All other sessions end.
func (s *Server) changePassword(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		Current string `json:"current_password"`
		New     string `json:"new_password"`
	}
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
	var c identity.Candidate
	err = s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		c, err = s.identity.OwnCandidate(tx, v)
		return err
	})
	if err != nil {
		return err
	}
	var proof identity.Proof
	err = s.guard.Try(r, c.Account(), current, c.Refusal(), func() error {
		return s.guard.Hash(r, func() (err error) {
			proof, err = s.identity.Verify(r.Context(), c, current)
			return err
		})
	})
	if err != nil {
		return err
	}
	hash, err := s.hashPassword(r, password, proof.Email())
	if err != nil {
		return renameField(err, "password", "new_password")
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

// renameField replaces the name of a field in an error by its name in the request.
func renameField(err error, from, to string) error {
	var e *svc.Error
	if !errors.As(err, &e) {
		return err
	}
	c := *e
	c.Message = strings.Replace(c.Message, from, to, 1)
	c.Fields = slices.Clone(c.Fields)
	for i, f := range c.Fields {
		if f.Name == from {
			f.Name, f.Pointer, f.Message = to, "/"+to, strings.Replace(f.Message, from, to, 1)
			c.Fields[i] = f
		}
	}
	return &c
}

func (s *Server) getDevices(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		list, err := s.identity.Devices(tx, v.Member())
		return map[string]any{"device_passwords": list}, err
	})
}

func (s *Server) addDevice(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		Label string `json:"label"`
		Name  string `json:"name"` // alias of label
	}
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
