package picture

import (
	"errors"
	"sync"
	"time"

	"appliance/svc/raster"
)

// Reason is the kind of an [Error].
type Reason int

const (
	Unreachable Reason = iota // the server did not return a file; the error wraps that of package outbound
	Unsupported               // the file is not PNG, JPEG, GIF or WebP
	TooLarge                  // the file has too many bytes or pixels
	Damaged                   // the file cannot be decoded
	Busy                      // too many pictures are being fetched; not cached
)

// decodingReasons are the reasons of errors of package raster.
var decodingReasons = map[raster.Reason]Reason{
	raster.Unsupported: Unsupported, raster.TooLarge: TooLarge, raster.Damaged: Damaged, raster.Busy: Busy,
}

// Error reports that a picture could not be fetched or decoded. Its text is for the log.
type Error struct {
	Reason Reason
	Err    error
	Until  time.Time // before it, the source is not fetched again; zero if the error is not cached
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// ReasonOf returns the reason of an error of this package.
func ReasonOf(err error) Reason {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason
	}
	return Unreachable
}

const (
	maxFailures = 2000
	retryFetch  = 10 * time.Minute // after a server did not return a file
	retryFile   = 24 * time.Hour   // after a file was not a picture
)

// failures caches the errors of sources that have failed.
type failures struct {
	mu   sync.Mutex
	list map[string]failure // by key
}

type failure struct {
	err   error
	until time.Time
}

func newFailures() *failures { return &failures{list: make(map[string]failure)} }

// get returns the error of a source that has failed recently, nil if there is none.
func (f *failures) get(key string, now time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := f.list[key]; ok && now.Before(e.until) {
		return e.err
	}
	return nil
}

// add caches an error and returns it with its expiry. If the cache is full, it removes expired
// errors, and then others in no particular order.
func (f *failures) add(key string, err error, now time.Time) error {
	reason := ReasonOf(err)
	if reason == Busy {
		return err
	}
	until := now.Add(retryFile)
	if reason == Unreachable {
		until = now.Add(retryFetch)
	}
	err = &Error{reason, err, until}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.list) >= maxFailures {
		for k, e := range f.list {
			if !now.Before(e.until) {
				delete(f.list, k)
			}
		}
	}
	for k := range f.list {
		if len(f.list) < maxFailures {
			break
		}
		delete(f.list, k)
	}
	f.list[key] = failure{err, until}
	return err
}
