package world_test

import (
	"context"
	"encoding/json"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider"
	"appliance/svc/provider/contract"
	"appliance/svc/provider/providertest"
	"appliance/svc/provider/transport"
	"appliance/world"
	"appliance/world/worldtest"
)

// library is the provider library, which answers commands with result.
type library struct {
	*fixture
	result   func(*contract.Command) contract.Result
	commands []contract.Command
	fetched  int
}

func (l *library) Fetch(context.Context, transport.Endpoint, []byte) ([]byte, error) {
	l.fetched++
	return json.Marshal(providertest.Sample("library"))
}

func (l *library) Perform(_ context.Context, _ transport.Endpoint, c *contract.Command) ([]byte, error) {
	l.commands = append(l.commands, *c)
	return json.Marshal(l.result(c))
}

func newLibrary(t *testing.T) *library {
	t.Helper()
	l := &library{fixture: newFixture(t), result: func(c *contract.Command) contract.Result { return providertest.Completed(*c) }}
	l.Providers = provider.New(l.DB, l)
	l.World = l.NewWorld()
	l.Write(func(tx *store.Tx) error {
		return l.Providers.Add(tx, provider.Registration{ID: "library", Label: "Library", SourceURL: "https://p.example/source", ActionURL: "https://p.example/action", Secret: []byte("s")})
	})
	if _, err := l.Providers.Acquire(t.Context(), "library", nil); err != nil {
		t.Fatal(err)
	}
	return l
}

// renew performs the action of the library on the loan Dune.
func (l *library) renew(in world.Dispatch) (world.Dispatch, world.ActionResponse, error) {
	l.T.Helper()
	in.ActionID = l.actionID(l.ann, "renew_loan", "Dune")
	err := l.DB.Read(l.T.Context(), func(tx *store.Tx) error { return l.World.Prepare(tx, l.ann, &in) })
	if err != nil {
		return in, world.ActionResponse{}, err
	}
	if err := l.World.PerformRelay(l.T.Context(), in.Relay); err != nil {
		return in, world.ActionResponse{}, err
	}
	response, err := l.perform(l.ann, in)
	return in, response, err
}

// weeks is the body of a request for the action.
func weeks(text string) world.Dispatch {
	return world.Dispatch{Body: []byte(`{"input": {"weeks": "` + text + `"}}`)}
}

// Covers V-24 and V-34.
func TestActionOfAProviderReportsItsResult(t *testing.T) {
	l := newLibrary(t)
	other := contract.Ref{Provider: "library", SourceType: "room", SourceID: "2"}
	for _, c := range []struct {
		name    string
		change  func(*contract.Result)
		http    int
		message string
		code    string
	}{
		{"completed", func(r *contract.Result) {}, 200, "Done.", ""},
		{"completed without a message", func(r *contract.Result) { r.Message = "" }, 200, "Done.", ""},
		{"accepted", func(r *contract.Result) { r.Status, r.Message = contract.Accepted, "" }, 200, "The provider will finish this later.", ""},
		{"rejected", func(r *contract.Result) { r.Status, r.Message = contract.Rejected, "Dune is reserved." }, 422, "Dune is reserved.", svc.ActionUnavailable.Name},
		{"failed", func(r *contract.Result) { r.Status, r.Message = contract.Failed, "" }, 424, "The provider could not do this.", svc.ProviderFailed.Name},
		{"facts", func(r *contract.Result) {
			r.PersistentState = svc.List[contract.StateFact]{{Source: r.TargetSource, Facts: svc.Map{"due": "2027-02-01", "copies": 1.0}}, {Source: other, Facts: svc.Map{"seats": 2.0}}}
		}, 200, "Done.", ""},
		{"refresh", func(r *contract.Result) { r.Refresh.Requested = true }, 200, "Done.", ""},
	} {
		l.result = func(command *contract.Command) contract.Result {
			r := providertest.Completed(*command)
			c.change(&r)
			return r
		}
		fetched := l.fetched
		in, got, err := l.renew(weeks("2"))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got.Message != c.message || in.Relay.Status() != c.http || got.Target.WorldObjectID != l.objectID(l.ann, "Dune") || in.Relay.Provider() != "library" {
			t.Errorf("%s: got %d %+v, want %d with the message %q", c.name, in.Relay.Status(), got, c.http, c.message)
		}
		if code := ""; got.Error != nil != (c.code != code) || got.Error != nil && (string(got.Error.Code) != c.code || got.Error.Retryable != (c.http == 424)) {
			t.Errorf("%s: got the error %+v, want the code %q", c.name, got.Error, c.code)
		}
		if wants := c.name == "refresh"; got.Refresh.Performed != wants || (l.fetched > fetched) != wants {
			t.Errorf("%s: got %+v and %d acquisitions, want one only for a refresh", c.name, got.Refresh, l.fetched-fetched)
		}
		if c.name == "facts" && (len(got.Facts) != 2 || got.Facts[0].Name != "copies" || got.Facts[1].Value != "2027-02-01") {
			t.Errorf("facts: got %+v, want those of the object, by name", got.Facts)
		}
	}
	if (*world.Relay)(nil).Status() != 200 {
		t.Error("action of World: got an error status, want 200")
	}
}

