package outbound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Limits of every request.
const (
	maxRedirects = 5
	maxHeader    = 128 << 10 // bytes
	maxURL       = 8 << 10   // bytes
)

// Options configure a [Client].
type Options struct {
	UserAgent string        // required
	Timeout   time.Duration // of a request with its redirects and its body; required
	MaxBody   int64         // bytes of the decompressed body; required
	Network   Network       // the zero Network by default

	// Transport replaces the network, for a server inside of this process. It must
	// return when the context of the request ends. The policy applies to the URL of
	// the request.
	Transport http.RoundTripper
}

// Client sends requests to the servers that a policy permits. It may be used by
// several goroutines.
type Client struct {
	policy  Policy
	options Options
	http    http.Client
}

// New returns a Client.
func New(p Policy, o Options) *Client {
	c := &Client{policy: p, options: o}
	transport := o.Transport
	if transport == nil {
		transport = o.Network.withDefaults().transport(p)
	}
	c.http = http.Client{CheckRedirect: c.checkRedirect, Transport: responseChecker{transport}}
	return c
}

// transport returns the transport of requests that a policy permits.
func (n Network) transport(p Policy) *http.Transport {
	return &http.Transport{
		Proxy: nil, // a proxy would resolve names itself
		DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) {
			conn, err := n.dial(ctx, p, addr)
			if err != nil {
				return nil, connectError{err}
			}
			return conn, nil
		},
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           8,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        30 * time.Second,
	}
}

// responseChecker is a transport that rejects two kinds of responses. The connection of a switch of
// protocols would outlive the time limit. The error of package net/http for a redirect to an
// invalid URL would contain the URL.
type responseChecker struct{ http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (t responseChecker) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Request = r // a transport inside of the process may omit it
	if response.StatusCode == http.StatusSwitchingProtocols {
		response.Body.Close()
		return nil, &Error{Invalid, errors.New("the server switches protocols, which was not requested")}
	}
	if response.StatusCode < 300 || response.StatusCode > 399 {
		return response, nil
	}
	if _, err := response.Location(); err != nil && err != http.ErrNoLocation {
		response.Body.Close()
		return nil, &Error{Invalid, errors.New("the URL of a redirect cannot be parsed")}
	}
	return response, nil
}

// checkRedirect rejects a redirect of a POST, to a URL that the policy does not permit, from HTTPS
// to HTTP, and beyond maxRedirects.
func (c *Client) checkRedirect(r *http.Request, via []*http.Request) error {
	if via[0].Method == http.MethodPost {
		return &Error{Redirected, errors.New("the server redirects a POST")}
	}
	if len(via) > maxRedirects {
		return &Error{Invalid, fmt.Errorf("more than %d redirects", maxRedirects)}
	}
	if via[len(via)-1].URL.Scheme == "https" && r.URL.Scheme != "https" {
		return &Error{Blocked, errors.New("redirect from HTTPS to HTTP")}
	}
	if err := c.check(r); err != nil {
		return err
	}
	r.Header.Del("Referer") // the header would disclose the URL on one server to another server
	return nil
}

func (c *Client) check(r *http.Request) error {
	if len(r.URL.String()) > maxURL {
		return &Error{Blocked, fmt.Errorf("the URL has more than %d bytes", maxURL)}
	}
	if err := c.policy.check(r.URL); err != nil {
		return &Error{Blocked, err}
	}
	return nil
}

// Get requests a URL with further headers, and reads the response. A response with an error status
// is not an error of Get. Errors are of type [Error].
func (c *Client) Get(ctx context.Context, address string, header http.Header) (*Response, error) {
	return c.send(ctx, http.MethodGet, address, header, nil)
}

// Post sends a body to a URL and otherwise works as Get does. It follows no redirect, because
// another server would get the body. It does not keep the connection: if the server closed it
// during the next request, the caller could not know whether the server has received that request.
func (c *Client) Post(ctx context.Context, address string, header http.Header, body []byte) (*Response, error) {
	return c.send(ctx, http.MethodPost, address, header, body)
}

func (c *Client) send(ctx context.Context, method, address string, header http.Header, body []byte) (*Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, &Error{Blocked, errors.New("the URL cannot be parsed")}
	}
	if err := c.check(r); err != nil {
		return nil, err
	}
	for name, values := range header {
		r.Header[name] = values
	}
	r.Header.Set("User-Agent", c.options.UserAgent)
	r.Close = method == http.MethodPost
	in, err := c.http.Do(r)
	if err != nil {
		return nil, withReason(err)
	}
	defer in.Body.Close()
	content, err := c.readBody(in)
	if err != nil && ReasonOf(err) == Unreachable {
		return nil, &Error{Invalid, err} // the server answered
	}
	if err != nil {
		return nil, withReason(err)
	}
	return &Response{
		Status: in.StatusCode, URL: in.Request.URL.String(), ContentType: in.Header.Get("Content-Type"),
		ETag: in.Header.Get("ETag"), LastModified: in.Header.Get("Last-Modified"), RetryAfter: retryAfter(in.Header), Body: content,
	}, nil
}

// readBody reads the decompressed body. The transport decompresses gzip, the only
// encoding that it requests.
func (c *Client) readBody(r *http.Response) ([]byte, error) {
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return nil, &Error{Invalid, fmt.Errorf("unknown content encoding %q", encoding)}
	}
	tooLarge := &Error{TooLarge, fmt.Errorf("the body has more than %d bytes", c.options.MaxBody)}
	if r.ContentLength > c.options.MaxBody {
		return nil, tooLarge
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, c.options.MaxBody+1))
	if int64(len(body)) > c.options.MaxBody {
		return nil, tooLarge
	}
	return body, err
}

// maxRetryAfter limits the Retry-After of a server (RFC 9110 §10.2.3).
const maxRetryAfter = time.Hour

// retryAfter returns the Retry-After of a response, 0 if it is absent or invalid. A date in the
// header is relative to the Date of the response.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Duration(min(max(seconds, 0), int64(maxRetryAfter/time.Second))) * time.Second
	}
	until, err := http.ParseTime(text)
	now, errDate := http.ParseTime(h.Get("Date"))
	if err != nil || errDate != nil {
		return 0
	}
	return min(max(until.Sub(now), 0), maxRetryAfter)
}
