package provider

import (
	"appliance/svc"
	"appliance/svc/words"
)

// Code classifies a failed search. Responses to members contain it.
type Code string

const (
	Timeout       Code = "timeout"        // no answer in time
	HTTPError     Code = "http_error"     // no connection, or a status other than success
	BadResponse   Code = "bad_response"   // the answer cannot be used
	RateLimited   Code = "rate_limited"   // too many requests
	NotConfigured Code = "not_configured" // there is no server to ask
	Blocked       Code = "blocked"        // the server refers to one that is not permitted
)

// Values implements [svc.Set].
func (Code) Values() []string {
	return svc.Values(Timeout, HTTPError, BadResponse, RateLimited, NotConfigured, Blocked)
}

// Error is a failed search. Message is safe to show to members; Err is the cause for
// the log of the operator. [Error.In] returns the message in another language.
type Error struct {
	Code      Code
	Message   string
	Retryable bool // whether the same search may succeed later
	Err       error

	text words.Text // Message before its translation
}

// In returns the message in the language l.
func (e *Error) In(l words.Language) string {
	if e.text.Format == "" {
		return e.Message
	}
	return e.text.In(l)
}

func (e *Error) Error() string {
	text := string(e.Code) + ": " + e.Message
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// subjects are the beginnings of messages, by the name of the search.
var subjects = map[string]string{PlacesName: "The place search %s", PagesName: "The web search %s"}

// errorf returns an error whose message begins with the name of the search.
func (s *source) errorf(code Code, retryable bool, cause error, format string, args ...any) *Error {
	return newError(code, retryable, cause, words.Textf(subjects[s.name], words.Textf(format, args...)))
}

// newError returns an error with a message.
func newError(code Code, retryable bool, cause error, text words.Text) *Error {
	return &Error{code, text.In(words.English), retryable, cause, text}
}

// badResponse returns the error for an answer that cannot be parsed.
func (s *source) badResponse(cause error) *Error {
	return s.errorf(BadResponse, true, cause, "returned an answer that cannot be read.")
}
