package ics

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// The cost of a text counts its octets, lines and rules, even if a name is folded, in lower case,
// or divided between two writes.
func TestCostCountsRules(t *testing.T) {
	for _, c := range []struct {
		name, text string
		rules      int
	}{
		{"an event", "BEGIN:VEVENT\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT\r\n", 1},
		{"the first line", "RRULE:FREQ=DAILY\n", 1},
		{"lower case, with a parameter", "BEGIN:VEVENT\nrrule;X=Y:FREQ=DAILY\nRRule:FREQ=DAILY\n", 2},
		{"a folded name", "BEGIN:VEVENT\r\nR\r\n RU\r\n\tLE:FREQ=DAILY\r\n", 1},
		{"in another place", "X:RRULE\r\nXRRULE:1\r\nRR\r\nULE:1\r\nRRUL\r\n", 0},
	} {
		for _, reader := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
			var cost Cost
			if _, err := io.Copy(&cost, reader); err != nil {
				t.Fatal(err)
			}
			lines := strings.Count(c.text, "\n")
			if want := (Cost{octets: len(c.text), lines: lines, rules: c.rules}); cost.octets != want.octets || cost.lines != want.lines || cost.rules != want.rules {
				t.Errorf("%s: got %+v, want %+v", c.name, cost, want)
			}
			if got, want := cost.Steps(), len(c.text)+lines*stepsPerLine+c.rules*stepsPerRule; got != want {
				t.Errorf("%s: got %d steps, want %d", c.name, got, want)
			}
		}
	}
	text := []byte(strings.Repeat("RRULE:FREQ=DAILY\r\n", 5000))
	var cost Cost
	if n := testing.AllocsPerRun(1, func() { _, _ = cost.Write(text) }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
	if got := cost.RuleMemory(); got != maxCostlyRules*bytesPerRule {
		t.Errorf("many rules: got %d bytes, want %d", got, maxCostlyRules*bytesPerRule)
	}
}
