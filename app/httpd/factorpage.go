package httpd

import (
	"encoding/json"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"appliance/app/account"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/words"
)

// factorPath is the path of the page of second factors.
const factorPath = "/account/second-factor"

// challengeView is the data of the second step of the sign-in page.
type challengeView struct {
	Challenge string
	ReturnTo  string
	Code      bool   // an authenticator app or recovery codes can answer
	App       bool   // an authenticator app can answer
	CodeBad   bool   // the code was rejected
	Passkey   string // JSON of the options of navigator.credentials.get; "" without passkeys

	EndsWithBrowser bool // the session ends with the browser
}

// challengeOf returns the challenge of an error of a sign-in, or nil.
func challengeOf(err error) *svc.Challenge {
	if e, ok := errors.AsType[*svc.Error](err); ok {
		return e.Challenge
	}
	return nil
}

// challengePage returns the second step of the sign-in page. given contains the values of
// the form before, err is the error of the previous answer.
func challengePage(l words.Language, c *svc.Challenge, given url.Values, err error) page {
	view := &challengeView{
		Challenge: c.Challenge, ReturnTo: localPath(given.Get("return_to")), EndsWithBrowser: endsWithBrowser(given), CodeBad: err != nil && given.Get("passkey") == "",
	}
	for _, method := range c.Methods {
		view.Code = view.Code || method != "passkey"
		view.App = view.App || method == "totp"
	}
	p := page{Language: l, Title: l.Text("Confirm that it is you"), Challenge: view}
	if c.PasskeyOptions != nil {
		view.Passkey, p.Script = store.JSON(c.PasskeyOptions), passkeyScript
	}
	if err != nil {
		p.Problem = PublicError(err).In(l).Message
	}
	return p
}

// postChallenge handles the second step of the sign-in page.
func (s *Server) postChallenge(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	session, err := s.accounts.AnswerChallenge(r, values.Get("challenge"), answerOf(values))
	if err == nil {
		s.redirectSignedIn(w, r, session, values)
		return nil
	}
	switch svc.KindOf(err) {
	case svc.Anonymous, svc.Malformed, svc.TooMany, svc.Unavailable:
	default:
		return err
	}
	e := s.Report(w, r, v, err)
	w.Header().Del("WWW-Authenticate")
	l := s.pageLanguage(r, v)
	var next *svc.Challenge
	errNext := s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
		next, err = s.identity.RenewChallenge(tx, values.Get("challenge"))
		return err
	})
	if errNext != nil { // expired, or answered wrongly too often
		return s.reshowForm(w, r, errNext, s.loginPage(l, values, errNext))
	}
	return s.render(w, status[e.Code.Kind], "challenge", challengePage(l, next, values, err))
}

func answerOf(values url.Values) identity.Answer {
	a := identity.Answer{Code: values.Get("code")}
	if text := values.Get("passkey"); text != "" {
		a.Passkey = json.RawMessage(text)
	}
	return a
}

// factorView is the data of the page of second factors.
type factorView struct {
	identity.SecondFactor
	Passkeys      []passkeyRow
	TOTPCreated   string
	Secure        bool
	NewTOTP       *newTOTPView // an authenticator app that waits for its first code
	NewPasskey    *newPasskeyView
	RecoveryCodes []string // new recovery codes, which are shown once
}

type passkeyRow struct{ ID, Label, Created, LastUsed string }

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

func (s *Server) getFactorPage(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.factorPage(w, r, v, page{}, factorView{})
}

// factorPage renders the page of second factors with the result of a form.
func (s *Server) factorPage(w http.ResponseWriter, r *http.Request, v svc.Viewer, p page, view factorView) error {
	err := s.db.Read(r.Context(), func(tx *store.Tx) error {
		me, err := s.identity.Me(tx, v)
		if err != nil {
			return err
		}
		p.Member = &me.Member
		view.SecondFactor, err = s.identity.SecondFactor(tx, v)
		return err
	})
	if err != nil {
		return err
	}
	day := dateFormatter(v.Language(), p.Member.Timezone)
	for _, k := range view.SecondFactor.Passkeys {
		row := passkeyRow{ID: k.ID, Label: k.Label, Created: day(k.CreatedAt)}
		if k.LastUsedAt != nil {
			row.LastUsed = day(*k.LastUsedAt)
		}
		view.Passkeys = append(view.Passkeys, row)
	}
	if view.TOTP != nil {
		view.TOTPCreated = day(view.TOTP.CreatedAt)
	}
	view.Secure = s.settings.UsesHTTPS()
	p.Language, p.Title, p.HasTheme, p.Factor = v.Language(), v.Language().Text("Second factor"), true, &view
	if view.NewPasskey != nil {
		p.Script = passkeyScript
	}
	return s.render(w, http.StatusOK, "factor", p)
}

