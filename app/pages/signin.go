package pages

import (
	"net/http"
	"net/url"
	"slices"

	"appliance/app/account"
	"appliance/app/authlog"
	"appliance/app/httpd"
	"appliance/assets"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/words"
)

// signInPath is the path of the sign-in page that redirects to the web app.
const signInPath = "/world/login?return_to=" + httpd.WebAppPath

// redirectHome redirects a browser with a session to the web app, and a browser without a
// session to the sign-in page, which then redirects to the web app.
func (s *Server) redirectHome(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	to := httpd.WebAppPath
	if account.HasNoCredentials(r) {
		to = signInPath + httpd.ContinuesHere(r)
	}
	s.Redirect(w, r, to)
	return nil
}

// signedOutParameter is the parameter of the sign-in page after a sign-out.
const signedOutParameter = "signed_out"

// getLogin shows the sign-in page. The parameter return_to is the path after sign-in. After a
// sign-out, the page removes the data that the browser has stored.
func (s *Server) getLogin(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	if empty, err := s.isEmpty(r.Context()); err != nil {
		return err
	} else if empty && s.Settings.Registration != "open" { // there is no account
		return s.render(w, http.StatusOK, "notice", notSetUpPage(s.pageLanguage(r, v)))
	}
	query := r.URL.Query()
	p := s.loginPage(s.pageLanguage(r, v), url.Values{"return_to": query["return_to"]}, nil)
	if query.Has(signedOutParameter) {
		p.Script = SignedOutScript
	}
	return s.renderForm(w, r, http.StatusOK, p)
}

// redirectSignedOut ends a sign-out on a page.
func (s *Server) redirectSignedOut(w http.ResponseWriter, r *http.Request) {
	s.Forget(w)
	s.Redirect(w, r, signInPath+"&"+signedOutParameter+"=1")
}

// loginPage returns the sign-in page. given are the values of a rejected form, err its error.
func (s *Server) loginPage(l words.Language, given url.Values, err error) page {
	login := given.Get("login")
	p := page{Language: l, Title: l.Text("Sign in"), Heading: s.Settings.Title(), Lead: l.Text("Sign in"), Form: &form{
		Action: "/world/login", AsksToStay: true, EndsWithBrowser: endsWithBrowser(given),
		Hidden: []field{{Name: "return_to", Value: localPath(given.Get("return_to"))}},
		Fields: []field{
			{Name: "login", Label: l.Text("User name or e-mail address"), Type: "text", Value: login, Complete: "username", Required: true, Bad: err != nil},
			{Name: "password", Label: l.Text("Password"), Type: "password", Complete: "current-password", Required: true, Bad: err != nil},
		},
		Button: l.Text("Sign in"),
		Foot:   []string{l.Text("Forgotten your password? An operator of this server can give you a link to choose a new one.")},
	}}
	if s.Settings.Registration != "open" {
		p.Form.Foot = append(p.Form.Foot, l.Text("Invited? Open the link that you were sent."))
	} else {
		p.Form.Links = append(p.Form.Links, link{"/world/register", l.Text("Become a member")})
	}
	return p
}

func (s *Server) postLogin(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	session, err := s.Accounts.SignIn(r, values.Get("login"), values.Get("password"))
	if c := challengeOf(err); c != nil {
		return s.render(w, http.StatusOK, "challenge", challengePage(s.pageLanguage(r, v), c, values, nil))
	}
	if err != nil {
		return s.reshowForm(w, r, err, s.loginPage(s.pageLanguage(r, v), values, err))
	}
	s.redirectSignedIn(w, r, session, values)
	return nil
}

// endsWithBrowser reports whether the form of a sign-in asks for a session that ends with
// the browser: its box was emptied. A form without a box does not ask for it.
func endsWithBrowser(given url.Values) bool {
	stay := given["stay"]
	return len(stay) > 0 && stay[len(stay)-1] == "no"
}

// redirectSignedIn sets the cookies of a session and redirects to the path return_to of the form.
func (s *Server) redirectSignedIn(w http.ResponseWriter, r *http.Request, session identity.Session, given url.Values) {
	s.SetCookies(w, session, endsWithBrowser(given))
	to := localPath(given.Get("return_to"))
	if to == "" {
		to = "/world/login/done"
	}
	if session.SecondFactor == identity.EnrollmentRequired {
		to = httpd.AccountPath
	}
	s.Redirect(w, r, to)
}

