package svc

import (
	"crypto/rand"
	"encoding/base64"
	"strings"

	"github.com/oklog/ulid/v2"
)

// NewID returns a new id: the prefix, an underscore and a ULID in lower case,
// so that ids sort by age and stand in a URL as they are.
func NewID(prefix string) string {
	return prefix + "_" + strings.ToLower(ulid.Make().String())
}

// NewSecret returns the prefix and 32 random bytes in base64url, for tokens
// and one-time links.
func NewSecret(prefix string) string {
	b := make([]byte, 32)
	rand.Read(b)
	return prefix + base64.RawURLEncoding.EncodeToString(b)
}
