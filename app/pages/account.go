package pages

import (
	"encoding/json"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"appliance/app/account"
	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/words"
)

// accountView is the data of the account page.
type accountView struct {
	identity.SecondFactor
	newSecrets

	MustEnroll bool // the member must add a second factor before anything else
	Devices    []identity.Device
	Steps      caldavSteps
	Secure     bool

	language words.Language
	zone     *time.Location
}

// Day formats the date of an instant.
func (a *accountView) Day(t time.Time) string { return a.language.Date(t.In(a.zone), "2 January 2006") }

// newSecrets are the secrets that a form of the account page has created. No other response
// contains them.
type newSecrets struct {
	NewDevice  *identity.NewDevice
	NewTOTP    *newTOTPView // an authenticator app that waits for its first code
	NewPasskey *newPasskeyView
	NewCodes   []string // recovery codes
}

type newTOTPView struct {
	QR     template.HTML
	Secret string
	URI    template.URL
}

type newPasskeyView struct {
	Challenge string
	Label     string
	Options   string // JSON of the options of navigator.credentials.create
}

func (s *Server) getAccount(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.accountPage(w, r, v, page{}, newSecrets{})
}

// accountPage renders the account page with the result of a form.
func (s *Server) accountPage(w http.ResponseWriter, r *http.Request, v svc.Viewer, p page, created newSecrets) error {
	a := &accountView{newSecrets: created, Steps: s.caldavSteps(), Secure: s.Settings.UsesHTTPS(), language: v.Language()}
	err := s.DB.Read(r.Context(), func(tx *store.Tx) error {
		me, err := s.Identity.Me(tx, v)
		if err != nil {
			return err
		}
		p.Member, a.zone = &me.Member, me.Member.Zone.Location()
		if a.SecondFactor, err = s.Identity.SecondFactor(tx, v); err != nil {
			return err
		}
		a.Devices, err = s.Identity.Devices(tx, v.Member())
		return err
	})
	if err != nil {
		return err
	}
	a.MustEnroll = a.Required && !a.Enabled
	p.Language, p.Title, p.HasTheme, p.Account = v.Language(), v.Language().Text("Your account"), true, a
	if created.NewPasskey != nil {
		p.Script = PasskeyScript
	}
	return s.render(w, http.StatusOK, "account", p)
}

// accountForm is a form of the account page.
type accountForm struct {
	enrollment bool       // see [httpd.Traits]
	removes    bool       // it removes something: it succeeds on a full disk, and also if there is nothing to remove
	done       words.Word // message after its success; "" for none

	// submit returns new secrets, also with the error of a form that shows them again.
	submit func(s *Server, r *http.Request, v svc.Viewer, values url.Values) (newSecrets, error)
}

// accountForms are the forms of the account page by their field "do".
var accountForms = map[string]accountForm{
	"change_password":      {submit: (*Server).submitPassword, done: "Your password is changed. All other sessions are signed out."},
	"create_device":        {submit: (*Server).submitDevice},
	"remove_device":        {submit: (*Server).submitDeviceRemoval, removes: true, done: "The device password is removed."},
	"enroll_totp":          {submit: (*Server).submitTOTP, enrollment: true},
	"confirm_totp":         {submit: (*Server).submitTOTPCode, enrollment: true, done: "Your authenticator app is a second factor now. All other sessions are signed out."},
	"remove_totp":          {submit: (*Server).submitTOTPRemoval, enrollment: true, removes: true, done: "The authenticator app is removed."},
	"renew_recovery_codes": {submit: (*Server).submitRecoveryCodes, enrollment: true, done: "The previous recovery codes are invalid."},
	"begin_passkey":        {submit: (*Server).submitPasskeyName, enrollment: true},
	"add_passkey":          {submit: (*Server).submitPasskey, enrollment: true, done: "The passkey is a second factor now. All other sessions are signed out."},
	"remove_passkey":       {submit: (*Server).submitPasskeyRemoval, enrollment: true, removes: true, done: "The passkey is removed."},
}

// postAccount handles the forms of the account page, and renders the page with the result:
// an error that the member can correct, or what the form has created. Other errors are returned.
func (s *Server) postAccount(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	form, ok := accountForms[values.Get("do")]
	if !ok {
		return svc.Errorf(svc.MalformedBody, "The server does not know this form. Open the page again.")
	}
	caller, err := s.Accounts.Authenticate(r)
	if err != nil {
		return err
	}
	if caller.MustEnroll && !form.enrollment {
		return s.ErrMustEnroll()
	}
	if form.removes {
		r = r.WithContext(store.WithReserve(r.Context()))
	}
	created, err := form.submit(s, r, v, values)
	kind := svc.KindOf(err)
	var p page
	switch {
	case err == nil, kind == svc.Missing && form.removes:
		p.Done = v.Language().Text(string(form.done))
	case slices.Contains([]svc.Kind{svc.Malformed, svc.Unprocessable, svc.Conflict, svc.Missing, svc.TooMany}, kind),
		httpd.PublicError(err).Code == svc.ChallengeExpired:
		p.Problem = s.Report(w, r, v, err).In(v.Language()).Message
		w.Header().Del("WWW-Authenticate") // the session has not ended
	default:
		return err
	}
	return s.accountPage(w, r, v, p, created)
}

