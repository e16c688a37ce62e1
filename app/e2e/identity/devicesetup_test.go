package identity

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
)

// setupLink creates a link to set up a device, and returns its path.
func (s settings) setupLink(label string) string {
	s.T.Helper()
	a := s.form("devices", "set_up_device", "label", label).Want(201)
	link, ok := strings.CutPrefix(a.Str("device_setup.setup_url"), homeURL)
	if !ok {
		s.T.Fatalf("got %s, want a complete URL of the server", a.Body)
	}
	return link
}

// shownPassword matches a device password on a page.
var shownPassword = regexp.MustCompile(`([0-9a-z]{4}-){4}[0-9a-z]{4}`)

// A link sets up one device without the session of the member, and only once, within ten minutes. A
// GET of its page does not use the link. Covers B-106 and PT-08.
func TestSettingsSetUpADeviceByALink(t *testing.T) {
	h := apptest.New(t, withHTTPS)
	op, ann := h.Member("op"), openSettings(h.Member("ann"))
	wantGone := func(link string) {
		t.Helper()
		phone := h.Unauthenticated()
		phone.Do("GET", link).Want(404)
		phone.Do("POST", link, form()).Want(404)
	}
	made := ann.form("devices", "set_up_device", "label", "Phone").Want(201)
	if got, want := made.Str("device_setup.expires_at"), h.Clock.Now().Add(10*time.Minute).UTC().Format(time.RFC3339); got != want {
		t.Errorf("got the end %s, want %s", got, want)
	}
	first := strings.TrimPrefix(made.Str("device_setup.setup_url"), homeURL)
	link := ann.setupLink("Phone")
	wantGone(first) // a new link replaces the previous one
	phone := h.Unauthenticated()
	for range 2 {
		page := phone.Do("GET", link).Want(200)
		if !strings.Contains(page.Body, "Set up Phone") || page.Header.Get("Cache-Control") != "private, no-store" || shownPassword.MatchString(page.Body) {
			t.Errorf("got Cache-Control %s and the page\n%s", page.Header.Get("Cache-Control"), page.Body)
		}
		phone.Do("HEAD", link).Want(200)
	}
	if got := ann.view("devices").Titles("Device passwords"); got != "" {
		t.Errorf("before the link is used: got the device passwords %q, want none", got)
	}
	page := phone.Do("POST", link, form("as", "password")).Want(200)
	password := shownPassword.FindString(page.Body)
	phone.With("Depth", "0").With("Authorization", basicAuth("ann", password)).Do("PROPFIND", "/caldav/").Want(207)
	for _, want := range []string{homeURL + "/caldav/", "ann", "iPhone and iPad", "Mac", "DAVx⁵", "Thunderbird", "GNOME"} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("got no %s on the page of the password", want)
		}
	}
	ann.wantNoSecrets(password, apptest.LastSegment(link))
	wantGone(link)

	if got := ann.view("devices").Titles("Device passwords"); got != "Phone" {
		t.Errorf("after the link is used: got the device passwords %q, want Phone", got)
	}
	ann.press("devices", "Phone", "delete").Want(200)
	phone.With("Depth", "0").With("Authorization", basicAuth("ann", password)).Do("PROPFIND", "/caldav/").Want(401)

	late := ann.setupLink("Phone")
	h.Clock.Advance(10*time.Minute - time.Second)
	phone.Do("GET", late).Want(200)
	h.Clock.Advance(time.Second)
	wantGone(late)
	revoked := ann.setupLink("Phone")
	op.Do("POST", fmt.Sprintf("/world/operator/members/%v/revoke_access", ann.ID)).Want(200)
	wantGone(revoked)
}

// The response contains the QR code of the link as the data of an SVG path, which fits into
// a square with a quiet zone.
func TestLinkToSetUpADeviceHasAQRCode(t *testing.T) {
	ann := openSettings(apptest.New(t, withHTTPS).Member("ann"))
	a := ann.form("devices", "set_up_device", "label", "Phone").Want(201)
	size := a.At("device_setup.qr.size").(float64)
	path := a.Str("device_setup.qr.path")
	if rest := regexp.MustCompile(`M\d+ \d+h\d+v1h-\d+z`).ReplaceAllString(path, ""); rest != "" || path == "" {
		t.Errorf("got the path %q with %q in it, want runs of modules only", path, rest)
	}
	for _, run := range regexp.MustCompile(`M(\d+) (\d+)h(\d+)`).FindAllStringSubmatch(path, -1) {
		x, _ := strconv.Atoi(run[1])
		y, _ := strconv.Atoi(run[2])
		width, _ := strconv.Atoi(run[3])
		if x < 4 || y < 4 || x+width > int(size)-4 || y > int(size)-5 {
			t.Errorf("got dark modules at %s of %g, want a quiet zone of 4 modules", run[0], size)
		}
	}
	if !strings.HasPrefix(path, "M4 4h7v1h-7z") {
		t.Errorf("got the path %.40q, want a finder pattern first", path)
	}
}

