package api_test

import (
	"context"
	"testing"

	"github.com/spf13/pflag"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/svc"
	"appliance/world"
	"appliance/world/dataset"
)

// cancelingService is a hosted service that cancels the request just before the
// service is read.
type cancelingService struct {
	cancel     context.CancelFunc
	stateCalls int // number of calls of State
	reports    []error
}

func (c *cancelingService) State() svc.ServiceState {
	if c.stateCalls++; c.stateCalls == 2 { // the first call is for the ETag
		c.cancel()
	}
	return "ready"
}

func (c *cancelingService) Report(err error) { c.reports = append(c.reports, err) }

func TestCanceledRequestDoesNotDegradeAService(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201)
	ctx, cancel := context.WithCancel(t.Context())
	canceling := &cancelingService{cancel: cancel}
	services := dataset.Services{Identity: h.App.Identity, Calendar: h.App.Calendar, TimeIndex: h.App.TimeIndex, Messages: h.App.Messages, Social: h.App.Social, Surface: h.App.Surface, Maps: h.App.Maps}
	hosted := func(service string) svc.HostedService {
		if service == "time" {
			return canceling
		}
		return h.App.API.Hosted[service]
	}
	_, _ = world.New(h.DB, services, hosted, "test").Read(ctx, ann.Viewer(), dataset.Request{})
	if ctx.Err() == nil {
		t.Fatal("the request was not canceled")
	}
	if len(canceling.reports) > 0 {
		t.Errorf("got the reports %v, want none", canceling.reports)
	}
}

// Covers M-38 and B-02.
func TestEveryServiceCanBeSwitchedOff(t *testing.T) {
	services := make(map[string]bool)
	for _, rt := range apptest.New(t).App.HTTP.Routes() {
		services[rt.Service] = true
	}
	delete(services, "")
	for service := range services {
		flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
		config.AddFlags(flags)
		if err := flags.Parse([]string{"--services-off", service}); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(flags, nil); err != nil {
			t.Errorf("services-off=%s: %v, want no error", service, err)
		}
		withoutService := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{service} })
		if a := withoutService.Unauthenticated().Do("GET", "/ready/"+service).WantError(503, "service_unavailable"); a.Header.Get("Retry-After") == "" {
			t.Errorf("%s: got no Retry-After, want one", service)
		}
	}
}
