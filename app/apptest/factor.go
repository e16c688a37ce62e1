package apptest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/pquerna/otp/totp"
)

// Authenticator is a virtual WebAuthn authenticator with one passkey.
type Authenticator struct {
	t          testing.TB
	origin     string // origin that the browser reports
	rp         string // id of the relying party that the browser permits
	key        *ecdsa.PrivateKey
	ID         []byte
	UserHandle string
	counter    uint32
}

// NewAuthenticator returns an authenticator without a passkey, in a browser that shows a page of
// origin. rp is the id of the relying party.
func NewAuthenticator(t testing.TB, origin, rp string) *Authenticator {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &Authenticator{t: t, origin: origin, rp: rp, key: key, ID: make([]byte, 32)}
	rand.Read(a.ID)
	return a
}

var base64url = base64.RawURLEncoding

// Flags of authenticator data (WebAuthn §6.1).
const (
	userPresent    = 1
	userVerified   = 4
	hasCredentials = 64
)

// data returns authenticator data with the flags.
func (a *Authenticator) data(flags byte) []byte {
	a.counter++
	rp := sha256.Sum256([]byte(a.rp))
	return binary.BigEndian.AppendUint32(append(rp[:], flags), a.counter)
}

func (a *Authenticator) clientData(kind string, options any) []byte {
	text, err := json.Marshal(map[string]any{
		"type": kind, "challenge": options.(map[string]any)["challenge"], "origin": a.origin, "crossOrigin": false,
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return text
}

func (a *Authenticator) cbor(v any) []byte {
	b, err := cbor.Marshal(v)
	if err != nil {
		a.t.Fatal(err)
	}
	return b
}

// Create returns the response to the options of navigator.credentials.create.
func (a *Authenticator) Create(options any) map[string]any {
	a.UserHandle = options.(map[string]any)["user"].(map[string]any)["id"].(string)
	public, err := a.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		a.t.Fatal(err)
	}
	cose := a.cbor(map[int]any{1: 2, 3: -7, -1: 1, -2: public[1:33], -3: public[33:]})
	data := a.data(userPresent | userVerified | hasCredentials)
	data = append(data, make([]byte, 16)...) // AAGUID
	data = binary.BigEndian.AppendUint16(data, uint16(len(a.ID)))
	data = append(append(data, a.ID...), cose...)
	return a.credential(map[string]any{
		"clientDataJSON":    base64url.EncodeToString(a.clientData("webauthn.create", options)),
		"attestationObject": base64url.EncodeToString(a.cbor(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data})),
	})
}

// Get returns the response to the options of navigator.credentials.get.
func (a *Authenticator) Get(options any) map[string]any {
	data, client := a.data(userPresent|userVerified), a.clientData("webauthn.get", options)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(data, hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, digest[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return a.credential(map[string]any{
		"clientDataJSON": base64url.EncodeToString(client), "authenticatorData": base64url.EncodeToString(data),
		"signature": base64url.EncodeToString(signature), "userHandle": a.UserHandle,
	})
}

func (a *Authenticator) credential(response map[string]any) map[string]any {
	id := base64url.EncodeToString(a.ID)
	return map[string]any{"id": id, "rawId": id, "type": "public-key", "clientExtensionResults": map[string]any{}, "response": response}
}

const factorAPI = "/world/identity/second-factor"

// AddApp adds an authenticator app as a second factor of the client's member. It
// returns the secret and the recovery codes.
func AddApp(c *Client) (secret string, codes []string) {
	c.T.Helper()
	secret = c.Do("POST", factorAPI+"/totp", map[string]any{"current_password": Password}).Want(201).Str("totp.secret")
	a := c.Do("POST", factorAPI+"/totp/confirm", map[string]any{"code": AppCode(c, secret)}).Want(200)
	for _, code := range a.List("recovery_codes") {
		codes = append(codes, code.(string))
	}
	c.Server.Clock.Advance(time.Minute) // each code is accepted once
	return secret, codes
}

// AppCode returns the code of an authenticator app at the time of the server's clock.
func AppCode(c *Client, secret string) string {
	c.T.Helper()
	code, err := totp.GenerateCode(secret, c.Server.Clock.Now())
	if err != nil {
		c.T.Fatal(err)
	}
	return code
}
