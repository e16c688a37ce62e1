package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Covers V-33: a request that anyone can cause has no signature.
func TestProviderCheckRequestsTheURLAsTheServerDoesWithoutASignature(t *testing.T) {
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

// Texts of a payload must not control the terminal.
func TestProviderCheckPrintsNoControlCharacters(t *testing.T) {
	_, out, stderr := run(t, `{"a\u001b[2J": 1, "b": "\u001b[2J"}`, "provider", "check", "-")
	if bytes.ContainsRune([]byte(out+stderr), '\x1b') || !strings.Contains(out, "control characters") {
		t.Errorf("got %q %q, want the problems without control characters", out, stderr)
	}
}
