package ics

import "testing"

// Covers RFC 7986 §5.9.
func TestColorIsParsed(t *testing.T) {
	for text, want := range map[string]string{
		"red": "#ff0000", "Turquoise": "#40e0d0", "rebeccapurpl": "", "#AA0000FF": "#aa0000", " #00aa00 ": "#00aa00", "#1a2": "#11aa22",
		"#12345": "", "#12345g": "", "123456#": "", "": "",
	} {
		if got, ok := ParseColor(text); got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %t; want %q", text, got, ok, want)
		}
	}
}
