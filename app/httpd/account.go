package httpd

import (
	"net/http"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// account is the data of the account page.
type account struct {
	CalDAV      string // URL for CalDAV clients
	Host        string
	Secure      bool
	Calendars   []calendarAddress
	Devices     []deviceRow
	Sessions    []sessionRow
	Invitations []invitationRow
	NewSecret   *newSecret
}

type calendarAddress struct{ Name, URL string }

type deviceRow struct{ ID, Name, Created, LastUsed string }

type sessionRow struct {
	ID, Label, Created, LastUsed string
	Current                      bool
}

type invitationRow struct{ ID, Email, Expires string }

// newSecret is a secret that is shown once, on the page that created it.
type newSecret struct{ Title, Text, Secret string }

func (s *Server) getAccount(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.accountPage(w, r, v, page{}, nil)
}

// accountPage renders the account page with the result of a form.
func (s *Server) accountPage(w http.ResponseWriter, r *http.Request, v svc.Viewer, p page, secret *newSecret) error {
	caller, err := s.authenticate(r)
	if err != nil {
		return err
	}
	err = s.db.Read(r.Context(), func(tx *store.Tx) error {
		me, err := s.identity.Me(tx, v)
		if err != nil {
			return err
		}
		p.Member = &me.Member
		p.Account, err = s.account(tx, v, caller, &me.Member)
		return err
	})
	if err != nil {
		return err
	}
	p.Title = "Your account"
	p.Account.NewSecret = secret
	return s.render(w, http.StatusOK, "account", p)
}

// account reads the data of the account page.
func (s *Server) account(tx *store.Tx, v svc.Viewer, caller identity.Authentication, m *identity.Member) (*account, error) {
	base := s.settings.URL()
	a := &account{CalDAV: base.String() + "/caldav/", Host: base.Host + base.Path, Secure: s.settings.Secure()}
	day := dayIn(m.Timezone)
	calendars, err := s.calendar.Calendars(tx, v)
	if err != nil {
		return nil, err
	}
	for _, c := range calendars {
		a.Calendars = append(a.Calendars, calendarAddress{c.Name, base.String() + c.CalDAVPath})
	}
	devices, err := s.identity.Devices(tx, v.Member())
	if err != nil {
		return nil, err
	}
	for _, d := range devices {
		line := deviceRow{ID: d.ID, Name: d.Label, Created: day(d.CreatedAt)}
		if d.LastUsedAt != nil {
			line.LastUsed = day(*d.LastUsedAt)
		}
		a.Devices = append(a.Devices, line)
	}
	tokens, err := s.identity.Tokens(tx, v.Member())
	if err != nil {
		return nil, err
	}
	for _, t := range tokens {
		a.Sessions = append(a.Sessions, sessionRow{t.ID, t.Label, day(t.CreatedAt), day(t.LastUsedAt), t.ID == caller.TokenID})
	}
	if !m.IsOperator {
		return a, nil
	}
	by, err := s.identity.Operator(tx, v)
	if err != nil {
		return nil, err
	}
	invitations, err := s.identity.Invitations(tx, by)
	if err != nil {
		return nil, err
	}
	for _, i := range invitations {
		if i.UsedAt == nil && tx.Now().Before(i.ExpiresAt) {
			a.Invitations = append(a.Invitations, invitationRow{i.ID, i.Email, day(i.ExpiresAt)})
		}
	}
	return a, nil
}

// dayIn returns a function that formats the date of an instant in a time zone.
func dayIn(timezone string) func(time.Time) string {
	loc := svc.StoredZone(timezone)
	return func(t time.Time) string { return t.In(loc).Format("2 January 2006") }
}

// runForm runs the action of a form on the account page and renders the page
// again. done is the message after success.
func (s *Server) runForm(w http.ResponseWriter, r *http.Request, v svc.Viewer, done string, do func() error) error {
	p, err := s.formResult(w, r, v, done, do())
	if err != nil {
		return err
	}
	return s.accountPage(w, r, v, p, nil)
}

// formResult returns a page with the result of a form: an error that the member
// can correct, or done. Other errors are returned.
func (s *Server) formResult(w http.ResponseWriter, r *http.Request, v svc.Viewer, done string, err error) (page, error) {
	switch svc.KindOf(err) {
	case svc.Malformed, svc.Unprocessable, svc.Conflict, svc.TooMany, svc.TooLarge:
		return page{Problem: sentenceCase(s.report(w, r, v, err).Message)}, nil
	}
	if err != nil && svc.KindOf(err) != svc.Missing { // deleting a deleted object succeeds
		return page{}, err
	}
	return page{Done: done}, nil
}

func (s *Server) postProfile(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	name, zone := values.Get("display_name"), values.Get("timezone")
	return s.runForm(w, r, v, "Saved.", func() error {
		return s.db.Write(r.Context(), func(tx *store.Tx) error {
			_, err := s.identity.UpdateProfile(tx, v, identity.ProfileChanges{DisplayName: &name, Timezone: &zone})
			return err
		})
	})
}

func (s *Server) postPassword(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	return s.runForm(w, r, v, "Your password is changed. All other sessions are signed out.", func() error {
		return s.setOwnPassword(r, v, values.Get("current_password"), values.Get("new_password"))
	})
}

func (s *Server) postDevice(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	var d identity.NewDevice
	err = s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
		d, err = s.identity.AddDevice(tx, v, values.Get("name"))
		return err
	})
	if err != nil {
		return s.runForm(w, r, v, "", func() error { return err })
	}
	return s.accountPage(w, r, v, page{}, &newSecret{
		Title: "Password for " + d.Label, Text: "Enter it in the calendar app on the device. Capitals and hyphens do not matter.", Secret: d.Password,
	})
}

func (s *Server) postDeviceDelete(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.runForm(w, r, v, "The device password is removed.", func() error {
		return s.db.Write(r.Context(), func(tx *store.Tx) error { return s.identity.RevokeDevice(tx, v, r.PathValue("id")) })
	})
}

func (s *Server) postSessionDelete(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.runForm(w, r, v, "The session is ended.", func() error {
		return s.db.Write(r.Context(), func(tx *store.Tx) error { return s.identity.RevokeToken(tx, v, r.PathValue("id")) })
	})
}

func (s *Server) postSessionsDelete(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	if err := s.endSession(r, v, true); err != nil {
		return err
	}
	http.SetCookie(w, s.cookie(""))
	s.redirect(w, r, "/world/login")
	return nil
}

func (s *Server) postInvitation(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	var i identity.NewInvitation
	err = s.db.Write(r.Context(), func(tx *store.Tx) error {
		by, err := s.identity.Operator(tx, v)
		if err != nil {
			return err
		}
		i, err = s.identity.Invite(tx, by, values.Get("email"))
		return err
	})
	if err != nil {
		return s.runForm(w, r, v, "", func() error { return err })
	}
	return s.accountPage(w, r, v, page{}, &newSecret{
		Title: "Invitation link", Text: "Send this link to the person you invite. It works once, within seven days.", Secret: s.settings.Link("/world/invite/" + i.Code),
	})
}

func (s *Server) postInvitationDelete(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.runForm(w, r, v, "The invitation is canceled.", func() error {
		return s.db.Write(r.Context(), func(tx *store.Tx) error {
			by, err := s.identity.Operator(tx, v)
			if err != nil {
				return err
			}
			return s.identity.RevokeInvitation(tx, by, r.PathValue("id"))
		})
	})
}
