// Package pbftest writes .osm.pbf files for tests.
//
// # Files
//
//   - pbftest.go: File, to which elements are added
//   - region.go: WriteRegion, a synthetic region of any size
package pbftest