// reshowForm renders a form again with an error that the person can correct. It
// returns other errors.
func (s *Server) reshowForm(w http.ResponseWriter, r *http.Request, err error, p page) error {
	switch svc.KindOf(err) {
	case svc.Malformed, svc.Unprocessable, svc.Conflict, svc.TooMany:
	case svc.Anonymous, svc.Forbidden:
	default:
		return err
	}
	e := s.Report(w, r, svc.Viewer{}, err).In(p.Language)
	w.Header().Del("WWW-Authenticate") // browsers would show their own dialog
	for i, f := range p.Form.Fields {
		for _, fieldError := range e.Fields {
			p.Form.Fields[i].Bad = p.Form.Fields[i].Bad || fieldError.Name == f.Name
		}
	}
	p.Problem = e.Message
	for _, f := range e.Fields {
		if f.Message != e.Message {
			p.Problem += " " + f.Message
		}
	}
	return s.renderForm(w, r, httpd.Status(e), p)
}

// renderForm writes a page with one form. The first rejected field has the focus, or else
// the first empty one.
func (s *Server) renderForm(w http.ResponseWriter, r *http.Request, status int, p page) error {
	i := slices.IndexFunc(p.Form.Fields, func(f field) bool { return f.Bad })
	if i < 0 {
		i = slices.IndexFunc(p.Form.Fields, func(f field) bool { return f.Value == "" && f.Timezones == nil })
	}
	if i >= 0 {
		p.Form.Fields[i].Focus = true
	}
	if s.LacksHTTPS(r) {
		p.Secure = s.Settings.URL().String()
	}
	return s.render(w, status, "form", p)
}

// getLoginDone serves the last page of a sign-in without return_to. A native app closes its
// web view when it reaches the URL of this page, because the session cookie is then set. A
// browser continues to the web app.
func (s *Server) getLoginDone(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	l := s.pageLanguage(r, v)
	w.Header().Set("Refresh", "0; url="+s.Settings.URL().Path+httpd.WebAppPath)
	return s.render(w, http.StatusOK, "notice", page{
		Language: l, Title: l.Text("You are signed in"), Body: l.Text("The app opens in a moment."),
		Links: []link{{httpd.WebAppPath, l.Text("Open the app")}, {httpd.AccountPath, l.Text("Your account")}},
	})
}

// postLogout ends the session of a browser. It also succeeds without a session.
func (s *Server) postLogout(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	if caller, err := s.Accounts.Authenticate(r); err == nil {
		if err := s.Accounts.EndSession(r, caller.Viewer, false); err != nil {
			return err
		}
	} else if svc.KindOf(err) != svc.Anonymous {
		return err
	}
	s.redirectSignedOut(w, r)
	return nil
}

// getRegister shows the registration page, also for an invitation link.
func (s *Server) getRegister(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	p, err := s.registerPage(r, s.pageLanguage(r, v), url.Values{})
	if err != nil {
		return err
	}
	return s.renderForm(w, r, http.StatusOK, p)
}

func (s *Server) registerPage(r *http.Request, l words.Language, given url.Values) (page, error) {
	code := r.PathValue("code")
	if err := s.Identity.CheckPolicy(code); err != nil {
		return page{}, err
	}
	p := page{Language: l, Title: l.Text("Become a member"), Wide: true, Script: TimezoneScript, Form: &form{
		Action: "/world/register", Button: l.Text("Create account"), Foot: []string{l.Text("Already a member?")}, Links: []link{{signInPath, l.Text("Sign in")}},
	}}
	email := field{Name: "email", Label: l.Text("E-mail address"), Type: "email", Value: given.Get("email"), Complete: "email", Required: true}
	if code != "" {
		var invitation identity.Invitation
		var inviter string
		err := s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
			if invitation, err = s.Identity.Invitation(tx, code); err == nil {
				inviter, err = s.Identity.Inviter(tx, invitation)
			}
			return err
		})
		if err != nil {
			return page{}, err
		}
		p.Form.Action = "/world/invite/" + url.PathEscape(code)
		p.Lead = l.Textf("You are invited to %s.", s.Settings.Title())
		if inviter != "" {
			p.Lead = l.Textf("%[1]s invites you to %[2]s.", inviter, s.Settings.Title())
		}
		if invitation.Email != "" {
			email.Value, email.Note = invitation.Email, l.Text("the invitation is for this address")
		}
	}
	p.Form.Fields = s.newMemberFields(l, email, given)
	return p, nil
}

