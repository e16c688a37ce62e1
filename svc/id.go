package svc

import (
	"crypto/rand"
	"encoding/base64"
	"strings"

	"github.com/oklog/ulid/v2"
)

// NewID returns a new id: the prefix, an underscore and a lower-case ULID. Ids sort
// by creation time and need no escaping in URLs.
func NewID(prefix string) string {
	return prefix + "_" + strings.ToLower(ulid.Make().String())
}

// NewSecret returns a new secret: the prefix and 32 random bytes in base64url. It is
// used for tokens and one-time links.
func NewSecret(prefix string) string {
	b := make([]byte, 32)
	rand.Read(b)
	return prefix + base64.RawURLEncoding.EncodeToString(b)
}
