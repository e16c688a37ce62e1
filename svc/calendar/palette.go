package calendar

import (
	"slices"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// PaletteColor is a color that new calendars get.
type PaletteColor struct {
	Name  string // in English
	Light string // #rrggbb; this value is stored, and CalDAV clients get it
	Dark  string // #rrggbb; the web app shows it in dark mode
}

// palette has its colors in the order in which calendars get them. People with
// any of the three color deficiencies can tell any two of them apart, and each has a
// contrast of at least 3:1 to the surfaces of its mode.
var palette = []PaletteColor{
	{"Blue", "#4e7cfe", "#4a73d2"},
	{"Gold", "#b18216", "#fbe673"},
	{"Ink", "#212e42", "#dee5ef"},
	{"Wine", "#7c000d", "#dd2828"},
	{"Teal", "#25706e", "#09a8ac"},
	{"Green", "#3b9c6f", "#9fe4ba"},
	{"Violet", "#7722a6", "#e38fff"},
	{"Pink", "#e9529e", "#b4517c"},
	{"Brown", "#5e4e41", "#a99889"},
	{"Rust", "#a54c04", "#fa890e"},
}

// Palette returns the colors of calendars, see [NextColor].
func Palette() []PaletteColor { return slices.Clone(palette) }

// NextColor returns the color of the palette that used contains least often, the first
// one if there are several.
func NextColor(used []string) string {
	next, least := "", len(used)+1
	for _, p := range palette {
		count := 0
		for _, color := range used {
			if strings.EqualFold(color, p.Light) {
				count++
			}
		}
		if count < least {
			next, least = p.Light, count
		}
	}
	return next
}

// nextColor returns the color of the next calendar of a member.
func (s *Service) nextColor(tx *store.Tx, member svc.MemberID) (string, error) {
	var used []string
	err := tx.Select(&used, s.q.ColorsOf, store.Args{"member": member})
	return NextColor(used), err
}
