package provider

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/provider/contract"
	"appliance/svc/provider/providertest"
)

// A payload that is rejected, or cannot be acquired, changes no record. Covers V-17,
// V-36 and PT-29.
func TestRejectedPayloadChangesNoRecord(t *testing.T) {
	s, p, ann, _ := setup(t)
	records := func() string {
		rows := s.Rows()
		return rows["provider_record"] + rows["provider_action"] + rows["provider_reader"]
	}
	before, body := records(), ann.Dataset().List("objects")
	payload := providertest.Sample("library")
	payload.Objects.Items = payload.Objects.Items[:1]
	payload.Objects.Items[0].Title = "<script>"
	for name, set := range map[string]func(){
		"markup":       func() { p.SetSource(payload) },
		"not JSON":     func() { p.SetSourceText("<html></html>") },
		"empty":        func() { p.SetSourceText("") },
		"other id":     func() { p.SetSource(providertest.Sample("school")) },
		"too large":    func() { p.SetSourceText(strings.Repeat(" ", contract.MaxSource+1)) },
		"failure":      func() { p.SetHandler(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }) },
		"redirect":     func() { p.SetHandler(http.RedirectHandler(p.SourceURL, http.StatusFound).ServeHTTP) },
		"disconnected": func() { p.SetHandler(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }) },
	} {
		set()
		if status, messages := s.SyncProvider("library"); status != 1 || messages == "" {
			t.Errorf("%s: got exit status %d and %q, want 1 and a message", name, status, messages)
		}
		if after := records(); after != before {
			t.Errorf("%s: got the records\n%s\nwant\n%s", name, after, before)
		}
		p.SetHandler(nil)
	}
	if after := ann.Dataset().List("objects"); fmt.Sprint(after) != fmt.Sprint(body) {
		t.Errorf("got the objects %v, want %v", after, body)
	}
	p.SetSource(payload)
	if _, messages := s.SyncProvider("library"); !strings.Contains(messages, "/objects/items/0/title") {
		t.Errorf("got %q, want the place of the problem", messages)
	}
}

// Covers F-31, F-32, B-47 and B-48.
func TestRoutesForServices(t *testing.T) {
	s, p, ann, _ := setup(t)
	key := s.Unauthenticated().With("Authorization", "Service "+apptest.ServiceKey)
	a := key.Do("POST", "/find/provider-source", `{"provider": "library", "request": {"since": "2026", "nested": [1]}}`).Want(200)
	a.WantValues("", map[string]any{"status": "ingested", "provider": "library", "counts.objects": 2.0, "counts.actions": 4.0, "counts.retired": 0.0})
	requests := p.SourceRequests()
	if got := string(requests[len(requests)-1].Body); got != `{"since": "2026", "nested": [1]}` {
		t.Errorf("got the request %s, want that of the caller", got)
	}
	key.Do("POST", "/find/provider-source", `{"provider": "school"}`).WantError(404, "not_found")
	key.Do("POST", "/find/provider-source", `{}`).WantError(400, "field_required")
	p.SetSourceText("{}")
	rejected := key.Do("POST", "/find/provider-source", `{"provider": "library"}`).WantError(422, "provider_payload_rejected")
	if len(rejected.List("error.fields")) == 0 {
		t.Error("got no fields, want the places of the problems")
	}
	p.SetHandler(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	key.Do("POST", "/find/provider-source", `{"provider": "library"}`).WantError(424, "provider_transport_failed")
	p.SetHandler(nil)

	perform(t, ann, "renew_loan", `{"weeks": "2"}`).Want(200)
	command := string(p.ActionRequests()[0].Body)
	a = key.Do("POST", "/find/provider-actions", command).Want(200)
	a.WantValues("", map[string]any{"contract.name": "service.world.provider_action_result", "status": "completed", "provider": "library"})
	key.Do("POST", "/find/provider-actions", strings.Replace(command, `"operation"`, `"operations"`, 1)).WantError(422, "provider_payload_rejected")
	if n := len(p.Commands()); n != 2 {
		t.Errorf("got %d commands, want 2", n)
	}
	for _, path := range []string{"/find/provider-source", "/find/provider-actions"} {
		ann.Do("POST", path, `{}`).WantError(404, "not_found")
	}
}

// Providers are acquired when they are due. The interval grows with the number of failures.
func TestProvidersAreAcquiredWhenDue(t *testing.T) {
	s, p, _, _ := setup(t)
	if _, err := s.App.Providers.Acquire(t.Context(), "library", nil); err != nil { // at the time of the test's clock
		t.Fatal(err)
	}
	acquired := func() int {
		n := len(p.SourceRequests())
		if err := s.App.AcquireProviders(t.Context()); err != nil {
			t.Fatal(err)
		}
		return len(p.SourceRequests()) - n
	}
	for _, step := range []struct {
		minutes int
		fails   bool
		want    int
	}{{14, false, 0}, {1, false, 1}, {14, false, 0}, {1, true, 1}, {15, true, 0}, {15, true, 1}, {59, false, 0}, {1, false, 1}, {15, false, 1}} {
		p.SetHandler(nil)
		if step.fails {
			p.SetHandler(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
		}
		s.Clock.Advance(time.Duration(step.minutes) * time.Minute)
		if got := acquired(); got != step.want {
			t.Errorf("after %d more minutes: got %d requests, want %d", step.minutes, got, step.want)
		}
	}
}

// An acquisition without a change updates the time in the sources of the dataset, but not the ETag
// of the dataset.
func TestAcquisitionWithoutAChange(t *testing.T) {
	s, _, ann, _ := setup(t)
	acquire := func() {
		t.Helper()
		if _, err := s.App.Providers.Acquire(t.Context(), "library", nil); err != nil {
			t.Fatal(err)
		}
	}
	acquire()
	etag := ann.Dataset().Header.Get("ETag")
	s.Clock.Advance(10 * time.Minute)
	acquire()
	s.Clock.Advance(time.Minute)
	ann.AsRuntime().With("If-None-Match", etag).Do("GET", "/world/runtime").Want(http.StatusNotModified)
	if got := apptest.At(sourceOf(t, ann.Dataset(), "library"), "age_seconds"); got != 60.0 {
		t.Errorf("got the age %v, want 60 seconds", got)
	}
}
