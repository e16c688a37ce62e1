package webapp_test

import (
	"path"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Browsers do not load the comments of modules. The numbers of lines stay, for messages.
func TestModulesAreServedWithoutComments(t *testing.T) {
	client := apptest.New(t).Unauthenticated()
	page := client.Do("GET", "/app/").Want(200).Body
	dir, _, _ := strings.Cut(linkedFile.FindStringSubmatch(page)[1], "early.js")
	eachWebFile(t, func(name, text string) {
		if path.Ext(name) != ".js" {
			return
		}
		served := strings.Split(client.Do("GET", dir+name).Want(200).Body, "\n")
		source := strings.Split(text, "\n")
		if len(served) != len(source) {
			t.Fatalf("%s: got %d lines, want %d", name, len(served), len(source))
		}
		for i, line := range source {
			if strings.HasPrefix(strings.TrimSpace(line), "//") {
				line = ""
			} else if strings.Count(line, "`")%2 != 0 {
				t.Errorf("%s:%d: a text that spans lines could lose one that begins with //", name, i+1)
			}
			if served[i] != line {
				t.Errorf("%s:%d: got %q, want %q", name, i+1, served[i], line)
			}
		}
	})
}
