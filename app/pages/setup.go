package pages

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"appliance/app/authlog"
	"appliance/app/config"
	"appliance/app/health"
	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/words"
)

// isEmpty reports whether the server has never had a member.
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
	l := s.pageLanguage(r, v)
	if r.URL.Query().Has(setupAsMember) {
		return s.renderForm(w, r, http.StatusOK, s.setupMemberPage(l, code, ""))
	}
	return s.renderForm(w, r, http.StatusOK, s.setupPage(r, l, code, url.Values{}))
}

// setupAsMember is the parameter of the set-up page for a person who has an account already, for
// example on a server that was restored from a backup.
const setupAsMember = "member"

// setupMemberPage returns the page on which a member becomes the first operator. login is what
// the member has entered.
func (s *Server) setupMemberPage(l words.Language, code, login string) page {
	return page{Language: l, Title: s.setupTitle(l), Heading: l.Text("Become the operator"),
		Lead: l.Text("You have an account on this server. Enter its password: the account then becomes that of the operator, who invites the other members and looks after the backups."),
		Form: &form{
			Action: "/setup",
			Hidden: []field{{Name: "code", Value: code}, {Name: setupAsMember, Value: "1"}},
			Fields: []field{
				{Name: "login", Label: l.Text("User name or e-mail address"), Type: "text", Value: login, Complete: "username", Required: true},
				{Name: "password", Label: l.Text("Password"), Type: "password", Complete: "current-password", Required: true},
			},
			Note:   l.Text("If you have forgotten the password, run appliance admin members promote on the machine of the server, and then reset-password."),
			Button: l.Text("Become the operator"),
			Links:  []link{{"/setup?code=" + url.QueryEscape(code), l.Text("Create another account instead")}},
		}}
}

// setupTitle returns the title of the set-up page. The server may have no name yet.
func (s *Server) setupTitle(l words.Language) string {
	if s.Settings.ServerName == "" {
		return l.Text("Set up this server")
	}
	return l.Textf("Set up %s", s.Settings.ServerName)
}

func (s *Server) setupPage(r *http.Request, l words.Language, code string, given url.Values) page {
	email := field{Name: "email", Label: l.Text("E-mail address"), Note: l.Text("to sign in with; the server sends no e-mail"), Type: "email", Value: given.Get("email"), Complete: "email", Required: true}
	if list := s.Settings.AdminAllowedEmails; len(list) > 0 {
		email.Note = l.Textf("one of: %s", strings.Join(list, ", "))
	}
	return page{Language: l, Title: s.setupTitle(l), Heading: l.Text("Who are you?"), Wide: true, Script: TimezoneScript,
		Lead: l.Text("You will be the first operator of this server: you invite the other members and look after the backups."),
		Form: &form{
			Action: "/setup",
			Hidden: []field{{Name: "code", Value: code}},
			Fields: append(s.newMemberFields(l, email, given), s.serverFields(r, l, given)...),
			Note:   l.Text("Everything stays on this machine. If you forget this password, only a command on the machine can reset it."),
			Button: l.Text("Create account"),
			Links:  []link{{"/setup?" + setupAsMember + "=1&code=" + url.QueryEscape(code), l.Text("I have an account on this server")}},
		}}
}

// serverFields returns the form fields of the name and the address of the server. A setting that
// has a value already is shown, but cannot be changed here. The suggested address is that which
// the browser has used.
func (s *Server) serverFields(r *http.Request, l words.Language, given url.Values) []field {
	name := field{Name: "server_name", Label: l.Text("Name of the server"), Note: l.Text("such as that of your house; members see it"), Type: "text", Value: given.Get("server_name"), Required: true}
	address := field{Name: "base_url", Label: l.Text("Address of the server"), Note: l.Text("at which members reach it; links contain it"), Type: "url", Required: true,
		Value: cmp.Or(given.Get("base_url"), httpd.OpenedAddress(r)),
		Hint:  l.Text("With https://, sign-ins are protected, and passkeys, shared links and iPhone calendars work. With http://, use the server only at home. HTTPS and its certificate can be set up later."),
	}
	s.showFixed(l, &name, "server-name", s.Settings.ServerName)
	s.showFixed(l, &address, "base-url", s.Settings.URL().String())
	return []field{name, address}
}

// showFixed makes a field read-only with the value of a setting, if the settings file, a variable
// or a flag sets it.
func (s *Server) showFixed(l words.Language, f *field, setting, value string) {
	kind, name, _ := strings.Cut(s.Settings.Source(setting), " ")
	switch kind {
	case "file":
		f.Note = l.Textf("set in the file %s", filepath.Base(name))
	case "environment":
		f.Note = l.Textf("set by the variable %s", name)
	case "flag":
		f.Note = l.Textf("set by the flag %s", name)
	default:
		return
	}
	f.Value, f.Fixed = value, true
}

