package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the root of the module.
const root = "../.."

// textArguments are the functions whose argument at an index is a text.
var textArguments = map[string]int{"svc.Errorf": 1, "svc.FieldError": 2, "svc.ParameterError": 1, "call.errorf": 0, "s.errorf": 3, "words.Textf": 0, "limits.tooMany": 0}

// textRanges are the functions whose arguments from the first index to before the second
// are texts.
var textRanges = map[string][2]int{"health.Warning": {1, 3}, "health.Problem": {1, 3}}

// textMethods are the methods of Language whose arguments from the first index to before
// the second are texts.
var textMethods = map[string][2]int{"Text": {0, 1}, "Textf": {0, 1}, "addList": {0, 2}, "pageCount": {2, 4}, "setPage": {0, 1}}

// fieldArguments are the functions whose first argument is the name of a field. Its label
// is a part of their texts.
var fieldArguments = map[string]bool{"svc.Required": true, "svc.CheckName": true, "svc.CheckLine": true, "svc.CheckText": true}

// untranslated are the directories without texts for members: the bodies of CalDAV errors
// are for programs, and the harness is a command.
var untranslated = []string{"testdata", "harness", "dav"}

// sourceText is a text in the source of the server, or any other string in it.
type sourceText struct {
	text, at string
	isText   bool
}

// visitSource calls visit for each file of the source in directories, without tests and what is not translated.
func visitSource(t *testing.T, dirs []string, visit func(*token.FileSet, *ast.File)) {
	t.Helper()
	fset := token.NewFileSet()
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && (strings.HasSuffix(d.Name(), "test") || slices.Contains(untranslated, d.Name())) {
				return filepath.SkipDir
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			f, err := parser.ParseFile(fset, path, nil, 0)
			if err == nil {
				visit(fset, f)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// sourceTexts returns the texts in the source.
func sourceTexts(t *testing.T) (list []sourceText) {
	t.Helper()
	dirs := []string{"svc", "world", "app/account", "app/api", "app/httpd", "app/pages", "app/webapp", "app/health", "app/backups", "app/limits", "app/setup", "app/config"}
	visitSource(t, dirs, func(fset *token.FileSet, f *ast.File) {
		collect(f, func(pos token.Pos, text string, isText bool) {
			p := fset.Position(pos)
			list = append(list, sourceText{text, strings.TrimPrefix(p.Filename, root+"/") + ":" + strconv.Itoa(p.Line), isText})
		})
	})
	for file, template := range pageTemplates(t) {
		for _, match := range templateText.FindAllStringSubmatch(template, -1) {
			text, err := strconv.Unquote(match[1])
			if err != nil {
				t.Errorf("%s: %s: %v", file, match[0], err)
			}
			list = append(list, sourceText{text, file, true})
		}
	}
	return list
}

// templateText matches a text of a page: the first argument of a template function.
var templateText = regexp.MustCompile(`\b(?:text|textf|linked|coded) ("(?:[^"\\]|\\.)*")`)

// pageTemplates returns the templates of pages by the names of their files.
func pageTemplates(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "assets/pages/*.html"))
	if err != nil || len(files) == 0 {
		t.Fatalf("got the templates %q, %v", files, err)
	}
	list := make(map[string]string)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list[strings.TrimPrefix(file, root+"/")] = string(text)
	}
	return list
}

// A template must not contain letters outside of its actions and tags, or in attributes for people:
// such text would be in one language only.
func TestTemplatesContainNoTextOfOneLanguage(t *testing.T) {
	action, tag := regexp.MustCompile(`(?s)\{\{.*?\}\}`), regexp.MustCompile(`<[^>]*>`)
	attribute := regexp.MustCompile(`\b(?:alt|aria-label|placeholder|title|data-unsupported|data-known|data-failed)="[^"]*\pL[^"]*"`)
	for file, template := range pageTemplates(t) {
		markup := action.ReplaceAllString(template, "")
		found := attribute.FindAllString(markup, -1)
		for line := range strings.Lines(tag.ReplaceAllString(markup, "\n")) {
			if letter.MatchString(line) && !strings.HasPrefix(line, " data-") { // a template that contains only attributes
				found = append(found, strings.TrimSpace(line))
			}
		}
		if len(found) > 0 {
			t.Errorf("%s: got %q in English on pages in any language", file, found)
		}
	}
}

var letter = regexp.MustCompile(`\pL`)

