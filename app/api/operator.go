package api

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"appliance/app/account"
	"appliance/app/health"
	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/world/action"
)

// operatorOperations declares the operations on members and invitations, for operators.
func (s *Server) operatorOperations() []declaration {
	return []declaration{
		operation[identity.Registration, changedMember]{
			Action: action.Operators.Endpoint("add_member"), Access: httpd.Operator,
			Summary: "Add a member", Status: http.StatusCreated, Errors: conflictErrors,
			Handle: s.addMember,
		},
		operation[managedChanges, changedMember]{
			Action: action.ManagedMembers.Endpoint("update"), Access: httpd.Operator,
			Summary: "Change a member", Errors: conflictErrors,
			Handle: s.patchManaged,
		},
		operation[confirmation, deletionWithRefresh]{
			Action: action.ManagedMembers.Endpoint("delete"), Access: httpd.Operator,
			Summary: "Delete a member",
			Handle:  s.deleteManaged,
		},
		operation[managedMemberRequest, changedMember]{
			Action: action.ManagedMembers.Endpoint("end_sessions"), Access: httpd.Operator,
			Summary: "End the sessions of a member",
			Handle:  s.endManagedSessions,
		},
		operation[managedMemberRequest, changedMember]{
			Action: action.ManagedMembers.Endpoint("revoke_access"), Access: httpd.Operator,
			Summary: "End the sessions of a member and remove the device passwords",
			Handle:  s.revokeManagedAccess,
		},
		operation[managedDeviceRequest, changedMember]{
			Action: action.ManagedDevices.Endpoint("remove"), Access: httpd.Operator,
			Summary: "Remove a device password of a member",
			Handle:  s.removeManagedDevice,
		},
		operation[confirmation, oneTimeLink]{
			Action: action.ManagedMembers.Endpoint("reset_password"), Access: httpd.Operator, Traits: httpd.Traits{Secret: true},
			Summary: "Create a link to choose a new password", Status: http.StatusCreated,
			Handle: s.resetManagedPassword,
		},
		operation[confirmation, changedMember]{
			Action: action.ManagedMembers.Endpoint("reset_factor"), Access: httpd.Operator,
			Summary: "Remove the second factors of a member",
			Handle:  s.resetManagedFactor,
		},
		operation[confirmation, map[string]any]{
			Action: action.ManagedMembers.Endpoint("export"), Access: httpd.Operator,
			Summary: "Read everything that is stored about a member", Errors: []int{http.StatusUnprocessableEntity},
			Serve: s.exportManaged,
		},
		operation[confirmation, changedMember]{
			Action: action.ManagedMembers.Endpoint("promote"), Access: httpd.Operator,
			Summary: "Make a member an operator", Errors: conflictErrors,
			Handle: s.promoteManaged,
		},
		operation[confirmation, changedMember]{
			Action: action.ManagedMembers.Endpoint("demote"), Access: httpd.Operator,
			Summary: "Make an operator a member", Errors: conflictErrors,
			Handle: s.demoteManaged,
		},
		operation[inviteRequest, newInvitation]{
			Action: action.Operators.Endpoint("invite"), Access: httpd.Operator, Traits: httpd.Traits{Secret: true},
			Summary: "Create an invitation to the server", Status: http.StatusCreated, Errors: conflictErrors,
			Handle: s.createInvitation,
		},
		operation[idRequest, revokedInvitation]{
			Action: action.MemberInvitations.Endpoint("revoke"), Access: httpd.Operator,
			Summary: "Withdraw an invitation to the server",
			Handle:  s.revokeInvitation,
		},
	}
}

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
	Notice    string    `json:"notice"` // why the link does not work on other devices, and what to do; "" if it does
}

// reach diagnoses whether other devices can open links to this server.
func (s *Server) reach() []health.Diagnosis {
	return health.Reach(s.Settings, s.Settings.URL(), s.IsProxied())
}

func (s *Server) newLink(v svc.Viewer, path string, expires time.Time) oneTimeLink {
	return oneTimeLink{s.Settings.Link(path), expires, health.Text(s.reach(), v.Language())}
}

// managedMemberRequest is a request without a body about the member in its path.
type managedMemberRequest struct {
	MemberID string `json:"-" path:"member_id"`
}

