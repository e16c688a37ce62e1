package provider

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/svc"
	"appliance/svc/provider/contract"
	"appliance/svc/provider/providertest"
)

// memberData matches the username, the address and the service token of a member. A random
// identifier can contain the letters of the username.
var memberData = regexp.MustCompile(`\bann\b|example\.org|svc_`)

// perform sends body to the only action of type kind in the dataset of c.
func perform(t *testing.T, c *apptest.Client, kind, body string) *apptest.Answer {
	t.Helper()
	return c.AsRuntime().Do("POST", fmt.Sprint(apptest.At(actionOfType(t, c.Dataset(), kind), "command.url")), body)
}

// Covers W-144, W-146, W-147, V-25, V-26, V-29, V-32, V-33 and B-29.
func TestActionOfAProvider(t *testing.T) {
	_, p, ann, bea := setup(t)
	p.SetResult(func(c contract.Command) contract.Result {
		payload := providertest.Sample("library")
		payload.Objects.Items[0].Summary = "Due on " + fmt.Sprint(c.Input["weeks"])
		p.SetSource(payload)
		r := providertest.Completed(c)
		r.Message = "Renewed until 10 January"
		r.PersistentState = svc.List[contract.StateFact]{{Source: c.TargetSource, Facts: svc.Map{"due_on": "2027-01-10", "again": true}}}
		r.Refresh.Requested = true
		return r
	})
	a := perform(t, ann, "renew_loan", `{"input": {"weeks": "4", "other": "x"}}`).Want(200)
	a.WantSchema("service.world.action_response", a.At(""))
	a.WantValues("", map[string]any{
		"type": "renew_loan", "status": "completed", "message": "Renewed until 10 January", "error": nil, "refresh.requested": true, "refresh.performed": true,
		"facts": "[map[name:again value:true] map[name:due_on value:2027-01-10]]", "dataset.contract.name": "service.runtime.dataset",
	})
	if !strings.Contains(a.Body, "Due on 4") {
		t.Error("got the previous dataset, want the one after the acquisition")
	}
	commands := p.Commands()
	if len(commands) != 1 || len(p.SourceRequests()) != 2 || p.Unsigned() != 0 {
		t.Fatalf("got %d commands, %d requests for the source and %d without a signature, want 1, 2, 0", len(commands), len(p.SourceRequests()), p.Unsigned())
	}
	c := commands[0]
	if c.Operation != "renew_loan" || c.ActionID != "renew-88" || c.ActionType != "renew_loan" || fmt.Sprint(c.Input) != "map[weeks:4]" || c.Metadata["copy"] != "B12" {
		t.Errorf("got the command %+v", c)
	}
	request := p.ActionRequests()[0]
	if text := string(request.Body) + fmt.Sprint(request.Header); memberData.MatchString(text) {
		t.Errorf("got a command with data of the member: %s", text)
	}
	perform(t, bea, "renew_loan", `weeks=2`).WantError(http.StatusBadRequest, "malformed_body")
	perform(t, bea.With("Content-Type", "application/x-www-form-urlencoded"), "renew_loan", `weeks=2`).Want(200)
	if commands = p.Commands(); len(commands) != 2 || commands[1].Member == c.Member || fmt.Sprint(commands[1].Input) != "map[weeks:2]" {
		t.Errorf("got the commands %+v, want a second one with another subject", commands)
	}
}

