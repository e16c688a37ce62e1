package app

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// jsKind is the kind of a token of JavaScript.
type jsKind int

const (
	jsComment jsKind = iota // a comment, with adjacent lines that contain nothing but comments
	jsString                // a string, or the text of a template literal
	jsName                  // an identifier or a keyword
	jsOther                 // a number, a regular expression or a punctuator
)

type jsToken struct {
	kind jsKind
	text string
}

// jsTokens returns the tokens of a module of the web app. It assumes that a
// slash after a name, a number, a string or a closing bracket divides: a regular
// expression does not follow the condition of an if statement or a block.
func jsTokens(text string) []jsToken {
	s := &jsScanner{text: text}
	s.scan(false)
	return s.tokens
}

// jsScanner scans text from position at.
type jsScanner struct {
	text   string
	at     int
	tokens []jsToken
}

// scan appends tokens until the end of the text or, inside a template literal,
// until the brace that ends the substitution.
func (s *jsScanner) scan(inTemplate bool) {
	depth, commentEnd := 0, -2
	for s.at < len(s.text) {
		rest, start := s.text[s.at:], s.at
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.at++
		case strings.HasPrefix(rest, "//"):
			s.at += lengthBefore(rest, "\n")
			comment := s.text[start:s.at]
			line := strings.LastIndexByte(s.text[:start], '\n') + 1
			if indent := s.text[line:start]; commentEnd == line-1 && strings.TrimSpace(indent) == "" {
				s.tokens[len(s.tokens)-1].text += "\n" + comment
				commentEnd = s.at
				continue
			} else if strings.TrimSpace(indent) == "" {
				commentEnd = s.at
			}
			s.tokens = append(s.tokens, jsToken{jsComment, comment})
		case strings.HasPrefix(rest, "/*"):
			s.at += min(len(rest), 2+lengthBefore(rest[2:], "*/")+2)
			s.tokens = append(s.tokens, jsToken{jsComment, s.text[start:s.at]})
		case c == '"' || c == '\'':
			s.skipQuoted(string(c), jsString)
		case c == '`':
			s.at++
			s.template()
		case c == '/' && s.regexpMayStart():
			s.skipRegexp()
		case c == '}' && inTemplate && depth == 0:
			return
		case isNameByte(c):
			s.at += len(rest) - len(strings.TrimLeftFunc(rest, func(r rune) bool { return r >= utf8.RuneSelf || isNameByte(byte(r)) }))
			kind := jsName
			if c >= '0' && c <= '9' {
				kind = jsOther
			}
			s.tokens = append(s.tokens, jsToken{kind, s.text[start:s.at]})
		default:
			switch c {
			case '{':
				depth++
			case '}':
				depth--
			}
			s.at++
			for _, long := range []string{"...", "=>"} {
				if strings.HasPrefix(rest, long) {
					s.at = start + len(long)
				}
			}
			s.tokens = append(s.tokens, jsToken{jsOther, s.text[start:s.at]})
		}
	}
}

// template scans a template literal after its opening backquote.
func (s *jsScanner) template() {
	for start := s.at; s.at < len(s.text); {
		switch {
		case s.text[s.at] == '\\':
			s.at = min(s.at+2, len(s.text))
		case s.text[s.at] == '`':
			s.tokens = append(s.tokens, jsToken{jsString, s.text[start:s.at]})
			s.at++
			return
		case strings.HasPrefix(s.text[s.at:], "${"):
			s.tokens = append(s.tokens, jsToken{jsString, s.text[start:s.at]})
			s.at += 2
			s.scan(true)
			s.at = min(s.at+1, len(s.text))
			start = s.at
		default:
			s.at++
		}
	}
}

// skipQuoted scans a string.
func (s *jsScanner) skipQuoted(quote string, kind jsKind) {
	start := s.at
	for s.at++; s.at < len(s.text); s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		} else if strings.HasPrefix(s.text[s.at:], quote) {
			break
		}
	}
	s.at = min(s.at+1, len(s.text))
	s.tokens = append(s.tokens, jsToken{kind, s.text[start:s.at]})
}

// skipRegexp scans a regular expression. A slash within a class does not end it.
func (s *jsScanner) skipRegexp() {
	start, inClass := s.at, false
	for s.at++; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		if c == '\\' {
			s.at++
		} else if c == '[' {
			inClass = true
		} else if c == ']' {
			inClass = false
		} else if c == '/' && !inClass {
			break
		}
	}
	for s.at++; s.at < len(s.text) && isNameByte(s.text[s.at]); s.at++ { // flags
	}
	s.at = min(s.at, len(s.text))
	s.tokens = append(s.tokens, jsToken{jsOther, s.text[start:s.at]})
}

// regexpMayStart reports whether a slash at this position starts a regular
// expression instead of dividing.
func (s *jsScanner) regexpMayStart() bool {
	for _, last := range slices.Backward(s.tokens) {
		switch last.kind {
		case jsComment:
			continue
		case jsString:
			return false
		case jsName:
			return slices.Contains([]string{"return", "typeof", "case", "in", "of", "await", "yield", "void", "delete"}, last.text)
		}
		end := last.text[len(last.text)-1]
		return end != ')' && end != ']' && end != '}' && end != '/' && !isNameByte(end)
	}
	return true
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c == '#' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}

// lengthBefore returns the length of the text before sep, or of the whole text.
func lengthBefore(text, sep string) int {
	before, _, _ := strings.Cut(text, sep)
	return len(before)
}

