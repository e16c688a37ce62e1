package app

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// uncheckedLanguage lists directories whose texts have not been revised yet. Remove
// a directory when it is clean; the test logs clean directories.
var uncheckedLanguage = []string{}

// rejectedWords matches words and phrases that comments and texts must not contain.
// Name the role instead: the member, the operator, the caller, the client.
var rejectedWords = regexp.MustCompile(`(?i)\b(whoever|whomever|nobody|somebody|anybody|someone|shall|hereby|anew|` +
	`likewise|household|rubbish|meddl\w*|nothing of it|is told of|are told of|as it is said|what (is|was) to be|` +
	`(is|are) not to be|by what they are|be it|in hand)\b`)

// rejectedComments match comments that define a name by a question word, and
// sentences whose subject is a question word.
var rejectedComments = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^(//|--)?\s*\w+ (is|are) (who|what|whoever|where|how|when|whether) `),
	regexp.MustCompile(`(^|\n|\. )(//|--)?\s*(Who|What) [a-z]+ [^?]*[.;]\s*$`),
}

// quotedNobody matches the value nobody of visible_to, which is part of the
// contract.
var quotedNobody = regexp.MustCompile(`["'` + "`" + `]nobody\\?["'` + "`" + `]`)

// TestLanguage rejects words that are never right in comments, string literals, SQL
// and Markdown. It finds only a part of what a reader would object to.
func TestLanguage(t *testing.T) {
	problemCounts := make(map[string]int)
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" || d.Name() == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		name := filepath.ToSlash(strings.TrimPrefix(file, ".."+string(filepath.Separator)))
		ext := path.Ext(name)
		if name == "app/language_test.go" || ext != ".go" && ext != ".sql" && ext != ".md" && ext != ".html" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		for _, problem := range languageProblems(ext, text) {
			problemCounts[dir]++
			if !slices.Contains(uncheckedLanguage, dir) {
				t.Errorf("%s: %s", name, problem)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range uncheckedLanguage {
		if problemCounts[dir] == 0 {
			t.Logf("%s is clean: remove it from uncheckedLanguage", dir)
		}
	}
}

// languageProblems returns the rejected parts of the text of a file.
func languageProblems(ext string, text []byte) (problems []string) {
	check := func(part string, comment bool) {
		part = quotedNobody.ReplaceAllString(part, "")
		if word := rejectedWords.FindString(part); word != "" {
			problems = append(problems, word+" in: "+excerpt(part))
		}
		if !comment {
			return
		}
		for _, pattern := range rejectedComments {
			if pattern.MatchString(part) {
				problems = append(problems, "question word in: "+excerpt(part))
			}
		}
	}
	if ext != ".go" {
		for line := range strings.Lines(string(text)) {
			check(line, ext == ".sql" && strings.Contains(line, "--"))
		}
		return problems
	}
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(text)), text, nil, scanner.ScanComments)
	for {
		_, tok, literal := s.Scan()
		switch tok {
		case token.EOF:
			return problems
		case token.COMMENT:
			check(literal, true)
		case token.STRING:
			check(literal, false)
		}
	}
}

func excerpt(text string) string {
	text = strings.TrimSpace(text)
	return text[:min(len(text), 120)]
}

func TestLanguageProblems(t *testing.T) {
	for _, c := range []struct {
		ext, text string
		want      int
	}{
		{".go", "package x // who" + "ever asks", 1},
		{".go", "package x\n// limit is what a page holds.\nvar limit int", 1},
		{".go", "package x\n// limit is the length of a page.\nvar limit int", 0},
		{".go", "package x\nvar nobody = \"nobody\" // the value \"nobody\" hides the presence", 0},
		{".go", "package x\nvar text = \"Nobody can see this.\"", 1},
		{".go", "package x\n// What is gone, clients delete.\nvar x int", 1},
		{".go", "package x\n// What is a page?\nvar x int", 0},
		{".sql", "SELECT 1 -- nobody's", 1},
		{".sql", "CHECK (visible_to IN ('members', 'nobody'))", 0},
		{".md", "Somebody has to do it.", 1},
	} {
		if got := languageProblems(c.ext, []byte(c.text)); len(got) != c.want {
			t.Errorf("%q: got %d problems %q, want %d", c.text, len(got), got, c.want)
		}
	}
}
