package page

import "strings"

// inlineElements do not separate words.
var inlineElements = map[string]bool{
	"a": true, "abbr": true, "b": true, "bdi": true, "bdo": true, "big": true, "cite": true, "code": true, "del": true, "dfn": true,
	"em": true, "font": true, "i": true, "ins": true, "kbd": true, "label": true, "mark": true, "nobr": true, "q": true, "s": true,
	"samp": true, "small": true, "span": true, "strike": true, "strong": true, "sub": true, "sup": true, "tt": true, "u": true,
	"var": true, "wbr": true,
}

// stripTags removes tags, comments and the content of script and style elements. Tags of
// elements that are not inline become line breaks. It takes linear time, because a
// terminator that is absent is searched only once.
func stripTags(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	t := markupScanner{missing: make(map[string]bool)}
	for {
		at := strings.IndexByte(s, '<')
		if at < 0 || at == len(s)-1 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:at])
		s = s[at:]
		size := 0
		if startsTag(rune(s[1])) {
			size = t.markup(s)
		}
		if size == 0 {
			b.WriteByte('<')
			s = s[1:]
			continue
		}
		if s[1] != '!' && s[1] != '?' && !inlineElements[tagName(s)] {
			b.WriteByte('\n')
		}
		s = s[size:]
	}
}

// markupScanner finds the ends of tags, comments, and script and style elements.
type markupScanner struct {
	missing map[string]bool // terminators that do not occur in the rest of the text
}

// find returns the end of the first occurrence of a terminator, 0 if there is none.
func (t *markupScanner) find(s, terminator string) int {
	if t.missing[terminator] {
		return 0
	}
	at := strings.Index(s, terminator)
	if at < 0 {
		t.missing[terminator] = true
		return 0
	}
	return at + len(terminator)
}

// markup returns the length of the comment, tag or script at the start of a text, 0
// if it is not terminated.
func (t *markupScanner) markup(s string) int {
	if strings.HasPrefix(s, "<!--") {
		if size := t.find(s, "-->"); size > 0 {
			return size
		}
	}
	end := t.tagEnd(s)
	if name := tagName(s); end > 0 && s[1] != '/' && (name == "script" || name == "style") {
		if size := t.find(s[end:], "</"+name); size > 0 {
			return end + size - len("</"+name)
		}
	}
	return end
}

// tagEnd returns the length of the tag at the start of a text, 0 if it is not
// terminated. A ">" in a quoted attribute value does not end it.
func (t *markupScanner) tagEnd(s string) int {
	first := t.find(s, ">")
	for end := 0; first > 0 && !t.missing["quote"]; {
		size := strings.IndexAny(s[end:], `>"'`)
		if size < 0 {
			t.missing["quote"] = true // do not search beyond the first ">" again
			break
		}
		end += size + 1
		if s[end-1] == '>' {
			return end
		}
		if s[end-2] != '=' && s[end-2] != ' ' {
			continue // an apostrophe
		}
		if size = strings.IndexByte(s[end:], s[end-1]); size < 0 {
			t.missing["quote"] = true
			break
		}
		end += size + 1
	}
	return first
}

// tagName returns the lower-case name of the tag at the start of a text.
func tagName(s string) string {
	s = strings.TrimPrefix(s[1:min(len(s), 16)], "/")
	for i := range len(s) {
		if c := s[i] | 0x20; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			s = s[:i]
			break
		}
	}
	return strings.ToLower(s)
}
