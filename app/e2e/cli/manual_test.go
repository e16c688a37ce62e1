package cli

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"appliance/app/cli"
	"appliance/app/manual"
)

// Every page of the manual is what `appliance help` prints under its name, and
// leads to pages that exist.
func TestManual(t *testing.T) {
	names := make(map[string]bool)
	for _, topic := range manual.Topics() {
		names[topic.Name] = true
		var stdout, stderr bytes.Buffer
		if cli.Run(t.Context(), []string{"help", topic.Name}, strings.NewReader(""), &stdout, &stderr); stdout.String() != topic.Text {
			t.Errorf("help %s prints %.80q", topic.Name, &stdout)
		}
	}
	var offered, stderr bytes.Buffer
	cli.Run(t.Context(), []string{"__complete", "help", ""}, strings.NewReader(""), &offered, &stderr)
	for _, topic := range manual.Topics() {
		if !strings.Contains(offered.String(), topic.Name+"\t"+topic.Title+"\n") {
			t.Errorf("help does not offer %s:\n%s", topic.Name, &offered)
		}
		for _, link := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(topic.Text, -1) {
			if !names[link[1]] {
				t.Errorf("%s links to %s", topic.Name, link[1])
			}
		}
	}
}

// The page on settings lists every setting and every command.
func TestManualListsSettingsAndCommands(t *testing.T) {
	run := func(args ...string) string {
		var stdout, stderr bytes.Buffer
		if status := cli.Run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); status != 0 {
			t.Fatalf("%v: exit status %d: %s", args, status, &stderr)
		}
		return stdout.String()
	}
	page := run("help", "settings")
	var settings []struct{ Name string }
	if err := json.Unmarshal([]byte(run("config", "--json", "--data", t.TempDir())), &settings); err != nil {
		t.Fatal(err)
	}
	for _, s := range settings {
		if !strings.Contains(page, "`"+s.Name+"`") {
			t.Errorf("the page does not list the setting %s", s.Name)
		}
	}
	for line := range strings.Lines(run("__complete", "")) {
		if command, _, ok := strings.Cut(line, "\t"); ok && !strings.Contains(page, "`"+command) {
			t.Errorf("the page does not list the command %s", command)
		}
	}
}