// jsDeclaredNames returns the names that tokens declare: as variables, functions,
// classes, imports and parameters, also within patterns.
func jsDeclaredNames(tokens []jsToken) (names []string) {
	tokens = slices.DeleteFunc(slices.Clone(tokens), func(t jsToken) bool { return t.kind == jsComment })
	text := func(i int) string {
		if i < 0 || i >= len(tokens) || tokens[i].kind == jsString {
			return ""
		}
		return tokens[i].text
	}
	// bound collects the names in patterns from i up to end.
	bound := func(i, end int) {
		for ; i < end; i++ {
			before, after := text(i-1), text(i+1)
			isStart := slices.Contains([]string{"(", ",", "{", "[", "...", ":", "const", "let", "var", "import", "as"}, before)
			isEnd := slices.Contains([]string{",", ")", "}", "]", "=", "=>", ";", "of", "in", "from"}, after)
			if tokens[i].kind == jsName && isStart && (isEnd || before == "let") {
				names = append(names, text(i))
			}
		}
	}
	for i := range tokens {
		switch t := text(i); t {
		case "function", "class":
			if i+1 < len(tokens) && tokens[i+1].kind == jsName && text(i-1) != "." {
				names = append(names, text(i+1))
			}
		case "const", "let", "var":
			end, depth := i+1, 0
			for ; end < len(tokens); end++ {
				if slices.Contains([]string{"{", "[", "("}, text(end)) {
					depth++
				} else if slices.Contains([]string{"}", "]", ")"}, text(end)) {
					depth--
				} else if depth == 0 && slices.Contains([]string{"=", ";", "of", "in"}, text(end)) {
					break
				}
			}
			bound(i+1, min(end, len(tokens)))
		case "import":
			if next := text(i + 1); next != "(" && next != "." {
				end := i + 1
				for end < len(tokens) && text(end) != "from" && tokens[end].kind != jsString {
					end++
				}
				bound(i+1, min(end, len(tokens)))
			}
		case "(":
			end, depth := i+1, 1
			for ; end < len(tokens); end++ {
				if text(end) == "(" {
					depth++
				} else if text(end) == ")" {
					if depth--; depth == 0 {
						break
					}
				}
			}
			isStatement := slices.Contains([]string{"if", "for", "while", "switch", "with"}, text(i-1))
			if next := text(end + 1); next == "=>" || next == "{" && !isStatement {
				bound(i+1, end)
			}
		case "=>":
			if i > 0 && tokens[i-1].kind == jsName {
				names = append(names, text(i-1))
			}
		}
	}
	return names
}

func TestJSTokens(t *testing.T) {
	for _, c := range []struct {
		text              string
		comments, strings []string
	}{
		{"a(); // one\nb(); // two", []string{"// one", "// two"}, nil},
		{"// one\n\t// two\na", []string{"// one\n// two"}, nil},
		{"a(); // one\n// two\n", []string{"// one", "// two"}, nil},
		{"// one\n\n// two", []string{"// one", "// two"}, nil},
		{"/* one */ a /* two", []string{"/* one */", "/* two"}, nil},
		{`a("// text", 'it\'s', "\\")`, nil, []string{`"// text"`, `'it\'s'`, `"\\"`}},
		{"`a // b ${f({ c: \"d\" })} e ${`g`}\\`` // h", []string{"// h"}, []string{"a // b ", `"d"`, " e ", "g", "\\`"}},
		{`a.replace(/["'/*]\//g, "b")`, nil, []string{`"b"`}},
		{`return /"/.test(a) // b`, []string{"// b"}, nil},
		{`a = b / c; d = (e) / f / 2 // g`, []string{"// g"}, nil},
		{`a[0] / 2 + "b" / c`, nil, []string{`"b"`}},
	} {
		var comments, texts []string
		for _, token := range jsTokens(c.text) {
			switch token.kind {
			case jsComment:
				comments = append(comments, token.text)
			case jsString:
				texts = append(texts, token.text)
			}
		}
		if !slices.Equal(comments, c.comments) || !slices.Equal(texts, c.strings) {
			t.Errorf("%s: got comments %q, strings %q, want %q, %q", c.text, comments, texts, c.comments, c.strings)
		}
	}
}

func TestJSDeclared(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"const a = b.c;", []string{"a"}},
		{"let a, b;", []string{"a", "b"}},
		{"let a\nb = c;", []string{"a"}},
		{"const { a, b: c, d = e, ...f } = g;", []string{"a", "c", "d", "f"}},
		{"for (const [a, b] of c) d(e);", []string{"a", "b"}},
		{"function a(b, { c }, d = e) {}", []string{"a", "b", "c", "d"}},
		{"class A { b(c) { if (d) { e(f); } } }", []string{"A", "c"}},
		{"a.map((b) => c(d));", []string{"b"}},
		{"a.map(async b => c);", []string{"b"}},
		{"try { a(); } catch (b) { c(d); }", []string{"b"}},
		{`import { a, b as c } from "./d.js";`, []string{"a", "c"}},
		{`import * as a from "./a.js";`, []string{"a"}},
		{`const a = await import("./b.js");`, []string{"a"}},
		{"a(b, c); d = { e, f: g }; h.i = j;", nil},
		{`a("const b = c"); // const d`, nil},
	} {
		got := jsDeclaredNames(jsTokens(c.text))
		slices.Sort(got)
		if want := slices.Sorted(slices.Values(c.want)); !slices.Equal(slices.Compact(got), want) {
			t.Errorf("%s: got %q, want %q", c.text, got, want)
		}
	}
}
