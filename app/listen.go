package app

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"appliance/app/config"
)

// listen opens the port, for HTTPS if the settings name a certificate.
func listen(settings *config.Settings, log *slog.Logger) (net.Listener, error) {
	ln, err := openPort(settings.Listen)
	if err != nil || settings.TLSCert == "" {
		return ln, err
	}
	cert, err := loadCertificate(settings.TLSCert, settings.TLSKey, log)
	if err != nil {
		return nil, errors.Join(err, ln.Close())
	}
	return tls.NewListener(ln, &tls.Config{GetCertificate: cert.get, NextProtos: []string{"h2", "http/1.1"}}), nil
}

// openPort returns the socket that systemd passes, if there is one
// (sd_listen_fds(3)), and otherwise listens on address.
func openPort(address string) (net.Listener, error) {
	if pid, _ := unsetVariable("LISTEN_PID"); pid == strconv.Itoa(os.Getpid()) {
		count, _ := unsetVariable("LISTEN_FDS")
		unsetVariable("LISTEN_FDNAMES")
		if count != "1" {
			return nil, fmt.Errorf("systemd passed %s sockets; this program listens on one", count)
		}
		return inherited(3) // the first passed descriptor
	}
	ln, err := net.Listen("tcp", address)
	if IsAddressInUse(err) {
		return nil, fmt.Errorf("%w: stop the program that uses it, or choose another address with --listen", err)
	}
	return ln, err
}

// IsAddressInUse reports whether err means that another program uses the port.
func IsAddressInUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }

// unsetVariable returns an environment variable of systemd and unsets it,
// because child processes must not use it.
func unsetVariable(name string) (value string, ok bool) {
	value, ok = os.LookupEnv(name)
	os.Unsetenv(name)
	return value, ok
}

func inherited(fd uintptr) (net.Listener, error) {
	f := os.NewFile(fd, "socket from systemd")
	if f == nil {
		return nil, errors.New("systemd passed no socket")
	}
	defer f.Close() // FileListener has duplicated it
	ln, err := net.FileListener(f)
	if err != nil {
		return nil, fmt.Errorf("the socket from systemd: %w", err)
	}
	return ln, nil
}

// notify sends a state to systemd (sd_notify(3)). Without systemd it does
// nothing.
func notify(socket, state string) error {
	if socket == "" {
		return nil
	}
	if strings.HasPrefix(socket, "@") { // an abstract socket
		socket = "\x00" + socket[1:]
	}
	c, err := net.Dial("unixgram", socket)
	if err != nil {
		return fmt.Errorf("notifying systemd: %w", err)
	}
	defer c.Close()
	_, err = c.Write([]byte(state))
	return err
}

// certificate is a certificate in files. It is read again when they change, so
// that the server need not be restarted after a renewal.
type certificate struct {
	cert, key string
	log       *slog.Logger

	mu      sync.Mutex
	loaded  *tls.Certificate
	changed [2]time.Time // modification times of the loaded files
	logged  string       // last error that was logged
}

func loadCertificate(cert, key string, log *slog.Logger) (*certificate, error) {
	c := &certificate{cert: cert, key: key, log: log}
	if _, err := c.get(nil); err != nil {
		return nil, err
	}
	return c, nil
}

// get implements [tls.Config.GetCertificate]. While the files are unreadable or
// do not match, it returns the last valid certificate and logs each error once.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var changed [2]time.Time
	var err error
	for i, name := range []string{c.cert, c.key} {
		info, statErr := os.Stat(name)
		if err = errors.Join(err, statErr); statErr == nil {
			changed[i] = info.ModTime()
		}
	}
	if err == nil && (c.loaded == nil || changed != c.changed) {
		var pair tls.Certificate
		if pair, err = tls.LoadX509KeyPair(c.cert, c.key); err == nil {
			c.loaded, c.changed, c.logged = &pair, changed, ""
		} else {
			err = fmt.Errorf("%s with the key %s: %w", c.cert, c.key, err)
		}
	}
	if c.loaded == nil {
		return nil, fmt.Errorf("the certificate: %w", err)
	}
	if err != nil && err.Error() != c.logged {
		c.logged = err.Error()
		c.log.Warn("the new certificate cannot be used; the old one is still in use", "err", err)
	}
	return c.loaded, nil
}
