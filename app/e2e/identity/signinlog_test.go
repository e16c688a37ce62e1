package identity

import (
	"log/slog"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/app/manual"
)

// signInLines returns the log lines about sign-ins without their timestamps: each
// begins with the attribute level.
func signInLines(s *apptest.Server) (lines []string) {
	for line := range strings.Lines(s.Log.String()) {
		if i := strings.Index(line, "level="); strings.Contains(line, "sign-in") {
			lines = append(lines, strings.TrimSpace(line[i:]))
		}
	}
	return lines
}

// Covers B-101.
func TestEachSignInIsLoggedOnce(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	web := s.Unauthenticated()
	login := func(login, password string) {
		web.Do("POST", "/identity/login", map[string]any{"login": login, "password": password})
	}
	find := func(login, password string) {
		web.With("Authorization", basicAuth(login, password)).With("Depth", "0").Do("PROPFIND", "/caldav/")
	}
	device := ann.Do("POST", "/world/identity/device-passwords", `{"label": "Phone"}`).Want(201).Str("device_password.password")
	*s.Log = apptest.Log{}
	login("ann", apptest.Password)
	login("ann", "typed in the wrong field")
	login("a secret typed as the name", "x")
	find("ann", apptest.Password)
	find("ann", apptest.Password) // not logged: the verification is cached for ten minutes
	find("ann", device)
	find("ann", "wrong")
	web.With("Authorization", "Bearer svc_x").Do("GET", "/identity/me").Want(401)
	web.Do("GET", "/identity/me").Want(401)
	web.Do("POST", "/world/reset/unknown", form("password", "new password"))
	want := []string{
		`level=INFO msg=sign-in address=127.0.0.1 method=password member=1`,
		`level=WARN msg="sign-in failed" address=127.0.0.1 method=password member=1 reason=invalid_credentials`,
		`level=WARN msg="sign-in failed" address=127.0.0.1 method=password reason=invalid_credentials`,
		`level=INFO msg=sign-in address=127.0.0.1 method=password member=1`,
		`level=INFO msg=sign-in address=127.0.0.1 method=device-password member=1`,
		`level=WARN msg="sign-in failed" address=127.0.0.1 method=password member=1 reason=invalid_credentials`,
		`level=WARN msg="sign-in failed" address=127.0.0.1 method=token reason=unauthenticated`,
		`level=WARN msg="sign-in failed" address=127.0.0.1 method=reset-link reason=link_expired`,
	}
	if got := signInLines(s); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if log := s.Log.String(); strings.Contains(log, "typed") {
		t.Errorf("got what the client typed in the log\n%s", log)
	}
}

// The filter of the manual matches the lines in both formats, with the address of the
// client behind a trusted proxy. Covers B-101.
func TestManualFilterMatchesFailedSignIns(t *testing.T) {
	var filters []*regexp.Regexp
	for _, topic := range manual.Topics() {
		for line := range strings.Lines(topic.Text) {
			line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "failregex ="))
			if topic.Name == "monitoring" && strings.Contains(line, "<HOST>") {
				filters = append(filters, regexp.MustCompile(strings.Replace(line, "<HOST>", `(?P<host>[0-9.]+)`, 1)))
			}
		}
	}
	if len(filters) != 2 {
		t.Fatalf("got %d expressions in the manual, want 2", len(filters))
	}
	s := apptest.New(t, func(s *config.Settings) {
		s.TrustedProxies = []config.Network{{Prefix: netip.MustParsePrefix("127.0.0.1/32")}}
	})
	s.Member("ann")
	s.Unauthenticated().With("X-Forwarded-For", "203.0.113.7").Do("POST", "/identity/login", map[string]any{"login": "ann", "password": "wrong"}).Want(401)
	lines := signInLines(s)
	var entry strings.Builder
	slog.New(slog.NewJSONHandler(&entry, nil)).Warn("sign-in failed", "address", "203.0.113.7", "method", "password", "reason", "invalid_credentials")
	for i, line := range []string{lines[len(lines)-1], entry.String()} {
		if m := filters[i].FindStringSubmatch(line); m == nil || m[filters[i].SubexpIndex("host")] != "203.0.113.7" {
			t.Errorf("%s: got %v for %s, want the address of the client", filters[i], m, line)
		}
	}
	for _, other := range []string{`level=INFO msg=sign-in address=203.0.113.7 method=password`, `msg="sign-in failed" address=203.0.113.7 method=token`} {
		if filters[0].MatchString(other) {
			t.Errorf("got a match of %s, want none", other)
		}
	}
}
