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
	imports []staticImport
	text    []byte   // compact, after the imports, without the keyword export
	loads   []string // names of the modules that it imports dynamically
	exports []string // names of its exports
}

// staticImport is an import at the beginning of a module.
type staticImport struct {
	pattern string // to which the exports are assigned
	module  string // name
}

// Static imports are at the beginning of a module, and exports begin a line. A dynamic import has a literal, or a
// template that begins with the directory. The constants of chunks are named module$ and a number, so no module
// contains such a name.
var (
	importSyntax  = regexp.MustCompile(`^import\s*(?:\{([^{}'"]*)\}|\*\s*as\s+([\w$]+))\s*from\s*"(\.{1,2}/[^"\n]+)";\n`)
	exportSyntax  = regexp.MustCompile(`^export ((?:async )?function\*? |const |class )([\w$]+)`)
	dynamicSyntax = regexp.MustCompile("\\bimport\\(([\"`])(\\.{1,2}/[^\"`$\n]*)(\"?)")
	otherSyntax   = regexp.MustCompile(`^(?:import|export)\b.*|\bimport\s*[.(].*|module\$\d`)
)

// parseModule reads the imports and exports of a compact module. Of the syntax of modules it knows the forms that the
// web app uses, and returns an error for the others. Most lines contain none, so only the others are matched.
func parseModule(name string, text []byte) (m module, err error) {
	for match := importSyntax.FindSubmatch(text); match != nil; match = importSyntax.FindSubmatch(text) {
		pattern := string(match[2])
		if pattern == "" {
			pattern = "{" + asProperties(string(match[1])) + "}"
		}
		m.imports = append(m.imports, staticImport{pattern, path.Join(path.Dir(name), string(match[3]))})
		text = text[len(match[0]):]
	}
	for line := range bytes.Lines(text) {
		rest := line
		if bytes.HasPrefix(line, []byte("export")) {
			if match := exportSyntax.FindSubmatch(line); match != nil {
				m.exports = append(m.exports, string(match[2]))
				line = line[len("export "):]
				rest = line
			}
		}
		if bytes.Contains(line, []byte("import(")) {
			for _, match := range dynamicSyntax.FindAllSubmatch(line, -1) {
				if len(match[3]) > 0 {
					m.loads = append(m.loads, path.Join(path.Dir(name), string(match[2])))
				}
			}
			rest = dynamicSyntax.ReplaceAll(line, nil)
		}
		if isSuspect(rest) {
			if other := otherSyntax.Find(rest); other != nil {
				return m, fmt.Errorf("assets/web/%s: %q cannot be part of a chunk", name, other)
			}
		}
		m.text = append(m.text, line...)
	}
	return m, nil
}

// isSuspect reports whether a line may match otherSyntax.
func isSuspect(line []byte) bool {
	return bytes.HasPrefix(line, []byte("export")) || bytes.Contains(line, []byte("import")) || bytes.Contains(line, []byte("module$"))
}

// body returns the text of the module as part of a chunk: imports become constants, exports declarations. chunkDir is
// the directory of the chunk, and object returns the name of the constant with the exports of a module.
func (m module) body(name, chunkDir string, object func(name string) string) []byte {
	var body bytes.Buffer
	for _, imported := range m.imports {
		fmt.Fprintf(&body, "const %s = %s;\n", imported.pattern, object(imported.module))
	}
	for line := range bytes.Lines(m.text) {
		if bytes.Contains(line, []byte("import(")) {
			line = dynamicSyntax.ReplaceAllFunc(line, func(found []byte) []byte {
				match := dynamicSyntax.FindSubmatch(found)
				to := relativePath(chunkDir, path.Join(path.Dir(name), string(match[2])))
				if bytes.HasSuffix(match[2], []byte("/")) {
					to += "/"
				}
				return fmt.Appendf(nil, "import(%s%s%s", match[1], to, match[3])
			})
		}
		body.Write(line)
	}
	return body.Bytes()
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
