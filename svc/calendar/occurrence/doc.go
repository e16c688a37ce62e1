// Package occurrence computes the occurrence index: the rows that say when the
// occurrences of a calendar object take place, so that a query for a time range
// reads only the objects that it returns. It has no state and reads no tables.
//
//   - index.go: Index, the rows of one object
//   - range.go: Range, where to look for the occurrences in a time range
//   - select.go: which occurrence of a series to show
//
// # Invariants
//
// An object that does not recur, and a series that ends soon, is indexed as a
// whole. Any other series is indexed around the present, from Index.From to
// Index.To; a background job moves this window. Queries find occurrences
// outside of it by expanding those series whose bounds reach into the range.
//
// Rows are divided into bands by the length of the occurrence: within a band,
// an occurrence that overlaps a range cannot start earlier than the length of
// the band before it. So an index over the start finds all of them.
//
// Floating times and dates take place at another instant in each time zone.
// Their rows hold the local time, as if it were UTC, and are kept apart.
// A query in any time zone looks for them at the local times of its range.
package occurrence
