package httpd

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// A client must send every bodyPart bytes of a body, and the remaining ones,
// within bodyPartTime. A slow phone can do this; a stalled connection is
// closed.
const (
	bodyPart     = 16 << 10
	bodyPartTime = 10 * time.Second
)

// pacedBody is a request body with a read deadline that depends on the progress.
type pacedBody struct {
	io.ReadCloser
	conn            *http.ResponseController
	remaining       int    // bytes until the next extension of the deadline
	begun           bool   // a part has been read
	ended           bool   // read completely, or failed
	expectsContinue bool   // the client sends the body only when it is read (Expect: 100-continue)
	length          int64  // -1 if unknown
	onSlow          func() // called when the deadline has passed
}

// paceBody limits the time in which the client sends the body of r. It returns nil if
// r has none.
func (s *Server) paceBody(w http.ResponseWriter, r *http.Request) *pacedBody {
	if r.ContentLength == 0 {
		return nil
	}
	waits := strings.EqualFold(r.Header.Get("Expect"), "100-continue")
	b := &pacedBody{ReadCloser: r.Body, conn: http.NewResponseController(w), expectsContinue: waits, length: r.ContentLength, onSlow: func() {
		s.refusals.Add("closed connections: request bodies arrived too slowly", "address", s.ClientKey(r))
	}}
	r.Body = b
	return b
}

// end limits the time in which net/http reads the rest of the body, which the handler
// has not read.
func (b *pacedBody) end() {
	if b != nil && !b.ended {
		_ = b.conn.SetReadDeadline(time.Now().Add(bodyPartTime))
	}
}

// Limits of what readRest reads. They admit every body that some route accepts.
const (
	maxRest  = 128 << 20
	restTime = 10 * time.Second
)

// readRest reads the rest of a body that was rejected. Many clients send all of it before they
// read the response: a connection that is closed before that is reset, and the client does not
// see the response.
func (b *pacedBody) readRest() {
	if b == nil || b.expectsContinue && !b.begun || b.length > maxRest {
		return
	}
	until := time.Now().Add(restTime)
	for n := int64(0); !b.ended && n < maxRest && time.Now().Before(until); {
		part, err := io.CopyN(io.Discard, b, bodyPart)
		if n += part; err != nil {
			return
		}
	}
}

// Read implements [io.Reader].
func (b *pacedBody) Read(p []byte) (int, error) {
	if b.remaining <= 0 {
		b.remaining = bodyPart
		_ = b.conn.SetReadDeadline(time.Now().Add(bodyPartTime)) // not supported by recorders in tests
	}
	b.begun = true
	n, err := b.ReadCloser.Read(p)
	b.remaining -= n
	b.ended = b.ended || err != nil
	switch {
	case err == io.EOF:
		// net/http reads ahead to notice a disconnected client. A deadline would end
		// the request.
		_ = b.conn.SetReadDeadline(time.Time{})
	case errors.Is(err, os.ErrDeadlineExceeded):
		b.onSlow()
	}
	return n, err
}

// Estimates of the memory that the processing of a request body needs, in bytes.
const (
	// maxSmallBody is the size of the largest body that is processed without
	// waiting for memory. Nearly all requests are smaller.
	maxSmallBody = 4 << 10

	// bodyFactor is the memory for each byte of a body: JSON and iCalendar texts with
	// many short values need 20 to 30 times their length.
	bodyFactor = 32
)

// isShort reports whether the body of r is processed without waiting for memory.
func isShort(r *http.Request) bool { return r.ContentLength >= 0 && r.ContentLength <= maxSmallBody }

// Receive reads the body of r, up to limit bytes, and then waits for the memory and the
// work that its processing needs; key is the member. While a slow client sends the body, it
// occupies only a spool. The returned request has the same body. The memory is
// released when the response starts. The caller must call done at the end of the
// request.
func (s *Server) Receive(w http.ResponseWriter, r *http.Request, key string, limit int64) (received *http.Request, done func(), err error) {
	done = func() {}
	if isShort(r) {
		return r, done, nil
	}
	spool := &svc.Spool{Dir: s.settings.Data}
	done = func() { spool.Close() }
	rest := r.Body
	var cost ics.Cost
	if _, err := io.Copy(spool, io.TeeReader(io.LimitReader(rest, limit), &cost)); err != nil {
		return r, done, BodyError(err)
	}
	if spool.Len() > maxSmallBody {
		if err := s.AcquireMemory(w, r, key, spool.Len()*bodyFactor+cost.RuleMemory()); err != nil {
			return r, done, err
		}
		if err := svc.WorkOf(r.Context()).Wait(cost.Steps()); err != nil {
			return r, done, err
		}
	}
	reader, err := spool.Reader()
	if err != nil {
		return r, done, err
	}
	received = r.WithContext(r.Context()) // a copy
	received.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(io.NewSectionReader(reader, 0, spool.Len()), rest), rest}
	return received, done, nil
}

// BodyError returns the error for a body that could not be spooled.
func BodyError(err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok { // the spool could not be written
		return err
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return svc.Errorf(svc.MalformedBody, "The body arrived too slowly. Try again with a better connection.").WithCause(err)
	}
	return svc.Errorf(svc.MalformedBody, "The body ended too early.").WithCause(err)
}

// AcquireMemory waits until a number of bytes of memory is available to a member. They
// are released when the response starts.
func (s *Server) AcquireMemory(w http.ResponseWriter, r *http.Request, key string, bytes int64) error {
	ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
	defer cancel()
	release, err := s.Memory.AcquireWeight(ctx, key, bytes)
	if err == nil {
		releaseAtStart(w, release)
	}
	return err
}
