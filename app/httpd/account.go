package httpd

import (
	"cmp"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"appliance/assets"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/storage"
	"appliance/svc/words"
)

// accountView is the data of the account page.
type accountView struct {
	CalDAV      string // URL for CalDAV clients
	Steps       caldavSteps
	Secure      bool
	Calendars   []calendarAddress
	Devices     []deviceRow
	Sessions    []sessionRow
	Invitations []invitationRow
	Timezone    field
	NewSecret   *newSecret
	NewLink     *deviceLinkView
	Factor      bool // the member has a second factor

	StorageUsed string // such as "12.3 MB", or "12.3 MB of 100 MB" with a limit
	StorageFull bool

	PasswordRejected bool // by CalDAV, which accepts device passwords only
}

type calendarAddress struct{ Name, URL string }

type deviceRow struct{ ID, Name, Created, LastUsed string }

type sessionRow struct {
	ID, Label, Created, LastUsed, Method, Address string

	Current bool
}

type invitationRow struct{ ID, Email, Expires string }

// newSecret is a secret that is shown once, on the page that created it.
type newSecret struct{ Title, Text, Secret string }

// newSecrets are the secrets that a form on the account page has created.
type newSecrets struct {
	secret *newSecret
	link   *deviceLinkView
}

func (s *Server) getAccount(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.accountPage(w, r, v, page{}, newSecrets{})
}

// accountPage renders the account page with the result of a form.
func (s *Server) accountPage(w http.ResponseWriter, r *http.Request, v svc.Viewer, p page, created newSecrets) error {
	caller, err := s.accounts.Authenticate(r)
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
	l := v.Language()
	p.Language, p.Title, p.HasTheme, p.Script = l, l.Text("Your account"), true, timezoneScript
	p.Account.Timezone = timezoneField(l, p.Member.Timezone, cmp.Or(p.Given.Get("timezone"), p.Member.Timezone))
	p.Account.NewSecret, p.Account.NewLink = created.secret, created.link
	return s.render(w, http.StatusOK, "account", p)
}

