package transport

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The example is a test of the reference implementations of Standard Webhooks.
func TestSignatureEqualsThatOfTheReferenceImplementation(t *testing.T) {
	secret, err := ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	h := make(http.Header)
	sign(h, secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	for name, want := range map[string]string{
		"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330", "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestNewSecretsAreDifferentAndCanBeParsed(t *testing.T) {
	a, b := NewSecret(), NewSecret()
	if bytes.Equal(a, b) || len(a) != 32 {
		t.Errorf("got %d bytes and %x twice, want different secrets of 32 bytes", len(a), a)
	}
	if got, err := ParseSecret(" " + FormatSecret(a) + "\n"); err != nil || !bytes.Equal(got, a) {
		t.Errorf("got %x, %v, want %x", got, err, a)
	}
}

func TestParseSecretRejectsOtherTexts(t *testing.T) {
	encode := base64.StdEncoding.EncodeToString
	for size, valid := range map[int]bool{23: false, 24: true, 64: true, 65: false} {
		if _, err := ParseSecret(secretPrefix + encode(make([]byte, size))); (err == nil) != valid {
			t.Errorf("%d bytes: got %v, want it accepted: %t", size, err, valid)
		}
	}
	key := bytes.Repeat([]byte{0xff}, 32)
	for _, text := range []string{"", "whsec_", encode(key), "whsk_" + encode(key), "whsec_" + base64.URLEncoding.EncodeToString(key), "whsec_" + base64.RawStdEncoding.EncodeToString(key)} {
		_, err := ParseSecret(text)
		if err == nil || len(text) > 10 && strings.Contains(err.Error(), text[10:]) {
			t.Errorf("%s: got %v, want an error without the secret", text, err)
		}
	}
}
