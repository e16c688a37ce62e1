package app

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"appliance/app/config"
	"appliance/store/storetest"
)

func TestChecksAreMadeAfterTheStartAndEachNight(t *testing.T) {
	a := &App{Settings: newSettings(t, func(*config.Settings) {})}
	for start, checks := range map[string][]string{
		"2026-11-21T10:00:00+01:00": {"2026-11-21T10:10:00+01:00", "2026-11-22T04:30:00+01:00", "2026-11-23T04:30:00+01:00"},
		"2026-11-21T03:40:00+01:00": {"2026-11-21T03:50:00+01:00", "2026-11-21T04:30:00+01:00", "2026-11-22T04:30:00+01:00"},
	} {
		wait, now := a.untilCheck(), parseTime(t, start)
		for _, want := range checks {
			if now = now.Add(wait(now)); !now.Equal(parseTime(t, want)) {
				t.Errorf("start at %s: got a check at %v, want %s", start, now, want)
			}
		}
	}
}

// The check after the start finds a damaged page that no request reads: /ready
// responds with 503, and the log says once what to do.
func TestCheckOfADamagedFileEndsReadiness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		settings := newSettings(t, func(s *config.Settings) { s.BackupEvery = 0 })
		db, err := OpenDatabase(t.Context(), settings, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		storetest.Damage(t, settings.Database(), "social_reply_author")
		if db, err = OpenDatabase(t.Context(), settings, nil); err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		log := new(bytes.Buffer)
		a, err := Assemble(db, settings, slog.New(slog.NewTextHandler(log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		ready := func() (int, string) {
			w := httptest.NewRecorder()
			a.HTTP.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/ready", nil))
			return w.Code, w.Body.String()
		}
		if status, body := ready(); status != http.StatusOK {
			t.Errorf("before the check: got %d %s, want 200", status, body)
		}
		runJobs(t, a, 25*time.Hour) // two checks
		if status, body := ready(); status != http.StatusServiceUnavailable || !strings.Contains(body, "appliance doctor") {
			t.Errorf("after the check: got %d %s, want 503 with what to do", status, body)
		}
		if n := strings.Count(log.String(), "the database file is damaged"); n != 1 {
			t.Errorf("got %d log lines, want 1:\n%s", n, log)
		}
	})
}
