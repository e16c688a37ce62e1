package webapp

import (
	"testing"
)

// Browsers load neither the comments nor the indentation of scripts and style sheets.
func TestCompactFiles(t *testing.T) {
	for _, c := range []struct {
		name    string
		compact func([]byte) []byte
		in, out string
	}{
		{"comments", compactScript, "// A.\n\nconst a = 1; // one\n\t// B.\n", "const a = 1;\n"},
		{"indentation", compactScript, "if (a) {\n\tb();\n}\n", "if (a) {\nb();\n}\n"},
		{"URL in a string", compactScript, "const a = \"http://example.org\";\n", "const a = \"http://example.org\";\n"},
		{"slashes in a string", compactScript, "const a = \"b // c\";\n", "const a = \"b // c\";\n"},
		{"no final line break", compactScript, "a();", "a();\n"},
		{"style sheet", compactStyles, "/* A\n   b */\n.a {\n\tcolor: red; /* c */\n}\n", ".a{\ncolor:red;\n}\n"},
		{"spaces in a style sheet", compactStyles, ".a :is(.b, .c) { color: red; margin: 0 calc(1px + 2px); }\n", ".a :is(.b,.c){color:red;margin:0 calc(1px + 2px)}\n"},
	} {
		if got := string(c.compact([]byte(c.in))); got != c.out {
			t.Errorf("%s: got %q, want %q", c.name, got, c.out)
		}
	}
}
