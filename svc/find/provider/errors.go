package provider

import "appliance/svc/words"

// Codes of errors, as responses to members name them.
const (
	Timeout       = "timeout"        // no answer in time
	HTTPError     = "http_error"     // no connection, or a status other than success
	BadResponse   = "bad_response"   // the answer cannot be used
	RateLimited   = "rate_limited"   // too many requests
	NotConfigured = "not_configured" // there is no server to ask
	Blocked       = "blocked"        // the server refers to one that is not permitted
)

// Error is a failed search. Message is safe to show to members; Err is the cause for
// the log of the operator. [Error.In] returns the message in another language.
type Error struct {
	Code      string
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
	text := e.Code + ": " + e.Message
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// subjects are the beginnings of messages, by the name of the search.
var subjects = map[string]string{PlacesName: "The place search %s", PagesName: "The web search %s"}

// errorf returns an error whose message begins with the name of the search.
func (s *source) errorf(code string, retryable bool, cause error, format string, args ...any) *Error {
	return newError(code, retryable, cause, words.Textf(subjects[s.name], words.Textf(format, args...)))
}

// newError returns an error with a message.
func newError(code string, retryable bool, cause error, text words.Text) *Error {
	return &Error{code, text.In(words.English), retryable, cause, text}
}

// badResponse returns the error for an answer that cannot be parsed.
func (s *source) badResponse(cause error) *Error {
	return s.errorf(BadResponse, true, cause, "returned an answer that cannot be read.")
}
