package cli

import (
	"context"
	"time"

	"appliance/app"
	"appliance/store"
	"appliance/svc/provider"
	"appliance/svc/provider/feeds"
)

// addFeeds registers a provider whose objects are the articles of feeds. It does nothing
// if one of them cannot be fetched.
func (c *cli) addFeeds(ctx context.Context, a *app.App, r provider.Registration, addresses []string) error {
	r.SourceURL, r.ActionURL = feeds.Addresses(r.ID)
	r.Secret = []byte{} // the requests stay in this process
	if err := r.Check(); err != nil {
		return err
	}
	list, err := a.Feeds.Check(ctx, addresses)
	if err != nil {
		return err
	}
	if err := a.AddFeeds(ctx, r, list); err != nil {
		return err
	}
	return c.acquireAdded(ctx, a, r, "")
}

// feedLine is a feed in the list of providers.
type feedLine struct {
	URL       string     `json:"url"`
	Title     string     `json:"title"`
	FetchedAt time.Time  `json:"fetched_at"` // last attempt
	FailedAt  *time.Time `json:"failed_at"`  // since when it cannot be fetched
	Failure   string     `json:"failure"`
}

func feedLines(tx *store.Tx, a *app.App, provider string) (lines []feedLine, err error) {
	list, err := a.Feeds.Feeds(tx, provider)
	for _, f := range list {
		lines = append(lines, feedLine{f.URL, f.Title, f.FetchedAt, optionalTime(f.FailedAt), f.Failure})
	}
	return lines, err
}
