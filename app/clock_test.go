package app

import (
	"bytes"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"appliance/app/config"
	"appliance/store"
	"appliance/svc/identity"
	"appliance/svc/words"
)

const year = 365 * 24 * time.Hour

// settableClock is the fake clock of a synctest bubble plus an offset that tests
// change.
type settableClock struct{ offset atomic.Int64 }

func (c *settableClock) Now() time.Time        { return time.Now().Add(time.Duration(c.offset.Load())) }
func (c *settableClock) shift(d time.Duration) { c.offset.Add(int64(d)) }

// The guard distrusts a clock after the start, for a day after it was set forward,
// and shortly after it was set back. It does not distrust the clock because time
// passes, in small or large steps.
func TestClockGuardDistrustsAClockThatWasSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock, log := new(settableClock), new(bytes.Buffer)
		g := newClockGuard(clock.Now(), slog.New(slog.NewTextHandler(log, nil)))
		for _, step := range []struct {
			name        string
			set, passed time.Duration
			want        bool
		}{
			{"at the start", 0, 0, false},
			{"an hour later", 0, time.Hour, true},
			{"ten days later", 0, 10 * 24 * time.Hour, true},
			{"set by a minute", time.Minute, time.Hour, true},
			{"set back an hour", -time.Hour, time.Hour, true},
			{"set forward a year", year, time.Hour, false},
			{"an hour after that", 0, time.Hour, false},
			{"corrected", -year, time.Minute, false},
			{"half an hour after the correction", 0, startDelay, true},
			{"set forward a year again", year, 0, false},
			{"almost a day after that", 0, jumpDelay - time.Minute, false},
			{"a day after that", 0, time.Minute, true},
		} {
			clock.shift(step.set)
			<-time.After(step.passed) // on the fake clock
			if got := g.isTrusted(clock.Now()); got != step.want {
				t.Errorf("%s: got %t, want %t", step.name, got, step.want)
			}
		}
		if got := strings.Count(log.String(), "set forward"); got != 2 {
			t.Errorf("got %d lines about a clock that was set forward, want 2:\n%s", got, log)
		}
	})
}

// If the clock is set forward by a year and back within a day, sessions remain
// valid.
func TestExpiredRowsSurviveAWrongClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		settings := newSettings(t, func(s *config.Settings) {
			s.Argon2 = identity.Argon2{Memory: 8, Time: 1, Threads: 1}
			s.BackupEvery = 0
		})
		created, err := OpenDatabase(t.Context(), settings, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := created.Close(); err != nil {
			t.Fatal(err)
		}
		clock := new(settableClock)
		db, err := store.Open(t.Context(), settings.Database(), store.Options{Clock: clock.Now})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		a, err := Assemble(db, settings, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		var token string
		registration := identity.Registration{Email: "ann@example.org", Password: "correct horse battery"}
		err = a.Setup.Create(t.Context(), registration, func(tx *store.Tx, proof identity.Proof) error {
			session, _, err := a.Identity.Login(tx, proof, identity.Client{Label: words.Textf("test")})
			token = session.Token.AccessToken
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		signedIn := func() bool {
			t.Helper()
			err := db.Read(t.Context(), func(tx *store.Tx) error { _, err := a.Identity.Authenticate(tx, token); return err })
			return err == nil
		}
		runJobs(t, a, 2*time.Hour)
		clock.shift(year)
		runJobs(t, a, 3*time.Hour)
		clock.shift(-year)
		runJobs(t, a, 3*time.Hour)
		if !signedIn() {
			t.Error("after a year that the clock took back: got no session, want it")
		}
		clock.shift(year)
		runJobs(t, a, 26*time.Hour)
		clock.shift(-year)
		if signedIn() {
			t.Error("a day after the clock was set forward: got the session, want it deleted")
		}
	})
}
