package store

import "time"

// Millis is an instant as columns hold it: milliseconds since 1970, UTC.
type Millis int64

// MillisOf returns t as a column holds it.
func MillisOf(t time.Time) Millis { return Millis(t.UnixMilli()) }

// Time returns the instant, in UTC.
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)).UTC() }
