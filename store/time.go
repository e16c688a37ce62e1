package store

import "time"

// Millis is an instant as columns store it: milliseconds since 1970, UTC.
type Millis int64

// MillisOf converts t.
func MillisOf(t time.Time) Millis { return Millis(t.UnixMilli()) }

// Time returns the instant in UTC.
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)).UTC() }

// Timestamp returns the instant as JSON shows it: in UTC, truncated to the
// second.
func (m Millis) Timestamp() time.Time { return m.Time().Truncate(time.Second) }

// OptionalTimestamp is Timestamp for a nullable column: nil for nil.
func OptionalTimestamp(m *Millis) *time.Time {
	if m == nil {
		return nil
	}
	return new(m.Timestamp())
}
