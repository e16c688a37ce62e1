package api

import (
	"net/http"

	"appliance/app/account"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/world/action"
)

// meOperations declares the operations on the account of the member.
func (s *Server) meOperations() []declaration {
	return []declaration{
		operation[struct{}, identity.Me]{
			Request: "GET /identity/me",
			Do:      s.readMe,
		},
		operation[struct{}, identity.Me]{
			Request: "GET /world/identity/me",
			Summary: "Read the account of the member",
			Do:      s.readMe,
		},
		operation[myChanges, identity.Me]{
			Action:  action.Accounts.Endpoint("update").With(action.Appearances.Endpoint("appearance")),
			Summary: "Change the account of the member", Errors: confirmationErrors,
			Handle: s.updateMe,
		},
		operation[identity.ZoneReport, identity.ZoneReply]{
			Action:  action.Accounts.Endpoint("report_timezone"),
			Summary: "Report the time zone of a browser of the member",
			Do:      s.reportZone,
		},
		operation[passwordRequest, passwordResponse]{
			Action:  action.Accounts.Endpoint("change_password"),
			Summary: "Change the password",
			Handle:  s.changePassword,
		},
		operation[struct{}, map[string]any]{
			Action:  action.Accounts.Endpoint("open_export"),
			Summary: "Read everything that is stored about the member", Errors: []int{http.StatusUnprocessableEntity},
			Serve: s.getExport,
		},
	}
}

func (s *Server) readMe(tx *store.Tx, v svc.Viewer, _ struct{}) (identity.Me, error) {
	return s.Identity.Me(tx, v)
}

// reportZone handles the time zone of a browser.
func (s *Server) reportZone(tx *store.Tx, v svc.Viewer, in identity.ZoneReport) (identity.ZoneReply, error) {
	return s.Identity.ReportZone(tx, v, in)
}

// myChanges are changes to the member's own account. A change of the e-mail
// address or the user name needs a confirmation.
type myChanges struct {
	identity.ProfileChanges
	identity.SignInDetailsChanges
	confirmation
}

// updateMe changes the account of v.
func (s *Server) updateMe(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in myChanges) (me identity.Me, err error) {
	if err := s.changeMe(r, v, in); err != nil {
		return me, err
	}
	err = s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
		me, err = s.Identity.Me(tx, v)
		return err
	})
	return me, err
}

// changeMe applies all changes to the account of v, or none.
func (s *Server) changeMe(r *http.Request, v svc.Viewer, in myChanges) error {
	var proof identity.Proof
	changesLogin := in.Email != nil || in.Username != nil
	if changesLogin {
		var err error
		if proof, err = s.prepareLoginChange(r, v, in); err != nil {
			return err
		}
	}
	return s.DB.Write(r.Context(), func(tx *store.Tx) error {
		if changesLogin {
			if err := s.Identity.ChangeSignInDetails(tx, proof, in.SignInDetailsChanges); err != nil {
				return err
			}
		}
		_, err := s.Identity.UpdateProfile(tx, v, in.ProfileChanges)
		return err
	})
}

// prepareLoginChange verifies the confirmation of a change of the e-mail address or the
// user name.
func (s *Server) prepareLoginChange(r *http.Request, v svc.Viewer, in myChanges) (proof identity.Proof, err error) {
	err = s.DB.Read(r.Context(), func(tx *store.Tx) error {
		return s.Identity.CheckSignInDetails(tx, v, in.SignInDetailsChanges)
	})
	if err != nil {
		return proof, err
	}
	return s.Accounts.Confirm(r, v, account.Confirmation(in.confirmation))
}

// passwordRequest is a new password.
type passwordRequest struct {
	Current string `json:"current_password"`
	New     string `json:"new_password"`
}

type passwordResponse = struct {
	Changed bool `json:"changed"`
}

// changePassword changes the member's own password. All other sessions end.
func (s *Server) changePassword(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in passwordRequest) (passwordResponse, error) {
	return passwordResponse{Changed: true}, s.Accounts.SetPassword(r, v, in.Current, in.New)
}
