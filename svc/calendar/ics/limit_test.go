package ics

import (
	"testing"
	"time"
)

// A limit is for all that an object is asked, and one that is used up is told.
func TestLimited(t *testing.T) {
	whole, err := Parse([]byte(event("DTSTART:20260504T090000Z", "RRULE:FREQ=SECONDLY")))
	if err != nil {
		t.Fatal(err)
	}
	o, spent := whole.WithBudget(1000)
	from := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
	for range 3 {
		o.Instances(from, from.AddDate(1, 0, 0), nil, 100)
	}
	if n, cut := spent(); n < 300 || n > 1000 || cut {
		t.Errorf("three times a hundred instances took %d steps, cut %t", n, cut)
	}
	o.Instances(from, from.AddDate(1, 0, 0), nil, 5000)
	if n, cut := spent(); n > 1000 || !cut {
		t.Errorf("five thousand instances took %d steps, cut %t", n, cut)
	}
	if list, cut := o.Instances(from, from.AddDate(1, 0, 0), nil, 5000); len(list) > 1 || !cut {
		t.Errorf("without a step left there are %d instances, cut %t", len(list), cut)
	}
	if list, _ := whole.Instances(from, from.AddDate(1, 0, 0), nil, 5000); len(list) != 5000 {
		t.Errorf("the object itself has %d instances", len(list))
	}
}
