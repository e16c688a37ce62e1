// Package feeds is the provider inside of this program that publishes the articles of
// feeds: RSS, Atom and JSON Feed. It has no other interface than the contract with
// providers.
//
// # Files
//
//   - service.go: Service, which answers the requests of the contract
//   - registry.go: Feed: add, list, refresh, remove
//   - fetch.go: requests to the servers of feeds, and when they are due
//   - store.go: stores a fetched feed
//   - parse.go: Parse, and the articles of a feed
//   - xml.go: RSS and Atom
//   - json.go: JSON Feed
//   - date.go: the dates of feeds
//   - text.go: text and links of feeds as a payload may contain them
//   - payload.go: the source payload
//   - wording.go: Texts, the texts of payloads and results in other languages
//   - action.go: mark_as_read, mark_as_unread and refresh
//
// # Invariants
//
// A feed is not trusted. Its size, its nesting and the number of its articles are
// limited, entities that it declares are not expanded, and HTML in it is not parsed to a
// tree. The contract accepts the payload of any feeds.
//
// The address of a feed may contain a secret. It is not part of the payload.
//
// A feed that fails keeps its articles, and does not affect other feeds.
package feeds
