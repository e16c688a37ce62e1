// Package account does what the pages and the operations of the JSON interface both do
// with the accounts of members: it tells who sent a request, signs members in and out,
// registers them, and changes their passwords and second factors.
//
// # Files
//
//   - account.go: Service and its dependencies
//   - request.go: credentials and clients of requests
//   - signin.go: sign-in, registration, reset of a password, sign-out
//   - password.go: confirmation of the identity, passwords
//   - factor.go: second factors
//   - qr.go: QR codes
package account

import (
	"appliance/app/authlog"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc/identity"
)

// Service does what members do with their accounts by requests.
type Service struct {
	db       *store.DB
	identity *identity.Service
	rates    *limits.Limiter
	guard    *limits.Guard
	signIns  *authlog.Log
	proxies  limits.Proxies
}

// New returns a Service. guard limits attempts with wrong secrets, rates registrations;
// signIns logs attempts to sign in. proxies are those that the server trusts.
func New(db *store.DB, identity *identity.Service, rates *limits.Limiter, guard *limits.Guard, signIns *authlog.Log, proxies limits.Proxies) *Service {
	return &Service{db, identity, rates, guard, signIns, proxies}
}
