package limits

import (
	"os"
	"strings"
	"testing"
)

// The manual has a row for each rate limit.
func TestManualNamesAllRateLimits(t *testing.T) {
	text, err := os.ReadFile("../../assets/manual/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## Rate limits")
	for name := range defaults {
		if !strings.Contains(table, "\n| `"+name+"` | ") {
			t.Errorf("the table of rate limits in the manual has no row %s", name)
		}
	}
}
