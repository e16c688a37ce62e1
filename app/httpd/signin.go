package httpd

import (
	"net/http"
	"net/url"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// getRoot sends people to where they start.
func (s *Server) getRoot(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	s.redirect(w, r, "/app/")
	return nil
}

// getApp is where a web runtime is to live. Until there is one, members get
// their account page.
func (s *Server) getApp(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	s.redirect(w, r, "/account")
	return nil
}

// getLogin is the login page. return_to says where to go afterwards (B-09).
func (s *Server) getLogin(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	return s.render(w, http.StatusOK, "form", s.loginPage(r.URL.Query().Get("return_to"), "", nil))
}

func (s *Server) loginPage(back, login string, err error) page {
	p := page{Title: "Sign in", Form: &form{
		Action: "/world/login",
		Hidden: []field{{Name: "return_to", Value: local(back)}},
		Fields: []field{
			{Name: "login", Label: "User name or e-mail address", Type: "text", Value: login, Complete: "username", Required: true, Bad: err != nil},
			{Name: "password", Label: "Password", Type: "password", Complete: "current-password", Required: true, Bad: err != nil},
		},
		Button: "Sign in",
	}}
	if s.settings.Registration == "open" {
		p.Form.Links = append(p.Form.Links, link{"/world/register", "Become a member"})
	}
	if err != nil {
		p.Problem = shown(err).Message
	}
	return p
}

func (s *Server) postLogin(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	session, err := s.signIn(r, values.Get("login"), values.Get("password"))
	if err != nil {
		return s.again(w, r, err, s.loginPage(values.Get("return_to"), values.Get("login"), err))
	}
	s.enter(w, r, session, values.Get("return_to"))
	return nil
}

// enter gives the browser its session and sends it on.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, session identity.Session, to string) {
	http.SetCookie(w, s.cookie(session.Token.AccessToken))
	if to = local(to); to == "" {
		to = "/world/login/done"
	}
	s.redirect(w, r, to)
}

// again shows a form once more with what was wrong, if that is for people to
// mend; other errors are an error page's.
func (s *Server) again(w http.ResponseWriter, r *http.Request, err error, p page) error {
	switch svc.KindOf(err) {
	case svc.Malformed, svc.Unprocessable, svc.Conflict, svc.TooMany:
	case svc.Anonymous, svc.Forbidden:
	default:
		return err
	}
	e := s.explain(w, r, svc.Viewer{}, err)
	w.Header().Del("WWW-Authenticate") // a browser would ask by itself
	for i, f := range p.Form.Fields {
		for _, bad := range e.Fields {
			p.Form.Fields[i].Bad = p.Form.Fields[i].Bad || bad.Name == f.Name
		}
	}
	p.Problem = capital(e.Message)
	for _, f := range e.Fields {
		if f.Message != e.Message {
			p.Problem += " " + capital(f.Message)
		}
	}
	return s.render(w, status[e.Code.Kind], "form", p)
}

// capital begins a sentence as one that begins with the name of a field does
// not.
func capital(sentence string) string {
	if sentence == "" {
		return ""
	}
	return strings.ToUpper(sentence[:1]) + strings.ReplaceAll(sentence[1:], "_", " ")
}

// getLoginDone is where a native shell's web view sees that it has the cookie.
func (s *Server) getLoginDone(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	return s.render(w, http.StatusOK, "notice", page{
		Title: "You are signed in", Body: "You can close this page and go back to your program.",
		Links: []link{{"/account", "To your account"}},
	})
}

// postLogout ends the session of a browser, and does not mind if it had ended.
func (s *Server) postLogout(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	if caller, err := s.caller(r); err == nil {
		if err := s.endSession(r, caller.Viewer, false); err != nil {
			return err
		}
	} else if svc.KindOf(err) != svc.Anonymous {
		return err
	}
	http.SetCookie(w, s.cookie(""))
	s.redirect(w, r, "/world/login")
	return nil
}

// getRegister is the page for new members: the open one, or the one behind an
// invitation.
func (s *Server) getRegister(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	p, err := s.registerPage(r, url.Values{})
	if err != nil {
		return err
	}
	return s.render(w, http.StatusOK, "form", p)
}

