package dav

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
)

// The result of plainRun ends before any octet that needs escaping, at any
// position among other octets.
func TestPlainRunEndsBeforeSpecialOctets(t *testing.T) {
	for c := range 256 {
		plain := c >= ' ' && c < 128 && !strings.ContainsRune(`&<>"`, rune(c))
		for at := range 20 {
			for _, before := range []byte{' ', '~', '=', '?', '\'', '$', '#', '!', '%', ';'} {
				for _, after := range []byte{'a', '\r', 0xff, '&', 0} {
					s := append(bytes.Repeat([]byte{before}, at), byte(c))
					s = append(s, bytes.Repeat([]byte{after}, 9)...)
					want := at
					if plain && after == 'a' {
						want = len(s)
					} else if plain {
						want = at + 1
					}
					if got := plainRun(s); got != want || plainRun(string(s)) != want {
						t.Fatalf("%q: got %d, want %d", s, got, want)
					}
				}
			}
		}
	}
}

// Text and attributes that are written are parsed as the same text, except for
// characters that XML cannot represent.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "plain", "a\r\nb\tc", `<&>"'`, "Käse 🧀", "\xff\x00\ufffe", strings.Repeat("x", 100) + "\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := strings.Map(func(r rune) rune {
			if !xmlChar(r) {
				return '\ufffd'
			}
			return r
		}, s)
		text := appendEscaped([]byte("<a b=\""), s, true)
		text = append(appendEscaped(append(text, `">`...), []byte(s), false), "</a>"...)
		var got struct {
			B    string `xml:"b,attr"`
			Text string `xml:",chardata"`
		}
		if err := xml.Unmarshal(text, &got); err != nil || got.Text != want || got.B != want {
			t.Errorf("%q written as %q: got %+v, %v; want %q", s, text, got, err, want)
		}
	})
}

// A document is not completed if the client has disconnected.
func TestDocumentEndsWithTheRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	q := &request{Request: httptest.NewRequestWithContext(ctx, "PROPFIND", "/", nil), h: new(Handler)}
	x := q.newDocument()
	defer q.discardDocument()
	for _, want := range []error{nil, context.Canceled} {
		x.raw(strings.Repeat(" ", flushOctets))
		if err := x.flushIfLarge(); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
		cancel()
	}
}
