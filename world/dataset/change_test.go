package dataset_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/world/dataset"
)

// topicsWithoutPart lists the topics that no part of the dataset reads, with the
// reason why they exist.
var topicsWithoutPart = map[string]string{
	svc.NotificationsTopic: "the panels show notifications",
	svc.SearchesTopic:      "the panel of Find shows the history",
	svc.PreferencesTopic:   "the section member has the first day of the week",
}

// changeTable is the content of svc/change.go.
type changeTable struct {
	topics  map[string]string // values by the name of the constant
	changes map[string]change // rows by the name of their variable
}

// change is a row of the table.
type change struct {
	topics  []string // names of the constants
	readers string   // name of the constant
}

// readChangeTable parses the table from the source, which is the only place that
// lists all changes.
func readChangeTable(t *testing.T) changeTable {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../../svc/change.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	table := changeTable{make(map[string]string), make(map[string]change)}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		switch value := spec.Values[0].(type) {
		case *ast.BasicLit:
			if name := spec.Names[0].Name; strings.HasSuffix(name, "Topic") || name == "AllTopics" {
				table.topics[name], err = strconv.Unquote(value.Value)
			}
		case *ast.CompositeLit:
			table.changes[spec.Names[0].Name] = parseChange(value)
		}
		return true
	})
	if err != nil || len(table.topics) < 10 || len(table.changes) < 20 {
		t.Fatalf("got %d topics and %d changes, %v, want the table of svc/change.go", len(table.topics), len(table.changes), err)
	}
	return table
}

// parseChange returns a row of the table.
func parseChange(row *ast.CompositeLit) (c change) {
	for _, topic := range row.Elts[1].(*ast.CompositeLit).Elts {
		c.topics = append(c.topics, topic.(*ast.Ident).Name)
	}
	c.readers = row.Elts[2].(*ast.Ident).Name
	return c
}

func TestEveryTopicIsReadByAPart(t *testing.T) {
	read := make(map[store.Topic]bool)
	for i, topics := range dataset.TopicsOfParts() {
		if len(topics) == 0 {
			t.Errorf("part %d: got no topics, want at least one", i)
		}
		for _, topic := range topics {
			read[topic] = true
		}
	}
	if svc.AllTopics != store.AllTopics {
		t.Errorf("got svc.AllTopics %q, want %q as in package store", svc.AllTopics, store.AllTopics)
	}
	read[svc.MapsTopic] = true // the places of the field
	table := readChangeTable(t)
	for name, topic := range table.topics {
		if topic != svc.AllTopics && !read[topic] && topicsWithoutPart[topic] == "" {
			t.Errorf("topic %s: got no part that reads it, want one", name)
		}
		if !slices.ContainsFunc(slices.Collect(maps.Values(table.changes)), func(c change) bool { return slices.Contains(c.topics, name) }) {
			t.Errorf("topic %s: got no change of it, want one", name)
		}
	}
	for topic := range read {
		if !slices.Contains(slices.Collect(maps.Values(table.topics)), topic) {
			t.Errorf("topic %q of a part is not in the table of changes", topic)
		}
	}
}

// A change with the readers ForEveryone is touched for everyone, any other only
// for members.
func TestEveryChangeIsTouchedForItsReaders(t *testing.T) {
	table := readChangeTable(t).changes
	used := make(map[string]bool)
	err := filepath.WalkDir("../../svc", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if name, ok := selectorName(n, "svc"); ok {
				used[name] = true
			}
			if call, ok := n.(*ast.CallExpr); ok {
				name, everyone := touchedChange(call)
				if want := table[name].readers == "ForEveryone"; name != "" && everyone != want {
					t.Errorf("%s: %s is touched for everyone: got %v, want %v", path, name, everyone, want)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range table {
		if !used[name] {
			t.Errorf("change %s: got no use in the services, want one", name)
		}
	}
}

// touchedChange returns the change that a call of Touch names, "" for other calls, and
// whether it is touched for everyone.
func touchedChange(call *ast.CallExpr) (name string, everyone bool) {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "Touch" || len(call.Args) < 2 {
		return "", false
	}
	name, _ = selectorName(call.Args[0], "svc")
	for _, member := range call.Args[1:] {
		if field, _ := selectorName(member, "store"); field == "Everyone" {
			everyone = true
		}
	}
	return name, everyone
}

// selectorName returns the identifier of an expression pkg.Identifier; ok is false for others.
func selectorName(n ast.Node, pkg string) (name string, ok bool) {
	s, ok := n.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	x, ok := s.X.(*ast.Ident)
	if !ok || x.Name != pkg {
		return "", false
	}
	return s.Sel.Name, true
}
