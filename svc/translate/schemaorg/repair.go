package schemaorg

import (
	"encoding/json"
	"html"
	"iter"
	"regexp"
	"strings"
)

// maxConcatenated limits the JSON values of one block.
const maxConcatenated = 1000

// repair returns the text of a JSON-LD block as valid JSON, "" if that is not possible.
// Valid JSON remains as it is. complete is false if text after the end has been
// dropped. Each stage adds to the previous ones and is needed only if the text is not
// valid yet.
func repair(script string) (text string, complete bool) {
	text = strings.TrimSpace(script)
	if json.Valid([]byte(text)) {
		return text, true
	}
	for _, stage := range []func(string) string{
		unwrap, withoutSemicolon, withoutControls, withoutComments, withoutCommas, withValidEscapes,
	} {
		if text = stage(text); json.Valid([]byte(text)) {
			return text, true
		}
	}
	return firstValues(text)
}

var (
	opening = regexp.MustCompile(`^\s*(?:(?://|/\*)?\s*<!\[CDATA\[(?:\s*\*/)?|(?://|/\*)?\s*<!--(?:\s*\*/)?|\x{feff})`)
	closing = regexp.MustCompile(`(?:(?://|/\*)?\s*\]\]>(?:\s*\*/)?|(?://|/\*)?\s*-->(?:\s*\*/)?)\s*$`)
)

// unwrap removes the delimiters of CDATA sections and HTML comments around a text, and
// unescapes the HTML entities of a text that is escaped as a whole.
func unwrap(s string) string {
	for range 4 {
		if at := opening.FindStringIndex(s); at != nil {
			s = s[at[1]:]
		}
		tail := max(0, len(s)-64)
		if at := closing.FindStringIndex(s[tail:]); at != nil {
			s = s[:tail+at[0]]
		}
		s = strings.TrimSpace(s)
	}
	if !strings.Contains(s, `"`) && strings.Contains(s, "&quot;") {
		s = html.UnescapeString(s)
	}
	return s
}

func withoutSemicolon(s string) string { return strings.TrimRight(s, "; \t\r\n") }

// token is a part of a text.
type token struct {
	text string
	kind tokenKind
}

type tokenKind int

const (
	code tokenKind = iota
	quoted
	comment
)

// tokens splits a text into strings, comments and code between them.
func tokens(s string) iter.Seq[token] {
	return func(yield func(token) bool) {
		start := 0
		for i := 0; i < len(s); {
			end, kind := tokenEnd(s, i)
			if kind == code {
				i++
				continue
			}
			if start < i && !yield(token{s[start:i], code}) || !yield(token{s[i:end], kind}) {
				return
			}
			start, i = end, end
		}
		if start < len(s) {
			yield(token{s[start:], code})
		}
	}
}

// tokenEnd returns the end of the string or comment that starts at an index, or the
// kind code.
func tokenEnd(s string, start int) (end int, kind tokenKind) {
	terminator := ""
	switch {
	case s[start] == '"':
		return stringEnd(s, start), quoted
	case strings.HasPrefix(s[start:], "/*"):
		terminator = "*/"
	case strings.HasPrefix(s[start:], "//"):
		terminator = "\n"
	default:
		return start, code
	}
	if size := strings.Index(s[start+2:], terminator); size >= 0 {
		return start + 2 + size + len(terminator), comment
	}
	return len(s), comment
}

