package svc

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"appliance/svc/words"
)

// Kind is the category of an error. Each interface maps kinds to its own results in
// one place: HTTP statuses, DAV preconditions, exit statuses.
type Kind int

const (
	Internal        Kind = iota // server error; the cause is only logged
	Malformed                   // the request cannot be parsed or is incomplete
	Unprocessable               // the request violates a rule
	Anonymous                   // the request requires authentication
	Forbidden                   // the viewer can see the object but is not permitted to do this
	Missing                     // the object does not exist or is not visible to the viewer
	Conflict                    // the object already exists, or its state forbids the request
	Stale                       // the object has changed since the client read it
	TooLarge                    // the body exceeds its limit
	OverQuota                   // the member's storage quota is exhausted
	DiskFull                    // the disk of the server is full
	UnknownMedia                // unsupported media type of the body
	WrongMethod                 // the path does not support the method
	TooMany                     // rate limit exceeded
	UpstreamFailure             // a remote server failed
	Unavailable                 // a service is off or temporarily unable to work
)

// Code is a published error code. Names of codes never change.
type Code struct {
	Name string
	Kind Kind
}

// Codes lists all published codes.
var Codes []Code

// CodeName is the name of one of the Codes.
type CodeName string

// Values implements [Set].
func (CodeName) Values() []string {
	names := make([]string, len(Codes))
	for i, c := range Codes {
		names[i] = c.Name
	}
	return names
}

// addCode adds a code to Codes.
func addCode(name string, kind Kind) Code {
	c := Code{name, kind}
	Codes = append(Codes, c)
	return c
}

