package ics

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of what is read. They are far above what any client writes, and low
// enough that reading takes milliseconds whatever comes.
const (
	MaxSize   = 1 << 20 // octets of an object (B-83)
	maxDepth  = 8       // components within components
	maxLines  = 50_000  // content lines of an object
	maxValues = 256     // parameter values of one line

	// maxParam is how much of one parameter value is read; the rest stays in
	// the octets. go-ical's time is quadratic in it, and real clients do
	// write whole HTML pages into ALTREP.
	maxParam = 512
)

// contentLine is one content line (RFC 5545 §3.1), or a blank line.
type contentLine struct {
	raw   []byte // as it stands: with its folds and its line ending
	text  []byte // unfolded, without line ending, parameter values cut to maxParam
	name  string // in upper case; "" if the line is blank
	value []byte // what follows the colon
}

// scan reads raw line by line and shows visit each line in order. It accepts
// exactly one VCALENDAR whose lines are well formed and whose components are
// closed in the right order, so that whoever reads the same lines later needs
// not care about any of that. The lines' raw octets add up to raw.
func scan(raw []byte, visit func(contentLine)) *Error {
	if len(raw) > MaxSize {
		return &Error{MaxResourceSize, fmt.Sprintf("The text has %d octets; %d is the most that is accepted.", len(raw), MaxSize)}
	}
	var open []string // names of the components that are not closed yet
	closed := false   // the VCALENDAR has ended
	number, count := 1, 0
	for rest := raw; len(rest) > 0; {
		var line contentLine
		line.raw, rest = cutLine(rest)
		line.text = unfold(line.raw)
		if count++; count == 1 {
			line.text = bytes.TrimPrefix(line.text, []byte("\ufeff"))
		}
		if count > maxLines {
			return invalid("The text has more than %d lines.", maxLines)
		}
		if len(line.text) > 0 {
			problem := line.split()
			switch {
			case problem != "":
			case closed:
				problem = "follows the end of the VCALENDAR, and there may be only one"
			case line.name == "BEGIN":
				if problem = checkBegin(open, &line); problem == "" {
					open = append(open, string(line.value))
				}
			case len(open) == 0:
				problem = "stands outside a VCALENDAR"
			case line.name == "END":
				line.setValue(bytes.ToUpper(bytes.TrimSpace(line.value)))
				if last := open[len(open)-1]; string(line.value) != last {
					problem = fmt.Sprintf("ends %.40q where %q is open", line.value, last)
				}
				open = open[:len(open)-1]
				closed = len(open) == 0
			}
			if problem != "" {
				return invalid("Line %d %s.", number, problem)
			}
		}
		visit(line)
		number += bytes.Count(line.raw, []byte{'\n'})
	}
	switch {
	case len(open) > 0:
		return invalid("%s is not closed; the text may have been cut off.", open[len(open)-1])
	case !closed:
		return invalid("There is no VCALENDAR in the text.")
	}
	return nil
}

func checkBegin(open []string, line *contentLine) (problem string) {
	line.setValue(bytes.ToUpper(bytes.TrimSpace(line.value)))
	switch {
	case len(open) == 0 && string(line.value) != "VCALENDAR":
		return "begins something other than a VCALENDAR"
	case len(open) == maxDepth:
		return fmt.Sprintf("nests components more than %d deep", maxDepth)
	case !isName(line.value):
		return "begins a component without a name"
	}
	return ""
}

// cutLine cuts off the first content line with its folds and line ending. A
// line is folded by a line break before a space or a tab.
func cutLine(raw []byte) (line, rest []byte) {
	end := 0
	for {
		i := bytes.IndexByte(raw[end:], '\n')
		if i < 0 {
			return raw, nil
		}
		end += i + 1
		if end == len(raw) || raw[end] != ' ' && raw[end] != '\t' {
			return raw[:end], raw[end:]
		}
	}
}

// unfold returns the text of a content line. A UTF-8 sequence that a client
// folded in the middle is whole again.
func unfold(raw []byte) []byte {
	raw = bytes.TrimRight(raw, "\r\n")
	if bytes.IndexByte(raw, '\n') < 0 {
		return raw
	}
	text := make([]byte, 0, len(raw))
	for i, part := range bytes.Split(raw, []byte{'\n'}) {
		if i > 0 {
			part = part[1:]
		}
		text = append(text, bytes.TrimRight(part, "\r")...)
	}
	return text
}

// split finds the parts of the line's text: name *(";" param) ":" value, and
// says what is wrong with it.
func (l *contentLine) split() (problem string) {
	t := l.text
	for _, c := range t {
		if isControl(c) {
			return fmt.Sprintf("has the control character %#02x", c)
		}
	}
	if !utf8.Valid(t) {
		return "is not UTF-8"
	}
	i := nameLen(t)
	if i == 0 {
		return "does not begin with the name of a property"
	}
	l.name = strings.ToUpper(string(t[:i]))

	var kept []byte // the text up to copied, without what is beyond maxParam
	copied, values := 0, 0
	for i < len(t) && t[i] == ';' {
		n := nameLen(t[i+1:])
		i += 1 + n
		if n == 0 || i == len(t) || t[i] != '=' {
			return "has a parameter without a value"
		}
		for next := true; next; next = i < len(t) && t[i] == ',' {
			begin := i + 1
			end, after := paramEnd(t, begin)
			if end < 0 {
				return "has a quotation mark without its partner"
			}
			if values++; values > maxValues {
				return fmt.Sprintf("has more than %d parameter values", maxValues)
			}
			if end-begin > maxParam {
				cut := begin + maxParam
				for !utf8.RuneStart(t[cut]) {
					cut--
				}
				kept, copied = append(kept, t[copied:cut]...), end
			}
			i = after
		}
	}
	if i == len(t) || t[i] != ':' {
		return "has no colon between the name and the value"
	}
	l.value = t[i+1:]
	if copied > 0 {
		l.text = append(kept, t[copied:]...)
	}
	return ""
}

// paramEnd returns where the parameter value that begins at t[i] ends, and
// where the text goes on: behind the closing quotation mark, if there is one.
func paramEnd(t []byte, i int) (end, after int) {
	if i < len(t) && t[i] == '"' {
		n := bytes.IndexByte(t[i+1:], '"')
		if n < 0 {
			return -1, -1
		}
		return i + 1 + n, i + 2 + n
	}
	n := bytes.IndexAny(t[i:], `";:,`)
	if n < 0 {
		n = len(t) - i
	}
	return i + n, i + n
}

// setValue replaces the value, in the text too. The raw octets stay.
func (l *contentLine) setValue(value []byte) {
	l.text = slices.Concat(l.text[:len(l.text)-len(l.value)], value)
	l.value = value
}

// isControl reports what RFC 5545 §3.1 forbids in a line, and what XML, in
// which objects travel, cannot hold.
func isControl(c byte) bool { return c < ' ' && c != '\t' }

// nameLen returns the length of the name that t begins with. Clients use more
// than letters, digits and hyphens in the names of their own properties.
func nameLen(t []byte) int {
	for i, c := range t {
		if c <= ' ' || c > '~' || strings.IndexByte(`";:,=`, c) >= 0 {
			return i
		}
	}
	return len(t)
}

func isName(t []byte) bool { return len(t) > 0 && nameLen(t) == len(t) }
