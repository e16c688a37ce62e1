package api

import (
	"cmp"
	"net/http"

	"appliance/app/account"
	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/world/action"
)

// identityOperations declares the operations on sessions, members and device passwords.
func (s *Server) identityOperations() []declaration {
	return []declaration{
		operation[identity.Registration, identity.Session]{
			Request: "POST /identity/register", Access: httpd.Public,
			Status: http.StatusCreated,
			Handle: s.register,
		},
		operation[logInRequest, identity.Session]{
			Request: "POST /identity/login", Access: httpd.Public, Traits: httpd.Traits{Reserve: true},
			Handle: s.logIn,
		},
		operation[logOutRequest, logOutResponse]{
			Request: "POST /identity/logout", Traits: httpd.Traits{Enrollment: true, Reserve: true},
			Handle: s.logOut,
		},
		operation[logOutRequest, logOutResponse]{
			Action: action.Accounts.Endpoint("sign_out"), Aliases: []action.Alias{{Name: "all", Fixed: svc.Map{"all": true}}}, Traits: httpd.Traits{Enrollment: true, Reserve: true},
			Summary: "Sign out",
			Handle:  s.logOut,
		},
		operation[searchQuery, identity.Directory]{
			Request: "GET /identity/members", Access: httpd.ServiceKey,
			Do: s.listDirectory,
		},
		operation[davCredentials, identity.DAVAuthentication]{
			Request: "POST /identity/dav/validate", Access: httpd.ServiceKey,
			Handle: s.validateDAV,
		},
		operation[managedMembersQuery, identity.MemberPage]{
			Request: "GET /admin/members", Access: httpd.Operator,
			Do: s.listManagedMembers,
		},
		operation[memberUpdate, updatedMember]{
			Request: "POST /admin/members/update", Access: httpd.Operator,
			Handle: s.updateMember,
		},
		operation[struct{}, devicePasswords]{
			Request: "GET /world/identity/device-passwords",
			Summary: "List the device passwords",
			Do:      s.listDevicePasswords,
		},
		operation[deviceRequest, newDevicePassword]{
			Action:  action.Accounts.Endpoint("create_device"),
			Summary: "Create a device password", Status: http.StatusCreated,
			Handle: s.addDevicePassword,
		},
		operation[deviceRequest, newDeviceSetup]{
			Action:  action.Accounts.Endpoint("set_up_device"),
			Summary: "Create a link to set up a device", Status: http.StatusCreated, Errors: conflictErrors,
			Handle: s.addDeviceSetup,
		},
		operation[idRequest, deletion]{
			Action:  action.Devices.Endpoint("delete"),
			Summary: "Remove a device password",
			Handle:  s.deleteDevicePassword,
		},
		operation[struct{}, sessionList]{
			Request: "GET /world/identity/sessions",
			Summary: "List the sessions",
			Do:      s.listSessions,
		},
		operation[struct{}, deletion]{
			Action:  action.Accounts.Endpoint("sign_out_others"),
			Summary: "End all other sessions",
			Handle:  s.deleteOtherSessions,
		},
		operation[idRequest, deletion]{
			Action:  action.Sessions.Endpoint("delete"),
			Summary: "End a session",
			Handle:  s.deleteSession,
		},
	}
}

// read responds with the result of fn, which runs in a read transaction.
func (s *Server) read(w http.ResponseWriter, r *http.Request, fn func(*store.Tx) (any, error)) error {
	var answer any
	err := s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
		answer, err = fn(tx)
		return err
	})
	if err != nil {
		return err
	}
	return httpd.WriteJSON(w, http.StatusOK, answer)
}

// commit returns the result of do, which runs in a write transaction. It is for responses
// that must not be stored for repetitions, such as secrets.
func commit[Out any](s *Server, r *http.Request, do func(*store.Tx) (Out, error)) (out Out, err error) {
	err = s.DB.Write(r.Context(), func(tx *store.Tx) (err error) {
		out, err = do(tx)
		return err
	})
	return out, err
}

// register handles a registration and signs the new member in.
func (s *Server) register(w http.ResponseWriter, r *http.Request, _ svc.Viewer, in identity.Registration) (identity.Session, error) {
	session, err := s.Accounts.Register(r, in)
	if err == nil {
		s.SetCookies(w, session, false)
	}
	return session, err
}

