package providertest

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/provider/contract"
	"appliance/svc/provider/transport"
)

// fixture is a provider and the client of the server.
type fixture struct {
	*Server
	client *transport.Client
}

func newFixture(t *testing.T) fixture {
	return fixture{New(t, "library"), transport.New("appliance/test", time.Now, nil)}
}

func (f fixture) endpoint() transport.Endpoint {
	return transport.Endpoint{Provider: f.ID, SourceURL: f.SourceURL, ActionURL: f.ActionURL, Secret: f.Secret}
}

// command returns a command for an action of the sample.
func command() *contract.Command {
	a := Sample("library").Actions.Items[0]
	return &contract.Command{
		Contract: contract.CommandContract, CommandID: "cmd_1", IssuedAt: "2026-11-24T06:00:00Z", Provider: "library",
		Operation: a.Operation.Operation, ActionID: a.ID, ActionType: a.Type, TargetSource: a.TargetSource,
		Member: contract.Member{Subject: "ms_1"}, Input: svc.Map{"weeks": "2"},
	}
}

func TestSampleIsAValidPayload(t *testing.T) {
	f := newFixture(t)
	text, err := f.client.Fetch(t.Context(), f.endpoint(), []byte(`{"page":1}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := contract.ParseSource(text, "library")
	if err != nil {
		t.Fatalf("got %v, want a valid payload", err)
	}
	if len(got.Objects.Items) != 2 || len(got.Actions.Items) != 4 || len(got.Actions.Items[0].Input) == 0 || len(got.Extensions.Items) != 1 {
		t.Errorf("got %+v, want the sample", got)
	}
	requests := f.SourceRequests()
	if len(requests) != 1 || string(requests[0].Body) != `{"page":1}` || len(f.ActionRequests()) != 0 {
		t.Errorf("got the requests %v, want one for the source", requests)
	}
	f.SetSourceText("not JSON")
	if text, err := f.client.Fetch(t.Context(), f.endpoint(), nil); err != nil || string(text) != "not JSON" {
		t.Errorf("changed source: got %s, %v, want it", text, err)
	}
}

func TestCommandsAreRecordedAndCompleted(t *testing.T) {
	f := newFixture(t)
	c := command()
	perform := func() *contract.Result {
		t.Helper()
		text, err := f.client.Perform(t.Context(), f.endpoint(), c)
		if err != nil {
			t.Fatal(err)
		}
		result, err := contract.ParseResult(text, c)
		if err != nil {
			t.Fatalf("got %v, want a valid result", err)
		}
		return result
	}
	if got := perform(); got.Status != contract.Completed {
		t.Errorf("got %+v, want a completed command", got)
	}
	f.SetResult(func(c contract.Command) contract.Result {
		r := Completed(c)
		r.Status, r.Message = contract.Rejected, "Renewed too often."
		return r
	})
	if got := perform(); got.Status != contract.Rejected {
		t.Errorf("got %+v, want a rejected command", got)
	}
	commands := f.Commands()
	if len(commands) != 2 || commands[0].CommandID != "cmd_1" || commands[0].Input["weeks"] != "2" || f.ActionRequests()[0].Header.Get("webhook-id") != "cmd_1" {
		t.Errorf("got the commands %+v, want both", commands)
	}
}

func TestRequestsWithoutASignatureAreRejected(t *testing.T) {
	f := newFixture(t)
	other := f.endpoint()
	other.Secret = []byte("another secret of 24 bytes")
	_, err := f.client.Fetch(t.Context(), other, nil)
	if e, ok := errors.AsType[*svc.Error](err); !ok || !strings.Contains(e.Message, "401") {
		t.Errorf("another secret: got %v, want status 401", err)
	}
	if _, err = f.client.Perform(t.Context(), other, command()); err == nil {
		t.Error("another secret: got a result, want an error")
	}
	plain, err := http.Post(f.SourceURL, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	plain.Body.Close()
	if plain.StatusCode != http.StatusUnauthorized || f.Unsigned() != 3 || len(f.SourceRequests())+len(f.ActionRequests()) != 0 {
		t.Errorf("got status %d and %d rejected requests, want 401 and 3, none of them recorded", plain.StatusCode, f.Unsigned())
	}
	if secret, err := transport.ParseSecret(f.SecretText()); err != nil || string(secret) != string(f.Secret) {
		t.Errorf("got the secret %x, %v, want %x", secret, err, f.Secret)
	}
}

func TestHandlerReplacesResponses(t *testing.T) {
	f := newFixture(t)
	f.SetHandler(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	_, errFetch := f.client.Fetch(t.Context(), f.endpoint(), nil)
	_, errPerform := f.client.Perform(t.Context(), f.endpoint(), command())
	if errFetch == nil || errPerform == nil || len(f.SourceRequests()) != 1 || len(f.Commands()) != 1 {
		t.Errorf("got %v and %v, want two failures that are recorded", errFetch, errPerform)
	}
	f.SetHandler(nil)
	if _, err := f.client.Fetch(t.Context(), f.endpoint(), nil); err != nil {
		t.Errorf("without the handler: got %v, want the source", err)
	}
}
