package load

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"appliance/app/apptest"
)

// maxRatio is the largest ratio of the 99th percentiles beside an attack and without one.
const maxRatio = 5

// While one member causes the largest load that the limits permit, the requests of other members
// take at most five times as long. The test is skipped without the flag -fairness, because it
// measures time and needs an idle machine. Covers B-130.
func TestFairness(t *testing.T) {
	if *fairSamples == 0 {
		t.Skip("run with -fairness 2000 on an idle machine")
	}
	only, err := regexp.Compile(*fairOnly)
	if err != nil {
		t.Fatal(err)
	}
	bin := *fairBinary
	if bin == "" {
		if bin, err = apptest.Binary(); err != nil {
			t.Fatal(err)
		}
	}
	begin := time.Now()
	s := startFairServer(t, bin)
	others := s.addBystanders(40)
	var attacks []*fairAttack
	for _, a := range fairAttacks() {
		if only.MatchString(a.name) {
			a.user = s.addUser(fmt.Sprint("attacker", len(attacks)), 3)
			if a.fill != nil {
				a.fill(a)
			}
			attacks = append(attacks, a)
			t.Logf("%v: filled: %s", time.Since(begin).Round(time.Second), a.name)
		}
	}
	s.restart()
	for round := range *fairRounds {
		for _, a := range attacks {
			a.measure(others, round)
			t.Logf("%v: round %d: %s: %s", time.Since(begin).Round(time.Second), round+1, a.name, a.lastRatio())
		}
	}
	reportFairness(t, attacks)
}

// measure measures the requests of other members without the attack and beside it.
func (a *fairAttack) measure(others *bystanders, round int) {
	a.user.s.waitUntilIdle()
	n := *fairSamples / *fairRounds
	a.idle = append(a.idle, others.measure(n))
	ctx, cancel := context.WithCancel(a.user.s.t.Context())
	defer cancel()
	var attackers sync.WaitGroup
	begin, used := time.Now(), a.user.s.processorTime()
	attackers.Go(func() { a.run(ctx, a, round) })
	a.loaded = append(a.loaded, others.measure(n))
	a.processors = (a.user.s.processorTime() - used).Seconds() / time.Since(begin).Seconds()
	cancel()
	attackers.Wait()
}

// lastRatio formats the percentiles of the last round, without the attack and beside it.
func (a *fairAttack) lastRatio() string {
	n := len(a.idle) - 1
	idle, loaded := a.idle[n].all(), a.loaded[n].all()
	a.responses.mu.Lock()
	defer a.responses.mu.Unlock()
	return fmt.Sprintf("p99 %s, beside %s, median %s and %s, %.1f processors, the attack has the statuses %v", formatMilliseconds(p99(idle)), formatMilliseconds(p99(loaded)),
		formatMilliseconds(percentile(idle, 50)), formatMilliseconds(percentile(loaded, 50)), a.processors, a.responses.counts)
}

// reportFairness logs the table of ratios, and fails the test above maxRatio. A run is void if its
// 99th percentiles without an attack differ by a factor of two between rounds.
func reportFairness(t *testing.T, attacks []*fairAttack) {
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "p99 beside / idle: median of the rounds, and by kind in all rounds\tall\tidle\tbeside\tmax\t")
	for _, k := range bystanderKinds {
		fmt.Fprintf(w, "%s\t", k)
	}
	fmt.Fprintln(w)
	for _, a := range attacks {
		all, idle, loaded := a.ratio(), p99s(a.idle), p99s(a.loaded)
		fmt.Fprintf(w, "%s\t%.1f\t%s\t%s\t%s\t", a.name, all, formatMilliseconds(idle[len(idle)/2]), formatMilliseconds(loaded[len(loaded)/2]), formatMilliseconds(a.longest()))
		for k := range bystanderKinds {
			fmt.Fprintf(w, "%.1f\t", p99(allDurations(a.loaded, k)).Seconds()/p99(allDurations(a.idle, k)).Seconds())
		}
		fmt.Fprintln(w)
		if all > maxRatio {
			t.Errorf("%s: got a 99th percentile of %.1f times that without it, want at most %d", a.name, all, maxRatio)
		}
	}
	w.Flush()
	t.Logf("%d samples, %d rounds\n%s", *fairSamples, *fairRounds, &table)
	var idle []time.Duration
	for round := range *fairRounds {
		var all []time.Duration
		for _, a := range attacks {
			all = append(all, a.idle[round].all()...)
		}
		idle = append(idle, p99(all))
	}
	slices.Sort(idle)
	if idle[len(idle)-1] > 2*idle[0] {
		t.Errorf("this run is void: the machine was not idle, the 99th percentiles of the rounds without attacks are %v", idle)
	}
}

