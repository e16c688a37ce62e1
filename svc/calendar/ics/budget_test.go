package ics

import (
	"testing"
	"time"
)

// All evaluations of an object with a budget share it, and its exhaustion is
// reported.
func TestWithBudgetSharesOneBudget(t *testing.T) {
	whole, err := Parse([]byte(event("DTSTART:20260504T090000Z", "RRULE:FREQ=SECONDLY")))
	if err != nil {
		t.Fatal(err)
	}
	o, spent := whole.WithBudget(1000)
	from := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
	for range 3 {
		o.Instances(from, from.AddDate(1, 0, 0), nil, 100)
	}
	const each = 1 + instanceSteps
	if n, truncated := spent(); n < 300*each || n > 1000*each || truncated {
		t.Errorf("three evaluations of 100 instances: got %d steps, truncated %t; want %d to %d, false", n, truncated, 300*each, 1000*each)
	}
	o.Instances(from, from.AddDate(1, 0, 0), nil, 5000)
	if n, truncated := spent(); n > 1000*each || !truncated {
		t.Errorf("then 5000 instances: got %d steps, truncated %t; want at most %d, true", n, truncated, 1000*each)
	}
	if list, truncated := o.Instances(from, from.AddDate(1, 0, 0), nil, 5000); len(list) > 1 || !truncated {
		t.Errorf("exhausted budget: got %d instances, truncated %t; want at most 1, true", len(list), truncated)
	}
	if list, _ := whole.Instances(from, from.AddDate(1, 0, 0), nil, 5000); len(list) != 5000 {
		t.Errorf("object without a budget: got %d instances, want 5000", len(list))
	}
}