// logInRequest is a user name or e-mail address with a password, or the answer to the
// challenge of an earlier request.
type logInRequest struct {
	Login    string `json:"login"`
	Email    string `json:"email"`    // alias of login
	Username string `json:"username"` // alias of login
	Password string `json:"password"`
	Stay     *bool  `json:"stay"` // whether the cookies outlast the browser; true by default

	Challenge    string `json:"challenge"`
	RecoveryCode string `json:"recovery_code"` // alias of code
	identity.Answer
}

// logIn creates a session, and sets its cookies.
func (s *Server) logIn(w http.ResponseWriter, r *http.Request, _ svc.Viewer, in logInRequest) (identity.Session, error) {
	session, err := s.logInWith(r, in)
	if err == nil {
		s.SetCookies(w, session, in.Stay != nil && !*in.Stay)
	}
	return session, err
}

func (s *Server) logInWith(r *http.Request, in logInRequest) (session identity.Session, err error) {
	if in.Challenge != "" {
		in.Code = cmp.Or(in.Code, in.RecoveryCode)
		return s.Accounts.AnswerChallenge(r, in.Challenge, in.Answer)
	}
	login := cmp.Or(in.Login, in.Email, in.Username)
	var missing [2]error
	if login == "" {
		missing[0] = svc.Required("login")
	}
	if in.Password == "" {
		missing[1] = svc.Required("password")
	}
	if err := svc.Join(missing[:]...); err != nil {
		return session, err
	}
	return s.Accounts.SignIn(r, login, in.Password)
}

// logOutRequest ends a session, or all sessions.
type logOutRequest struct {
	All bool `json:"all"`
}

type logOutResponse = struct {
	LoggedOut bool `json:"logged_out"`
}

// logOut ends the session, or all sessions of the member.
func (s *Server) logOut(w http.ResponseWriter, r *http.Request, v svc.Viewer, in logOutRequest) (out logOutResponse, err error) {
	if err := s.Accounts.EndSession(r, v, in.All); err != nil {
		return out, err
	}
	s.Forget(w)
	return logOutResponse{LoggedOut: true}, nil
}

func (s *Server) listDirectory(tx *store.Tx, v svc.Viewer, in searchQuery) (identity.Directory, error) {
	if _, err := v.Require(); err != nil {
		return identity.Directory{}, svc.Errorf(svc.MemberContextRequired, "Name the member in the header X-Service-Member-Id.")
	}
	return s.Identity.Directory(tx, v, identity.DirectoryQuery{Q: in.Q, Limit: in.Limit, Cursor: in.Cursor})
}

type davCredentials struct {
	Login    string `json:"login"`
	Password string `json:"password"`
}

// validateDAV checks CalDAV credentials for another service.
func (s *Server) validateDAV(_ http.ResponseWriter, r *http.Request, _ svc.Viewer, in davCredentials) (identity.DAVAuthentication, error) {
	answer, err := s.DAV.CheckCredentials(r, in.Login, in.Password)
	if svc.KindOf(err) == svc.Anonymous {
		return identity.DAVAuthentication{}, nil
	}
	return answer, err
}

// managedMembersQuery selects members for an operator.
type managedMembersQuery struct {
	Q      string          `json:"-" query:"q"`
	Status identity.Status `json:"-" query:"status"`
	svc.PageQuery
}

