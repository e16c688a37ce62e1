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
// the log of the operator.
type Error struct {
	Code      string
	Message   words.Text
	Retryable bool // whether the same search may succeed later
	Err       error
}

func (e *Error) Error() string {
	text := e.Code + ": " + e.Message.In(words.English)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// subjects are the names of the searches in messages.
var subjects = map[string]words.Word{PlacesName: "place search", PagesName: "web search"}

// errorf returns an error whose message begins with the name of the search.
func (s *source) errorf(code string, retryable bool, cause error, format string, args ...any) *Error {
	return &Error{code, words.Textf("The %s %s", subjects[s.name], words.Textf(format, args...)), retryable, cause}
}

// badResponse returns the error for an answer that cannot be parsed.
func (s *source) badResponse(cause error) *Error {
	return s.errorf(BadResponse, true, cause, "returned an answer that cannot be read.")
}
