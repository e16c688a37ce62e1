package ics

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Limits of what is read. They are far above what any client writes, and low
// enough that reading takes milliseconds whatever comes.
const (
	MaxSize   = 1 << 20 // octets of an object (B-83)
	maxDepth  = 8       // components within components
	maxValues = 256     // parameter values of one line
)

// limits are how much text is read at once.
type limits struct{ octets, lines int }

var (
	objectLimits = limits{MaxSize, 50_000}

	// noLimits is for text that was made of what has been read within limits.
	noLimits = limits{math.MaxInt, math.MaxInt}
)

// contentLine is one content line (RFC 5545 §3.1), or a blank line.
type contentLine struct {
	raw    []byte  // as it stands: with its folds and its line ending
	text   []byte  // unfolded, without line ending
	name   string  // in upper case; "" if the line is blank
	params []param // in their order; the next line uses the same slice
	value  []byte  // what follows the colon

	component string // what BEGIN begins or END ends, in upper case
}

// param is one value of a parameter as it is written, without the quotation
// marks around it.
type param struct{ name, value []byte }

// scan reads raw line by line and shows visit each line in order. It accepts
// exactly one VCALENDAR whose lines are well formed and whose components are
// closed in the right order, so that whoever reads the same lines later needs
// not care about any of that. The lines' raw octets add up to raw.
func scan(raw []byte, limit limits, visit func(contentLine)) *Error {
	if len(raw) > limit.octets {
		return &Error{CondMaxResourceSize, fmt.Sprintf("The text has %d octets; %d is the most that is accepted.", len(raw), limit.octets)}
	}
	var open []string // names of the components that are not closed yet
	closed := false   // the VCALENDAR has ended
	number, count := 1, 0
	var params []param
	for rest := raw; len(rest) > 0; {
		line := contentLine{params: params[:0]}
		line.raw, rest = cutLine(rest)
		line.text = unfold(line.raw)
		if count++; count == 1 {
			line.text = bytes.TrimPrefix(line.text, []byte("\ufeff"))
		}
		if count > limit.lines {
			return invalidData("The text has more than %d lines.", limit.lines)
		}
		if len(line.text) > 0 {
			problem := line.parse()
			switch {
			case problem != "":
			case closed:
				problem = "follows the end of the VCALENDAR, and there may be only one"
			case line.name == "BEGIN":
				if problem = checkBegin(open, &line); problem == "" {
					open = append(open, line.component)
				}
			case len(open) == 0:
				problem = "stands outside a VCALENDAR"
			case line.name == "END":
				line.component = upperName(bytes.TrimSpace(line.value))
				if last := open[len(open)-1]; line.component != last {
					problem = fmt.Sprintf("ends %.40q where %q is open", line.component, last)
				}
				open = open[:len(open)-1]
				closed = len(open) == 0
			}
			if problem != "" {
				return invalidData("Line %d %s.", number, problem)
			}
		}
		visit(line)
		params = line.params
		number += bytes.Count(line.raw, []byte{'\n'})
	}
	switch {
	case len(open) > 0:
		return invalidData("%s is not closed; the text may have been cut off.", open[len(open)-1])
	case !closed:
		return invalidData("There is no VCALENDAR in the text.")
	}
	return nil
}

func checkBegin(open []string, line *contentLine) (problem string) {
	line.component = upperName(bytes.TrimSpace(line.value))
	switch {
	case len(open) == 0 && line.component != "VCALENDAR":
		return "begins something other than a VCALENDAR"
	case len(open) == maxDepth:
		return fmt.Sprintf("nests components more than %d deep", maxDepth)
	case !isName([]byte(line.component)):
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

// parse finds the parts of the line's text: name *(";" param) ":" value, and
// says what is wrong with it.
func (l *contentLine) parse() (problem string) {
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
	l.name = upperName(t[:i])

	for i < len(t) && t[i] == ';' {
		n := nameLen(t[i+1:])
		name := t[i+1 : i+1+n]
		i += 1 + n
		if n == 0 || i == len(t) || t[i] != '=' {
			return "has a parameter without a value"
		}
		for next := true; next; next = i < len(t) && t[i] == ',' {
			begin, end, after := paramValue(t, i+1)
			if end < 0 {
				return "has a quotation mark without its partner"
			}
			if len(l.params) == maxValues {
				return fmt.Sprintf("has more than %d parameter values", maxValues)
			}
			l.params = append(l.params, param{name, t[begin:end]})
			i = after
		}
	}
	if i == len(t) || t[i] != ':' {
		return "has no colon between the name and the value"
	}
	l.value = t[i+1:]
	return ""
}

// paramValue finds the parameter value at t[i:]. It returns where it begins
// and ends, without the quotation marks around it, and where the text goes on.
// An end of -1 says that a quotation mark has no partner.
func paramValue(t []byte, i int) (begin, end, after int) {
	if i < len(t) && t[i] == '"' {
		n := bytes.IndexByte(t[i+1:], '"')
		if n < 0 {
			return i, -1, -1
		}
		return i + 1, i + 1 + n, i + 2 + n
	}
	n := bytes.IndexAny(t[i:], `";:,`)
	if n < 0 {
		n = len(t) - i
	}
	return i, i + n, i + n
}

// isControl reports what RFC 5545 §3.1 forbids in a line, and what XML, in
// which objects travel, cannot hold.
func isControl(c byte) bool { return c < ' ' && c != '\t' }

// nameLen returns the length of the name that t begins with. Clients use more
// than letters, digits and hyphens in the names of their own properties.
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

// upperName returns a name in upper case. Those that stand in every object need
// no memory of their own.
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
