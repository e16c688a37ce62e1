package manual

import (
	"regexp"
	"slices"
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

// Each topic is in one group, and each name in a group is that of a topic.
func TestGroupsContainEachTopicOnce(t *testing.T) {
	var got, want []string
	for _, g := range Groups(false) {
		got = append(got, g.Names...)
	}
	for _, topic := range Topics() {
		want = append(want, topic.Name)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got the topics %q in groups, want %q", got, want)
	}
}

func TestTitleIsTheFirstLine(t *testing.T) {
	for _, topic := range Topics() {
		if topic.Name == example.Name {
			continue
		}
		first, _, _ := strings.Cut(topic.Text, "\n")
		if topic.Title == "" || strings.HasPrefix(topic.Title, "#") || !strings.Contains(first, topic.Title) {
			t.Errorf("%s: got the title %q, want the text of the line %q", topic.Name, topic.Title, first)
		}
		if want := topic.Name == "systemd"; topic.Verbatim != want {
			t.Errorf("%s: got Verbatim %t, want %t", topic.Name, topic.Verbatim, want)
		}
	}
}

// The manual contains the example runtime, in a size that can be read at once.
func TestExampleIsComplete(t *testing.T) {
	if lines := strings.Count(example.Text, "\n"); lines < 300 || lines > 400 {
		t.Errorf("got an example of %d lines, want 300 to 400", lines)
	}
	if i := slices.IndexFunc(Topics(), func(topic Topic) bool { return topic.Name == example.Name }); i < 0 || Topics()[i] != example {
		t.Errorf("got the topic at %d, want the example", i)
	}
}
