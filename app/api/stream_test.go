package api

import (
	"errors"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// stalledClient is a connection whose client does not read: each write fails when the
// write deadline has passed.
type stalledClient struct {
	*httptest.ResponseRecorder
	deadline time.Time
	atWrite  time.Time // the deadline of the write
}

func (c *stalledClient) SetReadDeadline(time.Time) error { return nil }

func (c *stalledClient) SetWriteDeadline(t time.Time) error {
	c.deadline = t
	return nil
}

func (c *stalledClient) Write([]byte) (int, error) {
	c.atWrite = c.deadline
	return 0, os.ErrDeadlineExceeded
}

// Each write to a client of a stream has a deadline, and a client that does not read is
// disconnected. Covers B-104.
func TestStreamDisconnectsAClientThatDoesNotRead(t *testing.T) {
	c := &stalledClient{ResponseRecorder: httptest.NewRecorder()}
	send := newStreamWriter(c)
	begin := time.Now()
	if err := send([]byte(":\n\n")); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got the error %v, want %v", err, os.ErrDeadlineExceeded)
	}
	if d := c.atWrite.Sub(begin); d < streamWriteTime || d > 2*streamWriteTime {
		t.Errorf("got a deadline in %v, want one in %v", d, streamWriteTime)
	}
}

// Between two writes a stream has no deadline: it lasts for hours.
func TestStreamHasNoDeadlineBetweenWrites(t *testing.T) {
	c := &readingClient{ResponseRecorder: httptest.NewRecorder(), read: time.Now(), write: time.Now()}
	send := newStreamWriter(c)
	if err := send([]byte(":\n\n")); err != nil {
		t.Fatal(err)
	}
	if !c.read.IsZero() || !c.write.IsZero() || !c.Flushed {
		t.Errorf("got the deadlines %v and %v and flushed %v, want none and a flushed response", c.read, c.write, c.Flushed)
	}
}

// readingClient records the deadlines of a connection.
type readingClient struct {
	*httptest.ResponseRecorder
	read, write time.Time
}

func (c *readingClient) SetReadDeadline(t time.Time) error {
	c.read = t
	return nil
}

func (c *readingClient) SetWriteDeadline(t time.Time) error {
	c.write = t
	return nil
}
