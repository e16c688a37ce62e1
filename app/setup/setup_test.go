package setup

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
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
	return newFixtureWithFlags(t, nil, environ...)
}

// newFixtureWithFlags returns a fixture with the settings of flags and environment
// variables.
func newFixtureWithFlags(t *testing.T, args []string, environ ...string) *fixture {
	t.Helper()
	db, clock := storetest.Open(t)
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	config.AddFlags(flags)
	if err := flags.Parse(append([]string{"--data", t.TempDir()}, args...)); err != nil {
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

// newCode returns the code of a new link.
func (f *fixture) newCode() string {
	f.t.Helper()
	link, err := f.NewLink()
	if err != nil {
		f.t.Fatal(err)
	}
	_, code, _ := strings.Cut(link, "/setup?code=")
	return code
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
	wantCode(t, "without a code", f.CheckCode(t.Context(), ""), svc.LinkExpired)
	code := f.newCode()
	wantCode(t, "wrong code", f.redeem("wrong", "eve"), svc.LinkExpired)
	if err := f.CheckCode(t.Context(), code); err != nil {
		t.Errorf("valid code: %v, want no error", err)
	}
	if err := f.redeem(code, "ann"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "used code", f.redeem(code, "bea"), svc.LinkExpired)
	wantCode(t, "new code with a member", f.redeem(f.newCode(), "bea"), svc.LinkExpired)
	if got, want := f.members(), "ann true;"; got != want {
		t.Errorf("members: got %s, want %s", got, want)
	}
}

func TestNewLinkReplacesThePreviousOne(t *testing.T) {
	f := newFixture(t)
	first, second := f.newCode(), f.newCode()
	wantCode(t, "first code", f.CheckCode(t.Context(), first), svc.LinkExpired)
	if err := f.CheckCode(t.Context(), second); err != nil {
		t.Errorf("second code: %v, want no error", err)
	}
}

func TestCodeExpiresAfterAnHour(t *testing.T) {
	f := newFixture(t)
	code := f.newCode()
	f.clock.Advance(time.Hour - time.Second)
	if err := f.CheckCode(t.Context(), code); err != nil {
		t.Errorf("after 59 minutes: %v, want no error", err)
	}
	f.clock.Advance(time.Second)
	wantCode(t, "after an hour", f.redeem(code, "ann"), svc.LinkExpired)
}

func TestInvalidRegistrationKeepsTheCode(t *testing.T) {
	f := newFixture(t)
	code := f.newCode()
	err := f.Redeem(t.Context(), code, identity.Registration{Email: "no-address", Password: "correct horse battery"}, nil)
	wantCode(t, "invalid e-mail address", err, svc.InvalidValue)
	if err := f.redeem(code, "ann"); err != nil {
		t.Errorf("second attempt: %v, want no error", err)
	}
}

func TestConcurrentRequestsCreateOneOperator(t *testing.T) {
	f := newFixture(t)
	code := f.newCode()
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
	code := f.newCode()
	wantCode(t, "another e-mail address", f.redeem(code, "eve"), svc.PermissionDenied)
	if err := f.redeem(code, "op"); err != nil {
		t.Fatal(err)
	}
}

func TestSetupRemovesTheLinkFile(t *testing.T) {
	f := newFixture(t)
	if err := config.WritePrivate(f.settings.SetupLink(), "link\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.redeem(f.newCode(), "ann"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.settings.SetupLink()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("link file: got %v, want ErrNotExist", err)
	}
}

// With open registration, a member may register before the first operator.
func TestSetupStaysOpenUntilThereIsAnOperator(t *testing.T) {
	f := newFixture(t, "APPLIANCE_REGISTRATION=open")
	code := f.newCode()
	applicant, err := f.identity.Prepare(t.Context(), registration("eve"))
	if err != nil {
		t.Fatal(err)
	}
	err = f.db.Write(t.Context(), func(tx *store.Tx) error { _, err := f.identity.Register(tx, applicant); return err })
	if err != nil {
		t.Fatal(err)
	}
	if needed, err := f.Needed(t.Context()); err != nil || !needed {
		t.Errorf("with a member: got needed %t (%v), want true", needed, err)
	}
	if err := f.CheckCode(t.Context(), code); err != nil {
		t.Errorf("with a member: %v, want a valid code", err)
	}
	if err := f.redeem(code, "ann"); err != nil {
		t.Fatal(err)
	}
	if got, want := f.members(), "eve false;ann true;"; got != want {
		t.Errorf("got the members %q, want %q", got, want)
	}
	wantCode(t, "with an operator", f.CheckCode(t.Context(), f.newCode()), svc.LinkExpired)
}

func TestOperatorsArePromotedAndDemoted(t *testing.T) {
	f := newFixture(t)
	if err := f.redeem(f.newCode(), "ann"); err != nil {
		t.Fatal(err)
	}
	by := identity.CommandLine("test")
	add := func(name string) (m identity.AdminMember) {
		applicant, err := f.identity.Prepare(t.Context(), registration(name))
		if err != nil {
			t.Fatal(err)
		}
		err = f.db.Write(t.Context(), func(tx *store.Tx) error {
			added, err := f.identity.AddMember(tx, by, applicant)
			m.Member = added
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	bea := add("bea")
	// On a server with members but without an operator, the link is not needed any more.
	if err := config.WritePrivate(f.settings.SetupLink(), "link\n"); err != nil {
		t.Fatal(err)
	}
	if m, err := f.Promote(t.Context(), by, bea); err != nil || !m.IsOperator {
		t.Errorf("promotion: got %+v (%v), want an operator", m, err)
	}
	if _, err := os.Stat(f.settings.SetupLink()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("link file: got %v, want ErrNotExist", err)
	}
	if m, err := f.Demote(t.Context(), by, bea); err != nil || m.IsOperator {
		t.Errorf("demotion: got %+v (%v), want no operator", m, err)
	}
	if got, want := f.members(), "ann true;bea false;"; got != want {
		t.Errorf("got the members %q, want %q", got, want)
	}
	ann := identity.AdminMember{Member: identity.Member{ID: 1, Email: "ann@example.org"}}
	_, err := f.Demote(t.Context(), by, ann)
	wantCode(t, "last operator", err, svc.LastOperator)
}

// A change would be lost at the next start.
func TestEnvironmentAndFlagFixTheOperators(t *testing.T) {
	for source, f := range map[string]*fixture{
		"variable ADMIN_ALLOWED_EMAILS": newFixture(t, config.OperatorsVariable+"=ann@example.org"),
		"flag --admin-allowed-emails":   newFixtureWithFlags(t, []string{"--admin-allowed-emails", "ann@example.org"}),
	} {
		m := identity.AdminMember{Member: identity.Member{ID: 1, Email: "bea@example.org"}}
		_, err := f.Promote(t.Context(), identity.CommandLine("test"), m)
		wantCode(t, "promotion", err, svc.ActionUnavailable)
		if err != nil && !strings.Contains(err.Error(), source) {
			t.Errorf("got %q, want a text with %s", err, source)
		}
	}
}

func TestDisabledMemberIsNotPromoted(t *testing.T) {
	f := newFixture(t)
	if err := f.redeem(f.newCode(), "ann"); err != nil {
		t.Fatal(err)
	}
	by := identity.CommandLine("test")
	applicant, err := f.identity.Prepare(t.Context(), registration("bea"))
	if err != nil {
		t.Fatal(err)
	}
	var bea identity.AdminMember
	err = f.db.Write(t.Context(), func(tx *store.Tx) error {
		added, err := f.identity.AddMember(tx, by, applicant)
		if err != nil {
			return err
		}
		bea, err = f.identity.Update(tx, by, added.ID, identity.Changes{Status: new(identity.Disabled)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Promote(t.Context(), by, bea)
	wantCode(t, "promotion", err, svc.ActionUnavailable)
	if got, want := f.members(), "ann true;bea false;"; got != want {
		t.Errorf("got the members %q, want %q", got, want)
	}
}

// The operator rights of the actor may end in the meantime. Covers B-109.
func TestPromotionByDemotedOperatorChangesNothing(t *testing.T) {
	f := newFixture(t)
	if err := f.redeem(f.newCode(), "ann"); err != nil {
		t.Fatal(err)
	}
	var bea identity.AdminMember
	applicant, err := f.identity.Prepare(t.Context(), registration("bea"))
	if err != nil {
		t.Fatal(err)
	}
	err = f.db.Write(t.Context(), func(tx *store.Tx) (err error) {
		bea.Member, err = f.identity.AddMember(tx, identity.CommandLine("test"), applicant)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Promote(t.Context(), identity.Actor{}, bea)
	wantCode(t, "promotion", err, svc.PermissionDenied)
	if got, want := f.members(), "ann true;bea false;"; got != want {
		t.Errorf("got the members %q, want %q", got, want)
	}
}
