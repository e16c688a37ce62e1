package pages

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/words"
)

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
		view.Code = view.Code || method != svc.PasskeyMethod
		view.App = view.App || method == svc.TOTPMethod
	}
	p := page{Language: l, Title: l.Text("Confirm that it is you"), Challenge: view}
	if c.PasskeyOptions != nil {
		view.Passkey, p.Script = store.JSON(c.PasskeyOptions), PasskeyScript
	}
	if err != nil {
		p.Problem = httpd.PublicError(err).In(l).Message
	}
	return p
}

// postChallenge handles the second step of the sign-in page.
func (s *Server) postChallenge(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	session, err := s.Accounts.AnswerChallenge(r, values.Get("challenge"), answerOf(values))
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
	errNext := s.DB.Write(r.Context(), func(tx *store.Tx) (err error) {
		next, err = s.Identity.RenewChallenge(tx, values.Get("challenge"))
		return err
	})
	if errNext != nil { // expired, or answered wrongly too often
		return s.reshowForm(w, r, errNext, s.loginPage(l, values, errNext))
	}
	return s.render(w, httpd.Status(e), "challenge", challengePage(l, next, values, err))
}

func answerOf(values url.Values) identity.Answer {
	a := identity.Answer{Code: values.Get("code")}
	if text := values.Get("passkey"); text != "" {
		a.Passkey = json.RawMessage(text)
	}
	return a
}
