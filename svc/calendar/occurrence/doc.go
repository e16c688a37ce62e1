// Package occurrence computes the occurrence index: the rows with the times of
// the occurrences of a calendar object, so that a query for a time range reads
// only the objects that it returns. It has no state and reads no tables.
//
//   - index.go: Index, the rows of one object
//   - range.go: Range, the parts of the index that a query for a time range reads
//   - select.go: which occurrence of a series to show
//
// # Invariants
//
// An object that does not recur, and a series that ends soon, is indexed as a
// whole. Any other series is indexed around the present, from Index.From to
// Index.To; a background job moves this window. Queries find occurrences outside
// the window by expanding the series whose bounds overlap the range.
//
// Rows are divided into bands by the length of the occurrence. Within a band, an
// occurrence that overlaps a range starts no earlier than the beginning of the
// range minus the maximum length of the band. So one scan of the index on the
// start time finds all overlapping occurrences of a band.
//
// Floating times and dates occur at another instant in each time zone. Their rows
// contain the local time, as if it were UTC, and are marked as floating. A query
// in any time zone searches for them at the local times of its range.
package occurrence
