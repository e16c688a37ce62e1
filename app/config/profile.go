package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"appliance/svc"

	"github.com/BurntSushi/toml"
)

// Profile is the name and the address of the server that the set-up stores, in the form of
// the settings server-name and base-url. Empty values are not stored.
type Profile struct{ ServerName, BaseURL string }

// Source returns the origin of the value of a setting, such as "file data/appliance.toml",
// "environment APPLIANCE_BASE_URL" or "flag --base-url", or "" for its default.
func (s *Settings) Source(name string) string { return s.sources[name] }

// CheckProfile returns the profile in the form in which it is stored. The address is omitted
// if it is that which the server has without base-url.
func (s *Settings) CheckProfile(p Profile) (Profile, error) {
	p = Profile{strings.TrimSpace(p.ServerName), strings.TrimSpace(p.BaseURL)}
	if checkServerName(p.ServerName) != nil {
		return p, svc.FieldError(svc.InvalidValue, "server_name", "The name of the server is a line of at most 60 characters.")
	}
	if p.BaseURL != "" {
		u, err := parseBaseURL(p.BaseURL)
		if err != nil {
			return p, svc.FieldError(svc.InvalidValue, "base_url", "The address of the server begins with http:// or https://, for example https://home.example.org.")
		}
		if p.BaseURL = u.String(); s.BaseURL == "" && p.BaseURL == s.url.String() {
			p.BaseURL = ""
		}
	}
	return p, nil
}

// StoreProfile writes a checked profile to the settings file. The name has effect at once, the
// address after a restart. It reports whether a restart is needed.
func (s *Settings) StoreProfile(p Profile) (restart bool, err error) {
	err = storeValues(s.File(), []value{{"base-url", p.BaseURL}, {"server-name", p.ServerName}})
	if err != nil {
		return false, fmt.Errorf("writing the name and the address of the server to %s: %w", s.File(), err)
	}
	if p.ServerName != "" {
		s.storedName.Store(&p.ServerName)
	}
	return p.BaseURL != "" && p.BaseURL != s.url.String(), nil
}

func checkServerName(name string) error {
	if name != strings.TrimSpace(name) || utf8.RuneCountInString(name) > 60 || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("server-name: %q is not a line of at most 60 characters", name)
	}
	return nil
}

// value is a value of a setting in the settings file.
type value struct{ name, text string }

// storeValues sets the values that are not empty in a settings file, which it creates if
// necessary. It keeps all other lines.
func storeValues(file string, values []value) error {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	changed := string(text)
	for _, v := range slices.Backward(values) { // each new one becomes the first line
		if v.text != "" {
			changed = withValue(changed, v)
		}
	}
	if changed == string(text) {
		return nil
	}
	var decoded map[string]any
	if _, err := toml.Decode(changed, &decoded); err != nil {
		return fmt.Errorf("set them in this file yourself: %w", err)
	}
	return replaceFile(file, changed)
}

// withValue returns the text of a settings file with a value: in place of the line that sets
// it, or in a new first line, which is before all tables.
func withValue(text string, v value) string {
	line := fmt.Sprintf("%s = %s\n", v.name, tomlString(v.text))
	lines := slices.Collect(strings.Lines(text))
	at := slices.IndexFunc(lines, func(l string) bool {
		key, _, _ := strings.Cut(l, "=")
		return strings.TrimSpace(key) == v.name
	})
	if at < 0 {
		return line + text
	}
	lines[at] = line
	return strings.Join(lines, "")
}

// tomlString returns a line of text without control characters as a basic string of TOML.
func tomlString(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
