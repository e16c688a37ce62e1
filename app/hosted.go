package app

import (
	"log/slog"
	"slices"
	"sync/atomic"

	"appliance/app/api"
	"appliance/app/config"
	"appliance/svc"
)

// hostedService is the state of one service in this process. It implements
// [httpd.HostedService].
type hostedService struct {
	name    string
	off     bool // switched off by the operator
	log     *slog.Logger
	failure atomic.Pointer[error] // error of the last job or operation of the service; nil if it succeeded
}

// newHostedServices returns the hosted services by name.
func newHostedServices(settings *config.Settings, log *slog.Logger) map[string]*hostedService {
	hosted := make(map[string]*hostedService)
	for _, name := range append(slices.Clone(api.ServiceNames), "maps") {
		hosted[name] = &hostedService{name: name, log: log}
	}
	for _, name := range settings.ServicesOff {
		hosted[name].off = true
	}
	return hosted
}

// State returns the state of the service.
func (h *hostedService) State() svc.ServiceState {
	switch {
	case h.off:
		return svc.StateUnavailable
	case h.failure.Load() != nil:
		return svc.StateDegraded
	}
	return svc.StateReady
}

// IsOff reports whether the operator has switched the service off.
func (h *hostedService) IsOff() bool { return h.off }

// Report records the result of an operation. It logs only
// the first of consecutive failures.
func (h *hostedService) Report(err error) {
	if err == nil {
		h.failure.Store(nil)
		return
	}
	if h.failure.Swap(&err) == nil {
		h.log.Error("service degraded", "service", h.name, "err", err)
	}
}
