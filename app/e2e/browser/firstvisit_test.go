package browser

import (
	"strings"
	"testing"
)

// Limits of a first visit.
const (
	maxFirstRequests = 60
	maxFirstBytes    = 120_000
)

// transfer is a response that the browser has received, with the size of its headers and its encoded body.
type transfer struct {
	Name string
	Size int
}

// transfers is a script that returns the responses of a page, as a list of transfer. The size of headers is
// the constant 300 of the specification of Resource Timing.
const transfers = `performance.getEntries().filter(({ transferSize }) => transferSize > 0)
	.map(({ name, transferSize }) => ({ Name: name, Size: transferSize }))`

// TestFirstVisitIsSmall checks the number and the size of the responses until the app of a new member shows Today, and
// the number until it shows a month.
func TestFirstVisitIsSmall(t *testing.T) {
	s := serveHTTPLong(t)
	for _, c := range []struct {
		path     string
		maxBytes int
	}{{"/app/", maxFirstBytes}, {"/app/in/time?view=month", 1 << 20}} {
		w := newWebTab(s, "ann")
		w.visit(c.path)
		list := evaluate[[]transfer](w.browser, transfers)
		size := 0
		for _, r := range list {
			size += r.Size
			t.Logf("%6d %s", r.Size, strings.TrimPrefix(r.Name, s.URL))
		}
		t.Logf("%s: %d requests, %d bytes", c.path, len(list), size)
		if len(list) > maxFirstRequests || size > c.maxBytes {
			t.Errorf("%s: got %d requests and %d bytes, want at most %d and %d", c.path, len(list), size, maxFirstRequests, c.maxBytes)
		}
	}
}
