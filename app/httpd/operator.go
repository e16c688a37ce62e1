package httpd

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// changedMember is the response to a change of a member by an operator.
type changedMember struct {
	Member  identity.AdminMember `json:"member"`
	Refresh refreshHint          `json:"refresh"`
}

var memberRefresh = refreshHint{svc.List[string]{"objects", "contexts"}}

// oneTimeLink is the response to a request that creates a link. No other response
// contains the link.
type oneTimeLink struct {
	Link      string    `json:"link"`
	ExpiresAt time.Time `json:"expires_at"`
	OnlyLocal bool      `json:"only_local"` // the link works only on the machine of the server: base-url is not set
}

func (s *Server) newLink(path string, expires time.Time) oneTimeLink {
	return oneTimeLink{s.settings.Link(path), expires, s.settings.IsLoopback()}
}

// memberOf returns the member in the path of a request.
func memberOf(r *http.Request) (svc.MemberID, error) {
	id, err := strconv.ParseInt(r.PathValue("member_id"), 10, 64)
	if err != nil || id <= 0 {
		return 0, svc.Errorf(svc.NotFound, "This member does not exist.")
	}
	return svc.MemberID(id), nil
}

// asOperator responds with the result of do, which runs in a write transaction on behalf
// of the operator v and concerns the member in the path.
func (s *Server) asOperator(w http.ResponseWriter, r *http.Request, v svc.Viewer, status int, do func(*store.Tx, identity.Actor, svc.MemberID) (any, error)) error {
	id, err := memberOf(r)
	if err != nil {
		return err
	}
	return s.write(w, r, status, func(tx *store.Tx) (any, error) {
		by, err := s.identity.Operator(tx, v)
		if err != nil {
			return nil, err
		}
		return do(tx, by, id)
	})
}

// asProvenOperator is [Server.asOperator] for an action that the operator must confirm.
// The member is looked up first, so that no code is used up for a member who does not
// exist.
func (s *Server) asProvenOperator(w http.ResponseWriter, r *http.Request, v svc.Viewer, status int, do func(*store.Tx, identity.Actor, svc.MemberID) (any, error)) error {
	m, proof, err := s.confirmFor(r, v)
	if err != nil {
		return err
	}
	return s.write(w, r, status, func(tx *store.Tx) (any, error) {
		by, err := s.identity.ProvenOperator(tx, proof)
		if err != nil {
			return nil, err
		}
		return do(tx, by, m.ID)
	})
}

// confirmFor returns the member in the path of a request, and the proof of the operator
// who confirms the request.
func (s *Server) confirmFor(r *http.Request, v svc.Viewer) (m identity.AdminMember, proof identity.Proof, err error) {
	var in confirmation
	if err := decode(r, &in); err != nil {
		return m, proof, err
	}
	if m, err = s.readManaged(r, v); err != nil {
		return m, proof, err
	}
	proof, err = s.confirm(r, v, in)
	return m, proof, err
}

// readManaged returns the member in the path of a request of the operator v.
func (s *Server) readManaged(r *http.Request, v svc.Viewer) (m identity.AdminMember, err error) {
	id, err := memberOf(r)
	if err != nil {
		return m, err
	}
	err = s.db.Read(r.Context(), func(tx *store.Tx) error {
		by, err := s.identity.Operator(tx, v)
		if err == nil {
			m, err = s.identity.FindMember(tx, by, id.String())
		}
		return err
	})
	return m, err
}

// addMember adds a member with a password, regardless of the registration policy.
func (s *Server) addMember(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in identity.Registration
	if err := decode(r, &in); err != nil {
		return err
	}
	in.InviteCode = ""
	var applicant identity.Applicant
	err := s.guard.Hash(r, func() (err error) {
		applicant, err = s.identity.Prepare(r.Context(), in)
		return err
	})
	if err != nil {
		return err
	}
	return s.write(w, r, http.StatusCreated, func(tx *store.Tx) (any, error) {
		by, err := s.identity.Operator(tx, v)
		if err != nil {
			return nil, err
		}
		added, err := s.identity.AddMember(tx, by, applicant)
		if err != nil {
			return nil, err
		}
		m, err := s.identity.FindMember(tx, by, added.ID.String())
		return changedMember{m, memberRefresh}, err
	})
}

// managedChanges are changes of a member by an operator.
type managedChanges struct {
	DisplayName *string          `json:"display_name"`
	Email       *string          `json:"email"`
	Username    *string          `json:"username"`
	Status      *identity.Status `json:"status"`
	confirmation
}

