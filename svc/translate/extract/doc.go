// Package extract turns the schema.org data of a page into typed surfaces: business,
// article, hours, menu, events, gallery and contact.
//
// # Files
//
//   - extract.go: Extracted, Input and All
//   - content.go: the content of each type of surface
//   - reader.go: values of nodes as bounded plain text and URLs
//   - business.go: businesses, and which organizations are the page's own
//   - article.go: articles and reviews
//   - hours.go: opening hours and their specifications
//   - schedule.go: the hours of a week
//   - hourstext.go: texts with opening hours
//   - menu.go: menus
//   - events.go: events that are not over
//   - gallery.go: pictures
//   - contact.go: ways to contact an organization
//   - address.go: addresses, coordinates, telephone numbers and e-mail addresses
//   - image.go: pictures, and which of them are sizes of one picture
//   - date.go: dates
//   - decimal.go: prices and ratings
//
// # Invariants
//
// The input is hostile. Contents contain plain text, and http and https URLs; each text
// has at most 4 KiB, and the JSON of a content at most 48 KiB, except the blocks of an
// article, which package maintext limits.
//
// The surfaces depend on the order of the page only where the order has a meaning.
//
// # Why
//
// Package svc/maps/hours is not used for opening hours: it decides whether a place is
// open by values that follow the specification of OpenStreetMap and rejects all others,
// while texts on pages follow none, and their hours are shown with what is not
// understood.
package extract
