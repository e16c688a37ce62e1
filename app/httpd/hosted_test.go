package httpd_test

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

// leaving is a service whose caller hangs up just before it is read.
type leaving struct {
	hangUp  context.CancelFunc
	asked   int
	reports []error
}

func (l *leaving) State() string {
	if l.asked++; l.asked == 2 { // for the ETag first, then before it is read
		l.hangUp()
	}
	return "ready"
}

func (l *leaving) Report(err error) { l.reports = append(l.reports, err) }

// A member who hangs up in the middle of an answer degrades nothing.
func TestHangingUpIsNoFailure(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201)
	ctx, cancel := context.WithCancel(t.Context())
	unit := &leaving{hangUp: cancel}
	services := dataset.Services{Identity: h.App.Identity, Calendar: h.App.Calendar, TimeIndex: h.App.TimeIndex, Messages: h.App.Messages, Social: h.App.Social, Surface: h.App.Surface}
	unitOf := func(service string) svc.HostedService {
		if service == "time" {
			return unit
		}
		return h.App.HTTP.Hosted(service)
	}
	_, _ = world.New(h.DB, services, unitOf, "test").Read(ctx, ann.Viewer(), dataset.Request{})
	if ctx.Err() == nil {
		t.Fatal("nobody hung up")
	}
	if len(unit.reports) > 0 {
		t.Errorf("the service was told of %v", unit.reports)
	}
}

// Every service that has routes of its own can be switched off in the settings,
// and says when to ask again. Covers M-38 and B-02.
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
			t.Errorf("%s stays on: %v", service, err)
		}
		off := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{service} })
		if a := off.Unauthenticated().Do("GET", "/ready/"+service).WantError(503, "service_unavailable"); a.Header.Get("Retry-After") == "" {
			t.Errorf("nobody knows when %s is there again", service)
		}
	}
}
