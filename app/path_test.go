package app

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
	"testing"
)

// stepNumber matches the number of a step in a documented path. mentionedName matches the name
// of a function or type in its text.
var (
	stepNumber    = regexp.MustCompile(`(?m)^\s{0,3}(\d+)\. `)
	mentionedName = regexp.MustCompile(`\b([a-z]+)((?:\.[A-Za-z]+){1,2})\b`)
)

// The paths in the comment of package app have five to ten steps. Each step names
// at least one function, and all names exist.
func TestDocumentedPathsNameExistingFunctions(t *testing.T) {
	declared := declarations(t)
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	paths := 0
	for _, section := range strings.Split(f.Doc.Text(), "\n# ") {
		title, text, _ := strings.Cut(section, "\n")
		if !strings.HasPrefix(title, "Path of ") {
			continue
		}
		paths++
		starts := stepNumber.FindAllStringSubmatchIndex(text, -1)
		if len(starts) < 5 || len(starts) > 10 {
			t.Errorf("%s: got %d steps, want 5 to 10", title, len(starts))
		}
		for i, at := range starts {
			end := len(text)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			if got, want := text[at[2]:at[3]], fmt.Sprint(i+1); got != want {
				t.Errorf("%s: got step %s, want %s", title, got, want)
			}
			names := mentionedName.FindAllStringSubmatch(text[at[1]:end], -1)
			if len(names) == 0 {
				t.Errorf("%s: step %d names no function", title, i+1)
			}
			for _, name := range names {
				if !declared[name[0]] {
					t.Errorf("%s: step %d: %s does not exist", title, i+1, name[0])
				}
			}
		}
	}
	if paths != 3 {
		t.Errorf("got %d paths, want 3", paths)
	}
}

// declarations returns the functions and types of this module, as
// package.Function, package.Receiver.Method and package.Type.
func declarations(t *testing.T) map[string]bool {
	found := make(map[string]bool)
	eachFile(t, func(dir, file string, test bool) {
		if test {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		prefix := path.Base(dir) + "."
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				found[prefix+receiverPrefix(d)+d.Name.Name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						found[prefix+s.Name.Name] = true
					}
				}
			}
		}
	})
	return found
}

// receiverPrefix returns the name of the receiver's type, followed by a dot, or ""
// for a function without a receiver.
func receiverPrefix(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	switch generic := typ.(type) {
	case *ast.IndexExpr:
		typ = generic.X
	case *ast.IndexListExpr:
		typ = generic.X
	}
	if name, ok := typ.(*ast.Ident); ok {
		return name.Name + "."
	}
	return ""
}