// If two devices use a link at once, exactly one gets a password.
func TestLinkSetsUpOneOfTwoDevicesAtOnce(t *testing.T) {
	h := apptest.New(t, withHTTPS)
	ann := openSettings(h.Member("ann"))
	for range 5 {
		link := ann.setupLink("Phone")
		var all sync.WaitGroup
		statuses := make([]int, 2)
		for i, as := range []string{"password", "profile"} {
			all.Go(func() { statuses[i] = h.Unauthenticated().Do("POST", link, form("as", as)).Status })
		}
		all.Wait()
		if statuses[0]+statuses[1] != 200+404 {
			t.Errorf("got the statuses %v, want 200 and 404", statuses)
		}
	}
	if got := len(ann.view("devices").Sections()["Device passwords"]); got != 5 {
		t.Errorf("got %d device passwords of 5 links, want 5", got)
	}
}

// Without HTTPS, a link is not offered and is rejected with a reason, because the password could
// be read on the network.
func TestLinkToSetUpADeviceNeedsHTTPS(t *testing.T) {
	h := apptest.New(t)
	ann := openSettings(h.Member("ann"))
	if a := ann.view("devices"); strings.Contains(a.Body, "device-setups") || strings.Contains(ann.AsRuntime().Do("GET", "/world/runtime").Body, "device-setups") {
		t.Errorf("got the action in %s or in the dataset, want none", a.Body)
	}
	if a := ann.Do("POST", "/world/identity/device-setups", `{"label": "Phone"}`).WantError(409, "action_unavailable"); !strings.Contains(a.Body, "needs HTTPS") {
		t.Errorf("got %s, want the reason", a.Body)
	}
	phone := h.Unauthenticated()
	for _, method := range []string{"GET", "POST"} {
		if a := phone.Do(method, "/world/device/dev_x", form("as", "password")).Want(409); !strings.Contains(a.Body, "needs HTTPS") {
			t.Errorf("%s: got %s, want the reason", method, a.Body)
		}
	}
	web := ann.With("Authorization", "").With("Cookie", apptest.CookieName+"="+ann.Token)
	if page := web.Do("GET", "/account").Want(200); !strings.Contains(page.Body, "does not use HTTPS") {
		t.Errorf("account page: got\n%s\nwant a warning", page.Body)
	}
}

// propertyList reads the dictionary of a property list of Apple.
func propertyList(t *testing.T, text string) map[string]any {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	var value func() any
	value = func() any {
		for {
			token, err := d.Token()
			if err != nil {
				t.Fatalf("got %v in the profile\n%s", err, text)
			}
			switch e := token.(type) {
			case xml.EndElement:
				return nil
			case xml.StartElement:
				switch e.Name.Local {
				case "dict":
					dict := make(map[string]any)
					for key := value(); key != nil; key = value() {
						dict[key.(string)] = value()
					}
					return dict
				case "array":
					var list []any
					for v := value(); v != nil; v = value() {
						list = append(list, v)
					}
					return list
				case "true", "false":
					_ = d.Skip()
					return e.Name.Local == "true"
				case "plist":
					continue
				}
				var s string
				if err := d.DecodeElement(&s, &e); err != nil {
					t.Fatal(err)
				}
				return s
			}
		}
	}
	dict, _ := value().(map[string]any)
	return dict
}

// A configuration profile contains the account, also if names of the member and the device
// contain markup. Without a certificate of the server it is not signed.
func TestConfigurationProfile(t *testing.T) {
	for _, hostile := range []string{"Ann", `Ann </string><key>x</key><string>&amp; "'`, "Ann ]]><!-- <![CDATA[ ", "Ann 😀 é"} {
		h := apptest.New(t, withHTTPS)
		ann := openSettings(h.Member("ann"))
		ann.Do("PATCH", "/world/identity/me", map[string]any{"display_name": hostile}).Want(200)
		phone := h.Unauthenticated().With("User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)")
		link := ann.setupLink(hostile)
		if page := phone.Do("GET", link).Want(200).Body; !strings.Contains(page, "Install on this iPhone, iPad or Mac") {
			t.Errorf("got\n%s\nwant the profile offered to an iPhone", page)
		}
		a := phone.Do("POST", link, form("as", "profile")).Want(200)
		for name, want := range map[string]string{
			"Content-Type": "application/x-apple-aspen-config", "Content-Disposition": `attachment; filename="calendars.mobileconfig"`, "Cache-Control": "private, no-store",
		} {
			if got := a.Header.Get(name); got != want {
				t.Errorf("got the header %s: %q, want %q", name, got, want)
			}
		}
		profile := propertyList(t, a.Body)
		shown := strings.TrimSpace(hostile)
		if got, want := profile["PayloadDescription"], "Adds the calendars and tasks of "+shown+" (ann) as the device "+shown+"."; got != want {
			t.Errorf("got the description %q, want %q", got, want)
		}
		contents, _ := profile["PayloadContent"].([]any)
		if len(contents) != 1 {
			t.Fatalf("got the contents %v, want one account", contents)
		}
		account := contents[0].(map[string]any)
		for name, want := range map[string]any{
			"PayloadType": "com.apple.caldav.account", "CalDAVHostName": "home.example.org", "CalDAVPort": "443", "CalDAVUseSSL": true, "CalDAVUsername": "ann",
		} {
			if got := account[name]; got != want {
				t.Errorf("%q: got %s %v, want %v", hostile, name, got, want)
			}
		}
		password, _ := account["CalDAVPassword"].(string)
		phone.With("Depth", "0").With("Authorization", basicAuth("ann", password)).Do("PROPFIND", account["CalDAVPrincipalURL"].(string)).Want(207)
	}
}