// The published codes, as listed in version 1 of the schema service.error.
var (
	InternalError          = addCode("internal_error", Internal)
	MalformedBody          = addCode("malformed_body", Malformed)
	FieldRequired          = addCode("field_required", Malformed)
	InvalidParameter       = addCode("invalid_parameter", Malformed)
	RuntimeHeaderRequired  = addCode("runtime_header_required", Malformed)
	MemberContextRequired  = addCode("member_context_required", Malformed)
	InvalidValue           = addCode("invalid_value", Unprocessable)
	TooLong                = addCode("too_long", Unprocessable)
	EndBeforeStart         = addCode("end_before_start", Unprocessable)
	InvalidRecurrence      = addCode("invalid_recurrence", Unprocessable)
	RecurrenceAmbiguous    = addCode("recurrence_ambiguous", Unprocessable)
	ComponentNotSupported  = addCode("component_not_supported", Unprocessable)
	DefaultCalendar        = addCode("default_calendar", Unprocessable)
	LastOperator           = addCode("last_operator", Unprocessable)
	LastOwner              = addCode("last_owner", Unprocessable)
	InvitationClosed       = addCode("invitation_closed", Unprocessable)
	RecipientAmbiguous     = addCode("recipient_ambiguous", Unprocessable)
	ConversationClosed     = addCode("conversation_closed", Unprocessable)
	ParticipantsFixed      = addCode("thread_participants_fixed", Unprocessable)
	RecipientUnavailable   = addCode("recipient_unavailable", Unprocessable)
	NoCommonGround         = addCode("no_common_ground", Unprocessable)
	EventFull              = addCode("event_full", Unprocessable)
	EventCancelled         = addCode("event_cancelled", Unprocessable)
	EventEnded             = addCode("event_ended", Unprocessable)
	SurfaceNotInStack      = addCode("surface_not_in_stack", Unprocessable)
	FindingNotOpenable     = addCode("finding_not_openable", Unprocessable)
	SurfaceNotTranslatable = addCode("surface_not_translatable", Unprocessable)
	SourceNotAllowed       = addCode("source_not_allowed", Unprocessable)
	SourceNotSupported     = addCode("source_not_supported", Unprocessable)
	LocationRequired       = addCode("location_required", Unprocessable)
	WeakPassword           = addCode("weak_password", Unprocessable)
	WorkLimitExceeded      = addCode("work_limit_exceeded", Unprocessable)
	ProviderRejected       = addCode("provider_payload_rejected", Unprocessable)
	IdempotencyMismatch    = addCode("idempotency_key_reused", Unprocessable)
	Unauthenticated        = addCode("unauthenticated", Anonymous)
	InvalidCredentials     = addCode("invalid_credentials", Anonymous)
	SecondFactorRequired   = addCode("second_factor_required", Anonymous)
	ChallengeExpired       = addCode("challenge_expired", Anonymous)
	PermissionDenied       = addCode("permission_denied", Forbidden)
	EnrollmentRequired     = addCode("second_factor_enrollment_required", Forbidden)
	RegistrationClosed     = addCode("registration_closed", Forbidden)
	EmailReserved          = addCode("email_reserved", Forbidden)
	CrossOrigin            = addCode("cross_origin", Forbidden)
	ThreadAccessDenied     = addCode("thread_access_denied", Forbidden)
	SocialOwnedField       = addCode("social_owned_field", Forbidden)
	ActionDenied           = addCode("action_denied", Forbidden)
	NotFound               = addCode("not_found", Missing)
	RecipientNotFound      = addCode("recipient_not_found", Missing)
	LinkExpired            = addCode("link_expired", Missing)
	AlreadyExists          = addCode("already_exists", Conflict)
	ActionDisabled         = addCode("action_disabled", Conflict)
	ActionUnavailable      = addCode("action_unavailable", Conflict)
	VersionConflict        = addCode("version_conflict", Stale)
	BodyTooLarge           = addCode("body_too_large", TooLarge)
	QuotaExceeded          = addCode("quota_exceeded", OverQuota)
	InsufficientStorage    = addCode("insufficient_storage", DiskFull)
	UnsupportedMedia       = addCode("unsupported_media_type", UnknownMedia)
	MethodNotAllowed       = addCode("method_not_allowed", WrongMethod)
	RateLimited            = addCode("rate_limited", TooMany)
	SourceFetchFailed      = addCode("source_fetch_failed", UpstreamFailure)
	ProviderFailed         = addCode("provider_failed", UpstreamFailure)
	TransportFailed        = addCode("provider_transport_failed", UpstreamFailure)
	ProviderResult         = addCode("provider_result_invalid", UpstreamFailure)
	ServiceUnavailable     = addCode("service_unavailable", Unavailable)
	OverlayNotPersisted    = addCode("overlay_not_persisted", Unavailable)
)

// Error is an error of a request. Message, Fields and Guidance are safe to show
// to the member. Err is the cause for the operator and is only logged.
type Error struct {
	Code       Code
	Message    string // plain text: the problem and the next step
	Fields     []Field
	Guidance   *Guidance     // alternatives; may be nil
	RetryAfter time.Duration // when to try again, for TooMany, UpstreamFailure and Unavailable; 0 if unknown
	Challenge  *Challenge    // for SecondFactorRequired; otherwise nil
	Current    any           // for VersionConflict: the record as it is now; may be nil
	Err        error

	text words.Text // Message before its translation
}

// Field is an error of one field or parameter of the request.
type Field struct {
	Name    string `json:"name"`
	Pointer string `json:"pointer"` // JSON Pointer (RFC 6901) into the body; "" for a query parameter
	Code    string `json:"code"`
	Message string `json:"message"`
	Max     int    `json:"max,omitzero"` // the limit, for too_long

	Candidates []Candidate      `json:"candidates,omitzero"` // matching members, for recipient_ambiguous
	Calendars  []CalendarChoice `json:"calendars,omitzero"`  // calendars that accept the entry, for component_not_supported
	Options    []RuleOption     `json:"options,omitzero"`    // rules to choose from, for recurrence_ambiguous

	text words.Text // Message before its translation
}

