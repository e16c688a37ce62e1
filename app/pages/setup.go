package pages

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"appliance/app/authlog"
	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/words"
)

// isEmpty reports whether the server has no members.
func (s *Server) isEmpty(ctx context.Context) (empty bool, err error) {
	err = s.DB.Lookup(ctx, func(tx *store.Tx) error {
		has, err := s.Identity.HasMembers(tx)
		empty = !has
		return err
	})
	return empty, err
}

// notSetUpPage returns the page in place of the sign-in page while the server has no members.
// It says where the set-up link is; only a user of the machine can read it there.
func notSetUpPage(l words.Language) page {
	return page{Language: l, Title: l.Text("This server is not set up yet"),
		Body: l.Text("The first operator opens the set-up link, which works for one hour. “appliance serve” prints it at the start, or its log names the file that contains it. " +
			"For a new link, run this command on the machine of the server, with the same data directory:"),
		Command: "appliance setup --link",
		Links:   []link{{"/", l.Text("Try again")}},
	}
}

func (s *Server) getSetup(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	code := r.URL.Query().Get("code")
	if err := s.Setup.CheckCode(r.Context(), code); err != nil {
		return err
	}
	return s.renderForm(w, r, http.StatusOK, s.setupPage(s.pageLanguage(r, v), code, url.Values{}))
}

func (s *Server) setupPage(l words.Language, code string, given url.Values) page {
	email := field{Name: "email", Label: l.Text("E-mail address"), Note: l.Text("to sign in with; the server sends no e-mail"), Type: "email", Value: given.Get("email"), Complete: "email", Required: true}
	if list := s.Settings.AdminAllowedEmails; len(list) > 0 {
		email.Note = l.Textf("one of: %s", strings.Join(list, ", "))
	}
	name := s.Settings.Title()
	return page{Language: l, Title: l.Textf("Set up %s", name), Heading: l.Text("Who are you?"), Wide: true, Script: TimezoneScript,
		Lead: l.Textf("You will be the first operator of %s: you invite the other members and look after the backups.", name),
		Form: &form{
			Action: "/setup",
			Hidden: []field{{Name: "code", Value: code}},
			Fields: s.newMemberFields(l, email, given),
			Note:   l.Text("Everything stays on this machine. If you forget this password, only a command on the machine can reset it."),
			Button: l.Text("Create account"),
		}}
}

func (s *Server) postSetup(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	code := values.Get("code")
	var session identity.Session
	err = s.Setup.Redeem(r.Context(), code, registration(r, values, ""), func(tx *store.Tx, proof identity.Proof) (err error) {
		session, _, err = s.Identity.Login(tx, proof, s.Accounts.Client(r)) // a new member has no second factor
		return err
	})
	s.SignIns.Record(r, authlog.SetUpLink, session.Member.ID, err)
	if err != nil {
		return s.reshowForm(w, r, err, s.setupPage(s.pageLanguage(r, v), code, values))
	}
	s.redirectSignedIn(w, r, session, url.Values{"return_to": {httpd.WebAppPath}})
	return nil
}
