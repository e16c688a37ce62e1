package app

import (
	"context"
	"sync"

	"appliance/store"
)

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
			defer func() { <-slots }()
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
