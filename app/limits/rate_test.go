package limits

import (
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"appliance/store/storetest"
	"appliance/svc"
)

// Covers L-13 and B-81.
func TestEmptyBucketRejectsUntilRetryAfter(t *testing.T) {
	clock := storetest.NewClock()
	l := NewLimiter(clock.Now, map[string]int{Writes: 3, Reads: 0})
	for i := range 3 {
		if err := l.Take(Writes, "1"); err != nil {
			t.Fatalf("write %d: %v, want no error", i+1, err)
		}
	}
	err := l.Take(Writes, "1")
	var e *svc.Error
	if !errors.As(err, &e) || e.Code != svc.RateLimited || e.RetryAfter <= 0 || e.RetryAfter > 20*time.Second {
		t.Fatalf("write 4: %v, want RateLimited with a wait of up to 20 s", err)
	}
	if err := l.Take(Writes, "2"); err != nil {
		t.Errorf("write of another member: %v, want no error", err)
	}
	clock.Advance(e.RetryAfter)
	if err := l.Take(Writes, "1"); err != nil {
		t.Errorf("write after Retry-After: %v, want no error", err)
	}
	for range 1000 {
		if err := l.Take(Reads, "1"); err != nil {
			t.Fatalf("read without a limit: %v, want no error", err)
		}
	}
}

func TestEvictionKeepsEmptyBuckets(t *testing.T) {
	l := NewLimiter(storetest.NewClock().Now, map[string]int{Writes: 3})
	for range 3 {
		if err := l.Take(Writes, "guesser"); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 * maxBuckets {
		if err := l.Take(Writes, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(l.fullAt); got > maxBuckets {
		t.Errorf("got %d buckets in memory, want at most %d", got, maxBuckets)
	}
	if l.Take(Writes, "guesser") == nil {
		t.Error("the empty bucket was evicted, want it kept")
	}
}

func TestClockSetBackDoesNotProlongTheWait(t *testing.T) {
	clock := storetest.NewClock()
	l := NewLimiter(clock.Now, map[string]int{Writes: 1})
	if err := l.Take(Writes, "1"); err != nil {
		t.Fatal(err)
	}
	clock.Advance(-24 * time.Hour)
	err := l.Take(Writes, "1")
	var e *svc.Error
	if !errors.As(err, &e) || e.RetryAfter > time.Minute {
		t.Fatalf("got %v, want RateLimited with a wait of up to a minute", err)
	}
	clock.Advance(time.Minute)
	if err := l.Take(Writes, "1"); err != nil {
		t.Errorf("a minute later: %v, want no error", err)
	}
}

func TestReturnedTokenCanBeTakenAgain(t *testing.T) {
	l := NewLimiter(storetest.NewClock().Now, map[string]int{Writes: 2, Reads: 0})
	for range 10 {
		if err := l.Take(Writes, "1"); err != nil {
			t.Fatal(err)
		}
		l.Return(Writes, "1")
	}
	for i, want := range []bool{true, true, false} {
		if got := l.Take(Writes, "1") == nil; got != want {
			t.Errorf("take %d: allowed %v, want %v", i+1, got, want)
		}
	}
	l.Return(Writes, "unknown") // no effect
	l.Return(Reads, "1")
}

func TestErrorNamesTheTimeToWait(t *testing.T) {
	for wait, want := range map[time.Duration]string{
		500 * time.Millisecond: "Too many attempts. Try again in 1 second.",
		90 * time.Second:       "Too many attempts. Try again in 90 seconds.",
		14*time.Minute + 1:     "Too many attempts. Try again in 15 minutes.",
	} {
		var e *svc.Error
		if err := rateLimitError("attempts", wait); !errors.As(err, &e) || e.Message != want {
			t.Errorf("wait of %v: got %v, want %q", wait, err, want)
		}
	}
}

// BenchmarkLimiter takes each token for a new key, so that the map of buckets is
// full.
func BenchmarkLimiter(b *testing.B) {
	l := NewLimiter(storetest.NewClock().Now, nil)
	for i := 0; b.Loop(); i++ {
		if err := l.Take(Writes, strconv.Itoa(i)); err != nil {
			b.Fatal(err)
		}
	}
}
