// Package importer imports files and the embedded gazetteer into regions of the map.
//
// # Files
//
//   - importer.go: Importer, from the file to the published region
//   - sink.go: batches of places and the features of tiles
//   - towns.go: the region of the embedded gazetteer
package importer