// patchManaged changes a member on behalf of an operator. A new e-mail address or user
// name needs a confirmation, as in [Server.updateMember].
func (s *Server) patchManaged(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in managedChanges
	if err := decode(r, &in); err != nil {
		return err
	}
	m, err := s.readManaged(r, v)
	if err != nil {
		return err
	}
	update := memberUpdate{ID: m.ID, confirmation: in.confirmation}
	update.Changes.Changes = identity.Changes{DisplayName: in.DisplayName, Email: in.Email, Username: in.Username, Status: in.Status}
	// A form sends unchanged values, too.
	if in.Email != nil && *in.Email == m.Email {
		update.Changes.Email = nil
	}
	if in.Username != nil && *in.Username == m.Username {
		update.Changes.Username = nil
	}
	return s.performUpdate(w, r, v, &update, func(m identity.AdminMember) any { return changedMember{m, memberRefresh} })
}

// deleteManaged deletes a member. The job that sweeps calendars removes the data.
func (s *Server) deleteManaged(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	err := s.asProvenOperator(w, r, v, http.StatusOK, func(tx *store.Tx, by identity.Actor, id svc.MemberID) (any, error) {
		return map[string]any{"deleted": true, "refresh": memberRefresh}, s.identity.Delete(tx, by, id)
	})
	if err == nil {
		s.sweepCalendars()
	}
	return err
}

// revokeManaged ends the sessions of a member and, if devices is set, removes the device
// passwords.
func (s *Server) revokeManaged(devices bool) handler {
	return func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
		return s.asOperator(w, r, v, http.StatusOK, func(tx *store.Tx, by identity.Actor, id svc.MemberID) (any, error) {
			m, err := s.identity.Revoke(tx, by, id, identity.Revocation{Sessions: true, Devices: devices})
			return changedMember{m, memberRefresh}, err
		})
	}
}

// removeManagedDevice removes a device password of a member.
func (s *Server) removeManagedDevice(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.asOperator(w, r, v, http.StatusOK, func(tx *store.Tx, by identity.Actor, id svc.MemberID) (any, error) {
		m, err := s.identity.Revoke(tx, by, id, identity.Revocation{DeviceIDs: []string{r.PathValue("device_id")}})
		return changedMember{m, memberRefresh}, err
	})
}

// resetManagedPassword creates a link with which a member chooses a new password.
func (s *Server) resetManagedPassword(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.asProvenOperator(w, r, v, http.StatusCreated, func(tx *store.Tx, by identity.Actor, id svc.MemberID) (any, error) {
		link, err := s.identity.AddResetLink(tx, by, id)
		return s.newLink("/world/reset/"+link.Code, link.ExpiresAt), err
	})
}

// resetManagedFactor removes the second factors of a member who has lost them.
func (s *Server) resetManagedFactor(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.asProvenOperator(w, r, v, http.StatusOK, func(tx *store.Tx, by identity.Actor, id svc.MemberID) (any, error) {
		m, err := s.identity.ResetFactor(tx, by, id)
		return changedMember{m, memberRefresh}, err
	})
}

// setOperator returns a handler that calls set, which changes the operator rights of a
// member, for an operator who confirms it.
func (s *Server) setOperator(set func(context.Context, identity.Actor, identity.AdminMember) (identity.AdminMember, error)) handler {
	return func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
		m, proof, err := s.confirmFor(r, v)
		if err != nil {
			return err
		}
		var by identity.Actor
		err = s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
			by, err = s.identity.ProvenOperator(tx, proof)
			return err
		})
		if err != nil {
			return err
		}
		if m, err = set(r.Context(), by, m); err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, changedMember{m, memberRefresh})
	}
}

// newInvitation is the response to the request that creates an invitation.
type newInvitation struct {
	Invitation identity.Invitation `json:"invitation"`
	oneTimeLink
}

// inviteRequest is a request for an invitation to the server.
type inviteRequest struct {
	Email string `json:"email"`
}

// createInvitation creates an invitation to the server.
func (s *Server) createInvitation(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in inviteRequest
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.write(w, r, http.StatusCreated, func(tx *store.Tx) (any, error) {
		by, err := s.identity.Operator(tx, v)
		if err != nil {
			return nil, err
		}
		i, err := s.identity.Invite(tx, by, in.Email)
		return newInvitation{i.Invitation, s.newLink("/world/invite/"+i.Code, i.ExpiresAt)}, err
	})
}

// revokeInvitation withdraws an unused invitation.
func (s *Server) revokeInvitation(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.write(w, r, http.StatusOK, func(tx *store.Tx) (any, error) {
		by, err := s.identity.Operator(tx, v)
		if err != nil {
			return nil, err
		}
		return map[string]bool{"revoked": true}, s.identity.RevokeInvitation(tx, by, r.PathValue("id"))
	})
}
