// Package kind classifies places by the tags of OpenStreetMap.
//
// A kind is the main tag of a place as key=value, such as "amenity=cafe". Besides
// tags there are the kinds [Street] and [Address]. A kind has a label, and it may
// have a category of the field.
//
// # Files
//
//   - kind.go: Of, Label and Category
//   - table.go: the listed kinds
//   - importance.go: the importance of a place
//   - words.go: FromWords and Words, the kinds that a word means in five languages
//   - vocabulary.go: the listed words
package kind
