package httpd

import "regexp"

// commentLine matches a line of JavaScript that is only a comment.
var commentLine = regexp.MustCompile(`(?m)^[ \t]*//.*$`)

// withoutComments returns a module of the web app without its comment lines, which are a
// quarter of what a browser would load. They become empty lines, so that the numbers of lines
// in the messages of browsers are those of the source. No text of a module spans several
// lines, so a line that begins with "//" is a comment.
func withoutComments(module []byte) []byte { return commentLine.ReplaceAll(module, nil) }