// parseMember returns the member with the id in the path of a request.
func parseMember(text string) (svc.MemberID, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return 0, svc.Errorf(svc.NotFound, "This member does not exist.")
	}
	return svc.MemberID(id), nil
}

// asOperator returns the result of do, which runs in a write transaction on behalf of the
// operator v.
func asOperator[Out any](s *Server, r *http.Request, v svc.Viewer, do func(*store.Tx, identity.Actor) (Out, error)) (Out, error) {
	return commit(s, r, func(tx *store.Tx) (out Out, err error) {
		by, err := s.Identity.Operator(tx, v)
		if err != nil {
			return out, err
		}
		return do(tx, by)
	})
}

// asProvenOperator is [asOperator] for an action on the member in the path that the
// operator must confirm.
func asProvenOperator[Out any](s *Server, r *http.Request, v svc.Viewer, in confirmation, do func(*store.Tx, identity.Actor, svc.MemberID) (Out, error)) (out Out, err error) {
	m, proof, err := s.confirmFor(r, v, in)
	if err != nil {
		return out, err
	}
	return commit(s, r, func(tx *store.Tx) (out Out, err error) {
		by, err := s.Identity.ProvenOperator(tx, proof)
		if err != nil {
			return out, err
		}
		return do(tx, by, m.ID)
	})
}

// confirmFor returns the member in the path of a request, and the proof of the operator
// who confirms the request. The member is looked up first, so that no code is used up for a
// member who does not exist.
func (s *Server) confirmFor(r *http.Request, v svc.Viewer, in confirmation) (m identity.AdminMember, proof identity.Proof, err error) {
	if m, err = s.readManaged(r, v, r.PathValue("member_id")); err != nil {
		return m, proof, err
	}
	proof, err = s.Accounts.Confirm(r, v, account.Confirmation(in))
	return m, proof, err
}

// readManaged returns a member to the operator v.
func (s *Server) readManaged(r *http.Request, v svc.Viewer, member string) (m identity.AdminMember, err error) {
	id, err := parseMember(member)
	if err != nil {
		return m, err
	}
	err = s.DB.Read(r.Context(), func(tx *store.Tx) error {
		by, err := s.Identity.Operator(tx, v)
		if err == nil {
			m, err = s.Identity.FindMember(tx, by, id.String())
		}
		return err
	})
	return m, err
}

// addMember adds a member with a password, regardless of the registration policy.
func (s *Server) addMember(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in identity.Registration) (out changedMember, err error) {
	in.InviteCode = ""
	var applicant identity.Applicant
	err = s.Guard.Hash(r, func() (err error) {
		applicant, err = s.Identity.Prepare(r.Context(), in)
		return err
	})
	if err != nil {
		return out, err
	}
	return asOperator(s, r, v, func(tx *store.Tx, by identity.Actor) (out changedMember, err error) {
		added, err := s.Identity.AddMember(tx, by, applicant)
		if err != nil {
			return out, err
		}
		m, err := s.Identity.FindMember(tx, by, added.ID.String())
		return changedMember{m, memberRefresh}, err
	})
}

// managedChanges are changes of a member by an operator.
type managedChanges struct {
	MemberID    string           `json:"-" path:"member_id"`
	DisplayName *string          `json:"display_name"`
	Email       *string          `json:"email"`
	Username    *string          `json:"username"`
	Status      *identity.Status `json:"status"`
	confirmation
}

