// Package maps is the Maps service: the places of imported regions, by position
// and by text, and the import of regions.
//
// # Files
//
//   - service.go: Service, and the queries grouped by use
//   - place.go: Place, its name in a language and its formatted address
//   - validation.go: validates positions, boxes and limits
//   - region.go: Region, the list of regions and the area that they cover
//   - nearby.go: Nearby, the places of the field within a radius
//   - box.go: InBox, the places in a box or their numbers by area
//   - reverse.go: Reverse, the nearest place with a name
//   - cell.go: the numbers of areas
//   - tiles.go: the data from which tiles are drawn
//   - search.go: Search, and the order in which words are required, corrected and dropped
//   - query.go: the terms of a search text, as queries of the index of words
//   - synonyms.go: abbreviations, translations, and words that a query may omit
//   - town.go: towns that a search names
//   - country.go: the country that a search names
//   - housenumber.go: addresses in a street, and the interpolation of house numbers
//   - typo.go: corrections of words that no place has
//   - score.go: the score of a candidate
//   - importing.go: Import, which stages and publishes a region
//   - indexing.go: the rows and tokens of a place in the indexes
//   - counted.go: the places that the numbers of areas count, each in one region
//   - runtime.go: Runtime, the description of a map for runtimes
//   - layer.go: the layers of maps
//   - finding.go: places as findings
//   - opening.go: Opening, whether a place is open
//   - sweep.go: Clear, and the deletion of regions in batches
//
// # Invariants
//
// Each read returns places of current regions only. An import stages its rows
// under a new region, which one short write makes current. If the import is
// interrupted, the previous region of the name stays current, and Sweep deletes the
// staged rows.
//
// The id of a place contains its importance and its region: ids in ascending order
// are places in descending order of importance. The indexes of words return ids in
// this order, so a limit keeps the most important matches without reading the
// others.
//
// Of the copies of a place in current regions, one is counted: an import counts the places
// that no other current region counts, and Sweep counts a copy elsewhere before it deletes
// a counted place.
//
// # Why
//
// The index of words has tokens for areas, because an intersection with the index of
// positions reads all matches of a frequent word in the whole region.
//
// It also has tokens for regions: while an import stages rows, searches require a token of
// a current region. Otherwise each would read the staged rows that match, and thus become
// slower as the import proceeds.
//
// The index of words stores no text, so a search reads the names of its candidates to
// rate them. The number of candidates bounds its time, whatever the size of the region.
package maps
