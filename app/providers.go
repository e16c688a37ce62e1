package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider"
	"appliance/svc/provider/feeds"
	"appliance/svc/provider/transport"
)

// localProvider returns the built-in provider with the addresses of an endpoint, nil for other
// endpoints.
func (a *App) localProvider(e transport.Endpoint) http.RoundTripper {
	if feeds.IsAddress(e.SourceURL) {
		return a.Feeds
	}
	return nil
}

// deleteFeedData removes the private feeds of a deleted member, and at most limit of their read
// marks. It returns the number of removed marks.
func (a *App) deleteFeedData(tx *store.Tx, id svc.MemberID, limit int) (marks int, err error) {
	owned, err := a.Providers.OwnedBy(tx, id)
	if err != nil {
		return 0, err
	}
	for _, provider := range owned { // at most one
		if err := errors.Join(a.Feeds.Remove(tx, provider), a.Providers.Remove(tx, provider)); err != nil {
			return 0, err
		}
	}
	subjects, err := a.Providers.SubjectsOf(tx, id)
	if err != nil {
		return 0, err
	}
	return a.Feeds.RemoveMarks(tx, subjects, limit)
}

// AddFeeds registers a provider with feeds. It stores the feeds in batches and then the
// provider, which makes the feeds visible.
func (a *App) AddFeeds(ctx context.Context, r provider.Registration, list []*feeds.Fetched) error {
	add := func(tx *store.Tx) error { return a.Providers.Add(tx, r) }
	err := a.DB.Write(ctx, func(tx *store.Tx) error {
		if _, err := a.Providers.Provider(tx, r.ID); svc.KindOf(err) != svc.Missing {
			return add(tx) // returns the error for an id in use
		}
		return a.Feeds.Remove(tx, r.ID) // feeds of an interrupted call
	})
	for chunk := range slices.Chunk(list, feeds.MaxAdded) {
		if err == nil {
			err = a.DB.Write(ctx, func(tx *store.Tx) error { return a.Feeds.Add(tx, r.ID, "", chunk) })
		}
	}
	if err == nil {
		err = a.DB.Write(ctx, add)
	}
	return err
}

// maxAcquisitions limits the number of concurrent acquisitions.
const maxAcquisitions = 4

// AcquireProviders acquires the payloads that are due. It stores the result of each acquisition
// with its provider, and returns only errors of the database.
func (a *App) AcquireProviders(ctx context.Context) error {
	if a.hosted["find"].IsOff() {
		return nil
	}
	var due []string
	err := a.DB.Read(ctx, func(tx *store.Tx) (err error) {
		due, err = a.Providers.Due(tx)
		return err
	})
	if err != nil {
		return err
	}
	slots := make(chan struct{}, maxAcquisitions)
	var running sync.WaitGroup
	for _, id := range due {
		slots <- struct{}{}
		running.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					a.Log.Error("a provider could not be updated", "provider", id, "err", fmt.Errorf("panic: %v\n%s", v, store.PanicStack(v)))
				}
				<-slots
			}()
			if _, err := a.Providers.Acquire(ctx, id, nil); err != nil && ctx.Err() == nil {
				a.Log.Warn("a provider could not be updated", "provider", id, "err", err)
			}
		})
	}
	running.Wait()
	return nil
}

// SweepProviders deletes the records of providers and feeds that no member can see, in batches.
func (a *App) SweepProviders(ctx context.Context) error {
	return errors.Join(a.DB.WriteBatches(ctx, a.Providers.Sweep), a.DB.WriteBatches(ctx, a.Feeds.Sweep))
}
