package webapp

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/app/pages"
	"appliance/assets"
)

// smallApp has the forms of imports and exports of the web app. main.js prints what it sees.
var smallApp = map[string]string{
	"main.js": `import { add, Counter as C } from "./parts/number.js";
import * as names from "./parts/names.js";
import {
	later,
	total,
} from "./area/load.js";
export const started = add(1, 2);
console.log(started, names.first, names.last(), new C().next(), total);
export const opened = later("a").then(async (a) => console.log(JSON.stringify([a, await later("b"), await import("./area/c.js")])));
`,
	"parts/number.js": `export function add(a, b) { return a + b; } // the sum
export class Counter { #value = 0; next() { return ++this.#value; } }
const hidden = 7;
export const seven = hidden;
`,
	"parts/names.js": `import { seven } from "./number.js";
export const first = "Ann";
export function last() { return hidden + seven; }
const hidden = "Lee";
`,
	"area/load.js": `import { seven } from "../parts/number.js";
export const total = seven;
export async function later(name) { const { text } = name === "a" ? await import("./a.js") : await import("./b.js"); return text(); }
`,
	"area/a.js":      "import { shared } from \"./shared.js\";\nexport const text = () => `a ${shared()}`;\n",
	"area/b.js":      "import { shared } from \"./shared.js\";\nimport { add } from \"../parts/number.js\";\nexport function text() { return `b ${shared()} ${add(2, 3)}`; }\n",
	"area/shared.js": "let count = 0;\nexport const shared = () => ++count;\n",
	"area/c.js":      "import { text } from \"./a.js\";\nexport const c = text();\n",
}

// textOf returns the text function of newGraph for a map of texts.
func textOf(files map[string]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return compactScript([]byte(text)), nil
		}
		return nil, fs.ErrNotExist
	}
}

// runNode runs main.js of a directory with these files, and returns its output.
func runNode(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type": "module"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "/usr/bin/node", filepath.Join(dir, "main.js")).CombinedOutput()
	if err != nil {
		t.Fatalf("got %v, want success\n%s", err, out)
	}
	return string(out)
}

// Chunks run as the modules do.
func TestChunksRunAsModules(t *testing.T) {
	if _, err := exec.LookPath("/usr/bin/node"); err != nil {
		t.Skip("node is missing")
	}
	modules := make(map[string][]byte)
	for name, text := range smallApp {
		modules[name] = []byte(text)
	}
	g, err := newGraph("main.js", textOf(smallApp))
	if err != nil {
		t.Fatal(err)
	}
	chunks := g.join()
	if got, want := slices.Sorted(maps.Keys(chunks)), []string{"area/a.js", "area/b.js", "area/c.js", "area/shared.js", "main.js"}; !slices.Equal(got, want) {
		t.Errorf("got the chunks %q, want %q", got, want)
	}
	want := runNode(t, modules)
	if got := runNode(t, chunks); got != want || !strings.HasPrefix(want, "3 Ann Lee7 1 7\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A module that cannot be joined is an error at the start.
func TestModulesThatCannotBeJoined(t *testing.T) {
	for text, want := range map[string]string{
		`import "./a.js";`:                                   "cannot be part of a chunk",
		`import a from "./a.js";`:                            "cannot be part of a chunk",
		`export let a = 1;`:                                  "cannot be part of a chunk",
		`export default 1;`:                                  "cannot be part of a chunk",
		`export { a } from "./a.js";`:                        "cannot be part of a chunk",
		`export const { a } = b;`:                            "cannot be part of a chunk",
		`await import(name);`:                                "cannot be part of a chunk",
		`const a = import.meta.url;`:                         "cannot be part of a chunk",
		`const module$1 = 1;`:                                "cannot be part of a chunk",
		`import { a } from "./a.js";`:                        "imports itself through main.js, a.js",
		`import { a } from "./b.js";`:                        "file does not exist",
		"import { c } from \"./c.js\";\nimport(\"./c.js\");": "main.js always loads it",
	} {
		files := map[string]string{"main.js": text, "a.js": `import { b } from "./main.js";`, "c.js": "export const c = 1;"}
		if _, err := newGraph("main.js", textOf(files)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got the error %v, want %q", text, err, want)
		}
	}
}

// The modules that the pages import dynamically have the same exports in the chunks.
func TestChunksOfTheWebAppExportTheSame(t *testing.T) {
	files, err := loadWebFiles()
	if err != nil {
		t.Fatal(err)
	}
	root, err := fs.Sub(assets.Files, "web")
	if err != nil {
		t.Fatal(err)
	}
	exported := regexp.MustCompile(`(?m)^export const \{(.*)\} = `)
	for _, page := range []string{entryModule, pages.SignedOutScript, pages.SignOutScript} {
		g, err := newGraph(page, func(name string) ([]byte, error) {
			text, err := fs.ReadFile(root, name)
			return compactScript(text), err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range g.entries {
			got, want := "", strings.Join(g.modules[entry].exports, ",")
			if match := exported.FindSubmatch(files.files[entry].text); match != nil {
				got = string(match[1])
			}
			if got != want || page == entryModule && want == "" {
				t.Errorf("%s: got the exports %s, want %s", entry, got, want)
			}
		}
	}
}

// FuzzParseModule checks that the text of a module in a chunk has no static import or export.
func FuzzParseModule(f *testing.F) {
	for _, text := range smallApp {
		f.Add(text)
	}
	f.Add("import {a as\nb,} from \"../c.js\";\nexport async function* a() {}\n")
	f.Add("import * as $a from \"./../a.js\";import(\"./b.js\")")
	static := regexp.MustCompile(`(?m)^(import\b[^(]|export\b)`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseModule("a/b.js", compactScript([]byte(text)))
		if err != nil {
			return
		}
		numbers := make(map[string]string)
		body := m.body("a/b.js", "c/d", func(name string) string {
			numbers[name] = fmt.Sprintf("module$%d", len(numbers))
			return numbers[name]
		})
		for _, imported := range m.imports {
			if numbers[imported.module] == "" {
				t.Errorf("%q: got no use of the import %s", text, imported.module)
			}
		}
		if found := static.Find(body); found != nil {
			t.Errorf("%q: got %q in the body, want no import and no export", text, found)
		}
	})
}
