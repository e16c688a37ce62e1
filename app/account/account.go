// Package account contains the operations on accounts that the pages and the JSON interface
// share: it authenticates requests, signs members in and out, registers them, and changes their
// passwords and second factors.
//
// # Files
//
//   - account.go: Service and its dependencies
//   - request.go: credentials and clients of requests
//   - signin.go: sign-in, registration, reset of a password, sign-out
//   - password.go: confirmation of the identity, passwords
//   - factor.go: second factors
//   - devicelink.go: links to set up a device
//   - qr.go: QR codes
package account

import (
	"appliance/app/authlog"
	"appliance/app/config"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc/identity"
)

// Service performs the operations on accounts that requests ask for.
type Service struct {
	settings *config.Settings
	db       *store.DB
	identity *identity.Service
	rates    *limits.Limiter
	guard    *limits.Guard
	signIns  *authlog.Log
	proxies  limits.Proxies
}

// New returns a Service. guard limits attempts with wrong secrets, rates registrations;
// signIns logs attempts to sign in. proxies are those that the server trusts.
func New(settings *config.Settings, db *store.DB, identity *identity.Service, rates *limits.Limiter, guard *limits.Guard, signIns *authlog.Log) *Service {
	return &Service{settings, db, identity, rates, guard, signIns, settings.Proxies()}
}
