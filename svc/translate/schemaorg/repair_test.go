package schemaorg_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"appliance/svc/translate/schemaorg"
)

// Covers S-45 for malformed blocks.
func TestRepairMakesValidJSON(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"valid", ` {"a": "/* x */ // y, ]<!-- ;\u0041\/"} `, `{"a":"/* x */ // y, ]<!-- ;A/"}`},
		{"CDATA", "<![CDATA[ {\"a\":1} ]]>", `{"a":1}`},
		{"CDATA in line comments", "//<![CDATA[\n{\"a\":1}\n//]]>", `{"a":1}`},
		{"CDATA in line comments on one line", "// <![CDATA[ {\"a\":1} // ]]>", `{"a":1}`},
		{"CDATA in block comments", "/*<![CDATA[*/{\"a\":1}/*]]>*/", `{"a":1}`},
		{"CDATA in HTML comments", "<!--//<![CDATA[\n{\"a\":1}\n//]]>-->", `{"a":1}`},
		{"HTML comment", "<!-- {\"a\":1} -->", `{"a":1}`},
		{"byte order mark", "\ufeff{\"a\":1}", `{"a":1}`},
		{"entities", `{&quot;a&quot;:1}`, `{"a":1}`},
		{"semicolon", `{"a":1} ; `, `{"a":1}`},
		{"line breaks in a string", "{\"a\":\"x\n\ty\\\nz\x01\\\"\"}", `{"a":"x\n\ty\nz \""}`},
		{"no-break space between values", "{\u00a0\"a\":\u00a01}", `{"a":1}`},
		{"comments", "{/* \"b */\"a\":\"http://x//y\", // \"c\n\"d\":1}", `{"a":"http://x//y","d":1}`},
		{"slashes after an escaped quotation mark", `{"a":"\"// x",}`, `{"a":"\"// x"}`},
		{"comment at the end", "{\"a\":1} // {", `{"a":1}`},
		{"trailing commas", `{"a":[1,2, ,],"b":",]",},`, `{"a":[1,2],"b":",]"}`},
		{"leading comma", `[,1]`, `[1]`},
		{"trailing comma before a comment", "{\"a\":1, // x\n}", `{"a":1}`},
		{"escapes", `{"a":"it\'s \x41 \d \u00e4 \uzz \\d\""}`, `{"a":"it's A d ä uzz \\d\""}`},
		{"concatenated", `{"a":1}{"b":"}{"};[2],`, `[{"a":1},{"b":"}{"},[2]]`},
		{"text after the end", `{"a":1} </p> }`, `{"a":1}`},
		{"extra brace", `{"a":1}}`, `{"a":1}`},
		{"several faults", "<!--\n{\"a\":\"x\ny\\'\",}\n{\"b\":1,};-->", `[{"a":"x\ny'"},{"b":1}]`},
		{"no value", `{"a": b}`, ``},
		{"truncated", `{"a": "b`, ``},
		{"no JSON", `var x = 1;`, ``},
	} {
		got, _ := schemaorg.Repair(c.script)
		if got == "" && c.want == "" {
			continue
		}
		var gotValue, wantValue any
		if err := json.Unmarshal([]byte(got), &gotValue); err != nil {
			t.Errorf("%s: got %q, %v, want %s", c.name, got, err, c.want)
			continue
		}
		if c.want == "" || json.Unmarshal([]byte(c.want), &wantValue) != nil || !reflect.DeepEqual(gotValue, wantValue) {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// Hostile blocks take time proportional to their length; the test would time out
// otherwise.
func TestRepairIsFastForHostileBlocks(t *testing.T) {
	for _, part := range []string{"{", "[{", `"`, `{"a":1}`, "/*", "//", ",", `\`, "<!--", "{}{", "1 ", "-->", ` " /* `} {
		schemaorg.Repair(strings.Repeat(part, 1<<20/len(part)))
	}
}

// Covers PT-45 for JSON-LD.
func FuzzRepair(f *testing.F) {
	for _, s := range []string{`{"a":"\u0041"}`, "//<![CDATA[\n{\"a\":1,}//]]>", "{\"a\":\"x\ny\\'\"}{}", `{&quot;a&quot;:1};`, `[1,,2] // x`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, script string) {
		got, complete := schemaorg.Repair(script)
		if got != "" && !json.Valid([]byte(got)) {
			t.Errorf("got %q, want valid JSON", got)
		}
		if json.Valid([]byte(script)) && (got != strings.TrimSpace(script) || !complete) {
			t.Errorf("got %q, complete: %t, want the valid block %q", got, complete, script)
		}
		if len(got) > 6*len(script)+2 {
			t.Errorf("got %d bytes from %d, want at most six times as many", len(got), len(script))
		}
	})
}
