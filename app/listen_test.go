package app_test

import (
	"context"
	"net"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// serve serves on the address of the settings until the test ends, and returns
// the URL.
func serve(h *apptest.Server) (url string) {
	h.T.Helper()
	listenAndServe(h)
	return h.Settings.URL().String()
}

// listenAndServe is like serve, but returns the address of the listener.
func listenAndServe(h *apptest.Server) net.Addr {
	h.T.Helper()
	ln, err := h.App.Listen()
	if err != nil {
		h.T.Fatal(err)
	}
	h.Settings.SetPort(ln.Addr())
	ctx, stop := context.WithCancel(h.T.Context())
	done := make(chan error, 1)
	go func() { done <- h.App.ServeOn(ctx, ln) }()
	h.T.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			h.T.Error(err)
		}
	})
	return ln.Addr()
}

// Without base-url the links of the server would contain localhost.
func TestListeningOnAllAddressesWithoutBaseURLIsLogged(t *testing.T) {
	for _, c := range []struct {
		listen, base string
		address      net.IP // of the listener
		want         bool
	}{
		{"127.0.0.1:8080", "", net.IPv4(127, 0, 0, 1), false},
		{":8080", "", net.IPv6unspecified, true},
		{"0.0.0.0:8080", "", net.IPv4zero, true},
		{":8080", "http://nas.local:8080", net.IPv6unspecified, false},
	} {
		h := apptest.New(t, func(s *config.Settings) { s.Listen, s.BaseURL = c.listen, c.base })
		if err := h.App.Announce(t.Context(), &net.TCPAddr{IP: c.address, Port: 8080}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(h.Log.String(), "level=WARN") && strings.Contains(h.Log.String(), "set base-url"); got != c.want {
			t.Errorf("listening on %s with base-url %q: got a warning: %t, want %t\n%s", c.listen, c.base, got, c.want, h.Log)
		}
	}
}
