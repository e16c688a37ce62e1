package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"appliance/app/manual"
)

func TestHelpPrintsAndCompletesTopics(t *testing.T) {
	_, completions, _ := run(t, "", "__complete", "help", "")
	for _, topic := range manual.Topics() {
		if _, got, _ := run(t, "", "help", topic.Name); got != topic.Text {
			t.Errorf("help %s: got %.80q, want %.80q", topic.Name, got, topic.Text)
		}
		if want := topic.Name + "\t" + topic.Title + "\n"; !strings.Contains(completions, want) {
			t.Errorf("completions of help: got\n%s\nwant a line %q", completions, want)
		}
	}
	if _, got, _ := run(t, "", "__complete", "help", "sett"); !strings.HasPrefix(got, "settings\t") || strings.Contains(got, "limits") {
		t.Errorf("completions of help sett: got\n%s\nwant settings only", got)
	}
	if _, got, _ := run(t, "", "__complete", "help", "admin", ""); !strings.Contains(got, "members\t") || strings.Contains(got, "settings") {
		t.Errorf("completions of help admin: got\n%s\nwant its commands only", got)
	}
}

func TestManualListsSettingsAndCommands(t *testing.T) {
	_, page, _ := run(t, "", "help", "settings")
	status, config, stderr := run(t, "", "config", "--json", "--data", t.TempDir())
	var settings []struct{ Name string }
	if err := json.Unmarshal([]byte(config), &settings); status != 0 || err != nil {
		t.Fatalf("config: status %d, %v, %s", status, err, stderr)
	}
	for _, s := range settings {
		if !strings.Contains(page, "`"+s.Name+"`") {
			t.Errorf("help settings: got no entry for %s, want one", s.Name)
		}
	}
	_, commands, _ := run(t, "", "__complete", "")
	for line := range strings.Lines(commands) {
		if command, _, ok := strings.Cut(line, "\t"); ok && !strings.Contains(page, "`"+command) {
			t.Errorf("help settings: got no entry for the command %s, want one", command)
		}
	}
}
