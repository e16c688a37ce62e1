package provider

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/provider/contract"
	"appliance/svc/provider/transport"
)

// fakeTransport answers with a text or an error.
type fakeTransport struct {
	source, result string
	err            error
	fetched        int
	request        string // of the last acquisition
	endpoint       transport.Endpoint
}

func (f *fakeTransport) Fetch(_ context.Context, e transport.Endpoint, request []byte) ([]byte, error) {
	f.fetched++
	f.endpoint, f.request = e, string(request)
	return []byte(f.source), f.err
}

func (f *fakeTransport) Perform(_ context.Context, e transport.Endpoint, _ *contract.Command) ([]byte, error) {
	f.endpoint = e
	return []byte(f.result), f.err
}

// newTransportFixture returns a fixture whose provider answers through a fake transport.
func newTransportFixture(t *testing.T) (*fixture, *fakeTransport) {
	f, fake := newFixture(t), new(fakeTransport)
	f.Service = New(f.db, fake)
	return f, fake
}

// text encodes a document.
func text(t *testing.T, document any) string {
	t.Helper()
	encoded, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

// payloadText encodes a payload with the names and versions of its sections.
func payloadText(t *testing.T, objects ...contract.Object) string {
	p := payload(objects...)
	p.Provider.Version, p.Provider.GeneratedAt = "1", "2026-11-24T06:00:00Z"
	p.Objects.Name, p.Relationships.Name, p.Actions.Name, p.Collections.Name, p.Resources.Name, p.Extensions.Name =
		"objects", "relationships", "actions", "collections", "resources", "extensions"
	p.Objects.Version, p.Relationships.Version, p.Actions.Version, p.Collections.Version, p.Resources.Version, p.Extensions.Version = 1, 1, 1, 1, 1, 1
	return text(t, p)
}

// provider returns a provider with its state.
func (f *fixture) provider(id string) (p Provider) {
	f.t.Helper()
	err := f.db.Read(f.t.Context(), func(tx *store.Tx) (err error) {
		p, err = f.Provider(tx, id)
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return p
}

// due returns the providers that are due.
func (f *fixture) due() (due []string) {
	f.t.Helper()
	err := f.db.Read(f.t.Context(), func(tx *store.Tx) (err error) {
		due, err = f.Due(tx)
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return due
}

// wantCode fails t unless err has a code and a part of a message.
func wantCode(t *testing.T, about string, err error, code svc.Code, message string) *svc.Error {
	t.Helper()
	e, ok := errors.AsType[*svc.Error](err)
	if !ok || e.Code != code || !strings.Contains(e.Message, message) {
		t.Fatalf("%s: got the error %v, want %s with %q", about, err, code.Name, message)
	}
	return e
}

// After a failure, members see the previous records, and the operator can read the reason.
// Covers V-17.
func TestFailedAcquisitionKeepsTheRecords(t *testing.T) {
	f, fake := newTransportFixture(t)
	fake.source = payloadText(t, book("1", "Dune"))
	counts, err := f.Acquire(t.Context(), "library", []byte(`{"branch": 2}`))
	if err != nil || counts.Objects != 1 || fake.request != `{"branch": 2}` || fake.endpoint.SourceURL != "https://p.example/source" {
		t.Fatalf("got %+v, %v from the request %s to %s, want 1 object", counts, err, fake.request, fake.endpoint.SourceURL)
	}
	first := f.provider("library")
	if first.AcquiredAt.IsZero() || first.Failure != "" {
		t.Errorf("got %+v, want the time of the acquisition", first)
	}
	if again, err := f.Acquire(t.Context(), "library", nil); err != nil || again != counts || f.provider("library").generation != first.generation {
		t.Errorf("the same payload: got %+v, %v, generation %d, want %+v, generation %d", again, err, f.provider("library").generation, counts, first.generation)
	}

	fake.err = svc.Errorf(svc.TransportFailed, "The provider does not answer.")
	_, err = f.Acquire(t.Context(), "library", nil)
	wantCode(t, "no answer", err, svc.TransportFailed, "does not answer")
	fake.err, fake.source = nil, payloadText(t, book("", "Dune"), book("2", ""))
	_, err = f.Acquire(t.Context(), "library", nil)
	if e := wantCode(t, "invalid payload", err, svc.ProviderRejected, "The payload of the provider was rejected: it has 2 problems."); len(e.Fields) != 2 {
		t.Errorf("invalid payload: got the fields %v, want 2", e.Fields)
	}
	failed := f.provider("library")
	if failed.Failures != 2 || !strings.Contains(failed.Failure, "it has 2 problems. /") || !failed.AcquiredAt.Equal(first.AcquiredAt) {
		t.Errorf("got %d failures, %q, acquired at %v, want 2, the first problem, and the time before", failed.Failures, failed.Failure, failed.AcquiredAt)
	}
	f.wantVisible(bea, "1 Dune000")
	_, err = f.Acquire(t.Context(), "none", nil)
	wantCode(t, "unknown provider", err, svc.NotFound, "none")

	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Acquire(canceled, "library", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: got the error %v, want %v", err, context.Canceled)
	}
	if got := f.provider("library"); got.Failures != 2 {
		t.Errorf("canceled: got %d failures, want 2 as before", got.Failures)
	}
	at := first.AcquiredAt.Add(-time.Hour)
	if got := f.AcquiredAt("library", at); !got.Equal(first.AcquiredAt) {
		t.Errorf("got the time %v, want that of this process, %v", got, first.AcquiredAt)
	}
	if got := f.AcquiredAt("other", at); !got.Equal(at) {
		t.Errorf("another provider: got the time %v, want the stored one", got)
	}
}

// A provider that fails is asked less often, at least every six hours.
func TestAcquisitionIsDueAfterTheInterval(t *testing.T) {
	f, fake := newTransportFixture(t)
	f.write(func(tx *store.Tx) error {
		return f.Add(tx, Registration{ID: "museum", Label: "Museum", SourceURL: "https://m.example/source", Secret: []byte("s"), Interval: time.Hour})
	})
	wantDue := func(about string, want ...string) {
		t.Helper()
		if got := f.due(); !slices.Equal(got, want) {
			t.Errorf("%s: got %q due, want %q", about, got, want)
		}
	}
	wantDue("never acquired", "museum")
	fake.err = svc.Errorf(svc.TransportFailed, "The provider does not answer.")
	for _, pause := range []time.Duration{2 * time.Hour, 4 * time.Hour, 6 * time.Hour, 6 * time.Hour} {
		if _, err := f.Acquire(t.Context(), "museum", nil); err == nil {
			t.Fatal("got no error, want that of the transport")
		}
		f.clock.Advance(pause - time.Second)
		wantDue("a second before the pause has ended")
		f.clock.Advance(time.Second)
		wantDue("after the pause", "museum")
	}
	f.clock.Advance(-24 * time.Hour)
	wantDue("a clock that was set back", "museum")
}

// The outcome of an action is unknown if the provider sends an invalid answer or none.
// Then its objects are acquired again. Covers V-24.
func TestUnknownOutcomeOfAnActionIsAcquired(t *testing.T) {
	f, fake := newTransportFixture(t)
	target := contract.Ref{Provider: "library", SourceType: "book", SourceID: "1"}
	command := &contract.Command{Contract: contract.CommandContract, CommandID: "cmd_1", Provider: "library", Operation: "renew", TargetSource: target}
	result := contract.Result{Contract: contract.ResultContract, CommandID: "cmd_1", Provider: "library", Operation: "renew", TargetSource: target, Status: contract.Completed}
	fake.result = text(t, result)
	if got, err := f.Relay(t.Context(), command); err != nil || got.Status != contract.Completed || fake.endpoint.ActionURL != "https://p.example/action" {
		t.Fatalf("got %+v, %v from %s, want a completed action", got, err, fake.endpoint.ActionURL)
	}
	if due := f.due(); len(due) > 0 {
		t.Errorf("completed action: got %q due, want none", due)
	}
	for name, c := range map[string]struct {
		result string
		err    error
		code   svc.Code
	}{
		"of another command": {strings.ReplaceAll(fake.result, "cmd_1", "cmd_2"), nil, svc.ProviderResult},
		"no JSON":            {"nonsense", nil, svc.ProviderResult},
		"no answer":          {"", svc.Errorf(svc.TransportFailed, "The provider does not answer."), svc.TransportFailed},
	} {
		fake.result, fake.err = c.result, c.err
		_, err := f.Perform(t.Context(), &Order{Provider: f.provider("library"), Command: *command})
		wantCode(t, name, err, c.code, "provider")
		if due := f.due(); !slices.Equal(due, []string{"library"}) {
			t.Errorf("%s: got %q due, want the library", name, due)
		}
		fake.source, fake.err = payloadText(t, book("1", "Dune")), nil
		if _, err := f.Acquire(t.Context(), "library", nil); err != nil {
			t.Fatal(err)
		}
		if due := f.due(); len(due) > 0 {
			t.Errorf("%s: got %q due after the acquisition, want none", name, due)
		}
	}
	command.Provider = "none"
	_, err := f.Relay(t.Context(), command)
	wantCode(t, "unknown provider", err, svc.NotFound, "none")
}

// A process sends one request at a time to a provider.
func TestAcquisitionsOfAProviderWaitForEachOther(t *testing.T) {
	f, fake := newTransportFixture(t)
	release, err := f.lock(t.Context(), "library")
	if err != nil {
		t.Fatal(err)
	}
	waiting, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Acquire(waiting, "library", nil); !errors.Is(err, context.Canceled) || fake.fetched > 0 {
		t.Errorf("got the error %v and %d requests, want %v and none", err, fake.fetched, context.Canceled)
	}
	release()
	fake.source = payloadText(t, book("1", "Dune"))
	if _, err := f.Acquire(t.Context(), "library", nil); err != nil || fake.fetched != 1 {
		t.Errorf("got the error %v and %d requests, want none and 1", err, fake.fetched)
	}
}

// Own feeds are seen by their member only, and pseudonyms differ for each provider.
func TestProvidersOfAMember(t *testing.T) {
	f, _ := newTransportFixture(t)
	storetest.AddMembers(t, f.db, "ann", "bea")
	own := OwnID(ann.Member)
	f.write(func(tx *store.Tx) error {
		return f.Add(tx, Registration{ID: own, Owner: ann.Member, Label: "My feeds", SourceURL: "https://f.example/source", Secret: []byte{}})
	})
	err := f.db.Read(t.Context(), func(tx *store.Tx) error {
		for _, c := range []struct {
			member svc.MemberID
			sees   []string
			owns   []string
		}{{ann.Member, []string{own, "library"}, []string{own}}, {bea.Member, []string{"library"}, nil}} {
			list, err := f.ProvidersOf(tx, c.member)
			if err != nil {
				return err
			}
			var sees []string
			for _, p := range list {
				sees = append(sees, p.ID)
			}
			owns, err := f.OwnedBy(tx, c.member)
			if !slices.Equal(sees, c.sees) || !slices.Equal(owns, c.owns) || err != nil {
				t.Errorf("member %d: got the providers %q, of which own %q, %v, want %q and %q", c.member, sees, owns, err, c.sees, c.owns)
			}
		}
		subjects, err := f.SubjectsOf(tx, bea.Member)
		if len(subjects) != 2 || subjects[0] == subjects[1] {
			t.Errorf("got the pseudonyms %q, want two different ones", subjects)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
