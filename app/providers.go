package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider/feeds"
	"appliance/svc/provider/transport"
)

// localProvider returns the provider inside of this program that has the addresses of an
// endpoint, nil for other endpoints.
func (a *App) localProvider(e transport.Endpoint) http.RoundTripper {
	if feeds.IsAddress(e.SourceURL) {
		return a.Feeds
	}
	return nil
}

// removeFeedData removes the own feeds and the read marks of a member who is deleted.
func (a *App) removeFeedData(tx *store.Tx, id svc.MemberID) error {
	owned, err := a.Providers.OwnedBy(tx, id)
	if err != nil {
		return err
	}
	for _, provider := range owned { // at most one
		if err := errors.Join(a.Feeds.Remove(tx, provider), a.Providers.Remove(tx, provider)); err != nil {
			return err
		}
	}
	subjects, err := a.Providers.SubjectsOf(tx, id)
	if err != nil {
		return err
	}
	return a.Feeds.RemoveMarks(tx, subjects)
}

// acquisitions limits the providers that are asked at the same time.
const acquisitions = 4

// AcquireProviders acquires the payloads that are due. The result of each is stored with
// its provider; the error is that of the database.
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
	slots := make(chan struct{}, acquisitions)
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

// SweepProviders deletes the records of providers that no member can see, in batches.
func (a *App) SweepProviders(ctx context.Context) error { return a.sweep(ctx, a.Providers.Sweep) }
