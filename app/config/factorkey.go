package config

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"appliance/store"
)

// factorKeySize is the length of the key of second factors in bytes.
const factorKeySize = 32

// FactorKeyFile returns the path of the file with the key that seals the secrets of
// authenticator apps. Backups do not contain it.
func (s *Settings) FactorKeyFile() string { return filepath.Join(s.Data, "second-factor.key") }

// FactorKey returns the key that seals the secrets of authenticator apps. If the file
// does not exist, FactorKey creates it if create is set, and returns nil otherwise.
func (s *Settings) FactorKey(create bool) ([]byte, error) {
	s.factorKeyMu.Lock()
	defer s.factorKeyMu.Unlock()
	file := s.FactorKeyFile()
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && create:
		return createFactorKey(file)
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return parseFactorKey(file, string(text))
}

// ReadFactorKey reads a copy of the key file.
func ReadFactorKey(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parseFactorKey(file, string(text))
}

func parseFactorKey(file, text string) ([]byte, error) {
	key, err := base64.RawURLEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != factorKeySize {
		return nil, fmt.Errorf("%s is not a key file of this program", file)
	}
	return key, nil
}

func createFactorKey(file string) ([]byte, error) {
	key := make([]byte, factorKeySize)
	rand.Read(key)
	return key, WriteFactorKey(file, key)
}

// WriteFactorKey writes the key file durably: a secret that was sealed with a lost key
// cannot be opened.
func WriteFactorKey(file string, key []byte) error {
	partial := file + ".partial"
	if err := WritePrivate(partial, base64.RawURLEncoding.EncodeToString(key)+"\n"); err != nil {
		return err
	}
	return store.RenameDurably(partial, file)
}