// Covers W-145, V-27 for the absence of a command, PT-32 and W-150.
func TestRefusedActionsAreNotRelayed(t *testing.T) {
	s, p, ann, bea := setup(t)
	d := ann.Dataset()
	for kind, want := range map[string]struct {
		status int
		code   string
	}{
		"transfer_loan": {403, "action_denied"}, "return_loan": {409, "action_disabled"}, "reserve_room": {409, "action_unavailable"},
	} {
		perform(t, ann, kind, `{}`).WantError(want.status, want.code)
	}
	perform(t, ann, "renew_loan", `{}`).WantError(400, "field_required")
	perform(t, ann, "renew_loan", `{"input": {"weeks": "3"}}`).WantError(422, "invalid_value")
	url := fmt.Sprint(apptest.At(actionOfType(t, d, "renew_loan"), "command.url"))
	bea.AsRuntime().Do("POST", url, `{"weeks": "2"}`).WantError(404, "not_found")
	payload := providertest.Sample("library")
	payload.Actions.Items[0].Availability = contract.Disabled
	p.SetSource(payload)
	s.SyncProvider("library")
	ann.AsRuntime().Do("POST", url, `{"weeks": "2"}`).WantError(409, "action_disabled")
	payload.Actions.Items[0].Availability, payload.Actions.Items[0].Operation = contract.Enabled, nil
	p.SetSource(payload)
	s.SyncProvider("library")
	ann.AsRuntime().Do("POST", url, `{"weeks": "2"}`).WantError(409, "action_unavailable")
	payload.Objects.Items[0].Visibility = contract.Visibility{Group: contract.Operators}
	payload.Actions.Items[0].Operation = &contract.Operation{Operation: "renew"}
	p.SetSource(payload)
	s.SyncProvider("library")
	cem := s.Member("cem")
	if strings.Contains(cem.Dataset().Body, "renew_loan") {
		t.Error("got an action on an object that the member cannot see")
	}
	s.RunCommand("", "provider", "remove", "library")
	ann.AsRuntime().Do("POST", url, `{"weeks": "2"}`).WantError(404, "not_found")
	if n := len(p.Commands()); n != 0 {
		t.Errorf("got %d commands, want 0", n)
	}
}

