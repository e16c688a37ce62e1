package limits

import (
	"io/fs"
	"math"
	"runtime/debug"
	"testing"
	"testing/fstest"
)

func TestMemoryLimitIsThatOfTheCgroupOrTheMachine(t *testing.T) {
	previous := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(previous)
	const meminfo = "MemTotal:        1000000 kB\nMemFree:          100 kB\n"
	for _, c := range []struct {
		name   string
		files  map[string]string
		limit  int64
		source string
	}{
		{"no /proc", nil, math.MaxInt64, "none"},
		{"no limit", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n"}, 614400000, "machine"},
		{"version 2", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "500000000\n"}, 300000000, "cgroup"},
		{"version 2, limit of the parent", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "500000000\n",
		}, 300000000, "cgroup"},
		{"container that sees the path of its host", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/docker/1234\n", "sys/fs/cgroup/memory.max": "500000000\n",
		}, 300000000, "cgroup"},
		{"version 1", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu:/x\n4:memory:/a\n0::/\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "500000000\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 300000000, "cgroup"},
		{"cgroup larger than the machine", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "9000000000\n"}, 614400000, "machine"},
	} {
		system := make(fstest.MapFS)
		for name, text := range c.files {
			system[name] = &fstest.MapFile{Data: []byte(text), Mode: fs.ModePerm}
		}
		debug.SetMemoryLimit(math.MaxInt64)
		limit, source := LimitMemory(system)
		if limit != c.limit || source != c.source || debug.SetMemoryLimit(-1) != c.limit {
			t.Errorf("%s: got %d from %s, want %d from %s", c.name, limit, source, c.limit, c.source)
		}
		debug.SetMemoryLimit(123 << 20)
		if limit, source := LimitMemory(system); limit != 123<<20 || source != "GOMEMLIMIT" {
			t.Errorf("%s, with GOMEMLIMIT: got %d from %s, want 123 MiB from GOMEMLIMIT", c.name, limit, source)
		}
	}
}
