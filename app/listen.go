package app

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"

	"appliance/app/config"
	"appliance/app/limits"
)

// listen returns a listener for the address in the settings that limits the number
// of connections. cert is the certificate that the settings name, nil for none.
func listen(settings *config.Settings, log *slog.Logger) (ln net.Listener, cert *certificate, err error) {
	if ln, err = openPort(settings.Listen); err != nil {
		return nil, nil, err
	}
	sizes, refusals := limits.NewSizes(limits.Files()), limits.NewRefusals(log)
	ln = limits.NewListener(ln, limits.NewCountLimiter(sizes.Connections, sizes.PerAddress), settings.Proxies(), func(addr string) {
		refusals.Add("refused connections: too many are open", "address", addr)
	})
	if settings.TLSCert == "" {
		return ln, nil, nil
	}
	cert, err = loadCertificate(settings.TLSCert, settings.TLSKey, log)
	if err != nil {
		return nil, nil, errors.Join(err, ln.Close())
	}
	return ln, cert, nil
}

// openPort returns a listener on the socket that systemd passes, if there is one
// (sd_listen_fds(3)), and otherwise listens on address.
func openPort(address string) (net.Listener, error) {
	if pid, _ := unsetVariable("LISTEN_PID"); pid == strconv.Itoa(os.Getpid()) {
		count, _ := unsetVariable("LISTEN_FDS")
		unsetVariable("LISTEN_FDNAMES")
		if count != "1" {
			return nil, fmt.Errorf("systemd passed %s sockets; this program listens on one", count)
		}
		return inheritedListener(3) // SD_LISTEN_FDS_START
	}
	ln, err := net.Listen("tcp", address)
	switch {
	case IsAddressInUse(err):
		return nil, fmt.Errorf("%w: stop the program that uses it, or choose another address with --listen", err)
	case errors.Is(err, syscall.EADDRNOTAVAIL), errors.As(err, new(*net.DNSError)):
		_, port, _ := net.SplitHostPort(address)
		return nil, fmt.Errorf("%w: this is not an address of this machine: set listen to one of its addresses, or to 0.0.0.0:%s for all", err, port)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%w: only root may use ports below 1024: set listen to a higher port, or see appliance help systemd for the capability to use them", err)
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

// inheritedListener returns the listener of a file descriptor that systemd passed.
func inheritedListener(fd uintptr) (net.Listener, error) {
	f := os.NewFile(fd, "socket from systemd")
	if f == nil {
		return nil, errors.New("systemd passed no socket")
	}
	defer f.Close() // FileListener duplicates the descriptor
	ln, err := net.FileListener(f)
	if err != nil {
		return nil, fmt.Errorf("the socket from systemd: %w", err)
	}
	return ln, nil
}

// notify sends a state to systemd (sd_notify(3)). It does nothing if socket is
// empty, which means that systemd did not start the process.
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