// patchManaged changes a member on behalf of an operator. A new e-mail address or user
// name needs a confirmation, as in [Server.updateMember].
func (s *Server) patchManaged(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in managedChanges) (out changedMember, err error) {
	m, err := s.readManaged(r, v, in.MemberID)
	if err != nil {
		return out, err
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
	m, err = s.performUpdate(r, v, &update)
	return changedMember{m, memberRefresh}, err
}

// deleteManaged deletes a member. The job that sweeps calendars removes the data.
func (s *Server) deleteManaged(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (deletionWithRefresh, error) {
	out, err := asProvenOperator(s, r, v, in, func(tx *store.Tx, by identity.Actor, id svc.MemberID) (deletionWithRefresh, error) {
		return deletionWithRefresh{true, memberRefresh}, s.Identity.Delete(tx, by, id)
	})
	if err == nil {
		s.SweepCalendars()
	}
	return out, err
}

// endManagedSessions ends the sessions of a member.
func (s *Server) endManagedSessions(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in managedMemberRequest) (changedMember, error) {
	return s.revokeManaged(r, v, in.MemberID, identity.Revocation{Sessions: true})
}

// revokeManagedAccess ends the sessions of a member and removes the device passwords.
func (s *Server) revokeManagedAccess(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in managedMemberRequest) (changedMember, error) {
	return s.revokeManaged(r, v, in.MemberID, identity.Revocation{Sessions: true, Devices: true})
}

// managedDeviceRequest names a device password of a member.
type managedDeviceRequest struct {
	MemberID string `json:"-" path:"member_id"`
	DeviceID string `json:"-" path:"device_id"`
}

// removeManagedDevice removes a device password of a member.
func (s *Server) removeManagedDevice(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in managedDeviceRequest) (changedMember, error) {
	return s.revokeManaged(r, v, in.MemberID, identity.Revocation{DeviceIDs: []string{in.DeviceID}})
}

// revokeManaged revokes credentials of a member on behalf of the operator v.
func (s *Server) revokeManaged(r *http.Request, v svc.Viewer, member string, revocation identity.Revocation) (out changedMember, err error) {
	id, err := parseMember(member)
	if err != nil {
		return out, err
	}
	return asOperator(s, r, v, func(tx *store.Tx, by identity.Actor) (changedMember, error) {
		m, err := s.Identity.Revoke(tx, by, id, revocation)
		return changedMember{m, memberRefresh}, err
	})
}

// resetManagedPassword creates a link with which a member chooses a new password.
func (s *Server) resetManagedPassword(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (oneTimeLink, error) {
	return asProvenOperator(s, r, v, in, func(tx *store.Tx, by identity.Actor, id svc.MemberID) (oneTimeLink, error) {
		link, err := s.Identity.AddResetLink(tx, by, id)
		return s.newLink(v, "/world/reset/"+link.Code, link.ExpiresAt), err
	})
}

// resetManagedFactor removes the second factors of a member who has lost them.
func (s *Server) resetManagedFactor(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (changedMember, error) {
	return asProvenOperator(s, r, v, in, func(tx *store.Tx, by identity.Actor, id svc.MemberID) (changedMember, error) {
		m, err := s.Identity.ResetFactor(tx, by, id)
		return changedMember{m, memberRefresh}, err
	})
}

func (s *Server) promoteManaged(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (changedMember, error) {
	return s.setOperator(r, v, in, s.Setup.Promote)
}

func (s *Server) demoteManaged(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (changedMember, error) {
	return s.setOperator(r, v, in, s.Setup.Demote)
}

// setOperator calls set, which changes the operator rights of the member in the path, for
// an operator who confirms it.
func (s *Server) setOperator(
	r *http.Request, v svc.Viewer, in confirmation, set func(context.Context, identity.Actor, identity.AdminMember) (identity.AdminMember, error),
) (out changedMember, err error) {
	m, proof, err := s.confirmFor(r, v, in)
	if err != nil {
		return out, err
	}
	var by identity.Actor
	err = s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
		by, err = s.Identity.ProvenOperator(tx, proof)
		return err
	})
	if err != nil {
		return out, err
	}
	m, err = set(r.Context(), by, m)
	return changedMember{m, memberRefresh}, err
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
func (s *Server) createInvitation(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in inviteRequest) (newInvitation, error) {
	return asOperator(s, r, v, func(tx *store.Tx, by identity.Actor) (newInvitation, error) {
		i, err := s.Identity.Invite(tx, by, in.Email)
		return newInvitation{i.Invitation, s.newLink(v, "/world/invite/"+i.Code, i.ExpiresAt)}, err
	})
}

type revokedInvitation = struct {
	Revoked bool `json:"revoked"`
}

// revokeInvitation withdraws an unused invitation.
func (s *Server) revokeInvitation(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in idRequest) (revokedInvitation, error) {
	return asOperator(s, r, v, func(tx *store.Tx, by identity.Actor) (revokedInvitation, error) {
		return revokedInvitation{Revoked: true}, s.Identity.RevokeInvitation(tx, by, in.ID)
	})
}
