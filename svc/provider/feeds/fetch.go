package feeds

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/html"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/outbound"
	"appliance/svc/translate/page"
	"appliance/svc/words"
)

// Times of the requests for a feed.
const (
	fetchTimeout    = 10 * time.Second
	updateTimeout   = 22 * time.Second // of all feeds, less than the time limit of the provider
	minInterval     = 10 * time.Minute
	refreshInterval = time.Minute // if a member requests it
)

// maxParallel is the number of feeds of a provider that are fetched at the same time.
const maxParallel = 4

func clientOptions(userAgent string) outbound.Options {
	return outbound.Options{UserAgent: userAgent, Timeout: fetchTimeout, MaxBody: maxBody}
}

// Fetched is a feed as its server returned it.
type Fetched struct {
	*Document    // nil if it has not changed
	url          string
	local        bool
	etag         string
	lastModified string
	retryAfter   time.Duration
}

// Check fetches feeds that an operator adds. Errors name the address.
func (s *Service) Check(ctx context.Context, addresses []string) (list []*Fetched, err error) {
	for _, address := range addresses {
		link := (&page.Page{Base: new(url.URL)}).Resolve(address)
		switch {
		case link == "":
			return nil, svc.FieldError(svc.InvalidValue, "feed", "%s is not an address such as https://example.org/feed.xml.", address)
		case slices.ContainsFunc(list, func(f *Fetched) bool { return f.url == link }):
			return nil, svc.FieldError(svc.InvalidValue, "feed", "%s is named twice.", address)
		}
		f, err := s.fetch(ctx, Feed{URL: link})
		if isBlocked(err) { // the operator may name an address that is not public
			f, err = s.fetch(ctx, Feed{URL: link, local: true})
		}
		if e, ok := errors.AsType[*svc.Error](err); ok {
			named := *e
			named.Message = address + ": " + e.Message
			return nil, &named
		}
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

// CheckOwn fetches a feed that a member adds, whose address must be public.
func (s *Service) CheckOwn(ctx context.Context, address string) (*Fetched, error) {
	link := (&page.Page{Base: new(url.URL)}).Resolve(address)
	if link == "" {
		return nil, svc.FieldError(svc.InvalidValue, "url", "Enter an address such as https://example.org/feed.xml.")
	}
	return s.fetch(ctx, Feed{URL: link})
}

// fetch requests a feed, and parses it if it has changed. Errors are of type [svc.Error],
// unless ctx ends. Their messages do not contain the address.
func (s *Service) fetch(ctx context.Context, f Feed) (fetched *Fetched, err error) {
	defer func() {
		if v := recover(); v != nil { // a panic in its own goroutine would end the program
			fetched, err = nil, svc.Errorf(svc.SourceNotSupported, "The feed cannot be read.").WithCause(fmt.Errorf("panic: %v\n%s", v, store.PanicStack(v)))
		}
	}()
	r, err := s.get(ctx, f)
	if err != nil {
		return nil, fetchError(err)
	}
	fetched = &Fetched{url: f.URL, local: f.local, etag: r.ETag, lastModified: r.LastModified, retryAfter: r.RetryAfter}
	if r.Status == http.StatusNotModified && f.etag+f.lastModified != "" {
		return fetched, nil
	}
	if r.Status != http.StatusOK {
		return nil, statusError(r)
	}
	select {
	case s.parsing <- struct{}{}:
	case <-ctx.Done():
		return nil, fetchError(ctx.Err())
	}
	defer func() { <-s.parsing }()
	if fetched.Document, err = Parse(r.URL, r.ContentType, r.Body); err != nil {
		return nil, parseError(r, err)
	}
	return fetched, nil
}

// get requests a feed. For a local feed, only its own server may be contacted, without a
// redirect to another.
func (s *Service) get(ctx context.Context, f Feed) (*outbound.Response, error) {
	h := http.Header{"Accept": {"application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5"}}
	if f.etag != "" {
		h.Set("If-None-Match", f.etag)
	}
	if f.lastModified != "" {
		h.Set("If-Modified-Since", f.lastModified)
	}
	if !f.local {
		return s.public.Get(ctx, f.URL, h)
	}
	u, err := url.Parse(f.URL)
	if err != nil {
		return nil, err
	}
	policy, err := outbound.Configured(u.Scheme + "://" + u.Host + "/")
	if err != nil {
		return nil, err
	}
	return outbound.New(policy, clientOptions(s.config.UserAgent)).Get(ctx, f.URL, h)
}

// isBlocked reports whether a fetch failed because of the address of the server.
func isBlocked(err error) bool {
	e, ok := errors.AsType[*svc.Error](err)
	return ok && outbound.ReasonOf(e.Err) == outbound.Blocked
}

// fetchError returns the error of a request without a response.
func fetchError(err error) error {
	message := words.Textf("The server cannot be reached.")
	switch outbound.ReasonOf(err) {
	case outbound.Blocked:
		message = words.Textf("The address of the server, or one to which it redirects, is not public.")
	case outbound.TimedOut:
		message = words.Textf("The server did not answer in time.")
	case outbound.TooLarge:
		message = words.Textf("The feed is larger than %d MiB.", maxBody>>20)
	case outbound.Invalid:
		message = words.Textf("The response of the server cannot be read.")
	}
	return svc.Errorf(svc.SourceFetchFailed, "%s", message).WithCause(err)
}

func statusError(r *outbound.Response) error {
	e := svc.Errorf(svc.SourceFetchFailed, "The server answered with status %d.", r.Status)
	switch r.Status {
	case http.StatusNotFound, http.StatusGone:
		e = svc.Errorf(svc.SourceFetchFailed, "The feed no longer exists (status %d).", r.Status)
	case http.StatusUnauthorized, http.StatusForbidden:
		e = svc.Errorf(svc.SourceFetchFailed, "The server denies access to the feed (status %d).", r.Status)
	}
	e.RetryAfter = r.RetryAfter
	return e
}

// maxHead is the part of a web page, in bytes, in which a link to its feed is searched.
const maxHead = 256 << 10

// parseError returns the error of a document that is not a feed.
func parseError(r *outbound.Response, err error) error {
	p, errPage := page.Parse(r.URL, r.ContentType, r.Body[:min(len(r.Body), maxHead)])
	if errPage != nil {
		return svc.Errorf(svc.SourceNotSupported, "The document is not a valid feed.").WithCause(err)
	}
	e := svc.Errorf(svc.SourceNotSupported, "The address is that of a web page and not of a feed.")
	if feed := linkedFeed(p); feed != "" {
		return e.WithCause(fmt.Errorf("the page links to the feed %s", feed))
	}
	return e.WithCause(errors.New("the page links to no feed"))
}

// linkedFeed returns the address of the first feed that a page links to.
func linkedFeed(p *page.Page) string {
	for n := range p.Root.Descendants() {
		if n.Type != html.ElementNode || n.Data != "link" {
			continue
		}
		a := make(map[string]string)
		for _, attr := range n.Attr {
			a[attr.Key] = attr.Val
		}
		isFeed := slices.Contains([]string{"application/rss+xml", "application/atom+xml", "application/feed+json"}, strings.ToLower(a["type"]))
		if address := p.Resolve(a["href"]); isFeed && address != "" && slices.Contains(strings.Fields(strings.ToLower(a["rel"])), "alternate") {
			return address
		}
	}
	return ""
}

// update fetches the feeds of a provider that are due, and stores them.
func (s *Service) update(ctx context.Context, provider string) error {
	due, err := s.claim(ctx, provider)
	if err != nil || len(due) == 0 {
		return err
	}
	fetching, cancel := context.WithTimeout(ctx, updateTimeout)
	defer cancel()
	// The order is random, so that slow feeds do not always delay the same others.
	rand.Shuffle(len(due), func(i, j int) { due[i], due[j] = due[j], due[i] })
	slots := make(chan struct{}, maxParallel)
	errs := make([]error, len(due))
	var running sync.WaitGroup
	for i, f := range due {
		slots <- struct{}{}
		if fetching.Err() != nil {
			break
		}
		running.Go(func() {
			defer func() { <-slots }()
			fetched, failure := s.fetch(fetching, f)
			errs[i] = s.db.Write(ctx, func(tx *store.Tx) error { return s.put(tx, f, fetched, failure) })
		})
	}
	running.Wait()
	return errors.Join(errs...)
}

// claim returns the feeds that are due, after reserving their fetch.
func (s *Service) claim(ctx context.Context, provider string) (due []Feed, err error) {
	var list []Feed
	isDue := false
	err = s.db.Read(ctx, func(tx *store.Tx) error {
		list, err = s.Feeds(tx, provider)
		isDue = slices.ContainsFunc(list, func(f Feed) bool { return !f.nextAt.After(tx.Now()) || f.FetchedAt.After(tx.Now()) })
		return err
	})
	if err != nil || !isDue {
		return nil, err
	}
	var claimed []int64
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		claimed = nil
		args := fetchTimes(tx.Now(), 0)
		args["provider"] = provider
		return tx.Select(&claimed, s.q.Claim, args)
	})
	for _, f := range list {
		if slices.Contains(claimed, f.id) {
			due = append(due, f)
		}
	}
	return due, err
}

// fetchTimes returns the times after a fetch of a feed. pause is the one that its server
// demands.
func fetchTimes(now time.Time, pause time.Duration) store.Args {
	return store.Args{
		"now": store.MillisOf(now), "next": store.MillisOf(now.Add(max(minInterval, pause))), "refresh": store.MillisOf(now.Add(max(refreshInterval, pause))),
	}
}
