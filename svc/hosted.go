package svc

import (
	"context"
	"fmt"
	"runtime/debug"
)

// HostedService is a service as the program runs it. Package app implements it.
type HostedService interface {
	State() ServiceState
	Report(error) // records the result of the last operation; nil for success
}

// ServiceState is the state of a service.
type ServiceState string

const (
	StateReady       ServiceState = "ready"
	StateDegraded    ServiceState = "degraded"    // the last operation failed
	StateUnavailable ServiceState = "unavailable" // switched off by the operator
)

// Values implements [Set].
func (ServiceState) Values() []string {
	return Values(StateReady, StateDegraded, StateUnavailable)
}

// Attempt calls read and reports the result to s. A panic counts as an error. A cancelled
// request and a rate limit of the member are not reported, since they are not failures of
// the service.
func Attempt(ctx context.Context, s HostedService, read func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
		if ctx.Err() == nil && KindOf(err) != TooMany {
			s.Report(err)
		}
	}()
	return read()
}
