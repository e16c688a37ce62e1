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
	h.Settings.SetListener(ln.Addr())
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

// A server that other devices cannot reach by its links says so at the start, with the settings to change.
func TestAddressThatOtherDevicesCannotOpenIsLogged(t *testing.T) {
	for _, c := range []struct {
		listen, base string
		address      net.IP // of the listener
		want         string // beginning of the remedy; "" for no warning
	}{
		{"127.0.0.1:8080", "", net.IPv4(127, 0, 0, 1), "For other devices, set two settings"},
		{"127.0.0.1:8080", "http://nas.local:8080", net.IPv4(127, 0, 0, 1), "Set listen"},
		{":8080", "", net.IPv6unspecified, "Set base-url"},
		{"0.0.0.0:8080", "", net.IPv4zero, "Set base-url"},
		{":8080", "http://nas.local:8080", net.IPv6unspecified, ""},
	} {
		h := apptest.New(t, func(s *config.Settings) { s.Listen, s.BaseURL = c.listen, c.base })
		if err := h.App.Announce(t.Context(), &net.TCPAddr{IP: c.address, Port: 8080}); err != nil {
			t.Fatal(err)
		}
		if got := h.Log.String(); strings.Contains(got, "check=address") != (c.want != "") || !strings.Contains(got, c.want) {
			t.Errorf("listening on %s with base-url %q: got the log\n%s\nwant the warning %q", c.listen, c.base, got, c.want)
		}
	}
}
