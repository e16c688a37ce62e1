package ics

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"strings"
	"unicode/utf8"
)

// Limits on input. They are far above the sizes that clients write, and bound the
// time of parsing to milliseconds.
const (
	MaxSize   = 1 << 20 // octets of a calendar object resource
	maxDepth  = 8       // nested components
	maxValues = 256     // parameter values of a content line
)

// yieldLines is the number of lines after which the processing of a large text lets
// other goroutines run. Go would preempt it only after 10 ms, which delays each step
// of the other requests on a machine with few processors.
const yieldLines = 64

// limits bound the size of one text.
type limits struct{ octets, lines int }

var (
	objectLimits = limits{MaxSize, 50_000}

	// noLimits is for text that was composed from text read within limits.
	noLimits = limits{math.MaxInt, math.MaxInt}
)

// contentLine is a content line (RFC 5545 §3.1) or a blank line.
type contentLine struct {
	raw    []byte  // the octets, with folds and line ending
	text   []byte  // unfolded, without the line ending
	name   string  // in upper case; "" for a blank line
	params []param // in order of appearance; the array is reused for the next line
	value  []byte  // the octets after the colon

	component string // the value of BEGIN or END, in upper case
}

// param is one value of a parameter, still encoded (RFC 6868) but without the
// surrounding quotation marks.
type param struct{ name, value []byte }

// scan calls visit for each content line of raw, in order. It accepts exactly
// one VCALENDAR with well-formed lines and properly nested components, so visit
// does not check nesting. The raw octets of all lines add up to raw.
func scan(raw []byte, limit limits, visit func(contentLine)) *Error {
	if len(raw) > limit.octets {
		return newError(CondMaxResourceSize, "The text has %d octets; the maximum is %d.", len(raw), limit.octets)
	}
	var n nesting
	number, count := 1, 0
	var params []param
	for rest := raw; len(rest) > 0; {
		line := contentLine{params: params[:0]}
		line.raw, rest = cutLine(rest)
		line.text = unfold(line.raw)
		if count++; count == 1 {
			line.text = bytes.TrimPrefix(line.text, []byte("\ufeff"))
		}
		if count%yieldLines == 0 {
			runtime.Gosched()
		}
		if count > limit.lines {
			return invalidData("The text has more than %d lines.", limit.lines)
		}
		if len(line.text) > 0 {
			problem := line.parse()
			if problem == "" {
				problem = n.add(&line)
			}
			if problem != "" {
				return invalidLine(number, problem)
			}
		}
		visit(line)
		params = line.params
		number += bytes.Count(line.raw, []byte{'\n'})
	}
	return n.finish()
}

// nesting checks that the components of a text are properly nested.
type nesting struct {
	open   [maxDepth]string // names of the open components, outermost first
	depth  int              // number of open components
	closed bool             // whether the VCALENDAR has ended
}

// add sets line.component. It returns the problem with the position of the
// line, "" if there is none.
func (n *nesting) add(line *contentLine) (problem string) {
	switch {
	case n.closed:
		return "follows the end of the VCALENDAR; only one VCALENDAR is allowed"
	case line.name == "BEGIN":
		return n.begin(line)
	case n.depth == 0:
		return "is outside a VCALENDAR"
	case line.name == "END":
		return n.end(line)
	}
	return ""
}

func (n *nesting) begin(line *contentLine) (problem string) {
	line.component = upperName(bytes.TrimSpace(line.value))
	switch {
	case n.depth == 0 && line.component != "VCALENDAR":
		return "begins a component other than VCALENDAR"
	case n.depth == maxDepth:
		return fmt.Sprintf("nests components more than %d deep", maxDepth)
	case !isName([]byte(line.component)):
		return "begins a component without a valid name"
	}
	n.open[n.depth] = line.component
	n.depth++
	return ""
}

func (n *nesting) end(line *contentLine) (problem string) {
	line.component = upperName(bytes.TrimSpace(line.value))
	last := n.open[n.depth-1]
	if line.component != last {
		return fmt.Sprintf("ends %.40q, but the open component is %q", line.component, last)
	}
	n.depth--
	n.closed = n.depth == 0
	return ""
}

// finish returns an error unless exactly one VCALENDAR was begun and ended.
func (n *nesting) finish() *Error {
	switch {
	case n.depth > 0:
		return invalidData("%s has no END line; the text may be truncated.", n.open[n.depth-1])
	case !n.closed:
		return invalidData("The text contains no VCALENDAR.")
	}
	return nil
}

