package pages_test

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pquerna/otp/totp"
	"golang.org/x/net/html"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc/identity"
)

// form returns a form with the names and values of fields.
func form(fields ...string) apptest.Form {
	values := make(url.Values)
	for i := 0; i < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	return apptest.Form(values.Encode())
}

// withCookieOf returns the browser c with the session cookie that a response sets.
func withCookieOf(c *apptest.Client, a *apptest.Answer) *apptest.Client {
	for _, cookie := range (&http.Response{Header: a.Header}).Cookies() {
		if cookie.Name == apptest.CookieName {
			return c.With("Cookie", apptest.CookieName+"="+cookie.Value)
		}
	}
	c.T.Fatalf("%s: got no session cookie", a.About)
	return nil
}

func wantPage(t *testing.T, page *apptest.Answer, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(page.Body, part) {
			t.Errorf("%s: got\n%s\nwant %s in it", page.About, page.Body, part)
		}
	}
}

func TestPagesBeforeTheSignInAreInALanguageOfTheBrowser(t *testing.T) {
	s := apptest.New(t, withOpenHTTPS)
	german := s.Unauthenticated().With("Accept-Language", "de-DE,de;q=0.9,en;q=0.8").With("Accept", browserAccept).
		With("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	code := s.SetupCode()
	wantPage(t, german.Do("GET", "/setup?code="+code).Want(200), `<html lang="de" dir="ltr">`, "Wer bist du?", "Konto erstellen")
	ann := withCookieOf(german, german.Do("POST", "/setup", form("code", code, "email", "ann@example.org", "display_name", "Ann", "password", apptest.Password)).Want(303))
	link := invitationTo(ann, "")
	wantPage(t, german.Do("GET", link).Want(200), `<html lang="de" dir="ltr">`, "Mitglied werden", "Anzeigename", `data-timezones="dieser Browser"`)
	bea := withCookieOf(german, german.Do("POST", link, form("email", "bea@example.org", "display_name", "Bea", "password", apptest.Password)).Want(303))
	for _, member := range []*apptest.Client{ann, bea} {
		if got := member.Do("GET", "/identity/me").Want(200).Str("member.locale"); got != "de" {
			t.Errorf("got the locale %q of a new member, want de", got)
		}
		if got := member.Do("GET", "/world/calendars").Want(200).Str("calendars.0.name"); got != "Kalender" {
			t.Errorf("got the default calendar %q, want Kalender", got)
		}
		wantPage(t, member.Do("GET", "/account").Want(200), `<html lang="de" dir="ltr">`, "Dein Konto")
		if got := member.Do("GET", "/world/identity/sessions").Want(200).Str("sessions.0.label"); got != "Firefox auf Linux" {
			t.Errorf("got the session %q, want Firefox auf Linux", got)
		}
	}

	page := german.Do("GET", "/world/login").Want(200)
	wantPage(t, page, `<html lang="de" dir="ltr">`, "<title>Anmelden · ", "Passwort vergessen?")
	if got := page.Header.Values("Vary"); !strings.Contains(strings.Join(got, ", "), "Accept-Language") {
		t.Errorf("got Vary %q, want Accept-Language in it", got)
	}
	wantPage(t, german.Do("POST", "/world/login", form("login", "ann", "password", "wrong password")).Want(401),
		"E-Mail-Adresse, Benutzername oder Passwort ist falsch, oder das Konto ist gesperrt.")
	wantPage(t, german.Do("GET", "/nowhere").Want(404), "Seite nicht gefunden", "Unter dieser Adresse ist nichts.")
	wantPage(t, german.Do("GET", "/world/reset/none").Want(404), "Dieser Link gilt nicht mehr")
	wantPage(t, s.Unauthenticated().With("Accept-Language", "fr").Do("GET", "/world/login").Want(200), `<html lang="en" dir="ltr">`)
}

func TestPagesAreInTheLanguageOfTheMember(t *testing.T) {
	s := apptest.New(t)
	bea := s.Member("bea")
	bea.Do("PATCH", "/world/identity/me", `{"locale": "de"}`).Want(200)
	browser := s.Unauthenticated().With("Cookie", apptest.CookieName+"="+bea.Token).With("Accept", browserAccept).With("Accept-Language", "en")
	wantPage(t, browser.Do("GET", "/account").Want(200), `<html lang="de" dir="ltr">`, "Dein Konto", "Abmelden: Bea")
	wantPage(t, browser.Do("POST", "/account", form("do", "change_password", "current_password", "wrong", "new_password", "x")).Want(200), "Das aktuelle Passwort ist falsch.")
	wantPage(t, browser.Do("POST", "/account", form("do", "nothing")).Want(400), `<html lang="de" dir="ltr">`, "Der Server kennt dieses Formular nicht.")
	wantPage(t, browser.Do("GET", "/nowhere").Want(404), `<html lang="de" dir="ltr">`, "Seite nicht gefunden")
	wantPage(t, browser.Do("GET", "/help/").Want(200), `<html lang="en" dir="ltr">`)
}

func TestTooManyAttemptsAreReportedInGerman(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.RateLimits = map[string]int{"failures": 1} })
	s.Member("ann")
	german := s.Unauthenticated().With("Accept-Language", "de")
	german.Do("POST", "/world/login", form("login", "ann", "password", "wrong")).Want(401)
	wantPage(t, german.Do("POST", "/world/login", form("login", "ann", "password", "wrong again")).Want(429), "Zu viele Versuche. Versuche es in 15 Minuten noch einmal.")
}

