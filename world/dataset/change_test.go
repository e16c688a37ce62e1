package dataset

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
)

// withoutPart lists the topics that no part of the dataset shows, with the reason
// why they exist.
var withoutPart = map[string]string{
	svc.NotificationsTopic: "the panels show notifications",
}

func TestEveryTopicIsReadByAPart(t *testing.T) {
	read := make(map[string]bool)
	for _, list := range [][]part{timeParts(), messagesParts(), socialParts(), workspaceParts()} {
		for _, p := range list {
			for _, topic := range p.topics {
				read[topic] = true
			}
			if len(p.topics) == 0 && len(p.inputs) == 0 {
				t.Errorf("part %s: got neither topics nor inputs, want one of them", p.name)
			}
		}
	}
	if svc.AllTopics != store.AllTopics {
		t.Errorf("got svc.AllTopics %q, want store.AllTopics %q", svc.AllTopics, store.AllTopics)
	}
	for name, c := range changes(t) {
		for _, topic := range c.topics {
			if topic != "AllTopics" && !read[topics[topic]] && withoutPart[topics[topic]] == "" {
				t.Errorf("change %s: topic %s is read by no part", name, topic)
			}
		}
	}
}

// topics are the values of the constants in svc/change.go.
var topics = map[string]string{
	"TimeTopic": svc.TimeTopic, "MessagesTopic": svc.MessagesTopic, "SurfaceTopic": svc.SurfaceTopic, "BlocksTopic": svc.BlocksTopic,
	"SocialTopic": svc.SocialTopic, "ConversationsTopic": svc.ConversationsTopic, "DMsTopic": svc.DMsTopic, "EventsTopic": svc.EventsTopic,
	"PresenceTopic": svc.PresenceTopic, "NotificationsTopic": svc.NotificationsTopic,
}

// change is a row of the table in svc/change.go.
type change struct {
	topics  []string // names of constants
	readers string   // name of the constant
}

// changes reads the table from the source.
func changes(t *testing.T) map[string]change {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../../svc/change.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]change)
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		row, ok := spec.Values[0].(*ast.CompositeLit)
		if !ok || len(row.Elts) != 3 {
			return true
		}
		var c change
		for _, topic := range row.Elts[1].(*ast.CompositeLit).Elts {
			c.topics = append(c.topics, topic.(*ast.Ident).Name)
		}
		c.readers = row.Elts[2].(*ast.Ident).Name
		found[spec.Names[0].Name] = c
		return true
	})
	if len(found) < 20 {
		t.Fatalf("got %d changes, want the table of svc/change.go", len(found))
	}
	return found
}

// A change that everyone sees is touched for everyone, and any other for the
// members who see it.
func TestEveryChangeIsTouchedForItsReaders(t *testing.T) {
	table := changes(t)
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
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "svc" {
					used[n.Sel.Name] = true
				}
			case *ast.CallExpr:
				name, everyone, ok := touched(n)
				if want := table[name].readers == "ForEveryone"; ok && everyone != want {
					t.Errorf("%s touches %s: got everyone %v, want %v", path, name, everyone, want)
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
			t.Errorf("change %s is never touched", name)
		}
	}
}

// touched reads a call of Touch with a change of the table. It reports whether
// the change is touched for everyone.
func touched(call *ast.CallExpr) (name string, everyone, ok bool) {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "Touch" || len(call.Args) < 2 {
		return "", false, false
	}
	arg, ok := call.Args[0].(*ast.SelectorExpr)
	if !ok {
		return "", false, false
	}
	for _, member := range call.Args[1:] {
		if m, ok := member.(*ast.SelectorExpr); ok && m.Sel.Name == "Everyone" {
			everyone = true
		}
	}
	return arg.Sel.Name, everyone, true
}
