package transfer

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FileName returns a file name for a title that a member chose: without path
// separators and control characters, and at most 100 bytes long.
func FileName(title string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, title)
	name = strings.Trim(name, " .-")
	for len(name) > 100 {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return cmp.Or(name, "calendar")
}
