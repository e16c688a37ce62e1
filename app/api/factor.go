package api

import (
	"encoding/json"
	"net/http"

	"appliance/app/account"
	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/world/action"
)

// factorOperations declares the operations on the second factors of the member.
func (s *Server) factorOperations() []declaration {
	return []declaration{
		operation[struct{}, secondFactorResponse]{
			Request: "GET /world/identity/second-factor", Traits: httpd.Traits{Enrollment: true, Secret: true},
			Summary: "Read the second factors",
			Do:      s.readSecondFactor,
		},
		operation[confirmation, totpResponse]{
			Action: action.Factors.Endpoint("enroll_totp"), Traits: httpd.Traits{Enrollment: true},
			Summary: "Add an authenticator app", Status: http.StatusCreated, Errors: confirmationErrors,
			Handle: s.enrollTOTP,
		},
		operation[totpRequest, recoveryCodes]{
			Action: action.Factors.Endpoint("confirm_totp"), Traits: httpd.Traits{Enrollment: true},
			Summary: "Confirm an authenticator app", Errors: confirmationErrors,
			Handle: s.confirmTOTP,
		},
		operation[confirmation, deletion]{
			Action: action.Factors.Endpoint("remove_totp"), Traits: httpd.Traits{Enrollment: true},
			Summary: "Remove the authenticator app", Errors: notFoundErrors,
			Handle: s.deleteTOTP,
		},
		operation[confirmation, recoveryCodes]{
			Action: action.Factors.Endpoint("renew_recovery_codes"), Traits: httpd.Traits{Enrollment: true},
			Summary: "Replace the recovery codes", Status: http.StatusCreated, Errors: confirmationErrors,
			Handle: s.renewRecoveryCodes,
		},
		operation[confirmation, identity.NewPasskey]{
			Action: action.Factors.Endpoint("begin_passkey"), Traits: httpd.Traits{Enrollment: true},
			Summary: "Begin to add a passkey", Status: http.StatusCreated, Errors: confirmationErrors,
			Handle: s.beginPasskey,
		},
		operation[passkeyRequest, passkeyResponse]{
			Action: action.Factors.Endpoint("add_passkey"), Traits: httpd.Traits{Enrollment: true},
			Summary: "Add a passkey", Status: http.StatusCreated, Errors: confirmationErrors,
			Handle: s.addPasskey,
		},
		operation[confirmation, deletion]{
			Action: action.Passkeys.Endpoint("delete"), Traits: httpd.Traits{Enrollment: true},
			Summary: "Remove a passkey",
			Handle:  s.deletePasskey,
		},
	}
}

// confirmation proves the identity of a signed-in member again, before a change of
// credentials.
type confirmation account.Confirmation

// qrCode is a QR code.
type qrCode account.QRCode

// confirmationErrors are the statuses of errors of a request that confirms the identity of the
// member.
var confirmationErrors = []int{http.StatusConflict}

type secondFactorResponse = struct {
	SecondFactor identity.SecondFactor `json:"second_factor"`
}

func (s *Server) readSecondFactor(tx *store.Tx, v svc.Viewer, _ struct{}) (secondFactorResponse, error) {
	f, err := s.Identity.SecondFactor(tx, v)
	return secondFactorResponse{f}, err
}

// enrolledTOTP is part of the response to a request that creates the secret of an authenticator
// app. No other response contains it.
type enrolledTOTP struct {
	identity.NewTOTP
	QR qrCode `json:"qr"` // of the URI
}

type totpResponse = struct {
	TOTP enrolledTOTP `json:"totp"`
}

// enrollTOTP creates the secret of an authenticator app.
func (s *Server) enrollTOTP(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (out totpResponse, err error) {
	app, err := s.Accounts.NewTOTP(r, v, account.Confirmation(in))
	if err != nil {
		return out, err
	}
	code, err := account.NewQRCode(app.URI)
	return totpResponse{enrolledTOTP{app, qrCode(code)}}, err
}

// totpRequest is a code of a new authenticator app.
type totpRequest struct {
	Code string `json:"code"`
}

type recoveryCodes = struct {
	RecoveryCodes svc.List[string] `json:"recovery_codes"`
}

// confirmTOTP makes an authenticator app a second factor.
func (s *Server) confirmTOTP(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in totpRequest) (recoveryCodes, error) {
	codes, err := s.Accounts.ConfirmTOTP(r, v, in.Code)
	return recoveryCodes{codes}, err
}

func (s *Server) deleteTOTP(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (deletion, error) {
	return deletion{Deleted: true}, s.Accounts.RemoveTOTP(r, v, account.Confirmation(in))
}

// renewRecoveryCodes replaces the recovery codes.
func (s *Server) renewRecoveryCodes(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (recoveryCodes, error) {
	codes, err := s.Accounts.RenewRecoveryCodes(r, v, account.Confirmation(in))
	return recoveryCodes{codes}, err
}

// beginPasskey returns the options for creating a passkey.
func (s *Server) beginPasskey(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (identity.NewPasskey, error) {
	return s.Accounts.BeginPasskey(r, v, account.Confirmation(in))
}

// passkeyRequest is a new passkey.
type passkeyRequest struct {
	Challenge string          `json:"challenge"`
	Label     string          `json:"label"`
	Passkey   json.RawMessage `json:"passkey"`
}

type passkeyResponse = struct {
	Passkey       identity.Passkey `json:"passkey"`
	RecoveryCodes svc.List[string] `json:"recovery_codes"`
}

// addPasskey stores a new passkey.
func (s *Server) addPasskey(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in passkeyRequest) (passkeyResponse, error) {
	passkey, codes, err := s.Accounts.AddPasskey(r, v, identity.PasskeyRegistration{Challenge: in.Challenge, Label: in.Label, Response: in.Passkey})
	return passkeyResponse{passkey, codes}, err
}

func (s *Server) deletePasskey(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in confirmation) (deletion, error) {
	return deletion{Deleted: true}, s.Accounts.RemovePasskey(r, v, account.Confirmation(in), r.PathValue("id"))
}
