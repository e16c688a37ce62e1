package words

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// fieldName matches a name in the spelling of programs in a text: all_day, context.depth, this_and_future, or a
// lower-case name at its beginning.
var fieldName = regexp.MustCompile(`\b[a-z]+_[a-z_]+\b|\b(?:context|location|state)\.[a-z]+|^[a-z]+ (?:must|may|can|is|are|cannot|should)\b|\brrule\b`)

// fieldErrors are the functions of errors with a field, and the index of its name. The format of
// the message is the next argument.
var fieldErrors = map[string]int{"FieldError": 1, "ParameterError": 0}

// Messages for members name no field as programs spell it, neither in the text nor as its argument: the
// name belongs to the member name of the error.
func TestMessagesHaveNoFieldNames(t *testing.T) {
	checked := 0
	visitSource(t, []string{"svc", "world", "app"}, func(fset *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			index, ok := fieldErrors[functionName(call)]
			if !ok || len(call.Args) < index+2 {
				return true
			}
			checked++
			name, format := source(fset, call.Args[index]), source(fset, call.Args[index+1])
			if found := fieldName.FindString(strings.Trim(format, `"`)); found != "" {
				t.Errorf("%s: got %q in the message %s, want the label of the field", fset.Position(call.Pos()), found, format)
			}
			for _, arg := range call.Args[index+2:] {
				if source(fset, arg) == name || strings.HasPrefix(source(fset, arg), "strings.Join(fields") {
					t.Errorf("%s: got the name of the field in the message %s, want svc.FieldLabel(%s)", fset.Position(call.Pos()), format, name)
				}
			}
			return true
		})
	})
	if checked < 100 {
		t.Errorf("got %d checked messages, want all errors of fields", checked)
	}
}

// functionName returns the name of the called function without its package.
func functionName(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// source returns the source of an expression.
func source(fset *token.FileSet, e ast.Expr) string {
	var b bytes.Buffer
	if printer.Fprint(&b, fset, e) != nil {
		return ""
	}
	return b.String()
}