func TestFirstFieldOfAFormHasTheFocus(t *testing.T) {
	s := apptest.New(t, withOpenHTTPS)
	s.Member("ann")
	web := s.Unauthenticated()
	focused := regexp.MustCompile(`<input [^>]*name="(\w+)"[^>]* autofocus[ >]`)
	newMember := func(fields ...string) apptest.Form {
		return form(append([]string{"display_name", "Bea", "email", "bea@example.org", "password", apptest.Password}, fields...)...)
	}
	for _, c := range []struct {
		page *apptest.Answer
		want string
	}{
		{web.Do("GET", "/world/login"), "login"},
		{web.Do("POST", "/world/login", form("login", "ann", "password", "wrong")), "login"},
		{web.Do("GET", "/world/register"), "display_name"},
		{web.Do("POST", "/world/register", newMember("email", "bea")), "email"},
		{web.Do("POST", "/world/register", newMember("password", "short")), "password"},
		{web.With("Accept", browserAccept).Do("GET", "/nowhere"), ""},
		{s.Unauthenticated().With("Cookie", apptest.CookieName+"="+s.Member("cem").Token).Do("GET", "/account"), ""},
	} {
		names := focused.FindAllStringSubmatch(c.page.Body, -1)
		if c.want == "" && len(names) == 0 {
			continue
		}
		if len(names) != 1 || names[0][1] != c.want {
			t.Errorf("%s: got the fields %q with the focus, want %q", c.page.About, names, c.want)
		}
	}
}

func withOpenHTTPS(s *config.Settings) {
	s.BaseURL, s.Registration = "https://home.example.org", "open"
}

// Only names, addresses and values are the same on the pages in English and in German.
func TestNoTextOfAPageIsTheSameInBothLanguages(t *testing.T) {
	english, german := everyPage(t, "en"), everyPage(t, "de")
	same := []string{ // in both languages, or no text of the server
		"Ann", "ann", "ann@example.org", "home.example.org", "https://home.example.org", "https://home.example.org/caldav/", "Kitchen", "Passkeys", "Laptop", "Code", "Name", "Server",
		"Mac", "Android (DAVx⁵)", "Thunderbird", "GNOME", "HTTPS", "Go-http-client/1.1", "QR code", "curl",
	}
	for i, page := range english {
		inGerman := pageTexts(t, german[i].Body)
		for _, text := range pageTexts(t, page.Body) {
			if slices.Contains(inGerman, text) && !slices.Contains(same, text) && regexp.MustCompile(`\pL{2}`).MatchString(text) {
				t.Errorf("%s: got %q in both languages", page.About, text)
			}
		}
	}
}

// invitationTo returns the path of a new invitation to an e-mail address, or to anyone if it is "".
func invitationTo(operator *apptest.Client, email string) string {
	operator.T.Helper()
	link := operator.Do("POST", "/world/operator/invitations", map[string]any{"email": email}).Want(201).Str("link")
	return strings.TrimPrefix(link, operator.Server.Settings.URL().String())
}

