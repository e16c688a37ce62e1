package httpd

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"appliance/app/account"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// ErrNotFound is the error for an address at which there is nothing.
var ErrNotFound = svc.Errorf(svc.NotFound, "There is nothing at this address.")

// statuses maps error kinds to HTTP statuses. Only this package and the CalDAV handler
// (svc/calendar/dav) choose HTTP statuses.
var statuses = map[svc.Kind]int{
	svc.Internal:        http.StatusInternalServerError,
	svc.Malformed:       http.StatusBadRequest,
	svc.Unprocessable:   http.StatusUnprocessableEntity,
	svc.Anonymous:       http.StatusUnauthorized,
	svc.Forbidden:       http.StatusForbidden,
	svc.Missing:         http.StatusNotFound,
	svc.Conflict:        http.StatusConflict,
	svc.Stale:           http.StatusPreconditionFailed,
	svc.TooLarge:        http.StatusRequestEntityTooLarge,
	svc.OverQuota:       http.StatusUnprocessableEntity, // not 507, which tells clients that the server is broken
	svc.DiskFull:        http.StatusInsufficientStorage,
	svc.UnknownMedia:    http.StatusUnsupportedMediaType,
	svc.WrongMethod:     http.StatusMethodNotAllowed,
	svc.TooMany:         http.StatusTooManyRequests,
	svc.UpstreamFailure: http.StatusFailedDependency,
	svc.Unavailable:     http.StatusServiceUnavailable,
}

// Status returns the HTTP status of an error.
func Status(e *svc.Error) int { return statuses[e.Code.Kind] }

// Report returns the public error of err, logs err, and sets the headers of the
// error response.
func (s *Server) Report(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) *svc.Error {
	e := PublicError(err)
	level := slog.LevelInfo
	switch {
	case r.Context().Err() == context.Canceled: // the client has disconnected
		level = slog.LevelDebug
	case errors.Is(err, limits.ErrCapacity): // there may be many
		level = slog.LevelDebug
		s.refusals.Add("refused requests: too many at the same time, or too large ones", "viewer", v.String(), "address", s.ClientKey(r), "code", e.Code.Name)
	case e.Code.Kind == svc.Unavailable: // overload is no defect
		level = slog.LevelWarn
	case Status(e) >= 500:
		level = slog.LevelError
	case e.Code == svc.Unauthenticated && account.HasNoCredentials(r): // clients send the first request without credentials
		level = slog.LevelDebug
	}
	attrs := []any{
		"id", w.Header().Get("X-Request-Id"), "method", loggedMethod(r), "route", r.Pattern, "viewer", v.String(), "code", e.Code.Name,
	}
	if level >= slog.LevelWarn { // other errors may quote content of members
		attrs = append(attrs, "err", err)
	}
	s.log.Log(r.Context(), level, "request failed", attrs...)
	if e.Code.Kind == svc.Anonymous {
		w.Header().Set("WWW-Authenticate", `Bearer realm="world"`)
	}
	if e.RetryAfter > 0 {
		seconds := strconv.Itoa(int((e.RetryAfter + time.Second - 1) / time.Second))
		w.Header().Set("Retry-After", seconds)
		if e.Code.Kind == svc.TooMany {
			w.Header().Set("RateLimit", `"default";r=0;t=`+seconds)
		}
	}
	return e
}

// loggedMethod returns the method for the log. It is truncated, because a client can send a
// method of 60,000 characters.
func loggedMethod(r *http.Request) string { return r.Method[:min(len(r.Method), 16)] }

// errDiskFull is the error of a write that fails because the disk is full.
// Reads still succeed.
var errDiskFull = &svc.Error{
	Code: svc.InsufficientStorage, Message: "The disk of the server is full, so nothing was saved. Ask its operator to free space.", RetryAfter: time.Minute,
}

// PublicError returns the error that the client may see.
func PublicError(err error) *svc.Error {
	var e *svc.Error
	switch {
	case errors.As(err, &e):
		return e
	case store.IsFull(err):
		return errDiskFull
	case store.IsBusy(err), errors.Is(err, context.DeadlineExceeded), errors.Is(err, store.ErrClosed):
		e = svc.Errorf(svc.ServiceUnavailable, "The server is busy. Try again in a moment.")
	default:
		return svc.Errorf(svc.InternalError, "The server failed. Try again, or give the operator the request ID.")
	}
	e.RetryAfter = 5 * time.Second
	return e
}

// ErrorPages writes errors as pages for people.
type ErrorPages interface {
	// WriteErrorPage writes an error as a page.
	WriteErrorPage(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error)

	// RedirectToLogin redirects an unauthenticated browser to the sign-in page, which redirects
	// back after the sign-in.
	RedirectToLogin(w http.ResponseWriter, r *http.Request, err error)

	// WriteAddressPage writes a page that names the address of the server.
	WriteAddressPage(w http.ResponseWriter, r *http.Request, a WrongAddress) error
}

// writeErrorFor writes an error as a page for a person with a browser, and as JSON
// for a program.
func (s *Server) writeErrorFor(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) {
	if wantsPage(r) {
		s.errorPages.WriteErrorPage(w, r, v, err)
		return
	}
	s.writeError(w, r, v, err)
}

// writeError writes an error response.
func (s *Server) writeError(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) {
	e := s.Report(w, r, v, err).In(Language(r, v))
	AbortPartial(w)
	body := svc.ErrorResponse{Error: svc.ErrorDetail{
		Code: svc.CodeName(e.Code.Name), Message: e.Message, Fields: e.Fields, Guidance: e.Guidance, Challenge: e.Challenge, Current: e.Current, RequestID: w.Header().Get("X-Request-Id"),
		Retryable: e.Code.Kind == svc.Unavailable || e.Code.Kind == svc.DiskFull || e.Code.Kind == svc.TooMany || e.Code.Kind == svc.UpstreamFailure,
	}}
	if err := WriteJSON(w, Status(e), body); err != nil {
		s.log.Debug("writing the error response", "err", err)
	}
}

// Language returns the language of the texts in a response: that of the member, or for
// other clients one that the client accepts.
func Language(r *http.Request, v svc.Viewer) words.Language {
	if v.Member() != 0 {
		return v.Language()
	}
	return words.AcceptedLanguage(r.Header.Get("Accept-Language"))
}

// AbortPartial closes the connection if a part of the response has been written: the
// client must not take it for a complete one.
func AbortPartial(w http.ResponseWriter) {
	if rw, ok := w.(*response); ok && rw.status != 0 {
		panic(http.ErrAbortHandler)
	}
}
