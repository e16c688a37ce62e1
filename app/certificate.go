package app

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"appliance/app/config"
	"appliance/app/health"
)

// certificate is a TLS certificate loaded from files. It is read again when the
// files change, so that a renewal needs no restart of the server.
type certificate struct {
	cert, key string
	log       *slog.Logger

	mu        sync.Mutex
	loaded    *tls.Certificate
	modTimes  [2]time.Time // modification times of the loaded files
	lastError string       // last logged error; "" after a successful load
}

func loadCertificate(cert, key string, log *slog.Logger) (*certificate, error) {
	c := &certificate{cert: cert, key: key, log: log}
	if _, err := c.get(nil); err != nil {
		return nil, err
	}
	return c, nil
}

// explainCertificate returns the error for files that contain no usable certificate. It hides the
// cause from [store.ExplainAccess], since keys must not change their owner.
func explainCertificate(err error) error {
	advice := "set tls-cert to the PEM file of the certificate with its chain, and tls-key to that of the private key that belongs to it"
	if errors.Is(err, fs.ErrPermission) {
		advice = "this program runs as a user who may not read the file: see appliance help https"
	}
	return fmt.Errorf("the certificate: %v: %s", err, advice)
}

// reload makes the next handshake read the files again, whatever their modification
// times are, and logs the result.
func (c *certificate) reload() {
	c.mu.Lock()
	c.modTimes, c.lastError = [2]time.Time{}, ""
	c.mu.Unlock()
	if loaded, err := c.get(nil); err == nil && c.isCurrent() {
		c.log.Info("certificate loaded", "file", c.cert, "expires", loaded.Leaf.NotAfter)
	}
}

// isCurrent reports whether the certificate in use is the one in the files.
func (c *certificate) isCurrent() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lastError == ""
}

// get implements [tls.Config.GetCertificate]. While the files are unreadable or the
// key does not match the certificate, it returns the last valid certificate and
// logs each error once.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var modTimes [2]time.Time
	var err error
	for i, name := range []string{c.cert, c.key} {
		info, statErr := os.Stat(name)
		if err = errors.Join(err, statErr); statErr == nil {
			modTimes[i] = info.ModTime()
		}
	}
	if err == nil && (c.loaded == nil || modTimes != c.modTimes) {
		var pair tls.Certificate
		if pair, err = tls.LoadX509KeyPair(c.cert, c.key); err == nil {
			c.loaded, c.modTimes, c.lastError = &pair, modTimes, ""
		} else {
			err = fmt.Errorf("%s with the key %s: %w", c.cert, c.key, err)
		}
	}
	if c.loaded == nil {
		return nil, explainCertificate(err)
	}
	if err != nil && err.Error() != c.lastError {
		c.lastError = err.Error()
		c.log.Warn("the new certificate cannot be used; the old one is still in use", "err", err)
	}
	return c.loaded, nil
}

// current returns the certificate in use, nil for none.
func (c *certificate) current() *tls.Certificate {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.loaded
}

// leaf returns the certificate in use without its chain, nil for none.
func (c *certificate) leaf() *x509.Certificate {
	if loaded := c.current(); loaded != nil {
		return loaded.Leaf
	}
	return nil
}

// CheckCertificate returns the certificate that the settings name, nil for none.
func CheckCertificate(settings *config.Settings) (*x509.Certificate, error) {
	if settings.TLSCert == "" {
		return nil, nil
	}
	c, err := loadCertificate(settings.TLSCert, settings.TLSKey, slog.New(slog.DiscardHandler))
	return c.leaf(), err
}

// logCertificate logs what is wrong with the certificate in use.
func (a *App) logCertificate(context.Context) error {
	a.logDiagnoses(health.Certificate(a.certificate.leaf(), a.Settings.URL(), a.DB.Now()))
	return nil
}

// logDiagnoses logs problems and warnings with their remedies.
func (a *App) logDiagnoses(list []health.Diagnosis) {
	for _, d := range list {
		if d.State != health.StateOK {
			a.Log.Warn(d.Message+" "+d.Remedy, "check", d.Check)
		}
	}
}