// runFactorForm runs the action of a form on the page of second factors and renders
// the page again. do performs the action and returns the new secrets, which only this
// response shows.
func (s *Server) runFactorForm(w http.ResponseWriter, r *http.Request, v svc.Viewer, done string, do func(url.Values) (factorView, error)) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	view, err := do(values)
	if svc.KindOf(err) == svc.Unavailable {
		return err
	}
	p, err := s.formResult(w, r, v, done, err)
	if err != nil {
		return err
	}
	return s.factorPage(w, r, v, p, view)
}

// confirmationOf reads the fields of a form that confirm the identity of the member.
func confirmationOf(values url.Values) account.Confirmation {
	return account.Confirmation{Password: values.Get("current_password"), Code: values.Get("code")}
}

func (s *Server) postTOTP(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.runFactorForm(w, r, v, "", func(values url.Values) (view factorView, err error) {
		app, err := s.accounts.NewTOTP(r, v, confirmationOf(values))
		if err == nil {
			view.NewTOTP, err = totpView(v.Language(), app)
		}
		return view, err
	})
}

func (s *Server) postTOTPConfirm(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.runFactorForm(w, r, v, v.Language().Text("Your authenticator app is a second factor now. All other sessions are signed out."), func(values url.Values) (view factorView, err error) {
		codes, err := s.accounts.ConfirmTOTP(r, v, values.Get("code"))
		if svc.KindOf(err) != svc.Unprocessable && svc.KindOf(err) != svc.Malformed {
			return factorView{RecoveryCodes: codes}, err
		}
		var app identity.NewTOTP
		errRead := s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
			app, err = s.identity.PendingTOTP(tx, v)
			return err
		})
		if errRead != nil {
			return view, errRead
		}
		if view.NewTOTP, errRead = totpView(v.Language(), app); errRead != nil {
			return view, errRead
		}
		return view, err
	})
}

func (s *Server) postTOTPDelete(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.runFactorForm(w, r, v, v.Language().Text("The authenticator app is removed."), func(values url.Values) (view factorView, err error) {
		return view, s.accounts.RemoveTOTP(r, v, confirmationOf(values))
	})
}

func (s *Server) postRecoveryCodes(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.runFactorForm(w, r, v, v.Language().Text("The previous recovery codes are invalid."), func(values url.Values) (factorView, error) {
		codes, err := s.accounts.RenewRecoveryCodes(r, v, confirmationOf(values))
		return factorView{RecoveryCodes: codes}, err
	})
}

func (s *Server) postPasskeyBegin(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.runFactorForm(w, r, v, "", func(values url.Values) (view factorView, err error) {
		label := values.Get("label")
		if err := svc.CheckName("label", label); err != nil {
			return view, err
		}
		p, err := s.accounts.BeginPasskey(r, v, confirmationOf(values))
		if err != nil {
			return view, err
		}
		return factorView{NewPasskey: &newPasskeyView{Challenge: p.Challenge, Label: label, Options: store.JSON(p.Options)}}, nil
	})
}

func (s *Server) postPasskey(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.runFactorForm(w, r, v, v.Language().Text("The passkey is a second factor now. All other sessions are signed out."), func(values url.Values) (factorView, error) {
		_, codes, err := s.accounts.AddPasskey(r, v, identity.PasskeyRegistration{Challenge: values.Get("challenge"), Label: values.Get("label"), Response: json.RawMessage(values.Get("passkey"))})
		return factorView{RecoveryCodes: codes}, err
	})
}

func (s *Server) postPasskeyDelete(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.runFactorForm(w, r, v, v.Language().Text("The passkey is removed."), func(values url.Values) (view factorView, err error) {
		return view, s.accounts.RemovePasskey(r, v, confirmationOf(values), r.PathValue("id"))
	})
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
