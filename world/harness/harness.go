package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
)

// Options select the World to check and the credentials of the member.
type Options struct {
	URL      string                // base URL, http or https, without /world
	Token    string                // access token of a member
	Schemas  fs.FS                 // published schemas: schema/NAME.VERSION.json
	Progress func(done, total int) // called before each check; may be nil
}

// Report is the result of a run.
type Report struct {
	URL           string   `json:"url"`
	Passed        int      `json:"passed"`
	Failed        int      `json:"failed"`
	NotApplicable int      `json:"not_applicable"`
	Requests      int      `json:"requests"` // number of requests sent
	Checks        []Result `json:"checks"`   // in the order of the table
}

// States of a Result.
const (
	Passed        = "passed"
	Failed        = "failed"
	NotApplicable = "not_applicable"
)

// Result is the result of one check.
type Result struct {
	Name  string   `json:"name"` // the rule
	Rows  []string `json:"rows"` // rows of the published requirements that state the rule
	State string   `json:"state"`
	Seen  []string `json:"seen"` // the problems, the reason why the check does not apply, or a description of the examined data
}

// check is one rule.
type check struct {
	rows string // separated by spaces
	name string
	run  func(*client, *recorder)
}

// checks returns all checks in order. The checks of all responses come last.
func checks() []check {
	var all []check
	for _, part := range [][]check{
		requestChecks, datasetChecks, referenceChecks, sessionChecks, badgeChecks, surfaceChecks, findChecks, fieldChecks,
		changesChecks, translatedChecks, panelChecks, settingsChecks, operatorChecks, messageChecks, socialChecks, peopleChecks, appearanceChecks, streamChecks, linkChecks, unchangedChecks, responseChecks,
	} {
		all = append(all, part...)
	}
	return all
}

// ErrURL reports that Options.URL is not a base URL.
var ErrURL = errors.New("is not the address of a World")

// Run checks a World. It returns an error if there is nothing to check: the URL
// is invalid (ErrURL), the host or World does not respond, or the token is
// rejected.
func Run(ctx context.Context, o Options) (*Report, error) {
	base, err := url.Parse(strings.TrimRight(o.URL, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.RawQuery != "" || base.User != nil {
		return nil, fmt.Errorf("%q %w: give it as https://example.org", o.URL, ErrURL)
	}
	if o.Token == "" {
		return nil, errors.New("there is no token")
	}
	return newClient(ctx, base, o).report(checks())
}

// report runs the checks.
func (c *client) report(list []check) (*Report, error) {
	if err := c.checkReachable(); err != nil {
		return nil, err
	}
	r := &Report{URL: c.base.String()}
	for i, check := range list {
		if c.progress != nil {
			c.progress(i, len(list))
		}
		result := c.result(check)
		switch result.State {
		case Passed:
			r.Passed++
		case Failed:
			r.Failed++
		default:
			r.NotApplicable++
		}
		r.Checks = append(r.Checks, result)
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
	}
	r.Requests = c.sent
	return r, nil
}

// result runs one check.
func (c *client) result(check check) Result {
	var rec recorder
	check.run(c, &rec)
	r := Result{Name: check.name, Rows: strings.Fields(check.rows), State: Passed, Seen: []string{}}
	switch {
	case len(rec.problems) > 0:
		r.State, r.Seen = Failed, rec.problems
		if rec.omitted > 0 {
			r.Seen = append(r.Seen, fmt.Sprintf("and %d more", rec.omitted))
		}
	case rec.skipped != "":
		r.State, r.Seen = NotApplicable, []string{rec.skipped}
	case rec.examined != "":
		r.Seen = []string{rec.examined}
	}
	return r
}