// newMemberFields returns the form fields of a new member.
func (s *Server) newMemberFields(l words.Language, email field, given url.Values) []field {
	return []field{
		{Name: "display_name", Label: l.Text("Display name"), Type: "text", Value: given.Get("display_name"), Complete: "name", Required: true, Half: true},
		{Name: "username", Label: l.Text("User name"), Note: l.Text("optional"), Type: "text", Value: given.Get("username"), Complete: "username", Half: true},
		email,
		{Name: "password", Label: l.Text("Password"), Note: l.Text("at least 8 characters"), Type: "password", Complete: "new-password", Required: true},
		timezoneField(l, given.Get("timezone")),
	}
}

// timezoneField returns the form field of a time zone. If value is "", a script selects the
// time zone of the browser. Without scripts the field stays empty, and the web app of the
// member reports the time zone later.
func timezoneField(l words.Language, value string) field {
	return field{Name: "timezone", Label: l.Text("Time zone"), Value: value, Timezones: assets.Timezones()}
}

// registration returns the request of a form. The member gets the language of the browser.
func registration(r *http.Request, values url.Values, code string) identity.Registration {
	return identity.Registration{
		Email: values.Get("email"), Username: values.Get("username"), DisplayName: values.Get("display_name"),
		Password: values.Get("password"), Timezone: values.Get("timezone"), InviteCode: code,
		Locale: words.AcceptedLocale(r.Header.Get("Accept-Language")),
	}
}

func (s *Server) postRegister(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	session, err := s.Accounts.Register(r, registration(r, values, r.PathValue("code")))
	if err != nil {
		p, pageErr := s.registerPage(r, s.pageLanguage(r, v), values)
		if pageErr != nil {
			return pageErr
		}
		return s.reshowForm(w, r, err, p)
	}
	s.redirectSignedIn(w, r, session, url.Values{"return_to": {httpd.WebAppPath}})
	return nil
}

// getReset shows the page of a reset link.
func (s *Server) getReset(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	p, err := s.resetPage(r, s.pageLanguage(r, v))
	if err != nil {
		return err
	}
	return s.renderForm(w, r, http.StatusOK, p)
}

func (s *Server) resetPage(r *http.Request, l words.Language) (page, error) {
	code := r.PathValue("code")
	var m identity.Member
	err := s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
		m, err = s.Identity.ResetMember(tx, code)
		return err
	})
	s.SignIns.RecordFailure(r, authlog.ResetLink, 0, err)
	return page{Language: l, Title: l.Text("Choose a new password"), Lead: l.Textf("For %s (%s)", m.DisplayName, m.Username), Form: &form{
		Action: "/world/reset/" + url.PathEscape(code),
		Note:   l.Text("All sessions are signed out, and devices need new passwords."),
		Fields: []field{{Name: "password", Label: l.Text("New password"), Note: l.Text("at least 8 characters"), Type: "password", Complete: "new-password", Required: true}},
		Button: l.Text("Save"),
	}}, err
}

func (s *Server) postReset(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	p, err := s.resetPage(r, s.pageLanguage(r, v))
	if err != nil {
		return err
	}
	session, err := s.Accounts.Reset(r, r.PathValue("code"), values.Get("password"))
	back := url.Values{"return_to": {httpd.WebAppPath}}
	if c := challengeOf(err); c != nil {
		return s.render(w, http.StatusOK, "challenge", challengePage(p.Language, c, back, nil))
	}
	if err != nil {
		return s.reshowForm(w, r, err, p)
	}
	s.redirectSignedIn(w, r, session, back)
	return nil
}

// formValues reads the form of a page.
func formValues(r *http.Request) (url.Values, error) {
	body, err := httpd.ReadBody(r)
	if err != nil {
		return nil, err
	}
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, svc.Errorf(svc.MalformedBody, "The form cannot be read.").WithCause(err)
	}
	return values, nil
}