// profileOf returns the profile of a form, without the values that the form cannot change.
func (s *Server) profileOf(values url.Values) (p config.Profile) {
	if s.Settings.Source("server-name") == "" {
		p.ServerName = values.Get("server_name")
	}
	if s.Settings.Source("base-url") == "" {
		p.BaseURL = values.Get("base_url")
	}
	return p
}

func (s *Server) postSetup(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	code, l := values.Get("code"), s.pageLanguage(r, v)
	if values.Has(setupAsMember) {
		return s.postSetupAsMember(w, r, v, values)
	}
	if err := s.Setup.CheckCode(r.Context(), code); err != nil {
		return err
	}
	profile, err := s.Settings.CheckProfile(s.profileOf(values))
	var session identity.Session
	if err == nil {
		err = s.Setup.Redeem(r.Context(), code, registration(r, values, ""), func(tx *store.Tx, proof identity.Proof) (err error) {
			session, _, err = s.Identity.Login(tx, proof, s.Accounts.Client(r)) // a new member has no second factor
			return err
		})
		s.SignIns.Record(r, authlog.SetUpLink, session.Member.ID, err)
	}
	if isEmailInUse(err) {
		return s.renderForm(w, r, http.StatusConflict, s.setupMemberPage(l, code, values.Get("email")))
	}
	if err != nil {
		return s.reshowForm(w, r, err, s.setupPage(r, l, code, values))
	}
	return s.finishSetup(w, r, l, session, profile)
}

// finishSetup signs the first operator in and stores the profile of the server. The account
// exists already: if the profile is not stored, or needs a restart, a page says what to do.
func (s *Server) finishSetup(w http.ResponseWriter, r *http.Request, l words.Language, session identity.Session, profile config.Profile) error {
	p := page{Language: l, Title: l.Text("You are signed in"), Links: []link{{httpd.WebAppPath, l.Text("Open the app")}}}
	restart, err := s.Settings.StoreProfile(profile)
	switch {
	case err != nil:
		s.Log.Error("the name and the address of the server were not stored", "err", err)
		p.Body = l.Textf("The name and the address of the server were not stored. Add the settings server-name and base-url to the file %s and restart the server.", s.Settings.File())
	case restart:
		s.Log.Warn("restart the server to apply its address", "base-url", profile.BaseURL)
		p.Body = l.Textf("The address %s is stored. Restart the server to use it for sign-ins, links and calendars.", profile.BaseURL)
		if base, err := url.Parse(profile.BaseURL); err == nil {
			p.Body = strings.TrimSpace(p.Body + " " + health.Text(health.Reach(s.Settings, base, s.IsProxied()), l))
		}
	default:
		s.redirectSignedIn(w, r, session, url.Values{"return_to": {httpd.WebAppPath}})
		return nil
	}
	s.SetCookies(w, session, false)
	return s.render(w, http.StatusOK, "notice", p)
}

// postSetupAsMember makes the member with the password the first operator, and signs them in.
func (s *Server) postSetupAsMember(w http.ResponseWriter, r *http.Request, v svc.Viewer, values url.Values) error {
	code, login := values.Get("code"), values.Get("login")
	var session identity.Session
	var challenge *svc.Challenge
	prove := func() (identity.Proof, error) { return s.Accounts.VerifyPassword(r, login, values.Get("password")) }
	err := s.Setup.RedeemAsMember(r.Context(), code, prove, func(tx *store.Tx, proof identity.Proof) (err error) {
		session, challenge, err = s.Identity.Login(tx, proof, s.Accounts.Client(r))
		return err
	})
	l := s.pageLanguage(r, v)
	if err != nil {
		s.SignIns.Record(r, authlog.SetUpLink, 0, err)
		return s.reshowForm(w, r, err, s.setupMemberPage(l, code, login))
	}
	home := url.Values{"return_to": {httpd.WebAppPath}}
	if challenge != nil {
		return s.render(w, http.StatusOK, "challenge", challengePage(l, challenge, home, nil))
	}
	s.SignIns.Record(r, authlog.SetUpLink, session.Member.ID, nil)
	s.redirectSignedIn(w, r, session, home)
	return nil
}

// isEmailInUse reports whether a form was rejected because a member has the e-mail address.
func isEmailInUse(err error) bool {
	e, ok := errors.AsType[*svc.Error](err)
	return ok && e.Code == svc.AlreadyExists && slices.ContainsFunc(e.Fields, func(f svc.Field) bool {
		return f.Name == "email" && f.Code == svc.AlreadyExists.Name
	})
}
