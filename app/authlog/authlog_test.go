package authlog_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"appliance/app/authlog"
	"appliance/app/limits"
	"appliance/svc"
)

// A program such as fail2ban reads the address, the method and the reason of a failed sign-in.
// Failures of the server and challenges of a second factor are not logged.
func TestSignInsAreLogged(t *testing.T) {
	var out bytes.Buffer
	log := authlog.New(slog.New(slog.NewTextHandler(&out, nil)), limits.Proxies{netip.MustParsePrefix("127.0.0.1/32")})
	direct := httptest.NewRequest("POST", "/identity/login", strings.NewReader("hunter2"))
	direct.RemoteAddr = "192.0.2.7:1234"
	behindProxy := httptest.NewRequest("POST", "/identity/login", nil)
	behindProxy.RemoteAddr = "127.0.0.1:1234"
	behindProxy.Header.Set("X-Forwarded-For", "198.51.100.9")
	record, recordFailure := log.Record, log.RecordFailure
	for _, c := range []struct {
		name string
		do   func()
		want string
	}{
		{"success", func() { record(direct, authlog.Password, 7, nil) }, "level=INFO msg=sign-in address=192.0.2.7 method=password member=7"},
		{"failure", func() {
			record(direct, authlog.Password, 0, svc.Errorf(svc.Unauthenticated, "hunter2"))
		}, `level=WARN msg="sign-in failed" address=192.0.2.7 method=password reason=unauthenticated`},
		{"failure behind a proxy", func() {
			record(behindProxy, authlog.Token, 7, svc.Errorf(svc.RateLimited, "Too many."))
		}, `level=WARN msg="sign-in failed" address=198.51.100.9 method=token member=7 reason=rate_limited`},
		{"second factor", func() { record(direct, authlog.Password, 7, svc.Errorf(svc.SecondFactorRequired, "Code?")) }, ""},
		{"no access", func() { record(direct, authlog.Password, 7, svc.Errorf(svc.PermissionDenied, "No.")) }, ""},
		{"failure of the server", func() { record(direct, authlog.Password, 7, errors.New("disk")) }, ""},
		{"confirmed password", func() { recordFailure(direct, authlog.Password, 7, nil) }, ""},
		{"wrong confirmation", func() {
			recordFailure(direct, authlog.Password, 7, svc.Errorf(svc.InvalidValue, "Wrong."))
		}, `level=WARN msg="sign-in failed" address=192.0.2.7 method=password member=7 reason=invalid_value`},
	} {
		out.Reset()
		c.do()
		_, got, _ := strings.Cut(strings.TrimSpace(out.String()), " ") // without the time
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
