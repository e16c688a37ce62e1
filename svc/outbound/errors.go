package outbound

import (
	"context"
	"errors"
	"net"
	"net/url"
	"time"
)

// Reason says why a request failed.
type Reason int

// The reasons.
const (
	Unreachable Reason = iota // no connection, or the connection broke
	Blocked                   // the policy does not permit the server
	TimedOut                  // the time limit has passed
	TooLarge                  // the response exceeds its limit
	Invalid                   // the response is not valid HTTP or has an unknown encoding
	Redirected                // the server redirects a request that must not be redirected
)

// Error is a failed request. Its text is for the log of the operator: it may name a server and its
// addresses. It does not contain the URL, because a URL may contain the search text of a member.
type Error struct {
	Reason Reason
	Err    error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// connectError is the error of a failed attempt to connect.
type connectError struct{ error }

func (e connectError) Unwrap() error { return e.error }

// IsConnectFailure reports whether a request failed before a connection was made, so that the
// server has not received it.
func IsConnectFailure(err error) bool {
	_, ok := errors.AsType[connectError](err)
	return ok
}

// ReasonOf returns the reason of an error that a [Client] returned.
func ReasonOf(err error) Reason {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		return TimedOut
	}
	return Unreachable
}

// withReason returns err as an [Error], without the URL that package net/http adds.
func withReason(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return &Error{ReasonOf(err), err}
}

// Response is a complete response of a server.
type Response struct {
	Status       int
	URL          string // after redirects
	ContentType  string
	ETag         string
	LastModified string
	RetryAfter   time.Duration // 0 if the header is absent
	Body         []byte        // decompressed
}
