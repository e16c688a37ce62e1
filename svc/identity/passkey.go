package identity

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
)

type passkeyQueries struct {
	AddPasskey     store.Query `sql:"add-passkey"`
	Passkeys       store.Query `sql:"passkeys"`
	UsePasskey     store.Query `sql:"use-passkey"`
	DeletePasskey  store.Query `sql:"delete-passkey"`
	DeletePasskeys store.Query `sql:"delete-passkeys"`
}

// maxPasskeys limits the passkeys of a member.
const maxPasskeys = 20

// maxPasskeyResponse limits the response of an authenticator in bytes.
const maxPasskeyResponse = 16 << 10

// Passkey is a passkey (WebAuthn credential) as its owner sees it.
type Passkey struct {
	ID         string     `json:"id"`
	Label      string     `json:"label"`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at"` // null if never
}

// NewPasskey asks the client to create a passkey.
type NewPasskey struct {
	Challenge string    `json:"challenge"` // the client returns it with the passkey
	ExpiresAt time.Time `json:"expires_at"`

	// Options are the options of navigator.credentials.create in their JSON form
	// (WebAuthn §5.1.9).
	Options svc.Map `json:"options"`
}

// passkeyRow is a row of identity_passkey.
type passkeyRow struct {
	ID         string        `db:"id"`
	Credential string        `db:"credential"`
	Label      string        `db:"label"`
	CreatedAt  store.Millis  `db:"created_at"`
	LastUsedAt *store.Millis `db:"last_used_at"`
}

func (s *Service) passkeyRows(tx *store.Tx, member svc.MemberID) (rows []passkeyRow, err error) {
	err = tx.Select(&rows, s.q.Passkeys, store.Args{"member": member})
	return rows, err
}

// passkeys returns the passkeys of a member, oldest first.
func (s *Service) passkeys(tx *store.Tx, member svc.MemberID) ([]Passkey, error) {
	rows, err := s.passkeyRows(tx, member)
	list := make([]Passkey, len(rows))
	for i, r := range rows {
		list[i] = Passkey{ID: r.ID, Label: r.Label, CreatedAt: r.CreatedAt.Timestamp(), LastUsedAt: store.OptionalTimestamp(r.LastUsedAt)}
	}
	return list, err
}

// relyingParty returns the configuration of WebAuthn ceremonies, or an error if this
// server cannot use passkeys.
func (s *Service) relyingParty() (*webauthn.WebAuthn, error) {
	if s.cfg.Origin == "" {
		return nil, svc.Errorf(svc.ActionUnavailable, "Passkeys need HTTPS and a host name. Use an authenticator app.")
	}
	return webauthn.New(&webauthn.Config{RPID: s.cfg.Host, RPDisplayName: s.cfg.Host, RPOrigins: []string{s.cfg.Origin}})
}

// passkeyUser implements [webauthn.User].
type passkeyUser struct {
	handle      []byte
	row         memberRow
	credentials []webauthn.Credential
}

func (u passkeyUser) WebAuthnID() []byte                         { return u.handle }
func (u passkeyUser) WebAuthnName() string                       { return u.row.Email }
func (u passkeyUser) WebAuthnDisplayName() string                { return u.row.DisplayName }
func (u passkeyUser) WebAuthnCredentials() []webauthn.Credential { return u.credentials }

// passkeyUser returns a member with the stored credentials. The user handle differs
// between servers, so that authenticators do not confuse members with the same id.
func (s *Service) passkeyUser(tx *store.Tx, row memberRow) (u passkeyUser, rows []passkeyRow, err error) {
	h := hmac.New(sha256.New, tx.InstanceKey())
	h.Write([]byte("passkey user " + row.ID.String()))
	u = passkeyUser{handle: h.Sum(nil), row: row}
	if rows, err = s.passkeyRows(tx, row.ID); err != nil {
		return u, nil, err
	}
	for _, r := range rows {
		var c webauthn.Credential
		if err := json.Unmarshal([]byte(r.Credential), &c); err != nil {
			return u, nil, err
		}
		u.credentials = append(u.credentials, c)
	}
	return u, rows, nil
}

// BeginPasskey returns the options for creating a passkey for a member who has just
// proved their identity.
func (s *Service) BeginPasskey(tx *store.Tx, p Proof) (NewPasskey, error) {
	row, err := s.provenMember(tx, p)
	if err != nil {
		return NewPasskey{}, err
	}
	party, err := s.relyingParty()
	if err != nil {
		return NewPasskey{}, err
	}
	user, rows, err := s.passkeyUser(tx, row)
	if err != nil {
		return NewPasskey{}, err
	}
	if len(rows) >= maxPasskeys {
		return NewPasskey{}, svc.Errorf(svc.InvalidValue, "You already have %d passkeys. Remove one that you no longer use.", maxPasskeys)
	}
	options, state, err := party.BeginRegistration(user,
		webauthn.WithConveyancePreference(protocol.PreferNoAttestation),
		webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementDiscouraged, UserVerification: protocol.VerificationPreferred,
		}),
		webauthn.WithExclusions(webauthn.Credentials(user.credentials).CredentialDescriptors()))
	if err != nil {
		return NewPasskey{}, err
	}
	var n NewPasskey
	if n.Options, err = jsonMap(options.Response); err != nil {
		return n, err
	}
	n.Challenge, n.ExpiresAt, err = s.addChallenge(tx, registrationChallenge, row, "", store.JSON(state))
	return n, err
}

