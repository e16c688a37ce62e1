package account

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// changeFactors confirms the identity of the member and calls change with the proof.
// keepTokenID is the id of the token of the request: a change that revokes the tokens
// of the member keeps this one valid.
func (s *Service) changeFactors(r *http.Request, v svc.Viewer, in Confirmation, change func(tx *store.Tx, p identity.Proof, keepTokenID string) error) error {
	caller, err := s.Authenticate(r)
	if err != nil {
		return err
	}
	proof, err := s.Confirm(r, v, in)
	if err != nil {
		return err
	}
	return s.db.Write(r.Context(), func(tx *store.Tx) error { return change(tx, proof, caller.TokenID) })
}

// RemoveTOTP removes the authenticator app.
func (s *Service) RemoveTOTP(r *http.Request, v svc.Viewer, in Confirmation) error {
	return s.changeFactors(r, v, in, s.identity.RemoveTOTP)
}

// NewTOTP creates the secret of an authenticator app, which waits for its first code.
func (s *Service) NewTOTP(r *http.Request, v svc.Viewer, in Confirmation) (app identity.NewTOTP, err error) {
	proof, err := s.Confirm(r, v, in)
	if err != nil {
		return app, err
	}
	err = s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
		app, err = s.identity.EnrollTOTP(tx, proof)
		return err
	})
	return app, err
}

// ConfirmTOTP makes the new authenticator app a second factor, and returns the recovery
// codes if it is the first one. All other sessions end.
func (s *Service) ConfirmTOTP(r *http.Request, v svc.Viewer, code string) (codes svc.List[string], err error) {
	if code == "" {
		return nil, svc.Required("code")
	}
	caller, err := s.Authenticate(r)
	if err != nil {
		return nil, err
	}
	err = s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
		codes, err = s.identity.ConfirmTOTP(tx, v, code, caller.TokenID)
		return err
	})
	return codes, err
}

// RenewRecoveryCodes replaces the recovery codes.
func (s *Service) RenewRecoveryCodes(r *http.Request, v svc.Viewer, in Confirmation) (codes svc.List[string], err error) {
	err = s.changeFactors(r, v, in, func(tx *store.Tx, p identity.Proof, _ string) (err error) {
		codes, err = s.identity.RenewRecoveryCodes(tx, p)
		return err
	})
	return codes, err
}

// BeginPasskey returns the options for creating a passkey.
func (s *Service) BeginPasskey(r *http.Request, v svc.Viewer, in Confirmation) (p identity.NewPasskey, err error) {
	err = s.changeFactors(r, v, in, func(tx *store.Tx, proof identity.Proof, _ string) (err error) {
		p, err = s.identity.BeginPasskey(tx, proof)
		return err
	})
	return p, err
}

// AddPasskey makes a passkey a second factor, and returns the recovery codes if it is the
// first one. All other sessions end.
func (s *Service) AddPasskey(r *http.Request, v svc.Viewer, in identity.PasskeyRegistration) (passkey identity.Passkey, codes svc.List[string], err error) {
	caller, err := s.Authenticate(r)
	if err != nil {
		return passkey, nil, err
	}
	err = s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
		passkey, codes, err = s.identity.AddPasskey(tx, v, in, caller.TokenID)
		return err
	})
	return passkey, codes, err
}

// RemovePasskey removes a passkey.
func (s *Service) RemovePasskey(r *http.Request, v svc.Viewer, in Confirmation, id string) error {
	return s.changeFactors(r, v, in, func(tx *store.Tx, p identity.Proof, keepTokenID string) error {
		return s.identity.RemovePasskey(tx, p, id, keepTokenID)
	})
}
