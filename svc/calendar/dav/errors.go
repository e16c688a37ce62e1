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

// Error is an error response: a status and the precondition or postcondition
// that was violated, which clients evaluate (RFC 4918 §16).
type Error struct {
	Status    int
	Condition xml.Name      // element in DAV:error; the zero Name if there is none
	Message   string        // a sentence for people
	content   func(*writer) // writes the content of the element; may be nil
}

func (e *Error) Error() string {
	return fmt.Sprintf("%d %s: %s", e.Status, e.Condition.Local, e.Message)
}

// forbidden returns a 403 response for a violated precondition.
func forbidden(condition xml.Name, format string, args ...any) *Error {
	return &Error{Status: http.StatusForbidden, Condition: condition, Message: fmt.Sprintf(format, args...)}
}

// UIDConflict rejects an object whose UID belongs to another object of the
// calendar, or differs from that of the object that it would replace. name is
// the name of the existing object (RFC 4791 §5.3.2.1).
func UIDConflict(calendar, name string) *Error {
	e := forbidden(calName("no-uid-conflict"), "Another object of the calendar has this UID, or the object has another UID.")
	e.content = func(x *writer) { x.href(path{kindObject, x.member, calendar, name}) }
	return e
}

// UnsupportedComponent rejects an object whose component the calendar does not
// accept (RFC 4791 §5.3.2.1).
func UnsupportedComponent(component string) *Error {
	return forbidden(calName("supported-calendar-component"), "This calendar does not accept %s components.", component)
}

// Errors that a backend returns.
var (
	// ErrInvalidSyncToken rejects a sync token that is malformed, unknown or too
	// old. The client starts a new synchronization without a token
	// (RFC 6578 §3.2).
	ErrInvalidSyncToken = forbidden(davName("valid-sync-token"), "The sync token is not valid. Synchronize again without a token.")

	// ErrNoParent rejects the creation of a resource whose parent collection does
	// not exist (RFC 4918 §9.7.1 and §9.8.5).
	ErrNoParent = &Error{Status: http.StatusConflict, Message: "The parent collection does not exist."}

	// ErrTooManyProperties rejects dead properties beyond [MaxDeadProperties].
	ErrTooManyProperties = &Error{
		Status:    http.StatusInsufficientStorage,
		Condition: davName("quota-not-exceeded"),
		Message:   fmt.Sprintf("The properties of a resource may have at most %d octets in total.", MaxDeadProperties),
	}

	// ErrTooManyPeriods rejects a free-busy query with more periods than the
	// limit.
	ErrTooManyPeriods = &Error{
		Status:    http.StatusInsufficientStorage,
		Condition: davName("number-of-matches-within-limits"),
		Message:   fmt.Sprintf("The response would have more than %d busy periods. Request a shorter time range.", maxPeriods),
	}
)

// statuses maps error kinds of package svc to statuses. Internal errors and
// unauthenticated requests are absent: the caller of Serve responds to them.
var statuses = map[svc.Kind]int{
	svc.Malformed:       http.StatusBadRequest,
	svc.Unprocessable:   http.StatusForbidden,
	svc.Forbidden:       http.StatusForbidden,
	svc.Missing:         http.StatusNotFound,
	svc.Conflict:        http.StatusConflict,
	svc.Stale:           http.StatusPreconditionFailed,
	svc.TooLarge:        http.StatusRequestEntityTooLarge,
	svc.OverQuota:       http.StatusInsufficientStorage, // RFC 4331 §6
	svc.DiskFull:        http.StatusInsufficientStorage,
	svc.UnknownMedia:    http.StatusUnsupportedMediaType,
	svc.WrongMethod:     http.StatusMethodNotAllowed,
	svc.TooMany:         http.StatusTooManyRequests,
	svc.UpstreamFailure: http.StatusBadGateway,
	svc.Unavailable:     http.StatusServiceUnavailable,
}

// asError returns the response for err. It returns false if the caller of Serve
// must respond.
func (q *request) asError(err error) (e *Error, ok bool) {
	if errors.As(err, &e) {
		return e, true
	}
	var invalid *ics.Error
	if errors.As(err, &invalid) {
		return forbidden(calName(invalid.Precondition), "%s", invalid.Reason), true
	}
	var svcError *svc.Error
	if !errors.As(err, &svcError) || statuses[svcError.Code.Kind] == 0 {
		return nil, false
	}
	e = &Error{Status: statuses[svcError.Code.Kind], Message: svcError.Message}
	if svcError.Code == svc.WorkLimitExceeded { // like ErrTooManyPeriods (RFC 4791 §7.8)
		e.Status, e.Condition = http.StatusInsufficientStorage, davName("number-of-matches-within-limits")
	}
	switch svcError.Code.Kind {
	case svc.Forbidden:
		q.addNeedPrivileges(e)
	case svc.OverQuota:
		e.Condition = davName("quota-not-exceeded")
	case svc.DiskFull:
		e.Condition = davName("sufficient-disk-space")
	}
	if svcError.RetryAfter > 0 {
		q.w.Header().Set("Retry-After", strconv.Itoa(int(svcError.RetryAfter.Seconds()+0.999)))
	}
	return e, true
}

// addNeedPrivileges adds the missing privilege and its resource
// (RFC 3744 §7.1.1). DAVx5 discards its change after a 403 to a PUT only if
// DAV:need-privileges is present.
func (q *request) addNeedPrivileges(e *Error) {
	at := q.at
	if q.method.privilege == "bind" || q.method.privilege == "unbind" { // apply to the parent collection (RFC 3744 §3.9)
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

// errorDescription is the element with the message of an error. Clients and test
// suites know this element of Apple's server beside the condition, and no other
// one.
var errorDescription = xml.Name{Space: "http://twistedmatrix.com/xml_namespace/dav/", Local: "error-description"}

// writeError sends e as DAV:error. The element is never empty, because
// Thunderbird interprets an empty one as a rate limit.
func (q *request) writeError(e *Error) error {
	x := q.newDocument()
	x.root(davName("error"))
	x.condition(e)
	x.element(errorDescription, e.Message)
	x.end(davName("error"))
	return q.send(e.Status)
}

// condition writes the element of the violated precondition.
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
