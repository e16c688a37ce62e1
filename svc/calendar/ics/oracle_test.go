package ics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"appliance/svc/svctest"

	"github.com/teambition/rrule-go"
)

// ruleCase is a rule and a DTSTART for which the engines must agree.
type ruleCase struct {
	start time.Time
	rule  string
	until time.Time // ends the rule, so that all engines terminate
	count int
}

func (g ruleCase) String() string {
	return fmt.Sprintf("DTSTART:%s RRULE:%s", g.start.Format("20060102T150405"), g.text())
}

func (g ruleCase) text() string {
	text := g.rule + ";UNTIL=" + g.until.Format("20060102T150405")
	if g.count > 0 {
		text += fmt.Sprintf(";COUNT=%d", g.count)
	}
	return text
}

// randomRule returns a random rule with parts that RFC 5545 defines
// unambiguously. It avoids:
//
//   - BYWEEKNO without BYDAY: the other engines select all days of the week, RFC
//     5545 the weekday of DTSTART;
//   - BYDAY with and without numbers in one rule: the other engines require both;
//   - BYSETPOS in a week that does not begin with DTSTART: the other engines count
//     from DTSTART;
//   - BYWEEKNO at the turn of the year: the other engines omit or add days there
//     (civilday_test.go tests them).
func randomRule(r *rand.Rand) ruleCase {
	freq := Freq(r.IntN(61) / 10) // SECONDLY is rare, because the other engines are slow at it
	g := ruleCase{start: time.Date(1995+r.IntN(12), time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), 0, time.UTC)}
	parts := []string{"FREQ=" + freq.String()}
	add := func(chance int, name string, maxItems, low, high int, negative bool) bool {
		if r.IntN(100) >= chance {
			return false
		}
		var items []string
		for range 1 + r.IntN(maxItems) {
			n := low + r.IntN(high-low+1)
			if negative && r.IntN(3) == 0 {
				n = -n
			}
			if item := strconv.Itoa(n); !slices.Contains(items, item) { // the other engines duplicate instances for duplicates
				items = append(items, item)
			}
		}
		parts = append(parts, name+"="+strings.Join(items, ","))
		return true
	}
	if r.IntN(2) == 0 {
		parts = append(parts, fmt.Sprintf("INTERVAL=%d", 1+r.IntN(5)))
	}
	wkst := r.IntN(7)
	parts = append(parts, "WKST="+dayNames[wkst])
	weekNumbers := freq == Yearly && add(15, "BYWEEKNO", 3, 2, 51, true)
	if weekNumbers || r.IntN(100) < 45 {
		numbered := freq <= Monthly && !weekNumbers && r.IntN(2) == 0
		var items []string
		for range 1 + r.IntN(4) {
			item := dayNames[r.IntN(7)]
			if numbered {
				item = strconv.Itoa([]int{-2, -1, 1, 2, 3, 4, 5}[r.IntN(7)]) + item
			}
			items = append(items, item)
		}
		parts = append(parts, "BYDAY="+strings.Join(items, ","))
	}
	add(30, "BYMONTH", 4, 1, 12, false)
	if freq != Weekly {
		add(25, "BYMONTHDAY", 5, 1, 31, true)
	}
	if freq == Yearly || freq >= Hourly {
		add(10, "BYYEARDAY", 6, 1, 366, true)
	}
	add(25, "BYHOUR", 4, 0, 23, false)
	add(25, "BYMINUTE", 3, 0, 59, false)
	add(15, "BYSECOND", 3, 0, 59, false)
	if freq != Weekly || g.start.Weekday() == time.Weekday(wkst) {
		add(25, "BYSETPOS", 2, 1, 6, true)
	}
	g.rule = strings.Join(parts, ";")
	span := []int{30 * 365, 12 * 365, 4 * 365, 3 * 365, 60, 5, 1}[freq]
	g.until = g.start.AddDate(0, 0, span)
	if r.IntN(4) == 0 {
		g.count = 1 + r.IntN(20)
	}
	return g
}

// randomBoundedRule returns a random rule that would have instances after UNTIL.
// The other engines search for the next instance before they apply UNTIL, so they
// would not terminate without one.
func randomBoundedRule(t *testing.T, r *rand.Rand) ruleCase {
	for {
		g := randomRule(r)
		rule, err := ParseRule(g.rule)
		if err != nil {
			t.Fatalf("%v: %v", g, err)
		}
		plan := newRulePlan(rule, Floating(g.start))
		for range plan.between(g.until.Unix()+1, g.until.AddDate(8, 0, 0).Unix(), newBudget()) {
			return g
		}
	}
}

// maxCompared limits the instances that are compared.
const maxCompared = 60

