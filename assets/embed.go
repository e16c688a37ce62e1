// Package assets holds the files that people get to see, embedded.
//
//   - pages/   the few pages that the server renders itself
//   - web/     what browsers fetch: the style sheet
//   - manual/  the manual, for `appliance help` and /help/
//   - schema/  the contracts as JSON Schema
package assets

import "embed"

//go:embed pages web manual schema
var Files embed.FS
