// Package extract turns the schema.org data of a page into typed parts: business,
// article, hours, menu, events, gallery and contact.
//
// # Files
//
//   - extract.go: Extracted, Input and All
//   - content.go: the content of each kind of part
//   - reader.go: values of nodes as bounded plain text and URLs
//   - business.go: businesses, and the choice of organizations that the page is about
//   - article.go: articles and reviews
//   - hours.go: opening hours and their specifications
//   - schedule.go: the hours of a week
//   - hourstext.go: texts with opening hours
//   - menu.go: menus
//   - events.go: events that are not over
//   - recurrence.go: the next occurrence of an event that repeats
//   - gallery.go: pictures
//   - contact.go: ways to contact an organization
//   - address.go: addresses, coordinates, telephone numbers and e-mail addresses
//   - image.go: pictures, and the recognition of several sizes of one picture
//   - date.go: dates
//   - decimal.go: prices and ratings
//
// # Invariants
//
// The input is hostile. Contents contain plain text, and http and https URLs; each text
// has at most 4 KiB, and the JSON of a content at most 48 KiB, except the blocks of an
// article, which package maintext limits.
//
// The parts do not depend on the nesting of the data or on the order of its keys.
//
// # Why
//
// Package svc/maps/hours is not used for opening hours: it rejects values that do not
// follow the specification of OpenStreetMap. Texts on pages follow no specification, so
// their hours are shown together with the text that could not be parsed.
package extract