func (s *Server) listManagedMembers(tx *store.Tx, v svc.Viewer, in managedMembersQuery) (page identity.MemberPage, err error) {
	by, err := s.Identity.Operator(tx, v)
	if err != nil {
		return page, err
	}
	return s.Identity.Members(tx, by, identity.MemberQuery{
		Q: in.Q, Status: in.Status, Limit: in.Limit, Cursor: in.Cursor,
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

type updatedMember = struct {
	Member identity.AdminMember `json:"member"`
}

// updateMember changes a member on behalf of an operator.
func (s *Server) updateMember(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in memberUpdate) (out updatedMember, err error) {
	if in.ID == 0 {
		return out, svc.Required("id")
	}
	m, err := s.performUpdate(r, v, &in)
	return updatedMember{m}, err
}

// performUpdate performs the update of a member by the operator v. It verifies the
// confirmation first, if the update needs one.
func (s *Server) performUpdate(r *http.Request, v svc.Viewer, in *memberUpdate) (m identity.AdminMember, err error) {
	actor := func(tx *store.Tx) (identity.Actor, error) { return s.Identity.Operator(tx, v) }
	if in.needsConfirmation() {
		proof, err := s.confirmUpdate(r, v, in)
		if err != nil {
			return m, err
		}
		actor = func(tx *store.Tx) (identity.Actor, error) { return s.Identity.ProvenOperator(tx, proof) }
	}
	return commit(s, r, func(tx *store.Tx) (m identity.AdminMember, err error) {
		by, err := actor(tx)
		if err != nil {
			return m, err
		}
		return s.Identity.Update(tx, by, in.ID, in.Changes.Changes)
	})
}

// confirmUpdate verifies the confirmation of an operator, and hashes the new password
// of the member, if any. It rejects an invalid change first, so that no code is used
// up for it.
func (s *Server) confirmUpdate(r *http.Request, v svc.Viewer, in *memberUpdate) (proof identity.Proof, err error) {
	var m identity.Member
	err = s.DB.Read(r.Context(), func(tx *store.Tx) error {
		by, err := s.Identity.Operator(tx, v)
		if err != nil {
			return err
		}
		m, err = s.Identity.CheckUpdate(tx, by, in.ID, in.Changes.Changes)
		return err
	})
	if err != nil {
		return proof, err
	}
	if proof, err = s.Accounts.Confirm(r, v, account.Confirmation(in.confirmation)); err != nil || in.Changes.Password == nil {
		return proof, err
	}
	hash, err := s.Accounts.HashPassword(r, *in.Changes.Password, m.Email)
	in.Changes.Changes.Password = &hash
	return proof, err
}

type devicePasswords = struct {
	DevicePasswords svc.List[identity.Device] `json:"device_passwords"`
}

func (s *Server) listDevicePasswords(tx *store.Tx, v svc.Viewer, _ struct{}) (devicePasswords, error) {
	list, err := s.Identity.Devices(tx, v.Member())
	return devicePasswords{list}, err
}

// deviceRequest is a new device password.
type deviceRequest struct {
	Label string `json:"label"`
	Name  string `json:"name"` // alias of label
}

type newDevicePassword = struct {
	DevicePassword identity.NewDevice `json:"device_password"`
}

func (s *Server) addDevicePassword(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in deviceRequest) (newDevicePassword, error) {
	return commit(s, r, func(tx *store.Tx) (newDevicePassword, error) {
		d, err := s.Identity.AddDevice(tx, v, cmp.Or(in.Label, in.Name))
		return newDevicePassword{d}, err
	})
}

func (s *Server) deleteDevicePassword(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in idRequest) (deletion, error) {
	err := s.DB.Write(r.Context(), func(tx *store.Tx) error { return s.Identity.RevokeDevice(tx, v, in.ID) })
	return deletion{Deleted: true}, err
}

type sessionList = struct {
	Sessions svc.List[identity.Token] `json:"sessions"`
}

func (s *Server) listSessions(tx *store.Tx, v svc.Viewer, _ struct{}) (sessionList, error) {
	list, err := s.Identity.Tokens(tx, v.Member())
	return sessionList{list}, err
}

// deleteOtherSessions ends all sessions of the member except that of the request.
func (s *Server) deleteOtherSessions(_ http.ResponseWriter, r *http.Request, v svc.Viewer, _ struct{}) (out deletion, err error) {
	caller, err := s.Accounts.Authenticate(r)
	if err != nil {
		return out, err
	}
	err = s.DB.Write(r.Context(), func(tx *store.Tx) error { return s.Identity.RevokeTokens(tx, v, caller.TokenID) })
	return deletion{Deleted: true}, err
}

func (s *Server) deleteSession(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in idRequest) (deletion, error) {
	err := s.DB.Write(r.Context(), func(tx *store.Tx) error { return s.Identity.RevokeToken(tx, v, in.ID) })
	return deletion{Deleted: true}, err
}
