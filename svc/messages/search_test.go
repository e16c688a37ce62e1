package messages

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// search returns a page of a member's results, or its error.
func (s *server) search(member svc.MemberID, q string, limit int, cursor string) (found SearchResults, err error) {
	err = s.db.Read(s.Context(), func(tx *store.Tx) (err error) {
		found, err = s.Search(tx, svc.Trust(member), q, limit, cursor)
		return err
	})
	return found, err
}

func excerpts(list []SearchResult) (texts []string) {
	for _, r := range list {
		texts = append(texts, r.Excerpt)
	}
	return texts
}

func TestSearchFindsOwnMessagesByAllTerms(t *testing.T) {
	s := newServer(t)
	withBea := s.startThread(ann, bea, "Crème brûlée on Friday?")
	s.startThread(ann, cid, "Bring the CREME, please")
	s.reply(bea, withBea, "Friday it is; I bring\nthe torch")
	s.startThread(bea, cid, "Ann makes creme brulee on Friday, secretly")
	for _, c := range []struct {
		member svc.MemberID
		q      string
		want   []string
	}{
		{ann, "creme", []string{"Bring the CREME, please", "Crème brûlée on Friday?"}},
		{ann, "CRÈME bru", []string{"Crème brûlée on Friday?"}},
		{ann, "brulee creme", []string{"Crème brûlée on Friday?"}},
		{ann, "frid", []string{"Friday it is; I bring the torch", "Crème brûlée on Friday?"}},
		{ann, "fri day", nil},
		{ann, "secretly", nil},
		{ann, "s", nil},
		{cid, "friday", []string{"Ann makes creme brulee on Friday, secretly"}},
		{cid, "torch", nil},
		{ann, `"creme" OR please*`, nil},
		{ann, `terms:creme`, nil},
		{ann, `3xcreme`, nil},
		{ann, `"creme" -please (`, []string{"Bring the CREME, please"}},
		{ann, "?!", nil},
		{ann, " ", nil},
	} {
		got, err := s.search(c.member, c.q, 0, "")
		if err != nil || !slices.Equal(excerpts(got.Results), c.want) {
			t.Errorf("member %d, %s: got %q, %v, want %q", c.member, c.q, excerpts(got.Results), err, c.want)
		}
	}
	got, err := s.search(ann, "torch", 0, "")
	if err != nil || got.Results[0].Thread.Title != "Bea" || got.Results[0].Message.Body != "Friday it is; I bring\nthe torch" {
		t.Errorf("got %+v, %v, want the message of bea in its thread", got.Results, err)
	}
}

func TestSearchIsReadPageByPage(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(ann, bea, "Hello")
	for i := range 30 {
		s.reply(ann, thread, fmt.Sprintf("Number %d of many", i))
	}
	var all []string
	cursor := ""
	for {
		found, err := s.search(bea, "many", 7, cursor)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, excerpts(found.Results)...)
		if found.Page.NextCursor == nil {
			break
		}
		s.reply(ann, thread, "Many more")
		cursor = *found.Page.NextCursor
	}
	if len(all) != 30 || all[0] != "Number 29 of many" || all[29] != "Number 0 of many" {
		t.Errorf("got %q, want 29 down to 0", all)
	}
	for about, c := range map[string]struct {
		q      string
		limit  int
		cursor string
		field  string
	}{
		"a long search":              {strings.Repeat("x", svc.MaxTitle+1), 0, "", "q"},
		"a negative limit":           {"many", -1, "", "limit"},
		"an invalid cursor":          {"many", 0, "x", "cursor"},
		"another cursor, no results": {"?", 0, "x", "cursor"},
	} {
		_, err := s.search(bea, c.q, c.limit, c.cursor)
		wantError(t, about, err, svc.InvalidParameter, c.field)
	}
	_, err := s.search(0, "many", 0, "")
	wantError(t, "an unauthenticated client", err, svc.Unauthenticated, "")
}

// Each index entry is for one member, so the cost of a search does not depend on
// other members' messages.
func TestIndexEntriesBelongToOneMember(t *testing.T) {
	s := newServer(t)
	s.startThread(ann, bea, "A needle")
	thread := s.startThread(bea, cid, "needles, needles")
	s.reply(bea, thread, "needles")
	storetest.Exec(t, s.db, "CREATE VIRTUAL TABLE vocabulary USING fts5vocab('messages_search', 'row')")
	got := storetest.Rows(t, s.db, "SELECT term, doc FROM vocabulary ORDER BY term")
	wantEqual(t, "index", got, []string{"1xa 1", "1xneedle 1", "2xa 1", "2xneedle 1", "2xneedles 2", "3xneedles 2"})
}