// stringEnd returns the index after the string that starts at an index.
func stringEnd(s string, start int) int {
	for i := start + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// rewrite applies a function to the tokens of a text.
func rewrite(s string, change func(t token) string) string {
	var b strings.Builder
	b.Grow(len(s))
	for t := range tokens(s) {
		b.WriteString(change(t))
	}
	return b.String()
}

// withoutControls escapes the control characters in strings and removes others.
func withoutControls(s string) string {
	return rewrite(s, func(t token) string {
		if t.kind == code {
			return strings.Map(func(r rune) rune {
				switch {
				case r == '\n' || r == '\t' || r == '\r':
					return r
				case r == '\u00a0' || r == '\u2028' || r == '\u2029' || r == '\u200b' || r == '\ufeff' || r < ' ' || r == 0x7f:
					return ' '
				}
				return r
			}, t.text)
		}
		if t.kind == comment || strings.IndexFunc(t.text, func(r rune) bool { return r < ' ' }) < 0 {
			return t.text
		}
		var b strings.Builder
		for i := 0; i < len(t.text); i++ {
			c := t.text[i]
			switch {
			case c == '\\' && i+1 < len(t.text) && t.text[i+1] < ' ':
				// the backslash of a line that continues on the next one
			case c == '\n':
				b.WriteString(`\n`)
			case c == '\t':
				b.WriteString(`\t`)
			case c < ' ':
				b.WriteByte(' ')
			default:
				b.WriteByte(c)
				if c == '\\' && i+1 < len(t.text) {
					i++
					b.WriteByte(t.text[i])
				}
			}
		}
		return b.String()
	})
}

func withoutComments(s string) string {
	return rewrite(s, func(t token) string {
		if t.kind == comment {
			return " "
		}
		return t.text
	})
}

var (
	surplusCommas = regexp.MustCompile(`,(?:\s*,)+`)
	leadingComma  = regexp.MustCompile(`([\[{]\s*),`)
	trailingComma = regexp.MustCompile(`,(\s*[\]}])`)
)

// withoutCommas removes commas that do not separate values.
func withoutCommas(s string) string {
	s = rewrite(s, func(t token) string {
		if t.kind != code || !strings.Contains(t.text, ",") {
			return t.text
		}
		text := surplusCommas.ReplaceAllString(t.text, ",")
		text = leadingComma.ReplaceAllString(text, "$1")
		return trailingComma.ReplaceAllString(text, "$1")
	})
	return strings.Trim(s, ", \t\r\n")
}

// withValidEscapes removes the backslashes of invalid escapes. Hexadecimal escapes of
// JavaScript become those of JSON.
func withValidEscapes(s string) string {
	return rewrite(s, func(t token) string {
		if t.kind != quoted || !strings.Contains(t.text, `\`) {
			return t.text
		}
		var b strings.Builder
		for i := 0; i < len(t.text); i++ {
			c := t.text[i]
			if c != '\\' || i+1 == len(t.text) {
				b.WriteByte(c)
				continue
			}
			rest := t.text[i+1:]
			switch {
			case strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
				b.WriteString(t.text[i : i+2])
				i++
			case rest[0] == 'u' && areHex(rest[1:], 4):
				b.WriteString(t.text[i : i+2])
				i++
			case rest[0] == 'x' && areHex(rest[1:], 2):
				b.WriteString(`\u00`)
				i++
			}
		}
		return b.String()
	})
}

func areHex(s string, count int) bool {
	return len(s) >= count && strings.Trim(s[:count], "0123456789abcdefABCDEF") == ""
}

// firstValues returns the objects and arrays at the start of a text as one value,
// "" if there is none. complete is false if other text follows.
func firstValues(s string) (text string, complete bool) {
	var values []string
	for len(values) < maxConcatenated {
		s = strings.TrimLeft(s, ",; \t\r\n")
		if s == "" || s[0] != '{' && s[0] != '[' {
			break
		}
		end := valueEnd(s)
		if !json.Valid([]byte(s[:end])) {
			break
		}
		values = append(values, s[:end])
		s = s[end:]
	}
	complete = s == ""
	switch len(values) {
	case 0:
		return "", complete
	case 1:
		return values[0], complete
	}
	return "[" + strings.Join(values, ",") + "]", complete
}

// valueEnd returns the index after the object or array at the start of a text.
func valueEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i = stringEnd(s, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}
