package dav

import (
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Error is a refusal as a client must be told it: a status, and the condition
// that was not met, which clients act on (RFC 4918 §16).
type Error struct {
	Status    int
	Condition xml.Name // the element in DAV:error; the zero Name is none
	Message   string   // a sentence for the person
	content   func(*writer)
}

func (e *Error) Error() string {
	return fmt.Sprintf("%d %s: %s", e.Status, e.Condition.Local, e.Message)
}

// forbidden returns the refusal for a condition that was not met.
func forbidden(condition xml.Name, format string, args ...any) *Error {
	return &Error{Status: http.StatusForbidden, Condition: condition, Message: fmt.Sprintf(format, args...)}
}

// UIDConflict refuses an object that has the UID of another one in the
// calendar, or another UID than the object it would replace; name is the
// object that stands there (RFC 4791 §5.3.2.1).
func UIDConflict(calendar, name string) *Error {
	e := forbidden(calName("no-uid-conflict"), "A UID belongs to one object of a calendar, and an object keeps its UID.")
	e.content = func(x *writer) { x.href(path{kindObject, x.member, calendar, name}) }
	return e
}

// UnsupportedComponent refuses an object of a kind that the calendar does not
// hold (RFC 4791 §5.3.2.1).
func UnsupportedComponent(component string) *Error {
	return forbidden(calName("supported-calendar-component"), "This calendar does not hold a %s.", component)
}

// Refusals that a backend returns.
var (
	// ErrInvalidSyncToken rejects a sync token that is malformed, unknown or too
	// old. The client starts a new synchronization without a token
	// (RFC 6578 §3.2).
	ErrInvalidSyncToken = forbidden(davName("valid-sync-token"), "The sync token is not valid any more. Synchronize again from the beginning.")

	// ErrNoParent rejects the creation of a resource whose parent collection does
	// not exist (RFC 4918 §9.7.1 and §9.8.5).
	ErrNoParent = &Error{Status: http.StatusConflict, Message: "There is no collection to put it into."}

	// ErrTooManyProperties rejects dead properties beyond [MaxDeadProperties].
	ErrTooManyProperties = &Error{
		Status:    http.StatusInsufficientStorage,
		Condition: davName("quota-not-exceeded"),
		Message:   "It may not have that many properties, or such long ones.",
	}

	// ErrTooManyPeriods rejects a free-busy query whose answer has more periods
	// than the limit.
	ErrTooManyPeriods = &Error{
		Status:    http.StatusInsufficientStorage,
		Condition: davName("number-of-matches-within-limits"),
		Message:   fmt.Sprintf("There are more than %d busy times. Ask for a shorter range.", maxPeriods),
	}
)

// statuses are the answers to the failures that package svc names. Failures
// of our own are not here, nor is asking the public to sign in: both are the
// caller's to answer.
var statuses = map[svc.Kind]int{
	svc.Malformed:       http.StatusBadRequest,
	svc.Unprocessable:   http.StatusForbidden,
	svc.Forbidden:       http.StatusForbidden,
	svc.Missing:         http.StatusNotFound,
	svc.Conflict:        http.StatusConflict,
	svc.Stale:           http.StatusPreconditionFailed,
	svc.TooLarge:        http.StatusRequestEntityTooLarge,
	svc.OverQuota:       http.StatusInsufficientStorage, // RFC 4331 §6
	svc.UnknownMedia:    http.StatusUnsupportedMediaType,
	svc.WrongMethod:     http.StatusMethodNotAllowed,
	svc.TooMany:         http.StatusTooManyRequests,
	svc.UpstreamFailure: http.StatusBadGateway,
	svc.Unavailable:     http.StatusServiceUnavailable,
}

// asError is what err says to the client, if that is for this package to say.
func (q *request) asError(err error) (e *Error, ok bool) {
	if errors.As(err, &e) {
		return e, true
	}
	var invalid *ics.Error
	if errors.As(err, &invalid) {
		return forbidden(calName(invalid.Precondition), "%s", invalid.Reason), true
	}
	var known *svc.Error
	if !errors.As(err, &known) || statuses[known.Code.Kind] == 0 {
		return nil, false
	}
	e = &Error{Status: statuses[known.Code.Kind], Message: known.Message}
	switch known.Code.Kind {
	case svc.Forbidden:
		q.addNeedPrivileges(e)
	case svc.OverQuota:
		e.Condition = davName("quota-not-exceeded")
	}
	if known.RetryAfter > 0 {
		q.w.Header().Set("Retry-After", strconv.Itoa(int(known.RetryAfter.Seconds()+0.999)))
	}
	return e, true
}

// addNeedPrivileges adds to a refusal which privilege is missing on what
// (RFC 3744 §7.1.1). Without it DAVx5 does not take a 403 on PUT for what it
// is, the order to take the server's copy.
func (q *request) addNeedPrivileges(e *Error) {
	at := q.at
	if q.method.privilege == "bind" || q.method.privilege == "unbind" { // privileges of the collection around it (RFC 3744 §3.9)
		at = at.parent()
	}
	e.Condition = davName("need-privileges")
	e.content = func(x *writer) {
		x.start(davName("resource"))
		x.href(at)
		x.start(davName("privilege"))
		x.empty(davName(q.method.privilege))
		x.end(davName("privilege"))
		x.end(davName("resource"))
	}
}

// writeError writes the response for e. It always has something in DAV:error:
// Thunderbird takes an empty one for a rate limit.
func (q *request) writeError(e *Error) error {
	x := q.newDocument()
	x.root(davName("error"))
	x.condition(e)
	x.element(davName("responsedescription"), e.Message)
	x.end(davName("error"))
	return q.send(e.Status)
}

// condition writes the condition's element.
func (x *writer) condition(e *Error) {
	switch {
	case e.Condition.Local == "":
	case e.content == nil:
		x.empty(e.Condition)
	default:
		x.start(e.Condition)
		e.content(x)
		x.end(e.Condition)
	}
}
