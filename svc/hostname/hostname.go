// Package hostname converts host names between their ASCII form, which browsers send, and their
// Unicode form, which people read.
package hostname

import (
	"strings"

	"golang.org/x/net/idna"
)

// ASCII returns the form of a host name in which browsers send and compare it: in lower
// case, with international names in their ASCII form (RFC 5891). It returns "" for a name that
// contains other characters than letters, digits, hyphens, underscores and dots, or is too long.
func ASCII(name string) string {
	ascii, _ := idna.Display.ToASCII(strings.ToLower(name)) // an error also means an underscore, which is common
	ascii = strings.ToLower(ascii)
	if strings.Trim(ascii, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" || len(ascii) > 255 {
		return ""
	}
	return ascii
}

// Display returns the Unicode form of a host name, or the name itself if it has none.
func Display(ascii string) string {
	if name, err := idna.Display.ToUnicode(ascii); err == nil {
		return name
	}
	return ascii
}
