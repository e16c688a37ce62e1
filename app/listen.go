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

// listen opens the one port, for HTTPS if there is a certificate.
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

// openPort returns the socket that systemd hands over if it does, else one at
// address.
func openPort(address string) (net.Listener, error) {
	if pid, _ := variableOnce("LISTEN_PID"); pid == strconv.Itoa(os.Getpid()) {
		count, _ := variableOnce("LISTEN_FDS")
		variableOnce("LISTEN_FDNAMES")
		if count != "1" {
			return nil, fmt.Errorf("systemd hands over %s sockets; this program serves on one", count)
		}
		return inherited(3) // sd_listen_fds(3): the first one
	}
	ln, err := net.Listen("tcp", address)
	if isInUse(err) {
		return nil, fmt.Errorf("%w: stop the program that uses it, or choose another address with --listen", err)
	}
	return ln, err
}

// isInUse reports whether err is that another program has the port.
func isInUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }

// variableOnce reads a variable of systemd's and unsets it, so that no child
// takes it for its own.
func variableOnce(name string) (value string, ok bool) {
	value, ok = os.LookupEnv(name)
	os.Unsetenv(name)
	return value, ok
}

func inherited(fd uintptr) (net.Listener, error) {
	f := os.NewFile(fd, "socket from systemd")
	if f == nil {
		return nil, errors.New("systemd handed over no socket")
	}
	defer f.Close() // FileListener keeps a copy, which is closed on exec
	ln, err := net.FileListener(f)
	if err != nil {
		return nil, fmt.Errorf("the socket from systemd: %w", err)
	}
	return ln, nil
}

// notify tells systemd how the service is doing (sd_notify(3)). Without
// systemd it does nothing.
func notify(socket, state string) error {
	if socket == "" {
		return nil
	}
	if strings.HasPrefix(socket, "@") { // an abstract socket
		socket = "\x00" + socket[1:]
	}
	c, err := net.Dial("unixgram", socket)
	if err != nil {
		return fmt.Errorf("telling systemd: %w", err)
	}
	defer c.Close()
	_, err = c.Write([]byte(state))
	return err
}

// certificate is a certificate in files, which is read again when they change:
// whoever renews it need not restart the server.
type certificate struct {
	cert, key string
	log       *slog.Logger

	mu      sync.Mutex
	loaded  *tls.Certificate
	changed [2]time.Time // when the files of what is loaded were written
	said    string       // what the log says of newer ones
}

func loadCertificate(cert, key string, log *slog.Logger) (*certificate, error) {
	c := &certificate{cert: cert, key: key, log: log}
	if _, err := c.get(nil); err != nil {
		return nil, err
	}
	return c, nil
}

// get is for tls.Config.GetCertificate. While the files cannot be read, or do
// not belong together yet, the last good certificate is used, and the log says
// so once.
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
			c.loaded, c.changed, c.said = &pair, changed, ""
		} else {
			err = fmt.Errorf("%s with the key %s: %w", c.cert, c.key, err)
		}
	}
	if c.loaded == nil {
		return nil, fmt.Errorf("the certificate: %w", err)
	}
	if err != nil && err.Error() != c.said {
		c.said = err.Error()
		c.log.Warn("the new certificate cannot be used, the old one stays", "err", err)
	}
	return c.loaded, nil
}
