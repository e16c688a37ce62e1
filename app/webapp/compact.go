package webapp

import (
	"bytes"
	"regexp"
	"strings"
)

// compactScript returns a script of the web app without its comments, indentation and empty lines, which are a third
// of its octets. No string of a script spans several lines, so a line that begins with "//" is a comment.
func compactScript(script []byte) []byte {
	compact := make([]byte, 0, len(script))
	for line := range bytes.Lines(script) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || bytes.HasPrefix(line, []byte("//")) {
			continue
		}
		compact = append(append(compact, withoutTrailingComment(line)...), '\n')
	}
	return compact
}

// withoutTrailingComment returns a line without the comment at its end. A comment that contains a quotation mark is
// kept, because it may be a part of a string.
func withoutTrailingComment(line []byte) []byte {
	tail := bytes.LastIndexAny(line, "\"'`") + 1
	if i := bytes.Index(line[tail:], []byte(" // ")); i >= 0 {
		return bytes.TrimRight(line[:tail+i], " \t")
	}
	return line
}

// styleComment matches a comment of a style sheet. No string of a style sheet contains its first characters.
var styleComment = regexp.MustCompile(`(?s)/\*.*?\*/`)

// styleSpaces removes the spaces beside the punctuation of a style sheet. No string of a style sheet contains them.
var styleSpaces = strings.NewReplacer("; }", "}", " }", "}", " { ", "{", " {", "{", "; ", ";", ": ", ":", ", ", ",")

// compactStyles returns a style sheet without its comments, indentation, empty lines and the spaces of styleSpaces.
func compactStyles(sheet []byte) []byte {
	compact := make([]byte, 0, len(sheet))
	for line := range bytes.Lines(styleComment.ReplaceAll(sheet, nil)) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			compact = append(append(compact, styleSpaces.Replace(string(line))...), '\n')
		}
	}
	return compact
}
