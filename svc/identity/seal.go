package identity

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"

	"appliance/store"
	"appliance/svc"
)

// errSealed reports a sealed secret that cannot be opened, because the database was
// restored without its key.
var errSealed = errors.New("the key file does not open the secret")

// sealer returns the cipher for secrets (AES-256-GCM), or nil if there is no key and
// create is not set.
func (s *Service) sealer(create bool) (cipher.AEAD, error) {
	if s.cfg.FactorKey == nil {
		return nil, nil
	}
	key, err := s.cfg.FactorKey(create)
	if err != nil || key == nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// associatedData is the associated data that binds a sealed secret to its member.
func associatedData(member svc.MemberID) []byte { return []byte("totp " + member.String()) }

// seal encrypts a secret of a member. The nonce precedes the ciphertext.
func (s *Service) seal(member svc.MemberID, secret string) ([]byte, error) {
	aead, err := s.sealer(true)
	if err != nil {
		return nil, fmt.Errorf("the key of second factors: %w", err)
	}
	nonce := make([]byte, aead.NonceSize())
	rand.Read(nonce)
	return aead.Seal(nonce, nonce, []byte(secret), associatedData(member)), nil
}

// unseal decrypts a secret that seal has encrypted.
func (s *Service) unseal(member svc.MemberID, sealed []byte) (string, error) {
	secret, err := s.decrypt(member, sealed)
	if err != nil {
		return "", svc.Errorf(svc.ServiceUnavailable,
			"This server cannot check codes of authenticator apps, because their key is missing. Use a recovery code or a passkey, or ask the operator to reset your second factor.").WithCause(err)
	}
	return secret, nil
}

func (s *Service) decrypt(member svc.MemberID, sealed []byte) (string, error) {
	aead, err := s.sealer(false)
	if err != nil {
		return "", err
	}
	if aead == nil || len(sealed) < aead.NonceSize() {
		return "", errSealed
	}
	n := aead.NonceSize()
	secret, err := aead.Open(nil, sealed[:n], sealed[n:], associatedData(member))
	if err != nil {
		return "", errSealed
	}
	return string(secret), nil
}

// SealedSecrets counts all authenticator apps, and the apps with a secret that the key file cannot
// decrypt.
func (s *Service) SealedSecrets(tx *store.Tx) (total, unreadable int, err error) {
	var rows []struct {
		Member svc.MemberID `db:"member_id"`
		Secret []byte       `db:"secret"`
	}
	if err := tx.Select(&rows, s.q.SealedSecrets, nil); err != nil {
		return 0, 0, err
	}
	for _, r := range rows {
		if _, err := s.decrypt(r.Member, r.Secret); errors.Is(err, errSealed) {
			unreadable++
		} else if err != nil {
			return 0, 0, err
		}
	}
	return len(rows), unreadable, nil
}
