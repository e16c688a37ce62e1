package app

import (
	"bufio"
	"bytes"
	"net/http"
	"strings"
	"testing"
)

// The response to every request without TLS is one complete HTTP response: status 307 with the
// location for a readable request, and otherwise 400.
func FuzzPlaintext(f *testing.F) {
	f.Add([]byte("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
	f.Add([]byte("GET /\r\nX: y HTTP/1.1\r\n\r\n"))
	f.Add([]byte("POST http://a/b HTTP/1.0\r\nContent-Length: 9\r\n\r\nx"))
	f.Fuzz(func(t *testing.T, request []byte) {
		text := plaintextResponse(bytes.NewReader(request), func(r *http.Request) string { return "https://home.example.org" + r.URL.EscapedPath() })
		body := bufio.NewReader(bytes.NewReader(text))
		resp, err := http.ReadResponse(body, nil)
		if err != nil {
			t.Fatalf("%q: got %q, %v", request, text, err)
		}
		location := resp.Header.Get("Location")
		if redirects := resp.StatusCode == http.StatusTemporaryRedirect; redirects != (location != "") || redirects && !strings.HasPrefix(location, "https://home.example.org") {
			t.Errorf("%q: got status %d and the location %q", request, resp.StatusCode, location)
		}
	})
}
