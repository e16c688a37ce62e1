package apptest

import (
	"regexp"
	"strings"
	"testing"
)

// humanTexts are what a panel says to people, anyEvent an event in it with the
// word before.
var (
	HumanTexts = regexp.MustCompile(`"(label|title|summary|message)":"[^"]*"`)
	AnyEvent   = regexp.MustCompile(`(?i)(\w+ )?\bevents?\b`)
)

// addresses fails the test if anything is sent elsewhere than to World.
func CheckPaths(t *testing.T, key string, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			CheckPaths(t, k, child)
		}
	case []any:
		for _, child := range v {
			CheckPaths(t, key, child)
		}
	case string:
		if strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "/world/") && key != "caldav_path" {
			t.Errorf("%s is %s", key, v)
		}
	}
}

// filled returns what a form says, with something in what it requires.
func FillForm(form any) map[string]any {
	body := make(map[string]any)
	for _, control := range At(form, "controls").([]any) {
		value := At(control, "default")
		if At(control, "required") == true && value == "" {
			value = "Something"
		}
		body[At(control, "id").(string)] = value
	}
	return body
}
