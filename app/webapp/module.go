package webapp

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// module is a module of the web app.
type module struct {
	text    []byte   // compact
	imports []string // names of the modules that it imports statically, in the order of the text
	loads   []string // names of the modules that it imports dynamically
	exports []string // names of its exports
}

// Static imports and exports begin a line. A dynamic import has a literal, or a template that begins with the
// directory. The constants of chunks are named module$ and a number, so no module contains such a name.
var (
	staticImport = regexp.MustCompile(`(?m)^import\s*(?:\{([^{}'"]*)\}|\*\s*as\s+([\w$]+))\s*from\s*"(\.{1,2}/[^"\n]+)";`)
	export       = regexp.MustCompile(`(?m)^export ((?:async )?function\*? |const |class )([\w$]+)`)
	dynamic      = regexp.MustCompile("\\bimport\\(([\"`])(\\.{1,2}/[^\"`$\n]*)(\"?)")
	otherSyntax  = regexp.MustCompile(`(?m)^(?:import|export)\b.*|\bimport\s*[.(].*|module\$\d`)
)

// parseModule reads the imports and exports of a module. Of the syntax of modules it knows the forms that the web app
// uses, and returns an error for the others.
func parseModule(name string, text []byte) (m module, err error) {
	m.text = compactScript(text)
	for _, match := range staticImport.FindAllSubmatch(m.text, -1) {
		m.imports = append(m.imports, path.Join(path.Dir(name), string(match[3])))
	}
	for _, match := range export.FindAllSubmatch(m.text, -1) {
		m.exports = append(m.exports, string(match[2]))
	}
	for _, match := range dynamic.FindAllSubmatch(m.text, -1) {
		if len(match[3]) > 0 {
			m.loads = append(m.loads, path.Join(path.Dir(name), string(match[2])))
		}
	}
	rest := dynamic.ReplaceAll(export.ReplaceAll(staticImport.ReplaceAll(m.text, nil), nil), nil)
	if other := otherSyntax.Find(rest); other != nil {
		return m, fmt.Errorf("assets/web/%s: %q cannot be part of a chunk", name, other)
	}
	return m, nil
}

// body returns the text of the module as part of a chunk: imports become constants, exports declarations. chunkDir is
// the directory of the chunk, and object returns the name of the constant with the exports of a module.
func (m module) body(name, chunkDir string, object func(name string) string) []byte {
	text := staticImport.ReplaceAllFunc(m.text, func(found []byte) []byte {
		match := staticImport.FindSubmatch(found)
		names := string(match[2])
		if names == "" {
			names = "{" + asProperties(string(match[1])) + "}"
		}
		return fmt.Appendf(nil, "const %s = %s;", names, object(path.Join(path.Dir(name), string(match[3]))))
	})
	text = export.ReplaceAll(text, []byte("$1$2"))
	return dynamic.ReplaceAllFunc(text, func(found []byte) []byte {
		match := dynamic.FindSubmatch(found)
		to := relativePath(chunkDir, path.Join(path.Dir(name), string(match[2])))
		if bytes.HasSuffix(match[2], []byte("/")) {
			to += "/"
		}
		return fmt.Appendf(nil, "import(%s%s%s", match[1], to, match[3])
	})
}

// asProperties returns the names of an import as those of a destructuring pattern: "a as b" becomes "a: b".
func asProperties(names string) string {
	list := strings.Split(names, ",")
	for i, name := range list {
		if fields := strings.Fields(name); len(fields) == 3 && fields[1] == "as" {
			list[i] = fields[0] + ": " + fields[2]
		} else {
			list[i] = strings.TrimSpace(name)
		}
	}
	return strings.TrimSuffix(strings.Join(list, ","), ",")
}

// relativePath returns the specifier of a module for an import in a directory.
func relativePath(dir, name string) string {
	if dir == "." {
		return "./" + name
	}
	return strings.Repeat("../", strings.Count(dir, "/")+1) + name
}