// expandRule returns the first instances of a rule and whether the budget was
// exhausted.
func expandRule(t *testing.T, g ruleCase) (walls []int64, truncated bool) {
	t.Helper()
	rule, err := ParseRule(g.text())
	if err != nil {
		t.Fatalf("%v: %v", g, err)
	}
	plan, b := newRulePlan(rule, Floating(g.start)), newBudget()
	for wall := range plan.between(minWall, maxWall, b) {
		if walls = append(walls, wall); len(walls) == maxCompared {
			break
		}
	}
	return walls, b.exhausted
}

// wantSameInstances fails the test if the engines differ. The other engines
// omit a DTSTART that does not match the rule, so they count one instance more.
func wantSameInstances(t *testing.T, engine string, g ruleCase, got, want []int64) {
	t.Helper()
	if len(want) == 0 || want[0] != got[0] {
		got = got[1:]
		if g.count > 0 {
			want = want[:min(len(want), g.count-1)]
		}
	}
	n := min(len(got), len(want), maxCompared-1)
	if !slices.Equal(got[:n], want[:n]) || len(got) != len(want) && n < maxCompared-1 {
		t.Errorf("%v\n got %s\nwant %s (%s)", g, formatClocks(got), formatClocks(want), engine)
	}
}

// formatClocks formats the first wall clock times.
func formatClocks(walls []int64) string {
	var b strings.Builder
	for _, w := range walls[:min(len(walls), 12)] {
		b.WriteString(time.Unix(w, 0).UTC().Format("060102T150405 "))
	}
	return fmt.Sprintf("%d: %s", len(walls), b.String())
}

// scaledCount returns the number of repetitions of a random test: n times with
// -long, a fifth of that without it, and a tenth with -short.
func scaledCount(n int) int {
	switch {
	case svctest.IsLong():
		return n
	case testing.Short():
		return n / 10
	}
	return n / 5
}

// Covers PT-27.
func TestRulesAgreeWithRRuleGo(t *testing.T) {
	r := rand.New(rand.NewPCG(5545, 1))
	for range scaledCount(2000) {
		g := randomBoundedRule(t, r)
		option, err := rrule.StrToROption(g.text())
		if err != nil {
			t.Fatalf("%v: %v", g, err)
		}
		option.Dtstart = g.start
		other, err := rrule.NewRRule(*option)
		if err != nil {
			continue // rrule-go rejects some rules without instances
		}
		got, truncated := expandRule(t, g)
		if truncated {
			continue
		}
		var want []int64
		for next := other.Iterator(); len(want) < maxCompared; {
			at, ok := next()
			if !ok {
				break
			}
			want = append(want, at.Unix())
		}
		wantSameInstances(t, "rrule-go", g, got, want)
	}
}

// dateutilResults evaluates the queries with python-dateutil, in one process, and
// returns the wall clock times of the instances for each. The result is "refused"
// if dateutil rejects the rule.
func dateutilResults(t *testing.T, queries []dateutilQuery) [][]string {
	t.Helper()
	const script = `
import json, sys
from datetime import datetime
from itertools import islice
from dateutil.rrule import rrulestr, rruleset
at = lambda s: datetime.strptime(s, "%Y%m%dT%H%M%S")
for line in sys.stdin:
    q = json.loads(line)
    try:
        rule = rrulestr(q["Rule"], dtstart=at(q["Start"]))
    except ValueError:
        print('["refused"]')
        continue
    if q["From"]:
        every = rruleset()
        every.rrule(rule)
        for s in q["RDates"] or []:
            every.rdate(at(s))
        for s in q["ExDates"] or []:
            every.exdate(at(s))
        found = every.between(at(q["From"]), at(q["To"]), inc=True)
    else:
        found = islice(rule, q["Limit"])
    print(json.dumps([d.strftime("%Y%m%dT%H%M%S") for d in found]))
`
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import dateutil").Run(); err != nil {
		t.Skip("python3-dateutil is not installed")
	}
	var input bytes.Buffer
	for _, q := range queries {
		if err := json.NewEncoder(&input).Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(python, "-c", script)
	command.Stdin, command.Stderr = &input, os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	results := make([][]string, len(queries))
	d := json.NewDecoder(bytes.NewReader(output))
	for i := range results {
		if err := d.Decode(&results[i]); err != nil {
			t.Fatalf("got %d answers, want %d: %v", i, len(queries), err)
		}
	}
	return results
}

// dateutilQuery is a rule with either a limit on its instances, or a window and
// RDATEs and EXDATEs. The window includes To.
type dateutilQuery struct {
	Start, Rule     string
	Limit           int
	RDates, ExDates []string
	From, To        string
}

const layout = "20060102T150405"

