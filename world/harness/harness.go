package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
)

// Options say which World to read, and as whom.
type Options struct {
	URL      string                // the base URL, http or https, without /world
	Token    string                // access token of a member
	Schemas  fs.FS                 // the published shapes: schema/NAME.VERSION.json
	Progress func(done, total int) // called before each check; may be nil
}

// Report is what came of all checks, in the order of the table.
type Report struct {
	URL           string   `json:"url"`
	Passed        int      `json:"passed"`
	Failed        int      `json:"failed"`
	NotApplicable int      `json:"not_applicable"`
	Requests      int      `json:"requests"` // how many were sent
	Checks        []Result `json:"checks"`
}

// States of a result.
const (
	Passed        = "passed"
	Failed        = "failed"
	NotApplicable = "not_applicable"
)

// Result is what came of one check.
type Result struct {
	Name  string   `json:"name"`
	Rows  []string `json:"rows"` // the requirements, properties and decisions it is about
	State string   `json:"state"`
	Seen  []string `json:"seen"` // what is wrong, or why it does not apply, or how much was looked at
}

// check is one line of the table.
type check struct {
	rows string // with blanks between
	name string
	run  func(*probe, *findings)
}

// checks is the table of everything that is checked. Those of every answer
// come last, when there are answers.
func checks() []check {
	var all []check
	for _, part := range [][]check{
		requestChecks, datasetChecks, referenceChecks, sessionChecks, surfaceChecks, fieldChecks,
		translatedChecks, panelChecks, linkChecks, afterwards, answerChecks,
	} {
		all = append(all, part...)
	}
	return all
}

// ErrURL is that a URL is no base URL.
var ErrURL = errors.New("is not the address of a World")

// Run reads a World and checks it. It fails if there is nothing to check: the
// URL is none (ErrURL), nobody or no World answers there, or the token is not accepted.
func Run(ctx context.Context, o Options) (*Report, error) {
	base, err := url.Parse(strings.TrimRight(o.URL, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.RawQuery != "" || base.User != nil {
		return nil, fmt.Errorf("%q %w: give it as https://example.org", o.URL, ErrURL)
	}
	if o.Token == "" {
		return nil, errors.New("there is no token")
	}
	return newProbe(ctx, base, o).report(checks())
}

// report runs the checks.
func (p *probe) report(list []check) (*Report, error) {
	if err := p.first(); err != nil {
		return nil, err
	}
	r := &Report{URL: p.base.String()}
	for i, c := range list {
		if p.progress != nil {
			p.progress(i, len(list))
		}
		result := p.result(c)
		switch result.State {
		case Passed:
			r.Passed++
		case Failed:
			r.Failed++
		default:
			r.NotApplicable++
		}
		r.Checks = append(r.Checks, result)
		if err := p.ctx.Err(); err != nil {
			return nil, err
		}
	}
	r.Requests = p.sent
	return r, nil
}

func (p *probe) result(c check) Result {
	var f findings
	c.run(p, &f)
	r := Result{Name: c.name, Rows: strings.Fields(c.rows), State: Passed, Seen: []string{}}
	switch {
	case len(f.wrong) > 0:
		r.State, r.Seen = Failed, f.wrong
		if f.more > 0 {
			r.Seen = append(r.Seen, fmt.Sprintf("and %d more", f.more))
		}
	case f.why != "":
		r.State, r.Seen = NotApplicable, []string{f.why}
	case f.note != "":
		r.Seen = []string{f.note}
	}
	return r
}