// A result that violates the contract, or is about another command, is not accepted.
// Covers W-149, V-27, V-28 and V-31.
func TestResultsAreChecked(t *testing.T) {
	s, p, ann, _ := setup(t)
	ann.Dataset() // stores the defaults of the workspace
	for name, change := range map[string]func(*contract.Result){
		"contract":  func(r *contract.Result) { r.Contract.Version = 2 },
		"command":   func(r *contract.Result) { r.CommandID = "cmd_other" },
		"provider":  func(r *contract.Result) { r.Provider = "school" },
		"operation": func(r *contract.Result) { r.Operation = "delete" },
		"target":    func(r *contract.Result) { r.TargetSource.SourceID = "89" },
		"status":    func(r *contract.Result) { r.Status = "done" },
		"markup":    func(r *contract.Result) { r.Message = "<b>Done</b>" },
		"term": func(r *contract.Result) {
			r.PersistentState = svc.List[contract.StateFact]{{Source: r.TargetSource, Facts: svc.Map{"panel": 1}}}
		},
	} {
		p.SetResult(func(c contract.Command) contract.Result {
			r := providertest.Completed(c)
			r.Refresh.Requested = true
			change(&r)
			return r
		})
		s.WantUnchanged(name, func() {
			perform(t, ann, "renew_loan", `{"weeks": "2"}`).WantError(424, "provider_result_invalid")
		})
	}
	p.SetHandler(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	s.WantUnchanged("status 502", func() {
		perform(t, ann, "renew_loan", `{"weeks": "2"}`).WantError(424, "provider_transport_failed")
	})
	p.SetHandler(nil)
	if n := len(p.SourceRequests()); n != 1 {
		t.Errorf("got %d requests for the source, want 1", n)
	}
	p.SetResult(providertest.Completed)
	perform(t, ann, "renew_loan", `{"weeks": "2"}`).WantValues("", map[string]any{"status": "completed", "refresh.requested": false, "dataset": nil})
	if n := len(p.SourceRequests()); n != 1 {
		t.Errorf("without a requested refresh: got %d requests for the source, want 1", n)
	}
}

// If the outcome of an action is unknown, the objects are acquired again soon, and the log contains
// the position of the error in the invalid result.
func TestUnknownOutcomeIsFollowedByAnAcquisition(t *testing.T) {
	s, p, ann, _ := setup(t, func(s *config.Settings) { s.Log = "warn" })
	p.SetResult(func(c contract.Command) contract.Result {
		payload := providertest.Sample("library")
		payload.Objects.Items[0].Summary = "Due on 10 January"
		p.SetSource(payload)
		r := providertest.Completed(c)
		r.TargetSource.SourceID = "secret title"
		return r
	})
	acquire := func() {
		t.Helper()
		if err := s.App.AcquireProviders(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	acquire() // at the time of the test's clock
	before := len(p.SourceRequests())
	acquire()
	if n := len(p.SourceRequests()); n != before {
		t.Fatalf("before the action: got %d requests for the source, want %d", n, before)
	}
	perform(t, ann, "renew_loan", `{"weeks": "2"}`).WantError(424, "provider_result_invalid")
	for range 2 { // the second run has nothing to acquire
		acquire()
	}
	if n := len(p.SourceRequests()); n != before+1 || !strings.Contains(ann.Dataset().Body, "Due on 10 January") {
		t.Errorf("got %d requests for the source, want %d and the objects after the action", n, before+1)
	}
	if log := s.Log.String(); !strings.Contains(log, "/target_source") || strings.Contains(log, "secret title") {
		t.Errorf("got the log %s, want the place of the problem without the value", log)
	}
}

// A failed connection is not followed by an acquisition, because the provider has not performed the
// action: members cannot cause requests to a provider that is down.
func TestFailedConnectionIsNotFollowedByAnAcquisition(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, p := s.Member("ann"), providertest.New(t, "library")
	p.ActionURL = "http://127.0.0.1:1/actions"
	s.AddProvider(p)
	acquire := func() int {
		t.Helper()
		if err := s.App.AcquireProviders(t.Context()); err != nil {
			t.Fatal(err)
		}
		return len(p.SourceRequests())
	}
	before := acquire()
	perform(t, ann, "renew_loan", `{"weeks": "2"}`).WantError(424, "provider_transport_failed")
	if n := acquire(); n != before {
		t.Errorf("got %d requests for the source, want %d", n, before)
	}
}

// Covers B-29 for the other results.
func TestResultsOfActionsThatAreNotPerformed(t *testing.T) {
	_, p, ann, _ := setup(t)
	for status, want := range map[contract.ResultStatus]int{contract.Accepted: 200, contract.Rejected: 422, contract.Failed: 424} {
		p.SetResult(func(c contract.Command) contract.Result {
			r := providertest.Completed(c)
			r.Status, r.Message = status, ""
			return r
		})
		key := ann.With("Idempotency-Key", "key "+string(status))
		for range 2 { // only a success is stored for replay
			a := perform(t, key, "renew_loan", `{"weeks": "2"}`).Want(want)
			a.WantSchema("service.world.action_response", a.At(""))
			a.WantValues("", map[string]any{"status": status, "dataset": nil})
			if (a.At("error") == nil) != (want == 200) {
				t.Errorf("%s: got the error %v", status, a.At("error"))
			}
		}
	}
	commands := p.Commands()
	if len(commands) != 5 {
		t.Errorf("got %d commands, want one that was accepted, and two of each other status", len(commands))
	}
	ids := make(map[string]bool)
	for _, c := range commands {
		ids[c.CommandID] = true
	}
	if len(ids) != 3 {
		t.Errorf("got %d command ids, want one for each idempotency key: the provider performs a repeated command once", len(ids))
	}
}

// The dataset is not refreshed if the payload cannot be acquired after the action.
func TestActionSucceedsIfTheAcquisitionFails(t *testing.T) {
	_, p, ann, _ := setup(t)
	p.SetResult(func(c contract.Command) contract.Result {
		p.SetSourceText("{")
		r := providertest.Completed(c)
		r.Refresh.Requested = true
		return r
	})
	perform(t, ann, "renew_loan", `{"weeks": "2"}`).Want(200).WantValues("", map[string]any{
		"status": "completed", "refresh.requested": true, "refresh.performed": false, "dataset": nil,
	})
	wantProvider(t, ann.Dataset(), "degraded", "not_updated")
}

// After a failure, the same idempotency key with another body results in another command. A key
// that is too long is rejected before the command is sent.
func TestCommandsOfCorrectedRequests(t *testing.T) {
	_, p, ann, _ := setup(t)
	p.SetResult(func(c contract.Command) contract.Result {
		r := providertest.Completed(c)
		if c.Input["weeks"] == "4" {
			r.Status = contract.Rejected
		}
		return r
	})
	key := ann.With("Idempotency-Key", "k")
	perform(t, key, "renew_loan", `{"weeks": "4"}`).Want(422)
	perform(t, key, "renew_loan", `{"weeks": "2"}`).Want(200)
	if commands := p.Commands(); len(commands) != 2 || commands[0].CommandID == commands[1].CommandID {
		t.Errorf("got the commands %+v, want two with different ids", commands)
	}
	perform(t, ann.With("Idempotency-Key", strings.Repeat("k", 129)), "renew_loan", `{"weeks": "2"}`).WantError(422, "idempotency_key_reused")
	if n := len(p.Commands()); n != 2 {
		t.Errorf("got %d commands, want 2", n)
	}
}