// Covers PT-27.
func TestRulesAgreeWithDateutil(t *testing.T) {
	t.Parallel() // waits for another process
	r := rand.New(rand.NewPCG(5545, 2))
	var rules []ruleCase
	var queries []dateutilQuery
	for range scaledCount(2500) {
		g := randomBoundedRule(t, r)
		rules = append(rules, g)
		queries = append(queries, dateutilQuery{Start: g.start.Format(layout), Rule: g.text(), Limit: maxCompared})
	}
	for i, answer := range dateutilResults(t, queries) {
		got, truncated := expandRule(t, rules[i])
		if truncated || slices.Equal(answer, []string{"refused"}) {
			continue
		}
		var want []int64
		for _, clock := range answer {
			want = append(want, atDay(t, clock).Unix())
		}
		wantSameInstances(t, "dateutil", rules[i], got, want)
	}
}

// Objects with RDATEs and EXDATEs have the same instances in a window.
//
// Covers PT-27.
func TestObjectsAgreeWithDateutil(t *testing.T) {
	t.Parallel() // waits for another process
	r := rand.New(rand.NewPCG(5545, 5))
	var queries []dateutilQuery
	var objects []*Object
	for len(queries) < scaledCount(1000) {
		g := randomBoundedRule(t, r)
		g.count = 0 // if DTSTART does not match the rule, the other libraries return one instance more
		walls, truncated := expandRule(t, g)
		if truncated {
			continue
		}
		from := time.Unix(walls[r.IntN(len(walls))], 0).UTC().Add(time.Duration(r.IntN(72)-36) * time.Hour)
		to := from.Add(time.Duration(1+r.Int64N(walls[len(walls)-1]-walls[0]+day)) * time.Second)
		q := dateutilQuery{Start: g.start.Format(layout), Rule: g.text(), From: from.Format(layout), To: to.Format(layout), RDates: []string{g.start.Format(layout)}}
		lines := []string{"DTSTART:" + q.Start, "RRULE:" + q.Rule}
		for range r.IntN(4) {
			more := from.Add(time.Duration(r.Int64N(int64(to.Sub(from))))).Truncate(time.Second).Format(layout)
			q.RDates = append(q.RDates, more)
			lines = append(lines, "RDATE:"+more)
		}
		for _, wall := range walls {
			clock := time.Unix(wall, 0).UTC().Format(layout)
			if r.IntN(8) == 0 {
				q.ExDates = append(q.ExDates, clock)
				lines = append(lines, "EXDATE:"+clock)
			}
		}
		queries = append(queries, q)
		objects = append(objects, mustParse(t, event(lines...)))
	}
	for i, want := range dateutilResults(t, queries) {
		q := queries[i]
		list, truncated := objects[i].Instances(atDay(t, q.From), atDay(t, q.To).Add(time.Second), nil, 100_000)
		if truncated || slices.Equal(want, []string{"refused"}) {
			continue
		}
		got := []string{}
		for _, i := range list {
			got = append(got, i.Start.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s\nfrom %s to %s\n got %.300q\nwant %.300q", objects[i].Raw, q.From, q.To, got, want)
		}
	}
}

// Evaluation finds the same instances from any start, and two adjacent windows
// together have the instances of the combined window.
//
// Covers PT-27.
func TestAdjacentWindowsHaveAllInstancesOfARule(t *testing.T) {
	r := rand.New(rand.NewPCG(5545, 3))
	for range scaledCount(1500) {
		g := randomRule(r)
		g.rule += []string{"", ";SKIP=FORWARD", ";SKIP=BACKWARD"}[r.IntN(3)]
		rule, err := ParseRule(g.text())
		if err != nil {
			t.Fatal(err)
		}
		plan := newRulePlan(rule, Floating(g.start))
		window := func(from, to int64) ([]int64, bool) {
			b := newBudget()
			return slices.Collect(plan.between(from, to, b)), b.exhausted
		}
		begin, end := g.start.Unix()-day, g.until.Unix()
		a := begin + r.Int64N(end-begin)
		b := a + r.Int64N(end-a+1)
		all, truncated := window(a, end)
		first, truncated1 := window(a, b)
		second, truncated2 := window(b+1, end)
		if truncated || truncated1 || truncated2 {
			continue
		}
		if both := append(first, second...); !slices.Equal(all, both) {
			t.Errorf("%v in two windows, from %d to %d to %d:\n got %s\nwant %s", g, a, b, end, formatClocks(both), formatClocks(all))
		}
		whole, truncated := window(minWall, end)
		if i, _ := slices.BinarySearch(whole, a); !truncated && !slices.Equal(all, whole[i:]) {
			t.Errorf("%v from %d:\n got %s\nwant %s", g, a, formatClocks(all), formatClocks(whole[i:]))
		}
	}
}
