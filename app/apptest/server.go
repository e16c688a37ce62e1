package apptest

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"appliance/app"
	"appliance/app/cli"
	"appliance/app/config"
	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/identity"
	_ "appliance/svc/svctest" // defines -long for every package of end-to-end tests

	"github.com/spf13/pflag"
)

// Server is the program with its HTTP server. It is closed at the end of the
// test.
type Server struct {
	T        testing.TB
	HTTP     *httptest.Server
	Settings *config.Settings
	Clock    *storetest.Clock // clock of the database
	Log      *Log
	Queries  *QueryTally
	App      *app.App  // replaced by Restart
	DB       *store.DB // database of App
}

// New starts a server on an empty data directory. Each function in change modifies
// its settings.
func New(t testing.TB, change ...func(*config.Settings)) *Server {
	t.Helper()
	return NewWith(t, NewSettings(t, change...))
}

// NewWith is [New] with loaded settings.
func NewWith(t testing.TB, settings *config.Settings) *Server {
	t.Helper()
	app.SetHeapGrowth() // as Serve does
	s := &Server{T: t, Settings: settings, Clock: storetest.NewClock(), Log: new(Log), Queries: &QueryTally{n: make(map[string]int)}}
	storetest.Create(t, s.Settings.Database())
	if err := s.Settings.MakeBackupDir(); err != nil {
		t.Fatal(err)
	}
	s.start()
	s.HTTP = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.App.HTTP.ServeHTTP(w, r) }))
	t.Cleanup(s.HTTP.Close)
	return s
}

// start opens the database and assembles the program.
func (s *Server) start() {
	s.T.Helper()
	db, err := store.Open(s.T.Context(), s.Settings.Database(), store.Options{Clock: s.Clock.Now, OnQuery: s.Queries.add, OnWrite: storetest.LimitWrites(s.T)})
	if err != nil {
		s.T.Fatal(err)
	}
	s.T.Cleanup(func() {
		if err := db.Close(); err != nil {
			s.T.Error(err)
		}
	})
	log := slog.New(slog.NewTextHandler(s.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if s.App, err = app.Assemble(db, s.Settings, log); err != nil {
		s.T.Fatal(err)
	}
	s.T.Cleanup(s.App.Backups.Stop)
	s.DB = db
	s.Write(s.App.Identity.TakeOperators)
}

// Restart closes the database and assembles the program again on the same data,
// with empty caches. The URL of the server does not change.
func (s *Server) Restart() {
	s.T.Helper()
	if err := s.DB.Close(); err != nil {
		s.T.Fatal(err)
	}
	s.start()
}

// NewSettings returns settings with a new data directory and cheap password
// hashes, modified by each function in change.
func NewSettings(t testing.TB, change ...func(*config.Settings)) *config.Settings {
	t.Helper()
	s := LoadSettings(t)
	for _, c := range change {
		c(s)
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s
}

// LoadSettings returns settings with a new data directory and cheap password
// hashes, and the values that environ sets.
func LoadSettings(t testing.TB, environ ...string) *config.Settings {
	t.Helper()
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	config.AddFlags(flags)
	if err := flags.Parse([]string{"--data", t.TempDir(), "--timezone", "Europe/Berlin", "--towns", "off"}); err != nil {
		t.Fatal(err)
	}
	s, err := config.Load(flags, environ)
	if err != nil {
		t.Fatal(err)
	}
	s.Argon2 = identity.Argon2{Memory: 64, Time: 1, Threads: 1}
	return s
}

// Unlimited removes the rate limits of reads and writes, and logs errors only.
func Unlimited(s *config.Settings) {
	s.RateLimits = map[string]int{"reads": 0, "writes": 0, "searches": 0, "geocoder": 0}
	s.Log = "error"
}

// ServiceKey is the key of the service-internal routes that [WithServiceKey]
// sets.
const ServiceKey = "the key of the services"

// WithServiceKey sets the service key, which enables the service-internal routes.
func WithServiceKey(s *config.Settings) { s.ServiceKey = ServiceKey }

// Member adds a member and signs in. The member named op is an operator.
func (s *Server) Member(name string) *Client {
	s.T.Helper()
	email := name + "@example.org"
	a, err := s.App.Identity.Prepare(s.T.Context(), identity.Registration{
		Email: email, Username: name, DisplayName: strings.ToUpper(name[:1]) + name[1:], Password: Password,
	})
	if err != nil {
		s.T.Fatal(err)
	}
	c := s.Unauthenticated()
	c.Name = name
	s.Write(func(tx *store.Tx) error {
		m, err := s.App.Identity.AddMember(tx, identity.CommandLine("test"), a)
		if c.ID = m.ID; err == nil && name == "op" && !m.IsOperator {
			_, err = s.App.Identity.SetOperator(tx, identity.CommandLine("test"), m.ID, true)
		}
		return err
	})
	return c.SignIn(Password)
}

// Members adds members and returns their clients by name.
func (s *Server) Members(names ...string) map[string]*Client {
	s.T.Helper()
	clients := make(map[string]*Client)
	for _, name := range names {
		clients[name] = s.Member(name)
	}
	return clients
}

// Unauthenticated returns a client without credentials.
func (s *Server) Unauthenticated() *Client {
	c := NewClient(s.T, s.HTTP.URL+s.Settings.URL().Path)
	c.Server = s
	return c
}

// SetupCode returns the code of a new link to the set-up page.
func (s *Server) SetupCode() string {
	s.T.Helper()
	link, err := s.App.Setup.NewLink()
	if err != nil {
		s.T.Fatal(err)
	}
	_, code, _ := strings.Cut(link, "?code=")
	return code
}

// RunCommand runs a command of the program on the same data directory.
func (s *Server) RunCommand(stdin string, args ...string) (status int, stdout, stderr string) {
	s.T.Helper()
	var out, errs bytes.Buffer
	status = cli.Run(s.T.Context(), append(args, "--data", s.Settings.Data), strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

// Write runs fn in a write transaction, which must succeed.
func (s *Server) Write(fn func(*store.Tx) error) {
	s.T.Helper()
	if err := s.DB.Write(storetest.Fill(s.T.Context()), fn); err != nil {
		s.T.Fatal(err)
	}
}

// DeleteMember deletes a member with all data, as an operator does.
func (s *Server) DeleteMember(id svc.MemberID) {
	s.T.Helper()
	err := s.DB.Write(s.T.Context(), func(tx *store.Tx) error { return s.App.Identity.Delete(tx, identity.CommandLine("test"), id) })
	if err := errors.Join(err, s.App.DeleteMemberData(s.T.Context())); err != nil {
		s.T.Fatal(err)
	}
}

// Read runs fn in a read transaction, which must succeed.
func (s *Server) Read(fn func(*store.Tx) error) {
	s.T.Helper()
	if err := s.DB.Read(s.T.Context(), fn); err != nil {
		s.T.Fatal(err)
	}
}
