package apptest

import (
	"bytes"
	"sync"
)

// QueryTally counts the queries that the server ran.
type QueryTally struct {
	mu sync.Mutex
	n  map[string]int
}

func (q *QueryTally) add(query string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.n[query]++
}

// Take returns the counts since the last Take, by name of the query.
func (q *QueryTally) Take() map[string]int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := q.n
	q.n = make(map[string]int)
	return n
}

// Log collects the log of a server, or the messages of a command.
type Log struct {
	mu      sync.Mutex
	b       bytes.Buffer
	written chan struct{} // closed by the next write; nil if nothing waits for it
}

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.written != nil {
		close(l.written)
		l.written = nil
	}
	return l.b.Write(p)
}

// contains reports whether the log contains text. The channel is closed by the next
// write.
func (l *Log) contains(text string) (ok bool, written <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.written == nil {
		l.written = make(chan struct{})
	}
	return bytes.Contains(l.b.Bytes(), []byte(text)), l.written
}

// WaitFor returns true as soon as the log contains text, and false if ended is closed
// before.
func (l *Log) WaitFor(text string, ended <-chan struct{}) bool {
	for {
		ok, written := l.contains(text)
		if ok {
			return true
		}
		select {
		case <-written:
		case <-ended:
			ok, _ = l.contains(text)
			return ok
		}
	}
}

func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
