package translate

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"appliance/svc"
	"appliance/svc/outbound"
	"appliance/svc/translate/extract"
	"appliance/svc/translate/maintext"
	"appliance/svc/translate/page"
	"appliance/svc/translate/schemaorg"
)

// Limits of the request for a page.
const (
	timeout = 10 * time.Second
	maxBody = 2 << 20 // bytes
)

// maxParallel is the number of pages that are translated at the same time. Each needs about
// 30 MB.
const maxParallel = 2

// Translator fetches and translates pages. It may be used by several goroutines.
type Translator struct {
	client *outbound.Client
	now    func() time.Time
	slots  *semaphore.Weighted
}

// New returns a Translator that fetches pages from the servers that the policy
// permits.
func New(policy outbound.Policy, userAgent string, now func() time.Time) *Translator {
	options := outbound.Options{UserAgent: userAgent, Timeout: timeout, MaxBody: maxBody}
	return &Translator{outbound.New(policy, options), now, semaphore.NewWeighted(maxParallel)}
}

// Result is a translated page.
type Result struct {
	URL          string              `json:"url"` // after redirects
	CanonicalURL string              `json:"canonical_url"`
	Language     string              `json:"language,omitzero"` // BCP 47
	WordCount    int                 `json:"word_count"`        // of the main text
	ReadAt       time.Time           `json:"read_at"`
	Parts        []extract.Extracted `json:"parts"` // at least one; one of the kind "resource" if the page has no typed objects
	Warnings     []string            `json:"warnings"`
}

// accept is the Accept header of requests for pages.
var accept = http.Header{"Accept": {"text/html,application/xhtml+xml"}}

// Fetch fetches a page and translates it. Errors are of type [svc.Error]: the address
// is not public, the server does not answer, or the response is not a page.
func (t *Translator) Fetch(ctx context.Context, address string) (*Result, error) {
	a, err := t.client.Get(ctx, address, accept)
	if err != nil {
		return nil, fetchError(err)
	}
	if a.Status != http.StatusOK {
		failed := svc.Errorf(svc.SourceFetchFailed, "The site answered with status %d instead of the page.", a.Status)
		return nil, failed.WithCause(fmt.Errorf("status %d", a.Status))
	}
	if err := t.slots.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer t.slots.Release(1)
	return t.Translate(a.URL, a.ContentType, a.Body)
}

// fetchError converts an error of package outbound to one for the member.
func fetchError(err error) error {
	switch outbound.ReasonOf(err) {
	case outbound.Blocked:
		return svc.Errorf(svc.SourceNotAllowed, "This page cannot be read: it is not on a public server of the web.").WithCause(err)
	case outbound.TimedOut:
		return svc.Errorf(svc.SourceFetchFailed, "The site did not answer within %d seconds. Try again later.", int(timeout.Seconds())).WithCause(err)
	case outbound.TooLarge:
		return svc.Errorf(svc.SourceNotSupported, "The page is larger than %d MiB.", maxBody>>20).WithCause(err)
	case outbound.Invalid:
		return svc.Errorf(svc.SourceFetchFailed, "The response of the site cannot be read.").WithCause(err)
	}
	return svc.Errorf(svc.SourceFetchFailed, "The site cannot be reached. Try again later.").WithCause(err)
}

// Translate translates the body of a response. address is the URL of the page,
// contentType its Content-Type header, "" if unknown.
func (t *Translator) Translate(address, contentType string, body []byte) (*Result, error) {
	p, err := page.Parse(address, contentType, body)
	if err != nil {
		return nil, svc.Errorf(svc.SourceNotSupported, "This is not a web page with text.").WithCause(err)
	}
	graph := schemaorg.Parse(p)
	text := maintext.Find(p)
	r := &Result{
		URL: p.URL.String(), CanonicalURL: p.Canonical(), Language: text.Language, WordCount: text.Words, ReadAt: t.now(), Warnings: graph.Warnings,
		Parts: extract.All(extract.Input{Page: p, Graph: graph, Text: text, Now: t.now()}),
	}
	if len(r.Parts) == 0 {
		resource, ok := newResource(p, text)
		if !ok {
			return nil, svc.Errorf(svc.SourceNotSupported, "This page has no text that can be read without its scripts.")
		}
		r.Parts = []extract.Extracted{resource}
	}
	return r, nil
}

// Host returns the host of an address without "www.".
func Host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}