// Each kind of sign-out clears the data that the browser has stored, except for cookies of other
// programs.
func TestEachSignOutClearsTheBrowser(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.BaseURL = "https://example.org" })
	member := h.Member("ann")
	for _, path := range []string{"/world/logout", "/world/identity/logout", "/world/identity/logout/all", "/identity/logout"} {
		session := member.With("Authorization", "").SignIn(apptest.Password)
		web := session.With("Authorization", "").With("Cookie", apptest.CookieName+"="+session.Token)
		a := web.Do("POST", path)
		if got := a.Header.Get("Clear-Site-Data"); got != `"cache", "storage"` {
			t.Errorf("%s: got Clear-Site-Data %s with status %d, want the cache and the storage", path, got, a.Status)
		}
		if c := a.Header.Get("Set-Cookie"); !strings.Contains(c, "Max-Age=0") {
			t.Errorf("%s: got the cookie %s, want it deleted", path, c)
		}
		web.Do("GET", "/identity/me").Want(401)
	}
	if a := member.Do("GET", "/identity/me").Want(401); a.Header.Get("Clear-Site-Data") != "" {
		t.Error("got Clear-Site-Data for a request without a session, want none")
	}
}

// A member can choose a session that ends with the browser. A sign-in without this choice sets a
// cookie that outlasts the browser.
func TestSessionCanEndWithTheBrowser(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	web := h.Unauthenticated()
	lasts := func(a *apptest.Answer) bool {
		t.Helper()
		return strings.Contains(a.Want(303).Header.Get("Set-Cookie"), "Max-Age=15552000")
	}
	signIn := func(stay ...string) *apptest.Answer {
		values := url.Values{"login": {"ann"}, "password": {apptest.Password}, "return_to": {"/app/"}, "stay": stay}
		return web.Do("POST", "/world/login", apptest.Form(values.Encode()))
	}
	if !lasts(signIn()) || !lasts(signIn("no", "yes")) || lasts(signIn("no")) {
		t.Error("got another lifetime of the cookie than the form asks for")
	}
	wrong := web.Do("POST", "/world/login", apptest.Form("login=ann&password=x&stay=no")).Want(401)
	if strings.Contains(wrong.Body, " checked>") {
		t.Error("after a wrong password: got the box checked, want it as it was")
	}
	secret := ann.Do("POST", factorAPI+"/totp", map[string]any{"current_password": apptest.Password}).Want(201).Str("totp.secret")
	ann.Do("POST", factorAPI+"/totp/confirm", map[string]any{"code": apptest.AppCode(ann, secret)}).Want(http.StatusOK)
	h.Clock.Advance(time.Minute)
	second := signIn("no").Want(200)
	answer := form("challenge", hiddenValue(second, "challenge"), "stay", hiddenValue(second, "stay"), "code", apptest.AppCode(ann, secret))
	if lasts(web.Do("POST", "/world/login/second-factor", answer)) {
		t.Error("after the second factor: got a cookie that outlasts the browser, want none")
	}
}

// A sign-in by JSON has the same choice, also with a second factor.
func TestSessionByJSONCanEndWithTheBrowser(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	web := h.Unauthenticated()
	wantLasting := func(want bool, body map[string]any) {
		t.Helper()
		cookie := web.Do("POST", "/identity/login", body).Want(200).Header.Get("Set-Cookie")
		if got := strings.Contains(cookie, "Max-Age=15552000"); got != want {
			t.Errorf("%s: got a cookie that outlasts the browser: %t, want %t", apptest.JSON(body), got, want)
		}
	}
	wantLasting(true, map[string]any{"login": "ann", "password": apptest.Password})
	wantLasting(true, map[string]any{"login": "ann", "password": apptest.Password, "stay": true})
	wantLasting(false, map[string]any{"login": "ann", "password": apptest.Password, "stay": false})
	secret := ann.Do("POST", factorAPI+"/totp", map[string]any{"current_password": apptest.Password}).Want(201).Str("totp.secret")
	ann.Do("POST", factorAPI+"/totp/confirm", map[string]any{"code": apptest.AppCode(ann, secret)}).Want(http.StatusOK)
	h.Clock.Advance(time.Minute)
	challenge := web.Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password, "stay": false}).Want(401).Str("error.second_factor.challenge")
	wantLasting(false, map[string]any{"challenge": challenge, "code": apptest.AppCode(ann, secret), "stay": false})
}
