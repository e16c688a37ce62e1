// Package authlog writes one log line for each attempt to sign in, successful or
// not. The manual documents the format of the lines, for programs such as fail2ban.
package authlog

import (
	"errors"
	"log/slog"
	"net/http"

	"appliance/app/limits"
	"appliance/svc"
)

// Sign-in methods for attempts without a session. A session has the name of its
// method.
const (
	Password       = "password"
	SecondFactor   = "second-factor"
	Token          = "token"
	InvitationLink = "invitation-link"
	ResetLink      = "reset-link"
	SetUpLink      = "set-up-link"
	DeviceLink     = "device-link"
)

// Log logs attempts to sign in.
type Log struct {
	log     *slog.Logger
	proxies limits.Proxies
}

// New returns a Log that writes to log. For a client behind one of the proxies it
// logs the address of the client.
func New(log *slog.Logger, proxies limits.Proxies) *Log { return &Log{log, proxies} }

// Record logs the result of a sign-in: success if err is nil. member is 0 if the
// account is unknown. The line never contains text from the client, because it may
// be a password that was typed into the wrong field. Server errors and the error
// that asks for a second factor are not logged.
func (l *Log) Record(r *http.Request, method string, member svc.MemberID, err error) {
	attrs := []any{"address", l.proxies.ClientAddr(r).String(), "method", method}
	if member != 0 {
		attrs = append(attrs, "member", member.String())
	}
	if err == nil {
		l.log.Info("sign-in", attrs...)
		return
	}
	var e *svc.Error
	if !errors.As(err, &e) || e.Code == svc.SecondFactorRequired {
		return
	}
	switch e.Code.Kind {
	case svc.Anonymous, svc.Unprocessable, svc.Missing, svc.TooMany:
		l.log.Warn("sign-in failed", append(attrs, "reason", e.Code.Name)...)
	}
}

// RecordFailure is like Record but logs nothing if err is nil. It is for checks
// that are not sign-ins, for example when a signed-in member confirms their
// password.
func (l *Log) RecordFailure(r *http.Request, method string, member svc.MemberID, err error) {
	if err != nil {
		l.Record(r, method, member, err)
	}
}