// A repeated request has the id of the first command, so that the provider performs it once.
// A corrected request is another one. Covers V-21.
func TestRepeatedRequestHasTheSameCommandID(t *testing.T) {
	l := newLibrary(t)
	send := func(key, text string) string {
		t.Helper()
		in := weeks(text)
		in.IdempotencyKey = key
		if _, _, err := l.renew(in); err != nil {
			t.Fatal(err)
		}
		return l.commands[len(l.commands)-1].CommandID
	}
	first := send("k", "2")
	if got := send("k", "2"); got != first {
		t.Errorf("repeated: got the id %s, want %s", got, first)
	}
	for name, got := range map[string]string{"another key": send("l", "2"), "another body": send("k", "4")} {
		if got == first {
			t.Errorf("%s: got the id of the first command, want another one", name)
		}
	}
	if one, other := send("", "2"), send("", "2"); one == other {
		t.Errorf("no key: got the id %s twice, want different ones", one)
	}
}

func TestActionOfAProviderIsRejected(t *testing.T) {
	l := newLibrary(t)
	_, _, err := l.renew(weeks("3"))
	worldtest.WantError(t, "value that is no option", err, svc.InvalidValue, "weeks")
	_, _, err = l.renew(world.Dispatch{Body: []byte(`{}`)})
	worldtest.WantError(t, "missing value", err, svc.FieldRequired, "weeks")
	id := l.actionID(l.ann, "renew_loan", "Dune")
	_, err = l.perform(l.ann, world.Dispatch{ActionID: id, Body: []byte(`{"weeks": "2"}`)})
	worldtest.WantError(t, "without the answer of the provider", err, svc.ActionUnavailable)
	if len(l.commands) > 0 {
		t.Errorf("got %d commands, want none", len(l.commands))
	}
	l.performAction(l.ann, "focus_object", "Dune", world.Input{})
	if got := l.shownSurfaces(); got["object"] != "Dune" {
		t.Errorf("carried objects: got the titles %q, want Dune", got)
	}
	l.Write(func(tx *store.Tx) error { return l.Providers.Remove(tx, "library") })
	_, err = l.perform(l.ann, world.Dispatch{ActionID: id, Body: []byte(`{"weeks": "2"}`)})
	worldtest.WantError(t, "removed provider", err, svc.NotFound)
	l.Hosted("find").SwitchOff()
	_, err = l.perform(l.ann, world.Dispatch{ActionID: id, Body: []byte(`{"weeks": "2"}`)})
	worldtest.WantError(t, "Find is off", err, svc.ServiceUnavailable)
}
