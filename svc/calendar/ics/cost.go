package ics

// Cost estimates the cost of parsing a text before it is parsed. It is an [io.Writer] for the text,
// which may also have another format than iCalendar. It allocates nothing.
type Cost struct {
	octets, lines, rules int

	matched int  // octets of ruleName at the beginning of the line
	ended   bool // the last octet ended a line, which the next one may continue
}

// ruleName is the name of the most costly property: in a VTIMEZONE it has an onset for each year
// (RFC 5545 §3.6.5).
const ruleName = "RRULE"

// The costs of parts of a text, measured with VTIMEZONEs. All rules of an object together take at
// most maxCostlyRules times as much as one, because they share a budget.
const (
	stepsPerLine   = 60
	stepsPerRule   = 5000
	bytesPerRule   = 20 << 10
	maxCostlyRules = 1000
)

// Write counts p.
func (c *Cost) Write(p []byte) (int, error) {
	c.octets += len(p)
	for _, b := range p {
		switch {
		case b == '\n':
			c.lines++
			c.ended = true
		case b == '\r':
		case c.ended && (b == ' ' || b == '\t'): // the line is folded (RFC 5545 §3.1)
			c.ended = false
		default:
			if c.ended {
				c.ended, c.matched = false, 0
			}
			c.match(b)
		}
	}
	return len(p), nil
}

// match counts a rule if b is the last octet of its name.
func (c *Cost) match(b byte) {
	switch {
	case c.matched < 0 || c.matched == len(ruleName) || b&^0x20 != ruleName[c.matched]:
		c.matched = -1
	default:
		if c.matched++; c.matched == len(ruleName) {
			c.rules++
		}
	}
}

// Steps returns the number of steps (svc.Work) of parsing.
func (c *Cost) Steps() int {
	return c.octets + c.lines*stepsPerLine + min(c.rules, maxCostlyRules)*stepsPerRule
}

// RuleMemory returns the bytes of memory that the rules need, in addition to the text.
func (c *Cost) RuleMemory() int64 { return int64(min(c.rules, maxCostlyRules)) * bytesPerRule }
