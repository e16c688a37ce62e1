package words

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"appliance/assets"
)

// appCall matches the call of a message of the web app: its area, its key, and a part of an object of messages.
var appCall = regexp.MustCompile(`\bwords\.(\w+)\.(\w+)(?:\.(\w+))?\(`)

var scriptName = regexp.MustCompile(`\w+`)

// A message of the web app has a call with as many arguments as it takes, or its key is elsewhere
// in the source, such as in a choice of several messages. No call has an unknown key.
func TestMessagesOfTheAppMatchTheirCalls(t *testing.T) {
	app := English.Catalog().App
	used := make(map[string]bool) // names in the source
	calls := 0
	joined := readScript(t, "web/words/joined.js")
	err := fs.WalkDir(assets.Files, "web", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".js" {
			return err
		}
		script := readScript(t, name)
		for _, name := range scriptName.FindAllString(script, -1) {
			used[name] = true
		}
		for _, at := range appCall.FindAllStringSubmatchIndex(script, -1) {
			area, key := script[at[2]:at[3]], script[at[4]:at[5]]
			if app[area] == nil || strings.Contains(joined, "\t"+key+": ") || strings.Contains(joined, "\t"+key+",\n") {
				continue // a text of joined.js calls the messages
			}
			if at[6] >= 0 {
				key += "." + script[at[6]:at[7]]
			}
			calls++
			message, ok := app[area][key]
			if !ok {
				t.Errorf("%s: got a call of the unknown message %s %s", name, area, key)
				continue
			}
			want := 0
			for index := range arguments(message) {
				n, _ := strconv.Atoi(index)
				want = max(want, n+1)
			}
			if got, ok := countArguments(script[at[1]:]); ok && got != want {
				t.Errorf("%s: got a call of %s %s with %d arguments, want %d for %q", name, area, key, got, want, message)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if calls < 300 {
		t.Errorf("got %d calls, want those of the web app", calls)
	}
	for _, area := range slices.Sorted(maps.Keys(app)) {
		for _, key := range slices.Sorted(maps.Keys(app[area])) {
			first, _, _ := strings.Cut(key, ".")
			if !used[first] {
				t.Errorf("%s %s: got a message %q that no script uses", area, key, app[area][key])
			}
		}
	}
}

func readScript(t *testing.T, name string) string {
	t.Helper()
	text, err := fs.ReadFile(assets.Files, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// countArguments returns the number of arguments of a call that begins after its opening
// parenthesis. ok is false if they contain a string, a template or a spread, in which commas and
// brackets have other meanings.
func countArguments(script string) (n int, ok bool) {
	depth, isEmpty := 0, true
	for i, r := range script {
		switch {
		case strings.ContainsRune("\"'`", r) || strings.HasPrefix(script[i:], "..."):
			return 0, false
		case r == ')' && depth == 0:
			if !isEmpty {
				n++
			}
			return n, true
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		case r == ',' && depth == 0:
			n++
			isEmpty = true
			continue
		}
		isEmpty = isEmpty && strings.ContainsRune(" \t\n", r)
	}
	return 0, false
}