// p99s returns the sorted 99th percentiles of the rounds.
func p99s(rounds []samples) (list []time.Duration) {
	for _, s := range rounds {
		list = append(list, p99(s.all()))
	}
	slices.Sort(list)
	return list
}

// allDurations returns the durations of a kind in all rounds.
func allDurations(rounds []samples, kind int) (list []time.Duration) {
	for _, s := range rounds {
		list = append(list, s[kind]...)
	}
	return list
}

// longest returns the longest request beside the attack.
func (a *fairAttack) longest() (d time.Duration) {
	for _, s := range a.loaded {
		d = max(d, slices.Max(s.all()))
	}
	return d
}

// ratio returns the median of the ratios of the rounds.
func (a *fairAttack) ratio() float64 {
	var ratios []float64
	for i := range a.idle {
		ratios = append(ratios, p99(a.loaded[i].all()).Seconds()/p99(a.idle[i].all()).Seconds())
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}

func p99(list []time.Duration) time.Duration { return percentile(list, 99) }

// bystanderKinds are the requests of other members.
var bystanderKinds = []string{"dataset", "panel", "REPORT", "PUT", "message"}

// samples are durations by kind of request.
type samples [5][]time.Duration

func (s samples) all() []time.Duration { return slices.Concat(s[:]...) }

// bystanders are members who use the server, one request at a time. There are several members only
// because of the rate limits.
type bystanders struct {
	users []*user
	n     int // requests sent
}

func (s *fairServer) addBystanders(n int) *bystanders {
	s.t.Helper()
	b := new(bystanders)
	for i := range n {
		b.users = append(b.users, s.addUser(fmt.Sprint("user", i), 10))
	}
	for i, u := range b.users {
		for object := range 50 {
			b.put(u, object)
		}
		b.send(u, b.users[(i+1)%n])
	}
	return b
}

// measure sends n requests, the same number of each kind, and returns their durations.
func (b *bystanders) measure(n int) (s samples) {
	for i := range n {
		u := b.users[b.n/len(bystanderKinds)%len(b.users)]
		s[i%len(bystanderKinds)] = append(s[i%len(bystanderKinds)], durationOf(func() { b.mustSend(i%len(bystanderKinds), u) }))
		b.n++
	}
	return s
}

// do sends a request of a kind, which must succeed.
func (b *bystanders) mustSend(kind int, u *user) {
	switch bystanderKinds[kind] {
	case "dataset":
		b.want(u, "GET", "/world/runtime", "", 200)
	case "panel":
		b.want(u, "GET", "/world/panels/time", "", 200)
	case "REPORT":
		b.want(u, "REPORT", u.calendar, monthQuery(""), 207)
	case "PUT":
		b.put(u, b.n/len(bystanderKinds)/len(b.users)%50)
	case "message":
		b.send(u, b.users[(b.n/len(bystanderKinds)+1)%len(b.users)])
	}
}

func (b *bystanders) put(u *user, object int) {
	name := fmt.Sprintf("%d.ics", object)
	b.want(u, "PUT", u.calendar+name, apptest.VEvent(name, "DTSTART:20261201T090000Z", fmt.Sprint("SUMMARY:Version ", b.n)), 201, 204)
}

func (b *bystanders) send(from, to *user) {
	b.want(from, "POST", "/world/messages", fmt.Sprintf(`{"recipient": %q, "body": "Tea, number %d?"}`, to.name, b.n), 201)
}

func (b *bystanders) want(u *user, method, path, body string, want ...int) {
	if status := u.send(u.s.t.Context(), method, path, body); !slices.Contains(want, status) {
		u.s.t.Errorf("%s %s of another member: got status %d, want one of %v", method, path, status, want)
	}
}
