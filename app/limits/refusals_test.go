package limits

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestRefusalsAreLoggedOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(bytes.Buffer)
		r := NewRefusals(slog.New(slog.NewTextHandler(log, nil)))
		for i := range 100 {
			r.Add("refused", "address", i)
		}
		r.Add("other", "address", "x")
		wantLines := func(after time.Duration, want ...string) {
			t.Helper()
			<-time.After(after)
			synctest.Wait()
			r.mu.Lock() // held by each writer to log
			logged := log.String()
			r.mu.Unlock()
			lines := strings.Split(strings.TrimSpace(logged), "\n")
			if len(lines) != len(want) {
				t.Fatalf("after %v: got %d lines, want %d\n%s", after, len(lines), len(want), logged)
			}
			for i, text := range want {
				if !strings.Contains(lines[i], text) {
					t.Errorf("line %d: got %s, want %q in it", i+1, lines[i], text)
				}
			}
		}
		first := []string{"level=WARN msg=refused address=0", "msg=other"}
		wantLines(time.Second, first...)
		first = append(first, "msg=refused refused=99 in=1m0s address=99")
		wantLines(time.Minute, first...)
		wantLines(time.Minute, first...)
		r.Add("refused", "address", "y")
		wantLines(time.Second, append(first, "msg=refused address=y")...)
		wantLines(time.Hour, append(first, "msg=refused address=y")...)
	})
}
