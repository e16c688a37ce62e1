package setup

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	"appliance/app/config"
	"appliance/svc"
)

// linkLifetime limits the validity of the link to the set-up page.
const linkLifetime = time.Hour

// NewLink returns a new one-time link to the set-up page and invalidates the previous one.
// The link is kept in a private file of the data directory, so that the command appliance
// setup can replace the link of a running server. It expires linkLifetime after the
// modification time of the file.
func (s *Setup) NewLink() (string, error) {
	link, file, now := s.settings.Link("/setup?code="+svc.NewSecret("")), s.settings.SetupLink(), s.db.Now()
	err := config.WritePrivate(file, link+"\n")
	if err == nil {
		err = os.Chtimes(file, now, now)
	}
	if err != nil {
		return "", fmt.Errorf("writing the set-up link: %w", err)
	}
	return link, nil
}

// CheckCode returns an error unless the code is that of the link and the server has no
// operator.
func (s *Setup) CheckCode(ctx context.Context, code string) error {
	if err := s.checkNeeded(ctx); err != nil {
		return err
	}
	valid, expires, err := s.currentCode()
	if err != nil {
		return err
	}
	if valid == "" || !s.db.Now().Before(expires) || subtle.ConstantTimeCompare([]byte(valid), []byte(code)) != 1 {
		return svc.Errorf(svc.LinkExpired, "This link was used or has expired. For a new one, run appliance setup --link on the machine of the server.")
	}
	return nil
}

// currentCode returns the code of the link and the time at which it expires. The code is ""
// without a link.
func (s *Setup) currentCode() (code string, expires time.Time, err error) {
	file := s.settings.SetupLink()
	info, err := os.Stat(file)
	var text []byte
	if err == nil {
		text, err = os.ReadFile(file)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", time.Time{}, nil
	}
	if err != nil {
		return "", time.Time{}, fmt.Errorf("reading the set-up link: %w", err)
	}
	link, err := url.Parse(strings.TrimSpace(string(text)))
	if err != nil { // the file was changed by hand: there is no valid link
		return "", time.Time{}, nil
	}
	return link.Query().Get("code"), info.ModTime().Add(linkLifetime), nil
}

// removeLinkFile removes the file with the link, which does not work any more.
func (s *Setup) removeLinkFile() {
	if err := os.Remove(s.settings.SetupLink()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("the file with the set-up link was not removed", "err", err)
	}
}
