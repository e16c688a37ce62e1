package limits

import "testing"

func TestSizesFollowMemoryAndFiles(t *testing.T) {
	for _, c := range []struct {
		name                    string
		memory                  int64
		files                   int
		connections, perAddress int
		fewFiles                bool
	}{
		{"a small machine", 64 << 20, 1024, 163, 64, false},
		{"a cgroup of 512 MB", 307 << 20, 20000, 785, 98, false},
		{"a large machine", 1 << 40, 1 << 20, 4096, 512, false},
		{"few files", 1 << 40, 64, 12, 6, true},
		{"almost no files", 1 << 40, 10, 4, 2, true},
	} {
		s := sizes(c.memory, c.files)
		if s.Connections != c.connections || s.PerAddress != c.perAddress || s.FewFiles != c.fewFiles {
			t.Errorf("%s: got %d connections, %d per address, few files %t; want %d, %d, %t",
				c.name, s.Connections, s.PerAddress, s.FewFiles, c.connections, c.perAddress, c.fewFiles)
		}
		if s.Memory.Total > c.memory/2 || s.Memory.Each*2 > s.Memory.Total || s.Reads.Total < 2*readsEach {
			t.Errorf("%s: got %+v, want half of the memory at most, and room for two members", c.name, s)
		}
	}
}