func TestExcerptIsOneLineAroundTheMatch(t *testing.T) {
	long := strings.Repeat("before ", 20) + "the needle\n\tis here " + strings.Repeat("after ", 60)
	for _, c := range []struct{ q, body, want string }{
		{"hello", "Hello\n  world", "Hello world"},
		{"need", long, "…" + strings.Repeat("before ", 5) + "the needle is here " + strings.Repeat("after ", 17) + "af…"},
		{"zwölf", "um ZWOLF Uhr", "um ZWOLF Uhr"},
	} {
		got := parseSearch(c.q).excerpt(c.body)
		if got != c.want {
			t.Errorf("%q in %.20q…: got %q, want %q", c.q, c.body, got, c.want)
		}
		if n := utf8.RuneCountInString(got); n > excerptLength+2 {
			t.Errorf("%q: got an excerpt of %d characters, want at most %d", c.q, n, excerptLength+2)
		}
	}
}

// ftsForm matches the FTS5 expressions of searches by one member: quoted terms.
var ftsForm = regexp.MustCompile(`^"7x[\pL\pN]+"( AND "7x[\pL\pN]+")* \*$`)

// No search and no body can inject FTS5 syntax or a term of another member, and
// excerpts are valid text.
func FuzzSearch(f *testing.F) {
	for _, q := range []string{
		"hello", "Crème BRÛLÉE", `"`, `hello" OR "x`, "a AND b OR NOT c", "terms:x", "NEAR(a b, 2)", "*", "^hello", "-x", "(", "9xsecret",
		"½ ㏂ ﷽ ﬁ", "İı", "e\u0301", "日本語", "\u0301", "\xff", "a\x00b", strings.Repeat("long", 40), "😀", "a_b-c'd",
	} {
		f.Add(q, "Hello, crème brûlée! "+q)
	}
	f.Fuzz(func(t *testing.T, q, body string) {
		for _, term := range strings.Fields(indexTerms(body, 7, 8)) {
			if !strings.HasPrefix(term, "7x") && !strings.HasPrefix(term, "8x") {
				t.Errorf("%q: got the index term %q, want the prefix 7x or 8x", body, term)
			}
		}
		terms := parseSearch(q)
		if len(terms) == 0 {
			return
		}
		if got := terms.ftsExpression(7); !ftsForm.MatchString(got) {
			t.Errorf("%q: got the expression %s, want the form %s", q, got, ftsForm)
		}
		if got := terms.excerpt(body); utf8.ValidString(body) && !utf8.ValidString(got) || utf8.RuneCountInString(got) > excerptLength+2 {
			t.Errorf("%q in %q: got the excerpt %q, want valid text of at most %d characters", q, body, got, excerptLength+2)
		}
	})
}

// A search finds a body by its own terms, and no message of other members.
func FuzzSearchFindsOwnMessagesOnly(f *testing.F) {
	for _, q := range []string{"hello", `"`, `x" OR "y`, "a AND b", "terms:x", "NEAR(a b)", "*", "^a", "-x", "9xsecret", "½ ㏂ ﷽", "e\u0301", "\u0301", "\xff", "日本語"} {
		f.Add(q, "Hello, crème brûlée! "+q)
	}
	s := newServer(f)
	rollBack := errors.New("roll back")
	f.Fuzz(func(t *testing.T, q, body string) {
		err := s.db.Write(t.Context(), func(tx *store.Tx) error {
			for _, m := range []struct {
				from     svc.MemberID
				to, body string
			}{{ann, "bea", body}, {bea, "cid", body + " " + q}, {bea, "cid", "1x" + q}} {
				if _, err := s.Start(tx, svc.Trust(m.from), StartRequest{Recipient: Recipients{m.to}, Body: m.body}); err != nil {
					return rollBack // the body is not a valid text
				}
			}
			found, err := s.Search(tx, svc.Trust(ann), q, 0, "")
			if err != nil {
				return err
			}
			for _, r := range found.Results {
				if r.Message.Body != body {
					t.Errorf("%q: got %q, want only messages of ann", q, r.Message.Body)
				}
			}
			if utf8.RuneCountInString(body) <= svc.MaxTitle && strings.ContainsFunc(body, unicode.IsLetter) {
				if found, err := s.Search(tx, svc.Trust(ann), body, 0, ""); err != nil || len(found.Results) != 1 {
					t.Errorf("%q: got %d results, %v, want itself", body, len(found.Results), err)
				}
			}
			return rollBack
		})
		if err != rollBack && svc.KindOf(err) != svc.Malformed {
			t.Errorf("%q in %q: got %v, want success or a malformed search", q, body, err)
		}
	})
}

// Covers PT-46: the index entries of deleted messages are deleted.
func TestDeletedMessagesAreNotInTheIndex(t *testing.T) {
	s := newServer(t)
	s.startThread(ann, bea, "Hello")
	s.startThread(bea, cid, "Hello")
	for _, member := range []svc.MemberID{bea, ann} {
		if err := s.write(func(tx *store.Tx) error { _, err := s.DeleteData(tx, member, 100); return err }); err != nil {
			t.Fatal(err)
		}
	}
	wantEqual(t, "index entries left", storetest.Rows(t, s.db, "SELECT count(*) FROM messages_search_docsize"), []string{"1"})
}
