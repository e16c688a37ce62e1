package config

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"appliance/svc"
)

// Portable returns the settings that are set, with their sources, for a backup. keys are the names
// of those that are secret and therefore have no place in a backup. Settings that name the
// data directory are left out.
func (s *Settings) Portable() (list []Setting, keys []string, err error) {
	_, model, err := newParser(new(Settings))
	if err != nil {
		return nil, nil, err
	}
	for _, f := range model {
		value, isSet := s.values[f.Name]
		switch {
		case !isSet || f.Name == "data" || f.Name == "config":
		case f.Tag.Has("secret"):
			keys = append(keys, f.Name)
		default:
			list = append(list, Setting{f.Name, value, s.sources[f.Name]})
		}
	}
	return list, keys, nil
}

// IsFromFile reports whether a settings file sets the value.
func (s Setting) IsFromFile() bool { return strings.HasPrefix(s.Origin, "file ") }

// Difference is a setting whose value on this machine differs from that of a backup.
type Difference struct {
	Name   string `json:"name"`
	Backup string `json:"backup"`
	Here   string `json:"here"`
}

// Comparison compares the settings of a backup with those of this machine.
type Comparison struct {
	Taken   svc.List[Setting]    `json:"taken"`     // from the settings file of the backup, not set here
	Differ  svc.List[Difference] `json:"different"` // set here to another value, which stays
	Missing svc.List[Setting]    `json:"missing"`   // not set here, and not taken
	Keys    svc.List[string]     `json:"keys"`      // secret settings that are not set here
}

// Compare compares the settings of a backup, as [Settings.Portable] has returned them, with s. A
// certificate whose file does not exist here is missing, and so is what a variable or a flag set, or
// what belongs to the other machine.
func (s *Settings) Compare(list []Setting, keys []string) Comparison {
	var c Comparison
	for _, b := range list {
		here, isSet := s.values[b.Name]
		switch {
		case isSet && here != b.Value:
			c.Differ = append(c.Differ, Difference{b.Name, b.Value, here})
		case isSet:
		case b.IsFromFile() && !b.IsOfMachine() && (!b.isCertificate() || certificateExists(list)):
			c.Taken = append(c.Taken, b)
		default:
			c.Missing = append(c.Missing, b)
		}
	}
	for _, name := range keys {
		if _, isSet := s.values[name]; !isSet {
			c.Keys = append(c.Keys, name)
		}
	}
	return c
}

// IsOfMachine reports whether the setting describes the network of a machine. On another machine
// its address may not exist, and its proxies and hosts may be those of strangers.
func (s Setting) IsOfMachine() bool {
	return s.Name == "listen" || s.Name == "trusted-proxies" || s.Name == "fetch-allow-hosts"
}

func (s Setting) isCertificate() bool { return s.Name == "tls-cert" || s.Name == "tls-key" }

// certificateExists reports whether the files of the certificate in a list of settings exist here.
func certificateExists(list []Setting) bool {
	return !slices.ContainsFunc(list, func(s Setting) bool {
		_, err := os.Stat(s.Value)
		return s.isCertificate() && err != nil
	})
}

// AddToFile adds settings to a settings file, which it creates if necessary. It returns a
// function that restores the previous file.
func AddToFile(file string, list []Setting) (undo func() error, err error) {
	text, err := os.ReadFile(file)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err != nil && !isNew {
		return nil, err
	}
	values := make([]value, len(list))
	for i, s := range list {
		values[i] = value{s.Name, s.Value}
	}
	undo = func() error {
		if isNew {
			return os.Remove(file)
		}
		return replaceFile(file, string(text))
	}
	return undo, storeValues(file, values)
}
