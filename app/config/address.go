package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"appliance/store"
)

// PublishAddress writes the URL of the server and the address of its listener to the
// address file, a line each. The server calls it while it holds the lock of the data
// directory, and removes the file when it stops.
func (s *Settings) PublishAddress() error {
	if err := WritePrivate(s.AddressFile(), s.url.String()+"\n"+s.Listen+"\n"); err != nil {
		return fmt.Errorf("writing the address of the server: %w", err)
	}
	return nil
}

// UseServerAddress replaces the URL and the address of the listener with those of the server
// that runs on the data directory, which may have been started with other flags or variables. The flag
// --base-url of the command takes precedence. It reports whether a server is
// running. The address file of a server that was killed is ignored, because nothing
// holds the lock.
func (s *Settings) UseServerAddress() (running bool, err error) {
	running, err = store.IsLocked(s.Data)
	if err != nil || !running || s.sources["base-url"] == "flag --base-url" {
		return running, err
	}
	text, err := os.ReadFile(s.AddressFile())
	if errors.Is(err, fs.ErrNotExist) { // the server is starting, or another command holds the lock
		return true, nil
	}
	if err != nil {
		return true, fmt.Errorf("reading the address of the server: %w", err)
	}
	address, listen, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return true, fmt.Errorf("%s contains no address: restart the server", s.AddressFile())
	}
	s.url, s.Listen = u, listen
	return true, nil
}
