package ics

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/image/colornames"
)

// colorSyntax matches #rgb, #rrggbb and #rrggbbaa.
var colorSyntax = regexp.MustCompile(`^#(?:[0-9a-f]{3}|[0-9a-f]{6}(?:[0-9a-f]{2})?)$`)

// ParseColor returns a color in the form #rrggbb, without its alpha channel. The text is a
// name of CSS, as in the property COLOR (RFC 7986 §5.9), or a number, as in those of
// Apple.
func ParseColor(text string) (color string, ok bool) {
	color = strings.ToLower(strings.TrimSpace(text))
	if c, ok := colornames.Map[color]; ok {
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B), true
	}
	if !colorSyntax.MatchString(color) {
		return "", false
	}
	if len(color) == len("#rgb") {
		color = string([]byte{'#', color[1], color[1], color[2], color[2], color[3], color[3]})
	}
	return color[:len("#rrggbb")], true
}
