// Package reader reads map files: OpenStreetMap (.osm.pbf), GeoJSON and CSV.
//
// # Files
//
//   - reader.go: Read, and the format of a file
//   - estimate.go: the forecast of an import
//   - osm.go: the passes over an .osm.pbf file
//   - nodes.go: the positions of nodes
//   - memberways.go: the ways of relations
//   - area.go: rings, and positions in areas and on lines
//   - polygon.go: which points are in an area
//   - coast.go: land and water from the coastline
//   - cover.go: the area that a file covers, and the parts of rings in it
//   - towns.go: the town and the country of a position
//   - merge.go: the ways of a street
//   - tags.go: places from the tags of OpenStreetMap
//   - class.go: features of tiles from the tags
//   - geojson.go: GeoJSON
//   - geometry.go: its geometries
//   - csv.go: CSV
//   - properties.go: places from the properties of features and columns
//   - position.go: lines and columns in errors, and the limit of one entry
//
// # Invariants
//
// The memory is bounded by constants and by a small part of the size of the file.
// A file with an error changes nothing: GeoJSON and CSV are checked before anything is
// passed on, and the region of an .osm.pbf file is published only at its end.
package reader
