package manual

import (
	"regexp"
	"strings"
	"testing"
)

func TestLinksLeadToTopics(t *testing.T) {
	names := make(map[string]bool)
	for _, topic := range Topics() {
		names[topic.Name] = true
	}
	if len(names) < 10 {
		t.Fatalf("got %d topics, want at least 10", len(names))
	}
	for _, topic := range Topics() {
		for _, link := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(topic.Text, -1) {
			if !names[link[1]] {
				t.Errorf("%s: got a link to %s, want a link to a topic", topic.Name, link[1])
			}
		}
	}
}

func TestTitleIsTheFirstLine(t *testing.T) {
	for _, topic := range Topics() {
		first, _, _ := strings.Cut(topic.Text, "\n")
		if topic.Title == "" || strings.HasPrefix(topic.Title, "#") || !strings.Contains(first, topic.Title) {
			t.Errorf("%s: got the title %q, want the text of the line %q", topic.Name, topic.Title, first)
		}
		if want := topic.Name == "systemd"; topic.Verbatim != want {
			t.Errorf("%s: got Verbatim %t, want %t", topic.Name, topic.Verbatim, want)
		}
	}
}
