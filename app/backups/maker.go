package backups

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"appliance/store"
)

// Maker makes the backups of one database, one at a time.
type Maker struct {
	db   *store.DB
	dir  string
	keep int // number of backups of each kind to keep
	log  *slog.Logger

	contents func(context.Context) (Contents, error)

	slot chan struct{} // holds a value while a backup is being made

	mu      sync.Mutex
	stopped bool
	cancel  context.CancelFunc // ends the backup that Start began; nil for none
	running sync.WaitGroup
	attempt Attempt
}

// Attempt is the latest backup that this process has begun.
type Attempt struct {
	State     string // "running", "done" or "failed"; "" if this process has begun none
	Kind      Kind
	Name      string // of the file
	StartedAt time.Time
	EndedAt   time.Time // zero while it is running
	Done      int64     // bytes written, approximately
	Total     int64     // bytes of the database; 0 if unknown
	Failure   string    // why it failed; "" otherwise
}

// States of an Attempt.
const (
	Running = "running"
	Done    = "done"
	Failed  = "failed"
)

// ErrRunning reports that another backup is being made.
var ErrRunning = errors.New("a backup is being made")

// NewMaker returns a Maker of backups of db in a directory. It keeps the latest keep
// backups of each kind that it makes. contents returns what the next one contains.
func NewMaker(db *store.DB, dir string, keep int, log *slog.Logger, contents func(context.Context) (Contents, error)) *Maker {
	return &Maker{db: db, dir: dir, keep: keep, log: log, contents: contents, slot: make(chan struct{}, 1)}
}

// Latest returns the latest attempt.
func (m *Maker) Latest() Attempt {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.attempt
}

// MakeNightly makes an automatic backup. It waits until no other backup is being made.
func (m *Maker) MakeNightly(ctx context.Context) error {
	select {
	case m.slot <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	m.begin(Nightly)
	return m.make(ctx)
}

// Start begins a backup on request and returns without waiting for its end, which Latest
// reports. It returns ErrRunning if a backup is being made.
func (m *Maker) Start(ctx context.Context) (Attempt, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stopped {
		return Attempt{}, store.ErrClosed
	}
	select {
	case m.slot <- struct{}{}:
	default:
		return Attempt{}, ErrRunning
	}
	ctx, m.cancel = context.WithCancel(context.WithoutCancel(ctx)) // the request ends before the backup
	m.setAttempt(Manual)
	m.running.Go(func() {
		if err := m.make(ctx); err != nil && ctx.Err() == nil {
			m.log.Error("the backup that an operator requested failed", "err", err)
		}
	})
	return m.attempt, nil
}

// Stop ends a backup that Start began, and waits for its end. Start fails afterwards.
func (m *Maker) Stop() {
	m.mu.Lock()
	m.stopped = true
	if m.cancel != nil {
		m.cancel()
	}
	m.mu.Unlock()
	m.running.Wait()
}

// begin records the start of a backup.
func (m *Maker) begin(kind Kind) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.setAttempt(kind)
}

// setAttempt is begin for callers that hold m.mu.
func (m *Maker) setAttempt(kind Kind) {
	now := m.db.Now()
	prefix := nightlyPrefix
	if kind == Manual {
		prefix = manualPrefix
	}
	m.attempt = Attempt{State: Running, Kind: kind, Name: prefix + now.UTC().Format(timeLayout) + suffix, StartedAt: now}
}

// make makes the backup of the current attempt and then deletes the oldest backups of
// its kind. If the backup fails, it deletes nothing. The caller holds the slot, which
// make releases.
func (m *Maker) make(ctx context.Context) (err error) {
	current := m.Latest()
	defer func() { m.end(err) }()
	file := filepath.Join(m.dir, current.Name)
	if err := m.write(ctx, file); err != nil {
		m.db.NoteDamage(err)
		return err
	}
	m.log.Info("backup made", "file", file)
	list, err := List(m.dir)
	if err != nil {
		return err
	}
	list = OfKind(list, current.Kind)
	for _, b := range list[:max(0, len(list)-m.keep)] {
		err = errors.Join(err, os.Remove(b.File))
	}
	return err
}

// write writes a backup to file.
func (m *Maker) write(ctx context.Context, file string) error {
	contents, err := m.contents(ctx)
	if err != nil {
		return err
	}
	o, err := contents.Options()
	if err != nil {
		return err
	}
	return store.Backup(ctx, m.db.Path(), file, o, m.progress)
}

func (m *Maker) progress(done, total int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.attempt.Done, m.attempt.Total = done, total
}

// end records the result of the current attempt and releases the slot.
func (m *Maker) end(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.attempt.State, m.attempt.EndedAt = Done, m.db.Now()
	if err != nil {
		m.attempt.State, m.attempt.Failure = Failed, failureText(err)
	}
	<-m.slot
}

// failureText returns what the operator reads about a backup that failed.
func failureText(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "The server was stopped."
	case store.IsFull(err):
		return "The disk is full. Free some space, then make a backup."
	case store.IsDamage(err):
		return "The database file is damaged. Run appliance doctor, then restore a backup."
	}
	return "See the log of the server for the reason."
}
