package transport

import (
	"net/http"

	"appliance/svc"
	"appliance/svc/outbound"
	"appliance/svc/words"
)

// errorf returns an error whose message begins with the name of the provider.
func (c call) errorf(format string, args ...any) *svc.Error {
	return svc.Errorf(svc.TransportFailed, "The provider %s %s", c.endpoint.Provider, words.Text{Format: format, Args: args})
}

// redirectMessage is the end of the message for a redirect.
const redirectMessage = "redirects to another address, which is not permitted. The operator must configure its new address."

// requestError returns the error for a request without a complete response.
func requestError(c call, err error) error {
	e := c.errorf("returned a response that cannot be read.")
	switch outbound.ReasonOf(err) {
	case outbound.TimedOut:
		e = c.errorf("did not answer in time. Try again later.")
		if c.command && !outbound.IsConnectFailure(err) {
			e = c.errorf("did not answer in time. It is unknown whether the action was performed.")
		}
	case outbound.TooLarge:
		e = c.errorf("returned more than %d MiB.", c.maxBody>>20)
	case outbound.Redirected:
		e = c.errorf(redirectMessage)
	case outbound.Blocked:
		e = c.errorf("has no permitted address. The operator must configure it again.")
	case outbound.Unreachable:
		switch {
		case outbound.IsConnectFailure(err):
			e = c.errorf("cannot be reached. Try again later.")
		case c.command:
			e = c.errorf("broke the connection. It is unknown whether the action was performed.")
		default:
			e = c.errorf("broke the connection. Try again later.")
		}
	}
	return e.WithCause(err)
}

// statusError returns the error for a response with a status other than success.
func statusError(c call, r *outbound.Response) error {
	e := c.errorf("answered with status %d.", r.Status)
	switch {
	case r.Status >= 300 && r.Status <= 399:
		e = c.errorf(redirectMessage)
	case r.Status == http.StatusUnauthorized:
		e = c.errorf("rejects the request as unauthorized (status 401). The operator must check the secret.")
	case r.Status == http.StatusForbidden:
		e = c.errorf("denies access (status 403). The operator must check the secret and the address.")
	case r.Status == http.StatusNotFound:
		e = c.errorf("was not found at its address (status 404). The operator must check the address.")
	case r.Status == http.StatusGone:
		e = c.errorf("has ended its service (status 410). The operator can remove it.")
	case r.Status == http.StatusTooManyRequests:
		e = c.errorf("has too many requests (status 429). Try again later.")
	case r.Status >= 500:
		e = c.errorf("failed with status %d. Try again later.", r.Status)
	}
	e.RetryAfter = r.RetryAfter
	return e
}
