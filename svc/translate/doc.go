// Package translate is the service Translation: it fetches a web page and returns its
// content as plain data.
//
// # Files
//
//   - translator.go: Translator, which fetches a page and translates it
//   - resource.go: Resource, the content of a page without typed objects
//   - encode.go: the JSON of a part within a limit
//
// Package page parses the HTML, schemaorg reads its structured data, extract converts
// them to typed objects, and maintext finds the main text. Package picture fetches the
// pictures of pages.
//
// # Invariants
//
// No markup, script, style or form of a page is in a result, and no URL other than
// http, https, mailto and tel.
//
// Pages come from public servers only: see package outbound.
package translate