// everyPage returns each page of the server with content, in a language.
func everyPage(t *testing.T, language string) (pages []*apptest.Answer) {
	t.Helper()
	s := apptest.New(t, withOpenHTTPS)
	web := s.Unauthenticated().With("Accept-Language", language).With("Accept", browserAccept)
	see := func(c *apptest.Client, method, path string, body ...any) *apptest.Answer {
		page := c.Do(method, path, body...)
		if !strings.Contains(page.Body, `<html lang="`+language+`"`) {
			t.Fatalf("%s %s: got\n%s\nwant a page in %s", method, path, page.Body, language)
		}
		pages = append(pages, page)
		return page
	}
	code := s.SetupCode()
	see(web, "GET", "/setup?code="+code)
	ann := withCookieOf(web, web.Do("POST", "/setup", form("code", code, "email", "ann@example.org", "username", "ann", "display_name", "Ann", "password", apptest.Password)).Want(303))
	see(web, "GET", "/setup?code="+code)
	for _, path := range []string{"/world/login", "/world/register", "/nowhere", "/world/invite/none", "/world/identity/export", "/world/login/done", "/identity/login"} {
		see(web, "GET", path)
	}
	see(web, "POST", "/world/login", form("login", "ann", "password", "wrong"))
	see(web, "POST", "/world/register", form("email", "x", "password", "short", "display_name", strings.Repeat("x", 81)))

	see(web, "GET", invitationTo(ann, "bea@example.net"))
	see(ann, "POST", "/account", form("do", "create_device", "label", "Kitchen"))
	link := ann.Do("POST", "/world/identity/device-setups", `{"label": "Kitchen"}`).Want(201).Str("device_setup.setup_url")
	device := strings.TrimPrefix(link, s.Settings.URL().String())
	see(web, "GET", device)
	see(web, "POST", device, form("as", "password"))
	see(ann, "GET", "/account")
	see(ann, "POST", "/account", form("do", "nothing"))
	see(ann, "POST", "/account", form("do", "change_password", "current_password", apptest.Password, "new_password", "password"))
	see(ann, "POST", "/account", form("do", "remove_device", "id", "dev_none"))

	var reset identity.ResetLink
	s.Write(func(tx *store.Tx) (err error) {
		by := identity.CommandLine("test")
		reset, err = s.App.Identity.AddResetLink(tx, by, 1)
		return err
	})
	see(web, "GET", "/world/reset/"+reset.Code)
	see(ann, "POST", "/account", form("do", "begin_passkey", "label", "Kitchen", "current_password", apptest.Password))
	app := see(ann, "POST", "/account", form("do", "enroll_totp", "current_password", apptest.Password))
	secret := strings.ReplaceAll(regexp.MustCompile(`<output class="secret">([A-Z2-7 ]+)<`).FindStringSubmatch(app.Body)[1], " ", "")
	digits, err := totp.GenerateCode(secret, s.Clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	see(ann, "POST", "/account", form("do", "confirm_totp", "code", "0"))
	see(ann, "POST", "/account", form("do", "confirm_totp", "code", digits))
	see(ann, "GET", "/account")
	see(ann, "POST", "/account", form("do", "renew_recovery_codes", "current_password", apptest.Password))
	challenge := see(web, "POST", "/world/login", form("login", "ann", "password", apptest.Password))
	id := regexp.MustCompile(`name="challenge" value="([^"]+)"`).FindStringSubmatch(challenge.Body)[1]
	see(web, "POST", "/world/login/second-factor", form("challenge", id, "code", "000000"))
	see(ann, "POST", "/account", form("do", "remove_totp", "current_password", apptest.Password))
	return pages
}

// pageTexts returns the texts of a page: of elements and of attributes. It omits time zones and
// the contents of scripts and styles.
func pageTexts(t *testing.T, page string) (texts []string) {
	t.Helper()
	tokens := html.NewTokenizer(strings.NewReader(page))
	inOption := false
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			if err := tokens.Err(); err != io.EOF {
				t.Fatal(err)
			}
			return texts
		case html.TextToken:
			if !inOption {
				texts = append(texts, strings.TrimSpace(html.UnescapeString(string(tokens.Raw()))))
			}
		case html.StartTagToken, html.EndTagToken:
			token := tokens.Token()
			inOption = token.Type == html.StartTagToken && token.Data == "option"
			for _, a := range token.Attr {
				if slices.Contains([]string{"aria-label", "placeholder", "title", "data-timezones", "data-unsupported", "data-known", "data-failed"}, a.Key) {
					texts = append(texts, a.Val)
				}
			}
		}
	}
}
