package app

import (
	"context"
	"net"
)

// Exports for external tests.

var Listen = listen

func (a *App) ServeOn(ctx context.Context, ln net.Listener) error {
	return a.serve(ctx, ln, func(string) {})
}

func (a *App) Announce(ctx context.Context, addr net.Addr) error { return a.announce(ctx, addr, nil) }