// confirmationOf reads the fields of a form that confirm the identity of the member.
func confirmationOf(values url.Values) account.Confirmation {
	return account.Confirmation{Password: values.Get("current_password"), Code: values.Get("code")}
}

func (s *Server) submitPassword(r *http.Request, v svc.Viewer, values url.Values) (newSecrets, error) {
	return newSecrets{}, s.Accounts.SetPassword(r, v, values.Get("current_password"), values.Get("new_password"))
}

func (s *Server) submitDevice(r *http.Request, v svc.Viewer, values url.Values) (newSecrets, error) {
	var d identity.NewDevice
	err := s.DB.Write(r.Context(), func(tx *store.Tx) (err error) {
		d, err = s.Identity.AddDevice(tx, v, values.Get("label"))
		return err
	})
	if err != nil {
		return newSecrets{}, err
	}
	return newSecrets{NewDevice: &d}, nil
}

func (s *Server) submitDeviceRemoval(r *http.Request, v svc.Viewer, values url.Values) (newSecrets, error) {
	return newSecrets{}, s.DB.Write(r.Context(), func(tx *store.Tx) error { return s.Identity.RevokeDevice(tx, v, values.Get("id")) })
}

func (s *Server) submitTOTP(r *http.Request, v svc.Viewer, values url.Values) (newSecrets, error) {
	app, err := s.Accounts.NewTOTP(r, v, confirmationOf(values))
	if err != nil {
		return newSecrets{}, err
	}
	view, err := totpView(v.Language(), app)
	return newSecrets{NewTOTP: view}, err
}

// submitTOTPCode confirms an authenticator app by its first code. After a wrong one, the page
// shows the secret of the app again.
func (s *Server) submitTOTPCode(r *http.Request, v svc.Viewer, values url.Values) (newSecrets, error) {
	codes, err := s.Accounts.ConfirmTOTP(r, v, values.Get("code"))
	if kind := svc.KindOf(err); kind != svc.Unprocessable && kind != svc.Malformed {
		return newSecrets{NewCodes: codes}, err
	}
	var app identity.NewTOTP
	errRead := s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
		app, err = s.Identity.PendingTOTP(tx, v)
		return err
	})
	if errRead != nil {
		return newSecrets{}, errRead
	}
	view, errView := totpView(v.Language(), app)
	if errView != nil {
		return newSecrets{}, errView
	}
	return newSecrets{NewTOTP: view}, err
}

func totpView(l words.Language, app identity.NewTOTP) (*newTOTPView, error) {
	code, err := account.NewQRCode(app.URI)
	return &newTOTPView{QR: code.SVG(l.Text("QR code")), Secret: groupByFour(app.Secret), URI: template.URL(app.URI)}, err
}

// groupByFour returns a text with a space after every four characters, for typing.
func groupByFour(text string) string {
	var b strings.Builder
	for i, r := range text {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (s *Server) submitTOTPRemoval(r *http.Request, v svc.Viewer, values url.Values) (newSecrets, error) {
	return newSecrets{}, s.Accounts.RemoveTOTP(r, v, confirmationOf(values))
}

func (s *Server) submitRecoveryCodes(r *http.Request, v svc.Viewer, values url.Values) (newSecrets, error) {
	codes, err := s.Accounts.RenewRecoveryCodes(r, v, confirmationOf(values))
	return newSecrets{NewCodes: codes}, err
}

func (s *Server) submitPasskeyName(r *http.Request, v svc.Viewer, values url.Values) (newSecrets, error) {
	label := values.Get("label")
	if err := svc.CheckName("label", label); err != nil {
		return newSecrets{}, err
	}
	p, err := s.Accounts.BeginPasskey(r, v, confirmationOf(values))
	if err != nil {
		return newSecrets{}, err
	}
	return newSecrets{NewPasskey: &newPasskeyView{Challenge: p.Challenge, Label: label, Options: store.JSON(p.Options)}}, nil
}

func (s *Server) submitPasskey(r *http.Request, v svc.Viewer, values url.Values) (newSecrets, error) {
	_, codes, err := s.Accounts.AddPasskey(r, v, identity.PasskeyRegistration{
		Challenge: values.Get("challenge"), Label: values.Get("label"), Response: json.RawMessage(values.Get("passkey")),
	})
	return newSecrets{NewCodes: codes}, err
}

func (s *Server) submitPasskeyRemoval(r *http.Request, v svc.Viewer, values url.Values) (newSecrets, error) {
	return newSecrets{}, s.Accounts.RemovePasskey(r, v, confirmationOf(values), values.Get("id"))
}
