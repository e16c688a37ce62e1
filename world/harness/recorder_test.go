package harness

import (
	"fmt"
	"strings"
	"testing"
)

// parse decodes a JSON text into a value with an empty path.
func parse(t testing.TB, text string) value {
	t.Helper()
	v, err := decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return value{v, ""}
}

// wantProblems fails the test unless the recorder has one problem for each of the
// words, in order, and each contains its word.
func (r *recorder) wantProblems(t *testing.T, about string, words ...string) {
	t.Helper()
	if n := len(r.problems) + r.omitted; n != len(words) {
		t.Errorf("%s: got %d problems, want %d: %q", about, n, len(words), r.problems)
		return
	}
	for i, word := range words {
		if !strings.Contains(r.problems[i], word) {
			t.Errorf("%s: got %q, want a problem that contains %q", about, r.problems[i], word)
		}
	}
}

func TestShapeReportsEveryInvalidField(t *testing.T) {
	doc := parse(t, `{"text": "x", "blank": " ", "whole": 3, "half": 3.5, "huge": 1e999999999, "list": [], "map": {}, "null": null, "yes": true}`)
	var rec recorder
	rec.checkShape(doc, "text text", "blank string", "whole integer", "whole number", "half number", "list array", "map object", "null null", "null text|null", "yes boolean", "absent text?")
	rec.wantProblems(t, "a shape that fits")
	rec.checkShape(doc, "blank text")
	rec.checkShape(doc, "half integer")
	rec.checkShape(doc, "absent text", "list object")
	rec.wantProblems(t, "a shape that does not fit", `blank: got " ", want text`, "half: got 3.5, want integer", "absent: absent, want text", "list: got [], want object")
	rec = recorder{}
	rec.checkShape(doc.at("text"), "x text")
	rec.wantProblems(t, "a string", "an object")
	if got := doc.at("text.x.y").v; got != nil {
		t.Errorf("a part of a string: got %v, want nil", got)
	}
	if half, whole := doc.at("half").integer(), doc.at("whole").integer(); half != -1 || whole != 3 {
		t.Errorf("integers: got %d and %d, want -1 and 3", half, whole)
	}
}

// A report shows the first problems of a check, and no control characters of a
// response.
func TestProblemsAreLimited(t *testing.T) {
	c := &client{}
	r := c.result(check{"W-01 W-02", "a check", func(_ *client, rec *recorder) {
		for i := range 10 {
			rec.addProblem("%d %s", i, strings.Repeat("long ", 1000))
		}
	}})
	if r.State != Failed || len(r.Seen) != maxProblems+1 || r.Seen[maxProblems] != "and 6 more" || len(r.Seen[0]) > 300 || fmt.Sprint(r.Rows) != "[W-01 W-02]" {
		t.Errorf("got %+v, want %d problems and the number of the others", r, maxProblems)
	}
	if got, want := truncate("red\x1b[31m \x07\u009b2J\u202e\xff\nÄ — 語", 80), "red?[31m ??2J?? Ä — 語"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Paths begin with the request of the response.
func TestPathsNameTheRequest(t *testing.T) {
	v := value{map[string]any{"a": []any{map[string]any{"b.c": true}}}, "GET /x:"}
	if got, want := v.at("a").list()[0].key("b.c").path, "GET /x: a[0].b.c"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
