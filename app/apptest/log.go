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

// Log collects the log of a server.
type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