// collect calls add for each text in a file, and for each other string, which can be the
// label of an action. The elements of a map or an array of words.Word are texts.
func collect(f *ast.File, add func(pos token.Pos, text string, isText bool)) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if text, ok := constantString(n); ok {
				add(n.Pos(), text, false)
				add(n.Pos(), Label(text), false) // a label of an option
			}
		case *ast.CallExpr:
			if method, ok := n.Fun.(*ast.SelectorExpr); ok {
				r := textMethods[method.Sel.Name]
				for i := r[0]; i < r[1] && r[1] <= len(n.Args); i++ {
					if text, ok := constantString(n.Args[i]); ok && !isFieldName(text) {
						add(n.Pos(), text, true)
					}
				}
			}
			name := calledName(f, n.Fun)
			if fieldArguments[name] {
				if field, ok := constantString(n.Args[0]); ok {
					add(n.Pos(), Label(field), true)
				}
			}
			for i, r := textRanges[name][0], textRanges[name]; i < r[1]; i++ {
				if text, ok := constantString(n.Args[i]); ok && text != "" && text != "%s" {
					add(n.Pos(), text, true)
				}
			}
			if i, ok := textArguments[name]; ok && i < len(n.Args) {
				if text, ok := constantString(n.Args[i]); ok && text != "%s" {
					add(n.Pos(), text, true)
				}
			}
		case *ast.CompositeLit:
			if isWordTable(n.Type) {
				for _, element := range n.Elts {
					if text, ok := constantString(element.(*ast.KeyValueExpr).Value); ok {
						add(element.Pos(), text, true)
					}
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Message" {
				if text, ok := constantString(n.Value); ok && strings.ToUpper(text) != text { // not a property of iCalendar
					add(n.Pos(), text, true)
				}
			}
		}
		return true
	})
}

// isFieldName reports whether a text is the name of a property of iCalendar, such as SUMMARY, or of
// a field, such as opening_hours. Such an argument belongs to a method of another type with a name
// in textMethods.
func isFieldName(text string) bool {
	return strings.ToUpper(text) == text || strings.ToLower(text) == text && !strings.Contains(text, " ")
}

// isWordTable reports whether a type is a map or an array of words.Word.
func isWordTable(t ast.Expr) bool {
	switch table := t.(type) {
	case *ast.MapType:
		t = table.Value
	case *ast.ArrayType:
		t = table.Elt
	}
	word, ok := t.(*ast.SelectorExpr)
	return ok && word.Sel.Name == "Word"
}

// calledName returns the name of a called function, with the name of its package.
func calledName(f *ast.File, fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return f.Name.Name + "." + fun.Name
	case *ast.SelectorExpr:
		x, ok := fun.X.(*ast.Ident)
		switch {
		case !ok:
			return ""
		case fun.Sel.Name == "errorf" && x.Name != "s": // of package transport
			return "call.errorf"
		}
		return x.Name + "." + fun.Sel.Name
	}
	return ""
}

// constantString returns the value of a constant string expression.
func constantString(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.Ident:
		if e.Obj != nil {
			if spec, ok := e.Obj.Decl.(*ast.ValueSpec); ok && e.Obj.Kind == ast.Con && len(spec.Values) == 1 {
				return constantString(spec.Values[0])
			}
		}
	case *ast.BinaryExpr:
		x, okX := constantString(e.X)
		y, okY := constantString(e.Y)
		return x + y, okX && okY
	}
	return "", false
}

func TestEveryTextIsTranslated(t *testing.T) {
	source := sourceTexts(t)
	for i, tag := range Tags[1:] {
		texts := catalogs[i+1].Server
		used, missing := make(map[string]bool), make(map[string]bool)
		for _, s := range source {
			if _, ok := texts[s.text]; !ok && s.isText && !missing[s.text] {
				t.Errorf("%s: got no text for %q in assets/words/%s.json", s.at, s.text, tag)
				missing[s.text] = true
			}
			used[s.text] = true
		}
		if len(used) < 300 {
			t.Errorf("got %d texts in the source, want all of the server", len(used))
		}
		for _, text := range slices.Sorted(maps.Keys(texts)) {
			if !used[text] {
				t.Errorf("%s: got a text for %q, which is not in the source", tag, text)
			}
		}
	}
}

var verb = regexp.MustCompile(`%(\[\d+\])?[-+# 0]*\d*(\.\d+)?[a-zA-Z]`)

// verbs returns the formatting verbs of a text by the index of their argument. A plural has the
// verb %d.
func verbs(text string) map[int]string {
	list := make(map[int]string)
	for index := range arguments(text) {
		n, _ := strconv.Atoi(index)
		list[n+1] = "%d"
	}
	for i, v := range verb.FindAllString(strings.ReplaceAll(text, "%%", ""), -1) {
		n := i + 1
		if index := regexp.MustCompile(`\[(\d+)\]`).FindStringSubmatch(v); index != nil {
			n, _ = strconv.Atoi(index[1])
			v = strings.Replace(v, index[0], "", 1)
		}
		list[n] = v
	}
	return list
}

func TestTranslationsHaveTheArgumentsOfTheText(t *testing.T) {
	for l, tag := range Tags {
		for english, text := range catalogs[l].Server {
			if got, want := verbs(text), verbs(english); !maps.Equal(got, want) {
				t.Errorf("%s %q: got the arguments %v in %q, want %v", tag, english, got, text, want)
			}
			if strings.Count(text, "[") != strings.Count(english, "[") || strings.Count(text, "]") != strings.Count(english, "]") {
				t.Errorf("%s %q: got %q with another number of links", tag, english, text)
			}
			if _, cases, isPlural := strings.Cut(text, pluralMark); isPlural && !strings.Contains(cases, "other {") {
				t.Errorf("%s %q: got no case other in %q", tag, english, text)
			}
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s %q: got an empty text", tag, english)
			}
		}
	}
}
