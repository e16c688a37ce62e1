package app

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"

	"appliance/app/config"
)

// Exports for external tests.

func Listen(settings *config.Settings, log *slog.Logger) (net.Listener, error) {
	ln, _, err := listen(settings, log)
	return ln, err
}

// Listen is [Listen] with the settings of the app, which then knows the certificate.
func (a *App) Listen() (ln net.Listener, err error) {
	ln, a.certificate, err = listen(a.Settings, a.Log)
	return ln, err
}

// Certificate exports the type certificate.
type Certificate struct{ *certificate }

func LoadCertificate(cert, key string, log *slog.Logger) (Certificate, error) {
	c, err := loadCertificate(cert, key, log)
	return Certificate{c}, err
}

func (c Certificate) Reload() { c.reload() }

func (c Certificate) Get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) { return c.get(hello) }

func (a *App) ServeOn(ctx context.Context, ln net.Listener) error {
	return a.serve(ctx, ln, func(string) {})
}

func (a *App) Announce(ctx context.Context, addr net.Addr) error { return a.announce(ctx, addr, nil) }