// RuleOption is a recurrence rule that the member can choose: the same request with this
// rrule succeeds.
type RuleOption struct {
	RRule string       `json:"rrule"`
	Label string       `json:"label"`
	Next  List[string] `json:"next"` // the next three dates, in the form of the start of an entry

	MovedFrom string       `json:"moved_from"` // the date that the request moves
	MovedTo   *string      `json:"moved_to"`   // its new time with this rule; null if the series no longer has it
	Ends      List[string] `json:"ends"`       // the next three dates that the series no longer has, as far as another one does not take their place

	label func(words.Language) string
}

// WithLabel returns the option with a label that depends on the language.
func (o RuleOption) WithLabel(label func(words.Language) string) RuleOption {
	o.Label, o.label = label(words.English), label
	return o
}

// CalendarChoice is a calendar that the member can choose instead.
type CalendarChoice struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Candidate is one of the members that match an ambiguous name.
type Candidate struct {
	ID          MemberID `json:"id"`
	Username    string   `json:"username"`
	DisplayName string   `json:"display_name"`
	Appearance
}

// Challenge asks a member who has proved the password for the second factor. The
// client returns it with the answer.
type Challenge struct {
	Challenge string             `json:"challenge"`
	Methods   List[FactorMethod] `json:"methods"`
	ExpiresAt time.Time          `json:"expires_at"` // five minutes after the password

	// PasskeyOptions are the options of navigator.credentials.get in their JSON form
	// (WebAuthn §5.1.9), if the method passkey is listed.
	PasskeyOptions Map `json:"passkey_options,omitzero"`
}

// FactorMethod is a way to answer a [Challenge].
type FactorMethod string

const (
	TOTPMethod         FactorMethod = "totp"
	RecoveryCodeMethod FactorMethod = "recovery_code"
	PasskeyMethod      FactorMethod = "passkey"
)

// Values implements [Set].
func (FactorMethod) Values() []string { return Values(TOTPMethod, RecoveryCodeMethod, PasskeyMethod) }

// Guidance describes alternatives to the rejected request.
type Guidance struct {
	Kind    string               `json:"kind"`    // "use_messages"
	Targets List[string]         `json:"targets"` // kinds of objects to create or use
	Actions List[GuidanceAction] `json:"actions"`
}

// GuidanceAction is a request that the client can send instead, with a label for the member.
type GuidanceAction struct {
	Label  string `json:"label"`
	Type   string `json:"type"`
	Method string `json:"method"`
	URL    string `json:"url"`
}

