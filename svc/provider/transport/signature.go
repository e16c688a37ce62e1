package transport

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Sizes of a secret in bytes, as Standard Webhooks limits them.
const (
	minSecret = 24
	newSecret = 32
	maxSecret = 64
)

// secretPrefix begins the text of a secret.
const secretPrefix = "whsec_"

// NewSecret returns a new random secret.
func NewSecret() []byte {
	secret := make([]byte, newSecret)
	rand.Read(secret)
	return secret
}

// FormatSecret returns the text of a secret: whsec_ and its base64 form.
func FormatSecret(secret []byte) string {
	return secretPrefix + base64.StdEncoding.EncodeToString(secret)
}

// ParseSecret returns the secret with the given text, which may be surrounded by white
// space.
func ParseSecret(text string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(strings.TrimSpace(text), secretPrefix)
	secret, err := base64.StdEncoding.DecodeString(encoded)
	switch {
	case !ok || err != nil:
		return nil, errors.New("a secret consists of " + secretPrefix + " and base64 text")
	case len(secret) < minSecret || len(secret) > maxSecret:
		return nil, fmt.Errorf("a secret has %d to %d bytes before it is encoded, this one has %d", minSecret, maxSecret, len(secret))
	}
	return secret, nil
}

// sign adds the headers that sign a body: the id of the message, the time of the
// attempt and the signature of both and the body.
func sign(h http.Header, secret []byte, id string, at time.Time, body []byte) {
	seconds := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s.%s", id, seconds, body)
	h.Set("Webhook-Id", id)
	h.Set("Webhook-Timestamp", seconds)
	h.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}
