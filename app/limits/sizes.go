package limits

import (
	"math"
	"runtime"
	"runtime/debug"
	"time"
)

// Sizes are the limits of the server, computed from its memory and its file
// descriptors.
type Sizes struct {
	Connections int  // open connections, and requests in progress
	PerAddress  int  // of these, from one address
	FewFiles    bool // whether file descriptors, not memory, limit Connections

	// Streams last for hours, so they must leave connections for other requests.
	Streams           int // open streams
	StreamsPerAddress int // of these, from one address

	Memory   Capacity // bytes for request bodies while they are processed, by member
	Reads    Capacity // concurrent reads, by member
	Imports  Capacity // concurrent imports, by member
	Exports  Capacity // concurrent exports, by member or address
	Draws    Capacity // concurrent drawings of map tiles, by member
	Previews Capacity // web pages that are read at the same time, by member
	Pictures Capacity // pictures of web pages that are fetched or sent at the same time, by member
	Pixels   int64    // bytes for the pixels of a picture while it is decoded
	Spool    int64    // bytes of all spooled bodies that are kept in memory
}

const (
	defaultMemory = 1 << 30 // if no memory limit is known
	maxMemory     = 4 << 30 // more memory does not raise the limits
	minMemory     = 64 << 20

	maxPixels = 160 << 20 // 40 megapixels of 4 bytes

	connectionMemory = 400 << 10 // bytes of memory per connection: buffers, stacks and headers
	maxConnections   = 4096
	minConnections   = 64

	filesPerConnection = 2  // a socket and a spooled body
	reservedFiles      = 40 // for the database, certificates and backups

	// maxWait limits the time that a request waits for memory, an import or an export.
	maxWait = 10 * time.Second
)

// Limits of concurrent reads. There are more database connections than readsEach,
// so one member cannot delay the others.
const (
	readsEach    = 2
	readsWaiting = 64
	readMemory   = 32 << 20 // bytes of memory per concurrent read
)

// Limits of web pages that are read at the same time. Each is in memory until it is
// translated.
const (
	previewsEach   = 2
	previewMemory  = 32 << 20 // bytes of memory of the server per page
	maxPreviews    = 8
	maxPreviewWait = 20 * time.Second // also for pictures; a slow page takes 10 seconds
)

// Limits of pictures of web pages that are fetched or sent at the same time. Each has up
// to 10 MB.
const (
	picturesEach  = 2
	pictureMemory = 32 << 20 // bytes of memory of the server per picture
	maxPictures   = 24
)

// memoryWaiting limits the requests of one member that wait for memory.
const memoryWaiting = 64

// NewSizes returns the limits for the memory limit of the Go runtime and a number
// of file descriptors.
func NewSizes(files int) Sizes {
	memory := debug.SetMemoryLimit(-1)
	if memory == math.MaxInt64 {
		memory = defaultMemory
	}
	return sizes(memory, files)
}

// sizes returns the limits for an amount of memory and a number of file descriptors.
func sizes(memory int64, files int) Sizes {
	memory = min(max(memory, minMemory), maxMemory)
	s := Sizes{Connections: min(max(int(memory/connectionMemory), minConnections), maxConnections), Pixels: min(memory/4, maxPixels), Spool: memory / 16}
	if n := max(4, (files-reservedFiles)/filesPerConnection); n < s.Connections {
		s.Connections, s.FewFiles = n, true
	}
	s.PerAddress = max(s.Connections/8, min(64, s.Connections/2))
	s.Streams, s.StreamsPerAddress = s.Connections/2, max(1, s.PerAddress/2)
	total := memory / 10 * 3
	s.Memory = Capacity{Total: total, Each: total / 10 * 4, Waiting: memoryWaiting, MaxWait: maxWait}
	s.Reads = Capacity{Total: min(max(memory/readMemory, 2*readsEach), 16), Each: readsEach, Waiting: readsWaiting}
	s.Imports = Capacity{Total: 8, Each: 1, Waiting: 8, MaxWait: maxWait}
	cores := int64(runtime.GOMAXPROCS(0))
	s.Draws = Capacity{Total: cores, Each: cores, Waiting: readsWaiting, MaxWait: maxWait}
	s.Previews = Capacity{Total: min(max(memory/previewMemory, 2*previewsEach), maxPreviews), Each: previewsEach, Waiting: readsWaiting, MaxWait: maxPreviewWait}
	s.Pictures = Capacity{Total: min(max(memory/pictureMemory, 2*picturesEach), maxPictures), Each: picturesEach, Waiting: readsWaiting, MaxWait: maxPreviewWait}
	s.Exports = Capacity{Total: 16, Each: 2, Waiting: readsWaiting, MaxWait: maxWait}
	return s
}
