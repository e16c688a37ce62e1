package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"appliance/svc/provider/providertest"
)

// Without a secret the request has the method and the headers of the server, but no signature.
// Covers V-33.
func TestProviderCheckSendsNoSignatureWithoutASecret(t *testing.T) {
	var got string
	status := http.StatusOK
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got = fmt.Sprintf("%s %s %s %s %q%q", r.Method, r.URL.Path, r.Header.Get("Content-Type"), body, r.Header.Get("Authorization"), r.Header.Get("Webhook-Signature"))
		w.WriteHeader(status)
		fmt.Fprint(w, `{"provider": {"id": "library"}}`)
	}))
	defer s.Close()
	exit, out, stderr := run(t, "", "provider", "check", s.URL+"/source")
	if want := `POST /source application/json {} """"`; got != want {
		t.Errorf("got the request %s, want %s", got, want)
	}
	if exit != 1 || !strings.Contains(out, `The key "objects" is missing`) || !strings.Contains(stderr, "problems") {
		t.Errorf("got status %d, %s%s, want the problems of the payload and status 1", exit, out, stderr)
	}
	status = http.StatusBadGateway
	if exit, out, stderr = run(t, "", "provider", "check", s.URL+"/source"); exit != 1 || out != "" || !strings.Contains(stderr, "status 502") {
		t.Errorf("got status %d, %s%s, want an error with the status of the provider", exit, out, stderr)
	}
	if exit, _, stderr = run(t, "", "provider", "check", "http://user@127.0.0.1/"); exit != 2 || !strings.Contains(stderr, "user name") {
		t.Errorf("got status %d, %s, want status 2 for a URL with a user name", exit, stderr)
	}
}

// A source that verifies signatures can be checked with its secret (V-33).
func TestProviderCheckSignsTheRequestWithASecret(t *testing.T) {
	p := providertest.New(t, "library")
	if exit, _, stderr := run(t, "", "provider", "check", p.SourceURL); exit != 1 || !strings.Contains(stderr, "use --secret-stdin") {
		t.Errorf("without a secret: got status %d, %s, want status 1 and the option", exit, stderr)
	}
	if exit, out, stderr := run(t, p.SecretText()+"\n", "provider", "check", p.SourceURL, "--secret-stdin"); exit != 0 || !strings.Contains(out, "is valid") {
		t.Errorf("with the secret: got status %d, %s%s, want a valid payload", exit, out, stderr)
	}
	if n := len(p.SourceRequests()); n != 1 {
		t.Errorf("got %d requests with a valid signature, want 1", n)
	}
	for _, args := range [][]string{{"-"}, {p.SourceURL}} {
		if exit, _, stderr := run(t, "hello", append([]string{"provider", "check", "--secret-stdin"}, args...)...); exit != 2 {
			t.Errorf("%v with the secret hello: got status %d, %s, want status 2", args, exit, stderr)
		}
	}
}

// A result of an action is recognized by its contract (V-27).
func TestProviderCheckOfAResult(t *testing.T) {
	const result = `{"contract": {"name": "service.world.provider_action_result", "version": 1}, "command_id": "cmd_1", "provider": "library",
		"operation": "renew_loan", "target_source": {"provider": "library", "source_type": "loan", "source_id": "88"}, "status": %q,
		"persistent_state": [], "refresh": {"requested": false}}`
	if exit, out, stderr := run(t, fmt.Sprintf(result, "completed"), "provider", "check", "-"); exit != 0 || !strings.Contains(out, "The result of library is valid") {
		t.Errorf("got status %d, %s%s, want a valid result", exit, out, stderr)
	}
	if exit, out, stderr := run(t, fmt.Sprintf(result, "done"), "provider", "check", "-"); exit != 1 || !strings.Contains(out, `/status  This is "done". Write one of`) ||
		!strings.Contains(stderr, "the result has 1 problem") {
		t.Errorf("got status %d, %s%s, want the problem of the status", exit, out, stderr)
	}
}

// Texts of a payload must not control the terminal.
func TestProviderCheckPrintsNoControlCharacters(t *testing.T) {
	_, out, stderr := run(t, `{"a\u001b[2J": 1, "b": "\u001b[2J"}`, "provider", "check", "-")
	if bytes.ContainsRune([]byte(out+stderr), '\x1b') || !strings.Contains(out, "control characters") {
		t.Errorf("got %q %q, want the problems without control characters", out, stderr)
	}
}
