package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// listedPackage is a package as go list describes it.
type listedPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Module                  *struct{ Main bool }
}

// typedPackage is a package of this module with the types of its expressions.
type typedPackage struct {
	*types.Package
	files *token.FileSet
	trees []*ast.File
	info  types.Info
}

// listPackages returns the packages that go list lists for arguments, with their dependencies,
// each after those that it imports.
func listPackages(t *testing.T, arguments ...string) (list []listedPackage) {
	t.Helper()
	command := exec.Command("go", append([]string{"list", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Module"}, arguments...)...)
	command.Dir, command.Stderr = "..", os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(bytes.NewReader(output)); d.More(); {
		var p listedPackage
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// importerFunc implements [types.Importer].
type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// loadPackages parses and type-checks the packages of this module, without their tests. Other
// packages come from the build cache.
func loadPackages(t *testing.T) (packages []typedPackage) {
	t.Helper()
	var own []listedPackage
	others := []string{"-export"}
	for _, p := range listPackages(t, "./...") {
		switch {
		case p.Module != nil && p.Module.Main:
			own = append(own, p)
		case p.ImportPath != "unsafe":
			others = append(others, p.ImportPath)
		}
	}
	exports := make(map[string]string)
	for _, p := range listPackages(t, others...) {
		exports[p.ImportPath] = p.Export
	}
	files := token.NewFileSet()
	compiled := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	checked := make(map[string]*types.Package)
	config := types.Config{
		Importer: importerFunc(func(path string) (*types.Package, error) {
			if p := checked[path]; p != nil {
				return p, nil
			}
			return compiled.Import(path)
		}),
		Error: func(err error) { t.Error(err) },
	}
	for _, p := range own {
		typed := typedPackage{files: files}
		typed.info.Types, typed.info.Defs = make(map[ast.Expr]types.TypeAndValue), make(map[*ast.Ident]types.Object)
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			typed.trees = append(typed.trees, f)
		}
		typed.Package, _ = config.Check(p.ImportPath, files, typed.trees, &typed.info)
		checked[p.ImportPath] = typed.Package
		packages = append(packages, typed)
	}
	return packages
}

// closedSetName returns the name of t if it is a closed set, "" otherwise.
func closedSetName(t types.Type) string {
	named, ok := t.(*types.Named)
	if !ok || types.IsInterface(t) {
		return ""
	}
	for m := range named.Methods() {
		if m.Name() == "Values" && types.TypeString(m.Type(), nil) == "func() []string" {
			return named.String()
		}
	}
	return ""
}

// A closed set lists exactly its constants. No other code contains its values as literals, so
// that the compiler finds wrong values.
func TestValuesOfClosedSetsAreConstants(t *testing.T) {
	sets := 0
	for _, p := range loadPackages(t) {
		constants := make(map[string][]string) // names, by set
		for _, name := range p.Scope().Names() {
			if c, ok := p.Scope().Lookup(name).(*types.Const); ok && closedSetName(c.Type()) != "" {
				constants[closedSetName(c.Type())] = append(constants[closedSetName(c.Type())], name)
			}
		}
		for _, tree := range p.trees {
			for _, d := range tree.Decls {
				switch d := d.(type) {
				case *ast.GenDecl:
					if d.Tok == token.CONST {
						continue
					}
				case *ast.FuncDecl:
					if set, listed := p.listedConstants(d); set != "" {
						sets++
						if want := constants[set]; !slices.Equal(slices.Sorted(slices.Values(listed)), want) {
							t.Errorf("%s: got the values %q, want the constants of the type, %q", set, listed, want)
						}
					}
				}
				for _, problem := range p.literals(d) {
					t.Error(problem)
				}
			}
		}
	}
	if sets < 20 {
		t.Errorf("got %d closed sets with constants, want more", sets)
	}
}

// listedConstants returns the set whose method Values d is, and the names of the constants
// that it passes to svc.Values. It returns "" for other functions, and for sets that have no
// constants.
func (p typedPackage) listedConstants(d *ast.FuncDecl) (set string, listed []string) {
	f, ok := p.info.Defs[d.Name].(*types.Func)
	if !ok || d.Recv == nil || d.Name.Name != "Values" {
		return "", nil
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if name := types.ExprString(call.Fun); name != "svc.Values" && name != "Values" {
			return true
		}
		set = closedSetName(f.Signature().Recv().Type())
		for _, argument := range call.Args {
			listed = append(listed, types.ExprString(argument))
		}
		return false
	})
	return set, listed
}

// literals returns the positions of literals that are converted to a closed set.
func (p typedPackage) literals(d ast.Decl) (problems []string) {
	ast.Inspect(d, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Value == `""` {
			return true
		}
		if set := closedSetName(p.info.TypeOf(literal)); set != "" {
			at := p.files.Position(literal.Pos())
			problems = append(problems, fmt.Sprintf("%s: got the literal %s of the type %s, want a constant", at, literal.Value, set))
		}
		return true
	})
	return problems
}