// cutLine cuts the first content line, with its folds and line ending, off raw.
// A line break followed by a space or a tab is a fold (RFC 5545 §3.1).
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

// unfold returns the text of a content line. It joins octets, not characters:
// some clients fold inside a UTF-8 sequence.
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

// parse splits the text into name *(";" param) ":" value (RFC 5545 §3.1). It
// returns the problem of an invalid line, "" for a valid one.
func (l *contentLine) parse() (problem string) {
	t := l.text
	for _, c := range t {
		if isControl(c) {
			return fmt.Sprintf("contains the control character %#02x", c)
		}
	}
	if !utf8.Valid(t) {
		return "is not valid UTF-8"
	}
	i := nameLen(t)
	if i == 0 {
		return "does not begin with a property name"
	}
	l.name = upperName(t[:i])

	for i < len(t) && t[i] == ';' {
		n := nameLen(t[i+1:])
		name := t[i+1 : i+1+n]
		i += 1 + n
		if n == 0 || i == len(t) || t[i] != '=' {
			return "has a parameter without a value"
		}
		for next := true; next; next = i < len(t) && t[i] == ',' {
			value, after, ok := paramValue(t, i+1)
			if !ok {
				return "has an unclosed quotation mark"
			}
			if len(l.params) == maxValues {
				return fmt.Sprintf("has more than %d parameter values", maxValues)
			}
			l.params = append(l.params, param{name, value})
			i = after
		}
	}
	if i == len(t) || t[i] != ':' {
		return "has no colon between name and value"
	}
	l.value = t[i+1:]
	return ""
}

// paramValue returns the parameter value at t[i:], without quotation marks, and
// the index after it. It returns false if a quotation mark is not closed.
func paramValue(t []byte, i int) (value []byte, after int, ok bool) {
	if i < len(t) && t[i] == '"' {
		n := bytes.IndexByte(t[i+1:], '"')
		if n < 0 {
			return nil, 0, false
		}
		return t[i+1 : i+1+n], i + 2 + n, true
	}
	n := bytes.IndexAny(t[i:], `";:,`)
	if n < 0 {
		n = len(t) - i
	}
	return t[i : i+n], i + n, true
}

// isControl reports whether RFC 5545 §3.1 forbids c in a content line. XML,
// which transports objects in CalDAV, cannot represent these octets either.
func isControl(c byte) bool { return c < ' ' && c != '\t' }

// nameLen returns the length of the property or parameter name at the start of
// t. It accepts more than the letters, digits and hyphens of RFC 5545: clients
// use other characters in the names of their own properties.
func nameLen(t []byte) int {
	for i, c := range t {
		if !isNameByte[c] {
			return i
		}
	}
	return len(t)
}

var isNameByte = func() (in [256]bool) {
	for c := '!'; c <= '~'; c++ {
		in[c] = !strings.ContainsRune(`";:,=`, c)
	}
	return in
}()

// upperName returns a name in upper case, without an allocation for common
// names.
func upperName(t []byte) string {
	if name, ok := internedNames[string(t)]; ok {
		return name
	}
	return strings.ToUpper(string(t))
}

var internedNames = func() map[string]string {
	names := make(map[string]string)
	for name := range strings.FieldsSeq(`BEGIN END VERSION PRODID CALSCALE UID DTSTAMP DTSTART DTEND DUE DURATION
		CREATED LAST-MODIFIED SEQUENCE SUMMARY DESCRIPTION LOCATION URL STATUS TRANSP CLASS PRIORITY
		PERCENT-COMPLETE COMPLETED CATEGORIES RRULE RDATE EXDATE RECURRENCE-ID ORGANIZER ATTENDEE ATTACH GEO
		TZID TZNAME TZOFFSETFROM TZOFFSETTO X-LIC-LOCATION ACTION TRIGGER REPEAT FREEBUSY VALUE PARTSTAT ROLE CN
		RSVP RELATED CUTYPE VCALENDAR VEVENT VTODO VJOURNAL VFREEBUSY VALARM VTIMEZONE STANDARD DAYLIGHT`) {
		names[name] = name
	}
	return names
}()

func isName(t []byte) bool { return len(t) > 0 && nameLen(t) == len(t) }
