package app

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"net/http"
)

// maxPlaintextHeader limits the header of a request without TLS, in bytes.
const maxPlaintextHeader = 32 << 10

// withTLS returns a listener that uses TLS with the certificate of the app. A request without TLS
// gets the response of plaintextResponse.
func (a *App) withTLS(ln net.Listener) net.Listener {
	config := &tls.Config{GetCertificate: a.certificate.get, NextProtos: []string{"h2", "http/1.1"}}
	return tls.NewListener(plaintextListener{ln, a.HTTP.HTTPSLocation}, config)
}

// plaintextListener accepts connections that respond to HTTP requests without TLS. location
// returns the URL to which a request is redirected, or "".
type plaintextListener struct {
	net.Listener
	location func(*http.Request) string
}

// Accept implements [net.Listener].
func (l plaintextListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &plaintextConn{Conn: conn, location: l.location}, nil
}

// plaintextConn is a connection below TLS. A request without TLS gets its response when the TLS
// handshake reads from the connection, within the time limit of the handshake.
type plaintextConn struct {
	net.Conn
	location func(*http.Request) string
	begun    bool // something has been read
}

// Read implements [io.Reader]. After a request without TLS it returns [io.EOF].
func (c *plaintextConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.begun || n == 0 {
		return n, err
	}
	c.begun = true
	if b[0] < 'A' || b[0] > 'Z' { // not the method of a request
		return n, err
	}
	header := io.LimitReader(io.MultiReader(bytes.NewReader(b[:n]), c.Conn), maxPlaintextHeader)
	_, _ = c.Conn.Write(plaintextResponse(header, c.location)) // fails if the client has disconnected
	return 0, io.EOF
}

// plaintextResponse reads a request without TLS and returns the response to it.
func plaintextResponse(request io.Reader, location func(*http.Request) string) []byte {
	r, err := http.ReadRequest(bufio.NewReader(request))
	resp := http.Response{
		ProtoMajor: 1, ProtoMinor: 1, StatusCode: http.StatusBadRequest, Close: true,
		Header: http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "Cache-Control": {"no-store"}},
	}
	text := "This port serves HTTPS only. Open an address that begins with https://.\n"
	if err == nil {
		if to := location(r); to != "" {
			resp.StatusCode = http.StatusTemporaryRedirect
			resp.Header.Set("Location", to)
			text = "This page is at " + to + "\n"
		}
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader([]byte(text))), int64(len(text))
	var b bytes.Buffer
	_ = resp.Write(&b) // a buffer accepts every write
	return b.Bytes()
}
