package httpd

import (
	"net/http"
	"net/url"
	"strings"

	"appliance/app/authlog"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

func (s *Server) getSetup(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	code := r.URL.Query().Get("code")
	if err := s.setup.CheckCode(r.Context(), code); err != nil {
		return err
	}
	return s.render(w, http.StatusOK, "form", s.setupPage(code, url.Values{}))
}

func (s *Server) setupPage(code string, given url.Values) page {
	email := field{Name: "email", Label: "E-mail address", Note: "to sign in with; the server sends no e-mail", Type: "email", Value: given.Get("email"), Complete: "email", Required: true}
	if list := s.settings.AdminAllowedEmails; len(list) > 0 {
		email.Note = "one of: " + strings.Join(list, ", ")
	}
	name := s.settings.Title()
	return page{Title: "Set up " + name, Heading: "Who are you?", Wide: true, Script: timezoneScript,
		Lead: "You will be the first operator of " + name + ": you invite the other members and look after the backups.",
		Form: &form{
			Action: "/setup",
			Hidden: []field{{Name: "code", Value: code}},
			Fields: s.newMemberFields(email, given),
			Note:   "Everything stays on this machine. If you forget this password, only a command on the machine can reset it.",
			Button: "Create account",
		}}
}

func (s *Server) postSetup(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	code := values.Get("code")
	var session identity.Session
	err = s.setup.Redeem(r.Context(), code, registration(r, values, ""), func(tx *store.Tx, proof identity.Proof) (err error) {
		session, _, err = s.identity.Login(tx, proof, s.client(r)) // a new member has no second factor
		return err
	})
	s.signIns.Record(r, authlog.SetUpLink, session.Member.ID, err)
	if err != nil {
		return s.reshowForm(w, r, err, s.setupPage(code, values))
	}
	s.redirectSignedIn(w, r, session, url.Values{"return_to": {webAppPath}})
	return nil
}
