package svc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind is what sort of failure it is. Each edge maps kinds to its own words
// once: HTTP statuses, DAV preconditions, exit statuses.
type Kind int

const (
	Internal        Kind = iota // our fault; the cause is for the operator only
	Malformed                   // the request cannot be read, or lacks something
	Unprocessable               // it can be read, and cannot be done
	Anonymous                   // nobody is signed in and somebody must be
	Forbidden                   // visible, but not this member's to do
	Missing                     // absent, or not visible to this viewer: the same answer
	Conflict                    // it exists already, or something is in the way
	Stale                       // somebody else changed it first
	TooLarge                    // more than is ever accepted
	OverQuota                   // the member may not store more
	UnknownMedia                // a body of a kind that is not read here
	WrongMethod                 // the path is known, the method is not
	TooMany                     // later, please
	UpstreamFailure             // a third party failed
	Unavailable                 // a part of this program is off or cannot work now
)

// Code names one failure. Codes are published: their names never change.
type Code struct {
	Name string
	Kind Kind
}

// Codes is the published list.
var Codes []Code

// code publishes a code.
func code(name string, kind Kind) Code {
	c := Code{name, kind}
	Codes = append(Codes, c)
	return c
}

// The published codes: the closed list of schema service.error version 1.
var (
	InternalError         = code("internal_error", Internal)
	MalformedBody         = code("malformed_body", Malformed)
	FieldRequired         = code("field_required", Malformed)
	InvalidParameter      = code("invalid_parameter", Malformed)
	RuntimeHeaderRequired = code("runtime_header_required", Malformed)
	MemberContextRequired = code("member_context_required", Malformed)
	InvalidValue          = code("invalid_value", Unprocessable)
	TooLong               = code("too_long", Unprocessable)
	EndBeforeStart        = code("end_before_start", Unprocessable)
	InvalidRecurrence     = code("invalid_recurrence", Unprocessable)
	DefaultCalendar       = code("default_calendar", Unprocessable)
	LastOperator          = code("last_operator", Unprocessable)
	LastOwner             = code("last_owner", Unprocessable)
	InvitationClosed      = code("invitation_closed", Unprocessable)
	RecipientAmbiguous    = code("recipient_ambiguous", Unprocessable)
	ConversationClosed    = code("conversation_closed", Unprocessable)
	ParticipantsFixed     = code("thread_participants_fixed", Unprocessable)
	RecipientUnavailable  = code("recipient_unavailable", Unprocessable)
	NoCommonGround        = code("no_common_ground", Unprocessable)
	EventFull             = code("event_full", Unprocessable)
	EventCancelled        = code("event_cancelled", Unprocessable)
	EventEnded            = code("event_ended", Unprocessable)
	SurfaceNotInStack     = code("surface_not_in_stack", Unprocessable)
	FindingNotOpenable    = code("finding_not_openable", Unprocessable)
	WeakPassword          = code("weak_password", Unprocessable)
	IdempotencyMismatch   = code("idempotency_key_reused", Unprocessable)
	Unauthenticated       = code("unauthenticated", Anonymous)
	InvalidCredentials    = code("invalid_credentials", Anonymous)
	PermissionDenied      = code("permission_denied", Forbidden)
	RegistrationClosed    = code("registration_closed", Forbidden)
	EmailReserved         = code("email_reserved", Forbidden)
	CrossOrigin           = code("cross_origin", Forbidden)
	ThreadAccessDenied    = code("thread_access_denied", Forbidden)
	SocialOwnedField      = code("social_owned_field", Forbidden)
	NotFound              = code("not_found", Missing)
	RecipientNotFound     = code("recipient_not_found", Missing)
	LinkExpired           = code("link_expired", Missing)
	AlreadyExists         = code("already_exists", Conflict)
	ActionUnavailable     = code("action_unavailable", Conflict)
	VersionConflict       = code("version_conflict", Stale)
	BodyTooLarge          = code("body_too_large", TooLarge)
	QuotaExceeded         = code("quota_exceeded", OverQuota)
	UnsupportedMedia      = code("unsupported_media_type", UnknownMedia)
	MethodNotAllowed      = code("method_not_allowed", WrongMethod)
	RateLimited           = code("rate_limited", TooMany)
	ServiceUnavailable    = code("service_unavailable", Unavailable)
	OverlayNotPersisted   = code("overlay_not_persisted", Unavailable)
)

