package apptest

import (
	"slices"
	"strings"
	"testing"

	"appliance/svc/svctest"
)

// Shape is a small calendar object in the form that one program writes: a row of the tables in
// testdata/calendar, whose README describes the fields.
type Shape struct {
	Name, Program string
	Text          string            // the octets
	Want          []string          // occurrences, each a start or a start, a slash and an end
	Fields        map[string]string // all fields of the row by name
}

// Is reports whether a field of the row contains a word.
func (s Shape) Is(field, word string) bool {
	return slices.Contains(strings.Fields(s.Fields[field]), word)
}

// shapeFields are the fields of a row. Those with true are mandatory.
var shapeFields = map[string]bool{
	"seen": true, "want": true, "state": false, "progress": false, "octets": false,
	"put": false, "move": false, "shift": false, "shifted": false, "feed": false, "readers": false, "pending": false,
}

// Shapes returns the rows of all tables in a folder by the name of the program.
func Shapes(t *testing.T, dir string) (list []Shape) {
	t.Helper()
	seen := make(map[string]bool)
	svctest.Each(t, dir+"/*.txtar", func(t *testing.T, a *svctest.Archive) {
		for _, f := range a.Files {
			s := Shape{Name: f.Name, Program: a.Name, Fields: make(map[string]string)}
			head, text, ok := strings.Cut(f.Data, "\n\n")
			if !ok || seen[f.Name] {
				t.Errorf("row %s: got no empty line after the fields, or a name that another row has, want neither", f.Name)
			}
			seen[f.Name] = true
			for line := range strings.Lines(head + "\n") {
				name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
				if _, ok := shapeFields[name]; !ok || s.Fields[name] != "" {
					t.Errorf("row %s: got the field %q, which is unknown or repeated", f.Name, name)
				}
				s.Fields[name] = strings.TrimSpace(value)
			}
			for name, mandatory := range shapeFields {
				if mandatory && s.Fields[name] == "" {
					t.Errorf("row %s: got no field %q, want one", f.Name, name)
				}
			}
			s.Want, s.Text = strings.Fields(s.Fields["want"]), s.octets(strings.TrimRight(text, "\n")+"\n")
			list = append(list, s)
		}
	})
	return list
}

// octets returns the text of a row with the line ends of its field octets, CRLF by default.
func (s Shape) octets(text string) string {
	if s.Is("octets", "bom") {
		text = "\ufeff" + text
	}
	if s.Is("octets", "open-end") {
		text = strings.TrimSuffix(text, "\n")
	}
	if !s.Is("octets", "lf") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}
