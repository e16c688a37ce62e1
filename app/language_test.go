package app

import (
	"fmt"
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
	"unicode/utf8"
)

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
// and Markdown, and in JavaScript also names and lines that are hard to read. It
// finds only a part of the texts that a reader would object to.
func TestLanguage(t *testing.T) {
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
		if name == "app/language_test.go" || !slices.Contains([]string{".go", ".sql", ".md", ".html", ".js"}, ext) {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, problem := range languageProblems(ext, text) {
			t.Errorf("%s: %s", name, problem)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
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
	if ext == ".js" {
		tokens := jsTokens(string(text))
		for _, token := range tokens {
			if token.kind == jsComment || token.kind == jsString {
				check(token.text, token.kind == jsComment)
			}
		}
		return append(problems, jsProblems(string(text), tokens)...)
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

// maxLine is the length of the longest lines of JavaScript, in characters.
const maxLine = 140

// unclearNames are names that a reader understands only with their comment: prefer
// actions, prefetched, ownMember, conversation, circleMarks, topEdge.
var unclearNames = []string{"acts", "ahead", "own", "talk", "rings", "top"}

// unclearClauses match sentences of JavaScript comments that name a thing by a clause: the
// subject is a question word, or "what is" replaces the name of the thing.
var unclearClauses = []*regexp.Regexp{
	regexp.MustCompile(`(?:^|[.:;!] )(?:What|Who|Which|Others) [a-z][^.?!]*(?:[.;!]|$)`),
	regexp.MustCompile(`(?i)\bwhat (?:is|are|was|were|has|have|else|it|they|stands|waits)\b[^?]*(?:$|\.)`),
}

// jsProblems returns the problems of a module that only JavaScript is checked for.
func jsProblems(text string, tokens []jsToken) (problems []string) {
	for line := range strings.Lines(text) {
		if length := utf8.RuneCountInString(strings.TrimRight(line, "\n")); length > maxLine {
			problems = append(problems, fmt.Sprintf("line of %d characters, want at most %d: %s", length, maxLine, excerpt(line)))
		}
	}
	for _, name := range jsDeclaredNames(tokens) {
		if slices.Contains(unclearNames, name) {
			problems = append(problems, "name that needs its comment: "+name)
		}
	}
	for _, token := range tokens {
		if token.kind != jsComment {
			continue
		}
		comment := strings.Join(strings.Fields(commentMark.ReplaceAllString(token.text, "")), " ")
		for _, pattern := range unclearClauses {
			if riddle := pattern.FindString(comment); riddle != "" {
				problems = append(problems, "clause in place of a name: "+excerpt(riddle))
			}
		}
	}
	return problems
}

// commentMark matches the marks of a comment of JavaScript.
var commentMark = regexp.MustCompile(`(?m)^(//|/\*\*?|\s*\*/?)|\*/$`)

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
		{".js", "// who" + "ever asks\na();", 1},
		{".js", "a(`${b(\"Nobody\")} can see this.`);", 1},
		{".js", "const nobody = /nobody/;", 0},
		{".js", "// limit is what a page holds.\nconst limit = 1;", 1},
		{".js", "// What the page shows.\nconst a = 1;", 2},
		{".js", "// open opens a page. Others are refused.\nopen();", 1},
		{".js", "// open returns what\n// is shown.\nopen();", 1},
		{".js", "// What is a page?\nopen();", 0},
		{".js", "const own = 1;", 1},
		{".js", "function show({ top }, [acts]) {}", 2},
		{".js", "a.own(b.top, \"talk\"); // rings", 0},
		{".js", "// " + strings.Repeat("ä", maxLine-3), 0},
		{".js", "// " + strings.Repeat("ä", maxLine-2), 1},
	} {
		if got := languageProblems(c.ext, []byte(c.text)); len(got) != c.want {
			t.Errorf("%q: got %d problems %q, want %d", c.text, len(got), got, c.want)
		}
	}
}