// jsonMap returns v as a JSON object.
func jsonMap(v any) (m svc.Map, err error) {
	encoded, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return m, json.Unmarshal(encoded, &m)
}

// PasskeyRegistration is the answer to a NewPasskey.
type PasskeyRegistration struct {
	Challenge string
	Label     string          // describes the device
	Response  json.RawMessage // RegistrationResponseJSON (WebAuthn §5.1.8)
}

// AddPasskey stores a passkey of v. It ends all sessions except the one with the token
// keepTokenID. If the passkey is the first factor, it returns the recovery codes.
func (s *Service) AddPasskey(tx *store.Tx, v svc.Viewer, in PasskeyRegistration, keepTokenID string) (Passkey, svc.List[string], error) {
	id, err := v.Require()
	if err != nil {
		return Passkey{}, nil, err
	}
	in.Label = strings.TrimSpace(in.Label)
	if err := svc.CheckName("label", in.Label); err != nil {
		return Passkey{}, nil, err
	}
	c, row, err := s.challenge(tx, registrationChallenge, in.Challenge)
	if err == nil && c.Member != id {
		err = errChallengeExpired()
	}
	if err != nil {
		return Passkey{}, nil, err
	}
	credential, err := s.verifyRegistration(tx, row, c.Ceremony, in.Response)
	if err != nil {
		return Passkey{}, nil, err
	}
	k := Passkey{ID: svc.NewID("pky"), Label: in.Label, CreatedAt: store.MillisOf(tx.Now()).Timestamp()}
	_, err = tx.Exec(s.q.AddPasskey, store.Args{
		"id": k.ID, "member": id, "credential_id": credential.ID, "credential": store.JSON(credential), "label": k.Label,
		"now": store.MillisOf(tx.Now()),
	})
	if store.IsConstraint(err) {
		return Passkey{}, nil, svc.Errorf(svc.AlreadyExists, "This passkey has been added already.")
	}
	if err != nil {
		return Passkey{}, nil, err
	}
	codes, err := s.completeAddition(tx, row, k.ID, keepTokenID) // also deletes the challenge
	return k, codes, err
}

// verifyRegistration returns the credential of a response to BeginPasskey, without its
// attestation.
func (s *Service) verifyRegistration(tx *store.Tx, row memberRow, ceremony string, response []byte) (*webauthn.Credential, error) {
	party, err := s.relyingParty()
	if err != nil {
		return nil, err
	}
	var state webauthn.SessionData
	if err := json.Unmarshal([]byte(ceremony), &state); err != nil {
		return nil, err
	}
	user, _, err := s.passkeyUser(tx, row)
	if err != nil {
		return nil, err
	}
	invalid := svc.FieldError(svc.InvalidValue, "passkey", "This passkey was not accepted. Try again.")
	if len(response) > maxPasskeyResponse {
		return nil, invalid
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(response)
	if err != nil {
		return nil, invalid.WithCause(err)
	}
	credential, err := party.CreateCredential(user, state, parsed)
	if err != nil {
		return nil, invalid.WithCause(err)
	}
	credential.Attestation = webauthn.CredentialAttestation{}
	return credential, nil
}

// RemovePasskey removes a passkey of a member who has just proved their identity.
func (s *Service) RemovePasskey(tx *store.Tx, p Proof, id, keepTokenID string) error {
	row, err := s.provenMember(tx, p)
	if err != nil {
		return err
	}
	n, err := tx.Exec(s.q.DeletePasskey, store.Args{"id": id, "member": row.ID})
	if err != nil {
		return err
	}
	if n == 0 {
		return svc.Errorf(svc.NotFound, "It has already been removed.")
	}
	return s.completeRemoval(tx, row, id, keepTokenID)
}

// beginAssertion returns the options for using a passkey, and the state of the
// ceremony.
func (s *Service) beginAssertion(tx *store.Tx, row memberRow) (options svc.Map, ceremony string, err error) {
	party, err := s.relyingParty()
	if err != nil {
		return nil, "", err
	}
	user, _, err := s.passkeyUser(tx, row)
	if err != nil {
		return nil, "", err
	}
	assertion, state, err := party.BeginLogin(user, webauthn.WithUserVerification(protocol.VerificationPreferred))
	if err != nil {
		return nil, "", err
	}
	options, err = jsonMap(assertion.Response)
	return options, store.JSON(state), err
}

// usePasskey verifies an assertion. It returns the method, or "" if the assertion is
// wrong.
func (s *Service) usePasskey(tx *store.Tx, row memberRow, ceremony string, response []byte) (method string, err error) {
	party, err := s.relyingParty()
	if err != nil || ceremony == "" || len(response) > maxPasskeyResponse {
		return "", err
	}
	var state webauthn.SessionData
	if err := json.Unmarshal([]byte(ceremony), &state); err != nil {
		return "", err
	}
	user, rows, err := s.passkeyUser(tx, row)
	if err != nil {
		return "", err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(response)
	if err != nil {
		return "", nil
	}
	credential, err := party.ValidateLogin(user, state, parsed)
	if err != nil || credential.Authenticator.CloneWarning { // the counter went back
		return "", nil
	}
	for i, c := range user.credentials {
		if string(c.ID) == string(credential.ID) {
			_, err = tx.Exec(s.q.UsePasskey, store.Args{
				"id": rows[i].ID, "credential": store.JSON(credential), "now": store.MillisOf(tx.Now()),
			})
		}
	}
	return withPasskey, err
}