// account reads the data of the account page.
func (s *Server) account(tx *store.Tx, v svc.Viewer, caller identity.Authentication, m *identity.Member) (*accountView, error) {
	base := s.settings.URL()
	steps := s.caldavSteps()
	a := &accountView{CalDAV: steps.CalDAV, Steps: steps, Secure: s.settings.UsesHTTPS()}
	day := dateFormatter(v.Language(), m.Timezone)
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
	formatTime := timeFormatter(v.Language(), m.Timezone)
	for _, t := range tokens {
		a.Sessions = append(a.Sessions, sessionRow{
			ID: t.ID, Label: t.Label, Created: formatTime(t.CreatedAt), LastUsed: formatTime(t.LastUsedAt),
			Method: identity.DescribeMethod(v.Language(), t.Method), Address: t.Address, Current: t.ID == caller.TokenID,
		})
	}
	factor, err := s.identity.SecondFactor(tx, v)
	if err != nil {
		return nil, err
	}
	a.Factor, a.PasswordRejected = factor.Enabled, factor.Enabled || factor.Required
	usage, err := s.storage.Usage(tx, v.Member())
	if err != nil {
		return nil, err
	}
	l := v.Language()
	a.StorageUsed = storage.FormatSize(l, usage.Used)
	if usage.Limit > 0 {
		a.StorageUsed = l.Textf("%s of %s", a.StorageUsed, storage.FormatSize(l, usage.Limit))
		a.StorageFull = usage.Used >= usage.Limit
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

// timezoneField returns the form field of a time zone. If value is "", the browser
// selects its own time zone, or first if it runs no scripts.
func timezoneField(l words.Language, first, value string) field {
	list := slices.DeleteFunc(slices.Clone(timezones()), func(name string) bool { return name == first })
	return field{Name: "timezone", Label: l.Text("Time zone"), Value: value, Timezones: append([]string{first}, list...)}
}

// timezones returns the IANA names of the time zones that forms offer. Callers must not
// change the list.
var timezones = sync.OnceValue(func() []string {
	text, err := fs.ReadFile(assets.Files, "timezones.txt")
	if err != nil {
		panic(err) // the file is embedded
	}
	return strings.Fields(string(text))
})

// dateFormatter returns a function that formats the date of an instant in a time zone.
func dateFormatter(l words.Language, timezone string) func(time.Time) string {
	loc := svc.StoredZone(timezone)
	return func(t time.Time) string { return l.Date(t.In(loc), "2 January 2006") }
}

// timeFormatter returns a function that formats the date and the time of day of
// an instant in a time zone. The last use of a session is accurate to an hour.
func timeFormatter(l words.Language, timezone string) func(time.Time) string {
	loc := svc.StoredZone(timezone)
	return func(t time.Time) string { return l.Date(t.In(loc), "2 January 2006, 15:04") }
}

// runForm runs the action of a form on the account page and renders the page
// again. done is the message after success.
func (s *Server) runForm(w http.ResponseWriter, r *http.Request, v svc.Viewer, done string, do func() error) error {
	return s.runFilledForm(w, r, v, nil, done, do)
}

// runFilledForm is [Server.runForm] for a form whose values the member can correct
// after a mistake.
func (s *Server) runFilledForm(w http.ResponseWriter, r *http.Request, v svc.Viewer, given url.Values, done string, do func() error) error {
	p, err := s.formResult(w, r, v, done, do())
	if err != nil {
		return err
	}
	if p.Problem != "" {
		p.Given = given
	}
	return s.accountPage(w, r, v, p, newSecrets{})
}

// formResult returns a page with the result of a form: an error that the member
// can correct, or done. Other errors are returned.
func (s *Server) formResult(w http.ResponseWriter, r *http.Request, v svc.Viewer, done string, err error) (page, error) {
	switch svc.KindOf(err) {
	case svc.Malformed, svc.Unprocessable, svc.Conflict, svc.TooMany, svc.TooLarge, svc.OverQuota:
		return page{Problem: s.Report(w, r, v, err).In(v.Language()).Message}, nil
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
	return s.runFilledForm(w, r, v, values, v.Language().Text("Saved."), func() error {
		return s.db.Write(r.Context(), func(tx *store.Tx) error {
			_, err := s.identity.UpdateProfile(tx, v, identity.ProfileChanges{DisplayName: &name, Timezone: &zone})
			return err
		})
	})
}

func (s *Server) postLoginDetails(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	email, username := values.Get("email"), values.Get("username")
	in := myChanges{SignInDetailsChanges: identity.SignInDetailsChanges{Email: &email, Username: &username}, confirmation: confirmation(confirmationOf(values))}
	return s.runFilledForm(w, r, v, values, v.Language().Text("Saved. Sign in with the new names from now on."), func() error { return s.changeMe(r, v, in) })
}

func (s *Server) postPassword(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	return s.runForm(w, r, v, v.Language().Text("Your password is changed. All other sessions are signed out."), func() error {
		return s.accounts.SetPassword(r, v, values.Get("current_password"), values.Get("new_password"))
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
	l := v.Language()
	return s.accountPage(w, r, v, page{}, newSecrets{secret: &newSecret{
		Title: l.Textf("Password for %s", d.Label), Text: l.Text("Enter it in the calendar app on the device. Capitals and hyphens do not matter."), Secret: d.Password,
	}})
}

func (s *Server) postDeviceDelete(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.runForm(w, r, v, v.Language().Text("The device password is removed."), func() error {
		return s.db.Write(r.Context(), func(tx *store.Tx) error { return s.identity.RevokeDevice(tx, v, r.PathValue("id")) })
	})
}

func (s *Server) postSessionDelete(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.runForm(w, r, v, v.Language().Text("The session is ended."), func() error {
		return s.db.Write(r.Context(), func(tx *store.Tx) error { return s.identity.RevokeToken(tx, v, r.PathValue("id")) })
	})
}

func (s *Server) postSessionsDelete(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	if err := s.accounts.EndSession(r, v, true); err != nil {
		return err
	}
	s.redirectSignedOut(w, r)
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
	l := v.Language()
	return s.accountPage(w, r, v, page{}, newSecrets{secret: &newSecret{
		Title: l.Text("Invitation link"), Text: l.Text("Send this link to the person you invite. It works once, within seven days."), Secret: s.settings.Link("/world/invite/" + i.Code),
	}})
}

func (s *Server) postInvitationDelete(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.runForm(w, r, v, v.Language().Text("The invitation is canceled."), func() error {
		return s.db.Write(r.Context(), func(tx *store.Tx) error {
			by, err := s.identity.Operator(tx, v)
			if err != nil {
				return err
			}
			return s.identity.RevokeInvitation(tx, by, r.PathValue("id"))
		})
	})
}