func (s *Server) registerPage(r *http.Request, given url.Values) (page, error) {
	code := r.PathValue("code")
	if err := s.identity.Admits(code); err != nil {
		return page{}, err
	}
	p := page{Title: "Become a member", Form: &form{Action: "/world/register", Button: "Join"}}
	email := field{Name: "email", Label: "E-mail address", Type: "email", Value: given.Get("email"), Complete: "email", Required: true}
	if code != "" {
		var invitation identity.Invitation
		err := s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
			invitation, err = s.identity.Invitation(tx, code)
			return err
		})
		if err != nil {
			return page{}, err
		}
		p.Form.Action = "/world/invite/" + url.PathEscape(code)
		p.Form.Intro = "You are invited to " + s.settings.URL().Hostname() + "."
		if invitation.Email != "" {
			email.Value, email.Note = invitation.Email, "the invitation is for this one"
		}
	}
	p.Form.Fields = append([]field{email}, newMemberFields(given)...)
	return p, nil
}

// newMemberFields are what everybody chooses who becomes a member.
func newMemberFields(given url.Values) []field {
	return []field{
		{Name: "display_name", Label: "Your name", Note: "as the others see it", Type: "text", Value: given.Get("display_name"), Complete: "name", Required: true},
		{Name: "username", Label: "User name", Note: "optional; a short one to sign in with", Type: "text", Value: given.Get("username"), Complete: "username"},
		{Name: "password", Label: "Password", Note: "at least 8 characters", Type: "password", Complete: "new-password", Required: true},
	}
}

func registration(values url.Values, code string) identity.Registration {
	return identity.Registration{
		Email: values.Get("email"), Username: values.Get("username"), DisplayName: values.Get("display_name"),
		Password: values.Get("password"), InviteCode: code,
	}
}

func (s *Server) postRegister(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	session, err := s.join(r, registration(values, r.PathValue("code")))
	if err != nil {
		p, pageErr := s.registerPage(r, values)
		if pageErr != nil {
			return pageErr
		}
		return s.again(w, r, err, p)
	}
	s.enter(w, r, session, "/account")
	return nil
}

// getReset is the page behind a link to choose a new password.
func (s *Server) getReset(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	p, err := s.resetPage(r)
	if err != nil {
		return err
	}
	return s.render(w, http.StatusOK, "form", p)
}

func (s *Server) resetPage(r *http.Request) (page, error) {
	code := r.PathValue("code")
	var m identity.Member
	err := s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		m, err = s.identity.ResetMember(tx, code)
		return err
	})
	return page{Title: "Choose a new password", Form: &form{
		Action: "/world/reset/" + url.PathEscape(code),
		Intro:  "For " + m.DisplayName + " (" + m.Username + "). You are then signed out everywhere, and devices need new passwords.",
		Fields: []field{{Name: "password", Label: "New password", Note: "at least 8 characters", Type: "password", Complete: "new-password", Required: true}},
		Button: "Save",
	}}, err
}

func (s *Server) postReset(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	p, err := s.resetPage(r)
	if err != nil {
		return err
	}
	session, err := s.reset(r, r.PathValue("code"), values.Get("password"))
	if err != nil {
		return s.again(w, r, err, p)
	}
	s.enter(w, r, session, "/account")
	return nil
}

func (s *Server) reset(r *http.Request, code, password string) (session identity.Session, err error) {
	var m identity.Member
	err = s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		m, err = s.identity.ResetMember(tx, code)
		return err
	})
	if err != nil {
		return session, err
	}
	hash, err := s.hash(r, password, m.Email)
	if err != nil {
		return session, err
	}
	err = s.db.Write(r.Context(), func(tx *store.Tx) error {
		proof, err := s.identity.ResetPassword(tx, code, hash)
		if err != nil {
			return err
		}
		session, err = s.identity.Login(tx, proof, clientLabel(r))
		return err
	})
	return session, err
}

// formValues reads the form that a page sent.
func formValues(r *http.Request) (url.Values, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, svc.Errorf(svc.MalformedBody, "The form cannot be read.").WithCause(err)
	}
	return values, nil
}
