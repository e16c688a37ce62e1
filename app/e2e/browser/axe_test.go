package browser

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// axeVariable names the environment variable with the path of axe.min.js, which checks
// pages for people who cannot see, hear or use a mouse. It is not part of the project:
// .ci/full downloads it. The tests that need it are skipped without it.
const axeVariable = "AXE_CORE"

// axe returns the script of axe-core. It skips the test without it.
func axe(t *testing.T) string {
	t.Helper()
	script := axeIfPresent(t)
	if script == "" {
		t.Skipf("%s names no axe.min.js: .ci/full downloads it", axeVariable)
	}
	return script
}

// axeIfPresent returns the script of axe-core, or "" without it.
func axeIfPresent(t *testing.T) string {
	t.Helper()
	file := os.Getenv(axeVariable)
	if file == "" {
		return ""
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// axeFinding is a violation that axe has found.
type axeFinding struct {
	Rule  string `json:"rule"`
	Help  string `json:"help"`
	Nodes []struct {
		Target string `json:"target"`
		Reason string `json:"reason"`
	} `json:"nodes"`
}

// runAxe checks the page as it is displayed now. Without preload, axe does not add style
// sheets, which the policy of the app forbids.
func (b *browser) runAxe(script string) (findings []string) {
	b.server.T.Helper()
	if !evaluate[bool](b, `typeof axe === "object"`) {
		evaluate[bool](b, script+"; true")
	}
	list, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]axeFinding](`axe.run(document, {resultTypes: ["violations"], preload: false}).then(({violations}) => violations.map((v) => ({
		rule: v.id, help: v.help, nodes: v.nodes.map((n) => ({target: n.target.join(" "), reason: n.failureSummary ?? ""})),
	})))`, chromedp.EvalAwaitPromise))
	b.must(err)
	for _, f := range list {
		for _, n := range f.Nodes {
			findings = append(findings, fmt.Sprintf("%s: %s: %s: %s", f.Rule, f.Help, n.Target, strings.Join(strings.Fields(n.Reason), " ")))
		}
	}
	return findings
}
