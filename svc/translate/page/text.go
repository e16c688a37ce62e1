package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// Text returns untrusted text as plain text: entities are decoded, also twice encoded
// ones, tags and control characters removed, white space collapsed, and the result cut
// at a word boundary to at most limit bytes. No "<" in it is followed by
// a letter, "/", "!" or "?".
func Text(s string, limit int) string {
	if isPlain(s, limit) {
		return s
	}
	return collapse(withoutMarkup(s, limit), limit, false)
}

// Lines is [Text] for text with line breaks, which it keeps, at most two in a row.
// Tags of block-level elements become line breaks.
func Lines(s string, limit int) string {
	if isPlain(s, limit) {
		return s
	}
	return collapse(withoutMarkup(s, limit), limit, true)
}

// Code is [Text] for source code, of which it keeps line breaks and indentation. s is
// text of the HTML tree: it is not decoded again, and text that looks like a tag stays,
// with a space after "<".
func Code(s string, limit int) string {
	s = newlines.Replace(s)
	var b strings.Builder
	for _, r := range s {
		if startsTag(r) && strings.HasSuffix(b.String(), "<") {
			b.WriteByte(' ')
		}
		if b.Len()+utf8.RuneLen(r) > limit {
			break
		}
		if r == '\n' || r == '\t' || !isControl(r) {
			b.WriteRune(r)
		}
	}
	return strings.TrimRight(strings.Trim(b.String(), "\n"), " \t\n")
}

// newlines converts line breaks.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// isPlain reports whether Text returns s itself: short ASCII without markup and
// without adjacent spaces.
func isPlain(s string, limit int) bool {
	if len(s) > limit || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == '<' || c == '&' || c == ' ' && s[i-1] == ' ' {
			return false
		}
	}
	return true
}

// withoutMarkup decodes entities and removes tags, both twice.
func withoutMarkup(s string, limit int) string {
	if most := 16*max(limit, 0) + 4096; len(s) > most { // limits the work
		s = s[:most]
	}
	s = stripTags(html.UnescapeString(s))
	return stripTags(html.UnescapeString(s))
}

// collapse removes control characters, reduces white space and cuts the text. It
// removes each "<" that would start a tag.
func collapse(s string, limit int, lines bool) string {
	out := make([]byte, 0, min(len(s), max(limit, 0)+utf8.UTFMax))
	space, newlines := false, 0 // pending white space
	for _, r := range s {
		switch {
		case lines && (r == '\n' || r == '\u2028' || r == '\u2029'):
			newlines++
			continue
		case unicode.IsSpace(r):
			space = true
			continue
		case isControl(r):
			continue
		}
		if len(out) > 0 && newlines > 0 {
			out = append(out, "\n\n"[:min(newlines, 2)]...)
		} else if len(out) > 0 && space {
			out = append(out, ' ')
		}
		space, newlines = false, 0
		for startsTag(r) && len(out) > 0 && out[len(out)-1] == '<' {
			out = out[:len(out)-1]
		}
		if out = utf8.AppendRune(out, r); len(out) > limit {
			return cut(out, limit)
		}
	}
	return string(out)
}

// startsTag reports whether a character after "<" starts a tag, a comment or a
// declaration.
func startsTag(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '/' || r == '!' || r == '?'
}

// cut cuts text at the last white space in its second half, else between two
// characters.
func cut(text []byte, limit int) string {
	if limit <= 0 {
		return ""
	}
	end := limit
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	if space := strings.LastIndexAny(string(text[:end+1]), " \n"); space > limit/2 {
		end = space
	}
	return strings.TrimRight(string(text[:end]), " \n")
}

// isControl reports whether a character is removed from texts: control characters,
// those that change the direction of text, and invisible ones.
func isControl(r rune) bool {
	switch {
	case r == '\u00ad', r == '\u200b', r == '\ufeff', '\u202a' <= r && r <= '\u202e', '\u2060' <= r && r <= '\u206f',
		'\ufff9' <= r && r <= '\ufffb', '\U000e0000' <= r && r <= '\U000e007f':
		return true
	}
	return unicode.IsControl(r)
}
