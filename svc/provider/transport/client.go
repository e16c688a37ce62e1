package transport

import (
	"context"
	"net/http"
	"time"

	"appliance/svc"
	"appliance/svc/outbound"
	"appliance/svc/provider/contract"
)

// Time limits of requests. That of an action includes its second attempt.
const (
	fetchTimeout   = 30 * time.Second
	performTimeout = 10 * time.Second
)

// retryPause is the time before the second attempt of an action, so that a provider
// can finish its restart.
const retryPause = time.Second

// Endpoint contains the addresses of a provider and the secret that signs
// requests.
type Endpoint struct {
	Provider  string // its id
	SourceURL string // scheme, host, port and path
	ActionURL string // scheme, host, port and path
	Secret    []byte // signs requests; only a provider inside of this process needs none
}

// Client sends requests to providers. It may be used by several goroutines.
type Client struct {
	userAgent string
	now       func() time.Time
	local     func(Endpoint) http.RoundTripper
	network   outbound.Network // that of the machine; tests replace it
}

// New returns a Client. local returns the transport of a provider inside of this
// process, and nil for all others; it may be nil itself. The URLs of a provider inside
// of this process must have the same form as others: http://feeds.invalid/source.
func New(userAgent string, now func() time.Time, local func(Endpoint) http.RoundTripper) *Client {
	if local == nil {
		local = func(Endpoint) http.RoundTripper { return nil }
	}
	return &Client{userAgent: userAgent, now: now, local: local}
}

// call is a request to a provider.
type call struct {
	endpoint Endpoint
	address  string
	id       string // the same for each attempt; without a period, which separates the signed parts
	body     []byte
	timeout  time.Duration // of all attempts
	maxBody  int64         // bytes of the response
	command  bool          // the request performs an action, and is sent again if there was no connection
}

// Fetch requests the source of a provider, with a request body that only the provider
// understands; {} if it is empty. Errors are of type [svc.Error] with the code
// provider_transport_failed, also if ctx ends.
func (c *Client) Fetch(ctx context.Context, e Endpoint, request []byte) ([]byte, error) {
	if len(request) == 0 {
		request = []byte("{}")
	}
	return c.do(ctx, call{
		endpoint: e, address: e.SourceURL, id: svc.NewID("req"), body: request, timeout: fetchTimeout, maxBody: contract.MaxSource,
	})
}

// Perform sends a command to a provider and returns its result. Errors are as those of
// Fetch. It sends the command again only if there was no connection: in all other
// cases, the provider may have performed the action.
func (c *Client) Perform(ctx context.Context, e Endpoint, command *contract.Command) ([]byte, error) {
	body, err := svc.EncodeJSON(command)
	if err != nil {
		return nil, err
	}
	return c.do(ctx, call{
		endpoint: e, address: e.ActionURL, id: command.CommandID, body: body, timeout: performTimeout, maxBody: contract.MaxResult, command: true,
	})
}

// do returns the body of a successful response.
func (c *Client) do(ctx context.Context, call call) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, call.timeout)
	defer cancel()
	client, err := c.client(call)
	if err != nil {
		return nil, err
	}
	r, err := client.Post(ctx, call.address, c.header(call), call.body)
	if call.command && wasNotSent(err) {
		select {
		case <-time.After(retryPause):
		case <-ctx.Done(): // Post returns its error
		}
		r, err = client.Post(ctx, call.address, c.header(call), call.body)
	}
	if err != nil {
		return nil, requestError(call, err)
	}
	if r.Status < 200 || r.Status > 299 {
		return nil, statusError(call, r)
	}
	return r.Body, nil
}

// client returns the client for a call, which can only reach its server.
func (c *Client) client(call call) (*outbound.Client, error) {
	policy, err := outbound.Configured(call.address)
	if err != nil { // not the cause, which contains the address
		return nil, call.errorf("has no valid address. The operator must configure it again.")
	}
	local := c.local(call.endpoint)
	if local == nil && len(call.endpoint.Secret) == 0 {
		return nil, call.errorf("has no secret. The operator must configure one.")
	}
	return outbound.New(policy, outbound.Options{
		UserAgent: c.userAgent, Timeout: call.timeout, MaxBody: call.maxBody, Network: c.network, Transport: local,
	}), nil
}

// Header returns the headers of a request with this id and body, signed with a secret
// unless it is empty.
func Header(secret []byte, id string, at time.Time, body []byte) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	if len(secret) > 0 {
		sign(h, secret, id, at, body)
	}
	return h
}

// header returns the headers of an attempt, with the time of the attempt.
func (c *Client) header(call call) http.Header {
	return Header(call.endpoint.Secret, call.id, c.now(), call.body)
}

// wasNotSent reports whether a request failed because no server accepted a connection.
func wasNotSent(err error) bool {
	return outbound.IsConnectFailure(err) && outbound.ReasonOf(err) == outbound.Unreachable
}