func (e *Error) Error() string {
	message := e.Code.Name + ": " + e.Message
	if e.Err != nil {
		message += ": " + e.Err.Error()
	}
	return message
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorResponse is the JSON form of all errors. Schema: service.error.
type ErrorResponse struct {
	Error ErrorDetail `json:"error"`
}

// ErrorDetail is the content of an ErrorResponse.
type ErrorDetail struct {
	Code      CodeName    `json:"code"`
	Message   string      `json:"message"`   // plain text for people
	Retryable bool        `json:"retryable"` // whether the same request may succeed later
	Fields    List[Field] `json:"fields"`
	Guidance  *Guidance   `json:"guidance"`               // alternatives; may be null
	Challenge *Challenge  `json:"second_factor,omitzero"` // for second_factor_required
	Current   any         `json:"current,omitzero"`       // for version_conflict: the record as it is now, as the member sees it
	RequestID string      `json:"request_id"`             // as in the header X-Request-Id
}

// Errorf returns an error with a message for the member.
func Errorf(code Code, format string, args ...any) *Error {
	text := words.Text{Format: format, Args: args}
	return &Error{Code: code, Message: text.In(words.English), text: text}
}

// In returns the error with its messages in the language l.
func (e *Error) In(l words.Language) *Error {
	if l == words.English {
		return e
	}
	c := *e
	c.Message = translateMessage(l, e.Message, e.text)
	c.Fields = slices.Clone(e.Fields)
	for i, f := range c.Fields {
		c.Fields[i].Message = translateMessage(l, f.Message, f.text)
		c.Fields[i].Options = slices.Clone(f.Options)
		for n, o := range f.Options {
			c.Fields[i].Options[n].Label = o.label(l)
		}
	}
	if e.Guidance != nil {
		c.Guidance = new(*e.Guidance)
		c.Guidance.Actions = slices.Clone(e.Guidance.Actions)
		for i, a := range c.Guidance.Actions {
			c.Guidance.Actions[i].Label = l.Text(a.Label)
		}
	}
	return &c
}

// translateMessage returns a message in the language l. text is the message before its
// translation, or zero if the message has no arguments. A message that was changed after
// its creation stays in English.
func translateMessage(l words.Language, message string, text words.Text) string {
	if text.Format == "" {
		return l.Text(message)
	}
	if text.In(words.English) != message {
		return message
	}
	return text.In(l)
}

// WithCause returns a copy of e with the cause err, for the log.
func (e *Error) WithCause(err error) *Error {
	c := *e
	c.Err = err
	return &c
}

// WithCurrent returns a copy of e with the record as it is now.
func (e *Error) WithCurrent(record any) *Error {
	c := *e
	c.Current = record
	return &c
}

// FieldError returns an error of one field of the body, such as title or
// context.id.
func FieldError(code Code, name, format string, args ...any) *Error {
	e := Errorf(code, format, args...)
	e.Fields = []Field{{Name: name, Pointer: "/" + strings.ReplaceAll(name, ".", "/"), Code: code.Name, Message: e.Message, text: e.text}}
	return e
}

// RetryTime returns the time, after now, at which the rate limit of err allows the request
// again. It returns the zero time for other errors.
func RetryTime(err error, now time.Time) time.Time {
	if limit, ok := errors.AsType[*Error](err); ok && limit.Code == RateLimited {
		return now.Add(limit.RetryAfter)
	}
	return time.Time{}
}

// ParameterError returns an error of one query parameter.
func ParameterError(name, format string, args ...any) *Error {
	e := FieldError(InvalidParameter, name, format, args...)
	e.Fields[0].Pointer = ""
	return e
}

// FieldLabel returns the label of a field as an argument of a message, which must not contain
// the name of the field: members see the message, and programs read the name in [Field].
func FieldLabel(name string) words.Word { return words.Word(words.Label(name)) }

// Required returns the error for a request body without the named field.
func Required(name string) *Error {
	return FieldError(FieldRequired, name, "%s is required.", FieldLabel(name))
}

// PrefixFields returns err with part prepended to the names of its fields: "event"
// turns title into event.title.
func PrefixFields(part string, err error) error {
	return renameFields(err, func(name string) string { return part + "." + name })
}

// ItemFields returns err with the name of its field replaced by that of item n of the
// list with the same name: recipient becomes recipient.2.
func ItemFields(list string, n int, err error) error {
	return renameFields(err, func(name string) string {
		if name != list {
			return name
		}
		return list + "." + strconv.Itoa(n)
	})
}

// RenameField returns err with the field name from replaced by to, the name of that field in the
// request.
func RenameField(from, to string, err error) error {
	return renameFields(err, func(name string) string {
		if name == from {
			return to
		}
		return name
	})
}

// renameFields returns err with the names of its fields replaced.
func renameFields(err error, rename func(name string) string) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	c := *e
	c.Fields = slices.Clone(e.Fields)
	for i := range c.Fields {
		c.Fields[i].Name = rename(c.Fields[i].Name)
		c.Fields[i].Pointer = "/" + strings.ReplaceAll(c.Fields[i].Name, ".", "/")
	}
	return &c
}

// Join combines errors into one, or returns nil if all are nil. The result has the
// code and message of the first one and the fields of all. An error that is not an
// *Error is returned unchanged.
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

// KindOf returns the kind of err, or Internal if err is not an *Error.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Code.Kind
	}
	return Internal
}
