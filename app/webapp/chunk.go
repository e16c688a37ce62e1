package webapp

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// graph contains the modules that an entry module of a page imports, directly or not.
type graph struct {
	modules map[string]module
	entries []string            // the entry module of the page, and the modules that are imported dynamically
	order   []string            // all modules, each after those that it imports
	reached map[string][]string // name of a module → entries that import it statically, directly or not
	chunks  map[string]string   // name of a module → name of its chunk
	objects map[string]string   // name of a module → name of the constant with its exports
}

// newGraph reads the modules that the entry module of a page imports. text returns the compact text of a module.
//
// The modules that the same entries reach are in the same chunk, so that a page loads no module that it does not
// need, and none twice. Those that the entry module of the page reaches are always loaded, so they are all in its
// chunk. The name of a chunk is that of its entry or, if it has none, of its last module.
func newGraph(entry string, text func(name string) ([]byte, error)) (*graph, error) {
	g := &graph{
		modules: make(map[string]module), entries: []string{entry}, reached: make(map[string][]string), chunks: make(map[string]string),
		objects: make(map[string]string),
	}
	for i := 0; i < len(g.entries); i++ {
		if err := g.read(g.entries[i], g.entries[i], nil, text); err != nil {
			return nil, err
		}
	}
	last := make(map[string]string) // entries, joined → name of the chunk
	for i, name := range g.order {
		g.objects[name] = fmt.Sprintf("module$%d", i)
		if slices.Contains(g.reached[name], entry) {
			g.reached[name] = []string{entry}
		}
		if key := strings.Join(g.reached[name], " "); !slices.Contains(g.entries, last[key]) {
			last[key] = name
		}
	}
	for _, name := range g.order {
		g.chunks[name] = last[strings.Join(g.reached[name], " ")]
	}
	for _, name := range g.entries {
		if g.chunks[name] != name {
			return nil, fmt.Errorf("assets/web/%s is imported dynamically, but %s always loads it", name, entry)
		}
	}
	return g, nil
}

// read adds a module that an entry reaches, and the modules that it imports. above are the modules through which it
// was reached.
func (g *graph) read(name, entry string, above []string, text func(string) ([]byte, error)) error {
	if slices.Contains(above, name) {
		return fmt.Errorf("assets/web/%s imports itself through %s", name, strings.Join(above, ", "))
	}
	if slices.Contains(g.reached[name], entry) {
		return nil
	}
	g.reached[name] = append(g.reached[name], entry)
	m, known := g.modules[name]
	if !known {
		source, err := text(name)
		if err != nil {
			return err
		}
		if m, err = parseModule(name, source); err != nil {
			return err
		}
		g.modules[name] = m
	}
	for _, imported := range m.imports {
		if err := g.read(imported.module, entry, append(above, name), text); err != nil {
			return err
		}
	}
	if known {
		return nil
	}
	g.order = append(g.order, name)
	for _, loaded := range m.loads {
		if !slices.Contains(g.entries, loaded) {
			g.entries = append(g.entries, loaded)
		}
	}
	return nil
}

// join returns the texts of all chunks by their names.
//
// A module becomes a block, which is the scope of its declarations, and a constant with its exports, from which the
// blocks of other modules take what they import. That is equivalent to modules whose exports are constant and that do
// not import each other in a circle, in which case newGraph returns an error. A chunk exports the constants that other
// chunks use, and the exports of its entry. Functions keep their names in stack traces; a comment before each block
// names the module.
func (g *graph) join() map[string][]byte {
	uses := make(map[string]map[string][]string) // name of a chunk → name of another chunk → its constants
	exported := make(map[string]bool)            // constants that other chunks use
	blocks := make(map[string]*bytes.Buffer)
	for _, name := range g.order {
		chunk := g.chunks[name]
		if blocks[chunk] == nil {
			blocks[chunk], uses[chunk] = new(bytes.Buffer), make(map[string][]string)
		}
		for _, imported := range g.modules[name].imports {
			object, from := g.objects[imported.module], g.chunks[imported.module]
			if from != chunk && !slices.Contains(uses[chunk][from], object) {
				uses[chunk][from] = append(uses[chunk][from], object)
				exported[object] = true
			}
		}
	}
	for _, name := range g.order {
		chunk, declaration := g.chunks[name], "const"
		m, object := g.modules[name], g.objects[name]
		if exported[object] {
			declaration = "export const"
		}
		body := m.body(name, path.Dir(chunk), func(imported string) string { return g.objects[imported] })
		fmt.Fprintf(blocks[chunk], "// %s\n%s %s = {};\n{\n%sObject.assign(%[3]s, {%[5]s});\n}\n", name, declaration, object, body, strings.Join(m.exports, ","))
	}
	texts := make(map[string][]byte)
	for chunk, text := range blocks {
		if exports := g.modules[chunk].exports; slices.Contains(g.entries, chunk) && len(exports) > 0 {
			fmt.Fprintf(text, "export const {%s} = %s;\n", strings.Join(exports, ","), g.objects[chunk])
		}
		texts[chunk] = slices.Concat(g.imports(chunk, uses[chunk]), text.Bytes())
	}
	return texts
}

// imports returns the imports of a chunk, which uses constants of other chunks. An entry imports all chunks that it
// needs, also those that only other chunks use, so that a browser requests all of them at once.
func (g *graph) imports(chunk string, used map[string][]string) []byte {
	if slices.Contains(g.entries, chunk) {
		for _, name := range g.order {
			if from := g.chunks[name]; from != chunk && used[from] == nil && slices.Contains(g.reached[name], chunk) {
				used[from] = []string{}
			}
		}
	}
	var text bytes.Buffer
	for _, from := range slices.Sorted(maps.Keys(used)) {
		fmt.Fprintf(&text, "import {%s} from %q;\n", strings.Join(used[from], ","), relativePath(path.Dir(chunk), from))
	}
	return text.Bytes()
}
