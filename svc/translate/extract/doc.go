// Package extract turns the schema.org data of a page into typed surfaces: business,
// article, hours, menu, events, gallery and contact.
//
// # Files
//
//   - extract.go: Extracted, Input and All
//   - content.go: the content of each type of surface
package extract
