package apptest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
)

// SampleRequest returns a request that matches the pattern of a route.
func SampleRequest(pattern string) (method, path string) {
	method, path, found := strings.Cut(pattern, " ")
	if !found {
		method, path = "PROPFIND", pattern
	}
	path = strings.TrimSuffix(path, "{$}")
	for strings.Contains(path, "{") {
		before, rest, _ := strings.Cut(path, "{")
		_, after, _ := strings.Cut(rest, "}")
		path = before + "none" + after
	}
	return method, path
}

// SendAccepting sends a request with an Accept-Encoding header and returns the
// response with its decoded body and the length of the body that was sent.
func SendAccepting(c *Client, accept, method, path, body string) (r *http.Response, text string, sent int) {
	c.T.Helper()
	request, err := http.NewRequestWithContext(c.T.Context(), method, c.URL+path, strings.NewReader(body))
	if err != nil {
		c.T.Fatal(err)
	}
	for name, value := range c.Headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("Accept-Encoding", accept)
	if strings.HasPrefix(body, "{") {
		request.Header.Set("Content-Type", "application/json")
	}
	if r, err = c.HTTP.Do(request); err != nil {
		c.T.Fatal(err)
	}
	defer r.Body.Close()
	octets, err := io.ReadAll(r.Body)
	if err != nil {
		c.T.Fatal(err)
	}
	if r.Header.Get("Content-Encoding") != "gzip" {
		return r, string(octets), len(octets)
	}
	z, err := gzip.NewReader(bytes.NewReader(octets))
	if err != nil {
		c.T.Fatal(err)
	}
	decoded, err := io.ReadAll(z)
	if err != nil {
		c.T.Fatalf("%s %s: got a damaged body: %v", method, path, err)
	}
	return r, string(decoded), len(octets)
}