// Error is a failure with two audiences: Message and Fields are for the member
// and safe to show, Err is for the operator and only ever logged.
type Error struct {
	Code       Code
	Message    string // a sentence in plain text that says what to do next
	Fields     []Field
	Guidance   *Guidance     // what to do instead, nil where there is nothing
	RetryAfter time.Duration // when to try again, for TooMany and Down; else 0
	Err        error
}

// Field is what is wrong with one part of the request.
type Field struct {
	Name    string `json:"name"`
	Pointer string `json:"pointer"` // JSON Pointer into the body; "" for a query parameter
	Code    string `json:"code"`
	Message string `json:"message"`
	Max     int    `json:"max,omitzero"` // the limit, for too_long

	Candidates []Candidate `json:"candidates,omitzero"` // whom it may mean, for recipient_ambiguous
}

// Candidate is one member among several that a name may mean.
type Candidate struct {
	ID          MemberID `json:"id"`
	Username    string   `json:"username"`
	DisplayName string   `json:"display_name"`
}

// Guidance leads from what cannot be done to what can (B-53).
type Guidance struct {
	Kind    string               `json:"kind"`    // "use_messages"
	Targets List[string]         `json:"targets"` // what to create or use
	Actions List[GuidanceAction] `json:"actions"`
}

// GuidanceAction is something that can be done instead.
type GuidanceAction struct {
	Label  string `json:"label"`
	Type   string `json:"type"`
	Method string `json:"method"`
	URL    string `json:"url"`
}

func (e *Error) Error() string {
	text := e.Code.Name + ": " + e.Message
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorResponse is an error as it is answered in JSON: the one shape of all of them
// (B-01). Schema: service.error.
type ErrorResponse struct {
	Error ErrorDetail `json:"error"`
}

// ErrorDetail is what a Failure says.
type ErrorDetail struct {
	Code      string      `json:"code"`      // one of the published codes
	Message   string      `json:"message"`   // for people, in plain text
	Retryable bool        `json:"retryable"` // the same request may succeed later
	Fields    List[Field] `json:"fields"`
	Guidance  *Guidance   `json:"guidance"`   // what to do instead, null where there is nothing
	RequestID string      `json:"request_id"` // also in the header X-Request-Id
}

// Errorf returns a failure with a message for the member.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// WithCause returns e with its cause, for the log.
func (e *Error) WithCause(err error) *Error {
	e.Err = err
	return e
}

// FieldError returns a failure of one field of the body, such as title or
// context.id.
func FieldError(code Code, name, format string, args ...any) *Error {
	e := Errorf(code, format, args...)
	e.Fields = []Field{{Name: name, Pointer: "/" + strings.ReplaceAll(name, ".", "/"), Code: code.Name, Message: e.Message}}
	return e
}

// ParameterError returns a failure of one query parameter.
func ParameterError(name, format string, args ...any) *Error {
	e := FieldError(InvalidParameter, name, format, args...)
	e.Fields[0].Pointer = ""
	return e
}

// Required returns the failure of a body that lacks the field.
func Required(name string) *Error {
	return FieldError(FieldRequired, name, "%s is required.", name)
}

// PrefixFields says of an error in which part of the body its fields are.
func PrefixFields(part string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	in := *e
	in.Fields = slices.Clone(e.Fields)
	for i := range in.Fields {
		in.Fields[i].Name = part + "." + in.Fields[i].Name
		in.Fields[i].Pointer = "/" + strings.ReplaceAll(in.Fields[i].Name, ".", "/")
	}
	return &in
}

// Join makes one failure of several, nil of none. The first one's code and
// message stand for all, and the fields of each are kept. An error that is not
// an *Error is returned as it is.
func Join(errs ...error) error {
	var all *Error
	for _, err := range errs {
		var e *Error
		switch {
		case err == nil:
		case !errors.As(err, &e):
			return err
		case all == nil:
			first := *e
			first.Fields = slices.Clone(e.Fields)
			all = &first
		default:
			all.Fields = append(all.Fields, e.Fields...)
		}
	}
	if all == nil {
		return nil
	}
	return all
}

// KindOf returns the kind of err: Internal for whatever is not an *Error.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Code.Kind
	}
	return Internal
}
