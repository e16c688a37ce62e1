//go:build unix

package limits

import (
	"math"
	"syscall"
)

// Files returns the number of file descriptors that this process may open. The Go
// runtime has raised the soft limit to the hard limit.
func Files() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || uint64(limit.Cur) > math.MaxInt32 {
		return math.MaxInt32
	}
	return int(limit.Cur)
}
