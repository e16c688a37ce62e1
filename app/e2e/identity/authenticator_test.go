package identity

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

// authenticator is a virtual WebAuthn authenticator with one passkey.
type authenticator struct {
	t       testing.TB
	origin  string // origin that the browser reports
	rp      string // id of the relying party that the browser permits
	key     *ecdsa.PrivateKey
	id      []byte
	handle  string // user handle
	counter uint32
}

func newAuthenticator(t testing.TB, origin, rp string) *authenticator {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &authenticator{t: t, origin: origin, rp: rp, key: key, id: make([]byte, 32)}
	rand.Read(a.id)
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
func (a *authenticator) data(flags byte) []byte {
	a.counter++
	rp := sha256.Sum256([]byte(a.rp))
	return binary.BigEndian.AppendUint32(append(rp[:], flags), a.counter)
}

func (a *authenticator) clientData(kind string, options any) []byte {
	text, err := json.Marshal(map[string]any{
		"type": kind, "challenge": options.(map[string]any)["challenge"], "origin": a.origin, "crossOrigin": false,
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return text
}

func (a *authenticator) cbor(v any) []byte {
	b, err := cbor.Marshal(v)
	if err != nil {
		a.t.Fatal(err)
	}
	return b
}

// create returns the response to the options of navigator.credentials.create.
func (a *authenticator) create(options any) map[string]any {
	a.handle = options.(map[string]any)["user"].(map[string]any)["id"].(string)
	public, err := a.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		a.t.Fatal(err)
	}
	cose := a.cbor(map[int]any{1: 2, 3: -7, -1: 1, -2: public[1:33], -3: public[33:]})
	data := a.data(userPresent | userVerified | hasCredentials)
	data = append(data, make([]byte, 16)...) // AAGUID
	data = binary.BigEndian.AppendUint16(data, uint16(len(a.id)))
	data = append(append(data, a.id...), cose...)
	return a.credential(map[string]any{
		"clientDataJSON":    base64url.EncodeToString(a.clientData("webauthn.create", options)),
		"attestationObject": base64url.EncodeToString(a.cbor(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data})),
	})
}

// get returns the response to the options of navigator.credentials.get.
func (a *authenticator) get(options any) map[string]any {
	data, client := a.data(userPresent|userVerified), a.clientData("webauthn.get", options)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(data, hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, digest[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return a.credential(map[string]any{
		"clientDataJSON": base64url.EncodeToString(client), "authenticatorData": base64url.EncodeToString(data),
		"signature": base64url.EncodeToString(signature), "userHandle": a.handle,
	})
}

func (a *authenticator) credential(response map[string]any) map[string]any {
	id := base64url.EncodeToString(a.id)
	return map[string]any{"id": id, "rawId": id, "type": "public-key", "clientExtensionResults": map[string]any{}, "response": response}
}
