// Package runtime contains the example of the manual: a runtime in JavaScript.
package runtime

import _ "embed"

// Source is the text of the example.
//
//go:embed runtime.mjs
var Source string
