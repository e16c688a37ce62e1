// Package providertest is a provider for tests: an HTTP server that implements the
// contract with providers and shares no code with the client of this program.
//
// # Files
//
//   - server.go: Server, which verifies signatures and records requests
//   - sample.go: Sample, a payload with records of each kind
package providertest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"appliance/svc/provider/contract"
)

// Paths of a Server.
const (
	sourcePath = "/source"
	actionPath = "/actions"
)

// Server is a provider. Its methods may be called while it serves requests.
type Server struct {
	ID        string
	SourceURL string
	ActionURL string
	Secret    []byte // 32 bytes

	t testing.TB

	mu       sync.Mutex
	source   []byte
	result   func(contract.Command) contract.Result
	handler  http.HandlerFunc
	sources  []Request
	actions  []Request
	commands []contract.Command
	unsigned int
}

// Request is a request with a valid signature.
type Request struct {
	Header http.Header
	Body   []byte
}

// New starts a provider, which stops at the end of the test. It publishes
// [Sample](id) and completes each command.
func New(t testing.TB, id string) *Server {
	secret := sha256.Sum256([]byte("secret of " + id))
	s := &Server{ID: id, Secret: secret[:], t: t, result: Completed}
	s.SetSource(Sample(id))
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.SourceURL, s.ActionURL = server.URL+sourcePath, server.URL+actionPath
	return s
}

// SecretText returns the secret as the operator enters it.
func (s *Server) SecretText() string {
	return "whsec_" + base64.StdEncoding.EncodeToString(s.Secret)
}

// SetSource changes the payload.
func (s *Server) SetSource(payload *contract.Source) {
	s.t.Helper()
	text, err := json.Marshal(payload)
	if err != nil {
		s.t.Fatal(err)
	}
	s.SetSourceText(string(text))
}

// SetSourceText changes the payload to a text, which need not be JSON.
func (s *Server) SetSourceText(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.source = []byte(text)
}

// SetResult changes the function that returns the result of a command. It may change
// the source.
func (s *Server) SetResult(result func(contract.Command) contract.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.result = result
}

// SetHandler makes h respond to all requests with a valid signature, to simulate
// failures; nil restores the normal responses. The requests are recorded.
func (s *Server) SetHandler(h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handler = h
}

// SourceRequests returns the requests for the source.
func (s *Server) SourceRequests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sources)
}

// ActionRequests returns the requests with commands.
func (s *Server) ActionRequests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.actions)
}

// Commands returns the commands of ActionRequests.
func (s *Server) Commands() []contract.Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.commands)
}

// Unsigned returns the number of requests without a valid signature.
func (s *Server) Unsigned() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unsigned
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has closed the connection
	}
	respond, status := s.receive(r, body)
	if respond == nil {
		http.Error(w, http.StatusText(status), status)
		return
	}
	respond(w, r)
}

// receive records a request. It returns the handler for its response, or nil and
// the status with which it is rejected.
func (s *Server) receive(r *http.Request, body []byte) (http.HandlerFunc, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	request := Request{r.Header.Clone(), body}
	if !s.isSigned(request) {
		s.unsigned++
		return nil, http.StatusUnauthorized
	}
	var respond http.HandlerFunc
	switch r.Method + " " + r.URL.Path {
	case "POST " + sourcePath:
		s.sources = append(s.sources, request)
		source := s.source
		respond = func(w http.ResponseWriter, _ *http.Request) { write(w, source) }
	case "POST " + actionPath:
		command, err := contract.ParseCommand(body)
		if err != nil {
			s.t.Errorf("provider %s: got the command %s: %v, want a valid one", s.ID, body, err)
			return nil, http.StatusUnprocessableEntity
		}
		s.actions, s.commands = append(s.actions, request), append(s.commands, *command)
		result := s.result
		respond = func(w http.ResponseWriter, _ *http.Request) { // without the lock: result may change the source
			text, err := json.Marshal(result(*command))
			if err != nil {
				s.t.Errorf("provider %s: result of %s: %v", s.ID, body, err)
			}
			write(w, text)
		}
	default:
		return nil, http.StatusNotFound
	}
	if s.handler != nil {
		respond = s.handler
	}
	return respond, http.StatusOK
}

func write(w http.ResponseWriter, text []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Write(text)
}

// isSigned reports whether a request has a signature of Standard Webhooks 1.0 with
// the secret. It does not compare the time, because tests set their clocks.
func (s *Server) isSigned(r Request) bool {
	id, seconds := r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")
	if _, err := strconv.ParseInt(seconds, 10, 64); err != nil || id == "" || strings.Contains(id, ".") {
		return false
	}
	mac := hmac.New(sha256.New, s.Secret)
	io.WriteString(mac, id+"."+seconds+".")
	mac.Write(r.Body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return slices.Contains(strings.Fields(r.Header.Get("webhook-signature")), want)
}

// Completed returns the result of a command that the provider has performed, without a
// refresh.
func Completed(c contract.Command) contract.Result {
	return contract.Result{
		Contract: contract.ResultContract, CommandID: c.CommandID, Provider: c.Provider, Operation: c.Operation,
		TargetSource: c.TargetSource, Status: contract.Completed, Message: "Done.",
	}
}
