package svctest

import (
	"flag"
	"iter"
	"testing"
)

var (
	long   = flag.Bool("long", false, "run long tests: random histories, other clients, load")
	rounds = flag.Int("rounds", 1, "multiply the number of random histories")
)

// Long skips the test unless -long is set.
func Long(t testing.TB) {
	t.Helper()
	if !*long {
		t.Skip("long test: run it with -long")
	}
}

// IsLong reports whether -long is set.
func IsLong() bool { return *long }

// Seeds returns the seeds of a randomized test: n seeds with the flag -long, otherwise one. The
// flag -rounds multiplies their number.
func Seeds(n int) iter.Seq[uint64] {
	if !*long {
		n = 1
	}
	return func(yield func(uint64) bool) {
		for seed := range n * *rounds {
			if !yield(uint64(seed)) {
				return
			}
		}
	}
}
