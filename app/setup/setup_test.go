package setup

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"appliance/app/config"
	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/identity"
)

// fixture is a Setup on an empty database.
type fixture struct {
	*Setup
	t     *testing.T
	clock *storetest.Clock
}

// newFixture returns a fixture with the settings of the environment variables.
func newFixture(t *testing.T, environ ...string) *fixture {
	t.Helper()
	db, clock := storetest.Open(t)
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	config.AddFlags(flags)
	if err := flags.Parse([]string{"--data", t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	settings, err := config.Load(flags, environ)
	if err != nil {
		t.Fatal(err)
	}
	settings.Argon2 = identity.Argon2{Memory: 64, Time: 1, Threads: 1}
	return &fixture{New(settings, slog.New(slog.DiscardHandler), db, identity.New(settings.Identity())), t, clock}
}

func registration(name string) identity.Registration {
	return identity.Registration{Email: name + "@example.org", Username: name, Password: "correct horse battery"}
}

func (f *fixture) redeem(code, name string) error {
	return f.Redeem(f.t.Context(), code, registration(name), func(*store.Tx, identity.Proof) error { return nil })
}

// members returns the user names and whether each member is an operator.
func (f *fixture) members() string {
	f.t.Helper()
	var text string
	err := f.db.Read(f.t.Context(), func(tx *store.Tx) error {
		page, err := f.identity.Members(tx, identity.CommandLine("test"), identity.MemberQuery{})
		for _, m := range page.Members {
			text += fmt.Sprintf("%s %t;", m.Username, m.IsOperator)
		}
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return text
}

func (f *fixture) settingsFile() string {
	text, err := os.ReadFile(f.settings.File())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		f.t.Fatal(err)
	}
	return string(text)
}

func wantCode(t *testing.T, name string, err error, want svc.Code) {
	t.Helper()
	var e *svc.Error
	if !errors.As(err, &e) || e.Code != want {
		t.Errorf("%s: got %v, want %s", name, err, want.Name)
	}
}

// Covers I-22.
func TestCodeCreatesOneOperator(t *testing.T) {
	f := newFixture(t)
	wantCode(t, "without a code", f.CheckCode(""), svc.LinkExpired)
	code := f.NewCode()
	wantCode(t, "wrong code", f.redeem("wrong", "eve"), svc.LinkExpired)
	if err := f.CheckCode(code); err != nil {
		t.Errorf("valid code: %v, want no error", err)
	}
	if err := f.redeem(code, "ann"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "used code", f.redeem(code, "bea"), svc.LinkExpired)
	wantCode(t, "new code with a member", f.redeem(f.NewCode(), "bea"), svc.AlreadyExists)
	if got, want := f.members(), "ann true;"; got != want {
		t.Errorf("members: got %s, want %s", got, want)
	}
	if got, want := f.settingsFile(), "admin-allowed-emails = \"ann@example.org\"\n"; got != want {
		t.Errorf("settings file: got %q, want %q", got, want)
	}
}

func TestNewCodeReplacesThePreviousOne(t *testing.T) {
	f := newFixture(t)
	first, second := f.NewCode(), f.NewCode()
	wantCode(t, "first code", f.CheckCode(first), svc.LinkExpired)
	if err := f.CheckCode(second); err != nil {
		t.Errorf("second code: %v, want no error", err)
	}
}

func TestCodeExpiresAfterAnHour(t *testing.T) {
	f := newFixture(t)
	code := f.NewCode()
	f.clock.Advance(time.Hour - time.Second)
	if err := f.CheckCode(code); err != nil {
		t.Errorf("after 59 minutes: %v, want no error", err)
	}
	f.clock.Advance(time.Second)
	wantCode(t, "after an hour", f.redeem(code, "ann"), svc.LinkExpired)
}

func TestInvalidRegistrationKeepsTheCodeAndWritesNothing(t *testing.T) {
	f := newFixture(t)
	code := f.NewCode()
	err := f.Redeem(t.Context(), code, identity.Registration{Email: "no-address", Password: "correct horse battery"}, nil)
	wantCode(t, "invalid e-mail address", err, svc.InvalidValue)
	if got := f.settingsFile(); got != "" {
		t.Errorf("settings file: got %q, want none", got)
	}
	if err := f.redeem(code, "ann"); err != nil {
		t.Errorf("second attempt: %v, want no error", err)
	}
}

func TestConcurrentRequestsCreateOneOperator(t *testing.T) {
	f := newFixture(t)
	code := f.NewCode()
	errs := make([]error, 6)
	var requests sync.WaitGroup
	for i := range errs {
		requests.Go(func() { errs[i] = f.redeem(code, fmt.Sprint("m", i)) })
	}
	requests.Wait()
	succeeded := ""
	for i, err := range errs {
		if err == nil {
			succeeded += fmt.Sprintf("m%d true;", i)
		} else {
			wantCode(t, fmt.Sprint("request ", i), err, svc.LinkExpired)
		}
	}
	if got := f.members(); got != succeeded || len(succeeded) != len("m0 true;") {
		t.Errorf("members: got %q, succeeded requests %q, want one and the same", got, succeeded)
	}
}

func TestOperatorsOfTheEnvironmentAreNotExtended(t *testing.T) {
	f := newFixture(t, config.OperatorsVariable+"=op@example.org")
	code := f.NewCode()
	wantCode(t, "another e-mail address", f.redeem(code, "eve"), svc.PermissionDenied)
	if err := f.redeem(code, "op"); err != nil {
		t.Fatal(err)
	}
	if got := f.settingsFile(); got != "" {
		t.Errorf("settings file: got %q, want none", got)
	}
}

func TestSetupRemovesTheLinkFile(t *testing.T) {
	f := newFixture(t)
	if err := config.WritePrivate(f.settings.SetupLink(), "link\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.redeem(f.NewCode(), "ann"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.settings.SetupLink()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("link file: got %v, want ErrNotExist", err)
	}
}
