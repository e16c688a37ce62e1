package webapp

import (
	"bytes"
	"regexp"
)

// trailingComment matches the comment at the end of a line. The comment contains no quotation mark, so it is no part
// of a string.
var trailingComment = regexp.MustCompile("[ \t]+// [^\"'`]*$")

// compactScript returns a script of the web app without its comments, indentation and empty lines, which are a third
// of its octets. No string of a script spans several lines, so a line that begins with "//" is a comment.
func compactScript(script []byte) []byte {
	compact := make([]byte, 0, len(script))
	for line := range bytes.Lines(script) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || bytes.HasPrefix(line, []byte("//")) {
			continue
		}
		compact = append(append(compact, trailingComment.ReplaceAll(line, nil)...), '\n')
	}
	return compact
}

// styleComment matches a comment of a style sheet. No string of a style sheet contains its first characters.
var styleComment = regexp.MustCompile(`(?s)/\*.*?\*/`)

// compactStyles returns a style sheet without its comments, indentation and empty lines.
func compactStyles(sheet []byte) []byte {
	compact := make([]byte, 0, len(sheet))
	for line := range bytes.Lines(styleComment.ReplaceAll(sheet, nil)) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			compact = append(append(compact, line...), '\n')
		}
	}
	return compact
}
