package limits

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// memoryPercent is the share of the memory that the Go runtime may use. The rest is for the
// program itself, SQLite and the file cache, which Go's memory limit does not include, and for
// the growth of the heap until a garbage collection ends.
const memoryPercent = 60

// LimitMemory sets the soft memory limit of the Go runtime from the memory limit of
// the control group or the memory of the machine, unless the environment variable
// GOMEMLIMIT has set one. It returns the limit in bytes and its source. system is
// the root of the file system; without /proc it sets no limit and returns
// math.MaxInt64.
func LimitMemory(system fs.FS) (limit int64, source string) {
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		return limit, "GOMEMLIMIT"
	}
	limit, source = math.MaxInt64, "none"
	if n := machineMemory(system); n > 0 {
		limit, source = n/100*memoryPercent, "machine"
	}
	if n := cgroupMemory(system); n > 0 && n/100*memoryPercent < limit {
		limit, source = n/100*memoryPercent, "cgroup"
	}
	debug.SetMemoryLimit(limit)
	return limit, source
}

// machineMemory returns the memory of the machine in bytes, or 0 if it is unknown.
func machineMemory(system fs.FS) int64 {
	text, err := fs.ReadFile(system, "proc/meminfo")
	if err != nil {
		return 0
	}
	var kilobytes int64
	for line := range bytes.Lines(text) {
		if _, err := fmt.Sscanf(string(line), "MemTotal: %d kB", &kilobytes); err == nil {
			return kilobytes << 10
		}
	}
	return 0
}

// cgroupMemory returns the lowest memory limit of the control groups that contain
// this process, in bytes, or 0 without a limit (cgroups(7)). In a container,
// /proc/self/cgroup may contain the path on the host. Only some of its ancestors
// exist then; groups that do not exist are skipped.
func cgroupMemory(system fs.FS) int64 {
	file, err := system.Open("proc/self/cgroup")
	if err != nil {
		return 0
	}
	defer file.Close()
	var lowest int64
	for lines := bufio.NewScanner(file); lines.Scan(); {
		parts := strings.SplitN(lines.Text(), ":", 3) // hierarchy, controllers, path
		if len(parts) < 3 {
			continue
		}
		root, name := "sys/fs/cgroup", "memory.max"
		if parts[1] == "memory" {
			root, name = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if parts[1] != "" {
			continue
		}
		for dir := path.Join("/", parts[2]); ; dir = path.Dir(dir) {
			text, _ := fs.ReadFile(system, path.Join(root, dir, name)) // "max" or absent without a limit
			if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 && (lowest == 0 || n < lowest) {
				lowest = n
			}
			if dir == "/" {
				break
			}
		}
	}
	return lowest
}
